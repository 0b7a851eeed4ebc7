"""How sure each event of the best game is.

An event is as probable as all the histories of the search that have it (`lattice`); a count as everything
about its ballot makes it (`count_numbers`), a nomination as everything that was said that day (`named`).
The raw posterior is then mapped to a calibrated one, each kind of fact by its own line (parameters.toml,
[posterior] and [calibration]).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mafiavar.analyzer.align.count_numbers import number_of, with_number
from mafiavar.analyzer.align.hypothesis import Node, content, day_of
from mafiavar.analyzer.align.lattice import Key, issue_key, key_of
from mafiavar.analyzer.align.parameters import Parameters, line_of
from mafiavar.analyzer.align.steps import Decoded
from mafiavar.engine.events import FloorGiven, Nominated, fields_of
from mafiavar.engine.issue import Issue

_NEAR = 3_000_000
_LEAST = 0.01
"""Another reading less probable than this is not kept."""


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
        return min(max(self.issues.get(issue_key(node, issue), 0.0), 0.0), 1.0)


def beliefs(decoded: Decoded, p: Parameters) -> Beliefs:
    """What the whole search says of the best game; of a count, what all its numbers say."""
    probable, example = decoded.lattice.probable, decoded.lattice.example
    numbers = decoded.numbers
    nominations = _nominations(decoded, probable)
    by_kind: dict[str, list[tuple[Key, Node]]] = defaultdict(list)
    for key, node in example.items():
        if probable[key] >= _LEAST:
            by_kind[node.move.event.kind].append((key, node))
    out = {}
    for node in decoded.best.moves():
        key = key_of(decoded.origin.get(id(node), node))
        raw = min(max(probable.get(key, 0.0), 0.0), 1.0) * node.move.share
        others = [
            (content(other)[2], min(probable[k], 1.0))
            for k, other in by_kind[node.move.event.kind]
            if k != key and _same_place(node, other)
        ]
        ranked = tuple(sorted(_distinct(others, content(node)[2]), key=lambda x: -x[1])[:3])
        if id(node) in numbers:
            ranked = tuple(_other_counts(node, numbers[id(node)]))
            raw = numbers[id(node)].get(number_of(node), 0.0)
        raw = decoded.turns.get(id(node), raw)
        if id(node) in nominations:
            raw, ranked = nominations[id(node)]
        line = line_of(node.move.event.kind, node.move.basis)
        out[id(node)] = Belief(p.calibrated(line, raw), ranked, raw)
    return Beliefs(out, decoded.lattice.issues)


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
    others = [(n, w) for n, w in row.items() if n != number_of(node) and w >= _LEAST]
    for n, w in sorted(others, key=lambda x: (-x[1], x[0]))[:3]:
        yield {**mine, **fields_of(with_number(node.move.event, n))}, w


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
