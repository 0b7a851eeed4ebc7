"""The stated facts of a protocol, one by one: right, wrong, unknown, made up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.evaluation.matching import Record
from mafiavar.analyzer.evaluation.protocol import left_by

Name = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Stated:
    """How the facts of one game came out. `wrong`: (fact, truth, found). `unknown` are facts that were
    said and heard but not found; `unheard` those whose words were lost and nothing else told of."""

    right: int
    unknown: int
    unheard: int
    wrong: tuple[tuple[Name, Any, Any], ...]
    sure: tuple[tuple[float, bool], ...]

    @property
    def facts(self) -> int:
        return self.right + self.unknown + sum(1 for w in self.wrong if w[1] is not None)


def stated(events: Sequence[Record]) -> dict[Name, tuple[Any, float]]:
    """Fact -> (value, confidence): accepted nominations, counts, lifts, who left, who was killed, the
    winner. Truth events have confidence 1."""
    out: dict[Name, tuple[Any, float]] = {}
    for e in events:
        kind, day, p = e["kind"], e.get("day"), float(e.get("confidence", 1.0))
        if kind == "nominated" and e.get("accepted"):
            out["nominated", day, e["target"]] = (e["seat"], p)
        elif kind == "nomination_withdrawn":
            out.pop(("nominated", day, e["target"]), None)
        elif kind == "vote_announced":
            out["count", day, e["round"], e["target"]] = (e["count"], p)
        elif kind == "lift_result":
            out["lift", day] = (e["yes"], p)
        elif kind == "eliminated":
            by = left_by(e)
            for seat in e["seats"]:
                # A fact per seat: when and how he left.
                out["left", seat] = ((day, by), p)
        elif kind == "night_result":
            out["killed", e["night"]] = (e["killed"], p)
        elif kind == "game_ended" and e.get("winner"):
            out["winner",] = (e["winner"], p)
    return out


def heard_facts(truth: Sequence[Record], cues: Sequence[Cue]) -> frozenset[Name]:
    """The facts whose own words are among the cues (made by `spoken` from the same events)."""
    alive = {c.about for c in cues if c.kind is not CueKind.ACCEPTED}
    return frozenset(n for i, e in enumerate(truth) if f"event {i}" in alive for n in stated([e]))


def compare(
    truth: Sequence[Record], found: Sequence[Record], least: float = 0.5, heard: frozenset[Name] | None = None
) -> Stated:
    """`least`: facts less sure than this are left unknown. `heard`: facts that could be known (default all)."""
    true = stated(truth)
    mine = stated(found)
    right = 0
    wrong: list[tuple[Name, Any, Any]] = []
    sure: list[tuple[float, bool]] = []
    for name, (value, p) in mine.items():
        hit = name in true and true[name][0] == value
        sure.append((p, hit))
        if p >= least and not hit:
            wrong.append((name, true[name][0] if name in true else None, value))
        elif p >= least:
            right += 1
    known = {n for n, (_, p) in mine.items() if p >= least}
    lost = [n for n in true if n not in known]
    unknown = sum(1 for n in lost if heard is None or n in heard)
    return Stated(right, unknown, len(lost) - unknown, tuple(wrong), tuple(sure))


def calibration_error(pairs: Sequence[tuple[float, bool]], bins: int = 10) -> float | None:
    """Expected calibration error (Naeini et al. 2015): mean |confidence - accuracy| over equal bins,
    weighted by their size. None without pairs."""
    if not pairs:
        return None
    total = 0.0
    for i in range(bins):
        inside = [(p, hit) for p, hit in pairs if min(int(p * bins), bins - 1) == i]
        if inside:
            mean = sum(p for p, _ in inside) / len(inside)
            share = sum(hit for _, hit in inside) / len(inside)
            total += len(inside) * abs(mean - share)
    return total / len(pairs)


def summary(results: Sequence[Stated]) -> Mapping[str, Any]:
    """Over many games: the share without a wrong fact, the share of unknown facts, calibration."""
    facts = sum(r.facts for r in results)
    wrong = sum(len(r.wrong) for r in results)
    return {
        "games": len(results),
        "games_right": sum(not r.wrong for r in results),
        "facts": facts,
        "right": sum(r.right for r in results),
        "unknown": sum(r.unknown for r in results),
        "unheard": sum(r.unheard for r in results),
        "wrong": wrong,
        "unknown_share": round(sum(r.unknown for r in results) / facts, 4) if facts else None,
        "wrong_share": round(wrong / facts, 4) if facts else None,
        "calibration_error": calibration_error([s for r in results for s in r.sure]),
    }
