"""Who speaks beside whom: pyannote's segmentation network on onnxruntime, built from the published weights.

Network and weights: Bredin, Laurent, "End-to-end speaker segmentation for overlap-aware resegmentation",
Interspeech 2021 (pyannote/segmentation, MIT): band-pass filters learnt on the waveform (Ravanelli, Bengio,
"Speaker Recognition from Raw Waveform with SincNet", SLT 2018), four bidirectional LSTM layers, and for
every frame of 17 ms the probability of up to three speakers. Speakers are local: number 1 of one chunk
need not be number 1 of the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mafiavar.models.voices.embedder import Samples
from mafiavar.models.voices.session import Builder, Network, State, weights_file

WEIGHTS = "segmentation.bin"
RATE = 16_000
LOCAL_SPEAKERS = 3
CHUNK = 5 * RATE
"""Samples the network was trained on at a time; longer sounds are cut into such chunks."""
FRAME = 270 / RATE
"""Seconds from one frame to the next: strides of the filters (10) and of three poolings (3 each)."""
FIRST = (991 / 2) / RATE
"""Seconds from the beginning of a chunk to the middle of its first frame (half its field of view)."""

_LAYERS, _HIDDEN = 4, 128
_LOWEST_HZ = _LEAST_BAND_HZ = 50.0
_SLOPE = 0.01
_TOGETHER = 16


class Segmenter(Protocol):
    """Sound -> who speaks when, by local numbers. Deterministic."""

    @property
    def name(self) -> str: ...

    def segment(self, chunks: Sequence[Samples]) -> NDArray[np.float32]:
        """Mono 16 kHz chunks of one length, at least 0.1 s -> probabilities, shape (len(chunks), frames,
        LOCAL_SPEAKERS); frame k lies `FIRST + k * FRAME` seconds after the chunk's beginning."""
        ...


def sinc_filters(low: NDArray[Any], band: NDArray[Any], window: NDArray[Any], times: NDArray[Any]) -> Any:
    """The learnt band-passes as kernels, shape (2 * bands, 1, 251): the even ones, then the odd ones.

    `low`, `band`: shape (bands, 1), Hz above the least ones allowed; `window` (125,) and `times` (1, 125): the left half
    of the window, and 2 pi t.
    """
    lower = _LOWEST_HZ + np.abs(low.astype(np.float64))
    upper = np.clip(lower + _LEAST_BAND_HZ + np.abs(band.astype(np.float64)), _LOWEST_HZ, RATE / 2)
    t = times.astype(np.float64)
    width = upper - lower
    even = (np.sin(upper * t) - np.sin(lower * t)) / (t / 2) * window
    odd = (np.cos(lower * t) - np.cos(upper * t)) / (t / 2) * window
    kernels = np.concatenate(
        [
            np.concatenate([even, 2 * width, even[:, ::-1]], axis=1) / (2 * width),
            np.concatenate([odd, 0 * width, -odd[:, ::-1]], axis=1) / (2 * width),
        ]
    )
    return kernels[:, None, :].astype(np.float32)


