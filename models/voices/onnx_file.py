"""Writes an ONNX model with the standard library: just enough of the format for these networks.

Field numbers are those of onnx.proto (ONNX specification, IR version 8).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

OPSET = 13
_IR_VERSION = 8
_FLOAT, _INT64 = 1, 7
_ATTRIBUTE_INT, _ATTRIBUTE_INTS, _ATTRIBUTE_FLOAT, _ATTRIBUTE_STRING = 2, 7, 1, 3

Attribute = int | float | str | Sequence[int]


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        out.append(low | (0x80 if value else 0))
        if not value:
            return bytes(out)


def _number(tag: int, value: int) -> bytes:
    return _varint(tag << 3) + _varint(value)


def _bytes(tag: int, value: bytes) -> bytes:
    return _varint(tag << 3 | 2) + _varint(len(value)) + value


def _text(tag: int, value: str) -> bytes:
    return _bytes(tag, value.encode())


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, _ATTRIBUTE_INT)
    if isinstance(value, float):
        bits = np.float32(value).tobytes()
        return _text(1, name) + _varint(2 << 3 | 5) + bits + _number(20, _ATTRIBUTE_FLOAT)
    if isinstance(value, str):
        return _text(1, name) + _text(4, value) + _number(20, _ATTRIBUTE_STRING)
    return _text(1, name) + b"".join(_number(8, v) for v in value) + _number(20, _ATTRIBUTE_INTS)


def _tensor(name: str, array: NDArray[np.float32] | NDArray[np.int64]) -> bytes:
    kind, plain = (_INT64, "<i8") if array.dtype == np.int64 else (_FLOAT, "<f4")
    dims = b"".join(_number(1, d) for d in array.shape)
    return dims + _number(2, kind) + _text(8, name) + _bytes(9, array.astype(plain).tobytes())


def _value(name: str, shape: Sequence[int | str]) -> bytes:
    dims = b"".join(_bytes(1, _number(1, d) if isinstance(d, int) else _text(2, d)) for d in shape)
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, _FLOAT) + _bytes(2, dims)))


@dataclass(slots=True)
class Graph:
    """A network under construction. Every method returns the name of the value it makes."""

    nodes: list[bytes] = field(default_factory=list)
    tensors: list[bytes] = field(default_factory=list)
    count: int = 0

    def constant(self, array: NDArray[np.float32] | NDArray[np.int64]) -> str:
        self.count += 1
        name = f"c{self.count}"
        self.tensors.append(_tensor(name, array))
        return name

    def op(self, kind: str, inputs: Iterable[str], **attributes: Attribute) -> str:
        self.count += 1
        name = f"v{self.count}"
        node = b"".join(_text(1, i) for i in inputs) + _text(2, name) + _text(4, kind)
        node += b"".join(_bytes(5, _attribute(k, v)) for k, v in sorted(attributes.items()))
        self.nodes.append(node)
        return name

    def model(
        self, inputs: Mapping[str, Sequence[int | str]], outputs: Mapping[str, Sequence[int | str]]
    ) -> bytes:
        """The file. Strings in a shape are dimensions left open."""
        graph = b"".join(_bytes(1, node) for node in self.nodes) + _text(2, "network")
        graph += b"".join(_bytes(5, tensor) for tensor in self.tensors)
        graph += b"".join(_bytes(11, _value(n, s)) for n, s in inputs.items())
        graph += b"".join(_bytes(12, _value(n, s)) for n, s in outputs.items())
        opset = _text(1, "") + _number(2, OPSET)
        return _number(1, _IR_VERSION) + _text(2, "mafiavar") + _bytes(7, graph) + _bytes(8, opset)
