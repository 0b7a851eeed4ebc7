"""Multinomial logistic regression: all that the small heads need, read from JSON.

Its probabilities are calibrated by construction on the data it was fitted to, it cannot blow up
far from them faster than linearly, and its weights can be looked at.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.stored import stored

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Softmax:
    """`weights`: classes x features, `bias`: classes; features are standardised by mean and scale."""

    name: str
    classes: tuple[str, ...]
    mean: Floats
    scale: Floats
    weights: Floats
    bias: Floats

    def probabilities(self, features: npt.ArrayLike) -> Floats:
        """n x features (or one row) -> n x classes."""
        x = np.atleast_2d(np.asarray(features, float))
        z = np.clip((x - self.mean) / self.scale, -6, 6) @ self.weights.T + self.bias
        z -= z.max(axis=1, keepdims=True)
        e = np.exp(z)
        return np.asarray(e / e.sum(axis=1, keepdims=True), float)

    def to_json(self) -> str:
        def short(a: Floats) -> list[float]:
            return [float(f"{v:.4g}") for v in a.ravel()]

        return json.dumps(
            {
                "name": self.name,
                "classes": list(self.classes),
                "mean": short(self.mean),
                "scale": short(self.scale),
                "weights": [short(row) for row in self.weights],
                "bias": short(self.bias),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Softmax:
        d = json.loads(text)
        return cls(
            name=d["name"],
            classes=tuple(d["classes"]),
            mean=np.array(d["mean"], float),
            scale=np.array(d["scale"], float),
            weights=np.array(d["weights"], float),
            bias=np.array(d["bias"], float),
        )

    @classmethod
    def load(cls, name: str, folder: Path | None = None) -> Softmax:
        """A head that ships with the package, by name, or from a folder.

        Raises:
            FileNotFoundError: there is none of that name.
        """
        return cls.from_json(stored(name, folder))


def fit(
    name: str,
    features: Floats,
    labels: Sequence[str],
    *,
    ridge: float = 1.0,
    sample_weight: Floats | None = None,
    classes: Sequence[str] | None = None,
) -> Softmax:
    """Least penalised cross-entropy by L-BFGS; the same data give the same head."""
    from scipy.optimize import minimize

    kinds = tuple(sorted(set(labels))) if classes is None else tuple(classes)
    y = np.array([kinds.index(v) for v in labels])
    mean = features.mean(axis=0)
    scale = features.std(axis=0) + 1e-3
    x = np.clip((features - mean) / scale, -6, 6)
    n, d = x.shape
    k = len(kinds)
    w = np.ones(n) if sample_weight is None else sample_weight
    hot = np.eye(k)[y]

    def loss(theta: Floats) -> tuple[float, Floats]:
        weights, bias = theta[: k * d].reshape(k, d), theta[k * d :]
        z = x @ weights.T + bias
        z -= z.max(axis=1, keepdims=True)
        log_sum = np.log(np.exp(z).sum(axis=1, keepdims=True))
        p = np.exp(z - log_sum)
        value = -float((w * (hot * (z - log_sum)).sum(axis=1)).sum()) + 0.5 * ridge * float(
            (weights**2).sum()
        )
        error = (p - hot) * w[:, None]
        return value, np.concatenate([(error.T @ x + ridge * weights).ravel(), error.sum(axis=0)])

    found = minimize(loss, np.zeros(k * d + k), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    theta = np.asarray(found.x, float)
    return Softmax(name, kinds, mean, scale, theta[: k * d].reshape(k, d), theta[k * d :])
