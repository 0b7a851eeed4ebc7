"""Which number one hand shows: 0 (a fist held up) to 5, or none of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.features import shape, stance
from mafiavar.models.heads.softmax import Softmax

Floats = npt.NDArray[np.float64]

NUMBERS = ("0", "1", "2", "3", "4", "5")


def sign_features(world: npt.NDArray[np.floating], tilt: float) -> Floats:
    """Which way the fingers are bent, and how the hand stands to the plumb line."""
    return np.concatenate([shape(world), stance(world, tilt)])


class SignHead:
    """The shipped head, loaded once."""

    def __init__(self, folder: Path | None = None) -> None:
        self._head = Softmax.load("sign", folder)

    def read(self, worlds: Sequence[npt.NDArray[np.floating]], tilt: float) -> Floats:
        """n looks x 7: probabilities of 0..5 and, last, of a hand that shows no number."""
        if not len(worlds):
            return np.zeros((0, len(NUMBERS) + 1))
        p = self._head.probabilities(np.stack([sign_features(w, tilt) for w in worlds]))
        order = [self._head.classes.index(c) for c in (*NUMBERS, "none")]
        return np.asarray(p[:, order], float)
