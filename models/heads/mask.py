"""Is an eye mask on the eyes, pushed up, or off: a small net that knows the person's usual face.

A mask is what does not look like this person's skin across the eyes. So the picture of a head is
given together with two maps: how much each pixel looks like the person's skin, and how far its colour
is from all that was seen of the head when nobody wears masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.net import Floats

SIDE = 48
CHANNELS = 5
Crop = npt.NDArray[np.uint8]

_GRID = (20, 20, 6)  # bins of red, green share and brightness
_USUAL_SKIN = (0.42, 0.32)
_SKIN_SPREAD = np.array([0.022, 0.014])
_DARKER = -1.8  # log brightness under the brightest tenth: too dark to tell skin
_NEW = 2e-4


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A head without a mask on the eyes: shares (red, green) of its skin, histogram of all its colours."""

    skin: tuple[float, float]
    colours: npt.NDArray[np.float32]


def face_of(crops: Sequence[Crop]) -> Face:
    """From one or more pictures of the same head's place (BGR), best with the head at various turns."""
    looks = [_looks(c) for c in crops]
    middle = np.concatenate([s[12:38, 10:38].reshape(-1, 2) for s, _ in looks])
    colours = np.zeros(_GRID, np.float32)
    for shares, light in looks:
        np.add.at(colours, _bins(shares, light), 1)
    for axis in range(3):
        colours = 0.5 * colours + 0.25 * (np.roll(colours, 1, axis) + np.roll(colours, -1, axis))
    return Face(_skin(middle), colours / max(float(colours.sum()), 1.0))


def mask_input(crop: Crop, face: Face) -> Floats:
    """A picture of the head (BGR, any size) beside the person's own: SIDE x SIDE x CHANNELS."""
    small = cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    shares, light = _looks(small)
    off = (shares - np.array(face.skin)) / _SKIN_SPREAD
    skin = np.exp(-0.5 * (off**2).sum(axis=-1)) * (light > _DARKER)
    new = face.colours[_bins(shares, light)].reshape(SIDE, SIDE) < _NEW
    top = max(float(np.percentile(small, 95)), 8.0)
    picture = np.clip(small.astype(np.float32) / top, 0, 1.3) - 0.5
    return np.concatenate([picture, np.stack([skin - 0.3, new - 0.3], -1)], axis=-1).astype(np.float32)


def _looks(crop: Crop) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Shares of red and green of each pixel, and its log brightness under the brightest tenth."""
    small = cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(float) + 2
    total = small.sum(axis=2)
    light = np.log(total)
    return np.stack([small[..., 2] / total, small[..., 1] / total], -1), light - np.percentile(light, 90)


def _bins(
    shares: npt.NDArray[np.float64], light: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.int64], ...]:
    values = (
        (shares[..., 0].ravel() - 0.1) / 0.03,
        (shares[..., 1].ravel() - 0.1) / 0.03,
        (light.ravel() + 3) / 0.5,
    )
    return tuple(np.clip(v.astype(np.int64), 0, n - 1) for v, n in zip(values, _GRID, strict=True))


def _skin(middle: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The commonest skin-like colour of a face's middle (shares of red and green)."""
    r, g = middle.T
    b = 1 - r - g
    like = middle[(r > 0.36) & (r < 0.6) & (g > 0.26) & (g < 0.36) & (b < 0.31) & (r - g > 0.04)]
    if len(like) < 60:
        return _USUAL_SKIN
    h, xs, ys = np.histogram2d(like[:, 0], like[:, 1], bins=(16, 8), range=((0.36, 0.6), (0.26, 0.36)))
    i, j = np.unravel_index(int(cv2.GaussianBlur(h, (3, 3), 0).argmax()), h.shape)
    centre = np.array([(xs[i] + xs[i + 1]) / 2, (ys[j] + ys[j + 1]) / 2])
    near = like[np.hypot(*(like - centre).T) < 0.03]
    found = np.median(near, axis=0) if len(near) > 10 else centre
    return float(found[0]), float(found[1])
