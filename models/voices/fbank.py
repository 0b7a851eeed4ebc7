"""Log-mel filterbank energies as Kaldi computes them (25 ms povey windows every 10 ms, 80 bands)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

BANDS = 80
_RATE, _WINDOW, _HOP, _FFT = 16_000, 400, 160, 512
_PREEMPHASIS = 0.97
_LOWEST = 20.0
_FLOOR = float(np.finfo(np.float32).eps)


def _mel(hertz: NDArray[np.float64] | float) -> NDArray[np.float64]:
    return 1127.0 * np.log1p(np.asarray(hertz, np.float64) / 700.0)


@lru_cache(maxsize=1)
def _filters() -> NDArray[np.float32]:
    """Triangular filters on the mel scale, shape (BANDS, _FFT // 2 + 1)."""
    low, high = _mel(_LOWEST), _mel(_RATE / 2)
    edges = low + (high - low) * np.arange(BANDS + 2) / (BANDS + 1)
    mels = _mel(np.arange(_FFT // 2 + 1) * _RATE / _FFT)
    left, centre, right = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    rising, falling = (mels - left) / (centre - left), (right - mels) / (right - centre)
    bank = np.maximum(0.0, np.minimum(rising, falling))
    bank[:, -1] = 0.0  # Kaldi leaves the Nyquist bin out
    return bank.astype(np.float32)


@lru_cache(maxsize=1)
def _povey() -> NDArray[np.float32]:
    n = np.arange(_WINDOW)
    return ((0.5 - 0.5 * np.cos(2 * np.pi * n / (_WINDOW - 1))) ** 0.85).astype(np.float32)


def fbank(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Shape (frames, BANDS), mean of every band taken off; at least one window of samples."""
    frames = np.lib.stride_tricks.sliding_window_view(samples, _WINDOW)[::_HOP]
    frames = frames - frames.mean(axis=1, keepdims=True)
    shifted = np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
    windowed = (frames - _PREEMPHASIS * shifted) * _povey()
    power = np.abs(np.fft.rfft(windowed, _FFT)) ** 2
    # Not @: products as small as these cost ten times as much when a BLAS spreads them over threads.
    bands = np.einsum("fb,kb->fk", power.astype(np.float32), _filters())
    energies = np.log(np.maximum(bands, _FLOOR))
    return np.asarray(energies - energies.mean(axis=0, keepdims=True), dtype=np.float32)
