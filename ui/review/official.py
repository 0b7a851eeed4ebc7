"""The official protocol beside ours: read by the readers of `mafiavar protocol`, audited by the engine."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mafiavar.analyzer.errors import MafiavarError
from mafiavar.analyzer.protocol import read_protocol, to_json
from mafiavar.engine.audit import audit_file_rules
from mafiavar.engine.errors import RuleError
from mafiavar.ui.findings import sentence
from mafiavar.ui.language import say
from mafiavar.ui.review.casefile import Ballot
from mafiavar.ui.review.session import Here

NAMES = ("protocol.json", "official.json", "protocol.csv", "protocol.xlsx")
LARGEST = 5 << 20


@dataclass(frozen=True, slots=True)
class Remark:
    """One finding of the audit in words; severity: error, warning, unchecked."""

    severity: str
    place: str
    text: str
    clause: str


def official_protocol(now: Here) -> Mapping[str, Any] | None:
    """`mafiavar/protocol@1`: what a person brought, else what the case was analysed with."""
    for r in reversed(now.records):
        if r.kind == "setting" and r.target.get("name") == "protocol":
            undone = any(x.undoes == r.id for x in now.records)
            value = r.payload.get("value")
            if r.undoes is None and not undone:
                return value if isinstance(value, Mapping) else None
    head = now.case.head.get("protocol")
    if isinstance(head, Mapping) and head.get("days"):
        return head
    places = [now.case.folder / n for n in NAMES]
    if isinstance(head, str):
        places.insert(0, now.case.folder / Path(head).name)
    for path in places:
        if path.is_file():
            try:
                return read_file(path)
            except MafiavarError:
                continue
    return None


def read_file(path: Path) -> Mapping[str, Any]:
    """A protocol file of any known format.

    Raises:
        UsageError: the file is none of the known formats; the sentence says what is wrong.
    """
    return to_json(read_protocol(path).record)


def read_bytes(name: str, data: bytes) -> Mapping[str, Any]:
    """An uploaded protocol; see `read_file`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"protocol{Path(name).suffix[:8]}"
        path.write_bytes(data)
        return read_file(path)


def remarks(now: Here, protocol: Mapping[str, Any]) -> tuple[Remark, ...]:
    """What is wrong with the protocol by itself, under the case's rules."""
    import json

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "protocol.json"
        path.write_text(json.dumps(protocol, ensure_ascii=False), encoding="utf-8")
        try:
            found = audit_file_rules(read_protocol(path).record, now.case.ruleset or None)
        except (MafiavarError, RuleError) as error:
            text = say(error.russian, error.english) if isinstance(error, MafiavarError) else str(error)
            return (Remark("unchecked", "", text, ""),)
    return tuple(
        Remark(
            f.severity,
            say(f"день {f.day}", f"day {f.day}")
            if f.day is not None
            else say(f"ночь {f.night}", f"night {f.night}")
            if f.night is not None
            else "",
            sentence(f.kind, f.seats, dict(f.params)),
            str(f.clause or ""),
        )
        for f in found.findings
        if now.view is None or now.view.secrets or f.night is None
    )


def official_votes(protocol: Mapping[str, Any] | None, ballot: Ballot) -> list[int] | None:
    """Seats that the protocol gives to this candidate (the remainder included), None: not said."""
    if protocol is None:
        return None
    for day in protocol.get("days") or ():
        if day.get("day") != ballot.day:
            continue
        for entry in day.get("ballots") or ():
            votes = entry.get("votes") or {}
            if entry.get("round", 1) == ballot.round and str(ballot.target) in votes:
                last = ballot.candidates and ballot.candidates[-1] == ballot.target
                seats = [*votes[str(ballot.target)], *((entry.get("remainder") or []) if last else [])]
                return sorted({int(s) for s in seats})
    return None
