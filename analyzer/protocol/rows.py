"""Protocols as rows: one fact per line, the same in CSV and in the sheets of a workbook.

Columns (Russian headings are written, English ones are read too): what, day, night, round, seat,
target, value, phase, text. `what` names the kind of fact; the order of rows is the order of facts.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.protocol import mafiavar_json
from mafiavar.analyzer.protocol.reading import Lenient, Reading
from mafiavar.engine.record import Record

COLUMNS = ("what", "day", "night", "round", "seat", "target", "value", "phase", "text")
HEADINGS: Mapping[str, str] = {
    "what": "что", "day": "день", "night": "ночь", "round": "круг", "seat": "кто", "target": "кого",
    "value": "значение", "phase": "фаза", "text": "текст",
}  # fmt: skip
KINDS: Mapping[str, str] = {
    "ruleset": "правила", "option": "настройка", "seat": "место", "day": "день", "speaker": "речь",
    "nomination": "выставление", "candidate": "кандидат", "ballot": "голосование", "vote": "голос",
    "remainder": "остаток", "unseen": "не видно", "lift": "подъём", "left": "ушёл", "foul": "фол", "removed": "удаление",
    "reveal": "вскрытие", "night": "ночь", "shot": "выстрел", "killed": "убит", "check": "проверка",
    "best_move": "лучший ход", "winner": "победа", "bonus": "балл",
    "testament": "завещание", "protocol": "протокол",
}  # fmt: skip
_KIND_OF = {**{v: k for k, v in KINDS.items()}, **{k: k for k in KINDS}, "подъем": "lift", "ушел": "left"}
_COLUMN_OF = {**{v: k for k, v in HEADINGS.items()}, **{k: k for k in COLUMNS}}

Row = dict[str, str]


def looks_like_table(text: str) -> bool:
    """Does the first line hold the heading «что» / "what"?"""
    first = text.lstrip("\ufeff").splitlines()[0].lower()
    cells = [c.strip().strip('"') for sep in ";,\t" for c in first.split(sep)]
    return "что" in cells or "what" in cells


def read(text: str, name: str, lenient: Lenient) -> Reading:
    """A CSV protocol (separated by semicolons, commas or tabs, by its first line)."""
    first = text.splitlines()[0]
    separator = max(";,\t", key=first.count)
    try:
        lines = list(csv.reader(io.StringIO(text), delimiter=separator))
    except csv.Error as problem:
        raise UsageError(
            f"{name}: таблица CSV повреждена ({problem}).", f"{name}: the CSV table is damaged ({problem})."
        ) from problem
    return Reading(record_of(table(lines, lenient), lenient), tuple(lenient.problems), "csv")


def table(lines: Iterable[Iterable[object]], lenient: Lenient, what: str | None = None) -> list[Row]:
    """Rows by column name; the first line holds the headings. `what`: the kind of every row, when a
    sheet holds only one."""
    out: list[Row] = []
    columns: list[str | None] = []
    for number, line in enumerate(lines):
        cells = ["" if c is None else _cell(c) for c in line]
        if not columns:
            columns = [_COLUMN_OF.get(c.lower()) for c in cells]
            continue
        if not any(cells):
            continue
        row = {c: v for c, v in zip(columns, cells, strict=False) if c and v}
        kind = _KIND_OF.get((what or row.get("what", "")).lower())
        if kind is None:
            lenient.note("bad_value", f"row {number + 1}", row.get("what", ""))
            continue
        out.append({**row, "what": kind, "_row": str(number + 1)})
    return out


def _cell(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


# --- rows -> record (by way of the JSON shape, so that there is one reader of facts)


def record_of(rows: list[Row], lenient: Lenient) -> Record:
    return mafiavar_json.record_of(to_shape(rows, lenient), lenient)


def to_shape(rows: list[Row], lenient: Lenient) -> dict[str, Any]:
    """The rows as `mafiavar/protocol@1`."""
    data: dict[str, Any] = {"schema": mafiavar_json.SCHEMA, "seats": {}}
    days: dict[str, dict[str, Any]] = {}
    nights: dict[str, dict[str, Any]] = {}
    for row in rows:
        adder = _ADDERS[row["what"]]
        adder(At(data, _at(days, row, "day"), _at(nights, row, "night"), lenient), row)
    data["days"] = list(days.values())
    data["nights"] = list(nights.values())
    return data


def _at(found: dict[str, dict[str, Any]], row: Row, key: str) -> dict[str, Any]:
    """The day or night the row belongs to; a throwaway when the row names none."""
    number = row.get(key)
    return found.setdefault(number, {key: number}) if number else {}


@dataclass(frozen=True, slots=True)
class At:
    """Where a row's fact goes: the whole protocol, its day, its night (throwaways when it names none)."""

    data: dict[str, Any]
    day: dict[str, Any]
    night: dict[str, Any]
    lenient: Lenient


