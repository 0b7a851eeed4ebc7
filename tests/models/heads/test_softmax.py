"""The small heads: fitted, written, read back, shipped."""

from __future__ import annotations

import numpy as np
import pytest

from mafiavar.models.heads import HandHeads, Softmax
from mafiavar.models.heads.softmax import fit


def test_fit_tells_apart_what_can_be_told_apart_and_survives_json() -> None:
    g = np.random.default_rng(0)
    x = np.vstack([g.normal(m, 1, (60, 4)) for m in (-2, 0, 2)])
    y = ["a"] * 60 + ["b"] * 60 + ["c"] * 60
    head = fit("test", x, y)
    p = head.probabilities(x)
    assert np.allclose(p.sum(axis=1), 1)
    assert np.mean([head.classes[i] == t for i, t in zip(p.argmax(axis=1), y, strict=True)]) > 0.9
    again = Softmax.from_json(head.to_json())
    assert np.allclose(again.probabilities(x), p, atol=0.01)


@pytest.mark.parametrize("name", ["hand_shape", "fist_stance", "finger_count", "sign"])
def test_shipped_heads_are_small_and_whole(name: str) -> None:
    head = Softmax.load(name)
    assert head.weights.shape == (len(head.classes), len(head.mean)) == (len(head.bias), len(head.scale))
    assert len(head.to_json()) < 1_000_000


def test_a_reading_does_not_depend_on_size_or_place_of_the_hand() -> None:
    g = np.random.default_rng(1)
    hand = g.normal(0, 0.04, (21, 3))
    heads = HandHeads()
    a, b = heads.read([hand], 0.6), heads.read([hand * 1.7 + 0.3], 0.6)
    assert a.fist == pytest.approx(b.fist, abs=1e-6) and a.vertical == pytest.approx(b.vertical, abs=1e-6)
