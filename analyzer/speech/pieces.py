"""Long sound as the speech room takes it: something that can be sliced, whole in memory or not."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Pieces(Protocol):
    """Mono sound, shape (n,), float in -1..1 or int16: an array, a memory map or a track on the disk."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> NDArray[Any]: ...


def as_float(samples: NDArray[np.generic]) -> NDArray[np.float32]:
    """int16 or float to float32 in -1..1."""
    if samples.dtype == np.int16:
        return samples.astype(np.float32) / np.float32(32768)
    return samples.astype(np.float32)
