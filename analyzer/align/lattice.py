"""Forward and backward over all ways through the search: how probable each event and each issue is.

The search leaves a lattice: after every cue some positions, each reached by its best history and by
others that were merged into it. Forward and backward sums over all its ways (Rabiner 1989, III.A)
give every step of every history its probability; an event is as probable as all the histories that
have it, by whatever words. What found no room in the beam counts as if the future of the one most
like it were its own.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mafiavar.analyzer.align.hypothesis import Hypothesis, Node, day_of
from mafiavar.engine.issue import Issue

if TYPE_CHECKING:
    from mafiavar.analyzer.align.steps import Step

FACTS = frozenset(
    {"nominated", "vote_announced", "lift_result", "eliminated", "night_result", "game_ended", "best_move"}
)
"""Events that are the same fact whatever words they are told by; of the others the moment matters."""

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Lattice:
    """`probable`: every event that some history has (`key_of`) -> its probability; `example`: its likeliest
    move; `issues`: the probability of every issue of the rules (`issue_key`)."""

    probable: Mapping[Key, float]
    example: Mapping[Key, Node]
    issues: Mapping[Key, float]

    def of(self, node: Node) -> float:
        """How probable a move of the search is, 0..1."""
        return min(max(self.probable.get(key_of(node), 0.0), 0.0), 1.0)


NO_LATTICE = Lattice({}, {}, {})


def key_of(node: Node) -> Key:
    event = node.move.event
    return (day_of(node), event) if event.kind in FACTS else (day_of(node), event, node.move.cue)


def issue_key(node: Node, issue: Issue) -> Key:
    return day_of(node), issue.kind, issue.seats


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


def lattice_of(start: Sequence[Hypothesis], steps: Sequence[Step], endings: Sequence[float]) -> Lattice:
    """`start`: how recordings begin; `endings`: what each hypothesis of the last beam loses by how it
    ends, natural log."""
    beams = [start, *(s.beam for s in steps)]
    rows = [_edges(before, step) for before, step in zip(beams, steps, strict=False)]
    forward = [[h.score for h in start]]
    for row, beam in zip(rows, beams[1:], strict=True):
        forward.append(_summed(((e.into, forward[-1][e.parent] + e.weight) for e in row), len(beam)))
    backward = list(endings)
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
                key = key_of(node)
                probable[key] += gamma
                if gamma > most.get(key, 0.0):
                    most[key], example[key] = gamma, node
                for issue in node.issues:
                    issues[issue_key(node, issue)] += gamma
            for node in removed:
                probable[key_of(node)] -= gamma
                for issue in node.issues:
                    issues[issue_key(node, issue)] -= gamma
        backward = _summed(((e.parent, e.weight + backward[e.into]) for e in row), len(before))
    return Lattice(probable, example, issues)


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
