"""Knocks on the table: in silence, in the middle of speech, and what is none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mafiavar.analyzer.media import recording, sound
from mafiavar.analyzer.speech.knocks import knocks
from mafiavar.models.speech import Samples

RATE = 16_000
SPOKEN = Path(__file__).parents[3] / "sample_videos" / "disputed_nomination.mp4"


def knuckle(strength: float, seed: int = 1) -> Samples:
    """A thump of 190 Hz that dies in 50 ms and a click that dies in 10."""
    t = np.arange(1920) / RATE
    click = 0.5 * np.random.default_rng(seed).normal(0, 1, len(t)) * np.exp(-t * 220)
    return (strength * (np.sin(2 * np.pi * 190 * t) * np.exp(-t * 60) + click)).astype(np.float32)


def hall(seconds: float = 4) -> Samples:
    return np.random.default_rng(0).normal(0, 1e-3, round(seconds * RATE)).astype(np.float32)


def test_a_knock_in_silence_is_told_with_its_moment() -> None:
    quiet = hall()
    quiet[2 * RATE : 2 * RATE + 1920] += knuckle(0.3)
    (found,) = knocks(quiet)
    assert found.kind == "knock" and abs(found.span.t0 - 2_000_000) < 30_000
    assert found.likelihood <= 0.5, "a cup sounds the same: sound alone accuses nobody"


@pytest.mark.parametrize("kind", ["hiss", "tone", "nothing", "short"])
def test_what_does_not_leap_up_or_stays_is_no_knock(kind: str) -> None:
    noise = hall()
    t = np.arange(RATE) / RATE
    if kind == "hiss":  # «с» of 150 ms
        noise[2 * RATE : 2 * RATE + 2400] += np.random.default_rng(2).normal(0, 0.2, 2400).astype(np.float32)
    elif kind == "tone":
        noise[2 * RATE : 3 * RATE] += (0.3 * np.sin(2 * np.pi * 440 * t)).astype(np.float32)
    assert not knocks(noise[:50] if kind == "short" else noise)


@pytest.fixture(scope="module")
def speech() -> Samples:
    return sound.samples(recording.index(SPOKEN))


def test_speech_alone_knocks_hardly_ever(speech: Samples) -> None:
    assert len(knocks(speech)) <= 1


def test_most_hard_knocks_are_heard_through_speech(speech: Samples) -> None:
    struck = speech.copy()
    level = np.convolve(np.abs(speech), np.ones(RATE // 4), mode="same")
    loud = [i for i in range(RATE, len(speech) - RATE, RATE) if level[i] > np.median(level)]
    for k, i in enumerate(loud):
        struck[i : i + 1920] += knuckle(0.35, k)
    heard = [s.span.t0 / 1e6 for s in knocks(struck)]
    found = sum(any(abs(i / RATE - t) < 0.06 for t in heard) for i in loud)
    assert len(loud) >= 8 and found >= 0.5 * len(loud)
    assert len(heard) - found <= 1
