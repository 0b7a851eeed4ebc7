"""Who is given the word, for what, and what that tells of things nobody heard."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from mafiavar.analyzer.align.hypothesis import Hypothesis, Move
from mafiavar.analyzer.align.reading import (
    Reading,
    Sight,
    close_call,
    close_floor,
    echo_of,
    log_probability,
    open_call,
    passed_over,
    recent,
    settle,
)
from mafiavar.analyzer.align.unheard_night import unheard_night
from mafiavar.analyzer.cue import CueKind
from mafiavar.engine import events as ev
from mafiavar.engine.state import Phase

_CORRECTED = 4_000_000
"""A judge who has called a seat that left corrects himself within this."""
_MISMATCH = math.log(0.08)
_MOST_UNHEARD = 4
_SHORTEST_SPEECH = 1_500_000
_ROOM_FOR_TWO = 12_000_000
"""In less than this two people have not both had a word."""
_NOT_SAID = math.log(0.3)
_KILLED_TWICE = math.log(0.002)
"""A night has one result: that its number was misheard is far likelier than a second one."""


def floor(s: Sight) -> Iterator[Reading]:
    """«Игрок номер пять, ваша минута» in all its purposes."""
    game = s.h.game
    values = (
        s.numerals(favoured=_favoured(s)) if s.cue.numbers else [(n, 0.0) for n in _due_without_number(s)]
    )
    if open_call(s.h) is None:
        for seat, weight in values:
            yield from give(s, seat, weight)
            if s.cue.detail.get("purpose") in (None, "speech"):
                yield from _after_unheard_night(s, seat, weight)
    if game.floor is not None:
        said = dict(values).get(game.floor.seat)
        if said is not None and echo_of(s, "floor_given"):
            yield Reading(weight=said + s.p.echo)
    if game.phase in (Phase.VOTE, Phase.TIE) and s.cue.numbers and not s.cue.detail.get("purpose"):
        from mafiavar.analyzer.align.read_vote import call_as

        yield from call_as(s, s.p.other_kind)


def _favoured(s: Sight) -> list[int]:
    game = s.h.game
    return [*game.last_words, *game.waiting[:1], *[t for t in game.tie if t not in game.tie_spoken][:1]]


def _due_without_number(s: Sight) -> list[int]:
    """«Ваша минута» without a number goes to whoever has just been told that he leaves, or is next."""
    game = s.h.game
    if game.phase is Phase.NIGHT and game.best_move_for:
        return list(game.best_move_for)
    if game.last_words:
        return list(game.last_words[:1])
    tied = game.phase is Phase.TIE
    waiting = [t for t in game.tie if t not in game.tie_spoken] if tied else list(game.waiting)
    return waiting[:1]


def _corrected(s: Sight, seat: int) -> bool:
    """Did the judge give the word to somebody who has left, and gives it in the next breath to who is due?
    A phrase that was never said seldom stands just before a true one: the correction tells of the slip."""
    floor, given = s.h.game.floor, s.h.last("floor_given")
    if floor is None or given is None or floor.seat in s.h.game.alive or floor.purpose != "speech":
        return False
    return seat in s.h.game.waiting[:1] and recent(given.move.span.t1, s.cue, _CORRECTED)


def give(s: Sight, seat: int, weight: float) -> Iterator[Reading]:
    if _corrected(s, seat):
        floor = s.h.game.floor
        ended = s.inferred(ev.FloorEnded(floor.seat if floor else seat, "judge"), s.before(0), shown=False)
        gain = s.p.table["corrected"] + weight + s.said_by("judge")
        yield Reading((ended, s.move(_given(s, seat, "speech"))), gain, paced=False)
        return
    said = s.cue.detail.get("purpose")
    for purpose, cost in _purposes(s, seat, str(said) if said else None):
        moves, more = close_floor(s)
        calls, even_more = close_call(s)
        event = _given(s, seat, purpose)
        lead, lead_cost = _unannounced(s, seat, purpose)
        total = weight + cost + more + even_more + settle(s) + lead_cost + s.said_by("judge")
        total += _ten_in_mid_game(s, seat, purpose)
        lost = _result_unheard(s) if purpose == "speech" else 0.0
        yield Reading((*moves, *calls, *lead, s.move(event)), total + lost)
        if purpose == "speech" and (unheard := _unheard_speakers(s, seat)) is not None:
            yield Reading((*moves, *calls, *unheard[0], s.move(event)), total + lost + unheard[1])
        if purpose == "speech" and (opened := _unheard_opener(s, seat)) is not None:
            yield Reading((*moves, *calls, *opened[0], s.move(event)), total + lost + opened[1])
        if purpose == "speech" and (past := _killed_unheard(s, seat)) is not None:
            yield Reading((*moves, *calls, s.move(event)), total + past.weight, edit=past.edit)
        if purpose == "last_word" and (past := _killed_misheard(s, seat)) is not None:
            yield Reading((*moves, *calls, s.move(event)), total + past.weight, edit=past.edit)


def _after_unheard_night(s: Sight, seat: int, weight: float) -> Iterator[Reading]:
    """A speech of the next day, after an evening and a night of which nothing was heard."""
    night = unheard_night(s, seat)
    if night is not None:
        given = _whole(ev.FloorGiven(seat, s.h.game.rules.speech_seconds, "speech"))
        yield Reading((*night[0], s.move(given)), weight + night[1] + s.said_by("judge"))


def _killed_unheard(s: Sight, seat: int) -> Reading | None:
    """Nobody was heard to be killed, and this speaker comes where somebody else was due: the order of
    speeches tells who is gone."""
    game, night = s.h.game, s.h.game.night_state
    if game.phase is not Phase.DAY or night is None or not night.number or night.result:
        return None
    waiting = game.waiting
    began = s.h.last("day_began")
    if seat not in waiting[1:2] or began is None:
        return None
    gone, span = waiting[0], began.move.span
    moves = (
        s.inferred(ev.NightResult(night.number, gone), span),
        s.inferred(ev.Eliminated((gone,), "shot"), span),
    )
    # That no result was heard has been paid for with the day's first speech.
    lost = 0.0 if game.spoken else s.p.missing["night_result"]
    return Reading(weight=lost, edit=lambda h: s.referee.insert(h, began, moves))


def _result_unheard(s: Sight) -> float:
    """What it costs that the day's first speech comes and nobody was heard to say who was killed."""
    game, night = s.h.game, s.h.game.night_state
    waits = game.phase is Phase.NIGHT or (game.phase is Phase.DAY and not game.spoken)
    if not waits or night is None or not night.number or night.result:
        return 0.0
    return s.missing("night_result")


