"""The lock files hold what pyproject.toml asks for, with hashes and without addresses."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
RUNTIME = PROJECT["project"]["dependencies"]
EVERYTHING = [
    *RUNTIME,
    *(r for group in PROJECT["project"]["optional-dependencies"].values() for r in group),
    *PROJECT["dependency-groups"]["dev"],
]


def locked(name: str) -> dict[str, set[str]]:
    """Package -> versions (one for each kind of system)."""
    found: dict[str, set[str]] = {}
    for package, version in re.findall(
        r"^([\w.\-\[\],]+)==([^\s;]+)", (ROOT / name).read_text("utf-8"), re.M
    ):
        found.setdefault(canonicalize_name(package.split("[")[0]), set()).add(version)
    return found


@pytest.mark.parametrize(
    ("name", "wanted"), [("requirements.lock", RUNTIME), ("requirements-dev.lock", EVERYTHING)]
)
def test_every_requirement_is_locked(name: str, wanted: list[str]) -> None:
    versions = locked(name)
    for text in wanted:
        requirement = Requirement(text)
        have = versions.get(canonicalize_name(requirement.name), set())
        assert have, f"{requirement.name} is not in {name}: run `make lock`"
        assert all(v in requirement.specifier for v in have), f"{requirement}: {have}: run `make lock`"


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_every_line_has_its_hash_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    blocks = [b for b in re.split(r"\n(?=\S)", text) if "==" in b.split("\n")[0] and b[0] != "#"]
    assert len(blocks) > 50
    assert all("--hash=sha256:" in b for b in blocks)
    assert "://" not in text


def test_the_tests_run_what_the_users_get() -> None:
    users, tests = locked("requirements.lock"), locked("requirements-dev.lock")
    assert {p: v for p, v in tests.items() if p in users} == users


def test_one_opencv() -> None:
    """Two OpenCV wheels overwrite each other's files."""
    assert [p for p in locked("requirements-dev.lock") if p.startswith("opencv")] == ["opencv-contrib-python"]
