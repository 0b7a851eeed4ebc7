"""When a patch of the picture stands still: contact times to the frame.

The hand model is asked a few times a second; *when* a hand came to rest and left again is read
from the grey thumbnails of every frame: the patch under a hand changes while the hand moves and
stays the same while it rests, whatever the landmarks say.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.span import Micros

Floats = npt.NDArray[np.float64]

_LEAST: Micros = 100_000
_OTHER = 8.0  # grey levels
_BRIDGE: Micros = 300_000
"""Something passing through the patch for no longer than this does not end a rest."""


@dataclass(frozen=True, slots=True, eq=False)
class Steady:
    """Frames `first`..`last` (indices, inclusive) of a patch that stands still; `looks` is the
    patch's median there. `noise`: usual change between frames, grey levels."""

    first: int
    last: int
    looks: Floats
    noise: float


def steady_runs(patch: npt.NDArray[np.uint8], times: npt.NDArray[np.int64]) -> list[Steady]:
    """Stretches of a patch (frames x h x w) between movements, ascending.

    A frame belongs to a movement if it differs from the one before by more than the sensor's
    noise; a first frame after a movement is at rest if the *next* one no longer differs.
    """
    if len(patch) < 2:
        return []
    p = patch.astype(np.float64)
    change = np.abs(np.diff(p, axis=0)).mean(axis=(1, 2))
    noise = float(np.median(change))
    moving = change > 2.5 * noise + 1.5
    cuts = np.flatnonzero(moving)
    starts = np.r_[0, cuts + 1]
    ends = np.r_[cuts, len(p) - 1]
    runs = [
        Steady(int(a), int(b), np.median(p[a : b + 1], axis=0), noise)
        for a, b in zip(starts, ends, strict=True)
        if times[b] - times[a] >= _LEAST
    ]
    return _bridged(runs, p, times)


def apart(a: Floats, b: Floats) -> float:
    """Mean difference of two looks of a patch, grey levels, not counting an even change of light."""
    d = a - b
    return float(np.abs(d - np.median(d)).mean())


def share_changed(a: Steady, b: Steady) -> float:
    """Part of a patch's pixels that look otherwise in one rest than in another."""
    return float((np.abs(a.looks - b.looks) > _OTHER).mean())


def same(a: Steady, b: Steady) -> bool:
    return apart(a.looks, b.looks) < 2.0 * a.noise + 3.0


def _bridged(runs: list[Steady], p: Floats, times: npt.NDArray[np.int64]) -> list[Steady]:
    """Join neighbours that look the same when what came between was brief."""
    out: list[Steady] = []
    for run in runs:
        if out and times[run.first] - times[out[-1].last] <= _BRIDGE and same(out[-1], run):
            before = out.pop()
            looks = np.median(p[before.first : run.last + 1], axis=0)
            out.append(Steady(before.first, run.last, looks, run.noise))
        else:
            out.append(run)
    return out
