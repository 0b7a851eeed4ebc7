"""What an audit answers with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from mafiavar.engine.events import LeftBy, Winner
from mafiavar.engine.issue import Severity


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where the protocol and the rules disagree, or could not be compared.

    `day` or `night` (not both) says where; both are None for the game as a whole. `params` holds what a
    sentence needs.
    """

    kind: str
    severity: Severity
    clause: str | None
    day: int | None
    night: int | None
    seats: tuple[int, ...]
    params: tuple[tuple[str, Any], ...] = ()

    def __getitem__(self, name: str) -> Any:
        for key, value in self.params:
            if key == name:
                return value
        return None


@dataclass(frozen=True, slots=True)
class LeftAt:
    """A departure that follows from the facts: in the day or the night `number`."""

    phase: Literal["day", "night"]
    number: int
    seats: tuple[int, ...]
    by: LeftBy


@dataclass(frozen=True, slots=True)
class Audit:
    """`ended`: ("day" | "night", n) in which the winner was decided; None while nobody has won."""

    ruleset: str
    winner: Winner | None
    ended: tuple[str, int] | None
    left: tuple[LeftAt, ...]
    findings: tuple[Finding, ...]

    def of_kind(self, *kinds: str) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.kind in kinds)
