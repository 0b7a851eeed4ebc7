"""What the pictures are asked: hands in every ballot and lift, masks and posture in every night."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mafiavar.analyzer.align.hypothesis import Node, content
from mafiavar.analyzer.align.result import Ballot
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.vision.question import Question, QuestionKind
from mafiavar.engine import events as ev

BEFORE_BALLOT: Micros = 3 * SECOND
AFTER_BALLOT: Micros = 3 * SECOND
AFTER_CALL: Micros = 8 * SECOND
"""How long after a call its hands are looked for when neither stop nor count was heard."""
BEFORE_NIGHT: Micros = 2 * SECOND
AFTER_NIGHT: Micros = 5 * SECOND
"""By day masks are off: from 5 s after the morning's words (docs/flags.md) to the call of the night."""
LEAST_DAY: Micros = 10 * SECOND
LONGEST_GAP: Micros = 25 * SECOND
"""Ballots of one round further apart than this are asked separately."""


def ballots_of(nodes: Sequence[Node], cues: Sequence[Cue], duration: Micros) -> tuple[Ballot, ...]:
    """The ballots and lifts of the game, each with the spans of its call, stop and count."""
    ballots: list[Ballot] = []
    for node in nodes:
        event = node.move.event
        if isinstance(event, ev.VoteCalled):
            vote = node.game.vote
            ballots.append(
                Ballot(
                    day=content(node)[1],
                    round=event.round,
                    target=event.target,
                    candidates=vote.candidates if vote else (event.target,),
                    voters=vote.voters if vote else node.game.alive,
                    called=node.move.span,
                    stop=None,
                    count=None,
                    announced=None,
                    until=duration,
                    called_basis=node.move.basis,
                )
            )
        elif isinstance(event, ev.LiftCalled):
            ballots.append(
                Ballot(
                    day=content(node)[1], round=0, target=0, candidates=event.candidates,
                    voters=node.game.alive, called=node.move.span, stop=None, count=None, announced=None,
                    until=duration, called_basis=node.move.basis, lift=True,
                )
            )  # fmt: skip
        elif ballots and isinstance(event, ev.VoteClosed) and _same(ballots[-1], event.round, event.target):
            ballots[-1] = replace(ballots[-1], stop=node.move.span)
        elif (
            ballots and isinstance(event, ev.VoteAnnounced) and _same(ballots[-1], event.round, event.target)
        ):
            ballots[-1] = replace(ballots[-1], count=node.move.span, announced=event.count)
        elif ballots and isinstance(event, ev.LiftResult) and ballots[-1].lift:
            ballots[-1] = replace(ballots[-1], count=node.move.span, announced=event.yes)
    return tuple(_with_ends(_with_demands(_with_lift_stops(ballots, cues), cues), duration))


def _same(ballot: Ballot, round_: int, target: int) -> bool:
    return ballot.round == round_ and ballot.target == target


def _with_lift_stops(ballots: Sequence[Ballot], cues: Sequence[Cue]) -> list[Ballot]:
    """A lift's «стоп» is no event; its words are found among the cues."""
    out = []
    for ballot in ballots:
        if ballot.lift and ballot.stop is None:
            end = ballot.count.t0 if ballot.count else ballot.called.t1 + AFTER_CALL
            stops = [
                c.span
                for c in cues
                if c.kind in (CueKind.VOTE_STOP, CueKind.FLOOR_END) and ballot.called.t1 <= c.span.t0 <= end
            ]
            ballot = replace(ballot, stop=stops[0] if stops else None)  # noqa: PLW2901
        out.append(ballot)
    return out


def _with_demands(ballots: Sequence[Ballot], cues: Sequence[Cue]) -> list[Ballot]:
    """The judge may demand the remaining hands after the last call; then a missing one is a fault."""
    demands = [c.span.t0 for c in cues if c.kind is CueKind.VOTE_DEMAND and c.likelihood >= 0.5]
    return [
        replace(b, demanded=any(b.called.t0 <= t <= b.called.t1 + AFTER_CALL for t in demands))
        for b in ballots
    ]


