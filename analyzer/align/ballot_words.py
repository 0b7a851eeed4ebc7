"""What was heard of one round of a vote: its calls, stops and counts, and what followed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mafiavar.analyzer.align.hands import Hands, weight
from mafiavar.analyzer.align.hypothesis import Node, day_of
from mafiavar.analyzer.align.parameters import Parameters
from mafiavar.analyzer.align.read_hands import chances
from mafiavar.analyzer.cue import Cue, CueKind, Numeral
from mafiavar.analyzer.span import Micros
from mafiavar.engine import events as ev
from mafiavar.engine.game import Game
from mafiavar.engine.state import Vote

CALL, STOP, COUNT = range(3)
"""The three phrases of each candidate's turn, in their order (4.5.5-4.5.7)."""
KINDS = ("vote_called", "vote_closed", "vote_announced")
_STAGES = {
    CueKind.VOTE_CALL: CALL,
    CueKind.VOTE_REMAINDER: CALL,
    CueKind.VOTE_STOP: STOP,
    CueKind.VOTE_COUNT: COUNT,
}
_ECHO = 2_500_000
"""«Стоп, спасибо» in two breaths; later it is the next candidate's."""


@dataclass(frozen=True, slots=True)
class Said:
    """One phrase. `stage`: what it was heard as; `rest`: «остальные против ...», the last candidate's call;
    `odds`: natural log, that it was said rather than invented, with the chance of its number; `lost`: what
    is left of the price of a thing unheard just before it (little after a long silence)."""

    cue: int
    stage: int
    rest: bool
    odds: float
    numeral: Numeral | None
    t0: Micros
    t1: Micros
    lost: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What followed the counts: `seats` left ("left") or were put to another vote ("again"), or the night came
    ("night"). `believed`: how probable that is."""

    kind: str = ""
    seats: frozenset[int] = frozenset()
    believed: float = 0.0


@dataclass(frozen=True, slots=True)
class Round:
    """`candidates` in the order in which they were called; `said` in order of time; `opened`: when the opening was heard (its end); `following`: the next move that
    was heard, as (kind, begin). `seen`: what the hands say of each number of a candidate's votes, weights;
    `fixed`: counts that a person has stated. `game`: the position at the last count."""

    day: int
    number: int
    candidates: tuple[int, ...]
    voters: int
    said: tuple[Said, ...]
    opened: Micros | None
    following: tuple[str, Micros] | None
    outcome: Outcome
    seen: Mapping[int, tuple[float, ...]]
    fixed: Mapping[int, int]
    game: Game
    vote: Vote


@dataclass(slots=True)
class Stretch:
    """One round in the likeliest game: its moves from the opening on, the moves around it."""

    before: Sequence[Node]
    nodes: list[Node] = field(default_factory=list)
    after: Sequence[Node] = ()
    follows: Node | None = None


def stretches(nodes: Sequence[Node]) -> Iterator[Stretch]:
    """The rounds of a game, each up to the first move that follows from its counts."""
    now: Stretch | None = None
    for i, node in enumerate(nodes):
        event = node.move.event
        if now is not None and isinstance(
            event, ev.VoteOpened | ev.LiftCalled | ev.Eliminated | ev.NightBegan
        ):
            if isinstance(event, ev.Eliminated) and event.by not in ("vote", "lift"):
                now.nodes.append(node)
                continue
            now.follows, now.after = node, nodes[i:]
            yield now
            now = None
        if isinstance(event, ev.VoteOpened):
            now = Stretch(nodes[:i])
        if now is not None:
            now.nodes.append(node)
    if now is not None:
        yield now


def round_of(
    one: Stretch, cues: Sequence[Cue], hands: Hands, sure: Callable[[Node], float], p: Parameters
) -> Round | None:
    """None where the position knows of no vote. `sure`: how probable a move is; `cues` as the search had
    them."""
    opened = one.nodes[0]
    vote, game = one.nodes[-1].game.vote, one.nodes[-1].game
    event = opened.move.event
    assert isinstance(event, ev.VoteOpened)
    if vote is None or vote.round != event.round or not vote.candidates:
        return None
    begin, end = _limits(one)
    others = {n.move.cue for n in (*one.before, *one.after) if n.move.cue >= 0}
    following = next((n for n in one.after if n.move.cue >= 0), None)
    return Round(
        day_of(opened),
        event.round,
        _in_turn(vote.candidates, one.nodes),
        len(vote.voters),
        tuple(_said(cues, begin, end, others, p)),
        opened.move.span.t1 if opened.move.cue >= 0 else None,
        (following.move.event.kind, following.move.span.t0)
        if following is one.follows and following
        else None,
        _outcome(one, sure, p),
        _seen(one, hands, vote),
        {
            n.move.event.target: int(n.move.event.count)
            for n in one.nodes
            if isinstance(n.move.event, ev.VoteAnnounced) and n.move.basis == "pinned"
        },
        game,
        vote,
    )


def _in_turn(candidates: Sequence[int], nodes: Sequence[Node]) -> tuple[int, ...]:
    """The candidates as they were called; who was not, before whoever follows him in the list."""
    called = [n.move.event.target for n in nodes if isinstance(n.move.event, ev.VoteCalled)]
    order = [c for c in dict.fromkeys(called) if c in candidates]
    for i in range(len(candidates) - 1, -1, -1):
        if candidates[i] not in order:
            later = [order.index(c) for c in candidates[i + 1 :]]
            order.insert(min(later, default=len(order)), candidates[i])
    return tuple(order)


def _limits(one: Stretch) -> tuple[Micros, Micros]:
    """Where the round's words may lie: from its opening (or the last thing heard before it) to the next
    thing that was heard."""
    opened = one.nodes[0]
    heard = (n.move.span.t0 for n in reversed(one.before) if n.move.cue >= 0)
    begin = opened.move.span.t0 if opened.move.cue >= 0 else next(heard, 0)
    last = max(n.move.span.t1 for n in one.nodes)
    end = one.follows.move.span.t0 if one.follows is not None else last + 1
    return begin, max(end, last)


def _said(cues: Sequence[Cue], begin: Micros, end: Micros, others: set[int], p: Parameters) -> Iterator[Said]:
    for i, cue in enumerate(cues):
        if cue.kind not in _STAGES or not begin <= cue.span.t0 <= end or i in others:
            continue
        true = min(max(cue.likelihood, 1e-4), p.trust)
        numeral = cue.numbers[0] if cue.numbers and cue.numbers[0] else None
        judge = 0.0
        if cue.speaker:
            judge = math.log(p.other_speaker + (1 - p.other_speaker) * cue.said_by("judge"))
        odds = math.log(true / (1 - true)) + judge - (p.by_chance if numeral else 0.0)
        silence = cue.span.t0 - cues[i - 1].span.t1 if i else cue.span.t0
        yield Said(
            i,
            _STAGES[cue.kind],
            cue.kind is CueKind.VOTE_REMAINDER,
            odds,
            numeral,
            cue.span.t0,
            cue.span.t1,
            p.in_silence if silence >= p.silence else 1.0,
        )


def echoes(one: Said, other: Said) -> bool:
    """Is a later phrase perhaps only the same once more?"""
    if one.stage != other.stage or other.t0 - one.t1 > _ECHO:
        return False
    if one.numeral and other.numeral:
        return max(one.numeral, key=one.numeral.__getitem__) == max(
            other.numeral, key=other.numeral.__getitem__
        )
    return True


def _outcome(one: Stretch, sure: Callable[[Node], float], p: Parameters) -> Outcome:
    if one.follows is None:
        return Outcome()
    event = one.follows.move.event
    # To a hundredth: what has not changed need not be weighed again.
    believed = round(min(sure(one.follows), 1.0) * (1 - math.exp(p.table["wrong_result"])), 2)
    match event:
        case ev.VoteOpened() | ev.LiftCalled():
            return Outcome("again", frozenset(event.candidates), believed)
        case ev.Eliminated():
            return Outcome("left", frozenset(event.seats), believed)
        case _:
            return Outcome("night", frozenset(), believed)


def _seen(one: Stretch, hands: Hands, vote: Vote) -> dict[int, tuple[float, ...]]:
    until = max((n.move.span.t1 for n in one.nodes), default=0)
    out = {}
    for target in vote.candidates:
        found = chances(one.nodes, until, hands, vote, target)
        if found is not None:
            out[target] = tuple(math.exp(weight(found, n)) for n in range(len(vote.voters) + 1))
    return out
