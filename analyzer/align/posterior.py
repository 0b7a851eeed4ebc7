"""How sure each event of the best game is.

Every hypothesis left behind without an event counts against it with its weight relative to the best
of that moment; merged ones are exact, dropped ones an estimate. The raw posterior is then mapped to
a calibrated one (parameters.toml, [posterior]).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mafiavar.analyzer.align.decoder import Decoded, differing, trail_set
from mafiavar.analyzer.align.hypothesis import Node, content
from mafiavar.analyzer.align.parameters import Parameters

_NEAR = 3_000_000


@dataclass(frozen=True, slots=True)
class Belief:
    confidence: float
    runners_up: tuple[tuple[Mapping[str, Any], float], ...]


def beliefs(decoded: Decoded, p: Parameters) -> dict[int, Belief]:
    """`id(node)` of each move of the best game -> how sure it is, and what else it may have been."""
    best = decoded.best
    nodes = best.moves()
    shared = trail_set(best)
    place = {id(n): i for i, n in enumerate(nodes)}
    against: dict[int, float] = defaultdict(float)
    instead: dict[int, dict[str, tuple[Mapping[str, Any], float]]] = defaultdict(dict)
    rivals = [(d.hypothesis, d.behind, d.best) for d in decoded.dead]
    rivals += [(h, best.score - h.score, best) for h in decoded.alive[1:]]
    for rival, behind, _ in rivals:
        if behind > p.reach:
            continue
        weight = math.exp(-behind)
        theirs = differing(rival, shared)
        fork = theirs[-1].before if theirs else rival.trail
        start = place[id(fork)] + 1 if fork is not None else 0
        end_t = _end(rival)
        said = {_key(n): n for n in theirs}
        for node in nodes[start:]:
            if node.move.span.t0 > end_t:
                break
            if _key(node) in said:
                continue
            against[id(node)] += weight
            other = _instead_of(node, theirs)
            if other is not None:
                _, _, fields = content(other)
                name = repr(sorted(fields.items(), key=lambda kv: kv[0]))
                old = instead[id(node)].get(name)
                instead[id(node)][name] = (fields, weight + (old[1] if old else 0.0))
    out = {}
    for node in nodes:
        raw = 1.0 / (1.0 + against[id(node)])
        confidence = _calibrated(raw, p)
        options = sorted(instead[id(node)].values(), key=lambda x: -x[1])[:3]
        whole = 1.0 + against[id(node)]
        out[id(node)] = Belief(confidence, tuple((f, w / whole) for f, w in options))
    return out


def _key(node: Node) -> tuple[Any, ...]:
    return node.move.event.kind, node.move.event, node.move.cue


def _end(h: Any) -> int:
    """Up to which moment a hypothesis has been followed: the end of the words it dealt with last."""
    heard = h.context.heard
    t = heard[-1][1] if heard else 0
    return max(t, h.trail.move.span.t1 if h.trail else 0)


def _instead_of(node: Node, theirs: list[Node]) -> Node | None:
    """What a rival makes of the same words, or of the same kind at nearly the same time."""
    same_kind = [n for n in theirs if n.move.event.kind == node.move.event.kind]
    for other in same_kind:
        if other.move.cue == node.move.cue and node.move.cue >= 0:
            return other
    for other in same_kind:
        if abs(other.move.span.t0 - node.move.span.t0) < _NEAR:
            return other
    return None


def _calibrated(raw: float, p: Parameters) -> float:
    raw = min(max(raw, 1e-6), 1 - 1e-6)
    logit = p.slope * math.log(raw / (1 - raw)) + p.shift
    return 1 / (1 + math.exp(-logit))
