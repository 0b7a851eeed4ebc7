"""The table seen as a disc: where a seat's hands reach it, whatever the camera's angle.

The outline's second moments give an affine map that turns the ellipse a round table makes in the
picture into a unit circle (a rectangle into a square). Angles and distances are then nearly those
seen from above; what perspective is left is the same for a seat and its hands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.seats.seatmap import Box, Seat, SeatMap

Floats = npt.NDArray[np.float64]

_RIM_POINTS = 720
_TRUNK = 0.65  # part of a seat box's height at which the trunk meets the table's height
USUAL_SPACING = 2 * np.pi / 11  # ten seats and a judge, evenly


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A seat at the table, in disc coordinates: `edge` where it sits, `inward` and `right` (its
    own right hand) unit vectors, `spacing` the distance to its neighbours along the edge."""

    number: int
    edge: Floats
    inward: Floats
    right: Floats
    spacing: float
    box: Box
    hand: float
    """Expected length of a hand, pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """`to_disc(points)`: pixels -> disc; `to_pixels`: back. `tilt`: how far the camera looks down
    on it, radians (0 level, pi/2 from above), from the outline's flatness."""

    centre: Floats
    forward: Floats
    back: Floats
    rim: Floats
    tilt: float
    places: tuple[Place, ...]

    def to_disc(self, points: npt.ArrayLike) -> Floats:
        return np.asarray((np.asarray(points, float) - self.centre) @ self.forward.T, float)

    def to_pixels(self, points: npt.ArrayLike) -> Floats:
        return np.asarray(np.asarray(points, float) @ self.back.T + self.centre, float)

    def place(self, number: int) -> Place:
        return next(p for p in self.places if p.number == number)

    def depth(self, point: npt.ArrayLike) -> float:
        """How far inside the edge a pixel lies, in table radii (negative: outside)."""
        q = self.to_disc(point)
        k = int(np.argmin(np.hypot(*(self.rim - q).T)))
        away = float(np.hypot(*(self.rim[k] - q)))
        return away if np.dot(self.rim[k], self.rim[k] - q) >= 0 else -away

    def offset(self, place: Place, point: npt.ArrayLike) -> tuple[float, float]:
        """(to the seat's own right, inwards) of a pixel, in usual spacings of seats."""
        d = (self.to_disc(point) - place.edge) / (place.spacing / USUAL_SPACING)
        return float(d @ place.right), float(d @ place.inward)


def lay_table(seats: SeatMap) -> Table:
    """Places of all seats of the map around its table."""
    outline = np.asarray(seats.table, float)
    centre, forward = _whitening(outline)
    back = np.asarray(np.linalg.inv(forward), np.float64)
    rim = (_dense(outline) - centre) @ forward.T
    edges = {}
    for seat in seats.seats:
        base = (
            np.array([seat.box.x + seat.box.w / 2, seat.box.y + _TRUNK * seat.box.h]) - centre
        ) @ forward.T
        edges[seat.number] = rim[int(np.argmin(np.hypot(*(rim - base).T)))]
    sizes = np.linalg.svd(back, compute_uv=False)
    return Table(
        centre=centre,
        forward=forward,
        back=back,
        rim=rim,
        tilt=float(np.arcsin(min(1.0, sizes[1] / sizes[0]))),
        places=tuple(_place(s, edges) for s in seats.seats),
    )


def _place(seat: Seat, edges: dict[int, Floats]) -> Place:
    edge = edges[seat.number]
    inward = -edge / max(float(np.hypot(*edge)), 1e-9)
    others = sorted(float(np.hypot(*(e - edge))) for n, e in edges.items() if n != seat.number)
    # Beside the judge there is a gap: the further neighbour counts only if it is a neighbour.
    near = [d for d in others[:2] if d > 0.05 and d < 1.5 * max(others[0], 0.05)]
    spacing = float(np.clip(np.mean(near) if near else USUAL_SPACING, 0.35, 0.9))
    return Place(
        number=seat.number,
        edge=edge,
        inward=inward,
        # y runs downwards: for somebody who looks along `inward`, the right hand is there.
        right=np.array([-inward[1], inward[0]]),
        spacing=spacing,
        box=seat.box,
        hand=0.17 * seat.box.w,
    )


def reach_box(
    table: Table, place: Place, hands: Box | None, size: tuple[int, int], scale: float = 0.8
) -> tuple[int, int, int, int]:
    """The square of the picture in which this seat's hands come to rest: x, y, w, h inside `size`.

    4-6 hand widths across: the hand model loses a third of the hands at 12 (docs/seeing.md).
    """
    if hands is not None:
        (cx, cy), side = hands.centre, max(hands.w, hands.h)
    else:
        cx, cy = table.to_pixels(place.edge + 0.13 * place.inward)
        side = scale * place.box.w
    width, height = size
    side = min(side, width, height)
    x = round(float(np.clip(cx - side / 2, 0, width - side)))
    y = round(float(np.clip(cy - side / 2, 0, height - side)))
    s = int(side)
    return x, y, s, s


def _whitening(outline: Floats) -> tuple[Floats, Floats]:
    """Centroid and the affine map that gives the polygon the second moments of a unit disc."""
    centre, _ = _moments(outline)
    _, second = _moments(outline - centre)
    values, vectors = np.linalg.eigh(second)
    values = np.maximum(values, 1e-9)
    return centre, np.asarray(vectors @ np.diag(0.5 / np.sqrt(values)) @ vectors.T, float)


def _moments(p: Floats) -> tuple[Floats, Floats]:
    """Centroid and second moments (about the origin) of a polygon's area (Green's theorem)."""
    x, y = p.T
    x1, y1 = np.roll(p, -1, axis=0).T
    cross = x * y1 - x1 * y
    area = cross.sum() / 2
    centre = np.array([((x + x1) * cross).sum(), ((y + y1) * cross).sum()]) / (6 * area)
    xx = ((x * x + x * x1 + x1 * x1) * cross).sum() / (12 * area)
    yy = ((y * y + y * y1 + y1 * y1) * cross).sum() / (12 * area)
    xy = ((x * y1 + 2 * x * y + 2 * x1 * y1 + x1 * y) * cross).sum() / (24 * area)
    return centre, np.array([[xx, xy], [xy, yy]])


def _dense(outline: Floats) -> Floats:
    closed = np.vstack([outline, outline[:1]])
    along = np.r_[0, np.cumsum(np.hypot(*np.diff(closed, axis=0).T))]
    u = np.linspace(0, along[-1], _RIM_POINTS, endpoint=False)
    points: Floats = np.c_[np.interp(u, along, closed[:, 0]), np.interp(u, along, closed[:, 1])]
    return points
