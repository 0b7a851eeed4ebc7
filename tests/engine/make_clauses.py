"""Writes engine/clauses/*.py from the rule texts: `python tests/engine/make_clauses.py RULES_FOLDER`.

RULES_FOLDER holds fsm_2026.txt with fsm_2026_clauses.csv (numbers and how sure they are), disbord.txt
(cited by line) and legion.txt (cited by clause; its rating rules as rating-N). The texts are cited
material of their authors; the engine may not read files, hence modules.
"""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path

HEAD = '''"""{title}

Cited text of its authors, written by tests/engine/make_clauses.py: do not edit by hand.
number -> (line of the text, certainty of the number, text).
"""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[int, str, str]] = {{
{rows}
}}
'''
ROOT = Path(__file__).resolve().parent.parent.parent


def fsm(folder: Path) -> dict[str, tuple[int, str, str]]:
    lines = (folder / "fsm_2026.txt").read_text("utf-8").splitlines()
    out = {}
    with (folder / "fsm_2026_clauses.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            number = row["clause"].split()[0]
            line = int(row["line"])
            out[number] = (line, row["certainty"], lines[line - 1].strip())
    return out


def disbord(folder: Path) -> dict[str, tuple[int, str, str]]:
    out = {}
    for number, line in enumerate((folder / "disbord.txt").read_text("utf-8").splitlines(), 1):
        text = line.strip().lstrip("Ø-").strip()
        if text:
            out[f"l{number}"] = (number, "A", text)
    return out


def legion(folder: Path) -> dict[str, tuple[int, str, str]]:
    """The text stands in the file twice, once in a row; the first of each counts. A punishment on a line
    of its own belongs to the clause before it."""
    out: dict[str, tuple[int, str, str]] = {}
    prefix, last = "", None
    for number, line in enumerate((folder / "legion.txt").read_text("utf-8").splitlines(), 1):
        text = line.strip()
        if text == "ПРАВИЛА РЕЙТИНГА":
            prefix = "rating-"
        found = re.match(r"(\d+(?:\.\d+)+)\.?\s+(.*)", text)
        if found:
            key = prefix + found[1]
            last = key if key not in out else None
            if last:
                out[key] = (number, "A", found[2])
        elif last and text and not re.match(r"\d+\.", text) and text != "ПРАВИЛА РЕЙТИНГА":
            line_no, certainty, before = out[last]
            out[last] = (line_no, certainty, f"{before} {text}")
    return out


def main() -> None:
    folder = Path(sys.argv[1])
    target = ROOT / "engine" / "clauses"
    for name, title, texts in (
        ("fsm_2026", "FSM 2026, clause by clause.", fsm(folder)),
        ("disbord", "DISBORD, line by line.", disbord(folder)),
        ("legion", "Legion, clause by clause.", legion(folder)),
    ):
        rows = "\n".join(
            f"    {key!r}: ({line}, {sure!r}, {text!r})," for key, (line, sure, text) in texts.items()
        )
        path = target / f"{name}.py"
        path.write_text(
            HEAD.format(title=title, rows=rows.replace("'", '"') if '"' not in rows else rows), "utf-8"
        )
        print(f"{path}: {len(texts)} clauses")


if __name__ == "__main__":
    main()
