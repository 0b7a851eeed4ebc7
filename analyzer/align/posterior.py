"""How sure each event of the best game is.

The search leaves a lattice: after every cue some positions, each reached by its best history and by
others that were merged into it. Forward and backward sums over all its ways (Rabiner 1989, III.A)
give every step of every history its probability; an event is as probable as all the histories that
have it, by whatever words. What found no room in the beam counts as if the future of the one most
like it were its own. The raw posterior is then mapped to a calibrated one, each kind of fact by its own line
(parameters.toml, [posterior] and [calibration]).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mafiavar.analyzer.align.counted import counted
from mafiavar.analyzer.align.hypothesis import Hypothesis, Node, content, day_of
from mafiavar.analyzer.align.parameters import Parameters, line_of
from mafiavar.analyzer.align.steps import Decoded, Step
from mafiavar.engine.events import FloorGiven, Nominated, VoteAnnounced
from mafiavar.engine.issue import Issue

_NEAR = 3_000_000
_LEAST = 0.01
"""Another reading less probable than this is not kept."""
FACTS = frozenset(
    {"nominated", "vote_announced", "lift_result", "eliminated", "night_result", "game_ended", "best_move"}
)
"""Events that are the same fact whatever words they are told by; of the others the moment matters."""

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Belief:
    """`raw`: the posterior of the lattice; `confidence`: the calibrated one."""

    confidence: float
    runners_up: tuple[tuple[Mapping[str, Any], float], ...]
    raw: float = 0.0


@dataclass(frozen=True, slots=True)
class Beliefs:
    """`of`: `id(node)` of each move of the best game -> how sure it is, and what else it may have been.
    `issues`: how probable each issue of the rules is, over all the games that may have been."""

    of: Mapping[int, Belief]
    issues: Mapping[Key, float]

    def of_issue(self, node: Node, issue: Issue) -> float:
        return min(max(self.issues.get(_issue_key(node, issue), 0.0), 0.0), 1.0)


def beliefs(decoded: Decoded, p: Parameters) -> Beliefs:
    """What the whole search says of the best game; of a count, what all its numbers say."""
    probable, example, issues = _contents(decoded)
    numbers = _numbers(decoded, probable, p)
    nominations = _nominations(decoded, probable)
    by_kind: dict[str, list[tuple[Key, Node]]] = defaultdict(list)
    for key, node in example.items():
        if probable[key] >= _LEAST:
            by_kind[node.move.event.kind].append((key, node))
    out = {}
    for node in decoded.best.moves():
        key = _key(decoded.origin.get(id(node), node))
        raw = min(max(probable.get(key, 0.0), 0.0), 1.0) * node.move.share
        others = [
            (content(other)[2], min(probable[k], 1.0))
            for k, other in by_kind[node.move.event.kind]
            if k != key and _same_place(node, other)
        ]
        ranked = tuple(sorted(_distinct(others, content(node)[2]), key=lambda x: -x[1])[:3])
        if id(node) in numbers:
            ranked = tuple(_other_counts(node, numbers[id(node)]))
            raw = numbers[id(node)].get(node.move.event.count, 0.0)  # type: ignore[attr-defined]
        if id(node) in nominations:
            raw, ranked = nominations[id(node)]
        line = line_of(node.move.event.kind, node.move.basis)
        out[id(node)] = Belief(p.calibrated(line, raw), ranked, raw)
    return Beliefs(out, issues)


def _numbers(
    decoded: Decoded, probable: Mapping[Key, float], p: Parameters
) -> dict[int, Mapping[int, float]]:
    """`id` of each move that announces a count -> the probability that this candidate got just so many
    votes: that a number of his was announced at all, times what the ballot says of the numbers, and that
    it was his turn."""
    nodes = decoded.best.moves()
    told: dict[Key, float] = defaultdict(float)
    for key, chance in probable.items():
        if isinstance(key[1], VoteAnnounced):
            told[key[0], key[1].round, key[1].target] += chance

    def announced(node: Node) -> float:
        event, was = node.move.event, decoded.origin.get(id(node), node).move.event
        assert isinstance(event, VoteAnnounced)
        assert isinstance(was, VoteAnnounced)
        day = day_of(node)
        whose = decoded.together.places.get((day, was.target)) if event.round == 1 else None
        his = whose.get(event.target, 0.0) if whose is not None else 1.0
        return min(max(told[day, event.round, was.target], 0.0), 1.0) * his

    def sure(node: Node) -> float:
        return max(probable.get(_key(decoded.origin.get(id(node), node)), 0.0), 0.0)

    found = counted(nodes, decoded.cues, decoded.hands, sure, p)
    by_id = {id(n): n for n in nodes}
    return {i: {n: announced(by_id[i]) * w for n, w in row.items()} for i, row in found.items()}


Ranked = tuple[tuple[Mapping[str, Any], float], ...]


def _nominations(decoded: Decoded, probable: Mapping[Key, float]) -> dict[int, tuple[float, Ranked]]:
    """`id` of each accepted nomination -> how probable it is by all that was said that day, given that there
    was the speech it belongs to; and who else may have named him, or whom else he may have named."""
    spoke: dict[tuple[int, int], float] = defaultdict(float)
    for key, chance in probable.items():
        if isinstance(key[1], FloorGiven) and key[1].purpose == "speech":
            spoke[key[0], key[1].seat] += chance
    out: dict[int, tuple[float, Ranked]] = {}
    for node in decoded.best.moves():
        event, day = node.move.event, day_of(node)
        if not isinstance(event, Nominated) or not event.accepted or day not in decoded.together.pairs:
            continue
        pairs, mine = decoded.together.pairs[day], content(node)[2]
        others = [
            ({**mine, "seat": seat, "target": target}, w)
            for (seat, target), w in pairs.items()
            if w >= _LEAST and (seat == event.seat) != (target == event.target)
        ]
        held = min(max(spoke[day, event.seat], 0.0), 1.0)
        ranked = tuple(sorted(others, key=lambda x: -x[1])[:3])
        out[id(node)] = held * pairs.get((event.seat, event.target), 0.0), ranked
    return out


def _other_counts(node: Node, row: Mapping[int, float]) -> Iterator[tuple[Mapping[str, Any], float]]:
    mine = content(node)[2]
    others = [(n, w) for n, w in row.items() if n != mine["count"] and w >= _LEAST]
    for n, w in sorted(others, key=lambda x: (-x[1], x[0]))[:3]:
        yield {**mine, "count": n}, w


def _key(node: Node) -> Key:
    event = node.move.event
    return (day_of(node), event) if event.kind in FACTS else (day_of(node), event, node.move.cue)


def _issue_key(node: Node, issue: Issue) -> Key:
    return day_of(node), issue.kind, issue.seats


def _same_place(node: Node, other: Node) -> bool:
    """Are two moves of one kind readings of the same words, or of nearly the same moment?"""
    if node.move.cue >= 0 and node.move.cue == other.move.cue:
        return True
    return abs(other.move.span.t0 - node.move.span.t0) < _NEAR


def _distinct(
    options: Iterable[tuple[Mapping[str, Any], float]], mine: Mapping[str, Any]
) -> Iterator[tuple[Mapping[str, Any], float]]:
    """The readings that differ in what they say; of equal ones the likeliest."""
    best: dict[str, tuple[Mapping[str, Any], float]] = {}
    for fields, weight in options:
        name = repr(sorted(fields.items()))
        if fields != mine and (name not in best or weight > best[name][1]):
            best[name] = (fields, weight)
    yield from best.values()


# --- the lattice


@dataclass(frozen=True, slots=True)
class _Edge:
    """A way from a place of one beam into a place of the next; `weight` in natural log."""

    parent: int
    into: int
    weight: float
    hypothesis: Hypothesis


def _edges(before: Sequence[Hypothesis], step: Step) -> list[_Edge]:
    alive = [
        _Edge(parent, i, h.score - before[parent].score, h)
        for i, (h, parent) in enumerate(zip(step.beam, step.parents, strict=True))
    ]
    dead = [
        _Edge(d.parent, d.into, d.hypothesis.score - before[d.parent].score, d.hypothesis) for d in step.dead
    ]
    return alive + dead


def _contents(decoded: Decoded) -> tuple[dict[Key, float], dict[Key, Node], dict[Key, float]]:
    """The probability of every event that some history has, its likeliest move, and the probability of
    every issue."""
    beams = [decoded.start, *(s.beam for s in decoded.steps)]
    rows = [_edges(before, step) for before, step in zip(beams, decoded.steps, strict=False)]
    forward = [[h.score for h in decoded.start]]
    for row, beam in zip(rows, beams[1:], strict=True):
        forward.append(_summed(((e.into, forward[-1][e.parent] + e.weight) for e in row), len(beam)))
    backward = list(decoded.endings)
    total = _log_sum([f + b for f, b in zip(forward[-1], backward, strict=True)])
    probable: dict[Key, float] = defaultdict(float)
    issues: dict[Key, float] = defaultdict(float)
    example: dict[Key, Node] = {}
    most: dict[Key, float] = {}
    for i in range(len(rows) - 1, -1, -1):
        row, before = rows[i], beams[i]
        for edge in row:
            gamma = math.exp(forward[i][edge.parent] + edge.weight + backward[edge.into] - total)
            if gamma < 1e-7:
                continue
            added, removed = _changes(before[edge.parent].trail, edge.hypothesis.trail)
            for node in added:
                key = _key(node)
                probable[key] += gamma
                if gamma > most.get(key, 0.0):
                    most[key], example[key] = gamma, node
                for issue in node.issues:
                    issues[_issue_key(node, issue)] += gamma
            for node in removed:
                probable[_key(node)] -= gamma
                for issue in node.issues:
                    issues[_issue_key(node, issue)] -= gamma
        backward = _summed(((e.parent, e.weight + backward[e.into]) for e in row), len(before))
    return probable, example, issues


def _changes(before: Node | None, after: Node | None) -> tuple[list[Node], list[Node]]:
    """The moves that a step has added, and those of the past that it took away."""
    added: list[Node] = []
    removed: list[Node] = []
    while after is not before:
        if after is not None and (before is None or after.length > before.length):
            added.append(after)
            after = after.before
        elif before is not None and (after is None or before.length > after.length):
            removed.append(before)
            before = before.before
        else:
            assert after is not None and before is not None
            added.append(after)
            removed.append(before)
            after, before = after.before, before.before
    return added, removed


def _summed(terms: Iterable[tuple[int, float]], size: int) -> list[float]:
    """Log of the summed weights for each place."""
    grouped: list[list[float]] = [[] for _ in range(size)]
    for place, weight in terms:
        grouped[place].append(weight)
    return [_log_sum(g) for g in grouped]


def _log_sum(values: Sequence[float]) -> float:
    top = max(values, default=-math.inf)
    return top if top == -math.inf else top + math.log(sum(math.exp(v - top) for v in values))
