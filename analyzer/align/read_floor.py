"""Speeches and nominations: who has the word, how it ends, whom he names, what the judge answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from mafiavar.analyzer.align.hypothesis import Hypothesis, Move, Node
from mafiavar.analyzer.align.reading import (
    DAYTIME,
    Reading,
    Sight,
    close_call,
    close_floor,
    echo_of,
    finish_day,
    log_probability,
    nodes_today,
    open_call,
    recent,
    settle,
)
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.span import Micros, Span
from mafiavar.engine import events as ev
from mafiavar.engine.state import Floor, Phase

_MISMATCH = math.log(0.08)
_MOST_UNHEARD = 4
_SWAPPED = 1_500_000
_SHORTEST_SPEECH = 1_500_000
_ROOM_FOR_TWO = 12_000_000
"""In less than this two people have not both had a word."""
_NOT_SAID = math.log(0.3)
_WRONG_REASON = math.log(0.3)
"""A judge who refuses with a reason seldom gives a false one."""
_SHORTEST_NIGHT = 25_000_000
_VOICE = 0.4
"""How sure a voice must be to tell by itself who had the word."""
_DEAD_SPEECH = 5.0
"""How much likelier a lost nomination is in a speech of which long nothing was heard."""


# --- the floor


def floor(s: Sight) -> Iterator[Reading]:
    """«Игрок номер пять, ваша минута» in all its purposes."""
    game = s.h.game
    values = (
        s.numerals(favoured=_favoured(s)) if s.cue.numbers else [(n, 0.0) for n in _due_without_number(s)]
    )
    if open_call(s.h) is None:
        for seat, weight in values:
            yield from _give(s, seat, weight)
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


def _give(s: Sight, seat: int, weight: float) -> Iterator[Reading]:
    said = s.cue.detail.get("purpose")
    for purpose, cost in _purposes(s, seat, str(said) if said else None):
        moves, more = close_floor(s)
        calls, even_more = close_call(s)
        seconds = s.cue.detail.get("seconds")
        limit = _limit(s, seat, purpose)
        event = ev.FloorGiven(seat, float(seconds) if isinstance(seconds, int | float) else limit, purpose)
        lead, lead_cost = _unannounced(s, seat, purpose)
        total = weight + cost + more + even_more + settle(s) + lead_cost + s.said_by("judge")
        yield Reading((*moves, *calls, *lead, s.move(_whole(event))), total)
        if purpose == "speech" and (unheard := _unheard_speakers(s, seat)) is not None:
            yield Reading((*moves, *calls, *unheard[0], s.move(_whole(event))), total + unheard[1])
        if purpose == "speech" and (opened := _unheard_opener(s, seat)) is not None:
            yield Reading((*moves, *calls, *opened[0], s.move(_whole(event))), total + opened[1])
        if purpose == "speech" and (past := _killed_unheard(s, seat)) is not None:
            yield Reading((*moves, *calls, s.move(_whole(event))), total + past.weight, edit=past.edit)


def _after_unheard_night(s: Sight, seat: int, weight: float) -> Iterator[Reading]:
    """A speech of the next day, after an evening and a night of which nothing was heard."""
    game, last = s.h.game, s.h.trail.move.span.t1 if s.h.trail else 0
    evening = game.phase in (Phase.VOTE, Phase.LIFT, Phase.TIE, Phase.EVENING)
    if not evening or s.cue.span.t0 - last < _SHORTEST_NIGHT or seat not in game.alive:
        return
    lead, cost = finish_day(s)
    moves = [
        *lead,
        s.inferred(ev.NightBegan(game.day), s.before(_SHORTEST_NIGHT)),
        s.inferred(ev.DayBegan(), s.before(2_000_000)),
    ]
    night = s.p.missing["night_began"] + s.p.missing["night_result"] + s.p.missing["day_began"]
    cost += night * (s.p.in_silence if s.silent_within(last, s.cue.span.t0) else 1.0)
    for move in moves:
        game = s.referee.apply(game, move.event)[0]
    skipped = game.waiting[: game.waiting.index(seat)] if seat in game.waiting else ()
    if len(skipped) > _MOST_UNHEARD:
        return
    for other in skipped:
        moves += [
            s.inferred(ev.FloorGiven(other, None, "speech"), s.before(1_500_000), shown=False),
            s.inferred(ev.FloorEnded(other, None), s.before(1_000_000), shown=False),
        ]
        cost += s.missing("floor_given") + s.missing("floor_ended") / 2
    given = ev.FloorGiven(seat, game.rules.speech_seconds, "speech")
    yield Reading((*moves, s.move(_whole(given))), weight + cost + s.said_by("judge"))


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
    return Reading(weight=s.p.missing["night_result"], edit=lambda h: s.referee.insert(h, began, moves))


def _unheard_speakers(s: Sight, seat: int) -> tuple[tuple[Move, ...], float] | None:
    """Speeches (and a morning) nobody heard, that must lie between the last move and this floor; None
    when the order needs none or there was no time for them."""
    game, moves, cost = s.h.game, list[Move](), 0.0
    if game.phase in (Phase.NIGHT, Phase.FIRST_NIGHT):
        moves.append(s.inferred(ev.DayBegan(), s.before(2_000_000)))
        cost += s.missing("day_began")
        game = s.referee.apply(game, moves[0].event)[0]
    waiting = game.waiting
    if seat not in waiting:
        return (tuple(moves), cost) if moves else None
    skipped = waiting[: waiting.index(seat)]
    last = s.h.trail.move.span.t1 if s.h.trail else 0
    if len(skipped) > _MOST_UNHEARD or s.cue.span.t0 - last < len(skipped) * _SHORTEST_SPEECH:
        return None
    for other in skipped:
        given = ev.FloorGiven(other, None, "speech")
        moves += [
            s.inferred(given, s.before(1_500_000), shown=False),
            s.inferred(ev.FloorEnded(other, None), s.before(1_000_000), shown=False),
        ]
        # The speech and its end were lost together as a rule (a dead minute), so the end costs less.
        cost += s.missing("floor_given") + s.missing("floor_ended") / 2
    return (tuple(moves), cost) if moves else None


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
        cost = s.missing("night_result")
        if game.phase is Phase.NIGHT and purpose == "last_word":
            return (*moves, s.inferred(ev.DayBegan(), span)), cost + s.missing("day_began")
        return moves, cost
    if game.phase in (Phase.VOTE, Phase.LIFT):
        seats = game.lift.candidates if game.phase is Phase.LIFT and game.lift else (seat,)
        return (s.inferred(ev.Eliminated(seats, "vote"), span),), s.missing("eliminated")
    return (), 0.0


def floor_end(s: Sight) -> Iterator[Reading]:
    """«Пас», «спасибо», «время»: the end of a speech; in a ballot «спасибо» is the judge's stop."""
    game = s.h.game
    by = str(s.cue.detail.get("by") or "spasibo")
    judge = s.cue.said_by("judge") if s.cue.speaker else 0.5
    if game.floor is not None:
        yield from _end(s, game.floor, by, judge)
        if by in ("pas", "spasibo") and (turn := _unheard_turn(s)) is not None:
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
        if not isinstance(seat, int) or likely < _VOICE or seat not in (*game.alive, *due):
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
        if not isinstance(seat, int) or likely < _VOICE or seat not in s.h.game.alive:
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


