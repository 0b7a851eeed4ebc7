"""A protocol completed with what follows from it, for writing it down in a format that keeps more."""

from __future__ import annotations

from dataclasses import replace

from mafiavar.engine.audit.findings import Audit
from mafiavar.engine.audit.run import audit
from mafiavar.engine.decide import next_opener, speaking_order
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.record import DayRecord, Record
from mafiavar.engine.roles import SEATS


def settled(record: Record, rules: Ruleset) -> Record:
    """`record` with nominations in speaking order and, where it is silent, who left and who was killed
    under `rules`. Facts are not changed."""
    result = audit(record, rules)
    openers = _openers(record, result, rules)
    days = tuple(_settled_day(d, result, openers.get(d.day, 1)) for d in record.days)
    nights = tuple(
        n
        if n.killed_known or n.shots is None
        else replace(n, killed=_killed(result, n.night), killed_known=True)
        for n in record.nights
    )
    return replace(record, days=days, nights=nights)


def _settled_day(day: DayRecord, result: Audit, opener: int) -> DayRecord:
    order = speaking_order(SEATS, opener)
    nominations = day.nominations
    if nominations is not None and not day.ordered:
        nominations = tuple(sorted(nominations, key=lambda n: order.index(n.seat)))
    left = day.left
    if left is None and day.ballots is not None:
        left = tuple(
            s
            for x in result.left
            if (x.phase, x.number) == ("day", day.day) and x.by in ("vote", "lift")
            for s in x.seats
        )
    return replace(day, nominations=nominations, left=left, ordered=True)


def _killed(result: Audit, night: int) -> int | None:
    for left in result.left:
        if (left.phase, left.number, left.by) == ("night", night, "shot"):
            return left.seats[0]
    return None


def _openers(record: Record, result: Audit, rules: Ruleset) -> dict[int, int]:
    """Who opened each day: as written, else by rotation over those still in the game."""
    openers: dict[int, int] = {}
    alive = set(SEATS)
    before: int | None = None
    for number in range(1, record.last_day + 1):
        for left in result.left:
            if (left.phase, left.number) in (("night", number - 1), ("day", number - 1)):
                alive -= set(left.seats)
        written = next((d.speakers for d in record.days if d.day == number and d.speakers), None)
        if written:
            before = written[0]
        elif alive:
            before = next_opener(rules, sorted(alive), before, None) if before else min(alive)
        openers[number] = before or 1
    return openers
