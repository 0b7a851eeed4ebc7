"""Where somebody speaks: a probability every 32 ms, and stretches made from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mafiavar.models.speech.recogniser import SAMPLE_RATE, Clip, Samples

HOP = 512
"""Samples per probability (32 ms at 16 kHz)."""
_BLOCK = 600 * SAMPLE_RATE // HOP * HOP
_WARM_UP = 64 * HOP

Probabilities = NDArray[np.float32]


class VoiceActivity(Protocol):
    """Probability of speech per hop."""

    @property
    def name(self) -> str: ...

    def probabilities(self, samples: Samples) -> Probabilities:
        """Shape (ceil(n / HOP),), values in 0..1."""
        ...


class SileroActivity:
    """Silero VAD as it ships with faster-whisper: no download, about 0.003 CPU-s per second."""

    @property
    def name(self) -> str:
        return "silero-v6"

    def probabilities(self, samples: Samples) -> Probabilities:
        from faster_whisper.vad import get_vad_model

        model: Any = get_vad_model()
        parts = [np.zeros(0, np.float32)]
        for start in range(0, len(samples), _BLOCK):
            warm = min(start, _WARM_UP)
            block = np.asarray(samples[start - warm : start + _BLOCK], dtype=np.float32)
            padded = np.pad(block, (0, -len(block) % HOP))
            parts.append(np.asarray(model(padded), dtype=np.float32).reshape(-1)[warm // HOP :])
        joined: Probabilities = np.concatenate(parts)
        return joined


class EnergyActivity:
    """The deterministic fake: loud is speech. Threshold in dB below full scale."""

    def __init__(self, threshold_db: float = -45.0) -> None:
        self._threshold = threshold_db

    @property
    def name(self) -> str:
        return f"energy{self._threshold:g}"

    def probabilities(self, samples: Samples) -> Probabilities:
        padded = np.pad(np.asarray(samples, dtype=np.float32), (0, -len(samples) % HOP)).reshape(-1, HOP)
        level = 10 * np.log10(np.mean(padded**2, axis=1) + 1e-12)
        loud: Probabilities = (level > self._threshold).astype(np.float32)
        return loud


@dataclass(frozen=True, slots=True)
class ActivityOptions:
    """Hysteresis over the probabilities; seconds.

    Speech begins above `threshold`, ends after `min_silence` below `threshold - 0.15`. Stretches
    shorter than `min_speech` are dropped, the rest grow by `pad` on both sides (never into a
    neighbour). Longer ones than `max_stretch` are cut where the probability is lowest.
    """

    threshold: float = 0.35
    min_silence: float = 0.30
    min_speech: float = 0.06
    pad: float = 0.20
    max_stretch: float = 28.0


def stretches(probabilities: Probabilities, options: ActivityOptions | None = None) -> tuple[Clip, ...]:
    """Stretches of speech in seconds, in order, not overlapping."""
    options = options or ActivityOptions()
    hop = HOP / SAMPLE_RATE
    end_of_sound = len(probabilities) * hop
    raw = [
        (a * hop, b * hop)
        for a, b in _runs(probabilities, options, round(options.min_silence / hop))
        if (b - a) * hop >= options.min_speech
    ]
    padded: list[Clip] = []
    for i, (start, end) in enumerate(raw):
        before = raw[i - 1][1] if i else 0.0
        after = raw[i + 1][0] if i + 1 < len(raw) else end_of_sound
        padded.append(
            Clip(
                max(start - options.pad, (before + start) / 2 if i else 0.0),
                min(end + options.pad, (end + after) / 2 if i + 1 < len(raw) else end_of_sound),
            )
        )
    return tuple(piece for clip in padded for piece in _cut(clip, probabilities, options.max_stretch))


def _runs(
    probabilities: Probabilities, options: ActivityOptions, min_silence: int
) -> Iterator[tuple[int, int]]:
    """Half-open index ranges of speech after hysteresis."""
    low = max(options.threshold - 0.15, 0.01)
    start: int | None = None
    last_voice = 0
    for i, p in enumerate(probabilities):
        if start is None:
            if p >= options.threshold:
                start, last_voice = i, i
        elif p >= low:
            last_voice = i
        elif i - last_voice >= min_silence:
            yield start, last_voice + 1
            start = None
    if start is not None:
        yield start, last_voice + 1


def _cut(clip: Clip, probabilities: Probabilities, longest: float) -> Iterator[Clip]:
    """Cuts a clip into pieces of at most `longest`, each time at the quietest hop of its second half."""
    hop = HOP / SAMPLE_RATE
    while clip.duration > longest:
        a = int((clip.start + longest / 2) / hop)
        b = max(int((clip.start + longest) / hop) - 1, a + 1)
        at = (a + int(np.argmin(probabilities[a:b])) + 0.5) * hop
        yield Clip(clip.start, at)
        clip = Clip(at, clip.end)
    yield clip
