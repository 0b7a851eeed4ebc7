"""The likeliest game with its votes told anew: calls, stops and counts as everything about each round makes them
likeliest (`count_numbers`), where the search had them otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mafiavar.analyzer.align.ballot_words import CALL, COUNT, STOP
from mafiavar.analyzer.align.count_numbers import Numbers, Weighed, number_of, with_number
from mafiavar.analyzer.align.hypothesis import Hypothesis, Move, Node, Referee
from mafiavar.analyzer.align.righted import MUCH
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.engine import events as ev
from mafiavar.engine.game import Game

_CLEARLY = 1.5
"""So many times as probable another number must be to be put in the place of the search's."""
_CALL, _STOP = 2_500_000, 900_000
"""So long before what follows a call, and a stop, that nobody heard is put."""


@dataclass(frozen=True, slots=True)
class Anew:
    """`origin`: `id` of a move of `best` -> the one of the game before that it stands for; `numbers`: `id` of a
    count -> the probability of each number; `turns`: `id` of a call or a stop that stands for none -> how
    probable it is that it was this candidate's turn."""

    best: Hypothesis
    origin: Mapping[int, Node]
    numbers: Mapping[int, Numbers]
    turns: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class _Told:
    """A move, what it stands for, and what is known of it."""

    move: Move
    was: Node | None
    numbers: Numbers | None = None
    turn: float | None = None


def told_anew(
    best: Hypothesis,
    start: Game,
    rounds: Sequence[Weighed],
    lifts: Mapping[int, Numbers],
    cues: Sequence[Cue],
    referee: Referee,
    allowed: Callable[[Hypothesis], bool],
) -> Anew:
    """`start`: the position the game began with; `lifts`: `id` of the count of a lift -> its numbers. A round
    stays as it is where the rules or a pin (`allowed`) speak against its change."""
    game, told = best, [_Told(n.move, n, lifts.get(id(n))) for n in best.moves()]
    righted = [_kept(node, lifts.get(id(node))) for node in best.moves()]
    if [t.move for t in righted] != [t.move for t in told]:
        game, told = _tried(righted, told, game, start, referee, allowed)
    for one in rounds:
        mine = {id(n) for n in one.stretch.nodes}
        known = [_known(t, one) if t.was is not None and id(t.was) in mine else t for t in told]
        at = next(i for i, t in enumerate(known) if t.was is not None and id(t.was) in mine)
        inside = list(_round(one, cues))
        if [(t.move.event, t.move.cue) for t in inside] == [
            (t.move.event, t.move.cue) for t in known[at : at + len(mine)]
        ]:
            told = known
            continue
        changed = [*known[:at], *inside, *known[at + len(mine) :]]
        game, told = _tried(changed, known, game, start, referee, allowed)
    nodes = game.moves()
    pairs = list(zip(nodes, told, strict=True))
    return Anew(
        game,
        {id(n): t.was for n, t in pairs if t.was is not None and t.was is not n},
        {id(n): t.numbers for n, t in pairs if t.numbers is not None},
        {id(n): t.turn for n, t in pairs if t.turn is not None and t.was is None},
    )


def _tried(
    changed: list[_Told],
    otherwise: list[_Told],
    game: Hypothesis,
    start: Game,
    referee: Referee,
    allowed: Callable[[Hypothesis], bool],
) -> tuple[Hypothesis, list[_Told]]:
    new = referee.follow(Hypothesis(start, 0.0, None, game.context), tuple(t.move for t in changed))
    if -new.score > sum(n.penalty for n in game.moves()) + MUCH or not allowed(new):
        return game, otherwise
    return replace(new, score=game.score), changed


def _kept(node: Node, row: Numbers | None) -> _Told:
    """A move as it is; the count of a lift with its likeliest number."""
    if row is None:
        return _Told(node.move, node)
    number = _likeliest(row, number_of(node))
    if number == number_of(node):
        return _Told(node.move, node, row)
    return _Told(replace(node.move, event=with_number(node.move.event, number)), node, row)


