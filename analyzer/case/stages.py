"""Stages under their keys: a second run does nothing twice, a killed run goes on where it stopped.

A stage's key is the hash of its name, version, parameters and the keys of what it read (model
hashes count among the parameters). A finished stage is a folder `stages/<name>/<key>/`; it is
filled under a temporary name and appears by one rename, so it is whole or absent.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from mafiavar.analyzer.case.files import TEMPORARY, disk_sentences

T = TypeVar("T")


def key_of(name: str, version: int, parameters: Mapping[str, Any], *inputs: str) -> str:
    """32 hexadecimal digits that stand for everything the stage's result depends on."""
    text = json.dumps(
        [name, version, parameters, inputs], sort_keys=True, ensure_ascii=True, separators=(",", ":")
    )
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def described(value: Any) -> str:
    """A value as text that is the same in every process: sets and mappings have no order of their
    own (string hashes differ from run to run), so theirs is the order of their texts."""
    if is_dataclass(value) and not isinstance(value, type):
        inside = ",".join(f"{f.name}={described(getattr(value, f.name))}" for f in fields(value))
        return f"{type(value).__name__}({inside})"
    if isinstance(value, Mapping):
        return "{" + ",".join(sorted(f"{described(k)}:{described(v)}" for k, v in value.items())) + "}"
    if isinstance(value, set | frozenset):
        return "{" + ",".join(sorted(described(v) for v in value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(described(v) for v in value) + "]"
    return repr(value)


def cpu_seconds() -> float:
    """CPU time of this process and of its finished children (0 for children on Windows)."""
    t = os.times()
    return t.user + t.system + t.children_user + t.children_system


@dataclass(frozen=True, slots=True)
class StageRun:
    """What one stage cost; goes into run.json, never into results."""

    name: str
    key: str
    cached: bool
    wall: float
    cpu: float


@dataclass(slots=True)
class Stages:
    """The finished stages of a case folder."""

    folder: Path
    runs: list[StageRun] = field(default_factory=list)
    used: list[tuple[str, str]] = field(default_factory=list)

    def path(self, name: str, key: str) -> Path:
        return self.folder / name / key

    def folder_of(self, name: str, key: str, fill: Callable[[Path], None]) -> Path:
        """The stage's folder; `fill` is called with an empty folder when it is not there yet."""
        done = self.path(name, key)
        self.used.append((name, key))
        began, cpu = time.perf_counter(), cpu_seconds()
        if done.is_dir():
            self.runs.append(StageRun(name, key, True, 0.0, 0.0))
            return done
        with disk_sentences(self.folder.parent):
            done.parent.mkdir(parents=True, exist_ok=True)
            # Never the name a killed run used: a worker it left may still be writing there.
            part = done.parent / f"{TEMPORARY}{key}-{os.getpid()}"
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            fill(part)
            _sync(part)
            part.replace(done)
        self.runs.append(StageRun(name, key, False, time.perf_counter() - began, cpu_seconds() - cpu))
        return done

    def value(self, name: str, key: str, kind: type[T], compute: Callable[[], T]) -> T:
        """The stage's value, decoded from its folder; computed and stored when it is not there."""

        def fill(part: Path) -> None:
            (part / "value.msgpack").write_bytes(msgspec.msgpack.encode(compute()))

        stored = self.folder_of(name, key, fill) / "value.msgpack"
        return msgspec.msgpack.decode(stored.read_bytes(), type=kind)

    def forget_unused(self) -> None:
        """Remove stages of earlier parameters, so that a case folder holds one result only."""
        keep = set(self.used)
        for name in sorted(p for p in self.folder.iterdir() if p.is_dir()):
            for key in sorted(name.iterdir()):
                if (name.name, key.name) not in keep:
                    shutil.rmtree(key, ignore_errors=True)


def _sync(folder: Path) -> None:
    """Flush files to the disk before the rename that declares them finished."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb+") as f:
                os.fsync(f.fileno())
