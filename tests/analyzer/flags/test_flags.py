"""Flags at their thresholds: raised just beyond, silent just before; every sentence can be written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from mafiavar.analyzer.align.result import Alignment, Ballot, Marked
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.flags import Flag, find_flags, flags_json
from mafiavar.analyzer.flags.flag import kinds
from mafiavar.analyzer.flags.rules import KINDS
from mafiavar.analyzer.flags.sentences import DOUBTS, TEXTS
from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.timeline import Timeline, TimelineEvent
from mafiavar.analyzer.transcript import Transcript, Utterance, Word
from mafiavar.analyzer.vision.question import Answer, Contact, QuestionKind, SeatHands, Tell
from mafiavar.analyzer.votes import count
from mafiavar.engine.game import Game
from mafiavar.engine.issue import Issue
from mafiavar.engine.ruleset import DISBORD, FSM_2026, LEGION

WINDOW = Span.of(45.0, 75.0)
SILENCE = Transcript(())


def ballots(announced: tuple[int, int] = (1, 9), demanded: bool = False) -> tuple[Ballot, Ballot]:
    def one(target: int, call: float, n: int) -> Ballot:
        return Ballot(
            day=1, round=1, target=target, candidates=(3, 5), voters=tuple(range(1, 11)),
            called=Span.of(call, call + 2), stop=Span.of(call + 3.7, call + 4),
            count=Span.of(call + 4.7, call + 5.5), announced=n, until=micros(call + 8.5), demanded=demanded,
        )  # fmt: skip

    return one(3, 50.0, announced[0]), one(5, 57.0, announced[1])


def aligned(calls: Sequence[Ballot] = (), events: Sequence[TimelineEvent] = (), **more: Any) -> Alignment:
    values: dict[str, Any] = {
        "timeline": Timeline("fsm-2026", tuple(events)), "ballots": tuple(calls), "questions": (), "issues": (),
        "unsatisfied": (), "conflicts": (), "nights": (), "game": Game.new(FSM_2026), "score": 0.0,
        "duration": micros(90),
    }  # fmt: skip
    return Alignment(**{**values, **more})


def hands(*contacts: Contact) -> list[SeatHands]:
    return [
        SeatHands(s, WINDOW, tuple(c for c in contacts if c.seat == s), (WINDOW,), 0.02) for s in range(1, 11)
    ]


def touch(
    t0: float, t1: float, *, seat: int = 2, side: str = "right", form: str = "fist_vertical"
) -> Contact:
    return Contact(seat, Span.of(t0, t1), side, form, 0.97)  # type: ignore[arg-type]


def flagged(
    *contacts: Contact, rules: Any = FSM_2026, announced: tuple[int, int] = (1, 9), demanded: bool = False
) -> list[Flag]:
    alignment = aligned(ballots(announced, demanded))
    return list(find_flags(alignment, count(alignment, hands(*contacts)), SILENCE, rules))


def found(flags: Sequence[Flag]) -> set[tuple[str, tuple[int, ...]]]:
    return {(f.kind, f.seats) for f in flags}


CLEAN = touch(52.4, 57.5)


def test_a_clean_ballot_raises_nothing() -> None:
    assert flagged(CLEAN) == []


@pytest.mark.parametrize(
    ("contacts", "kind", "raised"),
    [
        ((touch(51.7, 57.5),), "hand_early", True),
        ((touch(51.95, 57.5),), "hand_early", False),
        ((touch(54.2, 55.5),), "hand_late", True),
        ((touch(52.4, 53.3),), "hand_withdrawn", True),
        ((touch(59.4, 60.3), touch(63.4, 65.0, side="left", form="palm")), "hand_withdrawn", True),
        ((touch(52.4, 53.8),), "hand_withdrawn", False),
        ((touch(52.4, 54.2),), "hand_released_before_count", True),
        ((touch(52.4, 54.8),), "hand_released_before_count", False),
        ((touch(52.4, 57.5, form="palm"),), "hand_form", True),
        ((touch(52.4, 57.5, form="unknown"),), "hand_form", False),
        ((touch(52.4, 57.5), touch(52.5, 57.0, side="left")), "two_hands", True),
        ((touch(52.4, 57.5), touch(57.4, 57.6, side="left")), "two_hands", False),
        ((touch(52.4, 55.5), touch(59.4, 62.0)), "two_candidates", True),
        ((touch(52.4, 60.0),), "two_candidates", False),
    ],
)
def test_hands(contacts: tuple[Contact, ...], kind: str, raised: bool) -> None:
    assert ((kind, (2,)) in found(flagged(*contacts))) is raised


def test_a_late_hand_is_no_vote_and_no_mismatch() -> None:
    assert found(flagged(touch(54.2, 55.5), announced=(0, 10))) == {("hand_late", (2,))}


def test_a_late_hand_is_told_where_the_time_before_the_stop_was_not_seen() -> None:
    alignment = aligned(ballots())
    late, early = touch(54.2, 55.5), touch(52.4, 53.0)

    def flags(*contacts: Contact) -> list[Flag]:
        blind = [replace(h, seen=(), p_missed=0.9) if h.seat == 2 else h for h in hands(*contacts)]
        return [
            f
            for f in find_flags(alignment, count(alignment, blind), SILENCE, FSM_2026)
            if f.kind == "hand_late"
        ]

    (told,) = flags(late)
    (seen,) = [f for f in flagged(late) if f.kind == "hand_late"]
    assert told.seats == (2,) and "earlier_unseen" in {d[0] for d in told.doubts}
    assert told.confidence < seen.confidence
    assert flags(early, late) == []


@pytest.mark.parametrize(("announced", "raised"), [((1, 9), False), ((2, 8), True), ((0, 10), True)])
def test_the_announced_count_against_the_hands(announced: tuple[int, int], raised: bool) -> None:
    assert ("vote_count_mismatch" in {f.kind for f in flagged(CLEAN, announced=announced)}) is raised


def test_an_unseen_seat_widens_the_range_instead_of_making_a_mismatch() -> None:
    alignment = aligned(ballots((2, 8)))
    seen = [replace(h, seen=(), p_missed=0.9) if h.seat == 9 else h for h in hands(CLEAN)]
    assert not find_flags(alignment, count(alignment, seen), SILENCE, FSM_2026)


def test_a_missing_vote_needs_the_judges_demand() -> None:
    assert "vote_missing" not in {f.kind for f in flagged(CLEAN)}
    missing = {f.seats[0] for f in flagged(CLEAN, demanded=True) if f.kind == "vote_missing"}
    assert missing == set(range(1, 11)) - {2}


def test_rule_sets_have_their_own_clauses_and_kinds() -> None:
    early = touch(51.0, 57.5)
    assert [f.clause for f in flagged(early)] == ["fsm-2026:6.6.6"]
    assert [f.clause for f in flagged(early, rules=DISBORD)] == ["disbord:l195"]
    assert flagged(early, rules=LEGION) == [], "in Legion a vote is a plus in a chat: no hands"


def test_the_gravest_comes_first_and_one_incident_is_one() -> None:
    flags = flagged(touch(51.0, 57.5, form="palm"))
    assert [f.kind for f in flags] == ["hand_form", "hand_early"]
    assert len({f.incident for f in flags}) == 1


def test_thresholds_change_without_decoding_again() -> None:
    alignment = aligned(ballots())
    votes = count(alignment, hands(touch(51.7, 57.5)))
    assert find_flags(alignment, votes, SILENCE, FSM_2026)
    assert not find_flags(alignment, votes, SILENCE, FSM_2026, thresholds={"hand_early": 0.5})


# --- voices


def event(kind: str, t0: float, t1: float, **fields: Any) -> TimelineEvent:
    return TimelineEvent(f"e{t0}", kind, Span.of(t0, t1), 1, fields, 0.97, "observed")


def said(seat: int | str, t0: float, text: str, p: float = 0.9) -> Utterance:
    parts = text.split()
    return Utterance(
        tuple(
            Word(w, Span.of(t0 + 0.3 * i, t0 + 0.3 * i + 0.25), 0.9, {seat: p})  # type: ignore[dict-item]
            for i, w in enumerate(parts)
        )
    )


FLOOR = (
    event("floor_given", 10.0, 12.0, seat=1, seconds=60, purpose="speech"),
    event("floor_ended", 40.0, 40.5, seat=1, by="pas"),
)


def voices(
    *utterances: Utterance, events: Sequence[TimelineEvent] = FLOOR, **more: Any
) -> set[tuple[str, tuple[int, ...]]]:
    alignment = aligned((), events, **more)
    return found(find_flags(alignment, count(alignment, []), Transcript(tuple(utterances)), FSM_2026))


def test_a_voice_out_of_turn() -> None:
    assert voices(said(1, 15.0, "я красный"), said(7, 20.0, "да ладно тебе")) == {
        ("speech_out_of_turn", (7,))
    }
    assert voices(said(7, 20.0, "эй")) == set(), "shorter than the threshold"
    assert voices(said(7, 20.0, "да ладно тебе", p=0.4)) == set(), "the voice is not known"
    assert voices(said("judge", 20.0, "фол игроку семь")) == set()


def test_a_long_talk_may_be_a_floor_that_was_not_heard() -> None:
    """Accused is only who cannot have had the floor: spoken already, or out of order."""
    long = " ".join(["вижу"] * 20)
    second = event("floor_given", 50.0, 51.0, seat=3, seconds=60, purpose="speech")
    after = event("floor_ended", 80.0, 80.5, seat=3, by="pas")
    assert voices(said(2, 20.0, long), events=(*FLOOR, second, after)) == set()
    assert voices(said(7, 20.0, long), events=(*FLOOR, second, after)) == {("speech_out_of_turn", (7,))}
    assert voices(said(3, 20.0, long), events=(*FLOOR, second, after)) == {("speech_out_of_turn", (3,))}


def test_a_floor_in_which_somebody_else_talks_accuses_nobody() -> None:
    """The announcement was misheard: neither the one who talks nor the one who is silent is at fault."""
    minute = " ".join(["вижу"] * 60)
    assert voices(said(7, 12.0, minute)) == set()


def test_a_formula_in_a_mistaken_voice_is_the_judges() -> None:
    def heard(kind: CueKind) -> tuple[Cue, ...]:
        return (Cue(kind, Span.of(20.0, 20.7), 0.9, (), {7: 0.9}, {}, "слова"),)

    assert voices(said(7, 20.0, "ноль голосов"), cues=heard(CueKind.VOTE_COUNT)) == set()
    assert voices(said(7, 20.0, "всё спасибо"), cues=heard(CueKind.FLOOR_END)) == set()
    assert voices(said(7, 20.0, "выставляю пятого"), cues=heard(CueKind.NOMINATION)) != set()


def test_a_voice_at_night() -> None:
    night = (1, Span.of(50.0, 80.0))
    assert voices(said(4, 60.0, "тише пожалуйста"), nights=(night,)) == {("talk_at_night", (4,))}


def test_a_voice_after_a_morning_that_was_not_heard() -> None:
    """The night's result was heard, the morning not: what is said after it is not said at night."""
    night = (1, Span.of(50.0, 80.0))
    told = event("night_result", 55.0, 57.0, night=1, killed=2)
    assert voices(said(4, 60.0, "тише пожалуйста"), events=(*FLOOR, told), nights=(night,)) == set()


