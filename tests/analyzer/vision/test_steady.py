"""Contact times come from when a patch stands still."""

from __future__ import annotations

import numpy as np

from mafiavar.analyzer.vision.steady import steady_runs


def film(noise: float, moves: dict[int, float], n: int = 60) -> np.ndarray:
    """A patch whose look changes at the given frames (a hand that moves through it)."""
    rng = np.random.default_rng(1)
    base = np.full((n, 10, 10), 100.0)
    look = np.zeros((10, 10))
    for i in range(n):
        if i in moves:
            look = rng.normal(0, moves[i], (10, 10))
        base[i] += look
    return np.clip(base + rng.normal(0, noise, base.shape), 0, 255).astype(np.uint8)


TIMES = np.arange(60, dtype=np.int64) * 40_000


def test_a_rest_begins_and_ends_with_the_frame_of_the_movement() -> None:
    moves = {10: 30.0, 11: 30.0, 12: 30.0, 40: 30.0, 41: 30.0}
    for noise in (0.0, 3.0):
        runs = steady_runs(film(noise, moves), TIMES)
        assert [(r.first, r.last) for r in runs] == [(0, 9), (12, 39), (41, 59)]


def test_nothing_moves() -> None:
    assert [(r.first, r.last) for r in steady_runs(film(3.0, {}), TIMES)] == [(0, 59)]


def test_too_short_a_film() -> None:
    assert steady_runs(film(0.0, {}, 1), TIMES[:1]) == []


def test_something_passing_by_does_not_end_a_rest() -> None:
    patch = film(1.0, {})
    patch[20:23] = 200
    assert [(r.first, r.last) for r in steady_runs(patch, TIMES)] == [(0, 59)]
