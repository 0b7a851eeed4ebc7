"""The official protocol beside ours: a file the judge keeps, read by the same readers as the audit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mafiavar.ui.review.casefile import Ballot
from mafiavar.ui.review.session import Here

NAMES = ("protocol.json", "official.json")


def official_protocol(now: Here) -> Mapping[str, Any] | None:
    """`mafiavar/protocol@1` of the case: named in case.json, beside it, or brought by a person."""
    for r in reversed(now.records):
        if r.kind == "setting" and r.target.get("name") == "protocol" and r.undoes is None:
            value = r.payload.get("value")
            return value if isinstance(value, Mapping) else None
    head = now.case.head.get("protocol")
    if isinstance(head, Mapping) and head.get("days"):
        return head
    places = [now.case.folder / n for n in NAMES]
    if isinstance(head, str):
        places.insert(0, now.case.folder / Path(head).name)
    for path in places:
        try:
            value = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(value, dict) and value.get("schema") == "mafiavar/protocol@1":
            return value
    return None


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
