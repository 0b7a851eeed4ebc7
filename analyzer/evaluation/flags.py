"""Flags per kind: kind, day and seats must agree, and the stretches of time must meet."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from mafiavar.analyzer.evaluation.events import counts
from mafiavar.analyzer.evaluation.matching import Record, match
from mafiavar.analyzer.evaluation.stated import Sample

TOLERANCE = 1.0


def _seats(flag: Record) -> tuple[int, ...]:
    if flag.get("seats"):
        return tuple(sorted(flag["seats"]))
    return (flag["seat"],) if isinstance(flag.get("seat"), int) else ()


def _identity(flag: Record) -> Hashable:
    return flag["kind"], flag.get("day"), _seats(flag)


def _apart(true: Record, found: Record) -> float:
    """Seconds between the two stretches; 0 when they meet."""
    gap = max(float(true["t0"]) - float(found["t1"]), float(found["t0"]) - float(true["t1"]), 0.0)
    # Among several that meet, the one with the nearest begin is meant.
    return gap + min(abs(float(true["t0"]) - float(found["t0"])), 100.0) * 1e-6


def score_flags(
    truth: Sequence[Record], found: Sequence[Record], tolerance: float = TOLERANCE
) -> dict[str, dict[str, Any]]:
    """The "flags" part of `mafiavar/eval@1`: per kind counts, and the missed and extra flags."""
    result: dict[str, dict[str, Any]] = {}
    truth = [f for f in truth if not f.get("clipped")]
    for kind in sorted({f["kind"] for f in truth} | {f["kind"] for f in found}):
        true = [f for f in truth if f["kind"] == kind]
        mine = [f for f in found if f["kind"] == kind]
        matches = match(true, mine, _identity, _apart, tolerance + 1e-3)
        result[kind] = {
            **counts(len(true), len(mine), len(matches.pairs)),
            "missed": [_short(true[i]) for i in matches.missed],
            "extra": [_short(mine[j]) for j in matches.extra],
        }
    return result


def judged(truth: Sequence[Record], found: Sequence[Record]) -> list[Sample]:
    """Every flag that was found: its confidence, its line (else its kind), and whether it was planted."""
    truth = [f for f in truth if not f.get("clipped")]
    samples = []
    for kind in sorted({f["kind"] for f in found}):
        mine = [f for f in found if f["kind"] == kind]
        matches = match([f for f in truth if f["kind"] == kind], mine, _identity, _apart, TOLERANCE + 1e-3)
        right = {j for _, j in matches.pairs}
        samples += [
            Sample(float(f["confidence"]), j in right, f.get("line", kind), True) for j, f in enumerate(mine)
        ]
    return samples


def _short(flag: Record) -> Record:
    return {
        "t0": round(float(flag["t0"]), 3),
        "t1": round(float(flag["t1"]), 3),
        "day": flag.get("day"),
        "seats": list(_seats(flag)),
    }
