"""Seats found by themselves: the table from its colour, the camera from the table's outline, the
people from their poses and from what hides the table's edge.

A round table of usual size seen by a camera of usual lens fixes the camera's place; ten people and
a judge sit around it evenly, so one angle says where all sit. It is read off those whose faces
show; whoever turns their back is placed by the same even spacing. The result has no numbers: those
come from what the judge calls, or from the user.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.media.picture import Image, key_pictures
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.seats.file import number_around
from mafiavar.analyzer.seats.seatmap import SEATS, Box, Direction, Seat, SeatMap
from mafiavar.models.pose import PoseModel
from mafiavar.models.pose.base import SHOULDERS

Floats = npt.NDArray[np.float64]

RADIUS, TOP = 0.85, 0.745  # metres: a table for ten
_LENS = 0.8  # focal length in picture widths: phones and webcams have 0.7-1.0
_SIT = RADIUS + 0.10
_SHOULDERS_UP = 1.03
_BODY = ((0.24, 0.52), (0.22, 1.27))  # half width, height over the floor: below and above
SLOTS = SEATS + 1  # ten people and perhaps the judge
_SMALL = 480


@dataclass(frozen=True, slots=True)
class Found:
    """A map without true numbers and how far it can be trusted, 0..1. `people`: how many of the
    ten were seen as people; the others follow from the even spacing."""

    seats: SeatMap
    trust: float
    people: int


def find_seats(recording: Recording, pose: PoseModel, *, samples: int = 8) -> Found | None:
    """Ten places, the table and the judge's side, or None when no table for ten is seen.

    Raises:
        MediaError: the recording has no picture or cannot be read.
    """
    step = max(recording.duration // (samples + 1), 1)
    images = [p.image for p in key_pictures(recording, every=step)][:samples]
    lit = [i for i in images if float(i.mean()) > 12 and i.shape == images[0].shape]
    if not lit:
        return None
    bright = sorted(lit, key=lambda i: -float(i.mean()))[: max(3, len(lit) // 2)]
    return find_in(bright, recording.path.name, pose)


def find_in(images: Sequence[Image], name: str, pose: PoseModel) -> Found | None:
    """The same from pictures of one camera, all of one size."""
    usual = np.median(np.stack(images), axis=0).astype(np.uint8)
    table = table_outline(usual)
    if table is None:
        return None
    outline, mask = table
    height, width = usual.shape[:2]
    project = camera_of(outline, (width, height))
    if project is None:
        return None
    angles = _people(images, project, pose)
    if len(angles) < 3:
        return None
    slots, spread = _slots(angles)
    judge = _judge_slot(slots, angles, mask, project) if len(slots) > SEATS else None
    around = [float(a) for i, a in enumerate(slots) if i != judge]
    boxes = [_box(a, project, (width, height)) for a in around]
    numbers = number_around(boxes, 1, "clockwise")
    seats = tuple(sorted((Seat(n, b) for n, b in zip(numbers, boxes, strict=True)), key=lambda s: s.number))
    near = sum(any(_apart(a, b) < np.pi / SEATS / 1.5 for b in angles) for a in around)
    return Found(
        SeatMap(
            recording=name,
            size=(width, height),
            table=tuple((round(float(x), 1), round(float(y), 1)) for x, y in outline),
            seats=seats,
            direction="clockwise",
            judge=None if judge is None else _box(float(slots[judge]), project, (width, height)),
            origin="found",
            numbered=False,
        ),
        trust=round(float(np.clip(near / 6, 0, 1) * np.clip(1 - spread / 0.25, 0, 1)), 3),
        people=near,
    )


# ---- the table ----------------------------------------------------------------------------------


def table_outline(image: Image) -> tuple[Floats, npt.NDArray[np.uint8]] | None:
    """The table's edge as 32 points, and the mask (full size) of what shows of its top."""
    height, width = image.shape[:2]
    f = _SMALL / width
    small = cv2.resize(image, (_SMALL, round(height * f)), interpolation=cv2.INTER_AREA)
    small = cv2.medianBlur(small, 5)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.int32)
    h, w = lab.shape[:2]
    middle = lab[int(0.35 * h) : int(0.75 * h), int(0.3 * w) : int(0.7 * w)].reshape(-1, 3)
    bins = (middle[:, 0] // 20) * 1024 + (middle[:, 1] // 8) * 32 + middle[:, 2] // 8
    common = np.bincount(bins).argmax()
    colour = np.median(middle[bins == common], axis=0)
    away = np.sqrt(
        0.25 * (lab[..., 0] - colour[0]) ** 2
        + (lab[..., 1] - colour[1]) ** 2
        + (lab[..., 2] - colour[2]) ** 2
    )
    mask = (away < 14).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return None
    k = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    area = stats[k, cv2.CC_STAT_AREA] / (h * w)
    top = (labels == k).astype(np.uint8)
    points = cv2.findNonZero(top)
    hull = cv2.convexHull(points)
    if len(hull) < 6 or not 0.04 < area < 0.7:
        return None
    (cx, cy), (a, b), angle = cv2.fitEllipse(hull)
    ellipse = cv2.ellipse2Poly((round(cx), round(cy)), (round(a / 2), round(b / 2)), round(angle), 0, 360, 5)
    drawn = np.zeros_like(top)
    cv2.fillPoly(drawn, [ellipse], 1)
    filled = np.zeros_like(top)
    cv2.fillPoly(filled, [hull], 1)
    likeness = (drawn & filled).sum() / max((drawn | filled).sum(), 1)
    if likeness < 0.85 or top.sum() / max(drawn.sum(), 1) < 0.45:
        return None  # not round, or hardly any of it shows
    t = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    turn = np.radians(angle)
    x = cx + a / 2 * np.cos(t) * np.cos(turn) - b / 2 * np.sin(t) * np.sin(turn)
    y = cy + a / 2 * np.cos(t) * np.sin(turn) + b / 2 * np.sin(t) * np.cos(turn)
    full = cv2.resize(top, (width, height), interpolation=cv2.INTER_NEAREST)
    return np.c_[x, y] / f, np.asarray(full, np.uint8)


# ---- the camera ---------------------------------------------------------------------------------

Project = Callable[[Floats], Floats]
"""n x 3 metres (x right, y away from the camera, z up; the table's middle at the origin) -> pixels."""


def camera_of(outline: Floats, size: tuple[int, int]) -> Project | None:
    """The camera that sees a round table of usual size as this outline."""
    from scipy.optimize import least_squares

    width, height = size
    focal = _LENS * width
    t = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    circle = np.c_[RADIUS * np.cos(t), RADIUS * np.sin(t), np.full(48, TOP)]
    (ex, ey), (a, b), turn = cv2.fitEllipse(outline.astype(np.float32))
    r = np.radians(turn)

    def project(p: Floats, q: Floats) -> Floats:
        elevation, distance, dx, dy, roll = q
        eye = np.array([0.0, -distance * np.cos(elevation), TOP + distance * np.sin(elevation)])
        ahead = np.array([0.0, np.cos(elevation), -np.sin(elevation)])
        right = np.array([1.0, 0.0, 0.0])
        down = np.cross(ahead, right)
        v = p - eye
        x, y, z = v @ right, v @ down, np.maximum(v @ ahead, 0.05)
        c, s = np.cos(roll), np.sin(roll)
        shown: Floats = np.c_[
            focal * (c * x - s * y) / z + width / 2 + dx, focal * (s * x + c * y) / z + height / 2 + dy
        ]

        return shown

    def off(q: Floats) -> Floats:
        u = project(circle, q) - (ex, ey)
        x, y = u @ (np.cos(r), np.sin(r)), u @ (-np.sin(r), np.cos(r))
        return np.asarray(np.hypot(x / (a / 2), y / (b / 2)) - 1, float)

    wide = max(a, b)
    start = np.array(
        [
            np.arcsin(np.clip(min(a, b) / wide, 0.1, 0.98)),
            focal * 2 * RADIUS / wide,
            ex - width / 2,
            ey - height / 2,
            0.0,
        ]
    )
    found = least_squares(
        off, start, bounds=([0.05, 0.8, -width, -height, -0.3], [1.56, 15, width, height, 0.3])
    )
    if float(np.abs(found.fun).mean()) > 0.03:
        return None
    q = np.asarray(found.x, float)
    return lambda p: project(np.atleast_2d(np.asarray(p, float)), q)


# ---- the people ---------------------------------------------------------------------------------


def _at(angle: float, radius: float, up: float) -> Floats:
    """A point around the table; angles grow clockwise as the camera sees it, 0 at its right."""
    return np.array([radius * np.cos(angle), -radius * np.sin(angle), up])


def _box(angle: float, project: Project, size: tuple[int, int]) -> Box:
    """The seat's box in the picture: a sitting upper body."""
    points = []
    for wide, up in _BODY:
        for side in (-wide, wide):
            for radius in (_SIT - 0.12, _SIT + 0.14):
                p = _at(angle, radius, up)
                points.append(p + side * np.array([-np.sin(angle), -np.cos(angle), 0.0]) * 0.9)
    q = project(np.array(points))
    x0, y0 = np.maximum(q.min(axis=0), 0)
    x1, y1 = np.minimum(q.max(axis=0), (size[0] - 1, size[1] - 1))
    return Box(
        round(float(x0)), round(float(y0)), round(float(max(x1 - x0, 8))), round(float(max(y1 - y0, 8)))
    )


def _people(images: Sequence[Image], project: Project, pose: PoseModel) -> list[float]:
    """Angles at which somebody's shoulders are seen: tried all round, twice as dense as seats."""
    angles: list[float] = []
    height, width = images[0].shape[:2]
    tries = np.linspace(0, 2 * np.pi, 2 * SLOTS, endpoint=False)
    for image in images[:2]:
        for angle in tries:
            if np.sin(angle) > 0.45:
                continue  # the near side shows backs: bodies there are placed by the spacing
            b = _box(float(angle), project, (width, height))
            x0, y0 = max(0, int(b.x - 0.25 * b.w)), max(0, int(b.y - 0.2 * b.h))
            x1, y1 = int(b.x + 1.25 * b.w), int(b.y + 1.05 * b.h)
            crop = np.ascontiguousarray(image[y0:y1, x0:x1, ::-1])
            if min(crop.shape[:2]) < 40:
                continue
            body = pose.find(crop)
            if body is None or float(body.visible[list(SHOULDERS)].min()) < 0.6:
                continue
            middle = body.points[list(SHOULDERS)].mean(axis=0) + np.array([x0, y0])
            span = float(np.hypot(*(body.points[SHOULDERS[0]] - body.points[SHOULDERS[1]])))
            if span < 0.15 * b.w:
                continue
            angles.append(_angle_of(middle, project))
    return angles


def _angle_of(point: npt.NDArray[np.floating], project: Project) -> float:
    """The seat angle whose shoulders would appear at a pixel."""
    tried = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    shown = project(np.stack([_at(float(a), _SIT, _SHOULDERS_UP) for a in tried]))
    return float(tried[int(np.argmin(np.hypot(*(shown - point).T)))])


def _slots(angles: Sequence[float]) -> tuple[Floats, float]:
    """The even spacing that fits best: ten places all round (the judge stands behind), or eleven,
    one of them the judge's. With it how widely people scatter about it, radians."""
    best: tuple[float, Floats, float] | None = None
    for count in (SEATS, SEATS + 1):
        step = 2 * np.pi / count
        phase = float(np.angle(np.exp(1j * np.array(angles) * count).mean())) / count
        off = [min((a - phase) % step, step - (a - phase) % step) for a in angles]
        spread = float(np.median(off))
        places: Floats = np.asarray(phase + step * np.arange(count), np.float64)
        found = (spread / step, places, spread)
        if best is None or found[0] < best[0] - 0.02:
            best = found
    assert best is not None
    return best[1], best[2]


def _judge_slot(slots: Floats, angles: Sequence[float], mask: npt.NDArray[np.uint8], project: Project) -> int:
    """The place nobody sits at: no shoulders there and the table's edge free of a body."""
    free = []
    height, width = mask.shape
    for a in slots:
        seen = sum(_apart(float(a), b) < np.pi / SLOTS / 1.25 for b in angles)
        rim = project(
            np.stack(
                [_at(float(a) + d, RADIUS * r, TOP) for d in (-0.08, 0, 0.08) for r in (0.80, 0.88, 0.95)]
            )
        )
        inside = [mask[int(y), int(x)] for x, y in rim if 0 <= x < width and 0 <= y < height]
        bare = float(np.mean(inside)) if inside else 0.0
        facing = np.sin(a) < 0.45
        free.append((0.0 if seen else 1.0) if facing else bare)
    # Beside the camera or opposite it: judges stand where they see everybody.
    return int(np.argmax([f + 0.15 * abs(np.sin(a)) for f, a in zip(free, slots, strict=True)]))


def _apart(a: float, b: float) -> float:
    d = abs(a - b) % (2 * np.pi)
    return min(d, 2 * np.pi - d)


def renumbered(seats: SeatMap, first: int, direction: Direction) -> SeatMap:
    """The same places counted anew: `first` is the number nearest the picture's lower left."""
    boxes = [s.box for s in seats.seats]
    numbers = number_around(boxes, first, direction)
    made = sorted((Seat(n, b) for n, b in zip(numbers, boxes, strict=True)), key=lambda s: s.number)
    return replace(seats, seats=tuple(made), direction=direction, numbered=True)
