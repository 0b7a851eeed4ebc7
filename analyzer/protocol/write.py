"""Writing a record as `mafiavar/protocol@1`, CSV or XLSX."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from mafiavar.analyzer.errors import UsageError, reason
from mafiavar.analyzer.protocol import mafiavar_json, rows, workbook
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.record import DayRecord, FoulRecord, NightRecord, Record, RemovalRecord

Format = Literal["mafiavar", "csv", "xlsx"]
SUFFIX: Mapping[str, str] = {"mafiavar": ".json", "csv": ".csv", "xlsx": ".xlsx"}


def to_json(record: Record) -> dict[str, Any]:
    """`mafiavar/protocol@1` of a record; parts that were not written down are left out."""
    options = {**record.site_options, **record.options}
    data: dict[str, Any] = {
        "schema": mafiavar_json.SCHEMA,
        "ruleset": record.ruleset or "fsm-2026",
        "options": {name: _plain(value) for name, value in options.items()},
        "seats": {
            str(s): {"nickname": record.nicknames.get(s), "role": record.roles.get(s)} for s in range(1, 11)
        },
        "days": [_day(d) for d in record.days],
        "nights": [_night(n) for n in record.nights],
    }
    if record.best_move_known:
        moves = [
            {"seat": m.seat, "targets": list(m.targets)}
            | ({"readback": list(m.readback)} if m.readback is not None else {})
            | ({"as_red": list(m.as_red)} if m.as_red else {})
            for m in record.best_moves
        ]
        data["best_move"] = moves if len(moves) > 1 else moves[0] if moves else None
    data["winner"] = record.winner
    data["bonus"] = {str(s): p for s, p in sorted(record.bonus.items())}
    return data


def _plain(value: object) -> object:
    if isinstance(value, (frozenset, set)):
        return sorted((_plain(v) for v in value), key=repr)
    return [_plain(v) for v in value] if isinstance(value, (list, tuple)) else value


def _day(day: DayRecord) -> dict[str, Any]:
    out: dict[str, Any] = {"day": day.day}
    if day.speakers is not None:
        out["speakers"] = list(day.speakers)
    if day.nominations is not None:
        out["nominations"] = [
            {"seat": n.seat, "target": n.target, "accepted": n.accepted} for n in day.nominations
        ]
    if day.candidates is not None:
        out["candidates"] = list(day.candidates)
    if day.ballots is not None:
        out["ballots"] = [
            {"round": b.round}
            | ({"candidates": list(b.candidates)} if b.candidates is not None else {})
            | {"votes": {str(t): list(who) for t, who in b.votes}, "remainder": list(b.remainder)}
            | ({"unseen": list(b.unseen)} if b.unseen else {})
            for b in day.ballots
        ]
    if day.lift is not None:
        lift = {"yes": day.lift.yes, "no": day.lift.no, "passed": day.lift.passed}
        out["lift"] = {k: list(v) if isinstance(v, tuple) else v for k, v in lift.items() if v is not None}
    elif day.lift_known:
        out["lift"] = None
    if day.left is not None:
        out["left"] = list(day.left)
    out["fouls"] = [_foul(f) for f in day.fouls]
    out["removed"] = [_removed(r) for r in day.removed]
    out["reveals"] = [{"seat": r.seat, "as": r.claims, "withdrawn": r.withdrawn} for r in day.reveals]
    for key, value in (("testament", day.testament), ("protocol", day.protocol)):
        if value is not None:
            out[key] = value
    return out


def _night(night: NightRecord) -> dict[str, Any]:
    out: dict[str, Any] = {"night": night.night}
    if night.shots is not None:
        shots: dict[str, Any] = {}
        for shooter, target in night.shots:
            key = str(shooter)
            if key in shots:
                before = shots[key]
                shots[key] = [*(before if isinstance(before, list) else [before]), target]
            else:
                shots[key] = target
        out["shots"] = shots
    if night.killed_known:
        out["killed"] = night.killed
    if night.checks is not None:
        out["checks"] = [
            {"by": c.seat if c.by == "seat" else c.by, "target": c.target, "found": c.found}
            for c in night.checks
        ]
    out["fouls"] = [_foul(f) for f in night.fouls]
    out["removed"] = [_removed(r) for r in night.removed]
    return out


def _foul(foul: FoulRecord) -> dict[str, Any]:
    out = {
        "seat": foul.seat, "level": foul.level, "ordinal": foul.ordinal, "phase": foul.phase, "during": foul.during,
    }  # fmt: skip
    return out | ({"violation": foul.violation} if foul.violation else {})


def _removed(removal: RemovalRecord) -> dict[str, Any]:
    return {"seat": removal.seat, "reason": removal.violation or removal.reason, "phase": removal.phase}


def encode(record: Record, to: Format) -> bytes:
    """The bytes of the file; the same record gives the same JSON and CSV bytes."""
    data = to_json(record)
    if to == "mafiavar":
        return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode("utf-8")
    if to == "csv":
        return b"\xef\xbb\xbf" + rows.to_csv(data).encode("utf-8")
    return workbook.to_xlsx(data)


def write_protocol(record: Record, path: Path, to: Format) -> None:
    """Writes the file whole or not at all. Raises UsageError when the place cannot be written."""
    data = encode(record, to)
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as problem:
        part.unlink(missing_ok=True)
        raise UsageError(
            f"{path}: записать не получилось: {reason(problem)}.",
            f"{path}: cannot be written ({problem.strerror or problem}).",
        ) from problem


def rules_name(rules: Ruleset) -> str:
    """The name of a rule set as files carry it."""
    return rules.name
