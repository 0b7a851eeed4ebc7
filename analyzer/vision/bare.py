"""How much bare table shows where a seat's hands would rest.

"No hand" may be said only where the table could be seen. A pixel counts as table if its colour is
clearly likelier under the table's own colours (the middle of the outline) than under the clothes
and skin of the people in front of it; where a shirt has the table's colour the answer is "not
seen", which costs an answer but never a wrong one; one that has it in stripes hides what is not shown whole.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.media.picture import Image
from mafiavar.analyzer.vision.place import Floats, Place, Table

_SHRINK = 4
_BINS = 16
_MIDDLE = 0.55  # of the table's radius: where its colour is learnt
_LIKELIER = 3.0
_LEAST_TRUNK = 120  # pixels of the shrunk picture
_SHOULDERS, _BEHIND, _HAND = 0.45, 0.25, 0.185
"""Metres: shoulders over the table, the trunk behind its edge, a hand's length."""
_STRIPES, _WHOLLY = 0.15, 0.95
"""Where more than the one share of the clothes passes for table (red stripes over a red table), a resting
place must show table in nearly all of its points: the stripes between would not."""
_AROUND = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)])
# Where fists rest before a seat, in usual spacings of seats: to its side, inwards (studio renders).
_SIDE = np.linspace(0.05, 0.24, 5)
_DEEP = np.linspace(0.07, 0.24, 4)


def clear_places(image: Image, table: Table, places: tuple[Place, ...]) -> npt.NDArray[np.float32]:
    """Seats x (left, right): share of the resting places that show bare table, 0..1."""
    small = cv2.resize(image, None, fx=1 / _SHRINK, fy=1 / _SHRINK, interpolation=cv2.INTER_AREA)
    bins = _bins(cv2.cvtColor(small, cv2.COLOR_BGR2LAB))
    height, width = bins.shape
    mask = np.zeros(bins.shape, np.uint8)
    outline = table.to_pixels(table.rim * _MIDDLE)
    cv2.fillPoly(mask, [np.round(outline / _SHRINK).astype(np.int32)], 1)
    own = _histogram(bins[mask > 0])
    out = np.zeros((len(places), 2), np.float32)
    for k, place in enumerate(places):
        trunk = _trunk(bins, table, place)
        other = _histogram(trunk)
        striped = trunk.size > 0 and float((own[trunk] > _LIKELIER * other[trunk]).mean()) > _STRIPES
        for j, sign in enumerate((-1.0, 1.0)):
            points = np.round(resting_points(table, place, sign) / _SHRINK).astype(int)
            around = points[:, None, :] + _AROUND
            inside = np.all((around >= 0) & (around < (width, height)), axis=(1, 2))
            colours = bins[around[inside, :, 1], around[inside, :, 0]]
            bare = own[colours] > _LIKELIER * other[colours]
            shown = float((bare.mean(axis=1) > 0.6).sum()) / len(points)
            out[k, j] = 0.0 if striped and shown < _WHOLLY else shown
    return out


def resting_points(table: Table, place: Place, sign: float) -> Floats:
    """Pixels where the left (-1) or right (+1) hand of a seat may rest: a grid of 20."""
    unit = place.spacing / (2 * np.pi / 11)
    grid = [place.edge + unit * (sign * u * place.right + v * place.inward) for u in _SIDE for v in _DEEP]
    return table.to_pixels(np.array(grid))


def _bins(lab: Image) -> npt.NDArray[np.int32]:
    q = (lab >> 4).astype(np.int32)
    return q[..., 0] * _BINS * _BINS + q[..., 1] * _BINS + q[..., 2]


def _histogram(values: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """Smoothed share of each colour bin."""
    h = np.bincount(values.ravel(), minlength=_BINS**3).astype(np.float64).reshape(_BINS, _BINS, _BINS)
    for axis in range(3):
        h = 0.5 * h + 0.25 * (np.roll(h, 1, axis) + np.roll(h, -1, axis))
    h = h.ravel() + 1e-3
    return np.asarray(h / h.sum(), np.float64)


def _trunk(bins: npt.NDArray[np.int32], table: Table, place: Place) -> npt.NDArray[np.int32]:
    """Colours of a seat's person: of the box's middle what lies outside the table's outline (the person and
    what is behind) and what a back hides of it; the middle's upper part where this leaves nothing."""
    b = place.box
    height, width = bins.shape
    inward = table.back @ place.inward
    # The box of somebody who sits sideways to the camera holds the table on its inner side.
    shift = -0.22 * float(inward[0] / max(np.hypot(*inward), 1e-9))

    x0, x1 = (
        int(np.clip(v / _SHRINK, 0, width)) for v in (b.x + (0.35 + shift) * b.w, b.x + (0.65 + shift) * b.w)
    )
    y0, y1, middle = (int(np.clip((b.y + v * b.h) / _SHRINK, 0, height)) for v in (0.0, 1.0, 0.6))
    outline = np.zeros(bins.shape, np.uint8)
    cv2.fillPoly(outline, [np.round(table.to_pixels(table.rim) / _SHRINK).astype(np.int32)], 1)
    # The back of somebody near the camera rises before the table: to the shoulders, less the steeper the camera.
    shoulders = (_SHOULDERS * np.cos(table.tilt) - _BEHIND * np.sin(table.tilt)) * place.hand / _HAND
    top = table.to_pixels(place.edge)[1] - max(0.0, -float(place.inward[1])) * max(0.0, float(shoulders))
    back = np.arange(y0, y1)[:, None] * _SHRINK >= top if place.inward[1] < 0 else False
    outside = (outline[y0:y1, x0:x1] == 0) | back
    return bins[y0:y1, x0:x1][outside] if outside.sum() >= _LEAST_TRUNK else bins[y0:middle, x0:x1].ravel()
