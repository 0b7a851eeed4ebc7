"""The protocol that a recording tells accuses nobody of what was not seen or heard."""

from __future__ import annotations

from typing import Any

from mafiavar.analyzer.export.protocol import protocol_of_timeline
from mafiavar.analyzer.protocol import read_text
from mafiavar.engine.audit import audit_file_rules


def event(kind: str, day: int = 1, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "day": day, "t0": 1.0, "t1": 2.0, "confidence": 0.95, **more}


def day_one(speakers: range, voted: dict[int, int]) -> dict[str, Any]:
    return {
        "ruleset": "fsm-2026",
        "events": [
            *(event("floor_given", seat=s, purpose="speech", seconds=60) for s in speakers),
            event("nominated", seat=1, target=3, accepted=True),
            event("nominated", seat=2, target=5, accepted=True),
            event("vote_opened", round=1, candidates=[3, 5]),
            *(event("vote_cast", round=1, seat=s, target=t, remainder=False) for s, t in voted.items()),
            event("eliminated", by="vote", seats=[5]),
        ],
    }


def votes(voted: dict[int, int], unknown: set[int]) -> dict[str, Any]:
    def answer(seat: int, target: int) -> str:
        return "yes" if voted.get(seat) == target else "unknown" if seat in unknown else "no"

    ballots = [
        {"target": t, "seats": {str(s): {"vote": answer(s, t), "remainder": False} for s in range(1, 11)}}
        for t in (3, 5)
    ]
    return {"rounds": [{"day": 1, "round": 1, "ballots": ballots}]}


def found(protocol: dict[str, Any]) -> dict[str, str]:
    import json

    audit = audit_file_rules(read_text(json.dumps(protocol), "protocol").record, None)
    return {f.kind: f.severity for f in audit.findings}


VOTED = {1: 5, 2: 5, 3: 5, 4: 3, 6: 5, 7: 3, 8: 5, 10: 5}


def test_hands_that_were_not_seen_are_named_and_no_error() -> None:
    protocol = protocol_of_timeline(day_one(range(1, 11), VOTED), votes(VOTED, {5, 9}))
    assert protocol["days"][0]["ballots"][0]["unseen"] == [5, 9]
    kinds = found(protocol)
    assert kinds["votes_unseen"] == "unchecked"
    assert "error" not in kinds.values()


def test_a_seat_seen_to_vote_for_nobody_stays_an_error() -> None:
    protocol = protocol_of_timeline(day_one(range(1, 11), VOTED), votes(VOTED, set()))
    assert "unseen" not in protocol["days"][0]["ballots"][0]
    assert found(protocol)["votes_do_not_add_up"] == "error"


def test_speeches_that_were_not_all_heard_are_left_out() -> None:
    protocol = protocol_of_timeline(day_one(range(1, 4), VOTED), votes(VOTED, {5, 9}))
    assert "speakers" not in protocol["days"][0]
    assert "error" not in found(protocol).values()


def test_a_night_that_was_only_heard_tells_no_shots() -> None:
    timeline = day_one(range(1, 11), VOTED)
    timeline["events"].append(event("night_result", day=2, night=1, killed=1))
    night = protocol_of_timeline(timeline)["nights"][0]
    assert night == {"night": 1, "killed": 1}


def test_unseen_votes_survive_a_table() -> None:
    import json
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from mafiavar.analyzer.protocol import read_protocol, write_protocol

    protocol = protocol_of_timeline(day_one(range(1, 11), VOTED), votes(VOTED, {5, 9}))
    record = read_text(json.dumps(protocol), "protocol").record
    with TemporaryDirectory() as folder:
        for form in ("csv", "xlsx", "mafiavar"):
            path = Path(folder) / f"p.{'json' if form == 'mafiavar' else form}"
            write_protocol(record, path, form)  # type: ignore[arg-type]
            days = read_protocol(path).record.days
            assert days[0].ballots is not None and days[0].ballots[0].unseen == (5, 9)