def _with_ends(ballots: Sequence[Ballot], duration: Micros) -> list[Ballot]:
    out = []
    for i, ballot in enumerate(ballots):
        last = max(s.t1 for s in (ballot.called, ballot.stop, ballot.count) if s is not None)
        if ballot.stop is None and ballot.count is None:
            last = ballot.called.t1 + AFTER_CALL
        following = ballots[i + 1].called.t1 if i + 1 < len(ballots) else duration
        out.append(
            replace(ballot, until=min(max(last + AFTER_BALLOT, ballot.called.t1), following, duration))
        )
    return out


def nights_of(nodes: Sequence[Node], duration: Micros) -> tuple[tuple[int, Span], ...]:
    """(number, span) of every night, from the words that announce it to the morning's."""
    nights: list[tuple[int, Span]] = []
    begun: tuple[int, Micros] | None = None
    for node in nodes:
        event = node.move.event
        if isinstance(event, ev.NightBegan):
            begun = (event.night, node.move.span.t1)
        elif isinstance(event, ev.DayBegan | ev.GameEnded) and begun is not None:
            if node.move.span.t0 > begun[1]:
                nights.append((begun[0], Span(begun[1], node.move.span.t0)))
            begun = None
    if begun is not None and duration > begun[1]:
        nights.append((begun[0], Span(begun[1], duration)))
    return tuple(nights)


def questions_of(
    ballots: Sequence[Ballot], nights: Sequence[tuple[int, Span]], nodes: Sequence[Node], duration: Micros
) -> tuple[Question, ...]:
    """The most valuable first: hands, then the nights, then who is in his seat all along."""
    questions: list[Question] = []
    group: list[Ballot] = []
    for ballot in ballots:
        if group and ballot.called.t0 - group[-1].until > LONGEST_GAP:
            questions.append(_hands(group, duration))
            group = []
        group.append(ballot)
    if group:
        questions.append(_hands(group, duration))
    for number, span in nights:
        seats = _living(nodes, span.t0)
        # Night 0 has no masks on everywhere (a free seating, roles are shown); it is asked all the same.
        kinds = (QuestionKind.MASK, QuestionKind.POSTURE)
        questions += [Question(kind, seats, span) for kind in kinds]
        if number:  # in the first night only roles are shown, no numbers
            questions.append(Question(QuestionKind.NUMBER, seats, span))
    if nodes and duration > 0:
        began = max(0, min(n.move.span.t0 for n in nodes))
        if began < duration:
            everybody = tuple(range(1, 11))
            questions.append(Question(QuestionKind.PRESENCE, everybody, Span(began, duration)))
            questions += [Question(QuestionKind.DAY, everybody, d) for d in days_of(nights, began, duration)]
    return tuple(questions)


def days_of(nights: Sequence[tuple[int, Span]], began: Micros, duration: Micros) -> list[Span]:
    """What is no night, without the seconds in which masks come off and go on."""
    days: list[Span] = []
    t = began
    for _, night in sorted(nights, key=lambda n: n[1]):
        if night.t0 - BEFORE_NIGHT - t >= LEAST_DAY:
            days.append(Span(t, night.t0 - BEFORE_NIGHT))
        t = night.t1 + AFTER_NIGHT
    if duration - t >= LEAST_DAY:
        days.append(Span(t, duration))
    return days


def _hands(group: Sequence[Ballot], duration: Micros) -> Question:
    """Everybody is asked: who has left may vote all the same, and it costs nothing to see it."""
    window = Span(max(0, group[0].called.t0 - BEFORE_BALLOT), min(duration, max(b.until for b in group)))
    return Question(QuestionKind.HANDS, tuple(range(1, 11)), window)


def _living(nodes: Sequence[Node], t: Micros) -> tuple[int, ...]:
    alive: tuple[int, ...] = tuple(range(1, 11))
    for node in nodes:
        if node.move.span.t0 > t:
            break
        alive = node.game.alive
    return alive
