"""A Whisper that writes one script only: the same weights without the rows of all others.

Whisper chooses every piece of a word among 51,865, of which a Russian transcript can use some seven
thousand; weighing the others takes more than half of a small decoder's time (Press, Wolf, "Using the
Output Embedding to Improve Language Models", EACL 2017: input and output share one table, so one choice of
rows serves both). What is left: single bytes, so that nothing becomes unwritable; Cyrillic; the commoner
Latin pieces; digits and punctuation; the marks that steer the model, but not those of time.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_VERSION = 6
_TABLES = ("decoder/embeddings/", "decoder/projection/")
_COMMON = 3000
"""Latin pieces are numbered by how early they were merged: lower ones are commoner."""
_TIME = re.compile(r"<\|\d+\.\d\d\|>")
_MARK = re.compile(r"<\|\w*\|>")
_MULTIPLE = 16
"""Rows come in such groups: matrix products like round numbers."""


class VocabularyError(ValueError):
    """A model whose files are not laid out as expected; it is to be used whole."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """`files`: what CTranslate2 loads instead of the folder; `kept`: the old number of every new one, shape (new,)."""

    files: Mapping[str, bytes]
    kept: NDArray[np.int64]


def narrowed(folder: Path) -> Narrowed:
    """The model of `folder` with a smaller vocabulary. VocabularyError when it cannot be made smaller."""
    try:
        tokens = _tokens(folder)
        kept = _kept(tokens)
        new = {int(old): i for i, old in enumerate(kept)}
        config: dict[str, Any] = json.loads((folder / "config.json").read_text("utf-8"))
        for key in ("suppress_ids", "suppress_ids_begin", "lang_ids"):
            config[key] = [new[i] for i in config.get(key, ()) if i in new]
        weights = _chosen((folder / "model.bin").read_bytes(), len(tokens), kept)
    except (OSError, ValueError, TypeError, AttributeError, struct.error) as error:
        raise VocabularyError(f"{folder.name}: {error}") from error
    words = json.dumps([tokens[i] for i in kept])
    return Narrowed(
        {"model.bin": weights, "config.json": json.dumps(config).encode(), "vocabulary.json": words.encode()},
        kept,
    )


def _tokens(folder: Path) -> list[str]:
    listed = folder / "vocabulary.json"
    if listed.is_file():
        found: list[str] = json.loads(listed.read_text("utf-8"))
        return found
    return (folder / "vocabulary.txt").read_text("utf-8").removesuffix("\n").split("\n")


def _kept(tokens: Sequence[str]) -> NDArray[np.int64]:
    """Old numbers of what stays, in order."""
    letters = _bytes_of_letters()
    stays = [_stays(i, token, letters) for i, token in enumerate(tokens)]
    missing = -sum(stays) % _MULTIPLE
    for i, token in enumerate(tokens):
        if missing and not stays[i] and not _TIME.fullmatch(token):
            stays[i] = True
            missing -= 1
    return np.flatnonzero(stays)


def _stays(number: int, token: str, letters: Mapping[str, int]) -> bool:
    if _MARK.fullmatch(token):
        return True
    if _TIME.fullmatch(token) or any(c not in letters for c in token):
        return False
    raw = bytes(letters[c] for c in token)
    if len(raw) == 1:
        return True
    try:
        text = raw.decode()
    except UnicodeDecodeError:  # a part of a letter; Cyrillic ones begin with these two
        return all(b in (0xD0, 0xD1) or 0x80 <= b < 0xC0 for b in raw)
    if text.isascii():
        return number < _COMMON or not any(c.isalpha() for c in text)
    return all("\u0400" <= c <= "\u045f" or c.isascii() or not c.isalpha() for c in text)


def _bytes_of_letters() -> dict[str, int]:
    """The letters that byte-pair vocabularies write bytes with: printable ones as they are, others from 256 on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in printable]
    return {chr(b): b for b in printable} | {chr(256 + i): b for i, b in enumerate(others)}


