"""A small convolutional net read from JSON: convolutions, a softmax, in numpy.

For questions whose answer is a pattern in a picture and not a few distances (is the mask on the
eyes). `fit_net` trains it; here it only answers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.stored import stored

Floats = npt.NDArray[np.float32]
Step = tuple[int, int]
"""Size and stride of a convolution; after each one relu and the maximum of 2 x 2."""


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """Pictures (n x side x side x channels) -> one convolution per step -> softmax.

    `parts`: weights and bias of every layer, weights as (inputs, outputs).
    """

    name: str
    classes: tuple[str, ...]
    steps: tuple[Step, ...]
    parts: tuple[Floats, ...]

    def probabilities(self, x: Floats) -> npt.NDArray[np.float64]:
        """n x classes."""
        out = []
        for i in range(0, len(x), 64):  # what lies in the cache is quick
            a = x[i : i + 64]
            for k, (size, stride) in enumerate(self.steps):
                w, b = self.parts[2 * k : 2 * k + 2]
                a, _ = pooled(np.maximum(windows(a, size, stride) @ w + b, 0))
            w, b = self.parts[-2:]
            out.append(softmax(a.reshape(len(a), -1) @ w + b))
        return np.concatenate(out).astype(float) if out else np.zeros((0, len(self.classes)))

    def to_json(self) -> str:
        def short(a: Floats) -> list[float]:
            return [float(f"{v:.3g}") for v in a.ravel()]

        return json.dumps(
            {
                "name": self.name,
                "classes": list(self.classes),
                "steps": [list(s) for s in self.steps],
                "shapes": [list(p.shape) for p in self.parts],
                "parts": [short(p) for p in self.parts],
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Net:
        d = json.loads(text)
        parts = [np.array(p, np.float32).reshape(s) for p, s in zip(d["parts"], d["shapes"], strict=True)]
        steps = tuple((int(a), int(b)) for a, b in d["steps"])
        return cls(d["name"], tuple(d["classes"]), steps, tuple(parts))

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
    n, h, w, c = x.shape
    padded = np.zeros((n, h + 2 * pad, w + 2 * pad, c), x.dtype)
    padded[:, pad : pad + h, pad : pad + w] = x
    a, b, d, e = padded.strides
    shape = (n, h // stride, w // stride, size, size * c)  # a row of the window lies in one piece
    seen = np.lib.stride_tricks.as_strided(padded, shape, (a, b * stride, d * stride, b, e))
    return np.ascontiguousarray(seen).reshape(*shape[:3], -1)


def pooled(x: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Maximum of 2 x 2, and where it was (n x H/2 x 2 x W/2 x 2 x C)."""
    n, h, w, c = x.shape
    rows = np.maximum(x[:, ::2], x[:, 1::2])
    best = np.maximum(rows[:, :, ::2], rows[:, :, 1::2])
    return best, x.reshape(n, h // 2, 2, w // 2, 2, c) == best[:, :, None, :, None]


def softmax(z: Floats) -> Floats:
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True), np.float32)
