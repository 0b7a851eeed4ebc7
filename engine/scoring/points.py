"""A point and a remark on points."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

KINDS = (
    "win", "best_move", "bonus", "testament", "protocol", "ci", "removal", "team_defeat", "technical", "table_split",
    "false_reveal", "silent_reveal",
)  # fmt: skip
MAIN = frozenset({"win", "ci"})
"""Kinds that are main points; all others are additional ones (8.2.4-8.2.5, 8.6.4, 8.7.1)."""


@dataclass(frozen=True, slots=True)
class Point:
    """`milli`: thousandths of a point, may be negative. `params`: what a sentence needs."""

    seat: int
    kind: str
    milli: int
    clause: str | None
    params: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about the points a person should look at: a limit passed, a bonus dropped, a hint."""

    kind: str
    clause: str | None
    seats: tuple[int, ...] = ()
    params: tuple[tuple[str, Any], ...] = ()


def milli(points: float | Fraction) -> int:
    """Points -> thousandths, half away from zero.

    >>> milli(0.3), milli(-0.6), milli(Fraction(11, 120))
    (300, -600, 92)
    """
    exact = (Fraction(str(points)) if isinstance(points, float) else Fraction(points)) * 1000
    whole = int(abs(exact) + Fraction(1, 2))
    return whole if exact >= 0 else -whole
