"""A picture of a seat beside the one that it usually makes, shown to a net that knows what may have changed.

Asked only where the picture changed; nothing is said of what looks as usual.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.vision.sitting import net_of
from mafiavar.models.heads.changed import held_input, reach_input

Floats = npt.NDArray[np.float64]
Crops = npt.NDArray[np.uint8]

_INPUTS = {"risen": reach_input, "held": held_input}
CHANGED = 4.0
"""Grey levels, mean: less is noise."""


def otherwise(net: str, shown: Crops, usual: Crops | None = None) -> Floats:
    """Samples x seats x the net's classes but its first (which is "as usual"); 0 where nothing changed.

    Args:
        net: `risen` or `held` of `models.heads`.
        shown: samples x seats x SIDE x SIDE x 3, BGR.
        usual: seats x SIDE x SIDE x 3; as the seats look most of the time, if None.
    """
    classes = len(net_of(net).classes) - 1
    out = np.zeros((*shown.shape[:2], classes))
    if not len(shown):
        return out
    if usual is None:
        usual = usual_of(shown)
    for k in range(shown.shape[1]):
        away = np.abs(shown[:, k].astype(np.float32) - usual[k].astype(np.float32)).mean(axis=(1, 2, 3))
        asked = np.flatnonzero(away >= CHANGED)
        if len(asked):
            x = np.stack([_INPUTS[net](shown[i, k], usual[k]) for i in asked])
            out[asked, k] = net_of(net).probabilities(x)[:, 1:]
    return out


def usual_of(shown: Crops) -> Crops:
    """How the seats look most of the time: their median, picture for picture."""
    return np.asarray(np.median(shown, axis=0), np.uint8)
