"""Finds the format of a protocol by its content and reads it."""

from __future__ import annotations

import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

from mafiavar.analyzer.errors import UsageError, reason
from mafiavar.analyzer.protocol import mafiaratings, mafiavar_json, polemica, rows, workbook
from mafiavar.analyzer.protocol.reading import Lenient, Reading

# What the library raises for damaged workbooks, depending on where the damage lies.
BROKEN_WORKBOOK = (
    zipfile.BadZipFile, zlib.error, KeyError, ValueError, OSError, EOFError, SyntaxError, TypeError, AttributeError,
    IndexError, NotImplementedError, RuntimeError,
)  # fmt: skip
LARGEST = 20 * 1024 * 1024
"""Bytes. The largest protocol seen has 12 kB; anything beyond this is another kind of file."""


def read_protocol(path: Path) -> Reading:
    """The protocol in `path`, whatever its format.

    Raises UsageError with a sentence when the file is missing, too large, broken or of no known format;
    single bad values inside are collected as problems of the reading.
    """
    return read_bytes(read_small(path), str(path))


def read_small(path: Path) -> bytes:
    """The bytes of a file that a person wrote or a site gave. Raises UsageError when it is missing, a
    folder, or larger than any protocol."""
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise UsageError(
                f"{path}: это папка, а нужен файл протокола.", f"{path} is a folder, not a protocol file."
            )
        if size > LARGEST:
            raise UsageError(
                f"{path}: файл слишком большой для протокола ({size // 2**20} МБ, предел {LARGEST // 2**20} МБ).",
                f"{path}: too large for a protocol ({size // 2**20} MB, limit {LARGEST // 2**20} MB).",
            )
        return path.read_bytes()
    except OSError as problem:
        raise UsageError(
            f"{path}: файл не открывается: {reason(problem)}. Проверьте имя и права доступа.",
            f"{path}: cannot be opened ({problem.strerror or problem}). Check its name and permissions.",
        ) from problem


def read_bytes(data: bytes, name: str) -> Reading:
    """`read_protocol` for content already in memory; `name` is only said in sentences."""
    if data.startswith(b"PK"):
        try:
            return workbook.read(data, name)
        except BROKEN_WORKBOOK as problem:
            raise UsageError(
                f"{name}: таблица XLSX повреждена и не читается.", f"{name}: the XLSX workbook is damaged."
            ) from problem
    lenient = Lenient()
    text = decode(data, lenient)
    return read_text(text, name, lenient)


def decode(data: bytes, lenient: Lenient) -> str:
    """UTF-8 (with or without mark), UTF-16 by its mark, else the Windows code page with a problem noted."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        lenient.note("encoding", f"byte {problem.start}", "cp1251")
        return data.decode("cp1251", errors="replace")


def read_text(text: str, name: str, lenient: Lenient | None = None) -> Reading:
    """A protocol given as text: JSON or CSV."""
    lenient = lenient or Lenient()
    stripped = text.lstrip()
    if not stripped:
        raise UsageError(f"{name}: файл пустой.", f"{name}: the file is empty.")
    if stripped[0] in "{[":
        return _from_json(parse_json(stripped, name, lenient), name, lenient)
    if rows.looks_like_table(stripped):
        return rows.read(stripped, name, lenient)
    raise _unknown(name)


def parse_json(text: str, name: str, lenient: Lenient) -> Any:
    """JSON with doubled keys noted; raises UsageError with the place when it is broken."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        seen: dict[str, Any] = {}
        for key, value in items:
            if key in seen:
                lenient.note("duplicate_key", key, key)
            seen[key] = value
        return seen

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_constant=lambda _: None)
    except json.JSONDecodeError as problem:
        raise UsageError(
            f"{name}: это не JSON: ошибка в строке {problem.lineno}, знак {problem.colno}.",
            f"{name}: not valid JSON: line {problem.lineno}, column {problem.colno}.",
        ) from problem
    except (RecursionError, ValueError) as problem:
        raise UsageError(
            f"{name}: JSON читать нельзя: слишком глубокая вложенность или слишком длинные числа.",
            f"{name}: the JSON cannot be read: nested too deeply, or numbers too long.",
        ) from problem


def _from_json(data: Any, name: str, lenient: Lenient) -> Reading:
    if isinstance(data, dict):
        for module in (mafiavar_json, polemica, mafiaratings):
            if module.recognises(data):
                return Reading(module.record_of(data, lenient), tuple(lenient.problems), module.SOURCE)
    raise _unknown(name)


def _unknown(name: str) -> UsageError:
    return UsageError(
        f"{name}: формат протокола не узнан. Понимаю JSON mafiaratings и Polemica, mafiavar/protocol@1, "
        "а также таблицы CSV и XLSX, какие пишет «mafiavar protocol convert».",
        f"{name}: unknown protocol format. Known are mafiaratings and Polemica JSON, mafiavar/protocol@1, "
        "and the CSV and XLSX tables written by `mafiavar protocol convert`.",
    )
