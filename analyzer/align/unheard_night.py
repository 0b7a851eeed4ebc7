"""A whole evening and night of which nothing was heard, told by what can only belong to the next day."""

from __future__ import annotations

from collections.abc import Iterator

from mafiavar.analyzer.align.hypothesis import Move
from mafiavar.analyzer.align.reading import VOICE, Reading, Sight, finish_day
from mafiavar.engine import events as ev
from mafiavar.engine.state import Phase

_SHORTEST_NIGHT = 25_000_000
_MOST_UNHEARD = 6
"""So many speeches may have gone unheard after it."""

Lead = tuple[tuple[Move, ...], float]
"""The moves that lie before the words, and their log weight."""


def unheard_night(s: Sight, seat: int) -> Lead | None:
    """The end of the day, the night, the morning and all speeches before that of `seat`; None where the day
    is not over, or where there was no time for it."""
    dawn = _dawn(s, seat)
    if dawn is None:
        return None
    moves, cost, game = list(dawn[0]), dawn[1], s.h.game
    for move in moves:
        game = s.referee.apply(game, move.event)[0]
    skipped = game.waiting[: game.waiting.index(seat)] if seat in game.waiting else ()
    if len(skipped) > _MOST_UNHEARD:
        return None
    for other in skipped:
        moves += [
            s.inferred(ev.FloorGiven(other, None, "speech"), s.before(1_500_000), shown=False),
            s.inferred(ev.FloorEnded(other, None), s.before(1_000_000), shown=False),
        ]
        cost += s.p.missing["floor_given"] + s.p.missing["floor_ended"] / 2
    return tuple(moves), cost * _silence(s)


def by_voice(s: Sight) -> Iterator[tuple[int, Lead]]:
    """Who is heard to speak on the day after, long after the last words that can be explained, and how it
    came to his speech."""
    for seat in _voices(s):
        night = unheard_night(s, seat)
        if night is not None:
            given = s.inferred(ev.FloorGiven(seat, None, "speech"), s.before(5_000_000), shown=False)
            cost = night[1] + s.missing("floor_given") * _silence(s) + s.said_by(seat)
            yield seat, ((*night[0], given), cost)


def ended_after(s: Sight, by: str) -> Iterator[Reading]:
    """The end of a speech on the day after, or of the last word of somebody killed in that night."""
    context = {"ended": s.cue.span.t1, "awaiting": None}
    for seat, (lead, cost) in by_voice(s):
        yield Reading((*lead, s.move(ev.FloorEnded(seat, by))), cost, context)  # type: ignore[arg-type]
    for seat in _voices(s):
        dawn = _dawn(s, seat)
        if dawn is None:
            continue
        span, number = s.before(4_000_000), s.h.game.day
        moves = (
            *dawn[0],
            s.inferred(ev.NightResult(number, seat), span),
            s.inferred(ev.Eliminated((seat,), "shot"), span),
            s.inferred(ev.FloorGiven(seat, None, "last_word"), span, shown=False),
            s.move(ev.FloorEnded(seat, by)),  # type: ignore[arg-type]
        )
        cost = (dawn[1] + s.missing("floor_given")) * _silence(s) + s.said_by(seat)
        yield Reading(moves, cost, context)


def _voices(s: Sight) -> Iterator[int]:
    """Which seats the words sound like, where long nothing was heard that can be explained."""
    if s.unexplained >= s.p.silence:
        yield from (x for x, likely in s.cue.speaker.items() if isinstance(x, int) and likely >= VOICE)


def _dawn(s: Sight, seat: int) -> Lead | None:
    """The moves up to the next morning, at their full price."""
    game, last = s.h.game, s.h.trail.move.span.t1 if s.h.trail else 0
    evening = game.phase in (Phase.VOTE, Phase.LIFT, Phase.TIE, Phase.EVENING)
    spoken = game.phase is Phase.DAY and not game.waiting
    if not (evening or spoken) or s.cue.span.t0 - last < _SHORTEST_NIGHT or seat not in game.alive:
        return None
    lead, cost = finish_day(s)
    moves = (
        *lead,
        s.inferred(ev.NightBegan(game.day), s.before(_SHORTEST_NIGHT)),
        s.inferred(ev.DayBegan(), s.before(2_000_000)),
    )
    cost += s.p.missing["vote_opened"] if spoken and game.vote_due else 0.0
    cost += s.p.missing["night_began"] + s.p.missing["night_result"] + s.p.missing["day_began"]
    return moves, cost


def _silence(s: Sight) -> float:
    """What is left of the prices where long nothing was heard that the hypothesis explains."""
    last = s.h.trail.move.span.t1 if s.h.trail else 0
    return s.p.in_silence if s.unexplained >= s.p.silence or s.silent_within(last, s.cue.span.t0) else 1.0