# --- nominations


def nomination(s: Sight) -> Iterator[Reading]:
    """A player names a candidate; accepted or not by the rules, until the judge's answer says more."""
    tense = str(s.cue.detail.get("tense") or "present")
    if tense in ("conditional", "past", "negated"):
        yield Reading()
        return
    for seat, lead, cost in _nominators(s):
        yield from _named(s, seat, lead, cost, tense)


def _nominators(s: Sight) -> Iterator[tuple[int, tuple[Move, ...], float]]:
    """Who names: the owner of the floor; without one the next in order, or who it sounds like."""
    game = s.h.game
    if game.floor is not None:
        if game.floor.purpose == "speech":
            yield game.floor.seat, (), s.said_by(game.floor.seat)
        if (turn := _unheard_turn(s)) is not None:
            yield turn
        return
    if game.phase not in (Phase.DAY, Phase.BEFORE):
        return
    seats: dict[int, None] = dict.fromkeys(game.waiting[:1])
    if s.cue.speaker:
        likely = max(s.cue.speaker.items(), key=lambda kv: kv[1])[0]
        if isinstance(likely, int) and likely in game.alive:
            seats[likely] = None
    if recent(s.h.context.ended, s.cue, s.p.echo_time) and game.spoken:
        seats[game.spoken[-1]] = None
    for seat in seats:
        if seat in game.spoken:
            yield seat, (), s.said_by(seat) + math.log(0.1)
        else:
            given = s.inferred(ev.FloorGiven(seat, None, "speech"), s.before(5_000_000), shown=False)
            yield seat, (given,), s.said_by(seat) + s.missing("floor_given")


