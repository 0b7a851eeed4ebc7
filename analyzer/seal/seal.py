"""Hashes of a case's files in a chain.

The head of the chain stands for the whole case: printed in a report or sent in a chat, it proves later
that nothing changed. Somebody who can rewrite seal.json as well can rewrite the chain; only a head that
was kept elsewhere tells.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mafiavar.analyzer.case.files import write_json
from mafiavar.analyzer.errors import UsageError

SCHEMA = "mafiavar/seal@1"
NAME = "seal.json"
FILES = (
    "case.json", "transcript.json", "transcript.vtt", "timeline.json", "votes.json", "flags.json", "report.html",
)  # fmt: skip
PURGED = "observations"
FOLDERS = ("evidence", PURGED)
"""What the machine made. Notes of the run (run.json, run.log) may differ; people's records are theirs."""
_BLOCK = 1 << 22


@dataclass(frozen=True, slots=True)
class Check:
    """`altered`, `lost`, `added`: paths inside the case; `purged`: observations that `mafiavar case purge`
    has taken, the whole folder or nothing. `sources`: recordings that are not the ones
    analysed; `unseen`: recordings that are not where they were. `chain`: the chain itself is intact."""

    head: str
    chain: bool
    altered: tuple[str, ...]
    lost: tuple[str, ...]
    added: tuple[str, ...]
    sources: tuple[str, ...]
    unseen: tuple[str, ...]
    purged: tuple[str, ...] = ()

    @property
    def intact(self) -> bool:
        return self.chain and not (self.altered or self.lost or self.added or self.sources)


def seal(folder: Path) -> str:
    """Write seal.json over what lies in the case now; returns the head of the chain."""
    entries: list[dict[str, Any]] = []
    head = ""
    for path in _sealed(folder):
        digest, size = _digest(path)
        name = path.relative_to(folder).as_posix()
        head = _link(head, name, digest)
        entries.append({"path": name, "size": size, "sha256": digest, "chain": head})
    write_json(folder / NAME, {"schema": SCHEMA, "head": head, "entries": entries})
    return head


def verify(folder: Path, *, sources: bool = True) -> Check:
    """Compare the case with its seal; `sources`: also hash the recordings where they still lie.

    Raises UsageError when the case has no seal that can be read.
    """
    data = _read(folder)
    entries: list[Mapping[str, Any]] = data["entries"]
    altered, lost, head, chain = [], [], "", True
    for entry in entries:
        head = _link(head, entry["path"], entry["sha256"])
        chain = chain and head == entry["chain"]
        path = folder / entry["path"]
        if not path.is_file():
            lost.append(entry["path"])
        elif path.stat().st_size != entry["size"] or _digest(path)[0] != entry["sha256"]:
            altered.append(entry["path"])
    purged: list[str] = []
    if not (folder / PURGED).exists():
        purged = [name for name in lost if name.startswith(f"{PURGED}/")]
        lost = [name for name in lost if name not in purged]
    known = {e["path"] for e in entries}
    added = [n for p in _sealed(folder) if (n := p.relative_to(folder).as_posix()) not in known]
    other, unseen = _sources(folder) if sources and "case.json" not in altered else ((), ())
    return Check(
        head,
        chain and head == data["head"],
        tuple(altered),
        tuple(lost),
        tuple(added),
        other,
        unseen,
        tuple(purged),
    )


def _sealed(folder: Path) -> list[Path]:
    """Everything a seal covers, in a fixed order."""
    found = [folder / name for name in FILES if (folder / name).is_file()]
    for name in FOLDERS:
        if (folder / name).is_dir():
            found += sorted(p for p in (folder / name).rglob("*") if p.is_file())
    return found


def _digest(path: Path) -> tuple[str, int]:
    hasher, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            hasher.update(block)
            size += len(block)
    return hasher.hexdigest(), size


def _link(head: str, name: str, digest: str) -> str:
    return hashlib.sha256(f"{head}\n{name}\n{digest}".encode()).hexdigest()


def _read(folder: Path) -> dict[str, Any]:
    try:
        data = json.loads((folder / NAME).read_text("utf-8"))
        if data["schema"] != SCHEMA or not isinstance(data["entries"], list):
            raise ValueError(data["schema"])
        for entry in data["entries"]:
            _ = entry["path"], entry["size"], entry["sha256"], entry["chain"]
    except FileNotFoundError:
        raise UsageError(
            f"В {folder} нет печати ({NAME}): проверять не с чем. Её пишет mafiavar analyze.",
            f"{folder} has no seal ({NAME}): nothing to verify against. mafiavar analyze writes it.",
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"Печать {folder / NAME} испорчена: {error}.", f"The seal {folder / NAME} is damaged: {error}."
        ) from None
    return dict(data)


def _sources(folder: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(recordings that are others, recordings that are gone), by the paths in case.json."""
    try:
        case = json.loads((folder / "case.json").read_text("utf-8"))
    except (OSError, ValueError):
        return (), ()
    other, unseen = [], []
    for source in case.get("sources") or ():
        path, digest = Path(str(source.get("path", ""))), source.get("sha256")
        if not path.is_file():
            unseen.append(str(source.get("file") or path.name))
        elif digest and _digest(path)[0] != digest:
            other.append(str(path))
    return tuple(other), tuple(unseen)
