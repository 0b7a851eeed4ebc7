"""A dim hall made as light as a usual one before anything is measured in it.

All measures of this package are grey levels of a well lit table: a fist on the table that differs from it
by forty of them differs by ten in a quarter of the light, and would pass for the table itself. So the
pictures are multiplied, never darkened, until their light parts are as light as usual. The sensor's noise
grows with them; what cannot be told apart from it stays "cannot tell" where noise is measured.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Greys = npt.NDArray[np.uint8]

LIT = 130.0
"""Grey level that one pixel in twenty of the table and the hands on it exceeds in a usual hall: 135-195 in
eleven rendered casts under six cameras. Lighter pictures are left as they are."""
_LIGHT_PART = 95.0  # percentile
_MOST = 5.0
"""So dark a picture shows fewer than fifty different greys: making it lighter shows nothing more."""


def gain_of(greys: Greys) -> float:
    """What the pixels must be multiplied with to be lit as usual: 1..5; 1 where there are none."""
    if not greys.size:
        return 1.0
    return float(np.clip(LIT / max(float(np.percentile(greys, _LIGHT_PART)), 1.0), 1.0, _MOST))


def brightened(image: Greys, gain: float) -> Greys:
    """The picture `gain` times as light; the same picture at 1."""
    if gain <= 1.0:
        return image
    table = np.minimum(np.arange(256) * gain + 0.5, 255).astype(np.uint8)
    return np.asarray(table[image], np.uint8)
