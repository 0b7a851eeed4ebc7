"""Errors a user can meet. Each carries a sentence that a judge understands and the exit code.

The sentence is in Russian by default; `english` is its twin for `--lang en`.
"""

from __future__ import annotations


class MafiavarError(Exception):
    """Base of the errors that end a command with a sentence instead of a traceback."""

    exit_code = 1

    def __init__(self, russian: str, english: str) -> None:
        super().__init__(russian, english)  # both, so that the error survives the way out of a worker
        self.russian = russian
        self.english = english

    def __str__(self) -> str:
        return self.russian

    def sentence(self, lang: str = "ru") -> str:
        return self.english if lang == "en" else self.russian


class UsageError(MafiavarError):
    """Wrong usage, or an input file (protocol, seats, truth) that cannot be read: exit 2."""

    exit_code = 2


class MediaError(MafiavarError):
    """A recording that cannot be read: exit 3."""

    exit_code = 3


class CaseError(MafiavarError):
    """The case folder cannot be used: read-only, full disk, another run holds it."""

    exit_code = 1
