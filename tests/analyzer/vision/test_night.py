"""Departures from a seat's own usual look."""

from __future__ import annotations

import numpy as np

from mafiavar.analyzer.vision.night import departed, runs, smoothed

TIMES = np.arange(50, dtype=np.int64) * 200_000


def test_a_departure_shows_and_a_change_of_light_does_not() -> None:
    g = np.random.default_rng(0)
    usual = g.integers(40, 160, (24, 24))
    shown = np.stack([usual + g.normal(0, 2, usual.shape) for _ in range(50)])
    shown[10:18] = np.roll(usual, 6, axis=0)
    shown[30:40] *= 1.2
    away = departed(np.clip(shown, 0, 255).astype(np.uint8))
    assert away[10:18].all()
    assert not away[:10].any() and not away[18:].any()


def test_runs_close_short_gaps_and_drop_short_stretches() -> None:
    flags = np.zeros(50, bool)
    flags[5:10] = flags[12:15] = flags[30] = True
    assert runs(flags, TIMES, 800_000) == [(5, 14)]


def test_one_bad_sample_is_nothing() -> None:
    values = np.full(20, 0.9)
    values[7] = 0.0
    assert (smoothed(values) == 0.9).all()
