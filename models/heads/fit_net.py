"""Training of `Net`: cross-entropy by Adam with weight decay; the same data give the same net."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.net import Floats, Net, pooled, softmax, windows


@dataclass(frozen=True, slots=True)
class Recipe:
    size: int = 5
    first: int = 16
    second: int = 32
    epochs: int = 14
    batch: int = 64
    rate: float = 2e-3
    decay: float = 1e-3
    drop: float = 0.3
    seed: int = 1


def fit_net(
    name: str,
    x: npt.NDArray[np.floating],
    labels: Sequence[str],
    weight: npt.NDArray[np.floating],
    recipe: Recipe = Recipe(),
) -> Net:
    """x: n x side x side x channels, side a multiple of 8. `weight`: of each picture, mean 1."""
    g = np.random.default_rng(recipe.seed)
    classes = tuple(sorted(set(labels)))
    y = np.array([classes.index(v) for v in labels])
    side, channels = x.shape[1], x.shape[3]
    parts = _begun(g, recipe, side, channels, len(classes))
    first = [np.zeros_like(p) for p in parts]
    second = [np.zeros_like(p) for p in parts]
    step = 0
    batches = max(len(x) // recipe.batch, 1)
    for _ in range(recipe.epochs):
        order = g.permutation(len(x))
        for k in range(batches):
            mine = order[k * recipe.batch : (k + 1) * recipe.batch]
            slopes = _slopes(parts, np.asarray(x[mine], np.float32), y[mine], weight[mine], g, recipe)
            step += 1
            rate = recipe.rate * 0.5 * (1 + np.cos(np.pi * step / (batches * recipe.epochs)))
            for i, s in enumerate(slopes):
                first[i] = 0.9 * first[i] + 0.1 * s
                second[i] = 0.999 * second[i] + 0.001 * s * s
                move = (first[i] / (1 - 0.9**step)) / (np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8)
                parts[i] = (parts[i] - rate * (move + (recipe.decay * parts[i] if i % 2 == 0 else 0))).astype(
                    np.float32
                )
    w1, b1, w2, b2, w3, b3 = parts
    return Net(name, classes, recipe.size, (w1, b1, w2, b2, w3, b3))


def _begun(g: np.random.Generator, r: Recipe, side: int, channels: int, classes: int) -> list[Floats]:
    shapes = (
        (r.size**2 * channels, r.first),
        (9 * r.first, r.second),
        ((side // 8) ** 2 * r.second, classes),
    )
    out: list[Floats] = []
    for a, b in shapes:
        out += [(g.normal(0, np.sqrt(2 / a), (a, b))).astype(np.float32), np.zeros(b, np.float32)]
    return out


def _slopes(
    parts: list[Floats],
    x: Floats,
    y: npt.NDArray[np.integer],
    weight: npt.NDArray[np.floating],
    g: np.random.Generator,
    r: Recipe,
) -> list[Floats]:
    """Gradients of the mean weighted cross-entropy, in the order of `parts`."""
    w1, b1, w2, b2, w3, b3 = parts
    n = len(x)
    c1 = windows(x, r.size, 2)
    a1 = np.maximum(c1 @ w1 + b1, 0)
    p1, m1 = pooled(a1)
    c2 = windows(p1, 3, 1)
    a2 = np.maximum(c2 @ w2 + b2, 0)
    p2, m2 = pooled(a2)
    kept = (g.random(p2.shape) >= r.drop).astype(np.float32) / (1 - r.drop)
    flat = (p2 * kept).reshape(n, -1)
    d = softmax(flat @ w3 + b3)
    d[np.arange(n), y] -= 1
    d *= (weight / n)[:, None].astype(np.float32)
    dw3, db3 = flat.T @ d, d.sum(axis=0)
    back = (d @ w3.T).reshape(p2.shape) * kept
    da2 = _unpooled(back, m2, a2)
    dw2, db2 = _sums(c2, da2)
    turned = w2.reshape(3, 3, -1, w2.shape[1])[::-1, ::-1].transpose(0, 1, 3, 2).reshape(-1, w1.shape[1])
    da1 = _unpooled(windows(da2, 3, 1) @ turned, m1, a1)
    dw1, db1 = _sums(c1, da1)
    return [dw1, db1, dw2, db2, dw3, db3]


def _unpooled(d: Floats, where: npt.NDArray[np.bool_], a: Floats) -> Floats:
    whole = (where * d[:, :, None, :, None]).reshape(a.shape)
    return np.asarray(whole * (a > 0), np.float32)


def _sums(seen: Floats, d: Floats) -> tuple[Floats, Floats]:
    flat = d.reshape(-1, d.shape[-1])
    return seen.reshape(-1, seen.shape[-1]).T @ flat, flat.sum(axis=0)
