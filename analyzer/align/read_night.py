"""Phases and nights: dusk, hunt, who was killed, the best move, morning, the end."""

from __future__ import annotations

import math
from collections.abc import Iterator

from mafiavar.analyzer.align.hypothesis import Move
from mafiavar.analyzer.align.reading import (
    DAYTIME,
    Reading,
    Sight,
    close_floor,
    echo_of,
    finish_day,
    recent,
)
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.span import Span
from mafiavar.engine import events as ev
from mafiavar.engine.state import Phase

_UNLIKELY = math.log(0.05)
_MUSIC_BY_DAY = math.log(0.2)
_NIGHT_MUSIC = 12_000_000
"""A jingle is shorter."""


def game_start(s: Sight) -> Iterator[Reading]:
    if s.h.game.phase is Phase.BEFORE and not s.h.game.unknown_past:
        yield Reading((s.move(ev.GameStarted()),), s.said_by("judge"))


def night(s: Sight) -> Iterator[Reading]:
    """«Наступает ночь»."""
    game, judge = s.h.game, s.said_by("judge")
    if game.phase is Phase.BEFORE:
        if game.unknown_past:
            # Few of a game's words call a night: that the very first ones do speaks for its beginning.
            yield Reading((s.move(ev.NightBegan(game.day)),), judge + s.p.table["excerpt_at_night"])
            return
        started = () if s.h.last("game_started") else (s.move(ev.GameStarted()),)
        yield Reading((*started, s.move(ev.NightBegan(0))), judge)
    elif game.phase in DAYTIME:
        moves, cost = finish_day(s)
        yield Reading((*moves, s.move(ev.NightBegan(game.day))), cost + judge, {"awaiting": None})
    elif game.phase in (Phase.NIGHT, Phase.FIRST_NIGHT):
        yield Reading(weight=judge + (s.p.echo if echo_of(s, "night_began") else math.log(0.1)))


def into_night(s: Sight) -> tuple[tuple[Move, ...], float] | None:
    """A night nobody announced, when something of it is heard by day; None where none can be."""
    game = s.h.game
    if game.phase is Phase.NIGHT:
        return (), 0.0
    if game.phase in DAYTIME:
        moves, cost = finish_day(s)
        return (*moves, s.inferred(ev.NightBegan(game.day), s.before(4_000_000))), cost + s.missing(
            "night_began"
        )
    if game.phase is Phase.BEFORE and game.unknown_past:
        return (), 0.0
    return None


def negotiation(s: Sight) -> Iterator[Reading]:
    yield from _first_night(s, ev.NegotiationBegan())


def negotiation_end(s: Sight) -> Iterator[Reading]:
    yield from _first_night(s, ev.NegotiationEnded())
    if s.h.game.phase is Phase.NIGHT:
        yield Reading(weight=s.said_by("judge"))


def free_seating(s: Sight) -> Iterator[Reading]:
    yield from _first_night(s, ev.FreeSeatingBegan())


def _first_night(s: Sight, event: ev.Event) -> Iterator[Reading]:
    game, judge = s.h.game, s.said_by("judge")
    if game.phase is Phase.FIRST_NIGHT:
        if s.h.last(event.kind) is not None:
            yield Reading(weight=judge + s.p.echo)
        else:
            yield Reading((s.move(event),), judge)
    elif (lead := _into_first_night(s)) is not None:
        yield Reading((*lead[0], s.move(event)), judge + lead[1])


def _into_first_night(s: Sight) -> tuple[tuple[Move, ...], float] | None:
    """The beginning of a game, when something of its first night is the first thing heard."""
    if s.h.game.phase is not Phase.BEFORE or s.h.game.unknown_past:
        return None
    span = s.before(3_000_000)
    lead = (
        s.inferred(ev.GameStarted(), span, shown=False),
        s.inferred(ev.NightBegan(0), span, shown=False),
    )
    return lead, s.missing("game_started")


def role_shows(s: Sight) -> Iterator[Reading]:
    """«Дон, покажите себя»: only the first night knows it; states no event of the vocabulary."""
    phase, lead = s.h.game.phase, _into_first_night(s)
    if phase is Phase.FIRST_NIGHT:
        yield Reading(weight=s.said_by("judge"))
    elif lead is not None:
        yield Reading(lead[0], s.said_by("judge") + lead[1])
    elif phase is Phase.NIGHT:
        yield Reading(weight=s.said_by("judge") + s.p.other_kind)


def free_or_first(s: Sight) -> Iterator[Reading]:
    """What is said at night and makes no event: «дон засыпает», «мафия удаляется»."""
    if s.h.game.phase is Phase.FIRST_NIGHT:
        yield Reading(weight=s.said_by("judge"))
        return
    first = _into_first_night(s) if s.cue.kind in _WAKINGS else None
    if first is not None:
        yield Reading(first[0], first[1] + s.said_by("judge"))
    lead = into_night(s)
    if lead is not None:
        shot, cost = _hunt_unheard(s, lead[0])
        yield Reading((*lead[0], *shot), lead[1] + cost + s.said_by("judge"))


