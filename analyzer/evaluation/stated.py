"""The stated facts of a protocol, one by one: right, wrong, unknown, made up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mafiavar.analyzer.align.parameters import line_of
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.evaluation.matching import Record
from mafiavar.analyzer.evaluation.protocol import left_by

Name = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """`line`: which line of the calibration it has (`line_of`)."""

    value: Any
    confidence: float
    line: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A fact that was found: its confidence, whether it is true, and whether its own words were heard."""

    confidence: float
    hit: bool
    line: str
    heard: bool


@dataclass(frozen=True, slots=True)
class Stated:
    """How the facts of one game came out. `wrong`: (fact, truth, found). `unknown` are facts that were
    said and heard but not found; `unheard` those whose words were lost and nothing else told of."""

    right: int
    unknown: int
    unheard: int
    wrong: tuple[tuple[Name, Any, Any], ...]
    sure: tuple[Sample, ...]
    left_out: tuple[tuple[Name, float | None], ...] = ()
    """The unknown facts that were heard, each with the confidence it had; None when it was not found."""

    @property
    def facts(self) -> int:
        return self.right + self.unknown + sum(1 for w in self.wrong if w[1] is not None)


def stated(events: Sequence[Record]) -> dict[Name, Fact]:
    """The facts that events state: accepted nominations, counts, lifts, who left, who was killed, the
    winner. Truth events have confidence 1."""
    out: dict[Name, Fact] = {}
    for e in events:
        kind, day = e["kind"], e.get("day")
        p, line = float(e.get("confidence", 1.0)), line_of(kind, str(e.get("basis", "")))
        if kind == "nominated" and e.get("accepted"):
            out["nominated", day, e["target"]] = Fact(e["seat"], p, line)
        elif kind == "nomination_withdrawn":
            out.pop(("nominated", day, e["target"]), None)
        elif kind == "vote_announced":
            out["count", day, e["round"], e["target"]] = Fact(e["count"], p, line)
        elif kind == "lift_result":
            out["lift", day] = Fact(e["yes"], p, line)
        elif kind == "eliminated":
            by = left_by(e)
            for seat in e["seats"]:
                # A fact per seat: when and how he left.
                out["left", seat] = Fact((day, by), p, line)
        elif kind == "night_result":
            out["killed", e["night"]] = Fact(e["killed"], p, line)
        elif kind == "game_ended" and e.get("winner"):
            out["winner",] = Fact(e["winner"], p, line)
    return out


def heard_facts(truth: Sequence[Record], cues: Sequence[Cue]) -> frozenset[Name]:
    """The facts whose own words are among the cues (made by `spoken` from the same events)."""
    alive = {c.about for c in cues if c.kind is not CueKind.ACCEPTED}
    return frozenset(n for i, e in enumerate(truth) if f"event {i}" in alive for n in stated([e]))


def compare(
    truth: Sequence[Record],
    found: Sequence[Record],
    least: float = 0.5,
    heard: frozenset[Name] | None = None,
) -> Stated:
    """`least`: facts less sure than this are left unknown. `heard`: facts whose own words came
    through (default all)."""
    true = stated(truth)
    mine = stated(found)
    right = 0
    wrong: list[tuple[Name, Any, Any]] = []
    sure: list[Sample] = []
    known: set[Name] = set()
    for name, fact in mine.items():
        hit = name in true and true[name].value == fact.value
        sure.append(Sample(fact.confidence, hit, fact.line, heard is None or name in heard))
        if fact.confidence < least:
            continue
        known.add(name)
        if hit:
            right += 1
        else:
            wrong.append((name, true[name].value if name in true else None, fact.value))
    lost = [n for n in true if n not in known]
    unknown = tuple(
        (n, mine[n].confidence if n in mine else None) for n in lost if heard is None or n in heard
    )
    return Stated(right, len(unknown), len(lost) - len(unknown), tuple(wrong), tuple(sure), unknown)


def at_threshold(results: Sequence[Stated], stated: float, threshold: float) -> tuple[int, float]:
    """Games without a wrong fact, and the share of facts that were heard and left unknown, had facts been
    stated from `threshold` on. `results` were made with `stated`."""
    right, unknown, facts = 0, 0, 0
    for result in results:
        told = [s for s in result.sure if s.confidence >= threshold]
        heard = sum(s.heard and s.confidence >= stated for s in result.sure) + result.unknown
        left = heard - sum(s.heard for s in told)
        right += all(s.hit for s in told)
        unknown += left
        facts += left + sum(s.hit or s.heard for s in told)
    return right, unknown / facts if facts else 0.0


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
        "unknown_of": _by_kind(name for r in results for name, _ in r.left_out),
        "wrong_of": _by_kind(w[0] for r in results for w in r.wrong),
        "wrong_share": round(wrong / facts, 4) if facts else None,
        "calibration_error": calibration_error([(s.confidence, s.hit) for r in results for s in r.sure]),
    }


def _by_kind(names: Iterable[Name]) -> Mapping[str, int]:
    return dict(sorted(Counter(str(name[0]) for name in names).items()))
