"""The protocol of a game as facts on paper: what a judge or a site wrote down, in one neutral shape.

Readers (analyzer/protocol) make a `Record` from any format; the audit (engine/audit) asks what
follows from it. None always means "not written down", an empty tuple "written down: nothing".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

PHASES = ("speech", "revote", "voting", "after_result", "last_word", "night")
"""Where in a day or night a foul or removal happened, in the order of the day."""
REASONS = ("fouls", "technical", "removal", "team_defeat")
ROLES = ("red", "mafia", "don", "sheriff")


@dataclass(frozen=True, slots=True)
class NominationRecord:
    seat: int
    target: int
    accepted: bool = True


@dataclass(frozen=True, slots=True)
class BallotRecord:
    """One round: (target, seats that voted against him), in no order that means anything; `remainder`:
    seats whose vote went to the last candidate by rule (they may also stand in his list);
    `candidates`: the order in which they were called, when it was written; `unseen`: seats whose vote
    the record does not tell (a recording does not show every hand)."""

    round: int
    votes: tuple[tuple[int, tuple[int, ...]], ...]
    remainder: tuple[int, ...] = ()
    candidates: tuple[int, ...] | None = None
    unseen: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LiftRecord:
    """`passed` when only the outcome was written down, not who voted."""

    yes: tuple[int, ...] | None = None
    no: tuple[int, ...] | None = None
    passed: bool | None = None


@dataclass(frozen=True, slots=True)
class FoulRecord:
    """`violation`: the clause broken, when it was written (4.5.9 turns a removing foul into another)."""

    seat: int
    level: str = "foul"
    ordinal: int | None = None
    phase: str | None = None
    during: int | None = None
    violation: str | None = None


@dataclass(frozen=True, slots=True)
class RemovalRecord:
    """`reason`: fouls, technical, removal, team_defeat; `violation`: the clause, when it was written."""

    seat: int
    reason: str = "removal"
    phase: str | None = None
    violation: str | None = None


@dataclass(frozen=True, slots=True)
class RevealRecord:
    seat: int
    claims: str
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class DayRecord:
    """`left`: who left by vote or lift, as written. `candidates`: the order in which they were voted on.
    `lift_known`: the protocol says whether a lift vote was held (then None is "not held")."""

    day: int
    speakers: tuple[int, ...] | None = None
    nominations: tuple[NominationRecord, ...] | None = None
    candidates: tuple[int, ...] | None = None
    ballots: tuple[BallotRecord, ...] | None = None
    lift: LiftRecord | None = None
    lift_known: bool = False
    left: tuple[int, ...] | None = None
    fouls: tuple[FoulRecord, ...] = ()
    removed: tuple[RemovalRecord, ...] = ()
    reveals: tuple[RevealRecord, ...] = ()
    testament: Any = None
    protocol: Any = None
    ordered: bool = True
    """False: the nominations stand in no order (sites store none); the order of speaking is assumed."""


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """`by`: don or sheriff; `seat` when the protocol names the checker by his seat."""

    by: str
    target: int
    found: bool | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class NightRecord:
    """`shots`: (shooter, target or None) in order; None when not written. `killed` counts only when
    `killed_known` (then None is a miss)."""

    night: int
    shots: tuple[tuple[int, int | None], ...] | None = None
    killed: int | None = None
    killed_known: bool = False
    checks: tuple[CheckRecord, ...] | None = None
    fouls: tuple[FoulRecord, ...] = ()
    removed: tuple[RemovalRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class BestMoveRecord:
    """`readback`: the numbers the judge repeated, when they were written down apart. `as_red`: those of
    the targets he named as red (a platform lets him; under the texts only blacks named count)."""

    seat: int
    targets: tuple[int, ...]
    readback: tuple[int, ...] | None = None
    as_red: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A whole protocol.

    `options`: parameters of the rule set the file itself overrides; `site_options`: house rules of the
    site the file comes from (used unless a rule set is asked for by name). `fouls_known`,
    `best_move_known`: whether these parts were kept at all. `source`: the format it was read from.
    """

    ruleset: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    site_options: Mapping[str, Any] = field(default_factory=dict)
    roles: Mapping[int, str | None] = field(default_factory=dict)
    nicknames: Mapping[int, str | None] = field(default_factory=dict)
    days: tuple[DayRecord, ...] = ()
    nights: tuple[NightRecord, ...] = ()
    best_moves: tuple[BestMoveRecord, ...] = ()
    winner: Literal["red", "black", "draw"] | None = None
    finished: bool = True
    fouls_known: bool = False
    best_move_known: bool = False
    bonus: Mapping[int, float] = field(default_factory=dict)
    published: Mapping[int, float] = field(default_factory=dict)
    source: str = "mafiavar"

    @property
    def roles_known(self) -> bool:
        return len(self.roles) == 10 and all(r is not None for r in self.roles.values())

    @property
    def last_day(self) -> int:
        return max((d.day for d in self.days), default=0)

    @property
    def last_night(self) -> int:
        return max((n.night for n in self.nights), default=0)
