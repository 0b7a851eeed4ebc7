"""The case folder: where its files lie, and the lock that keeps two runs apart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import filelock

from mafiavar.analyzer.case.files import disk_sentences, sweep
from mafiavar.analyzer.errors import CaseError


@dataclass(frozen=True, slots=True)
class CaseFolder:
    """Names of everything in the folder of one game (docs: contracts, "Case folder")."""

    root: Path

    @property
    def stages(self) -> Path:
        return self.root / "stages"

    @property
    def evidence(self) -> Path:
        return self.root / "evidence"

    @property
    def observations(self) -> Path:
        return self.root / "observations"

    def file(self, name: str) -> Path:
        return self.root / name


@contextmanager
def opened(path: Path) -> Iterator[CaseFolder]:
    """Make the folder if needed, take its lock, sweep what a killed run left.

    Raises:
        CaseError: another run holds the folder, or it cannot be written to.
    """
    with disk_sentences(path):
        path.mkdir(parents=True, exist_ok=True)
        if not path.is_dir():
            raise CaseError(
                f"{path} — файл, а нужна папка. Укажите другое имя в --case.",
                f"{path} is a file, not a folder. Name another one in --case.",
            )
        # Creating a file is the honest test of whether the folder can be written to.
        probe = path / ".part-probe"
        probe.write_bytes(b"")
        probe.unlink()
    lock = filelock.FileLock(path / ".lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout as error:
        raise CaseError(
            f"С папкой {path} уже работает другой запуск mafiavar. Дождитесь его или укажите другую папку.",
            f"Another run of mafiavar is working on {path}. Wait for it or name another folder.",
        ) from error
    try:
        sweep(path)
        yield CaseFolder(path)
    finally:
        lock.release()