def test_going_on_after_the_judges_time() -> None:
    events = (FLOOR[0], event("floor_ended", 71.0, 72.0, seat=1, by="time"))
    late = said(1, 72.3, "секунду я договорю моя версия прежняя")
    assert voices(late, events=events) == {("speech_overtime", (1,))}
    assert voices(said(1, 72.1, "да я всё"), events=events) == set()


def test_words_are_hints_with_a_doubt() -> None:
    cue = Cue(CueKind.HINT, Span.of(20.0, 21.0), 0.9, (), {1: 0.9}, {"phrase": "oath"}, "клянусь")
    alignment = aligned((), FLOOR, cues=(cue,))
    flags = find_flags(alignment, count(alignment, []), SILENCE, FSM_2026)
    assert found(flags) == {("phrase_oath", (1,))}
    assert flags[0].severity == "note" and flags[0].sentences()["doubts"]


# --- rules, nights


def test_issues_of_the_engine_become_flags() -> None:
    opened = event("vote_opened", 42.0, 44.0, round=1, candidates=[5, 3])
    issue = Issue("wrong_vote_order", "fsm-2026:4.5.4", "error", (5, 3), (("expected", (3, 5)),))
    alignment = aligned((), (*FLOOR, opened), issues=(Marked(opened.id, opened.span, 1, issue),))
    flags = find_flags(alignment, count(alignment, []), SILENCE, FSM_2026)
    assert [(f.kind, f.clause) for f in flags] == [("wrong_vote_order", "fsm-2026:4.5.4")]
    assert "3, 5" in flags[0].sentences()["expected"]


