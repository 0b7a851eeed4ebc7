"""Writing into a case folder: whole files or nothing, and a sentence when the disk refuses."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mafiavar.analyzer.errors import CaseError, reason

TEMPORARY = ".part-"
"""Prefix of what is not finished: never read, removed by the next run."""


@contextmanager
def disk_sentences(where: Path) -> Iterator[None]:
    """Turn what the disk refuses into a CaseError that says what to do.

    Raises:
        CaseError: full disk, read-only folder, no permission, a name the disk cannot take.
    """
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT if hasattr(errno, "EDQUOT") else errno.ENOSPC):
            raise CaseError(
                f"На диске с папкой {where} кончилось место. Освободите место и повторите команду: готовое сохранено.",
                f"The disk of {where} is full. Free some space and run the command again: what is done is kept.",
            ) from error
        if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            raise CaseError(
                f"В папку {where} нельзя писать (только чтение или нет прав). Укажите другую папку в --case.",
                f"{where} cannot be written to (read-only or no permission). Name another folder in --case.",
            ) from error
        if error.errno in (errno.ENAMETOOLONG, errno.EINVAL, errno.ENOTDIR, errno.EEXIST):
            raise CaseError(
                f"Папку дела {where} создать нельзя: {reason(error)}. Укажите другое имя в --case.",
                f"The case folder {where} cannot be made: {error.strerror}. Name another one in --case.",
            ) from error
        raise


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file so that after a crash it is the old one or the new one, never half of it."""
    with disk_sentences(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{TEMPORARY}{path.name}")
        with part.open("wb") as f:
            f.write(data)
            f.flush()
            os.fsync(f.fileno())
        part.replace(path)


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode("utf-8"))


def write_json(path: Path, value: Any) -> None:
    """UTF-8 JSON in the order given, one space of indent, newline at the end."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def sweep(folder: Path) -> None:
    """Remove what earlier runs left unfinished."""
    with disk_sentences(folder):
        for part in sorted(folder.rglob(f"{TEMPORARY}*")):
            if part.is_dir():
                shutil.rmtree(part, ignore_errors=True)
            else:
                part.unlink(missing_ok=True)
