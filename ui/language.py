"""Russian by default, English by switch: each sentence is written once in both."""

from __future__ import annotations

import os
from contextvars import ContextVar
from typing import Literal

Language = Literal["ru", "en"]
_current: Language = "ru"
# A server speaks with several people at once: each of its threads may have its own language.
_here: ContextVar[Language | None] = ContextVar("language", default=None)


def language() -> Language:
    return _here.get() or _current


def speak(lang: str) -> None:
    """Choose the language of this thread (one person's page), leaving the process's as it is."""
    _here.set("en" if lang == "en" else "ru")


def set_language(lang: str) -> None:
    """Choose the language of this process; anything but "en" is Russian."""
    global _current  # noqa: PLW0603 - one switch for one process
    _current = "en" if lang == "en" else "ru"


def language_from_environment() -> Language:
    """MAFIAVAR_LANG=en switches to English; the system's locale is not asked: judges are Russian."""
    return "en" if os.environ.get("MAFIAVAR_LANG", "").lower().startswith("en") else "ru"


def say(russian: str, english: str) -> str:
    """The sentence in the chosen language."""
    return english if language() == "en" else russian


def decimal(value: float, digits: int = 1) -> str:
    """A number with so many digits after the comma (Russian) or the point (English)."""
    return f"{value:.{digits}f}".replace(".", say(",", "."))