def posture(seat: int, t0: float, t1: float, value: str, kind: QuestionKind = QuestionKind.POSTURE) -> Answer:
    return Answer(kind, seat, Tell.NO, 0.9, Span.of(t0, t1), value)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (posture(4, 60.0, 62.0, "head_up"), "head_up_at_night"),
        (posture(4, 60.0, 60.6, "head_up"), None),
        (posture(4, 60.0, 62.0, "arms_down"), "arms_down_at_night"),
        (posture(4, 50.5, 55.0, "off", QuestionKind.MASK), "mask_late"),
        (posture(4, 50.5, 52.0, "off", QuestionKind.MASK), None),
        (posture(4, 60.0, 62.0, "forehead", QuestionKind.MASK), "mask_off_at_night"),
    ],
)
def test_nights(answer: Answer, kind: str | None) -> None:
    alignment = aligned(nights=((1, Span.of(50.0, 80.0)),))
    flags = find_flags(alignment, count(alignment, []), SILENCE, FSM_2026, answers=[answer], calibration={})
    assert found(flags) == ({(kind, (4,))} if kind else set())


@pytest.mark.parametrize(
    ("seats", "basis", "raised"), [(3, "inferred", 0), (2, "inferred", 2), (3, "observed", 3)]
)
def test_masks_that_go_off_together_are_a_morning_that_was_not_heard(
    seats: int, basis: str, raised: int
) -> None:
    morning = replace(event("day_began", 80.0, 81.0), basis=basis)  # type: ignore[arg-type]
    alignment = aligned((), (morning,), nights=((1, Span.of(50.0, 80.0)),))
    off = [posture(n, 74.0 + n / 2, 82.0, "off", QuestionKind.MASK) for n in range(2, 2 + seats)]
    flags = find_flags(alignment, count(alignment, []), SILENCE, FSM_2026, answers=off, calibration={})
    assert sum(f.kind == "mask_off_at_night" for f in flags) == raised


