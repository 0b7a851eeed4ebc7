"""The working state of one audit: two tables side by side, the judge's book, and the findings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mafiavar.engine import decide
from mafiavar.engine.audit.findings import Finding, LeftAt
from mafiavar.engine.events import LeftBy, Winner
from mafiavar.engine.issue import Severity
from mafiavar.engine.kinds import TOPICS
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.record import Record
from mafiavar.engine.roles import EVERYTHING, SEATS, RoleSet, blacks_among, decided, known, only, where


class Table:
    """`alive`: who plays on under the rules. `present`: who really sat there, as far as the protocol
    claims. They differ only after a difference has been named."""

    def __init__(self, record: Record, rules: Ruleset) -> None:
        self.record = record
        self.rules = rules
        self.alive: set[int] = set(SEATS)
        self.present: set[int] = set(SEATS)
        self.day: int | None = None
        self.night: int | None = None
        self.findings: list[Finding] = []
        self.left: list[LeftAt] = []
        self.winner: Winner | None = None
        self.ended: tuple[str, int] | None = None
        self.fouls = dict.fromkeys(SEATS, 0)
        self.technical: dict[int, list[str]] = {s: [] for s in SEATS}
        self.owes: set[int] = set()
        self.votes_off: set[int] = set()
        self.cancelled_by: dict[int, tuple[int, ...]] = {}
        self.previous_opener: int | None = None
        self.previous_closer: int | None = None
        self.quiet_nights = 0
        self.quiet_days = 0
        self.misses_at_four = 0
        self.departures = 0
        self.first_killed: int | None = None
        self.broken_at_ten: tuple[int, bool] | None = None
        self.left_by_vote_day_one = 0
        self.twice_tied: list[int] = []
        self.split_today = False
        self.revealed: set[int] = set()
        self.withdrawn_red: set[int] = set()
        self.idle_sheriff: list[int] = []
        self.idle_blacks: dict[int, list[int]] = {}
        self.missing: dict[str, bool] = {}
        self.roles: RoleSet = known(dict(record.roles))
        self.roles_odd = not self.roles
        self.roles_sure = record.roles_known and bool(self.roles)
        if not self.roles:
            self.note("roles_impossible", *_odd_roles(record))
            self.roles = EVERYTHING

    # --- findings

    def note(self, kind: str, *seats: int, severity: Severity | None = None, **params: Any) -> None:
        """Add a finding here and now; an identical one is added only once."""
        topic, default = TOPICS[kind]
        finding = Finding(
            kind, severity or default, self.rules.clause(topic), self.day, self.night, tuple(seats),
            tuple(params.items()),
        )  # fmt: skip
        if finding not in self.findings:
            self.findings.append(finding)

    def unchecked(self, kind: str) -> None:
        """A part is missing; said once for the whole game, where it is first missed."""
        if not self.missing.get(kind):
            self.missing[kind] = True
            self.note(kind)

    @contextmanager
    def silent_about(self, *kinds: str) -> Iterator[None]:
        """While a whole day or night is missing, its parts are not missed one by one."""
        before = dict(self.missing)
        self.missing.update(dict.fromkeys(kinds, True))
        yield
        self.missing = before

    def day_before(self) -> int:
        """The number of last night."""
        return (self.day or 1) - 1

    def of_kind_noted(self, kind: str) -> bool:
        return any(f.kind == kind for f in self.findings)

    # --- people

    def acts(self, seat: int, what: str) -> bool:
        """`seat` does something: is he at the table? A seat that has left by the rules and by the
        protocol's own word is noted; one that only one of them counts as gone is not."""
        if not 1 <= seat <= self.rules.seats:
            self.note("seat_impossible", seat, what=what)
            return False
        if seat in self.present:
            return True
        if seat in self.alive:
            # The protocol said he left, the rules say he stayed, and he plays on: the rules were right.
            self.present.add(seat)
            return True
        self.note("dead_player_acts", seat, what=what)
        return False

    def role(self, seat: int) -> str | None:
        """The role as written (red, mafia, don, sheriff)."""
        return self.record.roles.get(seat)

    def blacks(self) -> set[int]:
        """Seats written as black; nobody, when the roles as written cannot be."""
        if self.roles_odd:
            return set()
        return {s for s, r in self.record.roles.items() if r in ("don", "mafia")}

    def assignment_known(self) -> bool:
        return only(self.roles) is not None

    # --- leaving and winning

    def leave(self, seats: tuple[int, ...], by: LeftBy) -> None:
        """`seats` leave under the rules."""
        gone = tuple(s for s in seats if s in self.alive)
        if not gone or self.ended:
            return
        phase, number = ("night", self.night) if self.night is not None else ("day", self.day)
        self.alive -= set(gone)
        self.left.append(LeftAt(phase, number or 0, gone, by))  # type: ignore[arg-type]
        self.departures += len(gone)
        self.owes -= set(gone)
        self.misses_at_four = 0
        if by == "team_defeat":
            self._team_defeat(gone[0])
        self.check_win()

    def remove(self, seat: int, by: LeftBy) -> None:
        """A removal. One who has left already, and speaks his last word, can still lose the game for his
        team (6.9.5)."""
        if by == "team_defeat" and seat not in self.alive and not self.ended:
            self._team_defeat(seat)
        self.leave((seat,), by)

    def leaving(self, seat: int) -> bool:
        """Has he left today, or last night, and so may still have his last word?"""
        when = {("night", self.night), ("day", self.night)} if self.night is not None else {
            ("day", self.day), ("night", self.day_before())
        }  # fmt: skip
        return any(seat in x.seats and (x.phase, x.number) in when for x in self.left)

    def depart(self, seats: tuple[int, ...]) -> None:
        """`seats` really left the table, rightly or not."""
        self.present -= set(seats)

    def _team_defeat(self, seat: int) -> None:
        if not self.roles & ~where(seat, "black"):
            self.win("red")
        elif not self.roles & where(seat, "black"):
            self.win("black")

    def check_win(self) -> None:
        """Has somebody won with those still in the game? Said only when the roles leave no doubt."""
        if self.ended:
            return
        red, black = decided(tuple(sorted(self.alive)))
        if not self.roles & ~red:
            self.win("red")
        elif not self.roles & ~(black & ~red):
            self.win("black")

    def win(self, winner: Winner) -> None:
        if not self.ended:
            self.winner = winner
            self.ended = ("night", self.night) if self.night is not None else ("day", self.day or 0)

    def goes_on(self) -> None:
        """Nobody has won yet: that narrows what the roles may be."""
        if self.ended or self.alive != self.present:
            return
        red, black = decided(tuple(sorted(self.alive)))
        if rest := self.roles & ~(red | black):
            self.roles = rest

    def blacks_possible(self) -> list[int]:
        masks = blacks_among(tuple(sorted(self.alive)))
        return [n for n, mask in enumerate(masks) if self.roles & mask]

    # --- the day's order

    def opener_due(self) -> int | None:
        seats = sorted(self.present)
        if not seats:
            return None
        if self.previous_opener is None:
            return seats[0]
        return decide.next_opener(self.rules, seats, self.previous_opener, self.previous_closer)

    def limit(self, seat: int) -> float | None:
        return decide.floor_seconds(
            self.rules, "speech", third_foul=seat in self.owes, at_table=len(self.present)
        )


def _odd_roles(record: Record) -> list[int]:
    """The seats whose roles cannot be: of a role with too many holders, all of them."""
    holders: dict[str, list[int]] = {}
    for seat, role in record.roles.items():
        if role:
            holders.setdefault(role, []).append(seat)
    limits = {"don": 1, "sheriff": 1, "mafia": 2, "red": 6}
    odd = [s for role, seats in holders.items() if len(seats) > limits.get(role, 10) for s in seats]
    return sorted(odd)