_WAKINGS = frozenset({CueKind.DON_WAKES, CueKind.DON_SLEEPS, CueKind.SHERIFF_WAKES, CueKind.SHERIFF_SLEEPS})
"""Said in the first night, too: don and sheriff look at the table."""
_AFTER_HUNT = frozenset(
    {CueKind.SHOOTING_NUMBER, CueKind.SHOOTING_END, CueKind.DON_WAKES, CueKind.DON_SLEEPS}
)


def _hunt_unheard(s: Sight, lead: tuple[Move, ...]) -> tuple[tuple[Move, ...], float]:
    """The call to shoot, lost under the night's music, when what can only follow it is heard (4.6.3)."""
    game, state = s.h.game, s.h.game.night_state
    if s.cue.kind not in _AFTER_HUNT or game.unknown_past:
        return (), 0.0
    tonight = game.phase is Phase.NIGHT and not lead
    if tonight and (state is None or state.shooting or state.result or not state.number):
        return (), 0.0
    number = state.number if tonight and state is not None else game.day
    back = 2_000_000 if s.cue.kind is CueKind.SHOOTING_NUMBER else 8_000_000
    return (s.inferred(ev.ShootingBegan(number), s.before(back)),), s.missing("shooting_began")


def music(s: Sight) -> Iterator[Reading]:
    """Music is played at night: in the evening a long stretch of it is a night that nobody was heard to
    announce (a stream shows a card then, and its sound is the music's)."""
    game = s.h.game
    evening = game.phase in (Phase.VOTE, Phase.LIFT, Phase.TIE, Phase.EVENING) or (
        game.phase is Phase.DAY and not game.waiting
    )
    yield Reading(weight=_MUSIC_BY_DAY if game.phase in DAYTIME else 0.0)
    if evening and s.cue.span.duration >= _NIGHT_MUSIC:
        moves, cost = finish_day(s)
        began = Move(ev.NightBegan(game.day), Span(s.cue.span.t0, s.cue.span.t0), s.index, "inferred")
        yield Reading((*moves, began), cost, {"awaiting": None})


def day(s: Sight) -> Iterator[Reading]:
    """«Доброе утро»."""
    game, judge = s.h.game, s.said_by("judge")
    began = s.h.last("day_began")
    if began is not None and game.phase is Phase.DAY and recent(began.move.span.t1, s.cue, s.p.morning_time):
        yield Reading(weight=judge + s.p.echo)
        return
    if game.phase in (Phase.NIGHT, Phase.FIRST_NIGHT) or (game.phase is Phase.BEFORE and game.unknown_past):
        moves, cost = close_floor(s)
        yield Reading((*moves, s.move(ev.DayBegan())), judge + cost)
    elif game.phase in DAYTIME:
        lead, cost = finish_day(s)
        dusk = s.inferred(ev.NightBegan(game.day), s.before(20_000_000), shown=False)
        yield Reading((*lead, dusk, s.move(ev.DayBegan())), judge + cost + s.missing("night_began") * 2)
    elif game.phase is Phase.BEFORE:
        span = s.before(1)
        lead = (
            s.inferred(ev.GameStarted(), span, shown=False),
            s.inferred(ev.NightBegan(0), span, shown=False),
        )
        yield Reading((*lead, s.move(ev.DayBegan())), judge + s.missing("game_started") * 2)


def killed(s: Sight) -> Iterator[Reading]:
    """«Убит игрок номер три»."""
    yield from _result(s, s.numerals())


def miss(s: Sight) -> Iterator[Reading]:
    """«Этой ночью никто не убит»."""
    yield from _result(s, [(None, 0.0)])


def _result(s: Sight, values: list[tuple[int, float]] | list[tuple[None, float]]) -> Iterator[Reading]:
    game, judge = s.h.game, s.said_by("judge")
    state = game.night_state
    morning = game.phase is Phase.DAY and not game.spoken and state is not None and state.number > 0
    if state is not None and state.result and (morning or game.phase is Phase.NIGHT):
        for seat, p in values:
            weight = p if seat == state.killed else _UNLIKELY
            yield Reading(weight=weight + judge + s.p.echo)
        return
    lead = ((), 0.0) if morning else into_night(s)
    if lead is None:
        return
    number = state.number if state is not None and (morning or game.phase is Phase.NIGHT) else game.day
    for seat, p in values:
        moves: tuple[Move, ...] = (s.move(ev.NightResult(number, seat)),)
        if seat is not None:
            moves = (*moves, s.move(ev.Eliminated((seat,), "shot")))
        yield Reading((*lead[0], *moves), p + lead[1] + judge)