def _killed_misheard(s: Sight, seat: int) -> Reading | None:
    """The killed has the first word of the morning (4.8.2): if it goes to somebody else, he may be the killed,
    and his number was heard as another."""
    game, night = s.h.game, s.h.game.night_state
    told = s.h.last("night_result")
    if night is None or not night.result or night.killed in (None, seat) or seat not in game.alive:
        return None
    if told is None or told.move.cue < 0 or (game.spoken and game.phase is Phase.DAY):
        return None
    event, left = told.move.event, s.h.last("eliminated")
    numbers = s.cues[told.move.cue].numbers
    if not isinstance(event, ev.NightResult) or left is None or left.move.cue != told.move.cue or not numbers:
        return None
    killed = replace(told.move, event=replace(event, killed=seat))
    gone = replace(left.move, event=ev.Eliminated((seat,), "shot"))

    def edit(h: Hypothesis) -> Hypothesis:
        h = s.referee.substitute(h, told, killed)
        late = h.last("eliminated")
        return s.referee.substitute(h, late, gone) if late is not None else h

    changed = log_probability(numbers[0], seat, s.p) - log_probability(
        numbers[0], int(night.killed or 0), s.p
    )
    return Reading(weight=changed, edit=edit)


def _unheard_speakers(s: Sight, seat: int) -> tuple[tuple[Move, ...], float] | None:
    """Speeches (and a morning) nobody heard, that must lie between the last move and this floor; None
    when the order needs none or there was no time for them."""
    game, moves, cost = s.h.game, list[Move](), 0.0
    if game.phase in (Phase.NIGHT, Phase.FIRST_NIGHT):
        moves.append(s.inferred(ev.DayBegan(), s.before(2_000_000)))
        cost += s.missing("day_began")
    elif game.phase is Phase.BEFORE and not game.unknown_past:
        # Of the first night nothing was heard.
        moves += [
            s.inferred(ev.GameStarted(), s.before(2_000_001), shown=False),
            s.inferred(ev.NightBegan(0), s.before(2_000_001), shown=False),
            s.inferred(ev.DayBegan(), s.before(2_000_000)),
        ]
        cost += s.missing("game_started") * 2 + s.missing("day_began")
    for move in moves:
        game = s.referee.apply(game, move.event)[0]
    waiting = game.waiting
    if seat not in waiting:
        return (tuple(moves), cost) if moves else None
    skipped = waiting[: waiting.index(seat)]
    last = s.h.trail.move.span.t1 if s.h.trail else 0
    if len(skipped) > _MOST_UNHEARD or s.cue.span.t0 - last < len(skipped) * _SHORTEST_SPEECH:
        return None
    passed, more = passed_over(s, skipped)
    moves += passed
    return (tuple(moves), cost + more) if moves else None


