"""The small convolutional net: learns, survives JSON, knows its own slopes; the mask's maps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from mafiavar.models.heads.fit_net import Recipe, begun, fit_net, slopes_of
from mafiavar.models.heads.net import Net
from mafiavar.models.heads.seated import (
    ARMS,
    CHEST_CHANNELS,
    HEAD_CHANNELS,
    HEAD_CLASSES,
    NOBODY,
    SIDE,
    face_of,
    head_input,
)

SMALL = Recipe(steps=((5, 2), (3, 1)), widths=(8, 8), epochs=12, drop=0.1)


@dataclass(frozen=True, slots=True)
class Fixed:
    """Examples that are always shown as they are."""

    x: np.ndarray

    def batch(self, which: np.ndarray, g: np.random.Generator) -> np.ndarray:
        return self.x[which]


def spots(g: np.random.Generator, n: int) -> tuple[np.ndarray, list[str]]:
    """Noise with a bright bar, lying or standing, anywhere."""
    x = g.normal(0, 0.3, (n, 16, 16, 1)).astype(np.float32)
    labels = []
    for i in range(n):
        a, b = g.integers(1, 9, 2)
        lying = bool(g.random() < 0.5)
        x[i, a : a + (3 if lying else 7), b : b + (7 if lying else 3), 0] += 2
        labels.append("lying" if lying else "standing")
    return x, labels


def test_learns_what_lies_and_what_stands_and_survives_json() -> None:
    g = np.random.default_rng(0)
    x, labels = spots(g, 600)
    classes = ("lying", "standing")
    targets = np.array([[name == c for c in classes] for name in labels], float)
    net = fit_net("bars", Fixed(x), targets, classes, np.ones(len(x)), SMALL)
    again = Net.from_json(net.to_json())
    new, truth = spots(g, 100)
    p = again.probabilities(new)
    said = [again.classes[i] for i in p.argmax(axis=1)]
    assert np.mean([a == b for a, b in zip(said, truth, strict=True)]) > 0.9
    assert np.allclose(p, net.probabilities(new), atol=0.03)


def test_slopes_are_those_of_the_loss() -> None:
    g = np.random.default_rng(0)
    recipe = Recipe(widths=(3, 4, 5), drop=0.0)
    parts = [p.astype(np.float64) for p in begun(g, recipe, (16, 16, 2), 3)]
    x, weight = g.normal(size=(4, 16, 16, 2)), np.array([1.0, 2.0, 0.5, 1.0])
    y = np.array([[1, 0, 0], [0, 0.5, 0.5], [0, 0, 1], [0, 1, 0]], float)

    def loss(values: list[np.ndarray]) -> float:
        p = Net("n", ("a", "b", "c"), recipe.steps, tuple(values)).probabilities(x)
        return float(-((weight / 4)[:, None] * y * np.log(p)).sum())

    slopes = slopes_of(parts, x, y, weight, g, recipe)
    for i, (part, slope) in enumerate(zip(parts, slopes, strict=True)):
        k = tuple(int(g.integers(0, d)) for d in part.shape)
        up, down = ([q.copy() for q in parts] for _ in range(2))
        up[i][k] += 1e-4
        down[i][k] -= 1e-4
        assert abs((loss(up) - loss(down)) / 2e-4 - slope[k]) < 1e-3


def head(band: tuple[int, int, int] | None) -> np.ndarray:
    """A face of skin under hair on a grey wall; with an eye band of a colour (BGR)."""
    image = np.full((96, 96, 3), (120, 110, 100), np.uint8)
    image[20:80, 28:68] = (130, 165, 215)
    image[14:30, 26:70] = (30, 40, 60)
    if band is not None:
        image[40:52, 26:70] = band
    return image


def test_a_band_in_any_colour_is_not_skin_and_new() -> None:
    face = face_of([head(None)])
    bare = head_input(head(None), face)
    assert bare.shape == (SIDE, SIDE, HEAD_CHANNELS)
    eyes = np.s_[21:25, 18:30]
    assert bare[eyes][..., 3].mean() > 0.5
    assert bare[eyes][..., 4].mean() < 0.2
    for colour in ((15, 15, 15), (150, 40, 30), (60, 30, 120), (70, 160, 60)):
        worn = head_input(head(colour), face)
        assert worn[eyes][..., 3].mean() < 0.0
        if colour != (15, 15, 15):  # as dark as hair is
            assert worn[eyes][..., 4].mean() > 0.5


def test_the_light_changes_little() -> None:
    face = face_of([head(None)])
    dim = (head((150, 40, 30)) * 0.5).astype(np.uint8)
    assert np.abs(head_input(dim, face) - head_input(head((150, 40, 30)), face)).mean() < 0.05


def test_of_a_stranger_no_colour_is_new() -> None:
    assert (head_input(head((150, 40, 30)), NOBODY)[..., 4] < 0).all()


@pytest.mark.parametrize(
    ("name", "classes", "channels"),
    [("night_head", HEAD_CLASSES, HEAD_CHANNELS), ("night_arms", ARMS, CHEST_CHANNELS)],
)
def test_shipped_nets_are_small_and_whole(name: str, classes: tuple[str, ...], channels: int) -> None:
    net = Net.load(name)
    assert net.classes == classes
    p = net.probabilities(np.zeros((2, SIDE, SIDE, channels), np.float32))
    assert p.shape == (2, len(classes)) and np.allclose(p.sum(axis=1), 1)
    assert len(net.to_json()) < 1_000_000
