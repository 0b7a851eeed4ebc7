"""A hypothesis: one legal or illegal game that explains the cues so far, and its score.

Hypotheses share their past: a trail is a linked list of moves. Scores are natural-log
probabilities up to a constant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mafiavar.analyzer.align.parameters import Parameters
from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.timeline import Basis
from mafiavar.engine import decide
from mafiavar.engine.events import Event, fields_of
from mafiavar.engine.game import Game
from mafiavar.engine.issue import Issue
from mafiavar.engine.state import Ledger, NightState, Nomination, Phase


@dataclass(frozen=True, slots=True)
class Move:
    """One event with its place in the recording.

    `shown`: goes into the timeline; a move that only keeps the state in order (a speech nobody
    heard) does not. `cue`: index of the cue that carries it, -1 when inferred or pinned. `share`: how
    probable just this event is when something of the kind must have happened unheard.
    """

    event: Event
    span: Span
    cue: int = -1
    basis: Basis = "observed"
    shown: bool = True
    share: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A move made, with the position after it. `issues`: what the engine said to it."""

    before: Node | None
    move: Move
    game: Game
    issues: tuple[Issue, ...]
    penalty: float
    length: int

    def back(self) -> Iterator[Node]:
        node: Node | None = self
        while node is not None:
            yield node
            node = node.before


@dataclass(frozen=True, slots=True)
class Context:
    """What the engine's position does not say but the next cues need.

    `awaiting`: (seat, target, time) of an accepted nomination whose «принято» has not come;
    `refused`: the same of one that was not accepted; `heard`: the stretches of words just dealt
    with, and what skipping each had cost (0 when explained); `ended`: when the last floor ended.
    """

    awaiting: tuple[int, int, Micros] | None = None
    refused: tuple[int, int, Micros] | None = None
    heard: tuple[tuple[Micros, Micros, float], ...] = ()
    ended: Micros | None = None
    accepted_blank: tuple[int, Micros] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    game: Game
    score: float = 0.0
    trail: Node | None = None
    context: Context = field(default_factory=Context)

    def last(self, *kinds: str) -> Node | None:
        """The latest move of one of the kinds."""
        if self.trail is None:
            return None
        return next((n for n in self.trail.back() if n.move.event.kind in kinds), None)

    def moves(self) -> list[Node]:
        """All moves, first to last."""
        return list(self.trail.back())[::-1] if self.trail else []


class Referee:
    """The engine with a memory: each (position, event) is applied once, equal positions are one object.

    Kept between re-alignments it makes them cheap: only scores are computed anew.
    """

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self._same: dict[Game, Game] = {}
        self._known: dict[tuple[int, Event], tuple[Game, tuple[Issue, ...], float]] = {}
        self._cores: dict[int, Game] = {}

    def same(self, game: Game) -> Game:
        """The one object that stands for all positions equal to `game`."""
        return self._same.setdefault(game, game)

    def core(self, game: Game) -> Game:
        """What of a position coming cues can still depend on: two positions with one core are merged.

        Best moves, warnings and first fouls change nothing that is said later; of a finished day only
        who left matters.
        """
        found = self._cores.get(id(game))
        if found is None:
            found = self._cores[id(game)] = self.same(_core(game))
        return found

    def apply(self, game: Game, event: Event) -> tuple[Game, tuple[Issue, ...], float]:
        """Position after the event, issues, and the penalty they cost. `game` must come from `same`."""
        key = (id(game), event)
        found = self._known.get(key)
        if found is None:
            following, issues = game.apply(event)
            penalty = sum(self.parameters.penalty(i) for i in issues if not _told_before(game, i))
            # However much is wrong with one move, one cause may explain it all.
            penalty = min(penalty, self.parameters.cap)
            found = self._known[key] = (self.same(following), issues, penalty)
        return found

    def follow(self, h: Hypothesis, moves: tuple[Move, ...]) -> Hypothesis:
        """The hypothesis after some moves, less the penalties of the engine's issues."""
        game, trail, score = h.game, h.trail, h.score
        for move in moves:
            game, issues, penalty = self.apply(game, move.event)
            trail = Node(trail, move, game, issues, penalty, trail.length + 1 if trail else 1)
            score -= penalty
        return Hypothesis(game, score, trail, h.context)

    def insert(self, h: Hypothesis, after: Node | None, moves: tuple[Move, ...]) -> Hypothesis:
        """The hypothesis as if `moves` had come right after the node `after` of its trail (None: at
        the very beginning is not supported; then nothing changes)."""
        if after is None or h.trail is None:
            return h
        later = [n.move for n in h.trail.back() if n.length > after.length][::-1]
        undone = sum(n.penalty for n in h.trail.back() if n.length > after.length)
        base = replace(h, game=after.game, trail=after, score=h.score + undone)
        return self.follow(base, (*moves, *later))

    def remove(self, h: Hypothesis, node: Node) -> Hypothesis:
        """The hypothesis without one move of its trail."""
        if node.before is None or h.trail is None:
            return h
        later = [n.move for n in h.trail.back() if n.length > node.length][::-1]
        undone = sum(n.penalty for n in h.trail.back() if n.length >= node.length)
        base = replace(h, game=node.before.game, trail=node.before, score=h.score + undone)
        return self.follow(base, tuple(later))

    def substitute(self, h: Hypothesis, node: Node, move: Move) -> Hypothesis:
        """The hypothesis with one move of its trail replaced."""
        if node.before is None or h.trail is None:
            return h
        later = [n.move for n in h.trail.back() if n.length > node.length][::-1]
        undone = sum(n.penalty for n in h.trail.back() if n.length >= node.length)
        base = replace(h, game=node.before.game, trail=node.before, score=h.score + undone)
        return self.follow(base, (move, *later))


