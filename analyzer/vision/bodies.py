"""Where a seat's head and arms are in its box, from how the seat stands to the camera.

The table's outline tells which way every seat faces; the head stands on the outer side of the
box and the arms on the inner one. Good to a third of a head (docs/seeing.md): enough to watch a
region, not to measure an angle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mafiavar.analyzer.vision.place import Place, Table

Square = tuple[int, int, int, int]

_HEAD = 0.29  # of the box's height
_OUTER = 0.24  # of the box's width: how far the head stands off the middle
_HIDDEN = 0.7
"""Of the nearer head: at half of it only the neighbour was seen (cast 720 of docs/accuracy.md), at .85 it was not in
the way (73102)."""
_GAP = 1.4  # of the usual distance of neighbours along the edge
_RISING = 1.35  # of the box's height
_AWAY = 0.80  # inward direction up the picture: beyond this only the back is seen


def facing(table: Table, place: Place) -> tuple[float, float]:
    """Unit vector in the picture of where the seat looks (y down: 1 towards the camera)."""
    v = table.back @ place.inward
    v = v / max(float(np.hypot(*v)), 1e-9)
    return float(v[0]), float(v[1])


def shows_its_back(place: Place) -> bool:
    """Only the back of the head can be seen: neither mask nor face can be judged."""
    return float(place.inward[1]) < -_AWAY


def hidden_head(table: Table, place: Place, size: tuple[int, int]) -> bool:
    """Does somebody nearer to the camera sit so that his head is where this one's would be seen?"""
    x, y, w, h = head_box(table, place, size)
    for other in table.places:
        if other.box.y + other.box.h <= place.box.y + place.box.h:
            continue
        a, b, c, d = head_box(table, other, size)
        away = float(np.hypot(x + w / 2 - a - c / 2, y + h / 2 - b - d / 2))
        if away < _HIDDEN * _HEAD * other.box.h:
            return True
    return False


def head_box(table: Table, place: Place, size: tuple[int, int], *, scale: float = 1.5) -> Square:
    """A square that holds the head upright or bowed, inside the picture."""
    b = place.box
    x, y = facing(table, place)
    cx = b.x + (0.5 - _OUTER * x + 0.06 * x) * b.w
    cy = b.y + (0.16 + 0.04 * max(y, 0.0)) * b.h
    return _square(cx, cy, scale * _HEAD * b.h, size)


def body_box(place: Place, size: tuple[int, int]) -> Square:
    """The seat's box and a little more above: x, y, w, h inside the picture."""
    b = place.box
    x0, y0 = max(0, int(b.x - 0.08 * b.w)), max(0, int(b.y - 0.1 * b.h))
    x1, y1 = min(size[0], int(b.x + 1.08 * b.w)), min(size[1], int(b.y + b.h))
    return x0, y0, max(x1 - x0, 4), max(y1 - y0, 4)


def arms_box(table: Table, place: Place, size: tuple[int, int]) -> Square:
    """The chest with folded arms: below the head, on the inner side."""
    b = place.box
    x, _ = facing(table, place)
    return _square(b.x + (0.5 - 0.05 * x) * b.w, b.y + 0.52 * b.h, min(0.5 * b.h, 0.9 * b.w), size)


def _square(cx: float, cy: float, side: float, size: tuple[int, int]) -> Square:
    side = max(8.0, min(side, size[0], size[1]))
    x = round(float(np.clip(cx - side / 2, 0, size[0] - side)))
    y = round(float(np.clip(cy - side / 2, 0, size[1] - side)))
    return x, y, int(side), int(side)


@dataclass(frozen=True, slots=True)
class _Raised:
    """Where people raise a hand beside themselves. `out`, `down`, `nearer` (for those who sit nearer to the
    camera): of the box's width, height, height; `ahead`, `aside`: of the table's radius, at the usual size
    of a box."""

    out: float
    down: float
    nearer: float
    ahead: float
    aside: float

    def at(self, table: Table, place: Place, sign: float) -> tuple[float, float]:
        """Pixel of the left (-1) or right (+1) hand."""
        b = place.box
        x, y = facing(table, place)
        nearness = b.h / float(np.median([p.box.h for p in table.places]))
        over = table.back @ (self.ahead * place.inward + sign * self.aside * place.right) * nearness
        return (
            b.x + (0.5 + self.out * x) * b.w + float(over[0]),
            b.y + (self.down + self.nearer * y) * b.h + float(over[1]),
        )


