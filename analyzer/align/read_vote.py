"""Ballots: opening, calls, stops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from mafiavar.analyzer.align.hypothesis import Hypothesis, Move, Node
from mafiavar.analyzer.align.lists import heard_numbers, list_weight, possible_lists
from mafiavar.analyzer.align.past_nominations import unheard_nominations, unlisted
from mafiavar.analyzer.align.reading import (
    Reading,
    Sight,
    close_call,
    close_floor,
    echo_of,
    log_probability,
    open_call,
    recent,
    settle,
    silent,
    uncounted,
)
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.span import SECOND
from mafiavar.engine import events as ev
from mafiavar.engine.state import Phase, Stage

_UNNAMED = -0.4
"""A call whose number was lost: candidates are called in order (4.5.4), so it is the next one."""
_STOP_ECHO = 2_500_000
"""«Стоп, спасибо» in two breaths; later it is the next candidate's."""


# --- opening


def vote_open(s: Sight) -> Iterator[Reading]:
    """«Голосуем: три, пять», «переголосование»: the first ballot of the day or a repeated one."""
    game = s.h.game
    floor, cost = close_floor(s)
    calls, more = close_call(s)
    lead, cost = (*floor, *calls), cost + more + s.said_by("judge")
    if game.phase in (Phase.VOTE, Phase.TIE) and game.vote is not None:
        started = any(c.stage is not Stage.WAITING for c in game.vote.calls)
        if not started and game.phase is Phase.VOTE:
            yield Reading(weight=s.p.echo + list_weight(s, game.vote.candidates))
            yield from _opened_otherwise(s)
            return
        cost += settle(s)
        tied = game.tie or (v.seats if (v := game.verdict()) else ())
        if not tied:
            # The counts are not known: who spoke again, or who is read out, is tied.
            tied = heard_numbers(s) or (game.tie_spoken if game.phase is Phase.TIE else game.vote.candidates)
        yield from _open(s, game.vote.round + 1, tied, lead, cost)
        return
    if game.phase in (Phase.DAY, Phase.BEFORE, Phase.NIGHT):
        yield from _open(s, 1, game.candidates, lead, cost)


def _open(
    s: Sight, round_: int, expected: tuple[int, ...], lead: tuple[Move, ...], cost: float
) -> Iterator[Reading]:
    if expected:
        move = s.move(ev.VoteOpened(round_, expected))
        yield Reading((*lead, move), cost + list_weight(s, expected))
    for heard in possible_lists(s, expected):
        weight = cost + list_weight(s, heard)
        yield Reading((*lead, s.move(ev.VoteOpened(round_, heard))), weight)
        for past in unheard_nominations(s, heard) if round_ == 1 else ():
            yield Reading((*lead, s.move(ev.VoteOpened(round_, heard))), weight + past.weight, edit=past.edit)
    if not heard_numbers(s) and not expected:
        yield Reading((*lead, s.move(ev.VoteOpened(round_, ()))), cost)


def _opened_otherwise(s: Sight) -> Iterator[Reading]:
    """The list comes after the opening words («начинаем голосование», then the numbers) and differs
    from what was taken for granted."""
    node = s.h.last("vote_opened")
    if node is None or not isinstance(node.move.event, ev.VoteOpened):
        return
    for heard in possible_lists(s, node.game.candidates):
        move = replace(node.move, event=ev.VoteOpened(node.move.event.round, heard))
        weight = s.p.echo + list_weight(s, heard)
        yield Reading(weight=weight, edit=_reopened(s, None, node, move))
        for past in unheard_nominations(s, heard) if node.move.event.round == 1 else ():
            yield Reading(weight=weight + past.weight, edit=_reopened(s, past.edit, node, move))


def _reopened(
    s: Sight, edit: Callable[[Hypothesis], Hypothesis] | None, node: Node, move: Move
) -> Callable[[Hypothesis], Hypothesis]:
    """An edit that puts another list in the place of the vote's opening, after `edit`."""

    def both(h: Hypothesis) -> Hypothesis:
        if edit is None:
            return s.referee.substitute(h, node, move)
        h = edit(h)
        opened = h.last("vote_opened")
        return s.referee.substitute(h, opened, move) if opened else h

    return both


# --- calls and stops


def vote_call(s: Sight) -> Iterator[Reading]:
    yield from call_as(s, 0.0)
    if s.h.game.phase in (Phase.DAY, Phase.TIE) and s.cue.numbers:
        from mafiavar.analyzer.align.read_floor import give

        for seat, weight in s.numerals(favoured=s.h.game.waiting[:1]):
            yield from give(s, seat, weight + s.p.other_kind)


