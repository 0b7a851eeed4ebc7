"""Hands of seats that have left the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from mafiavar.analyzer.align.result import Alignment, Ballot
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.flags import find_flags
from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.timeline import Timeline, TimelineEvent
from mafiavar.analyzer.transcript import Transcript
from mafiavar.analyzer.vision.question import Answer, Contact, QuestionKind, SeatHands, Tell
from mafiavar.analyzer.votes import count
from mafiavar.engine.game import Game
from mafiavar.engine.ruleset import FSM_2026

KILLED = TimelineEvent("e", "night_result", Span.of(20, 22), 1, {"night": 1, "killed": 3}, 0.97, "observed")
CALL = Ballot(
    day=1, round=1, target=5, candidates=(5, 6), voters=(1, 2, 5, 6, 7), called=Span.of(50, 52),
    stop=Span.of(54, 54.5), count=Span.of(57, 58), announced=1, until=micros(60),
)  # fmt: skip
HAND = Contact(3, Span.of(52.4, 58), "right", "fist_vertical", 0.95)
WINDOW = Span.of(45, 90)


def raised(
    hands: Sequence[Contact],
    *,
    announced: int = 1,
    answers: Sequence[Answer] = (),
    more: Sequence[Ballot] = (),
) -> set[tuple[int, ...]]:
    asked = [
        SeatHands(
            s, WINDOW, tuple(c for c in (*hands, replace(HAND, seat=2)) if c.seat == s), (WINDOW,), 0.02
        )
        for s in range(1, 11)
    ]
    alignment = Alignment(
        timeline=Timeline("fsm-2026", (KILLED,)), ballots=(replace(CALL, announced=announced), *more), questions=(),
        issues=(), unsatisfied=(), conflicts=(), nights=(), game=Game.new(FSM_2026), score=0.0, duration=micros(100),
    )  # fmt: skip
    votes = count(alignment, asked)
    assert votes.ballots[0].counted == (1, 1), "nobody who is out is counted"
    found = find_flags(alignment, votes, Transcript(()), FSM_2026, answers=answers)
    return {f.seats for f in found if f.kind == "dead_player_acts"}


def test_the_hand_of_one_who_was_killed() -> None:
    assert raised([HAND]) == {(3,)}
    assert raised([]) == set()


@pytest.mark.parametrize(
    "hand",
    [
        replace(HAND, probability=0.4),
        replace(HAND, form="palm"),
        replace(HAND, open_start=True),
        replace(HAND, span=Span.of(47, 49)),
        replace(HAND, span=Span.of(56, 58)),
        replace(HAND, span=Span.of(52.4, 52.6)),
    ],
    ids=["unsure", "a palm", "lay there", "before the call", "after the stop", "passing"],
)
def test_what_is_no_vote_accuses_nobody(hand: Contact) -> None:
    assert raised([hand]) == set()


def test_the_decoded_game_is_doubted_first() -> None:
    assert raised([HAND, replace(HAND, seat=4)]) == set(), "two of the dead: they are alive"
    assert raised([HAND], announced=2) == set(), "the judge counted it"
    again = replace(
        CALL,
        target=6,
        called=Span.of(70, 72),
        stop=Span.of(74, 74.5),
        count=Span.of(77, 78),
        until=micros(80),
    )
    later = replace(HAND, span=Span.of(72.4, 78))
    assert raised([HAND], more=[again]) == {(3,)}
    assert raised([HAND, later], more=[again]) == set(), "who votes again and again is alive"
    empty = Answer(QuestionKind.PRESENCE, 3, Tell.NO, 0.95, Span.of(30, 80))
    assert raised([HAND], answers=[empty]) == set(), "nobody sits there: a neighbour's hand"


def call(seat: int, t: float, likelihood: float = 0.95) -> Cue:
    return Cue(CueKind.FLOOR, Span.of(t, t + 1.5), likelihood, ({seat: 0.97, seat % 10 + 1: 0.02},))


def floor(seat: int, t: float) -> TimelineEvent:
    fields = {"seat": seat, "seconds": 60, "purpose": "speech"}
    return TimelineEvent(f"f{t}", "floor_given", Span.of(t, t + 1.5), 2, fields, 0.95, "observed")


def called(cues: Sequence[Cue], floors: Sequence[TimelineEvent]) -> list[tuple[int, tuple[int, ...], float]]:
    alignment = Alignment(
        timeline=Timeline("fsm-2026", (KILLED, *floors)), ballots=(), questions=(), issues=(), unsatisfied=(),
        conflicts=(), nights=(), game=Game.new(FSM_2026), score=0.0, cues=tuple(cues), duration=micros(200),
    )  # fmt: skip
    found = find_flags(alignment, count(alignment, []), Transcript(()), FSM_2026)
    return [(f.day, f.seats, f.span.t0 / 1e6) for f in found if f.kind == "dead_player_acts"]


def test_a_word_to_one_who_was_killed_that_the_judge_takes_back() -> None:
    assert called([call(3, 60), call(4, 62.5)], [floor(4, 62.5)]) == [(2, (3,), 60.0)]
    assert called([call(3, 60), call(4, 62.5, 0.3)], [floor(4, 60)]) == [(2, (3,), 60.0)], "merged into one"


@pytest.mark.parametrize(
    ("cues", "floors"),
    [
        ([call(3, 60)], [floor(4, 60)]),
        ([call(3, 60), call(4, 75)], [floor(4, 75)]),
        ([call(2, 60), call(4, 62.5)], [floor(4, 62.5)]),
        ([call(3, 24), call(4, 26.5)], [floor(4, 26.5)]),
        ([call(3, 60), call(4, 62.5)], [floor(5, 62.5)]),
        ([Cue(CueKind.FLOOR, Span.of(60, 61.5), 0.95, ({3: 0.5, 2: 0.4},)), call(4, 62.5)], [floor(4, 62.5)]),
    ],
    ids=["a misheard number", "much later", "still in play", "as it leaves", "another speaks", "unsure"],
)
def test_no_word_to_the_dead(cues: Sequence[Cue], floors: Sequence[TimelineEvent]) -> None:
    assert called(cues, floors) == []
