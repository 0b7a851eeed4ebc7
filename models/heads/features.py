"""What the heads are told about a hand, from its 21 landmarks in metres."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mafiavar.models.hands.base import KNUCKLES, WRIST

Floats = npt.NDArray[np.float64]

_PAIRS = np.triu_indices(21, 1)


def shape(world: npt.NDArray[np.floating]) -> Floats:
    """210 distances between landmarks in palm lengths: which way the fingers are bent, however
    the hand is turned, right or left."""
    w = np.asarray(world, float)
    palm = max(float(np.linalg.norm(w[list(KNUCKLES)].mean(axis=0) - w[WRIST])), 1e-4)
    d = np.linalg.norm(w[:, None] - w[None], axis=2)[_PAIRS]
    return np.asarray(np.clip(d / palm, 0, 4), float)


def stance(world: npt.NDArray[np.floating], tilt: float) -> Floats:
    """Heights of the landmarks over the wrist, and of the knuckle line and the palm's normal, as
    seen by somebody who sits at the table: how the hand stands on it.

    Args:
        tilt: how far the camera looks down, radians (0 level).
    """
    w = np.asarray(world, float)
    palm = max(float(np.linalg.norm(w[list(KNUCKLES)].mean(axis=0) - w[WRIST])), 1e-4)
    up = np.array([0.0, -np.cos(tilt), -np.sin(tilt)])
    heights = (w - w[WRIST]) @ up / palm
    line = w[5] - w[17]
    ahead = w[list(KNUCKLES)].mean(axis=0) - w[WRIST]
    normal = np.cross(line, ahead)

    def rise(v: Floats) -> float:
        return float(v @ up / max(float(np.linalg.norm(v)), 1e-6))

    turned = [rise(line), abs(rise(line)), rise(ahead), abs(rise(normal))]
    return np.concatenate([np.clip(heights[1:], -3, 3), turned])
