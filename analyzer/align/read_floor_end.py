"""How a speech ends, and whose end it was when its beginning went unheard."""

from __future__ import annotations

import math
from collections.abc import Iterator

from mafiavar.analyzer.align.hypothesis import Move
from mafiavar.analyzer.align.reading import (
    VOICE,
    Reading,
    Sight,
    open_call,
    recent,
    unheard_turn,
)
from mafiavar.analyzer.align.unheard_night import ended_after
from mafiavar.analyzer.cue import CueKind
from mafiavar.engine import events as ev
from mafiavar.engine.state import Floor, Phase


def floor_end(s: Sight) -> Iterator[Reading]:
    """«Пас», «спасибо», «время»: the end of a speech; in a ballot «спасибо» is the judge's stop."""
    game = s.h.game
    by = str(s.cue.detail.get("by") or "spasibo")
    judge = s.cue.said_by("judge") if s.cue.speaker else 0.5
    if game.floor is not None:
        yield from _end(s, game.floor, by, judge)
        if by in ("pas", "spasibo") and (turn := unheard_turn(s)) is not None:
            seat, lead, cost = turn
            ended = s.move(ev.FloorEnded(seat, by))  # type: ignore[arg-type]
            yield Reading((*lead, ended), cost, {"ended": s.cue.span.t1, "awaiting": None})
    elif recent(s.h.context.ended, s.cue, s.p.echo_time):
        yield Reading(weight=s.p.echo)
    elif game.phase is Phase.DAY and game.waiting and by in ("pas", "spasibo"):
        yield from _end_of_unheard(s, by)
        if not game.spoken:
            yield from _end_of_unheard_last_word(s, by)
    elif game.phase is Phase.NIGHT and by in ("pas", "spasibo"):
        yield from _end_of_unheard_last_word(s, by)
        yield from _end_of_unheard_morning(s, by)
    elif game.phase is Phase.FIRST_NIGHT and by in ("pas", "spasibo"):
        yield from _end_of_unheard_morning(s, by)
    elif game.phase is Phase.BEFORE and game.unknown_past:
        yield Reading(weight=math.log(0.3))
    if by in ("pas", "spasibo"):
        yield from ended_after(s, by)
    if open_call(s.h) is not None or game.phase is Phase.LIFT:
        from mafiavar.analyzer.align.read_vote import stop_as

        if by != "pas":
            yield from stop_as(s, 0.0 if by in ("judge", "spasibo") else s.p.other_kind)


def _end(s: Sight, floor: Floor, by: str, judge: float) -> Iterator[Reading]:
    owner = s.said_by(floor.seat)
    ways: list[tuple[str, float]] = [(by, s.said_by("judge") if by in ("judge", "time") else owner)]
    if by == "spasibo" and judge > 0.2:
        ways.append(("judge", s.said_by("judge") + (s.p.other_kind if not s.cue.speaker else 0.0)))
    if by == "judge" and judge < 0.8:
        ways.append(("spasibo", owner + s.p.other_kind))
    for way, weight in ways:
        event = ev.FloorEnded(floor.seat, way)  # type: ignore[arg-type]
        yield Reading((s.move(event),), weight, {"ended": s.cue.span.t1, "awaiting": None})


def _end_of_unheard(s: Sight, by: str) -> Iterator[Reading]:
    """Somebody ends a speech whose beginning nobody heard: the next in order, or who it sounds like."""
    game = s.h.game
    seats = dict.fromkeys(game.waiting[:1])
    if s.cue.speaker:
        likely = max(s.cue.speaker.items(), key=lambda kv: kv[1])[0]
        if isinstance(likely, int) and likely in game.waiting:
            seats[likely] = None
    span = s.before(3_000_000)
    for seat in seats:
        given = s.inferred(ev.FloorGiven(seat, None, "speech"), span, shown=False)
        ended = s.move(ev.FloorEnded(seat, by))  # type: ignore[arg-type]
        weight = s.missing("floor_given") + s.said_by(seat)
        yield Reading((given, ended), weight, {"ended": s.cue.span.t1, "awaiting": None})


def _end_of_unheard_last_word(s: Sight, by: str) -> Iterator[Reading]:
    """The killed ends his last word, and nobody was heard to say that he was killed: his voice tells."""
    game, night = s.h.game, s.h.game.night_state
    if night is None or not night.number:
        return
    due = set(game.last_words)
    for seat, likely in s.cue.speaker.items():
        if not isinstance(seat, int) or likely < VOICE or seat not in (*game.alive, *due):
            continue
        span, cost = s.before(4_000_000), 0.0
        lead: tuple[Move, ...] = ()
        if seat not in due:
            if night.result:
                continue
            result, gone = ev.NightResult(night.number, seat), ev.Eliminated((seat,), "shot")
            lead, cost = (s.inferred(result, span), s.inferred(gone, span)), s.missing("night_result")
        if game.phase is Phase.NIGHT:
            lead, cost = (*lead, s.inferred(ev.DayBegan(), span)), cost + s.missing("day_began")
        given = s.inferred(ev.FloorGiven(seat, None, "last_word"), span, shown=False)
        ended = s.move(ev.FloorEnded(seat, by))  # type: ignore[arg-type]
        weight = cost + s.missing("floor_given") + s.said_by(seat)
        yield Reading((*lead, given, ended), weight, {"ended": s.cue.span.t1})


def _end_of_unheard_morning(s: Sight, by: str) -> Iterator[Reading]:
    """Somebody ends the first speech of a day whose morning nobody heard: who was killed is not known."""
    for seat, likely in s.cue.speaker.items():
        if not isinstance(seat, int) or likely < VOICE or seat not in s.h.game.alive:
            continue
        span = s.before(4_000_000)
        lead = (
            s.inferred(ev.DayBegan(), span),
            s.inferred(ev.FloorGiven(seat, None, "speech"), span, shown=False),
        )
        cost = s.missing("day_began") + s.missing("floor_given")
        cost += s.missing("night_result") if s.h.game.phase is Phase.NIGHT else 0.0
        ended = s.move(ev.FloorEnded(seat, by))  # type: ignore[arg-type]
        yield Reading((*lead, ended), cost + s.said_by(seat), {"ended": s.cue.span.t1})


READERS = {CueKind.FLOOR_END: floor_end}
