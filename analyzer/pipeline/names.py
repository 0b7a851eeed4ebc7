"""Is what was named a recording at all? Answered before anything heavy is loaded or written."""

from __future__ import annotations

from pathlib import Path

from mafiavar.analyzer.errors import MediaError


def exists(path: Path) -> None:
    """Raises MediaError when `path` is a folder or is not there."""
    if path.is_dir():
        raise MediaError(
            f"Это папка, а не запись: {path}. Назовите файл в ней; много игр сразу разбирает mafiavar batch.",
            f"This is a folder, not a recording: {path}. Name a file in it; mafiavar batch takes many games at once.",
        )
    if not path.is_file():
        raise MediaError(
            f"Запись не найдена: {path}. Проверьте имя файла и диск.",
            f"Recording not found: {path}. Check the name and the disk.",
        )
