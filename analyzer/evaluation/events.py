"""Events found and missed, per kind.

Kind, day and the fields of the kind must agree; the found begin must lie in the span of the true
event widened by the tolerance (truth format, "Times of events"). Events cut by the end of an
excerpt are not scored, nor is what was found for them; nor is what only follows (`FOLLOWS`) where the
truth does not hold it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from statistics import median
from typing import Any, cast

from mafiavar.analyzer.evaluation.matching import Record, match, outside, ratio

# Fields that make an event *this* event. Hand, form and contact of a cast vote are measured as
# votes and flags, the reason of a refusal is a comment.
FIELDS: dict[str, tuple[str, ...]] = {
    "night_began": ("night",),
    "floor_given": ("seat", "seconds", "purpose"),
    "floor_ended": ("seat", "by"),
    "nominated": ("seat", "target", "accepted"),
    "nomination_withdrawn": ("seat", "target"),
    "vote_opened": ("round", "candidates"),
    "vote_called": ("round", "target"),
    "vote_cast": ("round", "target", "seat", "remainder"),
    "vote_closed": ("round", "target"),
    "vote_announced": ("round", "target", "count"),
    "lift_called": ("candidates",),
    "lift_cast": ("seat", "yes"),
    "lift_result": ("yes", "no"),
    "eliminated": ("seats", "by"),
    "shooting_began": ("night",),
    "shot": ("night", "shooter", "target"),
    "night_result": ("night", "killed"),
    "check": ("night", "by", "target", "found"),
    "best_move": ("seat", "targets"),
    "foul": ("seat", "level", "ordinal"),
    "game_ended": ("winner",),
}
# What only a picture shows; sound alone cannot find these, so they are summed apart.
SEEN_KINDS = ("vote_cast", "lift_cast", "shot", "check")
PHASE_KINDS = (
    "game_started", "night_began", "negotiation_began", "negotiation_ended", "free_seating_began",
    "day_began", "vote_opened", "shooting_began", "night_result", "game_ended",
)  # fmt: skip

FOLLOWS = frozenset({"game_started"})
"""That a game has begun follows from its first words; it is an event of its own only where the judge says
so. A truth without one does not say that the game never began."""


def _value(field: str, record: Record) -> Hashable:
    value = record.get(field)
    if isinstance(value, list | tuple):
        # Who leaves together is a set; candidates and a best move have an order.
        return tuple(sorted(value)) if field == "seats" else tuple(value)
    return cast(Hashable, value)


def identity(record: Record) -> Hashable:
    kind = record["kind"]
    return kind, record.get("day"), tuple(_value(f, record) for f in FIELDS.get(kind, ()))


def _late(true: Record, found: Record) -> float:
    return outside(float(found["t0"]), true)


def _clipped_away(truth: Sequence[Record], found: Sequence[Record], tolerance: float) -> list[Record]:
    clipped = [e for e in truth if e.get("clipped")]
    taken = match(clipped, found, lambda e: e["kind"], _late, tolerance)
    gone = {j for _, j in taken.pairs}
    return [e for j, e in enumerate(found) if j not in gone]


def score_events(
    truth: Sequence[Record], found: Sequence[Record], tolerance: float = 1.0
) -> dict[str, dict[str, Any]]:
    """Per kind: truth, found, matched, precision, recall, f1, dt_median, dt_p90 (seconds outside the
    true span), dt0_median (seconds between the begins), and the missed and extra events."""
    found = _clipped_away(truth, found, tolerance)
    truth = [e for e in truth if not e.get("clipped")]
    unsaid = FOLLOWS - {e["kind"] for e in truth}
    found = [e for e in found if e["kind"] not in unsaid]
    result: dict[str, dict[str, Any]] = {}
    for kind in sorted({e["kind"] for e in truth} | {e["kind"] for e in found}):
        result[kind] = _score_kind(
            [e for e in truth if e["kind"] == kind], [e for e in found if e["kind"] == kind], tolerance
        )
    return result


def _score_kind(true: list[Record], found: list[Record], tolerance: float) -> dict[str, Any]:
    matches = match(true, found, identity, _late, tolerance)
    dt = sorted(_late(true[i], found[j]) for i, j in matches.pairs)
    dt0 = sorted(abs(float(true[i]["t0"]) - float(found[j]["t0"])) for i, j in matches.pairs)
    return {
        **counts(len(true), len(found), len(matches.pairs)),
        "dt_median": round(median(dt), 3) if dt else None,
        "dt_p90": round(dt[min(len(dt) - 1, int(0.9 * len(dt)))], 3) if dt else None,
        "dt0_median": round(median(dt0), 3) if dt0 else None,
        "missed": [_short(true[i]) for i in matches.missed],
        "extra": [_short(found[j]) for j in matches.extra],
    }


def counts(truth: int, found: int, matched: int) -> dict[str, Any]:
    return {
        "truth": truth,
        "found": found,
        "matched": matched,
        "precision": ratio(matched, found),
        "recall": ratio(matched, truth),
        "f1": ratio(2 * matched, truth + found),
    }


def _short(record: Record) -> Record:
    fields = FIELDS.get(record["kind"], ())
    return {
        "t0": round(float(record["t0"]), 3),
        "day": record.get("day"),
        **{f: record.get(f) for f in fields},
    }


def total(by_kind: dict[str, dict[str, Any]], kinds: Sequence[str]) -> dict[str, Any]:
    """The sum over some kinds."""
    chosen = [v for k, v in by_kind.items() if k in kinds]
    return counts(*(sum(v[name] for v in chosen) for name in ("truth", "found", "matched")))


def totals(by_kind: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """All kinds, those that can be heard, those that must be seen, phase borders, nominations."""
    heard = [k for k in by_kind if k not in SEEN_KINDS]
    return {
        "all": total(by_kind, list(by_kind)),
        "heard": total(by_kind, heard),
        "seen": total(by_kind, SEEN_KINDS),
        "phases": total(by_kind, PHASE_KINDS),
        "nominations": total(by_kind, ("nominated",)),
    }
