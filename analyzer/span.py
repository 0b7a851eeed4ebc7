"""Time inside the house: integer microseconds on the recording's clock, and intervals of it.

0 is the earliest presented sample or frame of the first recording (docs: truth format, "Clock").
A moment is made once from (pts, time_base); never from a frame number times a frame rate.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

Micros = int
SECOND: Micros = 1_000_000


def micros(seconds: float) -> Micros:
    """Seconds -> microseconds, rounded to the nearest.

    >>> micros(12.345)
    12345000
    """
    return round(seconds * SECOND)


def seconds(t: Micros) -> float:
    """Microseconds -> seconds with three digits, as they stand in files.

    >>> seconds(12_345_678)
    12.346
    """
    return round(t / SECOND, 3)


def from_pts(pts: int, time_base: Fraction) -> Micros:
    """A presentation timestamp in units of `time_base` -> microseconds, exact before rounding."""
    return round(pts * time_base * SECOND)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A closed interval of the recording's clock, in microseconds; `t0 <= t1`."""

    t0: Micros
    t1: Micros

    def __post_init__(self) -> None:
        if self.t1 < self.t0:
            raise ValueError(f"a span cannot end before it begins: {self.t0} > {self.t1}")

    @classmethod
    def of(cls, t0: float, t1: float) -> Span:
        """From seconds.

        >>> Span.of(1.0, 2.5)
        Span(t0=1000000, t1=2500000)
        """
        return cls(micros(t0), micros(t1))

    @property
    def duration(self) -> Micros:
        return self.t1 - self.t0

    @property
    def middle(self) -> Micros:
        return (self.t0 + self.t1) // 2

    def __contains__(self, t: Micros) -> bool:
        """
        >>> 5 in Span(0, 10), 11 in Span(0, 10)
        (True, False)
        """
        return self.t0 <= t <= self.t1

    def __and__(self, other: Span) -> Span | None:
        """What both cover, or None.

        >>> Span(0, 10) & Span(5, 20)
        Span(t0=5, t1=10)
        """
        t0, t1 = max(self.t0, other.t0), min(self.t1, other.t1)
        return Span(t0, t1) if t0 <= t1 else None

    def __or__(self, other: Span) -> Span:
        """The smallest span that covers both.

        >>> Span(0, 1) | Span(5, 6)
        Span(t0=0, t1=6)
        """
        return Span(min(self.t0, other.t0), max(self.t1, other.t1))

    def widened(self, before: Micros, after: Micros | None = None) -> Span:
        """Longer by `before` at the start and `after` (default: the same) at the end.

        >>> Span(10, 20).widened(5)
        Span(t0=5, t1=25)
        """
        return Span(self.t0 - before, self.t1 + (before if after is None else after))

    def distance(self, t: Micros) -> Micros:
        """How far `t` lies outside; 0 inside.

        >>> Span(10, 20).distance(25), Span(10, 20).distance(15)
        (5, 0)
        """
        return max(self.t0 - t, t - self.t1, 0)
