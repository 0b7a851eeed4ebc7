"""What all words of a day say together of who named whom: beyond the ways the search tries."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mafiavar.analyzer.align import Alignment
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.evaluation.spoken import spoken
from mafiavar.analyzer.speech.numerals import distribution
from mafiavar.analyzer.timeline import Pin

from .test_align import Talk, day_one, facts, without


def pairs(alignment: Alignment) -> dict[tuple[int, int], float]:
    return {
        (e.fields["seat"], e.fields["target"]): e.confidence
        for e in alignment.timeline.of_kind("nominated")
        if e.fields["accepted"]
    }


def listed_as(cues: list[Cue], place: int, number: int, confidence: float) -> list[Cue]:
    """The cues, with one number of the list heard as another."""

    def heard(c: Cue) -> Cue:
        numbers = tuple(
            distribution(number, confidence) if i == place else n for i, n in enumerate(c.numbers)
        )
        return replace(c, numbers=numbers)

    return [heard(c) if c.kind is CueKind.VOTE_OPEN else c for c in cues]


def test_a_candidate_that_one_doubtful_number_names_is_no_surer_than_that_number() -> None:
    """His nomination was lost, the list is half understood and his call was lost, too."""
    talk = day_one({3: 4, 5: 6, 8: 0}).leaves(5)
    cues = without(spoken(talk.events), (CueKind.VOTE_CALL, 1))
    lost = [
        c
        for c in cues
        if not (c.kind in (CueKind.NOMINATION, CueKind.ACCEPTED) and 75 < c.span.t0 / 1e6 < 150)
    ]
    lost = [c for c in lost if c.kind not in (CueKind.LEAVES, CueKind.TIE) and c.span.t0 < lost[-1].span.t0]
    doubtful = talk.aligned(cues=listed_as(lost, 1, 7, 0.6))
    counts = {e.fields["target"]: e.confidence for e in doubtful.timeline.of_kind("vote_announced")}
    assert counts[3] > 0.9 and counts[8] > 0.9
    assert all(confidence < 0.9 for target, confidence in counts.items() if target not in (3, 8))


def test_an_answer_after_the_end_of_the_speech_before_belongs_to_the_next() -> None:
    """The word was given to seat 2 unheard; only «Принято, номер три» tells of his nomination."""
    talk = (
        Talk().first_night().morning(1).speeches(range(1, 11), {2: 3, 6: 9}).ballot(1, {3: 4, 9: 6}).leaves(9)
    )
    second = next(e for e in talk.events if e["kind"] == "floor_given" and e["seat"] == 2)
    cues = [
        c
        for c in spoken(talk.events)
        if not (c.kind is CueKind.NOMINATION and c.number() == 3)
        and not (c.kind is CueKind.FLOOR and abs(c.span.t0 / 1e6 - second["t0"]) < 1)
    ]
    found = pairs(talk.aligned(cues=cues))
    assert set(found) == {(2, 3), (6, 9)}


def test_a_list_with_a_number_heard_wrong_gives_way_to_what_was_named_and_called() -> None:
    """The judge's list came through with one number wrong; nominations and calls are clear."""
    talk = day_one({3: 2, 5: 6, 8: 2}).leaves(5)
    alignment = talk.aligned(cues=listed_as(spoken(talk.events), 2, 9, 0.95))
    assert [e.fields["target"] for e in alignment.timeline.of_kind("vote_called")] == [3, 5, 8]
    assert set(pairs(alignment)) == {(1, 3), (4, 5), (6, 8)}


def test_a_nomination_accepted_in_a_wrong_tense_counts_and_its_repetition_does_not() -> None:
    """«Хочу выставить номер три» is accepted; later somebody names him in due form and is refused."""
    talk = Talk().first_night().morning(1).speeches(range(1, 6), {2: 3, 4: 9})
    talk.speeches([6], {6: 3}, answer=False).speeches(range(7, 11)).ballot(1, {3: 4, 9: 6}).leaves(9)
    for event in talk.events:
        if event["kind"] == "nominated" and event["seat"] == 6:
            event["reason"] = "already_nominated"
    cues = [
        replace(c, detail={**c.detail, "tense": "future"})
        if c.kind is CueKind.NOMINATION and c.said_by(2) > 0.5
        else c
        for c in spoken(talk.events)
    ]
    alignment = talk.aligned(cues=cues)
    assert set(pairs(alignment)) == {(2, 3), (4, 9)}
    assert "nomination_tense" in {m.issue.kind for m in alignment.issues}


