"""Protocols as an XLSX workbook: one sheet per kind of fact, with the columns that kind needs."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Any

from openpyxl import Workbook, load_workbook
from openpyxl.styles import Font
from openpyxl.utils.exceptions import InvalidFileException

from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.protocol import rows
from mafiavar.analyzer.protocol.reading import Lenient, Reading

SHEETS: Mapping[str, tuple[str, ...]] = {
    # kind -> its columns (the order of sheets is the order of a game)
    "ruleset": ("value",), "option": ("target", "value"), "seat": ("seat", "value", "text"), "day": ("day",),
    "speaker": ("day", "seat"), "nomination": ("day", "seat", "target", "value"), "candidate": ("day", "target"),
    "ballot": ("day", "round"), "vote": ("day", "round", "seat", "target"), "remainder": ("day", "round", "seat"),
    "unseen": ("day", "round", "seat"),
    "lift": ("day", "seat", "value"), "left": ("day", "seat"),
    "foul": ("day", "night", "seat", "value", "round", "phase", "target", "text"),
    "removed": ("day", "night", "seat", "value", "phase"), "reveal": ("day", "seat", "value", "text"),
    "night": ("night",), "shot": ("night", "seat", "target"), "killed": ("night", "target"),
    "check": ("night", "seat", "target", "value"), "best_move": ("seat", "value", "target", "text"), "winner": ("value",),
    "bonus": ("seat", "value"), "testament": ("day", "seat", "text"), "protocol": ("day", "seat", "text"),
}  # fmt: skip
LARGEST_UNPACKED = 60 * 1024 * 1024
MOST_ROWS = 5000
"""A game has a few hundred facts; a sheet beyond this is not a protocol."""


def read(data: bytes, name: str) -> Reading:
    """The protocol in a workbook; sheets of unknown names are skipped with a problem noted."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(f.file_size for f in archive.infolist()) > LARGEST_UNPACKED:
            raise UsageError(
                f"{name}: таблица распаковывается во что-то слишком большое.",
                f"{name}: the workbook unpacks too large.",
            )
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    except (InvalidFileException, TypeError, SyntaxError) as problem:
        raise UsageError(
            f"{name}: таблица XLSX не читается.", f"{name}: the XLSX workbook cannot be read."
        ) from problem
    lenient = Lenient()
    found: list[rows.Row] = []
    titles = {title.lower(): kind for kind, title in rows.KINDS.items()} | {k: k for k in rows.KINDS}
    for sheet in book.worksheets:
        kind = titles.get(sheet.title.strip().lower())
        if kind is None:
            lenient.note("bad_value", f"sheet {sheet.title}", sheet.title)
            continue
        lines = [line for _, line in zip(range(MOST_ROWS), sheet.iter_rows(values_only=True), strict=False)]
        found += rows.table(lines, lenient, kind)
    if not found:
        raise UsageError(
            f"{name}: в таблице нет листов протокола. Образец пишет «mafiavar protocol convert ФАЙЛ --to xlsx».",
            f"{name}: no protocol sheets. `mafiavar protocol convert FILE --to xlsx` writes a template.",
        )
    return Reading(rows.record_of(found, lenient), tuple(lenient.problems), "xlsx")


def to_xlsx(data: Mapping[str, Any]) -> bytes:
    """The workbook of a protocol in the JSON shape; every sheet is there, also the empty ones, so that it
    serves as a template."""
    book = Workbook()
    book.remove(book.active)  # type: ignore[arg-type]
    all_rows = rows.rows_of(data)
    for kind, columns in SHEETS.items():
        sheet = book.create_sheet(rows.KINDS[kind])
        sheet.append([rows.HEADINGS[c] for c in columns])
        for cell in sheet[1]:
            cell.font = Font(bold=True)
        sheet.freeze_panes = "A2"
        for row in all_rows:
            if row["what"] == kind:
                sheet.append([_value(row.get(c, "")) for c in columns])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _value(text: str) -> str | int | None:
    """Numbers as numbers; a text that a spreadsheet would take for a formula stays a text."""
    if not text:
        return None
    if text.isdecimal() and len(text) < 10:
        return int(text)
    return "'" + text if text[0] in "=+@" else text
