"""How sure each event of the best game is.

Every other history counts against the events it lacks, with its weight relative to the best one: a
history that was merged into the best at the moment of merging (from there on both have the same
future), one that lived to the end by its final score. Of several histories that read a moment the
same way the best one counts. The raw posterior is then mapped to a calibrated one
(parameters.toml, [posterior]).
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
    nodes = decoded.best.moves()
    shared = trail_set(decoded.best)
    place = {id(n): i for i, n in enumerate(nodes)}
    instead: dict[int, dict[str, tuple[Mapping[str, Any] | None, float]]] = defaultdict(dict)
    for rival, behind in decoded.rivals:
        weight = math.exp(-behind)
        theirs = differing(rival, shared)
        fork = theirs[-1].before if theirs else rival.trail
        start = place[id(fork)] + 1 if fork is not None else 0
        end_t = _end(rival)
        said = {_key(n) for n in theirs}
        for node in nodes[start:]:
            if node.move.span.t0 > end_t:
                break
            if _key(node) not in said:
                _count(instead[id(node)], _instead_of(node, theirs), weight)
    out = {}
    for node in nodes:
        others = instead[id(node)]
        whole = 1.0 + sum(w for _, w in others.values())
        options = sorted(((f, w / whole) for f, w in others.values() if f is not None), key=lambda x: -x[1])
        out[id(node)] = Belief(_calibrated(node.move.share / whole, p), tuple(options[:3]))
    return out


def _count(
    others: dict[str, tuple[Mapping[str, Any] | None, float]], other: Node | None, weight: float
) -> None:
    """The best weight of each different reading counts once."""
    fields = content(other)[2] if other is not None else None
    name = repr(sorted(fields.items(), key=lambda kv: kv[0])) if fields is not None else ""
    old = others.get(name)
    if old is None or weight > old[1]:
        others[name] = (fields, weight)


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
