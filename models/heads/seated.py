"""Head and chest of somebody who sits at a table, as what the two night nets see.

`night_head`: is an eye mask on the eyes, on the forehead, or off, and is the head bowed or raised, or
is nobody there;
`night_arms`: are both arms folded on the shoulders. A mask is what does not look like this person's
skin across the eyes, and a hand on a shoulder is what does. So the picture is given together with maps
made from the same person's head by day: how much each pixel looks like their skin, and (for the head)
whether its colour was ever seen there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.net import Floats

SIDE = 48
HEAD_CHANNELS, CHEST_CHANNELS = 5, 4
MASK, POSE, ARMS = ("on", "forehead", "off"), ("bowed", "raised"), ("folded", "down")
HEAD_CLASSES = (*(f"{m}/{p}" for m in MASK for p in POSE), "nobody")
Crop = npt.NDArray[np.uint8]

_GRID = (20, 20, 6)  # bins of red, green share and brightness
_USUAL_SKIN = (0.42, 0.32)
_SKIN_SPREAD = np.array([0.022, 0.014], np.float32)
_DARKER = -1.8  # log brightness under the brightest tenth: too dark to tell skin
_NEW = 2e-4


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A head without a mask on the eyes: shares (red, green) of its skin, histogram of all its colours."""

    skin: tuple[float, float]
    colours: Floats


NOBODY = Face(_USUAL_SKIN, np.ones(_GRID, np.float32))
"""Where nothing is known of the face by day: usual skin, no colour is new."""


def face_of(crops: Sequence[Crop]) -> Face:
    """From one or more pictures of the same head's place (BGR), best with the head at various turns."""
    looks = [_looks(c) for c in crops]
    middle = np.concatenate([s[12:38, 10:38].reshape(-1, 2) for s, _ in looks])
    colours = np.zeros(int(np.prod(_GRID)), np.float32)
    for shares, light in looks:
        colours += np.bincount(_bins(shares, light), minlength=colours.size).astype(np.float32)
    colours = colours.reshape(_GRID)
    for axis in range(3):
        colours = 0.5 * colours + 0.25 * (np.roll(colours, 1, axis) + np.roll(colours, -1, axis))
    return Face(_skin(middle), colours / max(float(colours.sum()), 1.0))


def head_input(crop: Crop, face: Face) -> Floats:
    """A picture of the head (BGR, any size) beside the person's own: SIDE x SIDE x HEAD_CHANNELS."""
    small = _small(crop)
    shares, light = _looks(small)
    new = face.colours.ravel()[_bins(shares, light)].reshape(SIDE, SIDE) < _NEW
    return _stacked(_picture(small), _skin_like(shares, light, face.skin) - 0.3, new - np.float32(0.3))


def chest_input(crop: Crop, face: Face) -> Floats:
    """A picture of the chest beside how much it looks like the person's skin: SIDE x SIDE x CHEST_CHANNELS."""
    small = _small(crop)
    shares, light = _looks(small)
    return _stacked(_picture(small), _skin_like(shares, light, face.skin) - 0.3)


def skin_of(crop: Crop) -> tuple[float, float]:
    """The commonest skin-like colour of a picture of somebody (shares of red and green)."""
    shares, _ = _looks(crop)
    return _skin(shares.reshape(-1, 2))


def skin_like(crop: Crop, skin: tuple[float, float]) -> Floats:
    """How much each pixel of a SIDE x SIDE picture looks like that skin, 0..1."""
    shares, light = _looks(crop)
    return _skin_like(shares, light, skin)


def _small(crop: Crop) -> Crop:
    if crop.shape[:2] == (SIDE, SIDE):
        return crop
    return np.asarray(cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)


def _picture(small: Crop) -> Floats:
    top = max(float(np.sort(small, axis=None)[int(0.95 * small.size)]), 8.0)
    return np.asarray(np.clip(small.astype(np.float32) / top, 0, 1.3) - 0.5, np.float32)


def _stacked(picture: Floats, *maps: npt.NDArray[np.floating]) -> Floats:
    return np.concatenate([picture, np.stack(maps, -1)], axis=-1).astype(np.float32)


def _looks(crop: Crop) -> tuple[Floats, Floats]:
    """Shares of red and green of each pixel, and its log brightness under the brightest tenth."""
    small = _small(crop).astype(np.float32) + 2
    total = small.sum(axis=2)
    light = np.log(total)
    top = np.sort(light, axis=None)[int(0.9 * light.size)]
    return np.stack([small[..., 2] / total, small[..., 1] / total], -1), light - top


def _skin_like(shares: Floats, light: Floats, skin: tuple[float, float]) -> Floats:
    off = (shares - np.array(skin, np.float32)) / _SKIN_SPREAD
    return np.asarray(np.exp(-0.5 * (off**2).sum(axis=-1)) * (light > _DARKER), np.float32)


def _bins(shares: Floats, light: Floats) -> npt.NDArray[np.int64]:
    """Number of each pixel's bin, row by row."""
    values = (
        (shares[..., 0].ravel() - 0.1) / 0.03,
        (shares[..., 1].ravel() - 0.1) / 0.03,
        (light.ravel() + 3) / 0.5,
    )
    a, b, c = (np.clip(v.astype(np.int64), 0, n - 1) for v, n in zip(values, _GRID, strict=True))
    return (a * _GRID[1] + b) * _GRID[2] + c


def _skin(middle: Floats) -> tuple[float, float]:
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