def _unheard_turn(s: Sight) -> tuple[int, tuple[Move, ...], float] | None:
    """The voice of somebody still to come, though another has the word: the change of speakers went
    unheard."""
    game = s.h.game
    if game.phase is not Phase.DAY or game.floor is None or not s.cue.speaker:
        return None
    seat, likely = max(s.cue.speaker.items(), key=lambda kv: kv[1])
    if not isinstance(seat, int) or likely < _VOICE or seat == game.floor.seat or seat not in game.waiting:
        return None
    closing, cost = close_floor(s)
    given = s.inferred(ev.FloorGiven(seat, None, "speech"), s.before(5_000_000), shown=False)
    return seat, (*closing, given), cost + s.missing("floor_given") + s.said_by(seat)


def refusal(h: Hypothesis, seat: int, target: int, tense: str) -> str | None:
    """Why the rules do not let the judge accept; None when he must."""
    game = h.game
    if tense != "present":
        return "tense"
    if target not in game.alive:
        return "dead"
    if target in game.candidates:
        return "already_nominated"
    if sum(n.seat == seat for n in game.nominations) >= game.rules.nominations_per_day:
        return "second"
    return None


def _named(s: Sight, seat: int, lead: tuple[Move, ...], cost: float, tense: str) -> Iterator[Reading]:
    if len(s.cue.numbers) > 1:
        yield from _series(s, seat, lead, cost, tense)
        return
    t = s.cue.span.t1
    for target, p in s.numerals():
        reason = refusal(s.h, seat, target, tense)
        weight = cost + p
        yield Reading(
            (*lead, s.move(ev.Nominated(seat, target, False, reason or "not_accepted"))),
            weight + (0.0 if reason else s.p.table["refused_though_right"]),
            {"refused": (seat, target, t)},
        )
        # The silence of the judge is paid for at once and given back when «принято» comes.
        accepted = ev.Nominated(seat, target, True, "tense" if reason == "tense" else None)
        yield Reading(
            (*lead, s.move(accepted)),
            weight + s.missing("answer"),
            {"awaiting": (seat, target, t), "refused": None},
        )


def _series(s: Sight, seat: int, lead: tuple[Move, ...], cost: float, tense: str) -> Iterator[Reading]:
    """«Выставляю два, три, четыре»: the first that can be accepted is."""
    moves, taken, weight = list(lead), None, cost
    for i in range(len(s.cue.numbers)):
        target, p = s.numerals(i)[0]
        weight += p
        reason = refusal(s.h, seat, target, tense) or ("second" if taken else None)
        moves.append(s.move(ev.Nominated(seat, target, reason is None, reason)))
        taken = taken or (target if reason is None else None)
    awaiting = (seat, taken, s.cue.span.t1) if taken else None
    yield Reading(tuple(moves), weight + (s.missing("answer") if taken else 0.0), {"awaiting": awaiting})


