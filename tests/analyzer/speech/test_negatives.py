"""What is not speech commands nothing: the real detector and recogniser on music, noise and silence."""

from __future__ import annotations

import numpy as np
import pytest

from mafiavar.analyzer.speech import cues_of, hear
from mafiavar.models.errors import ModelMissing
from mafiavar.models.registry import locate
from mafiavar.models.speech import SAMPLE_RATE, Samples, WhisperRecogniser

SECONDS = 12


def music() -> Samples:
    t = np.arange(SECONDS * SAMPLE_RATE) / SAMPLE_RATE
    chords = [sum(np.sin(2 * np.pi * f * t) for f in (b, b * 1.26, b * 1.5)) for b in (196.0, 220.0)]
    return (0.08 * np.where((t // 2) % 2 == 0, chords[0], chords[1])).astype(np.float32)


def noise() -> Samples:
    return np.random.default_rng(5).normal(0, 0.03, SECONDS * SAMPLE_RATE).astype(np.float32)


@pytest.mark.real
@pytest.mark.parametrize(
    "sound",
    [music(), noise(), np.zeros(SECONDS * SAMPLE_RATE, np.float32)],
    ids=["music", "noise", "silence"],
)
def test_no_command_without_a_voice(sound: Samples) -> None:
    try:
        recogniser = WhisperRecogniser(locate("whisper-base"))
    except ModelMissing as error:
        pytest.skip(f"missing here: {error} (mafiavar models fetch)")
    transcript = hear(sound, SAMPLE_RATE, recogniser=recogniser)
    assert [c for c in cues_of(transcript) if c.about != "sound" and c.likelihood >= 0.3] == []