class _Builder(Builder):
    """The network, layer by layer, in the order of the forward pass."""

    def norm(self, x: str, name: str) -> str:
        inputs = [x, self.weights(f"{name}.weight"), self.weights(f"{name}.bias")]
        return self.graph.op("InstanceNormalization", inputs, epsilon=1e-5)

    def leaky(self, x: str) -> str:
        return self.graph.op("LeakyRelu", [x], alpha=_SLOPE)

    def front(self, x: str) -> str:
        """(batch, 1, samples) -> (batch, 60, frames)."""
        bank = "sincnet.conv1d.0.filterbank"
        kernels = sinc_filters(
            *(self.state[f"{bank}.{part}"] for part in ("low_hz_", "band_hz_", "window_", "n_"))
        )
        x = self.norm(x, "sincnet.wav_norm1d")
        x = self.graph.op("Conv", [x, self.graph.constant(kernels)], strides=(10,))
        x = self.pooled(self.graph.op("Abs", [x]), 0)
        for layer in (1, 2):
            name = f"sincnet.conv1d.{layer}"
            inputs = [x, self.weights(f"{name}.weight"), self.weights(f"{name}.bias")]
            x = self.pooled(self.graph.op("Conv", inputs, strides=(1,)), layer)
        return x

    def pooled(self, x: str, layer: int) -> str:
        x = self.graph.op("MaxPool", [x], kernel_shape=(3,), strides=(3,))
        return self.leaky(self.norm(x, f"sincnet.norm1d.{layer}"))

    def lstm(self, x: str, layer: int) -> str:
        """(frames, batch, features) -> (frames, batch, 2 * hidden)."""
        both = [f"l{layer}", f"l{layer}_reverse"]
        w = np.stack([_gates(self.state[f"lstm.weight_ih_{s}"]) for s in both])
        r = np.stack([_gates(self.state[f"lstm.weight_hh_{s}"]) for s in both])
        b = np.stack(
            [
                np.concatenate([_gates(self.state[f"lstm.bias_{part}_{s}"]) for part in ("ih", "hh")])
                for s in both
            ]
        )
        inputs = [x, *(self.graph.constant(v) for v in (w, r, b))]
        y = self.graph.op("LSTM", inputs, direction="bidirectional", hidden_size=_HIDDEN)
        y = self.graph.op("Transpose", [y], perm=(0, 2, 1, 3))
        return self.graph.op("Reshape", [y, self.graph.constant(np.array([0, 0, 2 * _HIDDEN], np.int64))])

    def linear(self, x: str, name: str) -> str:
        y = self.graph.op("MatMul", [x, self.graph.constant(_plain(self.state[f"{name}.weight"].T))])
        return self.graph.op("Add", [y, self.weights(f"{name}.bias")])

    def build(self) -> bytes:
        x = self.graph.op("Transpose", [self.front("sound")], perm=(2, 0, 1))
        for layer in range(_LAYERS):
            x = self.lstm(x, layer)
        for layer in range(2):
            x = self.leaky(self.linear(x, f"linear.{layer}"))
        x = self.graph.op("Sigmoid", [self.linear(x, "classifier")])
        out = self.graph.op("Transpose", [x], perm=(1, 0, 2))
        return self.graph.model(
            {"sound": ("batch", 1, "samples")}, {out: ("batch", "frames", LOCAL_SPEAKERS)}
        )


def _plain(array: NDArray[Any]) -> NDArray[np.float32]:
    return np.ascontiguousarray(array, np.float32)


def _gates(array: NDArray[Any]) -> NDArray[np.float32]:
    """PyTorch's order of gates (input, forget, cell, output) -> ONNX's (input, output, forget, cell)."""
    i, f, c, o = np.split(array.astype(np.float32), 4)
    return np.concatenate([i, o, f, c])


def to_onnx(state: State) -> bytes:
    """The weights of the published checkpoint as an ONNX model: sound (batch, 1, samples at 16 kHz) ->
    (batch, frames, 3) probabilities. KeyError when a weight is missing."""
    return _Builder(state).build()


class PyanNet:
    """The real segmenter. Reads and converts the checkpoint when first used (a quarter of a second)."""

    def __init__(self, weights: Path, threads: int = 1) -> None:
        """`weights`: the checkpoint as the registry fetched it (or its folder); ModelMissing when it
        is not there."""
        self._network = Network(
            weights_file(weights, WEIGHTS, "segmentation"), to_onnx, threads, "state_dict"
        )

    @property
    def name(self) -> str:
        return "pyannote-segmentation"

    def segment(self, chunks: Sequence[Samples]) -> NDArray[np.float32]:
        if not chunks:
            return np.zeros((0, 0, LOCAL_SPEAKERS), np.float32)
        parts = [
            self._network.run("sound", np.stack(chunks[i : i + _TOGETHER])[:, None, :].astype(np.float32))
            for i in range(0, len(chunks), _TOGETHER)
        ]
        return np.concatenate(parts)
