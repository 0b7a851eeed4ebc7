"""What the networks of this folder share: where their weights lie, how a published checkpoint becomes an ONNX
network, and how onnxruntime runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mafiavar.models.errors import ModelMissing
from mafiavar.models.voices.checkpoint import read_checkpoint
from mafiavar.models.voices.onnx_file import Graph

State = Mapping[str, NDArray[Any]]
"""The weights of a checkpoint by name."""


class Builder:
    """A network put together layer by layer, in the order of the forward pass."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.graph = Graph()

    def weights(self, name: str) -> str:
        """The graph's name of a weight; KeyError when the checkpoint has none of this name."""
        return self.graph.constant(self.state[name].astype(np.float32))


class Network:
    """A network whose checkpoint is read and converted when it is first run."""

    def __init__(
        self, checkpoint: Path, to_onnx: Callable[[State], bytes], threads: int, part: str = ""
    ) -> None:
        """`part`: the entry of the checkpoint that holds the weights, when they are not all of it."""
        self._checkpoint = checkpoint
        self._to_onnx = to_onnx
        self._threads = threads
        self._part = part
        self._session: Any = None

    def run(self, name: str, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """The one output for the one input `name`."""
        if self._session is None:
            network = self._to_onnx(read_checkpoint(self._checkpoint, self._part))
            self._session = _session(network, self._threads)
        (output,) = self._session.run(None, {name: values})
        return np.asarray(output, dtype=np.float32)


def weights_file(weights: Path, file: str, model: str) -> Path:
    """The checkpoint as the registry fetched it, named itself or by its folder; ModelMissing when it is
    not there."""
    path = weights / file if weights.is_dir() else weights
    if not path.is_file():
        raise ModelMissing(model, f"no {path.name} in {path.parent}")
    return path


def _session(network: bytes, threads: int) -> Any:
    """An onnxruntime session on the processor."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait by spinning burn a busy machine for nothing.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
