"""How well the table was heard: cues against a truth file, kind by kind, before any help of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.span import SECOND, Micros, Span

TOLERANCE: Micros = SECOND
"""A cue is right anywhere in the truth's span widened by this on both sides."""

BELIEVED = 0.5
"""Likelihood from which a cue counts as found."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What the truth says was uttered: a kind, its numbers (None: not compared), a span."""

    kind: CueKind
    span: Span
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """One kind's result. Times in seconds: absolute errors of the end of the cue."""

    truth: int
    found: int
    matched: int
    end_errors: tuple[float, ...]

    @property
    def precision(self) -> float:
        return self.matched / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.matched / self.truth if self.truth else 1.0

    @property
    def f1(self) -> float:
        total = self.found + self.truth
        return 2 * self.matched / total if total else 1.0

    @property
    def end_median(self) -> float | None:
        return median(self.end_errors) if self.end_errors else None

    def __add__(self, other: Score) -> Score:
        return Score(
            self.truth + other.truth,
            self.found + other.found,
            self.matched + other.matched,
            self.end_errors + other.end_errors,
        )


@dataclass(frozen=True, slots=True)
class Pairing:
    """Cues and expectations put together: pairs, misses and false ones, in order of time."""

    pairs: tuple[tuple[Expected, Cue], ...]
    missed: tuple[Expected, ...]
    false: tuple[Cue, ...]


_FOULS = {
    "warning": CueKind.WARNING,
    "foul": CueKind.FOUL,
    "technical": CueKind.TECHNICAL,
    "technical_big": CueKind.TECHNICAL,
    "removal": CueKind.REMOVAL,
    "team_defeat": CueKind.TEAM_DEFEAT,
}
_PLAIN = {
    "night_began": CueKind.NIGHT,
    "negotiation_began": CueKind.NEGOTIATION,
    "negotiation_ended": CueKind.NEGOTIATION_END,
    "free_seating_began": CueKind.FREE_SEATING,
    "day_began": CueKind.DAY,
    "floor_ended": CueKind.FLOOR_END,
    "vote_opened": CueKind.VOTE_OPEN,
    "vote_closed": CueKind.VOTE_STOP,
    "lift_called": CueKind.LIFT_CALL,
    "shooting_began": CueKind.SHOOTING,
    "game_ended": CueKind.GAME_END,
}
_NUMBERED = {
    "vote_called": (CueKind.VOTE_CALL, "target"),
    "vote_announced": (CueKind.VOTE_COUNT, "count"),
    "lift_result": (CueKind.VOTE_COUNT, "yes"),
    "nomination_withdrawn": (CueKind.WITHDRAWAL, "target"),
}


def expected(truth: Mapping[str, Any]) -> tuple[Expected, ...]:
    """What must be heard, from `events` of a `mafiavar/truth@1` (clipped ones left out)."""
    found: list[Expected] = []
    for event in truth["events"]:
        if event.get("clipped"):
            continue
        span = Span.of(event["t0"], event["t1"])
        found += [Expected(kind, span, number) for kind, number in _meaning(event)]
        if event["kind"] == "nominated" and event.get("accepted"):
            found += [Expected(CueKind.ACCEPTED, s) for s in _answer(truth["speech"], event)]
    unique = dict.fromkeys(found)
    return tuple(sorted(unique, key=lambda e: (e.span, e.kind, e.number or 0)))


def _meaning(event: Mapping[str, Any]) -> list[tuple[CueKind, int | None]]:
    kind = event["kind"]
    if kind in _PLAIN:
        return [(_PLAIN[kind], None)]
    if kind in _NUMBERED:
        cue, number = _NUMBERED[kind]
        return [(cue, event.get(number))]
    match kind:
        case "floor_given" if event.get("purpose") == "protocol":
            return [(CueKind.PROTOCOL_RIGHT, None)]
        case "floor_given":
            return [(CueKind.FLOOR, event["seat"])]
        case "nominated":
            return [] if event.get("reason") == "tense" else [(CueKind.NOMINATION, event["target"])]
        case "night_result":
            killed = event.get("killed")
            return [(CueKind.KILLED, killed) if killed else (CueKind.MISS, None)]
        case "eliminated" if event.get("by") in ("vote", "lift"):
            return [(CueKind.LEAVES, event["seats"][0])]
        case "foul":
            return [(_FOULS[event["level"]], event["seat"])] if event.get("level") in _FOULS else []
        case "best_move":
            return [(CueKind.BEST_MOVE, None)]
    return []


