"""Announced numbers of a ballot or a lift."""

from __future__ import annotations

import math
from collections.abc import Iterator

from mafiavar.analyzer.align import read_hands
from mafiavar.analyzer.align.hypothesis import Move
from mafiavar.analyzer.align.read_vote import call_as
from mafiavar.analyzer.align.reading import Reading, Sight, close_call, close_floor, latest_call, uncounted
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.span import Span
from mafiavar.engine import events as ev
from mafiavar.engine.state import Phase, Stage, Vote

_COUNT_AFTER_STOP = 900_000
_TRIED = 2
"""Readings of a count that the search tries: all of them are weighed afterwards (`counted`)."""


def vote_count(s: Sight) -> Iterator[Reading]:
    """The announced number of a candidate, or of a lift."""
    game = s.h.game
    judge = s.said_by("judge")
    if game.phase is Phase.LIFT and game.lift is not None and game.lift.result is None:
        seen = read_hands.of_lift(s)
        for yes, p in s.numerals(favoured=seen.favoured):
            if yes <= game.at_table:
                event = ev.LiftResult(yes, game.at_table - yes)
                yield Reading((s.move(event),), p + judge + seen.weight(yes) - math.log(game.at_table + 1))
        return
    vote = game.vote
    if game.phase in (Phase.DAY, Phase.TIE):
        yield from _count_of_unheard_vote(s, judge)
        return
    if game.phase is not Phase.VOTE or vote is None:
        return
    call = latest_call(s.h)
    if call is None or call.announced is not None:
        yield from _count_of_unheard_call(s, vote, (), judge)
        if vote.calls and vote.calls[0].stage is Stage.WAITING and s.cue.numbers:
            yield from call_as(s, s.p.other_kind)
        return
    target = call.target
    lead: tuple[Move, ...] = ()
    cost = judge
    if call.stage is Stage.CALLED:
        t = max(s.cue.span.t0 - _COUNT_AFTER_STOP, s.h.trail.move.span.t1 if s.h.trail else 0)
        lead = (s.inferred(ev.VoteClosed(vote.round, target), Span(t, max(t, s.cue.span.t0))),)
        cost += s.missing("vote_closed")
    seen = read_hands.of_ballot(s, vote, target)
    for count, p in s.numerals(favoured=[*_rest_of(vote, target), *seen.favoured], most=_TRIED):
        move = s.move(ev.VoteAnnounced(vote.round, target, count))
        yield Reading((*lead, move), p + cost + seen.weight(count) + _beforehand(vote, target))
    closing, closing_cost = close_call(s)
    yield from _count_of_unheard_call(s, vote, closing, judge + closing_cost + uncounted(s))
    if call.stage is Stage.CLOSED and any(c.stage is Stage.WAITING for c in vote.calls):
        yield from call_as(s, s.p.other_kind)


def _count_of_unheard_call(s: Sight, vote: Vote, lead: tuple[Move, ...], weight: float) -> Iterator[Reading]:
    """A count of a candidate whose call and stop were lost: the next in order."""
    waiting = [c.target for c in vote.calls if c.stage is Stage.WAITING]
    if not waiting:
        return
    target = waiting[0]
    called = s.inferred(ev.VoteCalled(vote.round, target), s.before(4_500_000))
    closed = s.inferred(ev.VoteClosed(vote.round, target), s.before(_COUNT_AFTER_STOP))
    cost = weight + s.missing("vote_called") + s.missing("vote_closed")
    for count, p in s.numerals(favoured=_rest_of(vote, target), most=_TRIED):
        yield Reading(
            (*lead, called, closed, s.move(ev.VoteAnnounced(vote.round, target, count))),
            p + cost + _beforehand(vote, target),
        )


def _count_of_unheard_vote(s: Sight, weight: float) -> Iterator[Reading]:
    """The first count that is heard of a vote whose opening and first call were lost."""
    game = s.h.game
    again = game.phase is Phase.TIE and game.vote is not None
    candidates = (game.tie or game.tie_spoken) if again else game.candidates
    if not candidates or (game.phase is Phase.DAY and not game.vote_due):
        return
    floor, cost = close_floor(s)
    round_ = game.vote.round + 1 if again and game.vote else 1
    opened = s.inferred(ev.VoteOpened(round_, candidates), s.before(8_000_000))
    for move in floor:
        game = s.referee.apply(game, move.event)[0]
    game = s.referee.apply(game, opened.event)[0]
    if game.vote is not None:
        yield from _count_of_unheard_call(
            s, game.vote, (*floor, opened), weight + cost + s.missing("vote_opened")
        )


def _beforehand(vote: Vote, target: int) -> float:
    """Log probability of a number of votes before it is heard: any that are left, or just the rest."""
    if _rest_of(vote, target):
        return 0.0
    left = len(vote.voters) - sum(c.announced or 0 for c in vote.calls if c.target != target)
    return -math.log(max(left, 0) + 1)


def _rest_of(vote: Vote, target: int) -> list[int]:
    """What is left for the last candidate when every other count is known."""
    if not vote.calls or vote.calls[-1].target != target:
        return []
    others = [c.announced for c in vote.calls[:-1]]
    known = [n for n in others if n is not None]
    rest = len(vote.voters) - sum(known)
    return [rest] if len(known) == len(others) and rest >= 0 else []


READERS = {CueKind.VOTE_COUNT: vote_count}
