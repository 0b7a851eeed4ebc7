"""Several recordings of one game: each utterance from the channel that has it best."""

from __future__ import annotations

import numpy as np
import pytest

from mafiavar.analyzer.speech.channels import Channel, best_of
from mafiavar.models.speech import SAMPLE_RATE, EnergyActivity, Samples

BURSTS = tuple(range(2, 40, 4))
LENGTH = 42


def speech() -> Samples:
    """A second of coloured noise every four seconds: a different one each time, as words are."""
    sound = np.zeros(LENGTH * SAMPLE_RATE, np.float32)
    for at in BURSTS:
        word = np.random.default_rng(at).normal(0, 0.1, SAMPLE_RATE)
        sound[at * SAMPLE_RATE : (at + 1) * SAMPLE_RATE] = np.convolve(word, np.ones(4) / 2, mode="same")
    return sound


def room(level: float, seed: int) -> Samples:
    return np.random.default_rng(seed).normal(0, level, LENGTH * SAMPLE_RATE).astype(np.float32)


def correlation(a: Samples, b: Samples) -> float:
    return float(np.corrcoef(a, b)[0, 1])


def chosen(*channels: Channel) -> list[int]:
    return [c.channel for c in best_of(channels, EnergyActivity(-35.0))[1]]


def test_one_channel_is_itself() -> None:
    sound = speech()
    track, choices = best_of([Channel(sound)], EnergyActivity())
    assert np.array_equal(track, sound) and [c.channel for c in choices] == [0]


def test_no_channel() -> None:
    with pytest.raises(ValueError, match="at least one"):
        best_of([], EnergyActivity())


def test_the_cleaner_half_of_each() -> None:
    """The first is noisy in its second half, the second in its first; loudness does not matter."""
    half = LENGTH * SAMPLE_RATE // 2
    noise = room(0.012, 1)
    first, second = speech() + room(0.001, 2), 0.3 * (speech() + room(0.001, 3))
    first[half:] += noise[half:]
    second[:half] += 0.3 * noise[:half]
    track, choices = best_of([Channel(first), Channel(second)], EnergyActivity(-35.0))
    assert len(choices) == len(BURSTS)
    # Near the border the hush of both halves is looked at.
    assert {c.channel for c in choices if c.end < 14} == {0}
    assert {c.channel for c in choices if c.start > 28} == {1}
    assert correlation(track, speech()) > max(correlation(first, speech()), correlation(second, speech()))


def test_a_dead_channel_is_not_clean() -> None:
    dead = np.zeros(LENGTH * SAMPLE_RATE, np.float32)
    assert set(chosen(Channel(dead), Channel(speech() + room(0.01, 1)))) == {1}


def test_a_clipped_channel_is_worth_less() -> None:
    loud = np.clip(30 * (speech() + room(0.0003, 4)), -1, 1)
    assert set(chosen(Channel(loud), Channel(speech() + room(0.001, 5)))) == {1}


def test_a_channel_that_starts_later_and_ends_earlier() -> None:
    noisy, clean = speech() + room(0.02, 1), speech() + room(0.001, 2)
    late = Channel(clean[12 * SAMPLE_RATE : 30 * SAMPLE_RATE], shift=12_000_000)
    choices = best_of([Channel(noisy), late], EnergyActivity(-25.0))[1]
    assert {c.channel for c in choices if c.start > 13 and c.end < 29} == {1}
    assert {c.channel for c in choices if c.end < 12 or c.start > 30} == {0}


@pytest.mark.parametrize("drift", [-0.15, 0.02, 0.2])
def test_drift_of_the_clocks_is_undone(drift: float) -> None:
    noisy, clean = speech() + room(0.02, 1), speech() + room(0.001, 2)
    moved = np.roll(clean, round(drift * SAMPLE_RATE))
    track, choices = best_of([Channel(noisy), Channel(moved)], EnergyActivity(-25.0))
    assert {c.channel for c in choices} == {1}
    assert {c.drift for c in choices} == {-round(drift * SAMPLE_RATE)}
    assert correlation(track, speech()) > 0.95
