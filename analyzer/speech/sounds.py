"""Sounds that are not words: music, silence, applause (knocks on the table: `knocks.py`).

Simple measures of level and spectrum; each sound carries a likelihood and is a hint, never a
verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.transcript import Sound
from mafiavar.models.speech import SAMPLE_RATE, Samples

STEP = 0.25
"""Seconds between two values of a measure."""

_FFT = 2048
_LOW, _HIGH = 200.0, 4000.0
_MUSIC_FROM = 0.23
_MUSIC_LEAST = 1.5
_SILENCE_LEAST = 3.0
_SILENCE_DB = -62.0
_APPLAUSE_LEAST = 1.0

Measure = NDArray[np.float32]


def tonality(samples: Samples) -> Measure:
    """How much the fine structure of the spectrum stays the same from step to step, in 0..1.

    The harmonics of music stand still for longer than a quarter of a second; those of speech glide,
    and noise has none. Shape (steps,), a value for every `STEP`.
    """
    hop = round(STEP * SAMPLE_RATE)
    if len(samples) < _FFT + hop:
        return np.zeros(max(1, len(samples) // hop), np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(samples, _FFT)[::hop]
    spectra = np.abs(np.fft.rfft(frames * np.hanning(_FFT).astype(np.float32), axis=1))
    band = slice(round(_LOW * _FFT / SAMPLE_RATE), round(_HIGH * _FFT / SAMPLE_RATE))
    logs = np.log(spectra[:, band] + 1e-6)
    kernel = np.ones(31) / 31
    fine = np.stack([row - np.convolve(row, kernel, mode="same") for row in logs])
    fine /= np.linalg.norm(fine, axis=1, keepdims=True) + 1e-9
    alike = np.clip(np.sum(fine[1:] * fine[:-1], axis=1), 0.0, 1.0)
    return np.concatenate([alike[:1], alike]).astype(np.float32)


def level_db(samples: Samples) -> Measure:
    """Root mean square level in dB below full scale for every `STEP`."""
    hop = round(STEP * SAMPLE_RATE)
    padded = np.pad(samples, (0, -len(samples) % hop)).reshape(-1, hop)
    return np.asarray(10 * np.log10(np.mean(padded**2, axis=1) + 1e-10), dtype=np.float32)


def music(samples: Samples) -> tuple[Sound, ...]:
    """Stretches with standing harmonics, at least a second and a half."""
    measure = _smooth(tonality(samples), 9)
    return tuple(
        Sound("music", span, round(min(0.97, 0.6 + float(np.mean(measure[a:b]))), 3))
        for a, b, span in _stretches(measure >= _MUSIC_FROM, _MUSIC_LEAST)
    )


def silence(samples: Samples) -> tuple[Sound, ...]:
    """Nothing at all: a dead microphone, a cut track (a quiet hall is louder)."""
    return tuple(
        Sound("silence", span, 0.9)
        for _, _, span in _stretches(level_db(samples) <= _SILENCE_DB, _SILENCE_LEAST)
    )


def applause(samples: Samples, spoken: Sequence[Span]) -> tuple[Sound, ...]:
    """A rattle of clicks: loud, flat spectrum, at least a second, nobody speaking."""
    hop = round(STEP * SAMPLE_RATE)
    padded = np.pad(samples, (0, -len(samples) % hop)).reshape(-1, hop)
    power = np.abs(np.fft.rfft(padded, axis=1))[:, 100:1500] ** 2 + 1e-10
    flatness = np.exp(np.mean(np.log(power), axis=1)) / np.mean(power, axis=1)
    db = level_db(samples)
    loud = db > np.median(db) + 10
    return tuple(
        Sound("applause", span, 0.5)
        for _, _, span in _stretches((flatness > 0.45) & loud, _APPLAUSE_LEAST)
        if not any(span & s for s in spoken)
    )


def _smooth(measure: Measure, width: int) -> Measure:
    return np.convolve(measure, np.ones(width) / width, mode="same").astype(np.float32)


def _stretches(mask: NDArray[np.bool_], shortest: float) -> Iterator[tuple[int, int, Span]]:
    """Runs of True of at least `shortest` seconds: first step, step after the last, span."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    for a, b in zip(edges[::2], edges[1::2], strict=True):
        if (b - a) * STEP >= shortest:
            yield int(a), int(b), Span(micros(int(a) * STEP), micros(int(b) * STEP))