def _chosen(model: bytes, size: int, kept: NDArray[np.int64]) -> bytes:
    """The model's file with the `kept` rows of its tables of `size` rows, all else as it is."""
    parts: list[bytes] = []
    copied = 0
    for v in _variables(model):
        if v.name.startswith(_TABLES) and v.shape and v.shape[0] == size:
            rows = np.frombuffer(model, np.uint8, v.length, v.start).reshape(size, -1)[kept].tobytes()
            head = (
                struct.pack("<II", len(kept), *v.shape[1:])
                if len(v.shape) == 2
                else struct.pack("<I", len(kept))
            )
            parts += [model[copied : v.shape_at], head, struct.pack("<BI", v.kind, len(rows)), rows]
            copied = v.start + v.length
    if not parts:
        raise ValueError("no table of words in the weights")
    return b"".join([*parts, model[copied:]])


@dataclass(frozen=True, slots=True)
class _Variable:
    """One array of the file and where it lies: its shape from byte `shape_at` on, its data from `start` on."""

    name: str
    shape: tuple[int, ...]
    kind: int
    shape_at: int
    start: int
    length: int


def _variables(model: bytes) -> Iterator[_Variable]:
    """The arrays of a CTranslate2 model file: version, name of the kind, revision, count; then of every
    array its name, number of dimensions, dimensions, type, bytes, data; names of the same array follow."""
    (version,) = struct.unpack_from("<I", model)
    if version != _VERSION:
        raise ValueError(f"weights of version {version}, not {_VERSION}")
    at = 4 + 2 + struct.unpack_from("<H", model, 4)[0]
    _, count = struct.unpack_from("<II", model, at)
    at += 8
    for _ in range(count):
        (letters,) = struct.unpack_from("<H", model, at)
        name = model[at + 2 : at + 1 + letters].decode()
        at += 2 + letters
        shape_at, rank = at + 1, model[at]
        shape = struct.unpack_from(f"<{rank}I", model, shape_at)
        kind, length = struct.unpack_from("<BI", model, shape_at + 4 * rank)
        start = shape_at + 4 * rank + 5
        yield _Variable(name, shape, kind, shape_at, start, length)
        at = start + length


@dataclass(frozen=True, slots=True)
class Written:
    """What was decoded of one pack, in the numbers of the whole vocabulary."""

    sequences_ids: list[list[int]]
    scores: list[float]
    no_speech_prob: float


class NarrowModel:
    """A CTranslate2 model with a smaller vocabulary that is spoken to in the numbers of the whole one."""

    is_multilingual = True

    def __init__(self, model: Any, kept: NDArray[np.int64]) -> None:
        self._model = model
        self._old = kept.tolist()
        self._new = {old: i for i, old in enumerate(self._old)}

    @property
    def device(self) -> str:
        return str(self._model.device)

    def encode(self, features: Any, to_cpu: bool = False) -> Any:
        return self._model.encode(features, to_cpu=to_cpu)

    def generate(self, encoded: Any, prompts: Sequence[Sequence[int]], **options: Any) -> list[Written]:
        results = self._model.generate(encoded, [self._renamed(p) for p in prompts], **options)
        return [
            Written(
                [[self._old[t] for t in ids] for ids in r.sequences_ids], list(r.scores), r.no_speech_prob
            )
            for r in results
        ]

    def align(
        self, encoded: Any, start: Sequence[int], texts: Sequence[Sequence[int]], *rest: Any, **options: Any
    ) -> Any:
        new = [self._renamed(text) for text in texts]
        return self._model.align(encoded, self._renamed(start), new, *rest, **options)

    def _renamed(self, tokens: Sequence[int]) -> list[int]:
        """Pieces of another script in a nickname have no number any more: they are left out."""
        return [self._new[t] for t in tokens if t in self._new]