def _answer(speech: Sequence[Mapping[str, Any]], event: Mapping[str, Any]) -> list[Span]:
    """The judge's next sentence within four seconds of an accepted nomination."""
    for line in speech:
        if line["speaker"] == "judge" and event["t1"] - 0.1 <= line["t0"] <= event["t1"] + 4:
            return [Span.of(line["t0"], line["t1"])] if "рин" in line["text"] else []
    return []


def pair(cues: Iterable[Cue], truth: Iterable[Expected], kinds: frozenset[CueKind] | None = None) -> Pairing:
    """One cue for one expectation, the nearest in time first; a wrong number is a miss and a false one."""
    believed = [c for c in cues if _counts(c) and (kinds is None or c.kind in kinds)]
    wanted = [e for e in truth if kinds is None or e.kind in kinds]
    options = sorted(
        (abs(c.span.middle - e.span.middle), i, j)
        for i, e in enumerate(wanted)
        for j, c in enumerate(believed)
        if _fits(e, c)
    )
    left, right = set(range(len(wanted))), set(range(len(believed)))
    pairs = []
    for _, i, j in options:
        if i in left and j in right:
            left.remove(i)
            right.remove(j)
            pairs.append((wanted[i], believed[j]))
    return Pairing(
        tuple(sorted(pairs, key=lambda p: (p[0].span, p[0].kind))),
        tuple(wanted[i] for i in sorted(left)),
        tuple(believed[j] for j in sorted(right)),
    )


def _counts(cue: Cue) -> bool:
    if cue.kind is CueKind.NOMINATION and cue.detail.get("tense") != "present":
        return False
    return cue.likelihood >= BELIEVED


# Said another way: «Остальные в номер два» calls the last candidate, «Переголосование» opens a vote.
_ALSO = {CueKind.VOTE_CALL: CueKind.VOTE_REMAINDER, CueKind.VOTE_OPEN: CueKind.REVOTE}


def _same_kind(kind: CueKind, cue: CueKind) -> bool:
    return kind is cue or cue is _ALSO.get(kind)


def _fits(wanted: Expected, cue: Cue) -> bool:
    if not _same_kind(wanted.kind, cue.kind) or not (wanted.span.widened(TOLERANCE) & cue.span):
        return False
    return wanted.number is None or cue.number() == wanted.number


# Repeated announcements of one thing are not false: «Ночь. Наступает ночь», «Голосуем в этом порядке».
_MAY_REPEAT = frozenset(
    {CueKind.NIGHT, CueKind.DAY, CueKind.VOTE_OPEN, CueKind.SHOOTING, CueKind.FLOOR_END, CueKind.ACCEPTED}
)


def scores(cues: Sequence[Cue], truth: Mapping[str, Any]) -> dict[CueKind, Score]:
    """A score for every kind that the truth has."""
    wanted = expected(truth)
    cues = [c for c in cues if not (c.kind is CueKind.VOTE_STOP and _closes_lift(c, truth["events"]))]
    kinds = sorted({e.kind for e in wanted})
    made: dict[CueKind, Score] = {}
    for kind in kinds:
        made[kind] = _score(kind, pair(cues, wanted, kinds_of(kind)))
    return made


def _closes_lift(cue: Cue, events: Sequence[Mapping[str, Any]]) -> bool:
    """The truth has no event for the end of a lift ballot: such a «спасибо» is neither right nor wrong."""
    starts = [e["t1"] for e in events if e["kind"] == "lift_called"]
    ends = [e["t0"] for e in events if e["kind"] == "lift_result"]
    return any(a <= cue.span.middle / SECOND <= b for a, b in zip(starts, ends, strict=False))


def kinds_of(kind: CueKind) -> frozenset[CueKind]:
    """The kind and what counts as it."""
    return frozenset({kind, _ALSO.get(kind, kind)})


def _score(kind: CueKind, pairing: Pairing) -> Score:
    false = [c for c in pairing.false if not (kind in _MAY_REPEAT and _repeats(c, pairing))]
    errors = tuple(abs(c.span.t1 - e.span.t1) / SECOND for e, c in pairing.pairs)
    n = len(pairing.pairs)
    return Score(n + len(pairing.missed), n + len(false), n, errors)


def _repeats(cue: Cue, pairing: Pairing) -> bool:
    return any(e.span.widened(TOLERANCE) & cue.span for e, _ in pairing.pairs)
