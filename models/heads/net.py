"""A small convolutional net read from JSON: two convolutions and a softmax, in numpy.

For the one question whose answer is a pattern in a picture and not a few distances (is the mask on
the eyes). `fit_net` trains it; here it only answers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.stored import stored

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """Pictures (n x side x side x channels) -> conv `size`/2, relu, pool 2, conv 3, relu, pool 2, softmax.

    `parts`: weights and bias of the three layers, weights as (inputs, outputs).
    """

    name: str
    classes: tuple[str, ...]
    size: int
    parts: tuple[Floats, Floats, Floats, Floats, Floats, Floats]

    def probabilities(self, x: Floats) -> npt.NDArray[np.float64]:
        """n x classes."""
        w1, b1, w2, b2, w3, b3 = self.parts
        out = []
        for i in range(0, len(x), 64):  # what lies in the cache is quick
            a, _ = pooled(np.maximum(windows(x[i : i + 64], self.size, 2) @ w1 + b1, 0))
            a, _ = pooled(np.maximum(windows(a, 3, 1) @ w2 + b2, 0))
            out.append(softmax(a.reshape(len(a), -1) @ w3 + b3))
        return np.concatenate(out).astype(float) if out else np.zeros((0, len(self.classes)))

    def to_json(self) -> str:
        def short(a: Floats) -> list[float]:
            return [float(f"{v:.3g}") for v in a.ravel()]

        return json.dumps(
            {
                "name": self.name,
                "classes": list(self.classes),
                "size": self.size,
                "shapes": [list(p.shape) for p in self.parts],
                "parts": [short(p) for p in self.parts],
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Net:
        d = json.loads(text)
        w1, b1, w2, b2, w3, b3 = (
            np.array(p, np.float32).reshape(s) for p, s in zip(d["parts"], d["shapes"], strict=True)
        )
        return cls(d["name"], tuple(d["classes"]), int(d["size"]), (w1, b1, w2, b2, w3, b3))

    @classmethod
    def load(cls, name: str, folder: Path | None = None) -> Net:
        """A net that ships with the package, by name, or from a folder.

        Raises:
            FileNotFoundError: there is none of that name.
        """
        return cls.from_json(stored(name, folder))


def windows(x: Floats, size: int, stride: int) -> Floats:
    """n x H x W x C -> n x H/stride x W/stride x (size * size * C): what each output sees, zeros beyond."""
    pad = size // 2
    padded = np.pad(x, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    seen = np.lib.stride_tricks.sliding_window_view(padded, (size, size), axis=(1, 2))
    seen = seen[:, ::stride, ::stride].transpose(0, 1, 2, 4, 5, 3)
    return np.ascontiguousarray(seen).reshape(*seen.shape[:3], -1)


def pooled(x: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Maximum of 2 x 2, and where it was (n x H/2 x 2 x W/2 x 2 x C)."""
    n, h, w, c = x.shape
    cells = x.reshape(n, h // 2, 2, w // 2, 2, c)
    best = cells.max(axis=(2, 4))
    return best, cells == best[:, :, None, :, None]


def softmax(z: Floats) -> Floats:
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True), np.float32)