def accepted(s: Sight) -> Iterator[Reading]:
    """«Принято»: answers the nomination that waits; else tells of one nobody heard."""
    game, awaiting = s.h.game, s.h.context.awaiting
    judge = s.said_by("judge")
    if awaiting and recent(awaiting[2], s.cue, s.p.answer_time):
        said = dict(s.numerals(favoured=[awaiting[1]])).get(awaiting[1], 0.0) if s.cue.numbers else 0.0
        paced = s.p.paced("nominated", "answer", s.cue.span.t0 - awaiting[2])
        yield Reading(weight=said - s.missing("answer") + judge + paced, context={"awaiting": None})
    elif (
        game.floor is not None and game.floor.purpose == "speech" and game.phase in (Phase.DAY, Phase.BEFORE)
    ):
        span = Span(max(0, s.cue.span.t0 - 1_300_000), max(0, s.cue.span.t0 - 300_000))
        seat = game.floor.seat
        for target, p in s.numerals():
            cost = p + s.missing("nomination") + judge
            if refusal(s.h, seat, target, "present"):
                cost += s.p.table["refused_though_right"]
            move = Move(ev.Nominated(seat, target, True), span, s.index, "inferred")
            yield Reading((move,), cost)
        if not s.cue.numbers:
            yield Reading(
                weight=s.missing("nomination") + judge, context={"accepted_blank": (seat, s.cue.span.t0)}
            )
    if game.phase is Phase.NIGHT or echo_of(s, "best_move"):
        yield Reading()


def refused(s: Sight) -> Iterator[Reading]:
    """«Уже выставлен», «не принято»."""
    last = s.h.context.refused
    if last is None or not recent(last[2], s.cue, s.p.answer_time):
        return
    weight = s.said_by("judge") + s.p.paced("nominated", "answer", s.cue.span.t0 - last[2])
    node, given = s.h.last("nominated"), s.cue.detail.get("reason")
    event = node.move.event if node else None
    if isinstance(event, ev.Nominated) and event.reason == "not_accepted":
        # The judge says so: the refusal is his act, not a silence; what it cost stays. Unless the
        # player had been nominated before, and nobody heard it.
        mistaken = _WRONG_REASON if given == "already_nominated" else 0.0
        yield Reading(weight=weight + mistaken, context={"refused": None})
        earlier = _unheard(s, (event.target,), event.target, {event.seat})
        if earlier is not None and given in (None, "already_nominated"):
            at, move, _, cost = earlier
            cost -= s.p.table["refused_though_right"] + (0.0 if given else _NOT_SAID)
            yield Reading(
                weight=weight + cost,
                context={"refused": None},
                edit=lambda h: s.referee.insert(h, at, (move,)),
            )
        return
    if isinstance(event, ev.Nominated) and given and given != event.reason:
        weight += math.log(0.4)
    yield Reading(weight=weight, context={"refused": None})


def withdrawal(s: Sight) -> Iterator[Reading]:
    """«Отзываю пятого»: where the rules know it."""
    game = s.h.game
    if game.floor is None or not game.nominations:
        return
    seat = game.floor.seat
    mine = [n.target for n in game.nominations if n.seat == seat]
    for target, p in s.numerals(favoured=mine) or [(t, 0.0) for t in mine[-1:]]:
        if target in mine:
            yield Reading((s.move(ev.NominationWithdrawn(seat, target)),), p + s.said_by(seat))


def silent(_s: Sight) -> Iterator[Reading]:
    """Cues that state no event: warnings of time, questions, hints, sounds."""
    yield Reading()


# --- nominations that only the list of candidates tells of


def unheard_nominations(s: Sight, heard: tuple[int, ...]) -> Reading | None:
    """An edit of the past that makes the day's nominations equal to the list the judge read out.

    A candidate that is not among the nominations was named by a speaker of the stretch between his
    neighbours in the list who has no nomination yet: where a nomination was heard and disbelieved,
    there; one that was heard as another number is changed. None when the past cannot be made to agree.
    """
    known = s.h.game.candidates
    missing = [c for c in heard if c not in known]
    extra = [c for c in known if c not in heard]
    if (not missing and not extra) or len(missing) > _MOST_UNHEARD:
        return None
    plan: list[tuple[Node, Move | None, bool]] = []
    weight = 0.0
    taken: set[int] = set()
    for target in missing:
        step = (
            _misheard_for(s, target, extra)
            or _disbelieved(s, target, taken)
            or _unheard(s, heard, target, taken)
        )
        if step is None:
            continue
        node, move, swap, cost = step
        if swap:
            extra.remove(node.move.event.target)  # type: ignore[attr-defined]
        taken.add(move.event.seat)  # type: ignore[attr-defined]
        plan.append((node, move, swap))
        weight += cost
    for target in extra:
        false = _nomination_of(s.h, target)
        if false is not None and false.move.cue >= 0:
            true = min(s.cues[false.move.cue].likelihood, s.p.trust)
            plan.append((false, None, False))
            weight += math.log1p(-true) - math.log(max(true, 1e-4))
    if not plan:
        return None

    def edit(h: Hypothesis) -> Hypothesis:
        for node, move, swap in sorted(plan, key=lambda x: -x[0].length):
            if move is None:
                h = s.referee.remove(h, node)
            else:
                h = s.referee.substitute(h, node, move) if swap else s.referee.insert(h, node, (move,))
        return h

    return Reading(weight=weight, edit=edit)