@pytest.mark.parametrize(("seats", "raised"), [(2, 2), (4, 0)])
def test_hands_that_all_go_before_the_stop_show_that_it_was_misheard(seats: int, raised: int) -> None:
    contacts = [touch(52.4, 53.3, seat=n) for n in range(2, 2 + seats)]
    assert sum(f.kind == "hand_withdrawn" for f in flagged(*contacts)) == raised


# --- sentences


@pytest.mark.parametrize("lang", ["ru", "en"])
def test_every_kind_can_be_put_into_words(lang: str) -> None:
    for key in kinds():
        flag = Flag(key, (2,), Span.of(1, 2), 1, "note", None, 0.9, {"seat": 2, "early": 0.1, "late": 0.1, "held": 0.1,
            "together": 0.2, "length": 1.0, "over": 2.0, "short": 4.0, "target": 3, "after": "time", "words": "слова"},
            template=key)  # fmt: skip
        texts = flag.sentences(lang)
        assert texts["expected"] and texts["seen"]
        for text in (texts["expected"], texts["seen"], texts["margin"]):
            assert not re.search(r"[{}]|None", text), (key, text)
    assert all(ru and en for ru, en in DOUBTS.values())


def test_tables_agree() -> None:
    assert set(KINDS.values()) <= set(kinds())
    assert set(TEXTS) <= set(kinds())


def test_the_file() -> None:
    data = flags_json(flagged(touch(51.7, 57.5)))
    flag = data["flags"][0]
    assert data["schema"] == "mafiavar/flags@1" and flag["id"] == "f001"
    assert (flag["t0"], flag["t1"], flag["seats"], flag["day"]) == (51.7, 52.0, [2], 1)
    assert "№ 2" in flag["seen"] and flag["margin"] == "На 0,30 с раньше."
