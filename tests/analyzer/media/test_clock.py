"""Two recordings of one room are put on one clock by their sound."""

from __future__ import annotations

import numpy as np
import pytest

from mafiavar.analyzer.media.clock import offset
from mafiavar.analyzer.media.sound import RATE


def talk(rng: np.random.Generator, seconds: float) -> np.ndarray:
    """Noise in bursts, as speech is."""
    n = int(seconds * RATE)
    gate = np.repeat(rng.random(int(seconds * 5) + 1) > 0.4, RATE // 5)[:n]
    return (rng.normal(0, 0.1, n) * gate).astype(np.float32)


@pytest.mark.parametrize("shift", [0.0, 7.318, -3.25])
def test_offset_is_found_through_noise_gain_and_polarity(shift: float) -> None:
    rng = np.random.default_rng(5)
    room = talk(rng, 60)
    k = round(abs(shift) * RATE)
    first, second = (room, room[k:]) if shift >= 0 else (room[k:], room)
    second = (-0.3 * second + rng.normal(0, 0.01, len(second))).astype(np.float32)
    found = offset(first, second)
    assert found is not None
    assert abs(found.shift - shift * 1e6) < 500  # half a millisecond
    assert found.certainty > 0.3


def test_other_rooms_are_uncertain_and_silence_is_nothing() -> None:
    rng = np.random.default_rng(6)
    found = offset(talk(rng, 60), talk(rng, 60))
    assert found is None or found.certainty < 0.3
    assert offset(np.zeros(10 * RATE, np.float32), talk(rng, 10)) is None