def _add_seat(at: At, row: Row) -> None:
    at.data["seats"][row.get("seat", "")] = {"role": row.get("value"), "nickname": row.get("text")}


def _add_option(at: At, row: Row) -> None:
    text = row.get("value", "")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    at.data.setdefault("options", {})[row.get("target", "")] = value


def _add_ballot(at: At, row: Row) -> None:
    _ballot(at.day, row)


def _ballot(day: dict[str, Any], row: Row) -> dict[str, Any]:
    ballots = day.setdefault("ballots", [])
    if not row.get("round"):
        return {"votes": {}, "remainder": []}
    for ballot in ballots:
        if ballot["round"] == row["round"]:
            return ballot  # type: ignore[no-any-return]
    ballots.append({"round": row["round"], "votes": {}, "remainder": []})
    return ballots[-1]  # type: ignore[no-any-return]


def _add_vote(at: At, row: Row) -> None:
    votes = _ballot(at.day, row)["votes"].setdefault(row.get("target", ""), [])
    if row.get("seat"):
        votes.append(row["seat"])


def _add_remainder(at: At, row: Row) -> None:
    _ballot(at.day, row)["remainder"].append(row.get("seat"))


def _add_unseen(at: At, row: Row) -> None:
    _ballot(at.day, row).setdefault("unseen", []).append(row.get("seat"))


def _add_lift(at: At, row: Row) -> None:
    if not at.day.get("lift"):
        at.day["lift"] = {} if row.get("value") else None
    if not row.get("value"):
        return
    answer = at.lenient.truth(row["value"], f"row {row['_row']}")
    if not row.get("seat"):
        at.day["lift"]["passed"] = answer
    elif answer is not None:
        at.day["lift"].setdefault("yes", [])
        at.day["lift"].setdefault("yes" if answer else "no", []).append(row["seat"])


def _list(key: str) -> Any:
    """An adder for a plain list of seats; a row without a seat says "none"."""

    def add(at: At, row: Row) -> None:
        values = at.day.setdefault(key, [])
        if row.get("seat") or row.get("target"):
            values.append(row.get("seat") or row.get("target"))

    return add


def _add_nomination(at: At, row: Row) -> None:
    values = at.day.setdefault("nominations", [])
    if row.get("seat"):
        accepted = row.get("value", "yes")
        values.append({"seat": row["seat"], "target": row.get("target"), "accepted": accepted})


def _add_foul(at: At, row: Row) -> None:
    values = (at.night or at.day).setdefault("fouls", [])
    if row.get("seat"):
        values.append({
            "seat": row["seat"], "level": row.get("value"), "ordinal": row.get("round"),
            "phase": row.get("phase"), "during": row.get("target"), "violation": row.get("text"),
        })  # fmt: skip


def _add_removed(at: At, row: Row) -> None:
    (at.night or at.day).setdefault("removed", []).append(
        {"seat": row.get("seat"), "reason": row.get("value"), "phase": row.get("phase")}
    )


def _add_reveal(at: At, row: Row) -> None:
    at.day.setdefault("reveals", []).append(
        {"seat": row.get("seat"), "as": row.get("value"), "withdrawn": bool(row.get("text"))}
    )


def _add_shot(at: At, row: Row) -> None:
    shots = at.night.setdefault("shots", {})
    if not row.get("seat"):
        return
    target = row.get("target")
    if row["seat"] in shots:
        before = shots[row["seat"]]
        shots[row["seat"]] = [*(before if isinstance(before, list) else [before]), target]
    else:
        shots[row["seat"]] = target


