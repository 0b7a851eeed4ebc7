"""A camera that was bumped: where the map lies before and after.

The room behind the people does not move. Now and then a picture is compared with the first one by
corners that both show (ORB, Rublee et al., 2011); a shift, turn or zoom that most of them share is the
camera's. Where too few agree (a dark night, a title card) nothing is claimed: the last known place
stays. Between two pictures that differ the moment is searched by halving.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.media.picture import Image, fitted, key_pictures, picture_at
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.seats.seatmap import Box, Seat, SeatMap
from mafiavar.analyzer.span import SECOND, Micros, Span

Motion = npt.NDArray[np.float64]
"""2 x 3: pixels of the first picture -> pixels of a later one."""

EVERY: Micros = 20 * SECOND
NEAR: Micros = SECOND // 2
"""How exactly the moment of a bump is searched."""
_WIDTH = 960
_CORNERS = 1500
_LEAST = 40  # corners that agree
_SHARE = 0.25  # of those that were paired
_STILL = 0.004  # of the picture's width: less is no movement (a hand is a fortieth)
_DARK = 12.0


@dataclass(frozen=True, slots=True)
class Stay:
    """From when to when the camera stood still, and the map there. `moved`: how far the table's
    middle lies from where it was at first, pixels."""

    span: Span
    seats: SeatMap
    moved: float


def follow(recording: Recording, seats: SeatMap, *, every: Micros = EVERY) -> tuple[Stay, ...]:
    """The stretches between the camera's movements, in order; one when it stood still all along.

    The map is taken to be right for the first picture that is not dark.

    Raises:
        MediaError: the recording cannot be read.
    """
    eye: _Eye | None = None
    known: list[tuple[Micros, Motion]] = []
    for picture in key_pictures(recording, every=every):
        image = fitted(picture.image, seats.size)
        if eye is None:
            if float(image.mean()) >= _DARK:
                eye = _Eye(image)
                known.append((picture.t, np.eye(2, 3)))
            continue
        motion = eye.motion(image)
        if motion is not None:
            known.append((picture.t, motion))
    whole = recording.span
    if eye is None or len(known) < 2:
        return (Stay(whole, seats, 0.0),)
    borders: list[tuple[Micros, Motion]] = [(whole.t0, known[0][1])]
    for (t0, a), (t1, b) in pairwise(known):
        if _apart(borders[-1][1], b, seats) > _STILL * seats.size[0] and _stays(b, t1, known, seats):
            borders.append((_moment(recording, eye, seats, (t0, a), (t1, b)), b))
    ends = [t for t, _ in borders[1:]] + [whole.t1 + 1]
    still = np.eye(2, 3)
    return tuple(
        Stay(Span(t, end - 1), carried(seats, m), round(_apart(still, m, seats), 1))
        for (t, m), end in zip(borders, ends, strict=True)
        if end > t
    )


def carried(seats: SeatMap, motion: Motion) -> SeatMap:
    """The map after the camera's movement; boxes stay upright."""
    if np.allclose(motion, np.eye(2, 3)):
        return seats
    scale = float(np.sqrt(abs(np.linalg.det(motion[:, :2]))))

    def point(x: float, y: float) -> tuple[float, float]:
        moved = motion @ np.array([x, y, 1.0])
        return round(float(moved[0]), 1), round(float(moved[1]), 1)

    def box(b: Box) -> Box:
        x, y = point(*b.centre)
        w, h = b.w * scale, b.h * scale
        return Box(round(x - w / 2, 1), round(y - h / 2, 1), round(w, 1), round(h, 1))

    return replace(
        seats,
        table=tuple(point(x, y) for x, y in seats.table),
        seats=tuple(
            Seat(s.number, box(s.box), None if s.hands is None else box(s.hands)) for s in seats.seats
        ),
        judge=None if seats.judge is None else box(seats.judge),
    )


class _Eye:
    """Compares pictures with the first one."""

    def __init__(self, first: Image) -> None:
        self._orb = cv2.ORB_create(nfeatures=_CORNERS)  # type: ignore[attr-defined]
        self._pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True)
        self._scale = _WIDTH / first.shape[1]
        self._points, self._marks = self._corners(first)

    def motion(self, image: Image) -> Motion | None:
        points, marks = self._corners(image)
        if marks is None or self._marks is None or len(points) < _LEAST:
            return None
        pairs = self._pairs.match(self._marks, marks)
        if len(pairs) < _LEAST:
            return None
        a = self._points[[p.queryIdx for p in pairs]]
        b = points[[p.trainIdx for p in pairs]]
        cv2.setRNGSeed(1)
        found, inside = cv2.estimateAffinePartial2D(a, b, ransacReprojThreshold=2.0, maxIters=2000)
        agree = int(inside.sum()) if inside is not None else 0
        if found is None or agree < max(_LEAST, _SHARE * len(pairs)):
            return None
        out = np.asarray(found, float)
        out[:, 2] /= self._scale
        return out

    def _corners(self, image: Image) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8] | None]:
        height = round(image.shape[0] * self._scale)
        small = cv2.resize(image, (_WIDTH, height), interpolation=cv2.INTER_AREA)
        grey = cv2.equalizeHist(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))
        found, marks = self._orb.detectAndCompute(grey, None)
        return np.array([k.pt for k in found], np.float32).reshape(-1, 2), marks


def _apart(a: Motion, b: Motion, seats: SeatMap) -> float:
    """How far apart two places of the camera bring the table's edge, pixels (the middle value)."""
    rim = np.c_[np.asarray(seats.table, float), np.ones(len(seats.table))]
    return float(np.median(np.hypot(*(rim @ (a - b).T).T)))


def _stays(motion: Motion, t: Micros, known: Sequence[tuple[Micros, Motion]], seats: SeatMap) -> bool:
    """Does the next picture agree? One picture alone may be a hand before the lens."""
    after = next((m for when, m in known if when > t), None)
    return after is None or _apart(motion, after, seats) < 2 * _STILL * seats.size[0]


def _moment(
    recording: Recording,
    eye: _Eye,
    seats: SeatMap,
    before: tuple[Micros, Motion],
    after: tuple[Micros, Motion],
) -> Micros:
    """When the picture went from one place to the other, by halving."""
    (t0, a), (t1, b) = before, after
    while t1 - t0 > NEAR:
        middle = (t0 + t1) // 2
        picture = picture_at(recording, middle)
        motion = None if picture is None else eye.motion(fitted(picture.image, seats.size))
        if motion is None:
            break
        if _apart(motion, a, seats) <= _apart(motion, b, seats):
            t0 = middle
        else:
            t1 = middle
    return t1
