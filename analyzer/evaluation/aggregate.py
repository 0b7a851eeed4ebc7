"""Several measurements as one, with intervals."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

from mafiavar.analyzer.evaluation.events import counts
from mafiavar.analyzer.evaluation.matching import ratio

Interval = tuple[float, float]


def wilson(part: int, whole: int, z: float = 1.96) -> Interval | None:
    """Wilson's score interval of a share (Wilson 1927); None without trials.

    >>> wilson(9, 10)
    (0.5958, 0.9821)
    """
    if not whole:
        return None
    p, n = part / whole, whole
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return round(max(0.0, centre - half), 4), round(min(1.0, centre + half), 4)


def bootstrap_f1(parts: Sequence[tuple[int, int, int]], rounds: int = 1000, seed: int = 1) -> Interval | None:
    """95 % interval of the pooled F1 over resampled recordings; `parts` are (truth, found, matched)."""
    if len(parts) < 2:
        return None
    dice = random.Random(seed)
    values = []
    for _ in range(rounds):
        chosen = dice.choices(parts, k=len(parts))
        truth, found, matched = (sum(c[i] for c in chosen) for i in range(3))
        values.append(2 * matched / (truth + found) if truth + found else 0.0)
    values.sort()
    return round(values[int(0.025 * rounds)], 4), round(values[int(0.975 * rounds) - 1], 4)


def _pool(tables: Sequence[dict[str, Any]]) -> dict[str, Any]:
    truth, found, matched = (sum(int(t[n]) for t in tables) for n in ("truth", "found", "matched"))
    parts = [(int(t["truth"]), int(t["found"]), int(t["matched"])) for t in tables]
    return {
        **counts(truth, found, matched),
        "precision_interval": wilson(matched, found),
        "recall_interval": wilson(matched, truth),
        "f1_interval": bootstrap_f1(parts),
    }


OUTCOMES = ("right", "wrong", "cannot_tell")


def _classes(tables: Sequence[Sequence[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Votes of the same class added up; how many of the answers given are right, how many were given."""
    sums: dict[str, dict[str, int]] = {}
    for row in (row for table in tables for row in table):
        into = sums.setdefault(row["class"], dict.fromkeys(OUTCOMES, 0))
        for name in into:
            into[name] += row[name]
    out: list[dict[str, Any]] = []
    for name, row in sorted(sums.items()):
        given, whole = row["right"] + row["wrong"], sum(row.values())
        out.append(
            {
                "class": name,
                **row,
                "right_of_given": ratio(row["right"], given),
                "right_of_given_interval": wilson(row["right"], given),
                "right_of_all_interval": wilson(row["right"], whole),
            }
        )
    return out


def _condition(result: dict[str, Any], name: str) -> str:
    return str(result.get("conditions", {}).get(name, "unknown"))


def _by_sound(results: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What can be heard, by how loud the hall was."""
    out = []
    for name in sorted({_condition(r, "sound") for r in results}):
        mine = [r for r in results if _condition(r, "sound") == name]
        words = sum(r["speech"]["words"] for r in mine if r["speech"]["wer"] is not None)
        out.append(
            {
                "class": name,
                "recordings": len(mine),
                "heard": _pool([r["totals"]["heard"] for r in mine]),
                "wer": _weighted(mine, "wer", "words", words),
            }
        )
    return out


def aggregate(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Pool `mafiavar/eval@1` results of several recordings into one of the same shape."""

    def pooled(part: str) -> dict[str, Any]:
        kinds = sorted({k for r in results for k in r[part]})
        return {k: _pool([r[part][k] for r in results if k in r[part]]) for k in kinds}

    votes = {n: sum(r["votes"][n] for r in results) for n in ("right", "wrong", "cannot_tell", "missing")}
    judged = votes["right"] + votes["wrong"]
    facts = sum(r["protocol"]["facts"] for r in results)
    words = sum(r["speech"]["words"] for r in results if r["speech"]["wer"] is not None)
    spoken = sum(r["speech"]["utterances"] for r in results if r["speech"]["speaker_accuracy"] is not None)
    return {
        "schema": "mafiavar/eval@1",
        "recordings": [r["recording"] for r in results],
        "duration": sum(float(r["duration"] or 0) for r in results),
        "events": pooled("events"),
        "totals": pooled("totals"),
        "votes": {
            **votes,
            "wrong_share_interval": wilson(votes["wrong"], judged),
            "by_visibility": _classes([r["votes"]["by_visibility"] for r in results]),
            "by_size": _classes([r["votes"].get("by_size", ()) for r in results]),
            "by_picture": _classes(
                [
                    [{"class": _condition(r, "picture"), **{n: r["votes"][n] for n in OUTCOMES}}]
                    for r in results
                ]
            ),
        },
        "by_sound": _by_sound(results),
        "protocol": {
            "exact": all(r["protocol"]["exact"] for r in results),
            "facts": facts,
            "right": sum(r["protocol"]["right"] for r in results),
            "differences": [
                {"recording": r["recording"], **d} for r in results for d in r["protocol"]["differences"]
            ],
        },
        "night": {
            name: {k: sum(r["night"][name][k] for r in results) for k in results[0]["night"][name]}
            for name in (results[0]["night"] if results else {})
        },
        "flags": pooled("flags"),
        "speech": {
            "wer": _weighted(results, "wer", "words", words),
            "speaker_accuracy": _weighted(results, "speaker_accuracy", "utterances", spoken),
        },
    }


def _weighted(results: Sequence[dict[str, Any]], value: str, weight: str, whole: int) -> float | None:
    if not whole:
        return None
    parts = [(r["speech"][value], r["speech"][weight]) for r in results if r["speech"][value] is not None]
    return round(sum(float(v) * int(w) for v, w in parts) / whole, 4)
