"""What the player's canvas draws: phases, speakers, ballots, hands, flags, on one clock."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mafiavar.ui.review.casefile import Case, Event, Word
from mafiavar.ui.review.decisions import votes_as_decided
from mafiavar.ui.review.room import View
from mafiavar.ui.review.words import flag_name, phase_name
from mafiavar.ui.store.records import Record

SPEAKER_GAP = 1.0
AFTER_A_VOTE = frozenset(
    {"eliminated", "floor_given", "lift_called", "night_began", "day_began", "game_ended"}
)


def lanes(view: View, records: Iterable[Record], *, blind: bool = False) -> dict[str, Any]:
    """JSON for the player; times in seconds. `blind`: without the hands, which would tell the
    machine's answer before a person has given theirs."""
    case = view.case
    ballots = votes_as_decided(case, records)
    return {
        "duration": case.duration,
        "phases": [*_phases(case)],
        "speakers": _speakers(case.words),
        "ballots": [
            {
                "key": b.key,
                "day": b.day,
                "round": b.round,
                "target": b.target,
                "called": list(b.called),
                "closed": list(b.closed) if b.closed else None,
                "count": count_time(case, b.day, b.round, b.target),
                "window": list(b.window),
            }
            for b in ballots
        ],
        "hands": [
            {"seat": v.seat, "t0": v.contact[0], "t1": v.contact[1], "vote": v.vote, "form": v.form}
            for b in ballots
            for v in b.seats.values()
            if v.contact and not blind
        ],
        "flags": [
            {
                "id": f.id,
                "t0": f.t0,
                "t1": f.t1,
                "severity": f.severity,
                "seats": list(f.seats),
                "label": flag_name(f.kind),
            }
            for f in case.flags
        ],
        "nights": [] if view.secrets else [list(s) for s in view.nights.spans],
    }


def count_time(case: Case, day: int, round_: int, target: int) -> list[float] | None:
    """When the judge said the count of this call."""
    for e in case.of_kind("vote_announced"):
        if (e.day, e.get("round"), e.get("target")) == (day, round_, target):
            return [e.t0, e.t1]
    return None


def _phases(case: Case) -> Iterable[dict[str, Any]]:
    """Nights, speeches and votings, in order; each until the next thing that ends it."""
    events = sorted(case.events, key=lambda e: (e.t0, e.t1))
    night: Event | None = None
    floor: Event | None = None
    vote: Event | None = None
    for e in events:
        if vote is not None and e.kind in AFTER_A_VOTE:
            # The last count was not heard: what follows a vote tells that it is over.
            yield _phase("vote", vote.t0, e.t0, vote.get("round"))
            vote = None
        if e.kind == "night_began":
            night = e
        elif e.kind == "day_began" and night is not None:
            yield _phase("night", night.t0, e.t0, night.get("night", 0))
            night = None
        elif e.kind == "floor_given":
            floor = e
        elif e.kind == "floor_ended" and floor is not None:
            yield _phase(str(floor.get("purpose", "speech")), floor.t0, e.t1, floor.get("seat"))
            floor = None
        elif e.kind == "vote_opened":
            vote = e
        elif (
            e.kind == "vote_announced"
            and vote is not None
            and e.get("target") == (vote.get("candidates") or [None])[-1]
        ):
            yield _phase("vote", vote.t0, e.t1, vote.get("round"))
            vote = None
    if night is not None:
        yield _phase("night", night.t0, case.duration, night.get("night", 0))


def _phase(kind: str, t0: float, t1: float, number: Any) -> dict[str, Any]:
    return {"kind": kind, "t0": t0, "t1": max(t0, t1), "label": phase_name(kind, number)}


def _speakers(words: Iterable[Word]) -> list[list[Any]]:
    """[who, t0, t1]: words of one voice without a pause of a second."""
    out: list[list[Any]] = []
    for w in words:
        if out and out[-1][0] == w.speaker and w.t0 - out[-1][2] < SPEAKER_GAP:
            out[-1][2] = max(out[-1][2], w.t1)
        else:
            out.append([w.speaker, w.t0, w.t1])
    return out
