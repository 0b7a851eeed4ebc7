"""The protocol that a recording tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]
SURE = 0.5


def protocol_of_timeline(timeline: Json, votes: Json | None = None) -> dict[str, Any]:
    """`mafiavar/protocol@1` of timeline.json: facts at least SURE; votes of seats only where seen.

    What the recording does not tell is left out or named as unseen, so that an audit of the result
    does not take a gap for a breach: seats whose hands are not seen (`votes` is votes.json), and the
    order of speeches of a day in which not everybody was heard to be given the floor.
    """
    events = [e for e in timeline.get("events", ()) if float(e.get("confidence", 1.0)) >= SURE]
    days = sorted({e["day"] for e in events if e["day"] >= 1 and e["kind"] != "night_result"})
    nights = [e for e in events if e["kind"] == "night_result"]
    move = next((e for e in events if e["kind"] == "best_move"), None)
    winner = next((e.get("winner") for e in events if e["kind"] == "game_ended"), None)
    return {
        "schema": "mafiavar/protocol@1",
        "ruleset": timeline.get("ruleset"),
        "seats": {str(n): {"nickname": None, "role": None} for n in range(1, 11)},
        "days": [
            _day(
                [e for e in events if e["day"] == day],
                day,
                _living(events, day),
                _unseen(votes or {}, day),
                ended=day != days[-1] or any(e["kind"] == "night_began" and e["day"] == day for e in events),
            )
            for day in days
        ],
        "nights": [_night(events, n) for n in nights],
        "best_move": {"seat": move["seat"], "targets": list(move["targets"])} if move else None,
        "winner": winner,
    }


def _night(events: Sequence[Json], result: Json) -> dict[str, Any]:
    inside = [e for e in events if e.get("night") == result["night"]]
    out = {"night": result["night"], "killed": result["killed"]}
    shots = {str(e["shooter"]): e.get("target") for e in inside if e["kind"] == "shot" and e.get("shooter")}
    checks = [
        {"by": e["by"], "target": e["target"], "found": e.get("found")}
        for e in inside
        if e["kind"] == "check"
    ]
    # Nobody seen to shoot is not "nobody shot": the sound alone tells neither.
    return out | ({"shots": shots} if shots else {}) | ({"checks": checks} if checks else {})


def _living(events: Sequence[Json], day: int) -> set[int]:
    """Seats at the table when `day` began, as far as the recording tells."""
    gone = {e["killed"] for e in events if e["kind"] == "night_result" and e["night"] < day}
    gone |= {s for e in events if e["kind"] == "eliminated" and e["day"] < day for s in e["seats"]}
    return set(range(1, 11)) - gone


def _unseen(votes: Json, day: int) -> dict[int, list[int]]:
    """Seats whose vote is not known, by round: nowhere seen to vote, and somewhere not seen at all."""
    out = {}
    for entry in votes.get("rounds", ()):
        if entry["day"] != day:
            continue
        looks: dict[int, set[str]] = {}
        for ballot in entry["ballots"]:
            for seat, one in ballot["seats"].items():
                looks.setdefault(int(seat), set()).add("yes" if one.get("remainder") else one["vote"])
        out[entry["round"]] = sorted(s for s, how in looks.items() if "unknown" in how and "yes" not in how)
    return out


def _day(
    events: Sequence[Json], day: int, living: set[int], unseen: Mapping[int, list[int]], *, ended: bool
) -> dict[str, Any]:
    opened = [e for e in events if e["kind"] == "vote_opened"]
    speakers = [e["seat"] for e in events if e["kind"] == "floor_given" and e.get("purpose") == "speech"]
    left = [
        s for e in events if e["kind"] == "eliminated" and e["by"] in ("vote", "lift") for s in e["seats"]
    ]
    out: dict[str, Any] = {
        "day": day,
        "nominations": [
            {"seat": e["seat"], "target": e["target"], "accepted": bool(e.get("accepted"))}
            for e in events
            if e["kind"] == "nominated"
        ],
        "ballots": [_ballot(events, o, unseen.get(o["round"], [])) for o in opened],
        "fouls": [
            {"seat": e["seat"], "level": e["level"], "ordinal": e.get("ordinal")}
            for e in events
            if e["kind"] == "foul"
        ],
    }
    if living <= set(speakers) or not speakers:
        out["speakers"] = speakers
    if left or not opened or ended:
        out["left"] = left
    if opened:
        out["candidates"] = list(opened[0].get("candidates") or ())
    return out


def _ballot(events: Sequence[Json], opened: Json, unseen: list[int]) -> dict[str, Any]:
    cast = [e for e in events if e["kind"] == "vote_cast" and e["round"] == opened["round"]]
    votes: dict[str, list[int]] = {}
    for e in cast:
        if not e.get("remainder"):
            votes.setdefault(str(e["target"]), []).append(e["seat"])
    ballot: dict[str, Any] = {
        "round": opened["round"],
        "candidates": list(opened.get("candidates") or ()),
        "votes": votes,
        "remainder": sorted(e["seat"] for e in cast if e.get("remainder")),
    }
    voted = {s for who in votes.values() for s in who} | set(ballot["remainder"])
    if hidden := [s for s in unseen if s not in voted]:
        ballot["unseen"] = hidden
    return ballot
