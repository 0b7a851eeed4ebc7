"""What the hands that were seen say of a count, in the position of a hypothesis."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mafiavar.analyzer.align import hands
from mafiavar.analyzer.align.hypothesis import Node
from mafiavar.analyzer.align.reading import Sight
from mafiavar.analyzer.span import Micros, Span
from mafiavar.engine import events as ev
from mafiavar.engine.state import Vote


@dataclass(frozen=True, slots=True)
class Evidence:
    """`weight`: log weight of an announced number; `favoured`: numbers worth trying though not heard."""

    weight: Callable[[int], float]
    favoured: tuple[int, ...] = ()


NOTHING = Evidence(lambda _count: 0.0)


def of_ballot(s: Sight, vote: Vote, target: int) -> Evidence:
    """Of a candidate's count."""
    found = chances(_round(s), s.cue.span.t0, s.hands, vote, target)
    return _evidence(found) if found is not None else NOTHING


def of_lift(s: Sight) -> Evidence:
    """Of the count of a lift: «за»."""
    called = s.h.last("lift_called")
    if called is None:
        return NOTHING
    t0 = called.move.span.t0
    seen = s.hands(Span(t0, max(t0, s.cue.span.t0)))
    return _evidence(hands.numbers(seen, s.h.game.alive)) if seen is not None else NOTHING


def _evidence(found: tuple[float, ...]) -> Evidence:
    return Evidence(lambda count: hands.weight(found, count), tuple(hands.likely(found)))


def chances(
    nodes: Sequence[Node], until: Micros, look: hands.Hands, vote: Vote, target: int
) -> tuple[float, ...] | None:
    """The number of `target`'s votes: of the hands in his call; or, of the last candidate, of the voters
    that put none before (theirs go to him). None where that was not seen. `nodes`: the moves since the
    vote was opened; `until`: where the latest call ends."""
    spans = _call_spans(nodes, until)
    if len(vote.candidates) > 1 and target == vote.candidates[-1]:
        looks = [look(span) if (span := spans.get(c)) is not None else None for c in vote.candidates[:-1]]
        seen = [one for one in looks if one is not None]
        if len(seen) < len(looks):
            return None
        none = {v: math.prod(1 - one.get(v, hands.HIDDEN) for one in seen) for v in vote.voters}
        return hands.numbers(none, vote.voters)
    span = spans.get(target)
    mine = look(span) if span is not None else None
    return hands.numbers(mine, vote.voters) if mine is not None else None


def _call_spans(nodes: Sequence[Node], until: Micros) -> dict[int, Span]:
    """The stretch of each call of the running round in which its hands come down; a call that went
    unheard has that from what was heard before to the next one, if it was the only such call there."""
    begins: list[tuple[int, Micros, bool]] = []
    ends: dict[int, Micros] = {}
    heard: Micros = 0
    for node in nodes:
        event, span = node.move.event, node.move.span
        if isinstance(event, ev.VoteCalled):
            observed = node.move.cue >= 0
            begins.append((event.target, span.t0 if observed else heard, observed))
        elif isinstance(event, ev.VoteAnnounced):
            ends[event.target] = span.t0
        if node.move.cue >= 0:
            heard = max(heard, span.t1)
    out: dict[int, Span] = {}
    for i, (target, t0, observed) in enumerate(begins):
        following = begins[i + 1] if i + 1 < len(begins) else None
        if not observed and (
            (following and not following[2]) or (i and not begins[i - 1][2] and begins[i - 1][1] == t0)
        ):
            continue
        end = min(ends.get(target, until), following[1] if following else until)
        out[target] = Span(t0, max(t0, end))
    return out


def _round(s: Sight) -> list[Node]:
    """The moves since the vote was opened, in order."""
    nodes: list[Node] = []
    for node in s.h.trail.back() if s.h.trail else ():
        nodes.append(node)
        if node.move.event.kind == "vote_opened":
            break
    return nodes[::-1]
