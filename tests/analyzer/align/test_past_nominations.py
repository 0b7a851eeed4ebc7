"""Nominations that were lost or misheard: the list, the calls and the order put the past right."""

from __future__ import annotations

from dataclasses import replace

from mafiavar.analyzer.align import Alignment
from mafiavar.analyzer.cue import Cue, CueKind, Numeral
from mafiavar.analyzer.evaluation.spoken import spoken
from mafiavar.analyzer.speech.numerals import distribution

from .test_align import Talk, day_one, facts, without


def test_a_nomination_the_judge_did_not_answer_is_known_from_the_list() -> None:
    talk = day_one({3: 4, 5: 6}).leaves(5)
    silent = [c for c in spoken(talk.events) if c.kind is not CueKind.ACCEPTED]
    alignment = talk.aligned(cues=silent)
    assert [(e[2], e[3]) for e in facts(alignment, "nominated")] == [(1, 3), (4, 5)]


def test_a_nomination_nobody_heard_is_known_from_the_list() -> None:
    talk = day_one({3: 2, 5: 6, 8: 2}).leaves(5)
    lost = [c for c in spoken(talk.events) if not (c.kind is CueKind.NOMINATION and c.number() == 5)]
    alignment = talk.aligned(cues=lost)
    assert [e[3] for e in facts(alignment, "nominated")] == [3, 5, 8]
    assert [e.basis for e in alignment.timeline.of_kind("nominated")] == ["observed", "inferred", "observed"]


def test_a_misheard_numeral_is_put_right_by_the_rules() -> None:
    talk = day_one({3: 4, 5: 6}).leaves(5)
    confused = [
        replace(c, numbers=({9: 0.6, 5: 0.35},)) if c.kind is CueKind.NOMINATION and c.number() == 5 else c
        for c in spoken(talk.events)
    ]
    assert [e[3] for e in facts(talk.aligned(cues=confused), "nominated")] == [3, 5]


def test_already_nominated_tells_of_a_nomination_nobody_heard() -> None:
    talk = Talk().first_night().morning(1).speeches([1, 2], {1: 7}).speeches([3], {3: 7}, answer=False)
    talk.events[-2]["reason"] = "already_nominated"
    cues = without(spoken(talk.events), (CueKind.NOMINATION, 0), (CueKind.ACCEPTED, 0))
    nominated = [(e[2], e[3], e[4]) for e in facts(talk.aligned(cues=cues), "nominated")]
    assert (3, 7, False) in nominated and (3, 7, True) not in nominated
    assert any(target == 7 and accepted for _, target, accepted in nominated)


def heard_as(talk: Talk, target: int, *numbers: Numeral) -> list[Cue]:
    """The cues, with the nomination of `target` heard as other numbers."""
    return [
        replace(c, numbers=numbers) if c.kind is CueKind.NOMINATION and c.number() == target else c
        for c in spoken(talk.events)
    ]


def accepted(alignment: Alignment) -> list[tuple[int, int]]:
    return [(seat, target) for _, _, seat, target, taken in facts(alignment, "nominated") if taken]


def test_the_misheard_first_number_of_a_series_is_put_right() -> None:
    talk = day_one({3: 4, 9: 6}).leaves(9)
    cues = heard_as(talk, 3, distribution(9, 0.9), distribution(8, 0.95))
    assert accepted(talk.aligned(cues=cues)) == [(1, 3), (4, 9)]


def test_a_number_misheard_as_one_that_was_named_later_and_lost_is_put_right_by_the_list() -> None:
    talk = day_one({3: 4, 9: 6}).leaves(9)
    cues = heard_as(talk, 3, {9: 0.7, 3: 0.1})
    gone = {c.about for c in spoken(talk.events) if c.kind is CueKind.NOMINATION and c.number() == 9}
    lost = [c for c in cues if c.about not in gone]
    alignment = talk.aligned(cues=lost)
    assert [target for _, target in accepted(alignment)] == [3, 9]
    assert accepted(alignment)[0] == (1, 3)


def test_a_night_has_one_result() -> None:
    talk = day_one({3: 4, 5: 6}).leaves(5).night(1).morning(2)
    talk.add("night_result", night=1, killed=2)
    talk.events[-1]["day"] = 1
    talk.events.append({**talk.events[-1], "kind": "eliminated", "seats": [2], "by": "shot", "night": 1})
    talk.add("floor_given", seat=2, seconds=60, purpose="last_word").add(
        "floor_ended", gap=8, seat=2, by="pas"
    )
    talk.speeches([3, 4, 6, 7, 8, 9, 10, 1])
    cues = [
        replace(c, numbers=({6: 0.7, 2: 0.1},)) if c.kind is CueKind.KILLED else c
        for c in spoken(talk.events)
    ]
    assert [e[-1] for e in facts(talk.aligned(cues=cues), "night_result")] == [2]
