"""Readings: what a cue can mean in a position. Shared helpers; one module per family makes them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mafiavar.analyzer.align.hands import Hands
from mafiavar.analyzer.align.hypothesis import Hypothesis, Move, Node, Referee
from mafiavar.analyzer.align.parameters import Parameters
from mafiavar.analyzer.cue import Cue, CueKind, Numeral
from mafiavar.analyzer.span import Micros, Span
from mafiavar.engine import decide
from mafiavar.engine import events as ev
from mafiavar.engine.game import Game
from mafiavar.engine.state import Call, Phase, Stage

VOICE = 0.4
"""How sure a voice must be to tell by itself who had the word."""
DAYTIME = (Phase.DAY, Phase.VOTE, Phase.TIE, Phase.LIFT, Phase.EVENING)


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of a cue: moves to make, what it costs or gains (natural log, before the engine's
    penalties), and changes of the context. `edit` rewrites the past first (a nomination nobody
    heard, known from the list of candidates). `paced`: does its time tell for or against it?"""

    moves: tuple[Move, ...] = ()
    weight: float = 0.0
    context: Mapping[str, Any] = field(default_factory=dict)
    edit: Callable[[Hypothesis], Hypothesis] | None = None
    paced: bool = True


@dataclass(frozen=True, slots=True)
class Sight:
    """What a reader may look at: the hypothesis, the cue and its index, parameters and referee."""

    h: Hypothesis
    cue: Cue
    index: int
    p: Parameters
    referee: Referee
    hands: Hands
    cues: Sequence[Cue] = ()

    def move(self, event: ev.Event, span: Span | None = None) -> Move:
        """An event that this cue states."""
        return Move(event, span or self.cue.span, self.index)

    def inferred(self, event: ev.Event, span: Span, *, shown: bool = True) -> Move:
        return Move(event, span, -1, "inferred", shown)

    def missing(self, kind: str) -> float:
        """Log probability that a thing of this kind went unheard; much likelier where just before the
        cue nothing at all was heard for long."""
        cost = self.p.missing[kind]
        return cost * self.p.in_silence if self.silence >= self.p.silence else cost

    @property
    def silence(self) -> Micros:
        """How long nothing had been heard when the cue came."""
        before = self.cues[self.index - 1].span.t1 if 0 < self.index <= len(self.cues) else 0
        return self.cue.span.t0 - before

    @property
    def unexplained(self) -> Micros:
        """How long nothing had been heard that the hypothesis explains; invented words do not count."""
        observed = (
            next((n.move.span.t1 for n in self.h.trail.back() if n.move.cue >= 0), 0) if self.h.trail else 0
        )
        return self.cue.span.t0 - observed

    def silent_within(self, t0: Micros, t1: Micros) -> bool:
        """Was nothing at all heard for long, in a stretch before the cue?"""
        after = self.cue.span.t0
        for i in range(self.index - 1, -1, -1):
            span = self.cues[i].span
            if min(after, t1) - max(span.t1, t0) >= self.p.silence:
                return True
            if span.t1 <= t0:
                break
            after = span.t0
        return False

    def numerals(
        self, i: int = 0, favoured: Iterable[int] = (), most: int | None = None
    ) -> list[tuple[int, float]]:
        """Values of the i-th numeral with their log probabilities: the likeliest ones (`most`), and those
        the rules favour. Empty when the cue has no such numeral."""
        numbers = self.cue.numbers
        if i >= len(numbers) or not numbers[i]:
            return []
        best = sorted(numbers[i].items(), key=lambda kv: (-kv[1], kv[0]))[: most or self.p.numerals]
        values = dict.fromkeys([n for n, _ in best] + list(favoured))
        return [(n, log_probability(numbers[i], n, self.p)) for n in values]

    def before(self, seconds_ago: Micros) -> Span:
        """A moment before the cue, not before the latest move."""
        last = self.h.trail.move.span.t1 if self.h.trail else 0
        t = max(min(last, self.cue.span.t0), self.cue.span.t0 - seconds_ago)
        return Span(t, t)

    def said_by(self, seat: int | str) -> float:
        """Log weight of the speaker posterior for who should have said it; 0 when nothing is known."""
        if not self.cue.speaker:
            return 0.0
        said = self.cue.said_by(seat)  # type: ignore[arg-type]
        return math.log(self.p.other_speaker + (1 - self.p.other_speaker) * said)


def log_probability(numeral: Numeral, n: int, p: Parameters) -> float:
    return math.log(max(numeral.get(n, 0.0), p.numeral_floor))


_CALLED_FOR = frozenset(
    {
        CueKind.FLOOR, CueKind.ACCEPTED, CueKind.VOTE_OPEN, CueKind.VOTE_CALL, CueKind.VOTE_COUNT,
        CueKind.VOTE_REMAINDER, CueKind.TIE, CueKind.REVOTE, CueKind.LIFT_CALL, CueKind.LEAVES,
    }
)  # fmt: skip
"""Kinds of cues whose numbers follow from what was before, where they are true."""


def by_chance(cue: Cue, p: Parameters) -> float:
    """Log probability that a phrase that nobody said has the numbers it has."""
    return p.by_chance * sum(1 for n in cue.numbers if n) if cue.kind in _CALLED_FOR else 0.0


def recent(t: Micros | None, cue: Cue, window: Micros) -> bool:
    return t is not None and cue.span.t0 - t <= window


def open_call(h: Hypothesis) -> Call | None:
    """The candidate whose call runs (named, not closed)."""
    vote = h.game.vote
    if h.game.phase is not Phase.VOTE or vote is None:
        return None
    return next((c for c in vote.calls if c.stage is Stage.CALLED), None)


