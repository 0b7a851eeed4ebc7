"""What a voice embedder is, and its deterministic fake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 192

Embedding = NDArray[np.float32]
"""Shape (DIMENSIONS,), unit length: the cosine of two voices is their dot product."""

Samples = NDArray[np.float32]


class VoiceEmbedder(Protocol):
    """Vectors of voices. Deterministic."""

    @property
    def name(self) -> str: ...

    def embed(self, sounds: Sequence[Samples]) -> NDArray[np.float32]:
        """Mono 16 kHz sounds of at least 0.1 s -> shape (len(sounds), DIMENSIONS), rows of unit length."""
        ...


class ToneVoices:
    """The fake: a voice is its pitch. Sounds of one frequency get one vector, others another."""

    @property
    def name(self) -> str:
        return "tone"

    def embed(self, sounds: Sequence[Samples]) -> NDArray[np.float32]:
        return (
            np.stack([_tone(sound) for sound in sounds]) if sounds else np.zeros((0, DIMENSIONS), np.float32)
        )


def _tone(sound: Samples) -> Embedding:
    spectrum = np.abs(np.fft.rfft(sound, 16_000))
    vector = np.zeros(DIMENSIONS, np.float32)
    vector[int(np.argmax(spectrum)) // 25 % DIMENSIONS] = 1.0
    return vector
