"""What the networks of this folder share: where their weights lie, and how onnxruntime runs them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mafiavar.models.errors import ModelMissing


def weights_file(weights: Path, file: str, model: str) -> Path:
    """The checkpoint as the registry fetched it, named itself or by its folder; ModelMissing when it is
    not there."""
    path = weights / file if weights.is_dir() else weights
    if not path.is_file():
        raise ModelMissing(model, f"no {path.name} in {path.parent}")
    return path


def session(network: bytes, threads: int) -> Any:
    """An onnxruntime session on the processor."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait by spinning burn a busy machine for nothing.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
