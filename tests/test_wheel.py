"""The wheel carries what the tree has: every data file of every room, one package, nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("engine", "models", "analyzer", "ui", "sample_videos")
LEFT_OUT = {".pyc", ".pyo"}


@pytest.mark.real
def test_wheel_carries_every_file(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    # Built from a copy of what is needed: setuptools leaves its own folders behind.
    source = tmp_path / "исходник"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "mafiavar", *ROOMS):
        copy(ROOT / name, source / name)
    subprocess.run([*build, "-w", str(tmp_path), str(source)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as content:
        packed = {n for n in content.namelist() if ".dist-info/" not in n}
    here = {
        f"mafiavar/{p.relative_to(ROOT).as_posix()}"
        for room in ROOMS
        for p in (ROOT / room).rglob("*")
        if counts(p)
    } | {p.relative_to(ROOT).as_posix() for p in (ROOT / "mafiavar").rglob("*") if counts(p)}
    assert packed == here


def counts(path: Path) -> bool:
    hidden = any(part.startswith((".", "__pycache__")) for part in path.relative_to(ROOT).parts)
    return path.is_file() and not hidden and path.suffix not in LEFT_OUT


def copy(source: Path, target: Path) -> None:
    if source.is_file():
        target.write_bytes(source.read_bytes())
        return
    for path in source.rglob("*"):
        if counts(path):
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(path.read_bytes())
