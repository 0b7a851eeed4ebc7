"""Knocks on the table, also while somebody speaks.

A knuckle on wood is there within a few milliseconds over the whole spectrum, and the part of it above
4 kHz is gone again 20 ms later, whatever goes on below. The stops of speech («т», «к») burst likewise, but
weaker, without the thump below 500 Hz, and their hiss lasts longer. How the measures weigh against each
other was fitted (`python tests/accuracy/knocks_heard.py FOLDER --fit`) on made knocks, the speech of the
studio and of recorded people; a cup that is put down sounds the same, so that a likelihood never passes
one half: who did it, and that it was a hand, only the picture can tell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.transcript import Sound
from mafiavar.models.speech import SAMPLE_RATE, Samples

Levels = NDArray[np.float32]

HOP, WINDOW = 40, 80
"""Samples: a value every 2.5 ms, each over 5 ms."""
_STEP = HOP / SAMPLE_RATE
_CHUNK = 8000  # frames whose spectra are held at a time
_LOW, _MID, _HIGH = slice(0, 3), slice(3, 16), slice(20, 40)  # bins of 200 Hz
_LONG = 0.1  # seconds that a knock is told to last
_APART = 16  # frames: nearer ones are one blow
_RISE, _FALL, _FAINT = 6.0, 4.0, -35.0
"""What is looked at more closely at all: dB over the 50 ms before, dB over 50-90 ms after, dB from the usual
level of the speech."""

MEASURES = (
    "rise_high",
    "rise_mid",
    "rise_low",
    "fall",
    "level_high",
    "level_mid",
    "level_low",
    "dies_low",
    "change",
)
_WEIGHTS = (-0.23, 0.70, 0.23, 2.54, 1.56, -0.01, 1.01, 0.96, -0.12)
_BIAS = -6.72
_LEAST = 0.4
_CUP = 0.5
"""A blow that is certainly one is told with this likelihood."""


@dataclass(frozen=True, slots=True, eq=False)
class Blows:
    """Moments that might be knocks: seconds, shape (n,), and their `MEASURES`, shape (n, 9), in tens of dB."""

    times: NDArray[np.float64]
    measures: NDArray[np.float64]


def knocks(samples: Samples) -> tuple[Sound, ...]:
    """Blows in order of time. `samples`: mono 16 kHz, -1..1."""
    found = blows(samples)
    raw = 1 / (1 + np.exp(-(found.measures @ np.array(_WEIGHTS) + _BIAS)))
    return tuple(
        Sound("knock", Span(micros(float(t)), micros(float(t) + _LONG)), round(_CUP * float(p), 3))
        for t, p in zip(found.times, raw, strict=True)
        if p >= _LEAST
    )


def blows(samples: Samples) -> Blows:
    """Where the part above 4 kHz leaps up and is soon gone, at most one in 40 ms."""
    low, mid, high = levels(samples)
    if len(high) < 100:
        return Blows(np.zeros(0), np.zeros((0, len(MEASURES))))
    louder = mid[mid >= np.median(mid)]
    usual = float(10 * np.log10(np.mean(10 ** (louder / 10))))
    peak = _most(high, 0, 3)
    rise = peak - _most(high, -20, -2)
    near = (rise > _RISE) & (peak - _mean(high, 20, 36) > _FALL) & (peak > usual + _FAINT)
    first = [i for i in np.flatnonzero(near) if 40 <= i < len(high) - 80]
    groups: list[list[int]] = []
    for i in first:
        if groups and i - groups[-1][-1] < _APART:
            groups[-1].append(int(i))
        else:
            groups.append([int(i)])
    at = np.array([max(g, key=lambda i: float(rise[i])) for g in groups], dtype=np.int64)
    bottom, middle = _most(low, 0, 6), _most(mid, 0, 4)
    measures = np.stack(
        [
            rise, middle - _most(mid, -20, -2), bottom - _most(low, -20, -2), peak - _mean(high, 8, 16),
            peak - usual, middle - usual, bottom - usual, bottom - _mean(low, 24, 40),
            np.abs(_mean(mid, 40, 80) - _mean(mid, -40, -4)),
        ],
        axis=1,
    )  # fmt: skip
    return Blows(
        np.asarray(at * _STEP, np.float64), np.asarray(np.clip(measures[at], -30, 30) / 10, np.float64)
    )


def levels(samples: Samples) -> tuple[Levels, Levels, Levels]:
    """dB below 600 Hz, from there to 3.2 kHz and above 4 kHz, every `HOP` samples; shape (n,) each."""
    if len(samples) < WINDOW:
        none = np.zeros(0, np.float32)
        return none, none, none
    frames = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[::HOP]
    shape = np.hanning(WINDOW).astype(np.float32)
    parts = []
    for k in range(0, len(frames), _CHUNK):
        power = np.abs(np.fft.rfft(frames[k : k + _CHUNK] * shape, axis=1)) ** 2
        bands = [power[:, band].sum(axis=1) for band in (_LOW, _MID, _HIGH)]
        parts.append(10 * np.log10(np.stack(bands) / WINDOW + 1e-10))
    low, mid, high = np.concatenate(parts, axis=1).astype(np.float32)
    return low, mid, high


def _shifted(level: Levels, first: int, last: int) -> NDArray[np.float32]:
    return np.stack([np.roll(level, -k) for k in range(first, last)])


def _most(level: Levels, first: int, last: int) -> Levels:
    """The highest of the frames from `first` to before `last`, counted from each one."""
    return np.asarray(_shifted(level, first, last).max(axis=0))


def _mean(level: Levels, first: int, last: int) -> Levels:
    return np.asarray(_shifted(level, first, last).mean(axis=0))