Step = tuple[Node, Move, bool, float]
"""(node, move, does the move replace the node?, weight)"""


def unlisted(s: Sight, target: int, uncalled: Sequence[int] = ()) -> Iterator[Reading]:
    """Edits of the past for a candidate who is called although nobody listed him: his nomination is
    put where it was heard and disbelieved, or where it may have been lost, or in the place of one
    that has not been called (`uncalled`); a running vote gets the list that follows from it."""
    if target not in s.h.game.alive or target in s.h.game.candidates:
        return
    known = (*s.h.game.candidates, target)
    steps = (
        _disbelieved(s, target, set()) or _unheard(s, known, target, set()),
        _misheard_for(s, target, uncalled),
    )
    for step in steps:
        if step is not None:
            yield Reading(weight=step[3], edit=_listed(s, step))


def _listed(s: Sight, step: Step) -> Callable[[Hypothesis], Hypothesis]:
    node, move, swap, _ = step

    def edit(h: Hypothesis) -> Hypothesis:
        h = s.referee.substitute(h, node, move) if swap else s.referee.insert(h, node, (move,))
        opened = h.last("vote_opened")
        if opened is None or h.game.vote is None or opened.before is None:
            return h
        event = opened.move.event
        if not isinstance(event, ev.VoteOpened) or event.round != 1:
            return h
        listed = replace(event, candidates=opened.before.game.candidates)
        return s.referee.substitute(h, opened, replace(opened.move, event=listed))

    return edit


def _misheard_for(s: Sight, target: int, extra: Sequence[int]) -> Step | None:
    """A nomination heard as a number that the list does not have, in the place of `target`."""
    for other in extra:
        node = _nomination_of(s.h, other)
        if node is None or not isinstance(node.move.event, ev.Nominated) or node.move.cue < 0:
            continue
        numbers = s.cues[node.move.cue].numbers
        if not numbers:
            continue
        changed = log_probability(numbers[0], target, s.p) - log_probability(numbers[0], other, s.p)
        event = replace(node.move.event, target=target)
        return node, replace(node.move, event=event), True, changed
    return None


def _disbelieved(s: Sight, target: int, taken: set[int]) -> Step | None:
    """A nomination that was heard, but taken for a mistake until the list named it."""
    used = {n.move.cue for n in nodes_today(s.h)}
    nominators = {n.seat for n in s.h.game.nominations} | taken
    floors = [n for n in nodes_today(s.h) if isinstance(n.move.event, ev.FloorGiven)]
    best: Step | None = None
    for i in range(s.index - 1, -1, -1):
        cue = s.cues[i]
        if floors and cue.span.t0 < floors[-1].move.span.t0:
            break
        if cue.kind is not CueKind.NOMINATION or i in used or not cue.numbers:
            continue
        if str(cue.detail.get("tense") or "present") != "present":
            continue
        owner = next((n for n in floors if n.move.span.t0 <= cue.span.t0), None)
        if owner is None or owner.move.event.seat in nominators:  # type: ignore[attr-defined]
            continue
        true = min(cue.likelihood, s.p.trust)
        weight = (
            math.log(max(true, 1e-4)) - math.log1p(-true) + log_probability(cue.numbers[0], target, s.p)
            + s.missing("answer")
        )  # fmt: skip
        seat = int(owner.move.event.seat)  # type: ignore[attr-defined]
        move = Move(ev.Nominated(seat, target, True), cue.span, i)
        if best is None or weight > best[3]:
            best = (owner, move, False, weight)
    return best if best is not None and best[3] > s.missing("nomination") + s.missing("answer") else None


