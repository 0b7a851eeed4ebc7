"""Reads a PyTorch checkpoint (zip format) without PyTorch and without running what is in it.

Only tensors of plain storages are made. Any other class the pickle names is refused, or, where the
weights are one part of a training checkpoint, stood in for by something inert: nothing the file names
is ever imported or called.
"""

from __future__ import annotations

import io
import pickle
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_TYPES = {"FloatStorage": "<f4", "HalfStorage": "<f2", "DoubleStorage": "<f8", "LongStorage": "<i8"}


class CheckpointError(ValueError):
    """A file that is not such a checkpoint, or holds more than tensors."""


class _Storage:
    """Stands for torch.FloatStorage and its kin: only the name is needed."""

    def __init__(self, name: str) -> None:
        self.name = name


class _Inert:
    """Stands for whatever else a training checkpoint holds: takes anything, does nothing."""

    def __new__(cls, *_: Any, **__: Any) -> _Inert:
        return super().__new__(cls)

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        pass

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def append(self, value: Any) -> None:
        pass

    def extend(self, values: Any) -> None:
        pass


class _Reader(pickle.Unpickler):
    def __init__(self, data: bytes, archive: zipfile.ZipFile, root: str, tolerant: bool) -> None:
        super().__init__(io.BytesIO(data))
        self._archive = archive
        self._root = root
        self._tolerant = tolerant

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _tensor
        if module == "torch" and name in _TYPES:
            return _Storage(name)
        if self._tolerant:
            return _Inert
        raise CheckpointError(f"the checkpoint wants {module}.{name}, which is not a tensor")

    def persistent_load(self, pid: Any) -> NDArray[Any]:
        _, storage, key, _, _ = pid
        return np.frombuffer(self._archive.read(f"{self._root}/data/{key}"), dtype=_TYPES[storage.name])


def _tensor(
    storage: NDArray[Any], offset: int, shape: tuple[int, ...], stride: tuple[int, ...], *_: Any
) -> NDArray[Any]:
    steps = tuple(s * storage.itemsize for s in stride)
    return np.lib.stride_tricks.as_strided(storage[offset:], shape, steps).copy()


def read_checkpoint(path: Path, part: str = "") -> dict[str, NDArray[Any]]:
    """Name -> array of a state dict, or of the entry `part` of a training checkpoint (what stands beside
    it is not looked at). CheckpointError when the file is anything else."""
    try:
        with zipfile.ZipFile(path) as archive:
            root = archive.namelist()[0].split("/")[0]
            state = _Reader(archive.read(f"{root}/data.pkl"), archive, root, bool(part)).load()
            state = state[part] if part else state
    except (OSError, zipfile.BadZipFile, LookupError, TypeError, pickle.UnpicklingError) as error:
        raise CheckpointError(f"{path.name} is not a PyTorch checkpoint: {error}") from error
    if not isinstance(state, dict) or not all(isinstance(v, np.ndarray) for v in state.values()):
        raise CheckpointError(f"{path.name} holds more than tensors")
    return dict(state)
