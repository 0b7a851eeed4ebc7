"""A store of painted pieces on disk: one SQLite file per cast, camera and version of the renderer."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from mafiavar.sample_videos.picture.painter import Cut, Sprite


def _blob(*arrays: Any) -> bytes:
    out = b""
    for given in arrays:
        a = np.ascontiguousarray(given)
        packed = zlib.compress(a.tobytes(), 1)
        head = np.array(
            [a.ndim, *a.shape, *([0] * (3 - a.ndim)), len(packed), int(a.dtype == np.int32)], "<i4"
        )
        out += head.tobytes() + packed
    return out


def _arrays(blob: bytes) -> list[Any]:
    out, at = [], 0
    while at < len(blob):
        head = np.frombuffer(blob, "<i4", 6, at)
        at += 24
        raw = zlib.decompress(blob[at : at + int(head[4])])
        at += int(head[4])
        kind: Any = np.int32 if head[5] else np.uint8
        out.append(np.frombuffer(raw, kind).reshape([int(x) for x in head[1 : 1 + int(head[0])]]))
    return out


class SpriteStore:
    """Sprites and head patches by key; memory first, then disk, then `make`.

    Several processes may share the file: pieces are written many at once, so that the lock is held for moments.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(identity.encode()).hexdigest()[:16]
        self._db = sqlite3.connect(folder / f"{name}.sqlite", timeout=60)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=OFF")
        self._db.execute("CREATE TABLE IF NOT EXISTS piece (key TEXT PRIMARY KEY, data BLOB)")
        self._db.commit()
        self._memory: dict[str, list[Any]] = {}
        self._unsaved: list[tuple[str, bytes]] = []
        self.made = self.loaded = 0

    def _get(self, key: str, make: Callable[[], tuple[Any, ...]]) -> list[Any]:
        if key in self._memory:
            return self._memory[key]
        row = self._db.execute("SELECT data FROM piece WHERE key=?", (key,)).fetchone()
        if row is not None:
            value = _arrays(row[0])
            self.loaded += 1
        else:
            value = list(make())
            self._unsaved.append((key, _blob(*value)))
            self.made += 1
            if len(self._unsaved) >= 40:
                self.flush()
        self._memory[key] = value
        return value

    def sprite(self, key: str, make: Callable[[], Sprite]) -> Sprite:
        def parts() -> tuple[Any, ...]:
            s = make()
            return np.array([*s.cut.rect, *s.shade_rect], np.int32), s.cut.bgr, s.cut.through, s.shade

        r, bgr, through, shade = self._get(key, parts)
        n = [int(x) for x in r]
        return Sprite(Cut((n[0], n[1], n[2], n[3]), bgr, through), (n[4], n[5], n[6], n[7]), shade)

    def cut(self, key: str, make: Callable[[], Cut]) -> Cut:
        def parts() -> tuple[Any, ...]:
            c = make()
            return np.array(c.rect, np.int32), c.bgr, c.through

        r, bgr, through = self._get(key, parts)
        n = [int(x) for x in r]
        return Cut((n[0], n[1], n[2], n[3]), bgr, through)

    def flush(self) -> None:
        """Write what is new."""
        if self._unsaved:
            with self._db:
                self._db.executemany("INSERT OR REPLACE INTO piece VALUES (?, ?)", self._unsaved)
            self._unsaved.clear()

    def close(self) -> None:
        self.flush()
        self._db.close()
