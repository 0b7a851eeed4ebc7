"""The likeliest game with its nominations put right by all words of the day (`named`).

The search knows a list of candidates only by the few ways in which it tried to put the past right. Where
everything together says otherwise, the nominations, the list and the calls of the first round are
changed accordingly, and the rules are asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from mafiavar.analyzer.align.hypothesis import Hypothesis, Move, Node, Referee, day_of
from mafiavar.analyzer.align.named import Likeliest, Named
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.span import Span
from mafiavar.engine import events as ev
from mafiavar.engine.game import Game

MUCH = 3.0
"""Penalties (natural log) that a game which was put right may have more than before."""
_INTO_SPEECH = 2_000_000

Moves = list[tuple[Move, Node | None]]
"""Moves, each with the one of the search that it stands for."""


@dataclass(frozen=True, slots=True)
class Righted:
    """`origin`: `id` of a move of the best game -> the move of the search that it stands for, where they
    differ."""

    best: Hypothesis
    origin: Mapping[int, Node]


def righted(
    best: Hypothesis,
    start: Game,
    together: Named,
    cues: Sequence[Cue],
    referee: Referee,
    allowed: Callable[[Hypothesis], bool],
    much: float = MUCH,
) -> Righted:
    """`start`: the position the game began with; `allowed`: whether it meets the pins that it must meet;
    `much`: penalties that each day's change may cost."""
    origin: dict[int, Node] = {}
    for day, likely in sorted(together.likeliest.items()):
        nodes = best.moves()
        mine = [n for n in nodes if day_of(n) == day]
        instead = _changed(mine, likely, cues) if _differs(mine, likely) else {}
        if not instead:
            continue
        moves = [pair for node in nodes for pair in instead.get(id(node), [(node.move, node)])]
        new = referee.follow(Hypothesis(start, 0.0, None, best.context), tuple(m for m, _ in moves))
        if -new.score > sum(n.penalty for n in nodes) + much or not allowed(new):
            continue
        best = replace(new, score=best.score)
        pairs = zip(best.moves(), (was for _, was in moves), strict=True)
        origin = {id(node): origin.get(id(was), was) for node, was in pairs if was is not None}
    return Righted(best, origin)


def _differs(mine: Sequence[Node], likely: Likeliest) -> bool:
    named = {e.seat: e.target for n in mine if isinstance(e := n.move.event, ev.Nominated) and e.accepted}
    opened = next((e for n in mine if isinstance(e := n.move.event, ev.VoteOpened)), None)
    if named != {seat: target for seat, (target, _) in likely.named.items()}:
        return True
    return opened is not None and (
        opened.candidates != likely.candidates or any(old != new for old, new in likely.called.items())
    )


def _changed(nodes: Sequence[Node], likely: Likeliest, cues: Sequence[Cue]) -> dict[int, Moves]:
    """`id` of a move of the day -> the moves that come in its place; nothing where the likeliest game has no
    speech for who names."""
    floors = {e.seat for n in nodes if isinstance(e := n.move.event, ev.FloorGiven) and e.purpose == "speech"}
    if not {*likely.named} <= floors:
        return {}
    instead: dict[int, Moves] = {}
    telling = {seat: _telling(nodes, seat, target, cue) for seat, (target, cue) in likely.named.items()}
    for node in nodes:
        event = node.move.event
        match event:
            case ev.Nominated() if node is telling.get(event.seat):
                right = replace(event, target=likely.named[event.seat][0], accepted=True, reason=None)
                if (right.target, True) != (event.target, event.accepted):
                    instead[id(node)] = [(replace(node.move, event=right, share=1.0), node)]
            case ev.Nominated(accepted=True):
                instead[id(node)] = []
            case ev.FloorGiven(purpose="speech") if telling.get(event.seat, node) is None:
                target, cue = likely.named[event.seat]
                instead[id(node)] = [
                    (node.move, node),
                    (_nomination(event.seat, target, cue, node, cues), None),
                ]
            case ev.VoteOpened(round=1) if event.candidates != likely.candidates:
                move = replace(node.move, event=replace(event, candidates=likely.candidates))
                instead[id(node)] = [(move, node)]
            case ev.VoteCalled(round=1) | ev.VoteClosed(round=1) | ev.VoteAnnounced(round=1):
                whose = likely.called.get(event.target)
                if whose is not None and whose != event.target:
                    instead[id(node)] = [(replace(node.move, event=replace(event, target=whose)), node)]
                elif whose is None and (
                    event.target in {*likely.called.values()} or event.target not in likely.candidates
                ):
                    instead[id(node)] = []  # nobody heard this call
    return instead


def _telling(nodes: Sequence[Node], seat: int, target: int, cue: int) -> Node | None:
    """The move that is this nomination already, or becomes it: of the same number, or of the same words."""
    his = [n for n in nodes if isinstance(e := n.move.event, ev.Nominated) and e.seat == seat]
    same = [n for n in his if n.move.event.target == target and n.move.event.accepted]  # type: ignore[attr-defined]
    words = [n for n in his if cue >= 0 and n.move.cue == cue]
    number = [n for n in words if n.move.event.target == target]  # type: ignore[attr-defined]
    return next(iter([*same, *number, *words]), None)


def _nomination(seat: int, target: int, cue: int, floor: Node, cues: Sequence[Cue]) -> Move:
    event = ev.Nominated(seat, target, True)
    if cue >= 0:
        return Move(event, cues[cue].span, cue)
    t = floor.move.span.t1 + _INTO_SPEECH
    return Move(event, Span(t, t), -1, "inferred")
