"""How somebody sits at night whose back is seen: told from a change, never from the look itself.

Of a back alone a net cannot tell whether the head is bowed; of a back beside its own usual picture it can.
The usual picture is the median of the night. Who was awake for most of a short night usually looks as he
should not: then the pictures that differ are tried as the usual ones, and believed when the others are departures
from them and not the other way round. Whoever leans over shifts the whole trunk: that is told as leaning, and
nothing else is told of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.vision.sitting import net_of
from mafiavar.models.heads.changed import compared

Floats = npt.NDArray[np.float64]
Crops = npt.NDArray[np.uint8]

_CHANGED = 7.0
"""Grey levels (mean) beyond the unrest of most of the night."""
_SURE = 0.9
_FEW = 8  # samples from which a picture is made
_SHIFT, _SHIFTED = 12, 5
"""Pixels of a crop: how far a trunk is looked for to the side, and from where on it leans. Of the three games of
docs/accuracy.md (fitting data) departures shift it by one at most, the one who leans by twelve."""
_LIKE, _BETTER = 0.6, 0.1
"""The trunk must be found there, and be less like it at its usual place."""


@dataclass(frozen=True, slots=True, eq=False)
class Back:
    """One seat, sample by sample: P that the head is bowed and the arms are folded as usual; leans over."""

    bowed: Floats
    folded: Floats
    leans: npt.NDArray[np.bool_]


def look_from_behind(heads: Crops, chests: Crops) -> Back:
    """`heads`, `chests`: samples x SIDE x SIDE x 3, BGR."""
    usual = _usual_samples(heads, chests)
    head, chest = (np.median(x[usual], axis=0).astype(np.uint8) for x in (heads, chests))
    return Back(
        _as("back_head", heads, head),
        _as("back_arms", chests, chest),
        np.array([leans(c, chest) for c in chests], bool),
    )


def leans(chest: npt.NDArray[np.uint8], usual: npt.NDArray[np.uint8]) -> bool:
    """Is the trunk found well to the side of its usual place?"""
    now, before = (cv2.cvtColor(x, cv2.COLOR_BGR2GRAY) for x in (chest, usual))
    up, side = _SHIFT // 2, _SHIFT
    h, w = before.shape
    likeness = cv2.matchTemplate(now, before[up : h - up, side : w - side], cv2.TM_CCOEFF_NORMED)
    best = int(likeness.max(axis=0).argmax())
    there = float(likeness[:, best].max())
    here = float(likeness[:, side - 1 : side + 2].max())
    return abs(best - side) >= _SHIFTED and there >= _LIKE and there >= here + _BETTER


def _usual_samples(heads: Crops, chests: Crops) -> npt.NDArray[np.bool_]:
    """Which samples show how the seat should sit."""
    both = np.concatenate([heads, chests], axis=1).astype(np.float64)
    away = np.abs(both - np.median(both, axis=0)).mean(axis=(1, 2, 3))
    other = np.asarray(away > float(np.percentile(away, 40)) + _CHANGED, bool)
    mostly = np.asarray(~other, bool)
    if other.sum() < _FEW or mostly.sum() < _FEW:
        return np.ones(len(heads), bool)
    for net, crops in (("back_head", heads), ("back_arms", chests)):
        a, b = (np.median(crops[s], axis=0).astype(np.uint8) for s in (mostly, other))
        departs, back = _as(net, a[None], b)[0], _as(net, b[None], a)[0]
        if departs <= 1 - _SURE and back >= 0.5:
            return other
    return mostly


def _as(net: str, crops: Crops, usual: npt.NDArray[np.uint8]) -> Floats:
    """P that each picture shows a seat that sits as in the usual one."""
    said = net_of(net).probabilities(np.stack([compared(c, usual) for c in crops]))
    return np.asarray(said[:, 0], float)
