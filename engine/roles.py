"""What is known of the roles: a set over the 2,520 possible assignments, kept as one big integer.

Bit i stands for the i-th assignment of (don, sheriff, two mafia) to ten seats, in the fixed order of
`ASSIGNMENTS`. A set of assignments is a Python integer: intersections are `&`, a set hashes and
compares at once, and a copy costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

SEATS = tuple(range(1, 11))
RoleSet = int


class Assignment(NamedTuple):
    """Who is who; everyone else is red."""

    don: int
    sheriff: int
    mafia: tuple[int, int]

    @property
    def blacks(self) -> frozenset[int]:
        return frozenset((self.don, *self.mafia))

    def role(self, seat: int) -> str:
        """red, mafia, don or sheriff."""
        if seat == self.don:
            return "don"
        if seat == self.sheriff:
            return "sheriff"
        return "mafia" if seat in self.mafia else "red"


ASSIGNMENTS: tuple[Assignment, ...] = tuple(
    Assignment(don, sheriff, mafia)
    for don in SEATS
    for mafia in combinations([s for s in SEATS if s != don], 2)
    for sheriff in SEATS
    if sheriff != don and sheriff not in mafia
)
EVERYTHING: RoleSet = (1 << len(ASSIGNMENTS)) - 1


def _mask(bits: Iterable[bool]) -> RoleSet:
    return int("".join("1" if b else "0" for b in reversed(list(bits))), 2)


_DON: dict[int, RoleSet] = {s: _mask(a.don == s for a in ASSIGNMENTS) for s in SEATS}
_SHERIFF: dict[int, RoleSet] = {s: _mask(a.sheriff == s for a in ASSIGNMENTS) for s in SEATS}
_MAFIA: dict[int, RoleSet] = {s: _mask(s in a.mafia for a in ASSIGNMENTS) for s in SEATS}
_BLACK: dict[int, RoleSet] = {s: _DON[s] | _MAFIA[s] for s in SEATS}


def where(seat: int, role: str) -> RoleSet:
    """The assignments in which `seat` has `role`: don, mafia, sheriff, red (a plain one), and the
    colours black (don or mafia) and reds (red or sheriff). Seats outside 1..10: none."""
    if seat not in _DON:
        return 0
    table = {"don": _DON, "mafia": _MAFIA, "sheriff": _SHERIFF, "black": _BLACK}
    if role in table:
        return table[role][seat]
    if role == "reds":
        return EVERYTHING & ~_BLACK[seat]
    if role == "red":
        return EVERYTHING & ~_BLACK[seat] & ~_SHERIFF[seat]
    return 0


def known(roles: Mapping[int, str | None]) -> RoleSet:
    """The assignments that agree with `roles` (seat -> red, mafia, don, sheriff, black, reds; None
    says nothing). Empty when the table is impossible (two dons, four blacks).

    >>> possible(known({1: "don", 5: "mafia", 9: "mafia", 4: "sheriff"}))
    1
    """
    out = EVERYTHING
    for seat, role in roles.items():
        if role is not None:
            out &= where(seat, role)
    return out


def possible(roles: RoleSet) -> int:
    """How many assignments are left."""
    return roles.bit_count()


def only(roles: RoleSet) -> Assignment | None:
    """The assignment, when exactly one is left."""
    return ASSIGNMENTS[roles.bit_length() - 1] if roles and not roles & (roles - 1) else None


def sure_role(roles: RoleSet, seat: int) -> str | None:
    """The role of a seat when all assignments left agree (don, mafia, sheriff, red), else the colour
    when they agree on that (black, reds), else None."""
    if not roles:
        return None
    for role in ("don", "mafia", "sheriff", "red", "black", "reds"):
        if not roles & ~where(seat, role):
            return role
    return None


@lru_cache(maxsize=4096)
def blacks_among(alive: tuple[int, ...]) -> tuple[RoleSet, RoleSet, RoleSet, RoleSet]:
    """For 0, 1, 2, 3: the assignments in which so many of `alive` are black."""
    counts = [EVERYTHING, 0, 0, 0]
    for seat in alive:
        black = _BLACK[seat]
        counts = [counts[0] & ~black] + [(counts[n] & ~black) | (counts[n - 1] & black) for n in (1, 2, 3)]
    return counts[0], counts[1], counts[2], counts[3]


@lru_cache(maxsize=4096)
def decided(alive: tuple[int, ...]) -> tuple[RoleSet, RoleSet]:
    """(assignments in which red has won, in which black has won) with `alive` at the table:
    no black left / at least as many blacks as reds."""
    counts = blacks_among(alive)
    black_wins = 0
    for n in (1, 2, 3):
        if 2 * n >= len(alive):
            black_wins |= counts[n]
    return counts[0], black_wins


@lru_cache(maxsize=8192)
def outcomes(roles: RoleSet, alive: tuple[int, ...]) -> frozenset[str]:
    """Who may have won with `alive` at the table, as far as `roles` tells; "" stands for nobody yet."""
    red, black = decided(alive)
    masks = (("red", red), ("black", black & ~red), ("", ~(red | black)))
    return frozenset(who for who, mask in masks if roles & mask)
