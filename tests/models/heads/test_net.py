"""The small convolutional net: learns, survives JSON, knows its own slopes; the mask's maps."""

from __future__ import annotations

import numpy as np

from mafiavar.models.heads.fit_net import Recipe, _begun, _slopes, fit_net
from mafiavar.models.heads.mask import CHANNELS, SIDE, face_of, mask_input
from mafiavar.models.heads.net import Net


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
    net = fit_net("bars", x, labels, np.ones(len(x)), Recipe(epochs=12, first=8, second=8, drop=0.1))
    again = Net.from_json(net.to_json())
    new, truth = spots(g, 100)
    p = again.probabilities(new)
    said = [again.classes[i] for i in p.argmax(axis=1)]
    assert np.mean([a == b for a, b in zip(said, truth, strict=True)]) > 0.9
    assert np.allclose(p, net.probabilities(new), atol=0.03)


def test_slopes_are_those_of_the_loss() -> None:
    g = np.random.default_rng(0)
    recipe = Recipe(first=3, second=4, drop=0.0)
    parts = [p.astype(np.float64) for p in _begun(g, recipe, 16, 2, 3)]
    x, y, weight = g.normal(size=(4, 16, 16, 2)), np.array([0, 1, 2, 1]), np.array([1.0, 2.0, 0.5, 1.0])

    def loss(values: list[np.ndarray]) -> float:
        p = Net("n", ("a", "b", "c"), recipe.size, tuple(values)).probabilities(x)  # type: ignore[arg-type]
        return float(-(weight / 4 * np.log(p[np.arange(4), y])).sum())

    slopes = _slopes(parts, x, y, weight, g, recipe)  # type: ignore[arg-type]
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
    bare = mask_input(head(None), face)
    assert bare.shape == (SIDE, SIDE, CHANNELS)
    eyes = np.s_[21:25, 18:30]
    assert bare[eyes][..., 3].mean() > 0.5
    assert bare[eyes][..., 4].mean() < 0.2
    for colour in ((15, 15, 15), (150, 40, 30), (60, 30, 120), (70, 160, 60)):
        worn = mask_input(head(colour), face)
        assert worn[eyes][..., 3].mean() < 0.0
        if colour != (15, 15, 15):  # as dark as hair is
            assert worn[eyes][..., 4].mean() > 0.5


def test_the_light_changes_little() -> None:
    face = face_of([head(None)])
    dim = (head((150, 40, 30)) * 0.5).astype(np.uint8)
    assert np.abs(mask_input(dim, face) - mask_input(head((150, 40, 30)), face)).mean() < 0.05
