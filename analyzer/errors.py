"""Errors a user can meet. Each carries a sentence that a judge understands and the exit code.

The sentence is in Russian by default; `english` is its twin for `--lang en`.
"""

from __future__ import annotations

import errno
import os


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


_REASONS = {
    errno.ENOENT: "нет такого файла или папки",
    errno.EACCES: "нет прав",
    errno.EPERM: "нет прав",
    errno.EISDIR: "это папка, а не файл",
    errno.ENOTDIR: "на пути к нему файл вместо папки",
    errno.ENOSPC: "на диске кончилось место",
    errno.EROFS: "диск только для чтения",
    errno.ENAMETOOLONG: "слишком длинное имя",
    errno.EEXIST: "такое имя уже занято",
    errno.EINVAL: "такое имя не годится",
    errno.EADDRINUSE: "он уже занят (может быть, просмотр уже открыт)",
    errno.EADDRNOTAVAIL: "такого адреса у этого компьютера нет",
    errno.EBUSY: "занято другой программой",
    errno.EIO: "диск отвечает ошибкой",
}


def reason(error: OSError) -> str:
    """Why the system refused, in Russian; in its own words when it is none of the usual reasons."""
    return _REASONS.get(error.errno or 0) or error.strerror or str(error)


def reason_ru(words: str) -> str:
    """A text in which the system's own (English) words of a usual reason are put into Russian."""
    for number, russian in _REASONS.items():
        words = words.replace(os.strerror(number), russian)
    return words
