"""The stated facts of a game: what a protocol would hold, read from events on either side.

Facts: accepted nominations in order, announced counts, who left and how, who was killed, the
best move, fouls per seat, the winner. Values are compared exactly; a fact that the case does not
state is a difference with `found: null`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mafiavar.analyzer.evaluation.matching import Record

Fact = tuple[str, Any]
LEVELS_COUNTED = ("foul", "technical", "technical_big", "removal", "team_defeat")


def facts(events: Sequence[Record]) -> dict[str, Any]:
    """Name of the fact -> value. Names sort by day; clipped events state nothing."""
    result: dict[str, Any] = {}
    nominations: dict[Any, list[list[int]]] = {}
    fouls: dict[str, int] = {}
    for e in sorted(events, key=lambda e: float(e["t0"])):
        kind, day = e["kind"], e.get("day")
        if e.get("clipped"):
            continue
        if kind == "nominated" and e.get("accepted"):
            nominations.setdefault(day, []).append([e["seat"], e["target"]])
        elif kind == "nomination_withdrawn":
            rest = nominations.get(day, [])
            nominations[day] = [n for n in rest if n != [e["seat"], e["target"]]]
        elif kind == "vote_announced":
            result[f"day {day} round {e['round']} count {e['target']}"] = e["count"]
        elif kind == "lift_result":
            result[f"day {day} lift"] = [e["yes"], e["no"]]
        elif kind == "eliminated":
            result.setdefault(f"day {day} left by {left_by(e)}", []).extend(e["seats"])
        elif kind == "night_result":
            result[f"day {day} night {e['night']} killed"] = e["killed"]
        elif kind == "best_move":
            result[f"day {day} best move of {e['seat']}"] = list(e["targets"])
        elif kind == "foul" and e.get("level") in LEVELS_COUNTED:
            name = f"{e['level']} of {e['seat']}"
            fouls[name] = fouls.get(name, 0) + 1
        elif kind == "game_ended":
            result["winner"] = e["winner"]
    for day, pairs in nominations.items():
        result[f"day {day} nominations"] = pairs
    for name, value in list(result.items()):
        if " left by " in name:
            result[name] = sorted(value)
    return {**result, **fouls}


def left_by(eliminated: Record) -> str:
    """How somebody left. Lifted players leave by the table's vote: some truths say "vote", some "lift"."""
    return "vote" if eliminated["by"] == "lift" else str(eliminated["by"])


def score_protocol(truth: Sequence[Record], found: Sequence[Record]) -> dict[str, Any]:
    """The "protocol" part of `mafiavar/eval@1`, with how many facts were right."""
    true, mine = facts(truth), facts(found)
    names = sorted(set(true) | set(mine))
    differences = [
        {"fact": n, "truth": true.get(n), "found": mine.get(n)} for n in names if true.get(n) != mine.get(n)
    ]
    right = sum(1 for n in true if n in mine and true[n] == mine[n])
    return {
        "exact": not differences and bool(true),
        "facts": len(true),
        "right": right,
        "differences": differences,
    }


def score_night(truth: Sequence[Record], found: Sequence[Record]) -> dict[str, Any]:
    """Nights by their results, shots and checks: right, wrong, missing."""

    def table(
        kind: str, key: tuple[str, ...], value: tuple[str, ...], events: Sequence[Record]
    ) -> dict[Any, Any]:
        return {
            tuple(e.get(k) for k in key): tuple(e.get(v) for v in value)
            for e in events
            if e["kind"] == kind and not e.get("clipped")
        }

    result: dict[str, Any] = {}
    for name, kind, key, value in (
        ("results", "night_result", ("night",), ("killed",)),
        ("shots", "shot", ("night", "shooter"), ("target",)),
        ("checks", "check", ("night", "by"), ("target",)),
    ):
        true, mine = table(kind, key, value, truth), table(kind, key, value, found)
        right = sum(1 for k in true if k in mine and mine[k] == true[k])
        missing = sum(1 for k in true if k not in mine)
        result[name] = {
            "truth": len(true),
            "right": right,
            "wrong": len(true) - right - missing,
            "missing": missing,
            "extra": sum(1 for k in mine if k not in true),
        }
    return result