def _unheard(s: Sight, heard: tuple[int, ...], target: int, taken: set[int]) -> Step | None:
    """A nomination of which nothing was heard, or only the judge's «принято»."""
    options = _places_for(s, heard, target, taken)
    for node, seat in options:
        answer = _answer_in(s, node)
        if answer is not None:
            # What it cost that the answer stood alone has been paid when it was heard.
            t = max(answer - 1_000_000, node.move.span.t1)
            return node, Move(ev.Nominated(seat, target, True), Span(t, t), -1, "inferred"), False, 0.0
    if not options:
        return None
    # Without a hint any of these speakers may have named him: which one stays a guess, and its share
    # says so. That somebody did is paid for once.
    ends = [min((n.move.span.t0 for n in _after(s.h, node)), default=s.cue.span.t0) for node, _ in options]
    dead = [s.silent_within(n.move.span.t0, end) for (n, _), end in zip(options, ends, strict=True)]
    weights = [_DEAD_SPEECH if d else 1.0 for d in dead]
    best = max(range(len(options)), key=lambda i: (weights[i], i))
    node, seat = options[best]
    t = min(node.move.span.t1 + 2_000_000, s.cue.span.t0)
    share = weights[best] / sum(weights)
    move = Move(ev.Nominated(seat, target, True), Span(t, t), -1, "inferred", share=share)
    lost = s.p.missing["nomination"] + s.p.missing["answer"]
    return node, move, False, lost * (s.p.in_silence if dead[best] else 1.0)


def _answer_in(s: Sight, floor_node: Node) -> Micros | None:
    """When «принято» was said in a speech of which no nomination is known."""
    end = next((n.move.span.t0 for n in _after(s.h, floor_node)), s.cue.span.t0)
    for i in range(s.index - 1, -1, -1):
        cue = s.cues[i]
        if cue.span.t0 < floor_node.move.span.t1:
            return None
        if cue.kind is CueKind.ACCEPTED and cue.span.t0 <= end and cue.likelihood >= 0.5:
            return cue.span.t0
    return None


def _after(h: Hypothesis, node: Node) -> list[Node]:
    """The next floor, vote or night after a node, as a list of one or none."""
    later = [
        n
        for n in nodes_today(h)
        if n.length > node.length and n.move.event.kind in ("floor_given", "vote_opened")
    ]
    return later[-1:]


def _nomination_of(h: Hypothesis, target: int) -> Node | None:
    for node in nodes_today(h):
        event = node.move.event
        if isinstance(event, ev.Nominated) and event.accepted and event.target == target:
            return node
    return None


def _places_for(s: Sight, heard: tuple[int, ...], target: int, taken: set[int]) -> list[tuple[Node, int]]:
    """(floor after whose beginning the nomination may go, its owner), the latest first."""
    at = heard.index(target)
    after = next((n for c in heard[:at][::-1] if (n := _nomination_of(s.h, c))), None)
    before = next((n for c in heard[at + 1 :] if (n := _nomination_of(s.h, c))), None)
    nominators = {n.seat for n in s.h.game.nominations} | taken
    options: list[tuple[Node, int]] = []
    for node in nodes_today(s.h):
        event = node.move.event
        if not isinstance(event, ev.FloorGiven) or event.purpose != "speech" or event.seat in nominators:
            continue
        if (after and node.length < after.length) or (before and node.length > before.length):
            continue
        options.append((node, event.seat))
    return options


READERS = {
    CueKind.FLOOR: floor,
    CueKind.FLOOR_END: floor_end,
    CueKind.NOMINATION: nomination,
    CueKind.ACCEPTED: accepted,
    CueKind.REFUSED: refused,
    CueKind.WITHDRAWAL: withdrawal,
    CueKind.WITHDRAWAL_ACCEPTED: silent,
}

__all__ = ["DAYTIME", "READERS", "refusal", "silent", "unheard_nominations"]
