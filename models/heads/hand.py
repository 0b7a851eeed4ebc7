"""What a hand does, from its landmarks: two heads, one for the fingers, one for how it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.features import shape, stance
from mafiavar.models.heads.softmax import Softmax


@dataclass(frozen=True, slots=True)
class HandReading:
    """Probabilities of one hand. `fist`, `open`, `finger`, `thumb` and `none` (no hand at all: a
    fold of cloth) sum to 1; so do `vertical`, `flat`, `raised` (how a fist stands: raised is on
    its elbow). `fingers`: of 0..5 shown."""

    fist: float
    open: float
    finger: float
    thumb: float
    none: float
    vertical: float
    flat: float
    raised: float
    fingers: tuple[float, ...]


class HandHeads:
    """The shipped heads, loaded once."""

    def __init__(self, folder: Path | None = None) -> None:
        self._shape = Softmax.load("hand_shape", folder)
        self._stance = Softmax.load("fist_stance", folder)
        self._fingers = Softmax.load("finger_count", folder)

    def read(self, worlds: Sequence[npt.NDArray[np.floating]], tilt: float) -> HandReading:
        """One hand seen several times: probabilities averaged over the looks (log-linear)."""
        shapes = np.stack([shape(w) for w in worlds])
        s = dict(zip(self._shape.classes, pooled(self._shape.probabilities(shapes)), strict=True))
        stands = pooled(self._stance.probabilities(np.stack([stance(w, tilt) for w in worlds])))
        t = dict(zip(self._stance.classes, stands, strict=True))
        f = pooled(self._fingers.probabilities(shapes))
        return HandReading(
            fist=s["fist"],
            open=s["open"],
            finger=s["finger"],
            thumb=s["thumb"],
            none=s["none"],
            vertical=t["vertical"],
            flat=t["flat"],
            raised=t["raised"],
            fingers=tuple(f),
        )


def pooled(p: npt.NDArray[np.float64]) -> list[float]:
    """Looks at one hand are far from independent: the geometric mean, renormalised."""
    q = np.exp(np.log(np.maximum(p, 1e-4)).mean(axis=0))
    return [float(v) for v in q / q.sum()]
