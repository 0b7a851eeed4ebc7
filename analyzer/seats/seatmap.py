"""The map of a table as one camera sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SEATS = 10

Direction = Literal["clockwise", "counterclockwise"]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels of the recording: left, top, width, height."""

    x: float
    y: float
    w: float
    h: float

    @property
    def centre(self) -> Point:
        return self.x + self.w / 2, self.y + self.h / 2

    def rounded(self) -> tuple[int, int, int, int]:
        return round(self.x), round(self.y), round(self.w), round(self.h)

    def overlap(self, other: Box) -> float:
        """The part of this box that lies in the other, 0..1.

        >>> Box(0, 0, 10, 10).overlap(Box(5, 0, 10, 10))
        0.5
        """
        w = min(self.x + self.w, other.x + other.w) - max(self.x, other.x)
        h = min(self.y + self.h, other.y + other.h) - max(self.y, other.y)
        return max(w, 0.0) * max(h, 0.0) / (self.w * self.h)


@dataclass(frozen=True, slots=True)
class Seat:
    """`box`: the person; `hands`: where this seat's hands reach the table, if somebody drew it."""

    number: int
    box: Box
    hands: Box | None = None


@dataclass(frozen=True, slots=True)
class SeatMap:
    """`table`: outline as a polygon; `seats`: ascending numbers; `direction`: of the numbers as
    the camera sees them. `origin`: where the map comes from; `numbered`: whether the numbers are
    known (a found map without calls is not)."""

    recording: str
    size: tuple[int, int]
    table: tuple[Point, ...]
    seats: tuple[Seat, ...]
    direction: Direction = "clockwise"
    judge: Box | None = None
    origin: Literal["file", "found"] = "file"
    numbered: bool = True

    def seat(self, number: int) -> Seat:
        """Raises KeyError for a seat that is not on the map."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise KeyError(number)

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(s.number for s in self.seats)
