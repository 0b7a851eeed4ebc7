"""Several recordings of one game on one clock, found by their sound.

The offset is where the loudness envelopes correlate best (100 values a second), refined on the
waveform around that place. Cross-correlation by FFT: a night's recording takes seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.media.sound import RATE, Samples
from mafiavar.analyzer.span import Micros

_HOP = RATE // 100
_REFINE = RATE // 25
"""The envelope is good to 10 ms; the waveform is searched 40 ms either way."""
_PIECE = 20 * RATE


@dataclass(frozen=True, slots=True)
class Offset:
    """`shift`: where the second recording's 0 lies on the first one's clock. `certainty`: how far
    the best place stands above the next independent one (1: certain, 0: two places as good)."""

    shift: Micros
    certainty: float


def offset(first: Samples, second: Samples) -> Offset | None:
    """Where `second` lies on the clock of `first`; None when one of them is silent or too short."""
    from scipy import signal  # takes seconds to load, and most cases have one recording

    a, b = _envelope(first), _envelope(second)
    if len(a) < 200 or len(b) < 200 or not a.any() or not b.any():
        return None
    scores = signal.correlate(a, b, mode="full", method="fft")
    lags = signal.correlation_lags(len(a), len(b), mode="full")
    # Overlaps of a few seconds correlate by chance; weigh by the square root of the overlap.
    overlap = np.minimum(len(a), lags + len(b)) - np.maximum(0, lags)
    scores = np.where(overlap >= 300, scores / np.sqrt(np.maximum(overlap, 1)), -np.inf)
    best = int(np.argmax(scores))
    others = scores.copy()
    others[max(0, best - 100) : best + 101] = -np.inf
    rest = float(np.max(others)) if np.isfinite(others).any() else 0.0
    top = float(scores[best])
    if top <= 0:
        return None
    lag = int(lags[best]) * _HOP
    return Offset(round(_refined(first, second, lag) * 1_000_000 / RATE), max(0.0, 1 - max(rest, 0.0) / top))


def _envelope(samples: Samples) -> npt.NDArray[np.float64]:
    """Change of log loudness, clipped: insensitive to gain and to one loud bang."""
    n = len(samples) // _HOP
    power = (
        np.mean(samples[: n * _HOP].reshape(n, _HOP).astype(np.float64) ** 2, axis=1) if n else np.zeros(0)
    )
    if not power.any():
        return np.zeros(n)
    level = np.log(power + 1e-4 * float(np.mean(power)) + 1e-12)
    change = np.diff(level, prepend=level[:1])
    limit = 3 * float(np.std(change)) or 1.0
    return np.clip(change, -limit, limit)


def _refined(first: Samples, second: Samples, lag: int) -> int:
    """The lag (samples) within 40 ms of `lag` where the waveforms agree best."""
    from scipy import signal

    start = max(0, lag) + max(0, (min(len(first), lag + len(second)) - max(0, lag)) // 2 - _PIECE // 2)
    a = first[start : start + _PIECE].astype(np.float64)
    b0 = start - lag - _REFINE
    if len(a) < RATE or b0 < 0 or b0 + len(a) + 2 * _REFINE > len(second):
        return lag
    b = second[b0 : b0 + len(a) + 2 * _REFINE].astype(np.float64)
    # Polarity may be turned over between two devices.
    scores = np.abs(signal.correlate(b, a, mode="valid", method="fft"))
    return lag - (int(np.argmax(scores)) - _REFINE)
