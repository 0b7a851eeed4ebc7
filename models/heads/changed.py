"""The same place in a picture now and as it usually looks: what nets see that judge a change, not a look.

`back_head`, `back_arms`: somebody whose back is seen, at night: is the head raised, are the arms down. Of a back
alone that can hardly be told, of a back that changed it can.
`reach`: two neighbours at a table: does the one on the left of the picture reach over and touch the other.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.net import Floats

SIDE = 48
REACH = ("apart", "touches", "leans")
BACK_HEAD, BACK_ARMS = ("bowed", "raised"), ("folded", "down")
Crop = npt.NDArray[np.uint8]


def compared(now: Crop, usual: Crop) -> Floats:
    """Two pictures of one place (BGR, any size), each lit by itself: SIDE x SIDE x 6."""
    return np.concatenate([_lit(now), _lit(usual)], axis=-1)


def reach_input(now: Crop, usual: Crop) -> Floats:
    """`compared` and how much each pixel changed: SIDE x SIDE x 7."""
    both = compared(now, usual)
    change = np.abs(both[..., :3] - both[..., 3:]).mean(axis=-1, keepdims=True)
    return np.concatenate([both, 2 * change - np.float32(0.3)], axis=-1)


def _lit(crop: Crop) -> Floats:
    """Brightness as shares of the brightest twentieth, about zero."""
    if crop.shape[:2] != (SIDE, SIDE):
        crop = np.asarray(cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)
    top = max(float(np.sort(crop, axis=None)[int(0.95 * crop.size)]), 8.0)
    return np.asarray(np.clip(crop.astype(np.float32) / top, 0, 1.3) - 0.5, np.float32)
