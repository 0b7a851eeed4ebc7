"""Voice activity: every detector tells a voice-like burst from silence; stretches keep their promises."""

from __future__ import annotations

import numpy as np
import pytest

from mafiavar.models.speech import (
    HOP,
    SAMPLE_RATE,
    ActivityOptions,
    EnergyActivity,
    SileroActivity,
    VoiceActivity,
    stretches,
)


@pytest.fixture(params=[EnergyActivity, SileroActivity])
def activity(request: pytest.FixtureRequest) -> VoiceActivity:
    return request.param()


@pytest.mark.parametrize("length", [0, 1, HOP, HOP + 1, 3 * SAMPLE_RATE])
def test_a_value_for_every_hop(activity: VoiceActivity, length: int) -> None:
    p = activity.probabilities(np.zeros(length, np.float32))
    assert p.shape == (-(-length // HOP),)
    assert np.all((p >= 0) & (p <= 1))


def test_silence_is_not_speech(activity: VoiceActivity) -> None:
    quiet = np.random.default_rng(1).normal(0, 1e-4, 5 * SAMPLE_RATE).astype(np.float32)
    assert stretches(activity.probabilities(quiet)) == ()


def test_blocks_join_without_a_seam() -> None:
    """Longer than a block of the detector: still one value for every hop."""
    long = np.zeros(601 * SAMPLE_RATE, np.float32)
    assert len(SileroActivity().probabilities(long)) == -(-len(long) // HOP)


def test_hysteresis_pads_and_cuts() -> None:
    p = np.zeros(1000, np.float32)
    p[100:120] = 0.9
    p[124:140] = 0.9  # a gap of 0.13 s does not part them
    p[300:301] = 0.5  # too short
    p[400:800] = 0.9
    p[600] = 0.3
    found = stretches(p, ActivityOptions(max_stretch=10.0))
    assert len(found) == 3
    assert found[0].start == pytest.approx(100 * 0.032 - 0.2)
    assert found[0].end == pytest.approx(140 * 0.032 + 0.2)
    assert found[1].end == found[2].start == pytest.approx(600.5 * 0.032)
    assert all(c.duration <= 10.0 for c in found)
