"""The counts of a ballot weighed together: which numbers the words, the hands, the sum and the result allow.

The search tries only a few readings of each number. Once it has told what happened, every way to share
the voters between the candidates is weighed: by the numbers as they were heard, by the hands that were
seen, by the sum (4.5.8: who puts no hand votes against the last), and by what followed: who left, who
was voted on again.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mafiavar.analyzer.align.hands import Hands, weight
from mafiavar.analyzer.align.hypothesis import Node
from mafiavar.analyzer.align.parameters import Parameters
from mafiavar.analyzer.align.read_hands import chances
from mafiavar.analyzer.cue import Cue
from mafiavar.engine import decide
from mafiavar.engine import events as ev
from mafiavar.engine.game import Game
from mafiavar.engine.state import Vote

_READINGS = 5
"""So many readings of a number are weighed where there are many candidates."""
_MANY = 6
_OPEN = 0.3
"""What a result is worth to a sharing of votes when it is not known what followed."""


@dataclass(slots=True)
class _Round:
    """One round of a vote in the most likely game: its moves, and the first that follows its counts."""

    nodes: list[Node]
    counts: dict[int, Node] = field(default_factory=dict)
    follows: Node | None = None


def counted(
    nodes: Sequence[Node],
    cues: Sequence[Cue],
    hands: Hands,
    sure: Callable[[Node], float],
    p: Parameters,
) -> dict[int, Mapping[int, float]]:
    """`id` of the move that announced a count -> the probability of each number, given that a number was
    said there. `sure`: how probable a move is."""
    out: dict[int, Mapping[int, float]] = {}
    for one in _rounds(nodes):
        last = max(one.counts.values(), key=lambda n: n.length)
        vote = last.game.vote
        if vote is None or not set(one.counts) <= set(vote.candidates):
            continue
        heard = [_heard(one, vote, c, cues, hands, p) for c in vote.candidates]
        shares = _weighed(vote, heard, _result(one, vote, last.game, sure, p), p)
        for target, row in zip(vote.candidates, shares, strict=True):
            total = sum(row.values())
            if target in one.counts and total > 0:
                out[id(one.counts[target])] = {n: w / total for n, w in row.items()}
    return out


def _rounds(nodes: Sequence[Node]) -> Iterator[_Round]:
    now: _Round | None = None
    for node in nodes:
        event = node.move.event
        if now is not None and isinstance(
            event, ev.VoteOpened | ev.LiftCalled | ev.Eliminated | ev.NightBegan
        ):
            if isinstance(event, ev.Eliminated) and event.by not in ("vote", "lift"):
                continue
            now.follows = node
            if now.counts:
                yield now
            now = None
        if isinstance(event, ev.VoteOpened):
            now = _Round([])
        if now is not None:
            now.nodes.append(node)
            if isinstance(event, ev.VoteAnnounced):
                now.counts[event.target] = node
    if now is not None and now.counts:
        yield now


def _heard(
    one: _Round, vote: Vote, target: int, cues: Sequence[Cue], hands: Hands, p: Parameters
) -> dict[int, float]:
    """How well each number of votes fits what was said of a candidate, and what was seen."""
    node = one.counts.get(target)
    most = len(vote.voters)
    if node is not None and node.move.basis == "pinned":
        return {int(node.move.event.count): 1.0}  # type: ignore[attr-defined]
    numeral = cues[node.move.cue].numbers[:1] if node is not None and node.move.cue >= 0 else ()
    said = {n: max(numeral[0].get(n, 0.0), p.numeral_floor) if numeral else 1.0 for n in range(most + 1)}
    until = max((n.move.span.t1 for n in one.nodes), default=0)
    seen = chances(one.nodes, until, hands, vote, target)
    if seen is not None:
        said = {n: w * math.exp(weight(seen, n)) for n, w in said.items()}
    if numeral and len(vote.candidates) >= _MANY:
        best = sorted(said, key=lambda n: (-said[n], n))[:_READINGS]
        said = {n: said[n] for n in best}
    return said


Result = Callable[[tuple[int, ...]], float]


def _weighed(
    vote: Vote, heard: Sequence[Mapping[int, float]], result: Result, p: Parameters
) -> list[dict[int, float]]:
    """The weight of every number of every candidate, over all ways to share the voters; and, should the
    judge have miscounted, over all numbers at all."""
    voters = len(vote.voters)
    rows: list[dict[int, float]] = [defaultdict(float) for _ in heard]
    ways = 0.0
    for votes, w in _shared(voters, heard):
        w *= result(votes)  # noqa: PLW2901
        ways += 1
        for row, n in zip(rows, votes, strict=True):
            row[n] += w
    slip = math.exp(p.table["miscounted"])
    scale = (1 - slip) / max(ways, 1.0)
    alone = [sum(row.values()) / (voters + 1) for row in heard]
    for i, (row, mine) in enumerate(zip(rows, heard, strict=True)):
        others = math.prod(alone[:i] + alone[i + 1 :])
        for n, w in mine.items():
            row[n] = scale * row[n] + slip * _OPEN * others * w / (voters + 1)
    return rows


def _shared(left: int, heard: Sequence[Mapping[int, float]]) -> Iterator[tuple[tuple[int, ...], float]]:
    if len(heard) == 1:
        if left in heard[0]:
            yield (left,), heard[0][left]
        return
    for n, w in heard[0].items():
        if n <= left:
            for rest, v in _shared(left - n, heard[1:]):
                yield (n, *rest), w * v


def _result(one: _Round, vote: Vote, game: Game, sure: Callable[[Node], float], p: Parameters) -> Result:
    """How well the numbers agree with what followed."""
    follows = one.follows
    if follows is None:
        return lambda _votes: 1.0
    event, slip = follows.move.event, math.exp(p.table["wrong_result"])
    believed = min(sure(follows), 1.0) * (1 - slip)

    def agrees(votes: tuple[int, ...]) -> float:
        verdict = decide.after_ballot(
            game.rules,
            day=game.day,
            at_table=len(vote.voters),
            candidates=vote.candidates,
            tally=dict(zip(vote.candidates, votes, strict=True)),
            previous_tie=vote.previous_tie,
            revealed=game.split_revealed,
        )
        return believed * _agrees(verdict, event) + (1 - believed) * _OPEN

    return agrees


def _agrees(verdict: decide.Verdict, event: ev.Event) -> float:
    seats = set(verdict.seats)
    match event:
        case ev.VoteOpened():
            return float(verdict.kind in ("revote", "respeech") and seats == {*event.candidates})
        case ev.LiftCalled():
            return float(verdict.kind == "lift" and seats == {*event.candidates})
        case ev.Eliminated():
            return float(verdict.kind in ("leave", "lift") and seats == {*event.seats})
        case _:
            # The night came: nobody left, or nobody was heard to.
            return 1.0 if verdict.kind in ("stay", "night", "lift") else _OPEN
