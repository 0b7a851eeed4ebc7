"""CAM++ speaker embeddings on onnxruntime, built from the published PyTorch weights without PyTorch.

Network: Wang et al., "CAM++: A Fast and Efficient Network for Speaker Verification Using
Context-Aware Masking", Interspeech 2023. The weights are those of 3D-Speaker's common zh-en model.
Context masking pools over segments of 100 steps (2 s); pieces here are at most that long, so that
a segment is always the whole piece; a longer sound is the mean of its pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mafiavar.models.voices.embedder import DIMENSIONS, Samples
from mafiavar.models.voices.fbank import BANDS, fbank
from mafiavar.models.voices.session import Builder, Network, State, weights_file

WEIGHTS = "campplus_cn_en_common.pt"
_PIECE = 2 * 16_000
_SHORTEST = 1_600
_LEAST_FRAMES = 30
_TOGETHER = 32
"""Pieces of one length that are put through the network at once."""
_BLOCKS = ((12, 1), (24, 2), (16, 2))
"""Layers and dilation of the three dense blocks."""


class _Builder(Builder):
    """The network, layer by layer, in the order of the forward pass."""

    def norm(self, x: str, name: str) -> str:
        mean = self.state[f"{name}.running_mean"].astype(np.float32)
        plain = {"weight": np.ones_like(mean), "bias": np.zeros_like(mean)}
        scale, bias = (
            self.state.get(f"{name}.{part}", plain[part]).astype(np.float32) for part in ("weight", "bias")
        )
        variance = self.state[f"{name}.running_var"].astype(np.float32)
        inputs = [x, *(self.graph.constant(v) for v in (scale, bias, mean, variance))]
        return self.graph.op("BatchNormalization", inputs, epsilon=1e-5)

    def relu(self, x: str) -> str:
        return self.graph.op("Relu", [x])

    def conv(self, x: str, name: str, stride: Sequence[int], pad: Sequence[int], dilation: int = 1) -> str:
        inputs = [x, self.weights(f"{name}.weight")]
        if f"{name}.bias" in self.state:
            inputs.append(self.weights(f"{name}.bias"))
        return self.graph.op(
            "Conv", inputs, strides=stride, pads=(*pad, *pad), dilations=[dilation] * len(stride)
        )

    def conv1(self, x: str, name: str, *, stride: int = 1, dilation: int = 1) -> str:
        kernel = self.state[f"{name}.weight"].shape[-1]
        return self.conv(x, name, (stride,), ((kernel - 1) // 2 * dilation,), dilation)

    def residual(self, x: str, name: str, stride: int) -> str:
        y = self.relu(self.norm(self.conv(x, f"{name}.conv1", (stride, 1), (1, 1)), f"{name}.bn1"))
        y = self.norm(self.conv(y, f"{name}.conv2", (1, 1), (1, 1)), f"{name}.bn2")
        if f"{name}.shortcut.0.weight" in self.state:
            x = self.norm(self.conv(x, f"{name}.shortcut.0", (stride, 1), (0, 0)), f"{name}.shortcut.1")
        return self.relu(self.graph.op("Add", [y, x]))

    def front(self, x: str) -> str:
        """(batch, frames, bands) -> (batch, 320, frames): a small picture network over the spectrum."""
        x = self.graph.op("Transpose", [x], perm=(0, 2, 1))
        x = self.graph.op("Unsqueeze", [x, self.graph.constant(np.array([1], np.int64))])
        x = self.relu(self.norm(self.conv(x, "head.conv1", (1, 1), (1, 1)), "head.bn1"))
        for layer in ("head.layer1", "head.layer2"):
            x = self.residual(x, f"{layer}.0", 2)
            x = self.residual(x, f"{layer}.1", 1)
        x = self.relu(self.norm(self.conv(x, "head.conv2", (2, 1), (1, 1)), "head.bn2"))
        shape = self.graph.constant(np.array([0, 32 * BANDS // 8, -1], np.int64))
        return self.graph.op("Reshape", [x, shape])

    def dense_layer(self, x: str, name: str, dilation: int) -> str:
        h = self.relu(self.norm(x, f"{name}.nonlinear1.batchnorm"))
        h = self.conv1(h, f"{name}.linear1")
        h = self.relu(self.norm(h, f"{name}.nonlinear2.batchnorm"))
        local = self.conv1(h, f"{name}.cam_layer.linear_local", dilation=dilation)
        # Mean over everything plus mean over the segment; the piece is one segment.
        mean = self.graph.op("ReduceMean", [h], axes=(2,), keepdims=1)
        context = self.graph.op("Add", [mean, mean])
        context = self.relu(self.conv1(context, f"{name}.cam_layer.linear1"))
        mask = self.graph.op("Sigmoid", [self.conv1(context, f"{name}.cam_layer.linear2")])
        return self.graph.op("Concat", [x, self.graph.op("Mul", [local, mask])], axis=1)

    def statistics(self, x: str) -> str:
        """Mean and standard deviation (n - 1) over time: (batch, 2 * channels, 1)."""
        mean = self.graph.op("ReduceMean", [x], axes=(2,), keepdims=1)
        off = self.graph.op("Sub", [x, mean])
        total = self.graph.op("ReduceSumSquare", [off], axes=(2,), keepdims=1)
        shape = self.graph.op("Shape", [x])
        steps = self.graph.op("Gather", [shape, self.graph.constant(np.array([2], np.int64))], axis=0)
        steps = self.graph.op("Sub", [steps, self.graph.constant(np.array([1], np.int64))])
        deviation = self.graph.op(
            "Sqrt", [self.graph.op("Div", [total, self.graph.op("Cast", [steps], to=1)])]
        )
        return self.graph.op("Concat", [mean, deviation], axis=1)

    def build(self) -> bytes:
        x = self.front("features")
        x = self.relu(
            self.norm(self.conv1(x, "xvector.tdnn.linear", stride=2), "xvector.tdnn.nonlinear.batchnorm")
        )
        for b, (layers, dilation) in enumerate(_BLOCKS, 1):
            for layer in range(1, layers + 1):
                x = self.dense_layer(x, f"xvector.block{b}.tdnnd{layer}", dilation)
            x = self.relu(self.norm(x, f"xvector.transit{b}.nonlinear.batchnorm"))
            x = self.conv1(x, f"xvector.transit{b}.linear")
        x = self.relu(self.norm(x, "xvector.out_nonlinear.batchnorm"))
        x = self.conv1(self.statistics(x), "xvector.dense.linear")
        x = self.norm(x, "xvector.dense.nonlinear.batchnorm")
        shape = self.graph.constant(np.array([0, DIMENSIONS], np.int64))
        out = self.graph.op("Reshape", [x, shape])
        return self.graph.model({"features": ("batch", "frames", BANDS)}, {out: ("batch", DIMENSIONS)})


def to_onnx(state: State) -> bytes:
    """The weights of the published checkpoint as an ONNX model: features (batch, frames, 80), at
    most 200 frames -> (batch, 192), not normalised. KeyError when a weight is missing."""
    return _Builder(state).build()


class CamPlusVoices:
    """The real embedder. Reads and converts the checkpoint when first used (about a second)."""

    def __init__(self, weights: Path, threads: int = 1) -> None:
        """`weights`: the checkpoint as the registry fetched it (or its folder); ModelMissing when it
        is not there."""
        self._network = Network(weights_file(weights, WEIGHTS, "campplus"), to_onnx, threads)

    @property
    def name(self) -> str:
        return "campplus-common"

    def embed(self, sounds: Sequence[Samples]) -> NDArray[np.float32]:
        if not sounds:
            return np.zeros((0, DIMENSIONS), np.float32)
        pieces = [(i, piece) for i, sound in enumerate(sounds) for piece in _pieces(sound)]
        sums = np.zeros((len(sounds), DIMENSIONS), np.float32)
        # Pieces of one length go through the network together: many short windows cost a third less.
        lengths = sorted({len(piece) for _, piece in pieces})
        for length in lengths:
            alike = [(i, piece) for i, piece in pieces if len(piece) == length]
            for start in range(0, len(alike), _TOGETHER):
                part = alike[start : start + _TOGETHER]
                vectors = self.raw(np.stack([_at_least(fbank(piece)) for _, piece in part]))
                for (i, _), vector in zip(part, vectors, strict=True):
                    sums[i] += vector / np.linalg.norm(vector)
        return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True), dtype=np.float32)

    def raw(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """What the network says of features (batch, frames, 80); for comparison with the original."""
        return self._network.run("features", features)


def _pieces(sound: Samples) -> list[Samples]:
    """A sound in equal pieces of about two seconds at most."""
    if len(sound) < _SHORTEST:
        raise ValueError(f"a voice needs at least 0.1 s, not {len(sound) / 16_000:.3f}")
    count = max(1, round(len(sound) / _PIECE))
    return [np.asarray(p[:_PIECE], np.float32) for p in np.array_split(sound, count)]


def _at_least(features: NDArray[np.float32]) -> NDArray[np.float32]:
    """Very short sounds said twice or more: the network needs some frames to pool over."""
    turns = -(-_LEAST_FRAMES // len(features))
    return np.tile(features, (turns, 1))
