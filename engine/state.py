"""The parts of a game's state: small frozen values, so that a position can be copied and hashed cheaply."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, cast

from mafiavar.engine.events import FoulLevel, LeftBy, Purpose, Seat

T = TypeVar("T")


class Phase(StrEnum):
    BEFORE = "before"
    """Nothing has happened yet (in an excerpt: nothing of what was recorded)."""
    FIRST_NIGHT = "first_night"
    DAY = "day"
    """Last words of the killed, then the minutes of the living."""
    VOTE = "vote"
    """From `vote_opened` until what follows from the ballot begins."""
    TIE = "tie"
    """The half minutes of the tied."""
    LIFT = "lift"
    EVENING = "evening"
    """Somebody has left by the vote; last words, until the night."""
    NIGHT = "night"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Floor:
    """Who has the word, for what, and the limit the rules give him (seconds; None: no limit)."""

    seat: Seat
    purpose: Purpose
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Nomination:
    seat: Seat
    target: Seat


@dataclass(frozen=True, slots=True)
class Left:
    """A departure. `night` is None for one by day; `at_table` counts the players before it."""

    day: int
    night: int | None
    seats: tuple[Seat, ...]
    by: LeftBy
    at_table: int


class Stage(StrEnum):
    WAITING = "waiting"
    CALLED = "called"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Call:
    """One candidate's turn in a ballot.

    `hands`: seats seen to vote; `remainder`: seats assigned by rule; `announced`: what the judge said;
    `unseen`: seats nobody could see (None: it is not known who was seen).
    """

    target: Seat
    stage: Stage = Stage.WAITING
    hands: tuple[Seat, ...] = ()
    remainder: tuple[Seat, ...] = ()
    announced: int | None = None
    unseen: tuple[Seat, ...] | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """One round of a vote. `voters`: who may vote; `previous_tie`: the tied of the round before. `named`:
    all candidates are known (in an excerpt that began after the nominations they may not be)."""

    round: int
    calls: tuple[Call, ...]
    voters: tuple[Seat, ...]
    previous_tie: tuple[Seat, ...] | None = None
    named: bool = True

    @property
    def candidates(self) -> tuple[Seat, ...]:
        return tuple(c.target for c in self.calls)

    @property
    def complete(self) -> bool:
        """All candidates have been called, and the last one is closed, announced or known anyway."""
        if not self.named and self.unaccounted() > 0:
            return False
        return bool(self.calls) and all(
            c.stage is Stage.CLOSED or c.announced is not None or self._settled_by_rest(i)
            for i, c in enumerate(self.calls)
        )

    def _settled_by_rest(self, index: int) -> bool:
        """The last call is settled as soon as it is called and the others' counts are known."""
        call = self.calls[index]
        return index == len(self.calls) - 1 and call.stage is Stage.CALLED and self._rest() is not None

    def _rest(self) -> int | None:
        """What is left for the last candidate when all others' counts are exactly known."""
        if not self.named:
            return None
        low_high = [self._range(c) for c in self.calls[:-1]]
        if any(low != high for low, high in low_high):
            return None
        return len(self.voters) - sum(low for low, _ in low_high)

    def _range(self, call: Call) -> tuple[int, int]:
        if call.announced is not None:
            return call.announced, call.announced
        low = len(call.hands) + len(call.remainder)
        if call.stage is Stage.CLOSED and call.unseen is not None:
            free = set(self.free())
            return low, low + len(free & set(call.unseen))
        return low, low + len(self.free())

    def free(self) -> tuple[Seat, ...]:
        """Voters whose vote is not known yet."""
        voted = self.voted()
        return tuple(s for s in self.voters if s not in voted)

    def unaccounted(self) -> int:
        """How many votes are neither seen nor announced yet."""
        return len(self.voters) - sum(self._range(c)[0] for c in self.calls)

    def voted(self) -> frozenset[Seat]:
        return frozenset(s for c in self.calls for s in (*c.hands, *c.remainder))

    def call_of(self, target: Seat) -> Call | None:
        return next((c for c in self.calls if c.target == target), None)

    def counted(self, target: Seat) -> tuple[int, int]:
        """The votes against `target` as a range (low, high)."""
        call = self.call_of(target)
        if call is None:
            return 0, 0
        if call.announced is None and call is self.calls[-1] and (rest := self._rest()) is not None:
            return rest, rest
        low, high = self._range(call)
        if low == high:
            return low, high
        return low, max(low, min(high, low + self.unaccounted()))

    def tally(self) -> dict[Seat, int] | None:
        """Votes per candidate when all of them are exactly known, else None."""
        out = {}
        for call in self.calls:
            low, high = self.counted(call.target)
            if low != high:
                return None
            out[call.target] = low
        return out

    def with_call(self, call: Call) -> Vote:
        return changed(self, calls=tuple(call if c.target == call.target else c for c in self.calls))