def _core(game: Game) -> Game:
    ledger = game.ledger
    plain = Ledger(
        fouls=tuple(n if n > 1 else 0 for n in ledger.fouls),
        technical=ledger.technical,
        owes=ledger.owes,
    )
    # Who spoke and who spoke last, not in which order.
    spoken = (*sorted({*game.spoken[:-1]} - {*game.spoken[-1:]}), *game.spoken[-1:])
    game = game.with_(ledger=plain, best_moves=(), spoken=spoken)
    if game.phase in (Phase.NIGHT, Phase.OVER):
        return game.with_(nominations=(), vote=None, lift=None, tie=(), tie_spoken=())
    if game.phase is not Phase.DAY:
        # Once the vote is open it does not matter who nominated whom.
        nominations = tuple(Nomination(0, t) for t in game.candidates)
        game = game.with_(nominations=nominations, spoken=game.spoken[-1:])
    if game.phase is Phase.EVENING:
        game = game.with_(vote=None, lift=None)
    if game.night_state is not None and (game.spoken or game.phase is not Phase.DAY):
        game = game.with_(night_state=NightState(game.night_state.number))
    return game


def _told_before(game: Game, issue: Issue) -> bool:
    """After one skipped speaker the engine calls every later one out of order; the skip counts once."""
    if issue.kind != "speaker_order_wrong" or not game.spoken or not issue.seats:
        return False
    following = decide.speaking_order(game.alive, game.spoken[-1] % game.rules.seats + 1, game.rules.seats)
    return bool(following) and following[0] == issue.seats[0]


def day_of(node: Node) -> int:
    """The day an event belongs to: what a night brings carries the day before it."""
    event, game = node.move.event, node.game
    at_night = event.kind in ("night_result", "shot", "check", "shooting_began")
    if event.kind == "best_move":
        # Who is broken at ten makes it by day (7.13).
        at_night = game.phase is Phase.NIGHT
    if event.kind == "eliminated" and getattr(event, "by", None) == "shot":
        at_night = True
    if at_night and game.night_state is not None:
        return game.night_state.number
    return game.day


def content(node: Node) -> tuple[str, int, Mapping[str, Any]]:
    """Kind, day and fields of an event as they stand in timeline.json."""
    event = node.move.event
    fields = fields_of(event)
    if event.kind == "eliminated" and fields.get("by") == "shot" and node.game.night_state is not None:
        fields["night"] = node.game.night_state.number
    if event.kind == "best_move" and node.game.phase is Phase.NIGHT and node.game.night_state is not None:
        fields["night"] = node.game.night_state.number
    return event.kind, day_of(node), fields
