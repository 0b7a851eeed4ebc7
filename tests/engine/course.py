"""Courses of play to start from: short builders of events, and the positions the tests of the table use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mafiavar.engine import events as ev

Events = list[ev.Event]
TEN = tuple(range(1, 11))
ROLES = {1: "don", 2: "mafia", 3: "mafia", 4: "sheriff"} | dict.fromkeys(range(5, 11), "red")
BEGIN: Events = [ev.GameStarted(), ev.NightBegan(0), ev.DayBegan()]


def minute(seat: int, *inside: ev.Event, seconds: float = 60) -> Events:
    return [ev.FloorGiven(seat, seconds), *inside, ev.FloorEnded(seat, "pas")]


def speeches(order: Iterable[int], nominations: Mapping[int, int] | None = None) -> Events:
    out: Events = []
    for seat in order:
        target = (nominations or {}).get(seat)
        out += minute(seat, *([ev.Nominated(seat, target)] if target else []))
    return out


def call(round_: int, target: int, voters: Iterable[int], count: int | None = None) -> Events:
    who = tuple(voters)
    return [
        ev.VoteCalled(round_, target), *(ev.VoteCast(round_, target, s) for s in who), ev.VoteClosed(round_, target),
        ev.VoteAnnounced(round_, target, len(who) if count is None else count),
    ]  # fmt: skip


def ballot(round_: int, votes: Mapping[int, Iterable[int]]) -> Events:
    out: Events = [ev.VoteOpened(round_, tuple(votes))]
    for target, who in votes.items():
        out += call(round_, target, who)
    return out


def halves(first: int, second: int, voters: Iterable[int]) -> dict[int, list[int]]:
    who = list(voters)
    return {first: who[: len(who) // 2], second: who[len(who) // 2 :]}


def half_minutes(*seats: int) -> Events:
    return [e for s in seats for e in (ev.FloorGiven(s, 30, "revote"), ev.FloorEnded(s, "pas"))]


def last_word(seat: int) -> Events:
    return [ev.FloorGiven(seat, 60, "last_word"), ev.FloorEnded(seat, "pas")]


def miss(number: int) -> Events:
    return [ev.NightBegan(number), ev.ShootingBegan(number), ev.Shot(number, 1, 9), ev.Shot(number, 2, 8), ev.NightResult(number)]  # fmt: skip


def kill(number: int, target: int, shooters: Iterable[int] = (1, 2, 3)) -> Events:
    shots = [ev.Shot(number, s, target) for s in shooters]
    return [ev.NightBegan(number), ev.ShootingBegan(number), *shots, ev.NightResult(number, target), ev.Eliminated((target,), "shot")]  # fmt: skip


def fouls(seat: int, count: int) -> Events:
    return [ev.Foul(seat, "foul", i + 1) for i in range(count)]


# --- positions everything starts from (day 1, ten at the table, unless said otherwise)

MORNING = BEGIN
QUIET = [*BEGIN, *speeches(TEN)]
TWO = [*BEGIN, *speeches(TEN, {1: 5, 2: 6})]
VOTING = [*TWO, ev.VoteOpened(1, (5, 6))]
TIED = [*TWO, *ballot(1, halves(5, 6, TEN))]
AGAIN = [*TIED, *half_minutes(5, 6)]
TWICE = [*AGAIN, *ballot(2, halves(5, 6, TEN))]
VOTED = [*TWO, *ballot(1, {5: TEN[:6], 6: TEN[6:]})]
EVENING = [*VOTED, ev.Eliminated((5,), "vote")]
NIGHT = [*QUIET, ev.NightBegan(1)]
KILLED = [*QUIET, *kill(1, 10)]
MOVED = [*KILLED, ev.FloorGiven(10, 20, "best_move"), ev.BestMove(10, (1, 2, 5)), ev.FloorEnded(10)]
DAY_TWO = [*MOVED, ev.DayBegan(), *last_word(10)]
NINE = tuple(range(2, 10))
SECOND_ROUND = [*DAY_TWO, *speeches((*NINE, 1), {2: 3, 3: 4, 4: 5})]
THREE_AT_NINE = [*SECOND_ROUND, *ballot(1, {3: (1, 2, 3), 4: (4, 5, 6), 5: (7, 8, 9)})]
THREE_QUIET_DAYS = [
    *QUIET, *miss(1), ev.DayBegan(), *speeches((*TEN[1:], 1)), *miss(2), ev.DayBegan(), *speeches((*TEN[2:], 1, 2)),
    *miss(3), ev.DayBegan(), *speeches((*TEN[3:], 1, 2, 3)),
]  # fmt: skip
BROKEN_AT_TEN = [*AGAIN, *ballot(2, {5: TEN[:6], 6: TEN[6:]}), ev.Eliminated((5,), "vote")]
RED_WON = [*BEGIN, ev.Foul(1, "team_defeat"), ev.Eliminated((1,), "team_defeat")]