def _unheard_opener(s: Sight, seat: int) -> tuple[tuple[Move, ...], float] | None:
    """Where nobody can know who opens (the recording began in mid-game): the seat before this one may
    have had the first word of the day, unheard."""
    game, moves, cost = s.h.game, list[Move](), 0.0
    if game.phase is Phase.NIGHT:
        moves.append(s.inferred(ev.DayBegan(), s.before(2_000_000)))
        cost += s.missing("day_began")
        game = s.referee.apply(game, moves[0].event)[0]
    if game.phase is not Phase.DAY or game.spoken or game.opener_due is not None or seat not in game.alive:
        return None
    # The end that was heard last may be the unheard speaker's own: the floor before it is what counts.
    given = s.h.last("floor_given")
    if given is not None and s.cue.span.t0 - given.move.span.t1 < _ROOM_FOR_TWO:
        return None
    other = min((a for a in game.alive if a != seat), key=lambda a: (seat - a - 1) % 10, default=None)
    if other is None:
        return None
    moves += [
        s.inferred(ev.FloorGiven(other, None, "speech"), s.before(1_500_000), shown=False),
        s.inferred(ev.FloorEnded(other, None), s.before(1_000_000), shown=False),
    ]
    return tuple(moves), cost + s.missing("floor_given") + s.missing("floor_ended") / 2


def _given(s: Sight, seat: int, purpose: ev.Purpose) -> ev.FloorGiven:
    """With the seconds that were said, else those that the rules give."""
    said = s.cue.detail.get("seconds")
    seconds = float(said) if isinstance(said, int | float) else _limit(s, seat, purpose)
    return _whole(ev.FloorGiven(seat, seconds, purpose))


def _whole(event: ev.FloorGiven) -> ev.FloorGiven:
    """Seconds as an integer where they are one, so that files say 60 and not 60.0."""
    if event.seconds is not None and float(event.seconds).is_integer():
        return replace(event, seconds=int(event.seconds))
    return event


def _limit(s: Sight, seat: int, purpose: ev.Purpose) -> float | None:
    if purpose == "protocol":
        return 20
    limit = s.h.game.limit(seat, purpose)
    return limit or s.h.game.rules.speech_seconds if purpose == "speech" else limit