def shooting(s: Sight) -> Iterator[Reading]:
    """«Мафия выходит на охоту»."""
    lead = into_night(s)
    if lead is None:
        return
    state = s.h.game.night_state
    if state is not None and state.shooting and not lead[0]:
        yield Reading(weight=s.said_by("judge") + s.p.echo)
        return
    game = s.h.game
    number = state.number if state is not None and game.phase is Phase.NIGHT else game.day
    yield Reading((*lead[0], s.move(ev.ShootingBegan(number))), lead[1] + s.said_by("judge"))


def best_move(s: Sight) -> Iterator[Reading]:
    """The three numbers of the killed; ends his word, as the judge takes it."""
    game = s.h.game
    floor = game.floor
    seats = [floor.seat] if floor is not None and floor.purpose == "best_move" else list(game.best_move_for)
    if not seats and game.phase is Phase.NIGHT and game.last_words:
        seats = list(game.last_words[:1])
    targets = tuple(max(n.items(), key=lambda kv: (kv[1], -kv[0]))[0] for n in s.cue.numbers if n)
    weight = sum(max(n.values()) and math.log(max(n.values())) for n in s.cue.numbers if n)
    for seat in seats:
        moves: tuple[Move, ...] = (s.move(ev.BestMove(seat, targets)),)
        if floor is not None and floor.seat == seat:
            moves = (*moves, s.move(ev.FloorEnded(seat, "judge")))
        yield Reading(moves, weight + s.said_by(seat), {"ended": s.cue.span.t1})


def readback(s: Sight) -> Iterator[Reading]:
    """The judge repeats the best move: no event of its own; where the move was not heard, it is told."""
    game = s.h.game
    if s.h.last("best_move") is not None:
        yield Reading(weight=s.said_by("judge"))
        return
    seats = list(game.best_move_for) or list(game.last_words[:1])
    targets = tuple(max(n.items(), key=lambda kv: (kv[1], -kv[0]))[0] for n in s.cue.numbers if n)
    if game.phase is Phase.NIGHT and seats and len(targets) == game.rules.best_move_size:
        span = s.before(2_000_000)
        moves: tuple[Move, ...] = (Move(ev.BestMove(seats[0], targets), span, s.index, "inferred"),)
        if game.floor is not None:
            moves = (*moves, s.inferred(ev.FloorEnded(game.floor.seat, "judge"), span))
        yield Reading(moves, s.said_by("judge") + math.log(0.2))


def protocol_right(s: Sight) -> Iterator[Reading]:
    """«Ваше право на протокол»: to whoever has just had his last word."""
    game = s.h.game
    last = s.h.last("floor_given")
    gone = [x for left in game.left for x in left.seats]
    seats: dict[int, float] = {n: p for n, p in s.numerals() if n in gone}
    if not s.cue.numbers:
        event = last.move.event if last else None
        if isinstance(event, ev.FloorGiven) and event.seat in gone:
            seats = {event.seat: 0.0}
    closing, cost = close_floor(s)
    for seat, p in seats.items():
        given = s.move(ev.FloorGiven(seat, 20, "protocol"))
        yield Reading((*closing, given), p + cost + s.said_by("judge"))


def game_end(s: Sight) -> Iterator[Reading]:
    """«Игра окончена. Победа красных»."""
    game = s.h.game
    said = s.cue.detail.get("winner")
    if game.phase is Phase.OVER:
        same = said is None or said == game.winner
        yield Reading(weight=s.p.echo if same else _UNLIKELY)
        return
    if game.phase is Phase.BEFORE:
        return
    moves, cost = finish_day(s) if game.phase in DAYTIME else close_floor(s)
    winner = said if said in ("red", "black", "draw") else game.decided
    event = ev.GameEnded(winner)  # type: ignore[arg-type]
    yield Reading((*moves, s.move(event)), cost + s.said_by("judge"))


READERS = {
    CueKind.GAME_START: game_start,
    CueKind.NIGHT: night,
    CueKind.NEGOTIATION: negotiation,
    CueKind.NEGOTIATION_END: negotiation_end,
    CueKind.DON_SHOWS: role_shows,
    CueKind.SHERIFF_SHOWS: role_shows,
    CueKind.FREE_SEATING: free_seating,
    CueKind.DAY: day,
    CueKind.MUSIC: music,
    CueKind.SHOOTING: shooting,
    CueKind.SHOOTING_NUMBER: free_or_first,
    CueKind.SHOOTING_END: free_or_first,
    CueKind.DON_WAKES: free_or_first,
    CueKind.DON_SLEEPS: free_or_first,
    CueKind.SHERIFF_WAKES: free_or_first,
    CueKind.SHERIFF_SLEEPS: free_or_first,
    CueKind.KILLED: killed,
    CueKind.MISS: miss,
    CueKind.BEST_MOVE: best_move,
    CueKind.BEST_MOVE_READBACK: readback,
    CueKind.PROTOCOL_RIGHT: protocol_right,
    CueKind.GAME_END: game_end,
}
