"""The house keeps its shape: one-way imports, every package packaged."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("engine", "models", "analyzer", "ui", "sample_videos")

# room -> rooms it may import
ALLOWED = {
    "engine": {"engine"},
    "models": {"models"},
    "analyzer": {"analyzer", "engine", "models"},
    "sample_videos": {"sample_videos", "engine"},
    "ui": {"ui", "analyzer", "engine", "models"},
    "ui/cli": {"ui", "analyzer", "engine", "models", "sample_videos"},
}
# what pure Python without input or output may not touch
FORBIDDEN_IN_ENGINE = {
    "io", "os", "pathlib", "time", "datetime", "random", "numpy", "json", "sqlite3", "subprocess", "socket",
}  # fmt: skip


def modules() -> list[Path]:
    return sorted(p for room in ROOMS for p in (ROOT / room).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Absolute names a module imports, `mafiavar.room...` or foreign; relative ones resolved."""
    names: set[str] = set()
    package = ("mafiavar", *path.relative_to(ROOT).parent.parts)
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            full = ".".join(x for x in (base, node.module or "") if x)
            names.add(full)
            names.update(f"{full}.{a.name}" for a in node.names)
    return names


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_run_downhill(path: Path) -> None:
    parts = path.relative_to(ROOT).parts
    allowed = ALLOWED["ui/cli"] if parts[:2] == ("ui", "cli") else ALLOWED[parts[0]]
    for name in imported(path):
        pieces = name.split(".")
        assert pieces[0] not in ROOMS, f"{name}: import rooms as mafiavar.{pieces[0]}"
        if pieces[0] == "mafiavar" and len(pieces) > 1:
            assert pieces[1] in allowed, f"{path} may not import {name}"
        if parts[0] == "engine":
            assert pieces[0] not in FORBIDDEN_IN_ENGINE, f"the engine is pure: {name}"


def test_every_package_is_packaged() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]
    found = {"mafiavar"} | {
        ".".join(("mafiavar", *p.parent.relative_to(ROOT).parts))
        for p in modules()
        if p.name == "__init__.py"
    }
    assert set(listed) == found
    folders = {p.parent for p in modules()}
    assert all((f / "__init__.py").exists() for f in folders), "a folder of modules without __init__.py"
