"""The folder of cases: found by looking, addressed by name, never by a path from outside."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from mafiavar.ui.review.casefile import is_case

DEPTH = 3
FRESH_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Entry:
    """One case folder. `name` stands in addresses: the path below the library with ~ for /."""

    name: str
    folder: Path


class Library:
    """All cases below one folder; the folder itself may be a case."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._entries: dict[str, Entry] = {}
        self._read_at = -1e9

    def entries(self) -> tuple[Entry, ...]:
        if time.monotonic() - self._read_at > FRESH_SECONDS:
            self._entries = {e.name: e for e in self._scan(self.root, DEPTH)}
            self._read_at = time.monotonic()
        return tuple(self._entries.values())

    def find(self, name: str) -> Entry | None:
        """The case of this name, or None; a name is only ever looked up, never joined to a path."""
        self.entries()
        return self._entries.get(name)

    def forget(self) -> None:
        """Look again at the next question (a case was added)."""
        self._read_at = -1e9

    def _scan(self, folder: Path, depth: int) -> list[Entry]:
        if is_case(folder):
            relative = folder.relative_to(self.root)
            return [Entry("~".join(relative.parts) or folder.name or "case", folder)]
        if depth == 0:
            return []
        try:
            below = sorted(p for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))
        except OSError:
            return []
        # Links may lead out of the library or in circles: they are not followed.
        return [e for p in below if not p.is_symlink() for e in self._scan(p, depth - 1)]