def _add_killed(at: At, row: Row) -> None:
    at.night["killed"] = row.get("target") or row.get("seat")


def _add_check(at: At, row: Row) -> None:
    checks = at.night.setdefault("checks", [])
    if row.get("seat"):
        checks.append({"by": row["seat"], "target": row.get("target"), "found": row.get("value")})


def _add_best_move(at: At, row: Row) -> None:
    moves = at.data.setdefault("best_move", [])
    if row.get("seat"):
        move: dict[str, Any] = {
            "seat": row["seat"],
            "targets": row.get("value", "").replace(",", " ").split(),
        }
        if row.get("text"):
            move["readback"] = row["text"].replace(",", " ").split()
        if row.get("target"):
            move["as_red"] = row["target"].replace(",", " ").split()
        moves.append(move)


def _add_bonus(at: At, row: Row) -> None:
    at.data.setdefault("bonus", {})[row.get("seat", "")] = row.get("value")


def _add_words(key: str) -> Any:
    """An adder for a testament or protocol: what it holds stands as JSON in the text."""

    def add(at: At, row: Row) -> None:
        try:
            words = json.loads(row.get("text") or "{}")
        except (ValueError, RecursionError):
            words = None
        if not isinstance(words, dict):
            at.lenient.note("bad_type", f"row {row['_row']}", row.get("text", ""))
            words = {}
        seat = row.get("seat", "")
        at.day[key] = words | ({"seat": int(seat)} if seat.isdecimal() and len(seat) < 4 else {})

    return add


def _add_value(key: str) -> Any:
    def add(at: At, row: Row) -> None:
        at.data[key] = row.get("value")

    return add


def _nothing(at: At, row: Row) -> None:
    """Rows that only say that a day or a night was."""


_ADDERS: Mapping[str, Any] = {
    "ruleset": _add_value("ruleset"), "option": _add_option, "seat": _add_seat, "day": _nothing,
    "speaker": _list("speakers"), "nomination": _add_nomination, "candidate": _list("candidates"),
    "ballot": _add_ballot, "vote": _add_vote, "remainder": _add_remainder, "unseen": _add_unseen,
    "lift": _add_lift,
    "left": _list("left"), "foul": _add_foul, "removed": _add_removed, "reveal": _add_reveal, "night": _nothing,
    "shot": _add_shot, "killed": _add_killed, "check": _add_check, "best_move": _add_best_move,
    "winner": _add_value("winner"), "bonus": _add_bonus,
    "testament": _add_words("testament"), "protocol": _add_words("protocol"),
}  # fmt: skip


# --- record -> rows


def rows_of(data: Mapping[str, Any]) -> list[Row]:
    """The rows of a protocol in the JSON shape (as `write.to_json` makes it)."""
    out: list[dict[str, Any]] = [{"what": "ruleset", "value": data.get("ruleset")}]
    for name, value in (data.get("options") or {}).items():
        out.append({"what": "option", "target": name, "value": json.dumps(value, ensure_ascii=False)})
    for seat, person in (data.get("seats") or {}).items():
        out.append(
            {"what": "seat", "seat": seat, "value": person.get("role"), "text": person.get("nickname")}
        )
    for day in data.get("days") or []:
        out += _day_rows(day)
    for night in data.get("nights") or []:
        out += _night_rows(night)
    if "best_move" in data:
        moves = data["best_move"]
        listed = moves if isinstance(moves, list) else [moves] if moves else []
        out += [
            {
                "what": "best_move",
                "seat": m["seat"],
                "value": _numbers(m["targets"]),
                "text": _numbers(m.get("readback")),
                "target": _numbers(m.get("as_red")),
            }
            for m in listed
        ] or [{"what": "best_move"}]
    if data.get("winner"):
        out.append({"what": "winner", "value": data["winner"]})
    out += [{"what": "bonus", "seat": s, "value": p} for s, p in (data.get("bonus") or {}).items()]
    return [{k: "" if v is None else str(v) for k, v in row.items()} for row in out]


def _numbers(seats: Iterable[int] | None) -> str | None:
    return None if seats is None else " ".join(map(str, seats))


