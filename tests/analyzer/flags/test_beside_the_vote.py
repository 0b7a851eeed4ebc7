"""Nominations, best moves, protocols, gestures, blows, touches, empty chairs: raised and not raised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from mafiavar.analyzer.align.result import Alignment, Ballot
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.flags import Flag, find_flags
from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.timeline import Timeline, TimelineEvent
from mafiavar.analyzer.transcript import Transcript, Utterance, Word
from mafiavar.analyzer.vision.question import Answer, Contact, QuestionKind, SeatHands, Tell
from mafiavar.analyzer.votes import count
from mafiavar.engine.game import Game
from mafiavar.engine.ruleset import DISBORD, FSM_2026


def event(kind: str, t0: float, t1: float, day: int = 1, **fields: Any) -> TimelineEvent:
    return TimelineEvent(f"e{t0}", kind, Span.of(t0, t1), day, fields, 0.97, "observed")


def said(who: Any, t0: float, text: str, p: float = 0.95) -> Utterance:
    return Utterance(
        tuple(
            Word(w, Span.of(t0 + 0.4 * i, t0 + 0.4 * i + 0.25), 0.95, {who: p})
            for i, w in enumerate(text.split())
        )
    )


def cue(kind: CueKind, t0: float, *numbers: int, who: Any = "judge", p: float = 0.93, **detail: Any) -> Cue:
    return Cue(kind, Span.of(t0, t0 + 1), p, tuple({n: 0.97} for n in numbers), {who: 0.95}, detail, "слова")


def flags(
    events: Sequence[TimelineEvent],
    *utterances: Utterance,
    cues: Sequence[Cue] = (),
    answers: Sequence[Answer] = (),
    nights: Sequence[tuple[int, Span]] = (),
    ballots: Sequence[Ballot] = (),
    hands: Mapping[int, Sequence[Contact]] | None = None,
    rules: Any = FSM_2026,
) -> list[Flag]:
    window = Span.of(0, 400)
    asked = [SeatHands(s, window, tuple(c), (window,), 0.02) for s, c in (hands or {}).items()]
    alignment = Alignment(
        timeline=Timeline(rules.name, tuple(sorted(events, key=lambda e: e.span.t0))), ballots=tuple(ballots),
        questions=(), issues=(), unsatisfied=(), conflicts=(), nights=tuple(nights), game=Game.new(rules), score=0.0,
        cues=tuple(sorted(cues, key=lambda c: c.span.t0)), duration=micros(400),
    )  # fmt: skip
    spoken = Transcript(tuple(sorted(utterances, key=lambda u: u.span.t0)))
    return list(find_flags(alignment, count(alignment, asked), spoken, rules, answers=answers))


def kinds(found: Sequence[Flag]) -> set[tuple[str, tuple[int, ...]]]:
    return {(f.kind, f.seats) for f in found}


# ---- nominations --------------------------------------------------------------------------------
DAY = (
    event("floor_given", 10, 12, seat=1, seconds=60, purpose="speech"),
    event("floor_ended", 60, 61, seat=1, by="pas"),
    event("floor_given", 62, 64, seat=2, seconds=60, purpose="speech"),
    event("floor_ended", 120, 121, seat=2, by="pas"),
)


def nomination(t: float, target: int, seat: int = 1, tense: str = "present") -> list[Cue]:
    return [
        cue(CueKind.NOMINATION, t, target, who=seat, tense=tense),
        cue(CueKind.ACCEPTED, t + 1.5, target),
    ]


@pytest.mark.parametrize(
    ("cues", "expected"),
    [
        (nomination(20, 5), set()),
        (nomination(20, 5, tense="future"), {("nomination_tense", (1,))}),
        (
            [cue(CueKind.NOMINATION, 20, 5, who=1, p=0.1, tense="conditional"), cue(CueKind.ACCEPTED, 21.5)],
            {("nomination_tense", (1,))},
        ),
        (nomination(20, 5, tense="future")[:1], set()),  # said, but nobody accepted it
        (nomination(20, 5) + nomination(30, 6), {("nomination_second", (1,))}),
        (nomination(20, 5) + nomination(70, 6, seat=2), set()),
        (nomination(20, 5) + nomination(70, 5, seat=2), {("nomination_repeated", (2,))}),
        (
            [cue(CueKind.NOMINATION, 20, 5, who=1, tense="present"), cue(CueKind.ACCEPTED, 21.5, 9)],
            set(),
        ),  # other number: not an answer to it
        (
            [cue(CueKind.NOMINATION, 20, 5, who=1, tense="present"), cue(CueKind.ACCEPTED, 40)],
            set(),
        ),  # too late to be an answer
    ],
)
def test_accepted_nominations(cues: list[Cue], expected: set[tuple[str, tuple[int, ...]]]) -> None:
    assert kinds(flags(DAY, cues=cues)) == expected


def test_a_dead_player_may_not_be_nominated() -> None:
    gone = event("eliminated", 5, 6, seats=[5], by="shot")
    assert kinds(flags((gone, *DAY), cues=nomination(20, 5))) == {("nomination_repeated", (1,))}


# ---- the best move ------------------------------------------------------------------------------
NIGHT = (1, Span.of(150, 200))
BEST_MOVE = (
    event("floor_given", 160, 164, seat=4, seconds=20, purpose="best_move"),
    event("best_move", 165, 167, seat=4, targets=[1, 2, 6]),
    event("floor_ended", 172, 173, seat=4, by="judge"),
)
NUMBERS = said(4, 165, "первый второй шестой")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("мой лучший ход первый второй шестой", set()),
        ("записывайте номера первый второй и шестой", set()),
        ("первый второй шестой и шериф проверь их", {("best_move_talk", (4,))}),
    ],
)
def test_words_beside_the_numbers(words: str, expected: set[tuple[str, tuple[int, ...]]]) -> None:
    accepted = said("judge", 171.5, "принято первый второй шестой")
    assert kinds(flags(BEST_MOVE, said(4, 164.5, words), accepted, nights=(NIGHT,))) == expected


def test_a_best_move_that_only_the_judges_offer_tells_of() -> None:
    offer, talk = said("judge", 160, "номер четыре лучший ход"), said(4, 165, "шериф проверь их всех")
    later = cue(CueKind.DAY, 180)
    assert kinds(flags((), offer, talk, cues=[later], nights=(NIGHT,))) >= {("best_move_talk", (4,))}


def test_words_after_it_was_accepted_are_no_best_move() -> None:
    accepted, later = said("judge", 168, "принято первый второй шестой"), said(4, 170, "шериф проверь их")
    assert kinds(flags(BEST_MOVE, NUMBERS, accepted, later, nights=(NIGHT,))) == set()


@pytest.mark.parametrize(
    ("words", "raised"),
    [
        ("принято первый второй шестой", False),
        ("принято шестой второй первый", False),  # the order is nobody's business
        ("принято первый второй десятый", True),
        ("принято первый второй", False),  # one was not heard
        ("принято первый второй десятый прошу игрок номер девять", True),  # the next announcement
        ("принято", False),
    ],
)
def test_reading_back(words: str, raised: bool) -> None:
    found = flags(BEST_MOVE, NUMBERS, said("judge", 168, words), nights=(NIGHT,))
    assert (("best_move_readback", (4,)) in kinds(found)) is raised


def test_who_says_accepted_is_the_judge_whatever_his_voice_was_taken_for() -> None:
    alike = flags(BEST_MOVE, NUMBERS, said(4, 168, "принято первый второй десятый"), nights=(NIGHT,))
    assert kinds(alike) == {("best_move_readback", (4,))}


BREAK = (
    event("vote_opened", 100, 102, round=1, candidates=[5]),
    event("vote_announced", 110, 111, round=1, target=5, count=10),
    event("eliminated", 115, 116, seats=[5], by="vote"),
    event("floor_given", 125, 127, seat=5, seconds=20, purpose="best_move"),
    event("floor_ended", 140, 141, seat=5, by="judge"),
)
STRONG = Answer(QuestionKind.GESTURE, 7, Tell.YES, 0.9, Span.of(120, 121), "strong")


def test_a_shout_between_the_break_at_ten_and_the_best_move() -> None:
    shout = said(7, 119, "не может быть")
    assert kinds(flags(BREAK, shout)) == {("shout_before_best_move", (7,))}
    assert kinds(flags(BREAK, answers=[STRONG])) == {("shout_before_best_move", (7,))}
    later = (event("eliminated", 5, 6, seats=[9], by="shot"), *BREAK)
    assert kinds(flags(later, shout)) == set(), "nine at the table: the clause is about ten"
    assert kinds(flags(BREAK[:3], shout)) == set(), "no best move follows"
    assert kinds(flags(BREAK, said(7, 119, "эй"))) == set(), "too short"
    assert kinds(flags(BREAK, shout, rules=DISBORD)) == set(), "the rule set does not know it"


# ---- protocols ----------------------------------------------------------------------------------
LAST = (
    event("eliminated", 5, 6, seats=[3], by="shot"),
    event("floor_given", 10, 12, seat=3, seconds=60, purpose="last_word"),
    event("floor_ended", 40, 41, seat=3, by="pas"),
    event("floor_given", 42, 43, seat=3, seconds=20, purpose="protocol"),
    event("floor_ended", 55, 56, seat=3, by="pas"),
)


@pytest.mark.parametrize(
    ("t", "words", "raised"),
    [
        (20, "протокол такой первый чёрный второй красный", True),
        (20, "в протокол номер один это шериф", True),
        (20, "протокол оставлять не буду", False),  # the word alone is no protocol
        (20, "думаю первый чёрный", False),  # a testament
        (46, "протокол первый чёрный", False),  # the judge has given the right
    ],
)
def test_a_protocol_before_its_time(t: float, words: str, raised: bool) -> None:
    assert (("protocol_early", (3,)) in kinds(flags(LAST, said(3, t, words)))) is raised


# ---- what hands do ------------------------------------------------------------------------------
VOTE = (
    event("vote_opened", 100, 102, round=1, candidates=[3, 5]),
    event("vote_announced", 110, 111, round=1, target=3, count=4),
    event("vote_announced", 118, 119, round=1, target=5, count=6),
)


def seen(kind: QuestionKind, value: str, t0: float, t1: float, p: float = 0.9) -> Answer:
    return Answer(kind, 7, Tell.YES, p, Span.of(t0, t1), value)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (seen(QuestionKind.GESTURE, "strong", 112, 113), {("gesture_during_vote", (7,))}),
        (seen(QuestionKind.GESTURE, "strong", 112, 113, 0.5), set()),  # not seen well enough
        (seen(QuestionKind.GESTURE, "strong", 130, 131), set()),  # the vote is over
        (seen(QuestionKind.GESTURE, "knock", 130, 130.1), {("table_knock", (7,))}),
        (seen(QuestionKind.POSTURE, "touching", 130, 130.6), {("touch_by_day", (7,))}),
        (seen(QuestionKind.POSTURE, "touching", 130, 130.4), set()),
        (seen(QuestionKind.POSTURE, "touching", 160, 161), {("touch_at_night", (7,))}),
    ],
)
def test_what_hands_do(answer: Answer, expected: set[tuple[str, tuple[int, ...]]]) -> None:
    assert kinds(flags(VOTE, answers=[answer], nights=((1, Span.of(150, 200)),))) == expected


def test_a_cup_accuses_nobody_and_a_fist_that_votes_is_no_knock() -> None:
    def heard(t: float, p: float, who: Any = "unknown") -> Cue:
        return Cue(CueKind.KNOCK, Span.of(t, t + 0.1), p, (), {who: 0.9})

    assert kinds(flags(VOTE, cues=[heard(130, 0.5)])) == set(), "only heard, and not surely"
    assert kinds(flags(VOTE, cues=[heard(130, 0.9)])) == {("table_knock", ())}
    assert kinds(flags(VOTE, cues=[heard(130, 0.9, 7)])) == {("table_knock", (7,))}
    both = flags(VOTE, cues=[heard(130, 0.5)], answers=[seen(QuestionKind.GESTURE, "knock", 130, 130.1)])
    assert kinds(both) == {("table_knock", (7,))} and not both[0].doubts
    call = Ballot(
        day=1, round=1, target=3, candidates=(3, 5), voters=tuple(range(1, 11)), called=Span.of(104, 106),
        stop=None, count=Span.of(110, 111), announced=0, until=micros(113),
    )  # fmt: skip
    fist = seen(QuestionKind.GESTURE, "knock", 107, 107.1)
    assert kinds(flags(VOTE, cues=[heard(107, 0.9)], answers=[fist], ballots=[call])) == set()


def test_an_empty_chair() -> None:
    empty = Answer(QuestionKind.PRESENCE, 3, Tell.NO, 0.9, Span.of(20, 24))
    brief = Answer(QuestionKind.PRESENCE, 3, Tell.NO, 0.9, Span.of(20, 21.5))
    assert kinds(flags(VOTE, answers=[empty])) == {("left_table", (3,))}
    assert kinds(flags(VOTE, answers=[brief])) == set()
    night = ((1, Span.of(15, 60)),)
    assert ("left_table", (3,)) not in kinds(
        flags(VOTE, answers=[replace(empty, probability=0.85)], nights=night)
    )
    assert ("left_table", (3,)) in kinds(
        flags(VOTE, answers=[replace(empty, probability=0.95)], nights=night)
    )
    call = Ballot(
        day=1, round=1, target=5, candidates=(5, 6), voters=tuple(range(1, 11)), called=Span.of(18, 20),
        stop=Span.of(23, 23.5), count=Span.of(24, 25), announced=1, until=micros(27),
    )  # fmt: skip
    hand = Contact(3, Span.of(20.5, 25.5), "right", "fist_vertical", 0.95)
    voted = flags(VOTE, answers=[empty], ballots=[call], hands={3: [hand]})
    assert ("left_table", (3,)) not in kinds(voted), "a hand votes from that chair"
    for_good = Answer(QuestionKind.PRESENCE, 3, Tell.NO, 0.9, Span.of(20, 95))
    assert kinds(flags(VOTE, answers=[for_good])) == set(), "no game goes on without a player: he is out"
    gone = event("eliminated", 10, 11, seats=[3], by="vote")
    assert kinds(flags((gone, *VOTE), answers=[empty])) == set(), "whose game is over may leave"


# ---- speeches -----------------------------------------------------------------------------------
def test_the_judges_time_in_words_alone() -> None:
    day = (
        event("floor_given", 10, 12, seat=1, seconds=60, purpose="speech"),
        event("floor_given", 80, 82, seat=2, seconds=60, purpose="speech"),
    )
    time = said("judge", 50, "время к сожалению")
    assert kinds(flags(day, time)) == {("time_cut_short", (1,))}
    on = said(1, 51.5, "я ещё не договорил свою мысль")
    assert kinds(flags(day, time, on)) == {("speech_overtime", (1,))}


def test_hands_that_the_judge_asked_for_in_other_words() -> None:
    from mafiavar.analyzer.vision.question import SeatHands

    call = Ballot(
        day=1, round=1, target=5, candidates=(5,), voters=(1, 2), called=Span.of(50, 52), stop=Span.of(54, 54.5),
        count=Span.of(57, 58), announced=2, until=micros(60),
    )  # fmt: skip
    window = Span.of(45, 62)
    empty = [SeatHands(s, window, (), (window,), 0.02) for s in (1, 2)]

    def missing(words: str) -> set[int]:
        alignment = Alignment(
            timeline=Timeline("fsm-2026", ()), ballots=(call,), questions=(), issues=(), unsatisfied=(), conflicts=(),
            nights=(), game=Game.new(FSM_2026), score=0.0, duration=micros(90),
        )  # fmt: skip
        found = find_flags(
            alignment, count(alignment, empty), Transcript((said("judge", 55, words),)), FSM_2026
        )
        return {f.seats[0] for f in found if f.kind == "vote_missing"}

    assert missing("остались ещё руки") == {1, 2}
    assert missing("остальные руки") == {1, 2}
    assert missing("спасибо") == set()


def test_who_goes_on_and_ends_himself_was_not_cut_short() -> None:
    def speech(seat: int, t0: float, t1: float, by: str) -> tuple[TimelineEvent, TimelineEvent]:
        given = event("floor_given", t0, t0 + 2, seat=seat, seconds=60, purpose="speech")
        return given, event("floor_ended", t1, t1 + 1, seat=seat, by=by)

    day = (*speech(1, 10, 70, "pas"), *speech(2, 80, 120, "time"), *speech(3, 140, 200, "pas"))
    assert kinds(flags(day)) == {("time_cut_short", (2,))}
    thanks = cue(CueKind.FLOOR_END, 124, who=2, by="spasibo")
    assert kinds(flags(day, cues=[thanks])) == set()
