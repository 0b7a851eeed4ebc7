"""Training of `Net`: cross-entropy by Adam with weight decay; the same data give the same net."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.net import Floats, Net, Step, pooled, softmax, windows


@dataclass(frozen=True, slots=True)
class Recipe:
    """`steps` and `widths`: size, stride and outputs of each convolution."""

    steps: tuple[Step, ...] = ((5, 2), (3, 1), (3, 1))
    widths: tuple[int, ...] = (16, 48, 64)
    epochs: int = 40
    batch: int = 64
    rate: float = 2.5e-3
    decay: float = 5e-4
    drop: float = 0.2
    seed: int = 1


class Examples(Protocol):
    """What a net is trained on: pictures made when they are needed, so that no epoch shows the same."""

    def batch(self, which: npt.NDArray[np.integer], g: np.random.Generator) -> Floats:
        """n x side x side x channels; side a multiple of all strides and of 2 for every step."""
        ...


def fit_net(
    name: str,
    examples: Examples,
    targets: npt.NDArray[np.floating],
    classes: Sequence[str],
    weight: npt.NDArray[np.floating],
    recipe: Recipe = Recipe(),
) -> Net:
    """`targets`: n x classes, what each picture shows (rows sum to one; a doubtful one is shared).
    `weight`: of each picture, mean 1."""
    g = np.random.default_rng(recipe.seed)
    y = np.asarray(targets, np.float32)
    parts = begun(g, recipe, examples.batch(np.arange(1), g).shape[1:], len(classes))
    first = [np.zeros_like(p) for p in parts]
    second = [np.zeros_like(p) for p in parts]
    step = 0
    batches = max(len(y) // recipe.batch, 1)
    for _ in range(recipe.epochs):
        order = g.permutation(len(y))
        for k in range(batches):
            mine = order[k * recipe.batch : (k + 1) * recipe.batch]
            slopes = slopes_of(parts, examples.batch(mine, g), y[mine], weight[mine], g, recipe)
            step += 1
            rate = recipe.rate * 0.5 * (1 + np.cos(np.pi * step / (batches * recipe.epochs)))
            for i, s in enumerate(slopes):
                first[i] = 0.9 * first[i] + 0.1 * s
                second[i] = 0.999 * second[i] + 0.001 * s * s
                move = (first[i] / (1 - 0.9**step)) / (np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8)
                shrink = recipe.decay * parts[i] if i % 2 == 0 else 0
                parts[i] = (parts[i] - rate * (move + shrink)).astype(np.float32)
    return Net(name, tuple(classes), recipe.steps, tuple(parts))


def begun(g: np.random.Generator, r: Recipe, shape: tuple[int, ...], classes: int) -> list[Floats]:
    """Weights before the first step, for pictures of `shape` (side, side, channels)."""
    side, _, channels = shape
    shapes = []
    for (size, stride), width in zip(r.steps, r.widths, strict=True):
        shapes.append((size**2 * channels, width))
        side, channels = side // stride // 2, width
    shapes.append((side**2 * channels, classes))
    out: list[Floats] = []
    for a, b in shapes:
        out += [(g.normal(0, np.sqrt(2 / a), (a, b))).astype(np.float32), np.zeros(b, np.float32)]
    return out


def slopes_of(
    parts: Sequence[Floats],
    x: Floats,
    y: Floats,
    weight: npt.NDArray[np.floating],
    g: np.random.Generator,
    r: Recipe,
) -> list[Floats]:
    """Gradients of the mean weighted cross-entropy, in the order of `parts`."""
    kept: list[tuple[Floats, Floats, npt.NDArray[np.bool_]]] = []
    a = x
    for k, (size, stride) in enumerate(r.steps):
        seen = windows(a, size, stride)
        lit = np.maximum(seen @ parts[2 * k] + parts[2 * k + 1], 0)
        a, best = pooled(lit)
        kept.append((seen, lit, best))
    n = len(x)
    through = (g.random(a.shape) >= r.drop).astype(np.float32) / (1 - r.drop)
    flat = (a * through).reshape(n, -1)
    d = (softmax(flat @ parts[-2] + parts[-1]) - y) * (weight / n)[:, None].astype(np.float32)
    slopes = [flat.T @ d, d.sum(axis=0)]
    back = (d @ parts[-2].T).reshape(a.shape) * through
    for k in range(len(r.steps) - 1, -1, -1):
        seen, lit, best = kept[k]
        spread = np.asarray(best * back[:, :, None, :, None], np.float32).reshape(lit.shape)
        spread *= lit > 0
        slopes = [*_sums(seen, spread), *slopes]
        if k:
            back = _seen_back(spread, parts[2 * k], r.steps[k])
    return slopes


def _seen_back(spread: Floats, w: Floats, step: Step) -> Floats:
    """Slopes for what a convolution of stride 1 was given."""
    size, stride = step
    if stride != 1:
        raise ValueError("only the first convolution may have a stride")
    outputs = w.shape[1]
    turned = (
        w.reshape(size, size, -1, outputs)[::-1, ::-1].transpose(0, 1, 3, 2).reshape(size**2 * outputs, -1)
    )
    return windows(spread, size, 1) @ turned


def _sums(seen: Floats, d: Floats) -> tuple[Floats, Floats]:
    flat = d.reshape(-1, d.shape[-1])
    return seen.reshape(-1, seen.shape[-1]).T @ flat, flat.sum(axis=0)
