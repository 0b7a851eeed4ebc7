"""What a pose model says and how it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

RgbImage = npt.NDArray[np.uint8]

# Landmark numbers (Bazarevsky et al., "BlazePose", 2020).
NOSE = 0
EYES = (2, 5)  # left, right: the person's own
EARS = (7, 8)
MOUTH = (9, 10)
SHOULDERS = (11, 12)
ELBOWS = (13, 14)
WRISTS = (15, 16)
HIPS = (23, 24)


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """`points`: 33 x 2 pixels of the crop; `world`: 33 x 3 metres about the hips, camera's axes;
    `visible`: 33 probabilities that a landmark is in the picture and not covered."""

    points: npt.NDArray[np.float32]
    world: npt.NDArray[np.float32]
    visible: npt.NDArray[np.float32]


class PoseModel(Protocol):
    """Finds the main person of a crop. Made, used and closed in one process."""

    def find(self, image: RgbImage) -> Body | None: ...

    def close(self) -> None: ...
