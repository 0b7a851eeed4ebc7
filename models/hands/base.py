"""What a hand model says and how it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

RgbImage = npt.NDArray[np.uint8]
"""Height x width x 3, RGB, contiguous."""

# Landmark numbers, as MediaPipe has them (Zhang et al., "MediaPipe Hands", 2020).
WRIST = 0
THUMB_TIP = 4
INDEX_KNUCKLE, MIDDLE_KNUCKLE, RING_KNUCKLE, LITTLE_KNUCKLE = 5, 9, 13, 17
KNUCKLES = (5, 9, 13, 17)
TIPS = (8, 12, 16, 20)


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """One hand found in a picture.

    `points`: 21 x 2, pixels of the picture that was given; `world`: 21 x 3, metres around the
    hand's own centre, axes of the camera (x right, y down, z away); `right`: probability that
    it is a right hand; `score`: the model's own certainty of `right`.
    """

    points: npt.NDArray[np.float32]
    world: npt.NDArray[np.float32]
    right: float
    score: float


class HandModel(Protocol):
    """Finds hands in a crop. Not thread-safe; made, used and closed in one process."""

    def find(self, image: RgbImage) -> Sequence[Hand]:
        """All hands in the picture, in an order that depends on the picture only."""
        ...

    def close(self) -> None: ...
