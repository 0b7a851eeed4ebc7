"""Nominations: whom a player names, and what the judge answers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from mafiavar.analyzer.align.hypothesis import Hypothesis, Move
from mafiavar.analyzer.align.past_nominations import unheard_nomination
from mafiavar.analyzer.align.reading import Reading, Sight, echo_of, recent, silent, unheard_turn
from mafiavar.analyzer.align.unheard_night import by_voice
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.span import Span
from mafiavar.engine import events as ev
from mafiavar.engine.state import Phase

_NOT_SAID = math.log(0.3)
_WRONG_REASON = math.log(0.3)
"""A judge who refuses with a reason seldom gives a false one."""


def nomination(s: Sight) -> Iterator[Reading]:
    """A player names a candidate; accepted or not by the rules, until the judge's answer says more."""
    tense = str(s.cue.detail.get("tense") or "present")
    if tense in ("conditional", "past", "negated"):
        yield Reading()
        return
    for seat, lead, cost in _nominators(s):
        yield from _named(s, seat, lead, cost, tense)
    for seat, (lead, cost) in by_voice(s):
        yield from _named(replace(s, h=s.referee.follow(s.h, lead)), seat, lead, cost, tense)


def _nominators(s: Sight) -> Iterator[tuple[int, tuple[Move, ...], float]]:
    """Who names: the owner of the floor; without one the next in order, or who it sounds like."""
    game = s.h.game
    if game.floor is not None:
        if game.floor.purpose == "speech":
            yield game.floor.seat, (), s.said_by(game.floor.seat)
        if (turn := unheard_turn(s)) is not None:
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
    for target, p in s.numerals(favoured=_likeliest(s), most=2):
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


def _likeliest(s: Sight) -> list[int]:
    """Those whom one may name, the likeliest by the number that was heard: what the rules exclude must not
    take the place of what may really have been said."""
    game, numeral = s.h.game, s.cue.numbers[0] if s.cue.numbers else {}
    free = [n for n in game.alive if n not in game.candidates]
    return sorted(free, key=lambda n: (-numeral.get(n, 0.0), n))[: s.p.numerals]


def _series(s: Sight, seat: int, lead: tuple[Move, ...], cost: float, tense: str) -> Iterator[Reading]:
    """«Выставляю два, три, четыре»: the first that can be accepted is."""
    rest = [s.numerals(i)[0] for i in range(1, len(s.cue.numbers))]
    for first in s.numerals(favoured=_likeliest(s), most=2):
        moves, taken, weight = list(lead), None, cost
        for target, p in (first, *rest):
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
        earlier = unheard_nomination(s, (event.target,), event.target, {event.seat})
        if earlier is not None and given in (None, "already_nominated"):
            at, move, _, cost = earlier
            # Whom the lost nomination named is no guess: it is the one just refused.
            cost -= s.p.by_chance + s.p.table["refused_though_right"] + (0.0 if given else _NOT_SAID)
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


READERS = {
    CueKind.NOMINATION: nomination,
    CueKind.ACCEPTED: accepted,
    CueKind.REFUSED: refused,
    CueKind.WITHDRAWAL: withdrawal,
    CueKind.WITHDRAWAL_ACCEPTED: silent,
}
