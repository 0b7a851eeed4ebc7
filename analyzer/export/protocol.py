"""The protocol that a recording tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]
SURE = 0.5


def protocol_of_timeline(timeline: Json) -> dict[str, Any]:
    """`mafiavar/protocol@1` of timeline.json: facts at least SURE; votes of seats only where seen."""
    events = [e for e in timeline.get("events", ()) if float(e.get("confidence", 1.0)) >= SURE]
    days = sorted({e["day"] for e in events if e["day"] >= 1 and e["kind"] != "night_result"})
    nights = [e for e in events if e["kind"] == "night_result"]
    move = next((e for e in events if e["kind"] == "best_move"), None)
    winner = next((e.get("winner") for e in events if e["kind"] == "game_ended"), None)
    return {
        "schema": "mafiavar/protocol@1",
        "ruleset": timeline.get("ruleset"),
        "seats": {str(n): {"nickname": None, "role": None} for n in range(1, 11)},
        "days": [_day([e for e in events if e["day"] == day], day) for day in days],
        "nights": [
            {
                "night": n["night"],
                "killed": n["killed"],
                "shots": {
                    str(e["shooter"]): e.get("target")
                    for e in events
                    if e["kind"] == "shot" and e.get("night") == n["night"] and e.get("shooter")
                },
                "checks": [
                    {"by": e["by"], "target": e["target"], "found": e.get("found")}
                    for e in events
                    if e["kind"] == "check" and e.get("night") == n["night"]
                ],
            }
            for n in nights
        ],
        "best_move": {"seat": move["seat"], "targets": list(move["targets"])} if move else None,
        "winner": winner,
    }


def _day(events: Sequence[Json], day: int) -> dict[str, Any]:
    opened = [e for e in events if e["kind"] == "vote_opened"]
    out: dict[str, Any] = {
        "day": day,
        "speakers": [
            e["seat"] for e in events if e["kind"] == "floor_given" and e.get("purpose") == "speech"
        ],
        "nominations": [
            {"seat": e["seat"], "target": e["target"], "accepted": bool(e.get("accepted"))}
            for e in events
            if e["kind"] == "nominated"
        ],
        "ballots": [_ballot(events, o) for o in opened],
        "left": [
            s for e in events if e["kind"] == "eliminated" and e["by"] in ("vote", "lift") for s in e["seats"]
        ],
        "fouls": [
            {"seat": e["seat"], "level": e["level"], "ordinal": e.get("ordinal")}
            for e in events
            if e["kind"] == "foul"
        ],
    }
    if opened:
        out["candidates"] = list(opened[0].get("candidates") or ())
    return out


def _ballot(events: Sequence[Json], opened: Json) -> dict[str, Any]:
    cast = [e for e in events if e["kind"] == "vote_cast" and e["round"] == opened["round"]]
    votes: dict[str, list[int]] = {}
    for e in cast:
        if not e.get("remainder"):
            votes.setdefault(str(e["target"]), []).append(e["seat"])
    return {
        "round": opened["round"],
        "candidates": list(opened.get("candidates") or ()),
        "votes": votes,
        "remainder": sorted(e["seat"] for e in cast if e.get("remainder")),
    }