def _purposes(s: Sight, seat: int, said: str | None) -> Iterator[tuple[ev.Purpose, float]]:
    """Purposes this floor may have, with the weight of what was said for it."""
    game = s.h.game

    def weigh(purpose: str) -> float:
        seconds = s.cue.detail.get("seconds")
        if purpose == "revote" and said != "revote" and isinstance(seconds, int | float) and seconds > 45:
            return _MISMATCH
        if said is None:
            return _NOT_SAID if purpose in ("protocol", "best_move", "last_word") else 0.0
        if said == purpose:
            return 0.0
        # «ваша минута» is said for a speech and for a last word alike.
        return math.log(0.5) if {said, purpose} == {"speech", "last_word"} else _MISMATCH

    if seat in game.last_words:
        yield "last_word", weigh("last_word")
        if game.phase is Phase.NIGHT and (seat in game.best_move_for or said == "best_move"):
            yield "best_move", weigh("best_move")
        return
    if said == "best_move" or (game.phase is Phase.NIGHT and seat in game.best_move_for):
        yield "best_move", weigh("best_move")
        return
    if said == "protocol":
        yield "protocol", 0.0
        return
    if seat not in game.alive:
        yield "speech", weigh("speech")
        return
    verdict = game.verdict()
    tie_open = game.phase is Phase.TIE or (
        game.phase is Phase.VOTE and (verdict is None or verdict.kind in ("revote", "respeech"))
    )
    if tie_open or said == "revote":
        again = game.phase is Phase.TIE and seat in game.tie_spoken
        yield "revote", weigh("revote") + (_MISMATCH if again else 0.0)
    if game.phase in (Phase.DAY, Phase.NIGHT, Phase.FIRST_NIGHT, Phase.BEFORE):
        yield "speech", weigh("speech")
    night = game.night_state
    # By night `spoken` is still that of the day before.
    morning = (
        night is not None
        and night.number > 0
        and (game.phase is Phase.NIGHT or (game.phase is Phase.DAY and not game.spoken))
    )
    if (said == "last_word" or morning) and game.phase is not Phase.FIRST_NIGHT:
        yield "last_word", weigh("last_word")
    elif game.phase in (Phase.VOTE, Phase.LIFT) and said != "revote":
        yield "last_word", weigh("last_word") + (0.0 if said == "last_word" else _NOT_SAID)


def _ten_in_mid_game(s: Sight, seat: int, purpose: str) -> float:
    """What it costs an excerpt that all ten speak on its first day: a recording that begins on a later day
    seldom finds them all at the table, and one that begins during the first has missed some of them."""
    game = s.h.game
    spoken = {*game.spoken}
    if purpose != "speech" or not game.excerpted or seat in spoken or len({*spoken, seat}) < game.rules.seats:
        return 0.0
    return s.p.table["ten_in_mid_game"]


def _unannounced(s: Sight, seat: int, purpose: str) -> tuple[tuple[Move, ...], float]:
    """A last word tells who left when nobody was heard to say it."""
    game = s.h.game
    if purpose not in ("last_word", "best_move") or seat not in game.alive or game.unknown_past:
        return (), 0.0
    span = s.before(2_500_000)
    night = game.night_state
    morning = game.phase is Phase.NIGHT or (game.phase is Phase.DAY and not game.spoken)
    if night is not None and night.number > 0 and morning:
        moves = (
            s.inferred(ev.NightResult(night.number, seat), span),
            s.inferred(ev.Eliminated((seat,), "shot"), span),
        )
        cost = s.missing("night_result") + (_KILLED_TWICE if night.result else 0.0)
        if game.phase is Phase.NIGHT and purpose == "last_word":
            return (*moves, s.inferred(ev.DayBegan(), span)), cost + s.missing("day_began")
        return moves, cost
    if game.phase in (Phase.VOTE, Phase.LIFT):
        seats = game.lift.candidates if game.phase is Phase.LIFT and game.lift else (seat,)
        return (s.inferred(ev.Eliminated(seats, "vote"), span),), s.missing("eliminated")
    return (), 0.0


READERS = {CueKind.FLOOR: floor}
