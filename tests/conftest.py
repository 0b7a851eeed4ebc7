"""Shared by all tests: what a missing component means, and where the shared recordings lie."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mafiavar.ui import language

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def needs() -> Callable[[bool, str], None]:
    """`needs(present, "what and how to get it")`: skips at home, fails in CI."""

    def check(present: bool, what: str) -> None:
        if present:
            return
        if os.environ.get("CI"):
            pytest.fail(f"missing in CI: {what}")
        pytest.skip(f"missing here: {what}")

    return check


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(autouse=True)
def russian() -> None:
    """A test that switches the language changes nothing for the next one, in whatever order they run."""
    language.set_language("ru")
    language._here.set(None)