def _day_rows(day: Mapping[str, Any]) -> list[dict[str, Any]]:
    n = day["day"]
    out: list[dict[str, Any]] = [{"what": "day", "day": n}]

    def plain(key: str, what: str, column: str) -> None:
        if key in day:
            out.extend([{"what": what, "day": n, column: s} for s in day[key]] or [{"what": what, "day": n}])

    plain("speakers", "speaker", "seat")
    if "nominations" in day:
        out += [
            {"what": "nomination", "day": n, "seat": x["seat"], "target": x["target"],
             "value": "да" if x.get("accepted", True) else "нет"}
            for x in day["nominations"]
        ] or [{"what": "nomination", "day": n}]  # fmt: skip
    plain("candidates", "candidate", "target")
    if "ballots" in day:
        out += _ballot_rows(n, day["ballots"])
    if "lift" in day:
        lift = day["lift"] or {}
        answers = [("да", s) for s in lift.get("yes") or []] + [("нет", s) for s in lift.get("no") or []]
        out += [{"what": "lift", "day": n, "seat": s, "value": a} for a, s in answers]
        if lift.get("passed") is not None:
            out.append({"what": "lift", "day": n, "value": "да" if lift["passed"] else "нет"})
        if not lift:
            out.append({"what": "lift", "day": n})
    plain("left", "left", "seat")
    out += _discipline("day", n, day)
    out += [
        {
            "what": "reveal",
            "day": n,
            "seat": r["seat"],
            "value": r["as"],
            "text": "откат" if r.get("withdrawn") else None,
        }
        for r in day.get("reveals") or []
    ]
    for what in ("testament", "protocol"):
        words = day.get(what)
        if isinstance(words, Mapping):
            inside = json.dumps({k: v for k, v in words.items() if k != "seat"}, ensure_ascii=False)
            out.append({"what": what, "day": n, "seat": words.get("seat"), "text": inside})
    return out


def _ballot_rows(n: int, ballots: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for ballot in ballots:
        place = {"day": n, "round": ballot["round"]}
        for target, seats in ballot["votes"].items():
            out += [{"what": "vote", **place, "seat": s, "target": target} for s in seats] or [
                {"what": "vote", **place, "target": target}
            ]
        out += [{"what": "remainder", **place, "seat": s} for s in ballot.get("remainder") or []]
        out += [{"what": "unseen", **place, "seat": s} for s in ballot.get("unseen") or []]
    return out or [{"what": "ballot", "day": n}]


def _discipline(key: str, n: int, part: Mapping[str, Any]) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = [
        {"what": "foul", key: n, "seat": f["seat"], "value": f.get("level"), "round": f.get("ordinal"),
         "phase": f.get("phase"), "target": f.get("during"), "text": f.get("violation")}
        for f in part.get("fouls") or []
    ]  # fmt: skip
    if "fouls" in part and not out:
        out.append({"what": "foul", key: n})
    out += [
        {"what": "removed", key: n, "seat": r["seat"], "value": r.get("reason"), "phase": r.get("phase")}
        for r in part.get("removed") or []
    ]
    return out


def _night_rows(night: Mapping[str, Any]) -> list[dict[str, Any]]:
    n = night["night"]
    out: list[dict[str, Any]] = [{"what": "night", "night": n}]
    if "shots" in night:
        shots = [
            {"what": "shot", "night": n, "seat": s, "target": t}
            for s, ts in night["shots"].items()
            for t in (ts if isinstance(ts, list) else [ts])
        ]
        out += shots or [{"what": "shot", "night": n}]
    if "killed" in night:
        out.append({"what": "killed", "night": n, "target": night["killed"]})
    if "checks" in night:
        found = {True: "да", False: "нет", None: None}
        out += [
            {
                "what": "check",
                "night": n,
                "seat": c["by"],
                "target": c["target"],
                "value": found[c.get("found")],
            }
            for c in night["checks"]
        ] or [{"what": "check", "night": n}]
    return out + _discipline("night", n, night)


def to_csv(data: Mapping[str, Any]) -> str:
    """CSV with Russian headings, separated by semicolons as Russian spreadsheets expect."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow([HEADINGS[c] for c in COLUMNS])
    for row in rows_of(data):
        writer.writerow([KINDS[row["what"]] if c == "what" else row.get(c, "") for c in COLUMNS])
    return out.getvalue()
