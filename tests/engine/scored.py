"""Hand-made protocols for the tests of points."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mafiavar.engine.record import (
    BallotRecord,
    BestMoveRecord,
    DayRecord,
    FoulRecord,
    NightRecord,
    NominationRecord,
    Record,
    RemovalRecord,
)

ROLES = {1: "don", 2: "mafia", 3: "mafia", 4: "sheriff"} | dict.fromkeys(range(5, 11), "red")


def vote(day: int, target: int, voters: tuple[int, ...], **more: Any) -> DayRecord:
    ballot = BallotRecord(1, ((target, voters),))
    return DayRecord(
        day, nominations=(NominationRecord(voters[0], target),), ballots=(ballot,), left=(target,), **more
    )  # fmt: skip


def night(number: int, victim: int, *shooters: int) -> NightRecord:
    return NightRecord(number, tuple((s, victim) for s in shooters), victim, True)


def red_win(**changes: Any) -> Record:
    """10 is killed first; 1, 2, 3 are voted out on days 2-4; nights 2 and 3 kill 9 and 8."""
    record = Record(
        ruleset="fsm-2026", roles=ROLES, nicknames={s: f"p{s}" for s in range(1, 11)},
        days=(
            DayRecord(1, nominations=(), ballots=(), left=()),
            vote(2, 1, (1, 2, 3, 4, 5, 6, 7, 8, 9)),
            vote(3, 2, (2, 3, 4, 5, 6, 7, 8)),
            vote(4, 3, (3, 4, 5, 6, 7)),
        ),
        nights=(night(1, 10, 1, 2, 3), night(2, 9, 2, 3), night(3, 8, 3)),
        best_moves=(BestMoveRecord(10, (1, 2, 5)),), best_move_known=True, fouls_known=True, winner="red",
    )  # fmt: skip
    return replace(record, **changes)


def with_day(record: Record, day: DayRecord) -> Record:
    return replace(record, days=tuple(day if d.day == day.day else d for d in record.days))


def with_fouls(*fouls: FoulRecord, removed: tuple[RemovalRecord, ...] = (), day: int = 1) -> Record:
    record = red_win()
    old = record.days[day - 1]
    return with_day(record, replace(old, fouls=fouls, removed=removed))


TECH = FoulRecord(5, "technical", None, "speech")


BIG = FoulRecord(5, "technical_big", None, "speech")


def split_day(day: int, at: tuple[int, ...], first: int, second: int) -> DayRecord:
    half = len(at) // 2
    votes = ((first, at[:half]), (second, at[half:]))
    return DayRecord(
        day, nominations=(NominationRecord(at[0], first), NominationRecord(at[1], second)), ordered=False,
        ballots=(BallotRecord(1, votes), BallotRecord(2, votes)), left=(),
    )  # fmt: skip
