"""The same place in a picture now and as it usually looks: what nets see that judge a change, not a look.

`back_head`, `back_arms`: somebody whose back is seen, at night: is the head raised, are the arms down. Of a back
alone that can hardly be told, of a back that changed it can.
`reach`: two neighbours at a table: does the one on the left of the picture reach over and touch the other.
`risen`: does somebody stand up, or has left the chair. `held`: does a hand hold the mask on somebody's eyes.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.net import Floats
from mafiavar.models.heads.seated import skin_like, skin_of

SIDE = 48
REACH = ("apart", "touches", "leans")
RISEN, HELD = ("sits", "stands", "gone"), ("free", "holds")
BACK_HEAD, BACK_ARMS = ("bowed", "raised"), ("folded", "down")
Crop = npt.NDArray[np.uint8]


def compared(now: Crop, usual: Crop, side: int = SIDE) -> Floats:
    """Two pictures of one place (BGR, any size), each lit by itself: side x side x 6."""
    return np.concatenate([_lit(now, side), _lit(usual, side)], axis=-1)


def reach_input(now: Crop, usual: Crop, side: int = SIDE) -> Floats:
    """`compared` and how much each pixel changed: side x side x 7."""
    both = compared(now, usual, side)
    change = np.abs(both[..., :3] - both[..., 3:]).mean(axis=-1, keepdims=True)
    return np.concatenate([both, 2 * change - np.float32(0.3)], axis=-1)


def held_input(now: Crop, usual: Crop) -> Floats:
    """The head now, how much and which way it changed, where it looks like the person's skin, and where newly so:
    SIDE x SIDE x 7."""
    now, usual = _sized(now, SIDE), _sized(usual, SIDE)
    both = compared(now, usual)
    away = both[..., :3] - both[..., 3:]
    skin = skin_of(usual)
    is_skin, was_skin = skin_like(now, skin), skin_like(usual, skin)
    maps = (2 * np.abs(away).mean(axis=-1) - 0.3, away.mean(axis=-1), is_skin - 0.3, is_skin - was_skin)
    return np.concatenate([both[..., :3], np.stack(maps, -1)], axis=-1).astype(np.float32)


def _sized(crop: Crop, side: int) -> Crop:
    if crop.shape[:2] == (side, side):
        return crop
    return np.asarray(cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def _lit(crop: Crop, side: int) -> Floats:
    """Brightness as shares of the brightest twentieth, about zero."""
    crop = _sized(crop, side)
    top = max(float(np.sort(crop, axis=None)[int(0.95 * crop.size)]), 8.0)
    return np.asarray(np.clip(crop.astype(np.float32) / top, 0, 1.3) - 0.5, np.float32)