def close_floor(s: Sight) -> tuple[tuple[Move, ...], float]:
    """An end nobody heard for the floor that is still open; nothing when none is."""
    floor = s.h.game.floor
    if floor is None:
        return (), 0.0
    span = s.before(1_200_000)
    # How it ended was not heard either: the timeline says that it ended, not how.
    return (s.inferred(ev.FloorEnded(floor.seat, None), span),), s.missing("floor_ended")


def close_call(s: Sight) -> tuple[tuple[Move, ...], float]:
    """A «стоп» nobody heard for the call that is still open."""
    call, vote = open_call(s.h), s.h.game.vote
    if call is None or vote is None or s.h.game.vote is None:
        return (), 0.0
    moves: tuple[Move, ...] = (s.inferred(ev.VoteClosed(vote.round, call.target), s.before(1_000_000)),)
    return moves, s.missing("vote_closed")


def latest_call(h: Hypothesis) -> Call | None:
    """The call that came last; candidates are not always called in the order of the list."""
    vote, node = h.game.vote, h.last("vote_called")
    event = node.move.event if node is not None else None
    if vote is None or not isinstance(event, ev.VoteCalled) or event.round != vote.round:
        return None
    call = vote.call_of(event.target)
    return call if call is not None and call.stage is not Stage.WAITING else None


def uncounted(s: Sight) -> float:
    """What it costs that the latest call has no count when the next one comes."""
    if s.h.game.phase is not Phase.VOTE or (call := latest_call(s.h)) is None or call.announced is not None:
        return 0.0
    return s.missing("vote_announced")


def settle(s: Sight) -> float:
    """What it costs that a ballot is over: counts and whole calls that nobody heard."""
    vote = s.h.game.vote
    if s.h.game.phase is not Phase.VOTE or vote is None:
        return 0.0
    waiting = sum(c.stage is Stage.WAITING for c in vote.calls)
    return uncounted(s) + waiting * (s.missing("vote_called") + s.missing("vote_announced"))


def finish_day(s: Sight) -> tuple[tuple[Move, ...], float]:
    """What must have happened unheard before the night: open floors and calls end, who was voted out
    has left."""
    floor, cost = close_floor(s)
    calls, more = close_call(s)
    moves, cost = (*floor, *calls), cost + more + settle(s)
    game = s.h.game
    for move in moves:
        game = s.referee.apply(game, move.event)[0]
    if game.phase is Phase.VOTE and (seats := leaving(game)):
        moves = (*moves, s.inferred(ev.Eliminated(seats, "vote"), s.before(2_000_000)))
        cost += s.missing("eliminated")
    return moves, cost


def leaving(game: Game) -> tuple[int, ...]:
    """Who leaves by the counts, also where some are missing and nobody can catch up with him any more."""
    verdict, vote = game.verdict(), game.vote
    if verdict is None and vote is not None and vote.calls:
        known = {c: vote.counted(c) for c in vote.candidates}
        first = max(vote.candidates, key=lambda c: known[c][0])
        if all(high < known[first][0] for c, (_, high) in known.items() if c != first):
            verdict = decide.after_ballot(
                game.rules, day=game.day, at_table=len(vote.voters), candidates=vote.candidates,
                tally={c: low for c, (low, _) in known.items()}, previous_tie=vote.previous_tie,
            )  # fmt: skip
    return verdict.seats if verdict is not None and verdict.kind == "leave" else ()


def echo_of(s: Sight, *kinds: str, window: Micros | None = None) -> bool:
    """Is the latest move of these kinds so near that the cue may repeat it?"""
    node = s.h.last(*kinds)
    return node is not None and recent(node.move.span.t1, s.cue, window or s.p.echo_time)


def nodes_today(h: Hypothesis) -> Iterator[Node]:
    """Moves since the day began, latest first."""
    if h.trail is None:
        return
    for node in h.trail.back():
        yield node
        if node.move.event.kind == "day_began":
            return


def unheard_turn(s: Sight) -> tuple[int, tuple[Move, ...], float] | None:
    """The voice of somebody still to come, though another has the word: the change of speakers went
    unheard."""
    game = s.h.game
    if game.phase is not Phase.DAY or game.floor is None or not s.cue.speaker:
        return None
    seat, likely = max(s.cue.speaker.items(), key=lambda kv: kv[1])
    if not isinstance(seat, int) or likely < VOICE or seat == game.floor.seat or seat not in game.waiting:
        return None
    closing, cost = close_floor(s)
    passed, more = passed_over(s, game.waiting[: game.waiting.index(seat)])
    given = s.inferred(ev.FloorGiven(seat, None, "speech"), s.before(5_000_000), shown=False)
    return seat, (*closing, *passed, given), cost + more + s.missing("floor_given") + s.said_by(seat)


def passed_over(s: Sight, seats: Sequence[int]) -> tuple[tuple[Move, ...], float]:
    """Whole speeches of these seats that nobody heard, and what that costs: less where long nothing was
    heard that the hypothesis explains."""
    moves = list[Move]()
    for seat in seats:
        moves += [
            s.inferred(ev.FloorGiven(seat, None, "speech"), s.before(1_500_000), shown=False),
            s.inferred(ev.FloorEnded(seat, None), s.before(1_000_000), shown=False),
        ]
    # A speech and its end were lost together as a rule (a dead minute), so the end costs less.
    each = s.p.missing["floor_given"] + s.p.missing["floor_ended"] / 2
    return tuple(moves), len(seats) * each * (s.p.in_silence if s.unexplained >= s.p.silence else 1.0)


def silent(_s: Sight) -> Iterator[Reading]:
    """Cues that state no event: warnings of time, questions, hints, sounds."""
    yield Reading()
