"""Ballots: opening, calls, stops, counts, ties, lifts, and who leaves by them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from mafiavar.analyzer.align import read_hands
from mafiavar.analyzer.align.hypothesis import Hypothesis, Move, Node
from mafiavar.analyzer.align.read_floor import unheard_nominations, unlisted
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
    uncounted,
)
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.engine import decide
from mafiavar.engine import events as ev
from mafiavar.engine.state import Phase, Stage, Vote

_UNNAMED = -0.4
"""A call whose number was lost: candidates are called in order (4.5.4), so it is the next one."""
_UNLIKELY = math.log(0.05)
_COUNT_AFTER_STOP = 900_000
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
            yield Reading(weight=s.p.echo + _list_weight(s, game.vote.candidates))
            yield from _opened_otherwise(s)
            return
        cost += settle(s)
        tied = game.tie or (v.seats if (v := game.verdict()) else ())
        if not tied:
            # The counts are not known: who spoke again, or who is read out, is tied.
            tied = _heard(s) or (game.tie_spoken if game.phase is Phase.TIE else game.vote.candidates)
        yield from _open(s, game.vote.round + 1, tied, lead, cost)
        return
    if game.phase in (Phase.DAY, Phase.BEFORE, Phase.NIGHT):
        yield from _open(s, 1, game.candidates, lead, cost)


def _open(
    s: Sight, round_: int, expected: tuple[int, ...], lead: tuple[Move, ...], cost: float
) -> Iterator[Reading]:
    if expected:
        move = s.move(ev.VoteOpened(round_, expected))
        yield Reading((*lead, move), cost + _list_weight(s, expected))
    for heard in _lists(s, expected):
        weight = cost + _list_weight(s, heard)
        yield Reading((*lead, s.move(ev.VoteOpened(round_, heard))), weight)
        if round_ == 1 and (past := unheard_nominations(s, heard)) is not None:
            yield Reading((*lead, s.move(ev.VoteOpened(round_, heard))), weight + past.weight, edit=past.edit)
    if not _heard(s) and not expected:
        yield Reading((*lead, s.move(ev.VoteOpened(round_, ()))), cost)


def _opened_otherwise(s: Sight) -> Iterator[Reading]:
    """The list comes after the opening words («начинаем голосование», then the numbers) and differs
    from what was taken for granted."""
    node = s.h.last("vote_opened")
    if node is None or not isinstance(node.move.event, ev.VoteOpened):
        return
    for heard in _lists(s, node.game.candidates):
        move = replace(node.move, event=ev.VoteOpened(node.move.event.round, heard))
        weight = s.p.echo + _list_weight(s, heard)
        yield Reading(weight=weight, edit=_reopened(s, None, node, move))
        past = unheard_nominations(s, heard) if node.move.event.round == 1 else None
        if past is not None and past.edit is not None:
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


_DOUBTFUL = 0.85
_MOST_LISTS = 3


def _lists(s: Sight, expected: Sequence[int]) -> list[tuple[int, ...]]:
    """The lists that may have been read out, other than the expected one: as heard; with what was
    misheard put right by what is expected; with a doubtful number as its second hearing."""
    heard = [n for n in s.cue.numbers if n]
    if not heard:
        return []
    plain = [max(n.items(), key=lambda kv: (kv[1], -kv[0]))[0] for n in heard]
    righted = list(plain)
    for i, numeral in enumerate(heard):
        if righted[i] not in expected:
            missing = [c for c in expected if c not in righted and numeral.get(c, 0.0) > s.p.numeral_floor]
            righted[i] = max(missing, key=lambda c: numeral[c], default=righted[i])
    options = [righted, plain]
    for i, numeral in enumerate(heard):
        if max(numeral.values()) < _DOUBTFUL and righted[i] == plain[i]:
            others = {n: p for n, p in numeral.items() if n not in righted and n in s.h.game.alive}
            if others:
                second = max(others, key=lambda n: (others[n], -n))
                options.append([*righted[:i], second, *righted[i + 1 :]])
    found = dict.fromkeys(tuple(dict.fromkeys(v for v in o if 1 <= v <= 10)) for o in options)
    return [o for o in found if o and o != tuple(expected)][:_MOST_LISTS]


def _heard(s: Sight) -> tuple[int, ...]:
    """The likeliest value of each number that was read out, without repetitions."""
    values = [max(n.items(), key=lambda kv: (kv[1], -kv[0]))[0] for n in s.cue.numbers if n]
    return tuple(dict.fromkeys(v for v in values if 1 <= v <= 10))


def _list_weight(s: Sight, expected: Sequence[int]) -> float:
    """Log probability of the numbers read out when `expected` was meant; 0 when none were heard."""
    numbers = [n for n in s.cue.numbers if n]
    if not numbers:
        return math.log(0.5)
    slip = s.p.table["series_or_list_slip"]
    row = [slip * j for j in range(len(expected) + 1)]
    for i, numeral in enumerate(numbers):
        following = [slip * (i + 1)]
        for j, seat in enumerate(expected):
            following.append(
                max(
                    row[j] + log_probability(numeral, seat, s.p),
                    row[j + 1] + slip,
                    following[j] + slip,
                )
            )
        row = following
    return row[-1]


# --- calls, stops, counts


def vote_call(s: Sight) -> Iterator[Reading]:
    yield from call_as(s, 0.0)
    if s.h.game.phase in (Phase.DAY, Phase.TIE) and s.cue.numbers:
        from mafiavar.analyzer.align.read_floor import _give

        for seat, weight in s.numerals(favoured=s.h.game.waiting[:1]):
            yield from _give(s, seat, weight + s.p.other_kind)


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


def vote_count(s: Sight) -> Iterator[Reading]:
    """The announced number of a candidate, or of a lift."""
    game = s.h.game
    judge = s.said_by("judge")
    if game.phase is Phase.LIFT and game.lift is not None and game.lift.result is None:
        seen = read_hands.of_lift(s)
        for yes, p in s.numerals(favoured=seen.favoured):
            if yes <= game.at_table:
                event = ev.LiftResult(yes, game.at_table - yes)
                yield Reading((s.move(event),), p + judge + seen.weight(yes))
        return
    vote = game.vote
    if game.phase in (Phase.DAY, Phase.TIE):
        yield from _count_of_unheard_vote(s, judge)
        return
    if game.phase is not Phase.VOTE or vote is None:
        return
    target = _counted_target(vote)
    if target is None:
        yield from _count_of_unheard_call(s, vote, (), judge)
        if vote.calls and vote.calls[0].stage is Stage.WAITING and s.cue.numbers:
            yield from call_as(s, s.p.other_kind)
        return
    call = vote.call_of(target)
    lead: tuple[Move, ...] = ()
    cost = judge
    if call is not None and call.stage is Stage.CALLED:
        t = max(s.cue.span.t0 - _COUNT_AFTER_STOP, s.h.trail.move.span.t1 if s.h.trail else 0)
        lead = (s.inferred(ev.VoteClosed(vote.round, target), Span(t, max(t, s.cue.span.t0))),)
        cost += s.missing("vote_closed")
    seen = read_hands.of_ballot(s, vote, target)
    for count, p in s.numerals(favoured=[*_rest_of(vote, target), *seen.favoured]):
        move = s.move(ev.VoteAnnounced(vote.round, target, count))
        yield Reading((*lead, move), p + cost + seen.weight(count))
    closing, closing_cost = close_call(s)
    yield from _count_of_unheard_call(s, vote, closing, judge + closing_cost + uncounted(s))
    if call is not None and call.stage is Stage.CLOSED and any(c.stage is Stage.WAITING for c in vote.calls):
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
    for count, p in s.numerals(favoured=_rest_of(vote, target)):
        yield Reading((*lead, called, closed, s.move(ev.VoteAnnounced(vote.round, target, count))), p + cost)


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


def _counted_target(vote: Vote) -> int | None:
    """The latest called candidate whose number has not been said."""
    called = [c for c in vote.calls if c.stage is not Stage.WAITING]
    if not called or called[-1].announced is not None:
        return None
    return called[-1].target


def _rest_of(vote: Vote, target: int) -> list[int]:
    """What is left for the last candidate when every other count is known."""
    if not vote.calls or vote.calls[-1].target != target:
        return []
    others = [c.announced for c in vote.calls[:-1]]
    known = [n for n in others if n is not None]
    rest = len(vote.voters) - sum(known)
    return [rest] if len(known) == len(others) and rest >= 0 else []


# --- after the count


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
        weight = _list_weight(s, verdict.seats) if s.cue.numbers else 0.0
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
        seats = verdict.seats if verdict else (game.tie or _heard(s))
        event = ev.LiftCalled(tuple(seats))
        weight = _list_weight(s, seats) if s.cue.numbers and seats else 0.0
        yield Reading((*closing, *floor, s.move(event)), weight + cost + more + s.said_by("judge"))
    elif game.phase is Phase.LIFT:
        yield Reading(weight=s.p.echo)
    elif game.phase is Phase.BEFORE:
        yield Reading((s.move(ev.LiftCalled(_heard(s))),), s.said_by("judge"))


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
    heard = _heard(s)
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
        options[seats] = _list_weight(s, seats) if s.cue.numbers else math.log(0.5)
    if len(s.cue.numbers) == 1:
        for seat, p in s.numerals():
            options.setdefault((seat,), p)
    elif heard:
        options.setdefault(heard, _list_weight(s, heard))
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


def silent(_s: Sight) -> Iterator[Reading]:
    yield Reading()


READERS = {
    CueKind.VOTE_OPEN: vote_open,
    CueKind.REVOTE: vote_open,
    CueKind.HANDS_DOWN: silent,
    CueKind.VOTE_CALL: vote_call,
    CueKind.VOTE_REMAINDER: vote_remainder,
    CueKind.VOTE_STOP: vote_stop,
    CueKind.VOTE_COUNT: vote_count,
    CueKind.VOTE_DEMAND: silent,
    CueKind.TIE: tie,
    CueKind.LIFT_CALL: lift_call,
    CueKind.NO_VOTE: no_vote,
    CueKind.LEAVES: leaves,
}
