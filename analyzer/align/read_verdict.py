"""What follows the counts: ties, lifts, no vote at all, and who leaves."""

from __future__ import annotations

import math
from collections.abc import Iterator

from mafiavar.analyzer.align.lists import heard_numbers, list_weight
from mafiavar.analyzer.align.reading import (
    Reading,
    Sight,
    close_call,
    close_floor,
    log_probability,
    settle,
)
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.span import Micros
from mafiavar.engine import decide
from mafiavar.engine import events as ev
from mafiavar.engine.state import Phase

_UNLIKELY = math.log(0.05)


def tie(s: Sight) -> Iterator[Reading]:
    """«Делёжка»: states no event, but tells whether the counts were a tie."""
    game = s.h.game
    if game.phase is not Phase.VOTE or game.vote is None:
        return
    verdict = game.verdict()
    judge = s.said_by("judge") + s.p.paced("vote_announced", "tie", s.cue.span.t0 - _last_count(s))
    closing, cost = close_call(s)
    cost += settle(s)
    if verdict is None:
        yield Reading(closing, math.log(0.4) + judge + cost)
    elif verdict.kind in ("revote", "lift", "stay", "night", "respeech"):
        weight = list_weight(s, verdict.seats) if s.cue.numbers else 0.0
        yield Reading(closing, weight + judge + cost)
    else:
        yield Reading(closing, s.p.table["tie_without_tie"] + judge + cost)


def _last_count(s: Sight) -> Micros:
    node = s.h.last("vote_announced")
    return node.move.span.t1 if node is not None else 0


def lift_call(s: Sight) -> Iterator[Reading]:
    """«Кто за то, чтобы все голосуемые покинули стол?»"""
    game = s.h.game
    closing, cost = close_call(s)
    floor, more = close_floor(s)
    more += settle(s)
    verdict = game.verdict()
    if game.phase in (Phase.VOTE, Phase.TIE):
        seats = verdict.seats if verdict else (game.tie or heard_numbers(s))
        event = ev.LiftCalled(tuple(seats))
        weight = list_weight(s, seats) if s.cue.numbers and seats else 0.0
        yield Reading((*closing, *floor, s.move(event)), weight + cost + more + s.said_by("judge"))
    elif game.phase is Phase.LIFT:
        yield Reading(weight=s.p.echo)
    elif game.phase is Phase.BEFORE:
        yield Reading((s.move(ev.LiftCalled(heard_numbers(s))),), s.said_by("judge"))


def no_vote(s: Sight) -> Iterator[Reading]:
    """«Голосование не проводится», «никто не покидает стол»."""
    game = s.h.game
    floor, cost = close_floor(s)
    calls, more = close_call(s)
    weight = s.said_by("judge") + cost + more + settle(s)
    if game.phase in (Phase.DAY, Phase.BEFORE):
        due = decide.vote_is_due(
            game.rules, day=game.day, candidates=len(game.candidates), cancelled=game.vote_cancelled
        )
        yield Reading(floor, weight + (math.log(0.15) if due else 0.0))
    elif game.phase in (Phase.VOTE, Phase.LIFT, Phase.TIE):
        verdict = game.verdict()
        leaves = game.phase is Phase.VOTE and verdict is not None and verdict.kind == "leave"
        if game.phase is Phase.LIFT and game.lift and game.lift.result:
            leaves = 2 * game.lift.result[0] > game.at_table
        yield Reading((*floor, *calls), weight + (_UNLIKELY if leaves else 0.0))


def leaves(s: Sight) -> Iterator[Reading]:
    """«Стол покидает игрок номер пять»."""
    game = s.h.game
    weight = s.said_by("judge")
    heard = heard_numbers(s)
    removed = [(seat, by) for seat, by in game.must_leave if not heard or seat in heard or _may_be(s, seat)]
    for seat, by in removed:
        p = log_probability(s.cue.numbers[0], seat, s.p) if s.cue.numbers else 0.0
        yield Reading((s.move(ev.Eliminated((seat,), by)),), weight + p)  # type: ignore[arg-type]
    if not heard and not removed:
        yield from no_vote(s)
    if game.phase not in (Phase.VOTE, Phase.LIFT, Phase.TIE, Phase.EVENING, Phase.DAY):
        return
    closing, cost = close_call(s)
    floor, more = close_floor(s)
    lead, cost = (*floor, *closing), cost + more + settle(s)
    options: dict[tuple[int, ...], float] = {}
    for seats in _expected_to_leave(s):
        options[seats] = list_weight(s, seats) if s.cue.numbers else math.log(0.5)
    if len(s.cue.numbers) == 1:
        for seat, p in s.numerals():
            options.setdefault((seat,), p)
    elif heard:
        options.setdefault(heard, list_weight(s, heard))
    just_left = {seat for x in game.left if x.day == game.day and x.night is None for seat in x.seats}
    for seats, p in options.items():
        if set(seats) <= just_left:
            yield Reading(weight=weight + p + s.p.echo)
        else:
            event = ev.Eliminated(tuple(sorted(seats)), "vote")
            yield Reading((*lead, s.move(event)), weight + p + cost)


def _may_be(s: Sight, seat: int) -> bool:
    return any(n.get(seat, 0.0) > 0.05 for n in s.cue.numbers)


def _expected_to_leave(s: Sight) -> list[tuple[int, ...]]:
    game = s.h.game
    if game.phase is Phase.LIFT and game.lift is not None:
        return [game.lift.candidates]
    verdict = game.verdict()
    return [verdict.seats] if verdict is not None and verdict.kind in ("leave", "lift") else []


READERS = {
    CueKind.TIE: tie,
    CueKind.LIFT_CALL: lift_call,
    CueKind.NO_VOTE: no_vote,
    CueKind.LEAVES: leaves,
}
