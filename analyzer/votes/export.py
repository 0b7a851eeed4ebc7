"""votes.json (`mafiavar/votes@1`)."""

from __future__ import annotations

from typing import Any

from mafiavar.analyzer.span import Span, seconds
from mafiavar.analyzer.vision.question import Frame
from mafiavar.analyzer.votes.count import BallotVotes, SeatVote, Votes

SCHEMA = "mafiavar/votes@1"


def votes_json(votes: Votes) -> dict[str, Any]:
    """As the file holds it. Lifts stand beside the rounds under "lifts" (an addition to the schema)."""
    rounds: dict[tuple[int, int], dict[str, Any]] = {}
    lifts: list[dict[str, Any]] = []
    for b in votes.ballots:
        if b.ballot.lift:
            lifts.append({"day": b.ballot.day, "candidates": list(b.ballot.candidates), **_ballot(b)})
            continue
        key = (b.ballot.day, b.ballot.round)
        entry = rounds.setdefault(
            key,
            {"day": key[0], "round": key[1], "candidates": list(b.ballot.candidates), "ballots": []},
        )
        entry["candidates"] = list(b.ballot.candidates)
        entry["ballots"].append({"target": b.ballot.target, **_ballot(b)})
    return {"schema": SCHEMA, "rounds": list(rounds.values()), **({"lifts": lifts} if lifts else {})}


def _ballot(b: BallotVotes) -> dict[str, Any]:
    return {
        "called": span_json(b.ballot.called),
        "closed": span_json(b.ballot.stop),
        "count": span_json(b.ballot.count),
        "announced": b.ballot.announced,
        "counted": list(b.counted),
        "assigned": b.assigned,
        "seats": {str(s): _seat(v) for s, v in sorted(b.seats.items())},
    }


def _seat(v: SeatVote) -> dict[str, Any]:
    return {
        "vote": v.vote,
        "probability": round(float(v.probability), 3),
        "hand": v.hand,
        "form": v.form,
        "contact": span_json(v.contact.span) if v.contact else None,
        "remainder": v.remainder,
        **({"reason": v.reason} if v.reason else {}),
        "evidence": [frame_json(f) for f in v.evidence],
    }


def span_json(span: Span | None) -> list[float] | None:
    return None if span is None else [seconds(span.t0), seconds(span.t1)]


def frame_json(f: Frame) -> dict[str, Any]:
    """One picture as evidence; its path is filled when it is stored."""
    return {
        "recording": f.recording,
        "pts": f.pts,
        "time_base": list(f.time_base),
        "t": seconds(f.t),
        "path": None,
        "box": list(f.box),
        "landmarks": [[round(float(x), 1), round(float(y), 1)] for x, y in f.landmarks],
        "role": f.role,
    }