def _known(told: _Told, one: Weighed) -> _Told:
    """The same move with what is known of its numbers."""
    event = told.move.event
    if isinstance(event, ev.VoteAnnounced) and told.move.basis != "pinned":
        return replace(told, numbers=one.rows.get(event.target))
    return told


def _round(one: Weighed, cues: Sequence[Cue]) -> Iterator[_Told]:
    """The moves of a round with its turns laid anew; between them, in order of time, whatever else happened.
    A round in which a person has stated a call or a count stays as it is."""
    nodes = one.stretch.nodes
    turns = [n for n in nodes if isinstance(n.move.event, ev.VoteCalled | ev.VoteClosed | ev.VoteAnnounced)]
    if any(n.move.basis == "pinned" for n in turns):
        yield from (_known(_Told(n.move, n), one) for n in nodes)
        return
    others = [_Told(n.move, n) for n in nodes if n not in turns]
    by_event = {n.move.event: n for n in turns}
    before = others[0].move.span.t1
    rest = others[1:]
    yield others[0]
    for move, row, turn in _turns(one, turns, cues, before):
        while rest and rest[0].move.span.t0 <= move.span.t0:
            yield rest.pop(0)
        yield _Told(move, by_event.get(move.event), row, turn)
    yield from rest


def _turns(
    one: Weighed, nodes: Sequence[Node], cues: Sequence[Cue], begin: Micros
) -> Iterator[tuple[Move, Numbers | None, float | None]]:
    """Call, stop and count of each candidate of whom anything was heard, and the calls that must have come
    between; with what is known of the number, and of its being his turn."""
    opened = one.stretch.nodes[0].move.event
    assert isinstance(opened, ev.VoteOpened)
    heard: dict[int, dict[int, Span]] = {c: {} for c in one.rows}
    for (c, stage), cue in one.cues.items():
        heard[c][stage] = cues[cue].span
    candidates = [*one.rows]
    last = max((i for i, c in enumerate(candidates) if heard[c]), default=-1)
    for i, c in enumerate(candidates[: last + 1]):
        spans, turn = heard[c], one.turns[c]
        following = min((s.t0 for d in candidates[i + 1 :] for s in heard[d].values()), default=None)
        first = min((s.t0 for s in spans.values()), default=following or begin)
        call = _move(
            ev.VoteCalled(opened.round, c),
            one.cues.get((c, CALL)),
            spans.get(CALL) or _at(max(begin, first - (_CALL if spans else SECOND))),
            shown=bool(spans),
        )
        yield call, None, turn
        if not spans:
            continue
        begin = call.span.t1
        if STOP in spans or COUNT in spans or i < last:
            end = spans[COUNT].t0 if COUNT in spans else following or begin + _CALL
            stop = spans.get(STOP) or _at(max(begin, end - _STOP))
            yield _move(ev.VoteClosed(opened.round, c), one.cues.get((c, STOP)), stop), None, turn
            begin = max(begin, stop.t1)
        if COUNT in spans:
            event = ev.VoteAnnounced(opened.round, c, _likeliest(one.rows[c], _had(nodes, c)))
            yield Move(event, spans[COUNT], one.cues[c, COUNT]), one.rows[c], None
            begin = max(begin, spans[COUNT].t1)


def _had(nodes: Sequence[Node], target: int) -> int | None:
    """The number that the search gave a candidate."""
    told = (n for n in nodes if isinstance(n.move.event, ev.VoteAnnounced))
    return next((number_of(n) for n in told if n.move.event.target == target), None)  # type: ignore[attr-defined]


def _likeliest(row: Numbers, had: int | None) -> int:
    """The likeliest number; the search's where that is nearly as probable."""
    best = max(row, key=lambda n: (row[n], -n))
    return best if had is None or row[best] > _CLEARLY * row.get(had, 0.0) else had


def _at(t: Micros) -> Span:
    return Span(t, t)


def _move(event: ev.Event, cue: int | None, span: Span, *, shown: bool = True) -> Move:
    return Move(event, span, cue) if cue is not None else Move(event, span, -1, "inferred", shown)
