"""The vote audit: every ballot of every case in a folder, as a table for spreadsheets and browsers."""

from __future__ import annotations

import csv
import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mafiavar.analyzer.errors import CaseError, UsageError
from mafiavar.analyzer.reconcile.compare import Line, Verdict, reconcile

HEAD = ("игра", "день", "круг", "против", "объявлено", "руки", "протокол", "итог", "время", "открыть")
VERDICTS = {Verdict.AGREE: "сходится", Verdict.DIFFER: "расходится", Verdict.NOT_SEEN: "не видно"}
WHAT = {
    "count": "счёт", "votes": "голос игрока", "nominations": "выставления", "lift": "подъём", "left": "кто ушёл",
    "killed": "убит", "fouls": "фолы", "best_move": "лучший ход", "winner": "победитель",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """A line of one game; `case`: its folder relative to the audited one; `protocol`: was there one?"""

    case: str
    line: Line
    protocol: bool

    @property
    def link(self) -> str:
        """Into the review room: the case, at the second."""
        t = f"&t={self.line.t:.1f}" if self.line.t is not None else ""
        return f"http://localhost:8501/?case={self.case}{t}"


def audit_folder(folder: Path) -> list[Row]:
    """Rows of all cases below `folder`, in order of name. Raises UsageError when there is none."""
    if not folder.is_dir():
        raise UsageError(f"Нет папки {folder}.", f"There is no folder {folder}.")
    cases = sorted(
        p.parent for p in folder.rglob("votes.json") if "stages" not in p.relative_to(folder).parts
    )
    if not cases:
        raise UsageError(
            f"В {folder} нет разобранных дел (файла votes.json).",
            f"{folder} holds no analysed cases (votes.json).",
        )
    rows: list[Row] = []
    for case in cases:
        protocol = protocol_of(case)
        name = case.relative_to(folder).as_posix()
        lines = reconcile(_json(case / "timeline.json"), _json(case / "votes.json"), protocol)
        rows += [Row(name, line, protocol is not None) for line in lines]
    return rows


def protocol_of(case: Path) -> dict[str, Any] | None:
    """The official protocol of a case: protocol.json in it, or the one named when it was analysed."""
    candidates = [case / "protocol.json"]
    if (case / "case.json").exists():
        named = (_json(case / "case.json").get("config") or {}).get("protocol")
        if named:
            candidates.append(Path(str(named)))
    for path in candidates:
        if path.is_file():
            data = _json(path)
            if data.get("schema") == "mafiavar/protocol@1":
                return data
            from mafiavar.analyzer.protocol import read_protocol, to_json

            return to_json(read_protocol(path).record)
    return None


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"Файл {path} не читается: {error}.", f"{path} cannot be read: {error}.") from None
    return data if isinstance(data, dict) else {}


def write_audit(rows: Sequence[Row], out: Path) -> None:
    """By the ending: .xlsx (three sheets and the rest of the protocol), .csv, .html."""
    writers = {".xlsx": _xlsx, ".csv": _csv, ".html": _html}
    writer = writers.get(out.suffix.lower())
    if writer is None:
        raise UsageError(f"{out}: нужен .xlsx, .csv или .html.", f"{out}: .xlsx, .csv or .html is needed.")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        writer(rows, out)
    except OSError as error:
        raise CaseError(f"{out} не записывается: {error}.", f"{out} cannot be written: {error}.") from None


def _clock(t: float | None) -> str:
    return "" if t is None else f"{int(t) // 60}:{t % 60:04.1f}"


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return f"{value[0]}" if value[0] == value[1] else f"{value[0]}–{value[1]}"
    if isinstance(value, list):
        return "; ".join("→".join(str(x) for x in v) if isinstance(v, list) else str(v) for v in value)
    return value


def _cells(row: Row) -> list[Any]:
    line = row.line
    when: Any = line.day if line.day is not None else f"ночь {line.night}" if line.night is not None else ""
    return [
        row.case, when, line.round or "", line.seat or "", _cell(line.heard), _cell(line.counted),
        _cell(line.written), VERDICTS[line.verdict], _clock(line.t), row.link,
    ]  # fmt: skip


def _of(rows: Sequence[Row], *verdicts: Verdict) -> list[Row]:
    return [r for r in rows if r.line.verdict in verdicts]


def _xlsx(rows: Sequence[Row], out: Path) -> None:
    from openpyxl import Workbook
    from openpyxl.styles import Font, PatternFill

    book = Workbook()
    for empty in book.worksheets:
        book.remove(empty)
    ballots = [r for r in rows if r.line.what == "count"]
    colours = {"расходится": "F8D7D3", "не видно": "E7E7EA"}
    for title, chosen, with_kind in (
        ("Голосования", ballots, False),
        ("Расхождения", _of(rows, Verdict.DIFFER), True),
        ("Не видно", _of(rows, Verdict.NOT_SEEN), True),
        ("Остальное", [r for r in rows if r.line.what not in ("count", "votes")], True),
    ):
        sheet = book.create_sheet(title)
        sheet.append([*(("что",) if with_kind else ()), *HEAD])
        for row in chosen:
            cells = _cells(row)
            sheet.append([*((WHAT[row.line.what],) if with_kind else ()), *cells])
            fill = colours.get(str(cells[7]))
            last = sheet.max_row
            if fill:
                for cell in sheet[last]:
                    cell.fill = PatternFill("solid", fgColor=fill)
            link = sheet.cell(last, sheet.max_column)
            link.hyperlink, link.value, link.font = (
                row.link,
                "открыть",
                Font(color="1155CC", underline="single"),
            )
        for cell in sheet[1]:
            cell.font = Font(bold=True)
        sheet.freeze_panes = "A2"
        for column, width in zip("ABCDEFGHIJK", (18, 22, 8, 8, 16, 12, 16, 14, 10, 12, 12), strict=False):
            sheet.column_dimensions[column].width = width
    book.save(out)


def _csv(rows: Sequence[Row], out: Path) -> None:
    # Excel on a Russian Windows wants a semicolon and a byte order mark.
    with out.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["что", *HEAD])
        writer.writerows([WHAT[r.line.what], *_cells(r)] for r in rows)


def _html(rows: Sequence[Row], out: Path) -> None:
    def table(title: str, chosen: Sequence[Row]) -> str:
        body = "".join(
            f'<tr class="{r.line.verdict.value}">'
            + "".join(f"<td>{html.escape(str(c))}</td>" for c in [WHAT[r.line.what], *_cells(r)[:-1]])
            + f'<td><a href="{html.escape(r.link)}">открыть</a></td></tr>'
            for r in chosen
        )
        head = "".join(f"<th>{h}</th>" for h in ("что", *HEAD))
        return f"<h2>{title}: {len(chosen)}</h2><table><tr>{head}</tr>{body}</table>"

    style = (
        "body{font:15px sans-serif;margin:2em}table{border-collapse:collapse}td,th{border:1px solid #ccc;"
        "padding:3px 8px;text-align:left}.differ{background:#f8d7d3}.not_seen{background:#e7e7ea}"
    )
    parts = (
        table("Расхождения", _of(rows, Verdict.DIFFER)),
        table("Не видно", _of(rows, Verdict.NOT_SEEN)),
        table("Сходится", _of(rows, Verdict.AGREE)),
    )
    out.write_text(
        f'<!doctype html><html lang="ru"><meta charset="utf-8"><title>Сверка голосований</title><style>{style}</style>'
        f"<h1>Сверка голосований</h1>{''.join(parts)}</html>",
        "utf-8",
    )
