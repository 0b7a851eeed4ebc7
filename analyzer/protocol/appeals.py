"""A list of appeals on points, as a tournament keeps it: JSON objects or a CSV table.

Fields: player, day (of the tournament, when the points were got), published and filed (rounds), filed_day,
given and asked (points), tables_closed_between (optional). CSV headings may be Russian.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.protocol.load import decode, parse_json, read_small
from mafiavar.analyzer.protocol.reading import Lenient
from mafiavar.engine.scoring.appeals import Appeal

HEADINGS: Mapping[str, str] = {
    "игрок": "player", "день": "day", "опубликовано": "published", "подано": "filed", "день подачи": "filed_day",
    "балл": "given", "просит": "asked", "закрытие таблиц": "tables_closed_between",
}  # fmt: skip
MOST = 10_000


def read_appeals(path: Path) -> tuple[Appeal, ...]:
    """The appeals in `path`, in order. Raises UsageError naming the first entry that cannot be read."""
    lenient = Lenient()
    text = decode(read_small(path), lenient).strip()
    if not text:
        raise UsageError(f"{path}: файл пустой.", f"{path}: the file is empty.")
    entries = _objects(parse_json(text, str(path), lenient), path) if text[0] in "[{" else _lines(text, path)
    if len(entries) > MOST:
        raise UsageError(f"{path}: апелляций больше {MOST}.", f"{path}: more than {MOST} appeals.")
    return tuple(_appeal(path, i + 1, entry) for i, entry in enumerate(entries))


def _objects(data: Any, path: Path) -> list[Mapping[str, Any]]:
    listed = data.get("appeals") if isinstance(data, dict) else data
    if not isinstance(listed, list) or not all(isinstance(x, dict) for x in listed):
        raise UsageError(
            f'{path}: нужен список апелляций: [{{"player": ..., "day": ...}}, ...].',
            f'{path}: a list of appeals is needed: [{{"player": ..., "day": ...}}, ...].',
        )
    return listed


def _lines(text: str, path: Path) -> list[Mapping[str, Any]]:
    separator = max(";,\t", key=text.splitlines()[0].count)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=separator))
    except csv.Error as problem:
        raise UsageError(
            f"{path}: таблица CSV повреждена ({problem}).", f"{path}: damaged CSV ({problem})."
        ) from problem
    names = [HEADINGS.get(c.strip().lower(), c.strip().lower()) for c in rows[0]]
    if "player" not in names:
        raise UsageError(
            f"{path}: в таблице апелляций нужна строка заголовков: {'; '.join(HEADINGS)}.",
            f"{path}: a table of appeals needs a line of headings: {', '.join(HEADINGS.values())}.",
        )
    return [dict(zip(names, row, strict=False)) for row in rows[1:] if any(c.strip() for c in row)]


def _appeal(path: Path, number: int, entry: Mapping[str, Any]) -> Appeal:
    lenient = Lenient()
    whole = {
        k: lenient.whole(entry.get(k), k, low=1, high=999) for k in ("day", "published", "filed", "filed_day")
    }
    points = {k: lenient.number(entry.get(k), k) for k in ("given", "asked")}
    player = entry.get("player")
    closed = lenient.truth(entry.get("tables_closed_between") or None, "tables_closed_between")
    bad = [k for k, v in {**whole, **points}.items() if v is None]
    if lenient.problems and not bad:
        bad = [lenient.problems[0].where]
    if not isinstance(player, str) or not player.strip():
        bad.insert(0, "player")
    if bad:
        raise UsageError(
            f"{path}: апелляция {number}: не читается поле {bad[0]}.",
            f"{path}: appeal {number}: field {bad[0]} cannot be read.",
        )
    return Appeal(player.strip(), **whole, **points, tables_closed_between=bool(closed))  # type: ignore[union-attr, arg-type]