# A hand that shows a number: fitted to 284 such hands of studio stills (casts from 9001 up, five cameras): the
# palm lies within 0.06 box heights of the place told in 95 of 100.
_SHOWN = _Raised(out=0.01, down=0.23, nearer=0.07, ahead=0.06, aside=0.21)


def held_up(table: Table, place: Place, sign: float) -> tuple[float, float]:
    """Pixel of the palm when a seat holds up its left (-1) or right (+1) hand beside its head."""
    return _SHOWN.at(table, place, sign)


def held_box(table: Table, place: Place, size: tuple[int, int]) -> Square:
    """A square that holds both hands of a seat when they are held up."""
    points = np.array([held_up(table, place, s) for s in (-1.0, 1.0)])
    side = float(np.ptp(points, axis=0).max()) + 0.45 * place.box.h
    cx, cy = points.mean(axis=0)
    return _square(float(cx), float(cy), side, size)


def held_boxes(table: Table, place: Place, size: tuple[int, int]) -> tuple[Square, Square]:
    """Closer looks at the left and at the right hand held up."""
    left, right = (held_up(table, place, s) for s in (-1.0, 1.0))
    side = 0.55 * place.box.h
    return _square(*left, side, size), _square(*right, side, size)


# The fist of a vote on the elbow over the table's edge: fitted to 140 such fists of seven studio casts
# (505-511, all cameras); in the median a third of a hand off, never a whole one.
_ON_ELBOW = _Raised(out=0.035, down=0.324, nearer=0.067, ahead=0.043, aside=0.108)
_ABOVE_SIDE, _RAISED_SIDE = 4.0, 3.4  # hands; at 4.0 a small fist before a patterned shirt is not found


def on_elbow(table: Table, place: Place, sign: float) -> tuple[float, float]:
    """Pixel of the fist when a seat votes with its left (-1) or right (+1) elbow on the table."""
    return _ON_ELBOW.at(table, place, sign)


def above_box(table: Table, place: Place, size: tuple[int, int]) -> Square:
    """A square that holds the fists of a seat's votes on either elbow, inside the picture."""
    cx, cy = np.mean([on_elbow(table, place, s) for s in (-1.0, 1.0)], axis=0)
    return _square(float(cx), float(cy), _ABOVE_SIDE * place.hand, size)


def raised_boxes(table: Table, place: Place, size: tuple[int, int]) -> tuple[Square, Square]:
    """Where a fist on the left and on the right elbow is looked for."""
    (lx, ly), (rx, ry) = (on_elbow(table, place, s) for s in (-1.0, 1.0))
    side = _RAISED_SIDE * place.hand
    return _square(lx, ly, side, size), _square(rx, ry, side, size)


def rising_box(place: Place, size: tuple[int, int]) -> Square:
    """A square with the seat's upper body and as much above it as its head goes up when it rises."""
    b = place.box
    return _square(b.x + 0.5 * b.w, b.y + (0.9 - _RISING / 2) * b.h, _RISING * b.h, size)


def pairs_of(table: Table) -> tuple[tuple[int, int], ...]:
    """(seat, seat to its left) of every two who can reach each other: over a gap (the judge's place) nobody can."""
    order = sorted(table.places, key=lambda p: p.number)
    both = list(zip(order, (*order[1:], order[0]), strict=True))
    apart = [float(np.hypot(*(a.edge - b.edge))) for a, b in both]
    near = _GAP * float(np.median(apart)) if apart else 0.0
    return tuple((a.number, b.number) for (a, b), d in zip(both, apart, strict=True) if d < near)


@dataclass(frozen=True, slots=True)
class Beside:
    """Two neighbours in the picture: the square with their heads and shoulders, and the unit vector (y down) from
    the first to the second."""

    first: int
    second: int
    square: Square
    along: tuple[float, float]


def beside(table: Table, pair: tuple[int, int], size: tuple[int, int]) -> Beside:
    """Where two neighbours are looked at, inside the picture."""
    a, b = (table.place(n).box for n in pair)
    points = np.array([(p.x + 0.5 * p.w, p.y + 0.33 * p.h) for p in (a, b)])
    cx, cy = points.mean(axis=0)
    way = points[1] - points[0]
    far = max(float(np.hypot(*way)), 1e-9)
    square = _square(float(cx), float(cy), far + 0.45 * (a.h + b.h) / 2, size)
    return Beside(*pair, square, (float(way[0]) / far, float(way[1]) / far))