@dataclass(frozen=True, slots=True)
class Lift:
    candidates: tuple[Seat, ...]
    yes: tuple[Seat, ...] = ()
    no: tuple[Seat, ...] = ()
    result: tuple[int, int | None] | None = None


@dataclass(frozen=True, slots=True)
class NightState:
    """What happened in a night. `shots`: (shooter or None, target or None) in order; `checks`: (by,
    target, found); `result`: has the judge said who was killed (`killed`, None a miss)?"""

    number: int
    shooting: bool = False
    shots: tuple[tuple[Seat | None, Seat | None], ...] = ()
    checks: tuple[tuple[str, Seat, bool | None], ...] = ()
    result: bool = False
    killed: Seat | None = None

    @property
    def pending(self) -> Seat | None:
        """Announced as killed."""
        return self.killed if self.result else None


@dataclass(frozen=True, slots=True)
class Ledger:
    """The judge's book. Tuples are indexed by seat - 1. `owes`: seats whose third foul has not been
    paid with a shortened minute yet."""

    fouls: tuple[int, ...] = (0,) * 10
    warnings: tuple[int, ...] = (0,) * 10
    technical: tuple[tuple[FoulLevel, ...], ...] = ((),) * 10
    owes: frozenset[Seat] = frozenset()

    def fouls_of(self, seat: Seat) -> int:
        return self.fouls[seat - 1]

    def technical_of(self, seat: Seat) -> tuple[FoulLevel, ...]:
        return self.technical[seat - 1]

    def with_fouls(self, seat: Seat, count: int) -> Ledger:
        return changed(self, fouls=_put(self.fouls, seat, count))

    def with_warning(self, seat: Seat) -> Ledger:
        return changed(self, warnings=_put(self.warnings, seat, self.warnings[seat - 1] + 1))

    def with_technical(self, seat: Seat, level: FoulLevel) -> Ledger:
        return changed(self, technical=_put(self.technical, seat, (*self.technical[seat - 1], level)))


EMPTY_LEDGER = Ledger()


@cache
def _opener(cls: type[Any]) -> Callable[[object], Any]:
    """A function that makes a copy of a `cls` that can still be written to; `changed` closes it.

    A slot of a frozen class can only be set through its descriptor, one call each, which made copying
    half of all work. The twin has the same slots and is not frozen, so that plain assignments do;
    Python lets an object change to a class of the same layout. As in dataclasses, the assignments are
    written out once per class.
    """
    names = tuple(f.name for f in fields(cls))
    twin = type(f"Open{cls.__name__}", (), {"__slots__": names})
    lines = [f"    new.{name} = old.{name}" for name in names]
    scope: dict[str, Any] = {"twin": twin}
    exec("\n".join(["def opened(old):", "    new = twin()", *lines, "    return new"]), scope)
    opened: Callable[[object], Any] = scope["opened"]
    return opened


def changed(value: T, **changes: object) -> T:
    """`dataclasses.replace` for these values, many times faster: a search makes millions of copies.

    Raises AttributeError for a field the value does not have.

    >>> changed(Floor(3, "speech", 60), seconds=30)
    Floor(seat=3, purpose='speech', seconds=30)
    """
    cls: Any = type(value)
    new = _opener(cls)(value)
    for name, other in changes.items():
        setattr(new, name, other)
    new.__class__ = cls
    return cast(T, new)


def _put(row: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*row[: seat - 1], value, *row[seat:])
