"""One known voice out of two that speak at once, by what each sounds like alone.

Supervised non-negative matrix factorisation: the spectrum of a stretch is explained by sums of spectra
that the one voice makes alone and of such that the other does; each gets the share of every bin that
its spectra explain (Smaragdis, Raj, Shashanka: Supervised and semi-supervised separation of sounds from
single-channel mixtures, ICA 2007). No training beyond a few seconds of each voice, no randomness that
is not seeded.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mafiavar.models.speech import Samples

FRAME, HOP = 1024, 320
_TINY = 1e-6
_MASK_POWER = 1.5
"""Above 1 the mask takes sides: less of the other voice is left, at some cost in sound."""

Spectra = NDArray[np.float32]
"""Shape (FRAME // 2 + 1, n): columns are spectra that sum to 1."""


@dataclass(frozen=True, slots=True)
class SeparationOptions:
    """`spectra` per voice; turns of the multiplicative updates while learning and parting."""

    spectra: int = 80
    learn: int = 40
    part: int = 60


def learned(sound: Samples, options: SeparationOptions) -> Spectra:
    """What a voice sounds like, from a few seconds of it alone (at least a second)."""
    level = _level(_transform(sound))
    loud = level.sum(axis=0)
    level = level[:, loud > np.percentile(loud, 25)]
    picks = np.linspace(0, level.shape[1] - 1, min(options.spectra, level.shape[1])).astype(int)
    spectra = _unit(level[:, picks])
    gains = np.full((spectra.shape[1], level.shape[1]), level.mean(), np.float32)
    for _ in range(options.learn):
        gains *= spectra.T @ (level / (spectra @ gains + _TINY))
        fuller = (level / (spectra @ gains + _TINY)) @ gains.T
        spectra = _unit(np.asarray(spectra * fuller, np.float32))
    return spectra


def part_of(sound: Samples, mine: Spectra, other: Spectra, options: SeparationOptions) -> Samples:
    """What the first voice says in `sound`; as long as `sound`."""
    transform = _transform(sound)
    level = _level(transform)
    gains = _gains(level, np.concatenate([mine, other], axis=1), options.part)
    own = (mine @ gains[: mine.shape[1]]) ** _MASK_POWER
    rest = (other @ gains[mine.shape[1] :]) ** _MASK_POWER
    return _back(transform * (own / (own + rest + _TINY**2)), len(sound))


def _level(transform: NDArray[np.complex64]) -> NDArray[np.float32]:
    return np.asarray(np.abs(transform) + _TINY, dtype=np.float32)


def _gains(level: NDArray[np.float32], spectra: Spectra, turns: int) -> NDArray[np.float32]:
    gains = np.full((spectra.shape[1], level.shape[1]), 0.1 * level.mean(), np.float32)
    for _ in range(turns):
        gains *= spectra.T @ (level / (spectra @ gains + _TINY))
    return gains


def _unit(spectra: NDArray[np.float32]) -> Spectra:
    return np.asarray((spectra + _TINY) / (spectra + _TINY).sum(axis=0), dtype=np.float32)


def _window() -> NDArray[np.float32]:
    return np.hanning(FRAME).astype(np.float32)


def _transform(sound: Samples) -> NDArray[np.complex64]:
    """Shape (FRAME // 2 + 1, frames); a frame of silence before and after, so that the edges count."""
    padded = np.pad(np.asarray(sound, np.float32), (FRAME, FRAME + -len(sound) % HOP))
    frames = np.lib.stride_tricks.sliding_window_view(padded, FRAME)[::HOP]
    return np.fft.rfft(frames * _window(), axis=1).T.astype(np.complex64)


def _back(transform: NDArray[np.complex64], length: int) -> Samples:
    frames = np.fft.irfft(transform.T, FRAME, axis=1) * _window()
    sound = np.zeros(HOP * (len(frames) - 1) + FRAME)
    weight = np.zeros_like(sound)
    for i, frame in enumerate(frames):
        sound[i * HOP : i * HOP + FRAME] += frame
        weight[i * HOP : i * HOP + FRAME] += _window() ** 2
    return np.asarray((sound / np.maximum(weight, 1e-3))[FRAME : FRAME + length], dtype=np.float32)
