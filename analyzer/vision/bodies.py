"""Where a seat's head and arms are in its box, from how the seat stands to the camera.

The table's outline tells which way every seat faces; the head stands on the outer side of the
box and the arms on the inner one. Good to a third of a head (docs/seeing.md): enough to watch a
region, not to measure an angle.
"""

from __future__ import annotations

import numpy as np

from mafiavar.analyzer.vision.place import Place, Table

Square = tuple[int, int, int, int]

_HEAD = 0.29  # of the box's height
_OUTER = 0.24  # of the box's width: how far the head stands off the middle
_AWAY = 0.80  # inward direction up the picture: beyond this only the back is seen


def facing(table: Table, place: Place) -> tuple[float, float]:
    """Unit vector in the picture of where the seat looks (y down: 1 towards the camera)."""
    v = table.back @ place.inward
    v = v / max(float(np.hypot(*v)), 1e-9)
    return float(v[0]), float(v[1])


def shows_its_back(place: Place) -> bool:
    """Only the back of the head can be seen: neither mask nor face can be judged."""
    return float(place.inward[1]) < -_AWAY


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
