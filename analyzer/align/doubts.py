"""What is worth hearing again: moments at which another look at four seconds of sound could settle a fact.

    doubts = doubts_of(alignment, budget=60 * SECOND)

`analyzer.pipeline.closer` has them heard again. The most valuable first: a fact that is nearly a coin toss, or a count that nobody heard and without
which no sum of its ballot can be checked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mafiavar.analyzer.align.lattice import FACTS
from mafiavar.analyzer.align.result import Alignment, Ballot
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.timeline import TimelineEvent

WINDOW: Micros = 4 * SECOND
_SETTLED = 0.995
"""Facts surer than this are not asked about."""
_ALL_COUNTS = 1.3
"""A count that was lost leaves the others of its ballot unchecked: worth more than a fact in doubt."""
_MOMENT_UNKNOWN = 0.3
"""What is left of the worth of an event of which only about the moment is known."""

EXPECTED = {
    "nominated": CueKind.NOMINATION,
    "vote_announced": CueKind.VOTE_COUNT,
    "lift_result": CueKind.VOTE_COUNT,
    "eliminated": CueKind.LEAVES,
    "night_result": CueKind.KILLED,
    "best_move": CueKind.BEST_MOVE,
    "game_ended": CueKind.GAME_END,
}


@dataclass(frozen=True, slots=True)
class Doubt:
    """A stretch to be heard again. `expected`: what is thought to be said there, which prompt helps;
    `worth`: facts (in bits) that an answer could settle."""

    span: Span
    expected: CueKind
    worth: float


def doubts_of(alignment: Alignment, budget: Micros) -> tuple[Doubt, ...]:
    """The most valuable stretches, in order of worth, whose sum of lengths is within `budget`; none
    overlaps another."""
    duration = alignment.duration
    asked = [*_unsure(alignment.timeline.events, duration), *_lost_counts(alignment.ballots, duration)]
    asked.sort(key=lambda d: (-d.worth, d.span))
    chosen: list[Doubt] = []
    left = budget
    for doubt in asked:
        if doubt.span.duration <= left and not any(doubt.span & other.span for other in chosen):
            chosen.append(doubt)
            left -= doubt.span.duration
    return tuple(chosen)


def _unsure(events: Sequence[TimelineEvent], duration: Micros) -> Iterator[Doubt]:
    """Facts whose posterior is flat, at their words; what was inferred, at about its moment."""
    for event in events:
        if event.kind not in FACTS or event.basis == "pinned" or event.confidence >= _SETTLED:
            continue
        worth = _entropy(event.confidence) * (_MOMENT_UNKNOWN if event.basis == "inferred" else 1.0)
        yield Doubt(_around(event.span, duration), EXPECTED[event.kind], round(worth, 4))


def _lost_counts(ballots: Sequence[Ballot], duration: Micros) -> Iterator[Doubt]:
    """Calls after which no number was heard: it is said soon after the stop, before the next call."""
    for ballot in ballots:
        if ballot.count is not None or ballot.called_basis != "observed":
            continue
        t0 = ballot.stop.t1 if ballot.stop is not None else ballot.called.t1 + SECOND
        span = Span(t0, min(t0 + WINDOW, max(ballot.until, t0 + SECOND))) & Span(0, duration)
        if span is not None and span.duration > 0:
            yield Doubt(span, CueKind.VOTE_COUNT, _ALL_COUNTS)


def _around(span: Span, duration: Micros) -> Span:
    """Four seconds around a moment, inside the recording."""
    t0 = max(0, min(span.middle - WINDOW // 2, duration - WINDOW))
    return Span(t0, min(t0 + WINDOW, duration))


def _entropy(p: float) -> float:
    """Bits; below one half the fact is in doubt altogether."""
    p = min(max(p, 1e-6), 1 - 1e-6)
    return 1.0 if p < 0.5 else -(p * math.log2(p) + (1 - p) * math.log2(1 - p))