def test_calls_in_another_order_than_the_nominations_stay_as_they_were() -> None:
    talk = (
        Talk()
        .first_night()
        .morning(1)
        .speeches(range(1, 11), {1: 3, 4: 5, 6: 8})
        .ballot(1, {5: 6, 3: 2, 8: 2})
    )
    alignment = talk.leaves(5).aligned()
    assert [e.fields["target"] for e in alignment.timeline.of_kind("vote_called")] == [5, 3, 8]
    assert set(pairs(alignment)) == {(1, 3), (4, 5), (6, 8)}


@pytest.mark.parametrize("negated", [False, True])
def test_pins_outweigh_all_words(negated: bool) -> None:
    talk = day_one({3: 4, 5: 6}).leaves(5)
    span = talk.aligned().timeline.of_kind("nominated")[1].span
    fields = (
        {"seat": 4, "target": 5, "accepted": True} if negated else {"seat": 4, "target": 9, "accepted": True}
    )
    found = pairs(talk.aligned(pins=[Pin("nominated", span, fields, negated=negated)]))
    assert ((4, 5) not in found) if negated else found[4, 9] == 1.0


def test_the_last_word_tells_of_a_killed_who_was_misheard() -> None:
    talk = day_one({3: 4, 5: 6}).leaves(5).night(1).morning(2).add("night_result", night=1, killed=6)
    talk.add("floor_given", seat=6, seconds=60, purpose="last_word")
    talk.add("floor_ended", 0.6, gap=8, seat=6, by="pas").speeches([2, 3, 4, 7, 8, 9, 10, 1], {4: 2})
    cues = [
        replace(c, numbers=(distribution(9, 0.7),)) if c.kind is CueKind.KILLED else c
        for c in spoken(talk.events)
    ]
    assert facts(talk.aligned(cues=cues), "night_result") == [("night_result", 1, 1, 6)]


def test_voices_alone_tell_of_a_day_after_a_night_nobody_heard() -> None:
    """A dead microphone from the vote on: of the next day nominations and ends are heard, no word given."""
    talk = day_one({3: 4, 5: 6}).leaves(5).night(1).morning(2)
    talk.t += 40
    talk.speeches([3, 4, 6, 7, 8, 9, 10, 1], {4: 6, 7: 9}).ballot(1, {6: 5, 9: 3}).leaves(6)
    stopped = [e["t0"] for e in talk.events if e["kind"] == "vote_announced" and e["day"] == 1][-1]
    begun = next(e["t0"] for e in talk.events if e["kind"] == "nominated" and e["day"] == 2)
    cues = [c for c in spoken(talk.events) if not stopped + 2 < c.span.t0 / 1e6 < begun - 0.5]
    cues = [c for c in cues if not (c.kind is CueKind.FLOOR and begun < c.span.t0 / 1e6 < begun + 30)]
    alignment = talk.aligned(cues=cues)
    assert ("eliminated", 2, (6,), "vote") in facts(alignment, "eliminated")
    assert (4, 6) in pairs(alignment)


def test_a_shown_sheriff_is_the_first_night_of_a_game() -> None:
    """Of the whole first night only «Шериф, покажите себя» was heard."""
    talk = (
        Talk().first_night().morning(1).speeches(range(1, 11), {1: 3, 4: 5}).ballot(1, {3: 4, 5: 6}).leaves(5)
    )
    cues = spoken(talk.events)
    first = next(c.span.t0 for c in cues if c.kind is CueKind.DAY)
    shown = replace(cues[0], kind=CueKind.SHERIFF_SHOWS, span=cues[2].span)
    alignment = talk.aligned(cues=[shown, *(c for c in cues if c.span.t0 > first)])
    assert not alignment.game.excerpted
    assert facts(alignment, "eliminated") == [("eliminated", 1, (5,), "vote")]