def call_as(s: Sight, weight: float) -> Iterator[Reading]:
    """The cue as the call of a candidate."""
    game = s.h.game
    vote, weight = game.vote, weight + s.said_by("judge")
    if game.phase is Phase.VOTE and vote is not None:
        waiting = [c.target for c in vote.calls if c.stage is Stage.WAITING]
        closing, cost = close_call(s)
        cost += uncounted(s)
        skipped = (s.missing("vote_called") + s.missing("vote_announced")) if waiting else 0.0
        for target, p in s.numerals(favoured=waiting[:1]) or [(t, _UNNAMED) for t in waiting[:1]]:
            if target in waiting:
                before = waiting.index(target)
                lead = tuple(
                    s.inferred(ev.VoteCalled(vote.round, t), s.before(SECOND), shown=False)
                    for t in waiting[:before]
                )
                yield Reading(
                    (*closing, *lead, s.move(ev.VoteCalled(vote.round, target))),
                    weight + p + cost + before * skipped,
                )
            elif (call := open_call(s.h)) is not None and call.target == target:
                yield Reading(weight=weight + p + s.p.echo)
            else:
                move = s.move(ev.VoteCalled(vote.round, target))
                yield Reading((*closing, move), weight + p + cost)
                if vote.round == 1:
                    # A list that was read out without him speaks against it; our own guess does not.
                    opened = s.h.last("vote_opened")
                    read = (
                        opened is not None and opened.move.cue >= 0 and bool(s.cues[opened.move.cue].numbers)
                    )
                    slip = s.p.table["series_or_list_slip"] if read else 0.0
                    for past in unlisted(s, target, waiting):
                        gained = weight + p + cost + past.weight + slip
                        yield Reading((*closing, move), gained, edit=past.edit)
        return
    if game.phase in (Phase.DAY, Phase.BEFORE, Phase.TIE):
        floor, cost = close_floor(s)
        round_ = game.vote.round + 1 if game.phase is Phase.TIE and game.vote else 1
        expected = (game.tie or game.tie_spoken) if round_ > 1 else game.candidates
        for target, p in s.numerals(favoured=expected[:1]):
            if target not in expected and game.phase is Phase.DAY and not game.unknown_past:
                yield from _opened_by_unlisted(s, target, weight + p)
                continue
            candidates = expected or (target,)
            opening = s.inferred(ev.VoteOpened(round_, candidates), s.before(3_000_000))
            unheard = candidates[: candidates.index(target)] if target in candidates else ()
            lead = tuple(s.inferred(ev.VoteCalled(round_, t), s.before(SECOND), shown=False) for t in unheard)
            lost = len(unheard) * (s.missing("vote_called") + s.missing("vote_announced"))
            moves = (*floor, opening, *lead, s.move(ev.VoteCalled(round_, target)))
            yield Reading(moves, weight + p + cost + lost + s.missing("vote_opened"))


def _opened_by_unlisted(s: Sight, target: int, weight: float) -> Iterator[Reading]:
    """The first call that is heard, the opening lost, and the nomination lost or misheard as well."""
    floor, cost = close_floor(s)
    for past in unlisted(s, target, s.h.game.candidates):
        candidates = past.edit(s.h).game.candidates if past.edit else ()
        if target not in candidates:
            continue
        before = candidates[: candidates.index(target)]
        lost = len(before) * (s.missing("vote_called") + s.missing("vote_announced"))
        moves = (
            *floor,
            s.inferred(ev.VoteOpened(1, candidates), s.before(3_000_000)),
            *(s.inferred(ev.VoteCalled(1, t), s.before(SECOND), shown=False) for t in before),
            s.move(ev.VoteCalled(1, target)),
        )
        total = weight + cost + lost + past.weight + s.missing("vote_opened")
        yield Reading(moves, total, edit=past.edit)


def vote_remainder(s: Sight) -> Iterator[Reading]:
    """«Остальные голоса против номера два»: the call of the last candidate."""
    vote = s.h.game.vote
    if s.h.game.phase is Phase.VOTE and vote is not None and vote.calls:
        last = vote.calls[-1]
        if last.stage is Stage.WAITING:
            closing, cost = close_call(s)
            cost += uncounted(s)
            p = log_probability(s.cue.numbers[0], last.target, s.p) if s.cue.numbers else 0.0
            waiting = [c.target for c in vote.calls[:-1] if c.stage is Stage.WAITING]
            lead = tuple(
                s.inferred(ev.VoteCalled(vote.round, t), s.before(SECOND), shown=False) for t in waiting
            )
            cost += len(waiting) * (s.missing("vote_called") + s.missing("vote_announced"))
            moves = (*closing, *lead, s.move(ev.VoteCalled(vote.round, last.target)))
            yield Reading(moves, p + cost + s.said_by("judge"))
        elif last.stage is Stage.CALLED:
            yield Reading(weight=s.p.echo)
        return
    yield from call_as(s, 0.0)


def vote_stop(s: Sight) -> Iterator[Reading]:
    yield from stop_as(s, 0.0)
    floor = s.h.game.floor
    if floor is not None:
        event = ev.FloorEnded(floor.seat, "judge")
        yield Reading((s.move(event),), s.said_by("judge"), {"ended": s.cue.span.t1, "awaiting": None})
    elif recent(s.h.context.ended, s.cue, s.p.echo_time):
        yield Reading(weight=s.p.echo)


def stop_as(s: Sight, weight: float) -> Iterator[Reading]:
    """The cue as the end of a call."""
    call, vote = open_call(s.h), s.h.game.vote
    weight += s.said_by("judge")
    if call is not None and vote is not None:
        yield Reading((s.move(ev.VoteClosed(vote.round, call.target)),), weight)
    elif s.h.game.phase is Phase.LIFT:
        yield Reading(weight=weight)
    elif s.h.game.phase is Phase.VOTE and vote is not None:
        if echo_of(s, "vote_closed", window=_STOP_ECHO):
            yield Reading(weight=weight + s.p.echo)
        waiting = [c for c in vote.calls if c.stage is Stage.WAITING]
        if waiting:
            called = s.inferred(ev.VoteCalled(vote.round, waiting[0].target), s.before(2_500_000))
            closed = s.move(ev.VoteClosed(vote.round, waiting[0].target))
            yield Reading((called, closed), weight + uncounted(s) + s.missing("vote_called"))


READERS = {
    CueKind.VOTE_OPEN: vote_open,
    CueKind.REVOTE: vote_open,
    CueKind.HANDS_DOWN: silent,
    CueKind.VOTE_CALL: vote_call,
    CueKind.VOTE_REMAINDER: vote_remainder,
    CueKind.VOTE_STOP: vote_stop,
    CueKind.VOTE_DEMAND: silent,
}
