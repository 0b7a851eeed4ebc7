"""What the hands that were seen say of a count: a probability for every number of votes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.vision.question import SeatHands

Hands = Callable[[Span], Mapping[int, float] | None]
"""The probability of each asked seat to have put a hand down in a stretch; None when nobody looked."""

EARLY: Micros = 500_000
"""A hand may come down so long before the call's words are over."""
_SEEN = 0.6
"""Share of the stretch that must have been seen before a hand is denied."""
HIDDEN = 0.15
"""How probable a vote is of a seat that could not be seen. A raised hand is rarely hidden, so that
most of the unseen seats did not vote."""
_LEAST, _MOST = 0.015, 0.985
"""No single look at a seat is believed beyond these."""
_OTHERWISE = 0.03
"""How often a judge announces another number than the hands make (miscounted, or a late hand taken)."""
_FLOOR, _GAIN = -4.5, 2.0
"""What hands can cost or bring a count, natural log."""


def no_hands(_span: Span) -> None:
    return None


def hands_in(answers: Sequence[SeatHands]) -> Hands:
    """Looks up, for a stretch of time, the answers whose window has its beginning."""
    if not answers:
        return no_hands
    ordered = tuple(answers)

    @lru_cache(maxsize=4096)
    def look(span: Span) -> Mapping[int, float] | None:
        seats: dict[int, float] = {}
        for answer in ordered:
            if answer.window.t0 <= span.t0 <= answer.window.t1:
                seats[answer.seat] = max(seats.get(answer.seat, 0.0), _probability(answer, span))
        return seats or None

    return look


def _probability(answer: SeatHands, span: Span) -> float:
    put = [c.probability for c in answer.contacts if span.t0 - EARLY <= c.span.t0 <= span.t1]
    if put and max(put) >= 0.5:
        return min(max(put), _MOST)
    seen = sum(common.duration for s in answer.seen if (common := s & span) is not None)
    if seen < _SEEN * span.duration or not answer.seen:
        return HIDDEN
    return min(max(answer.p_missed, *put, _LEAST) if put else max(answer.p_missed, _LEAST), 0.5)


def numbers(seats: Mapping[int, float], voters: Sequence[int]) -> tuple[float, ...]:
    """The probability of 0, 1, ..., len(voters) votes; a voter nobody asked about is as good as hidden."""
    row = [1.0]
    for seat in voters:
        p = seats.get(seat, HIDDEN)
        row = [
            (row[k] * (1 - p) if k < len(row) else 0.0) + (row[k - 1] * p if k else 0.0)
            for k in range(len(row) + 1)
        ]
    return tuple(row)


def weight(chances: Sequence[float], count: int) -> float:
    """How much an announced `count` gains (or loses) by these chances, natural log, against a count of
    which nothing was seen."""
    even = 1 / len(chances)
    p = chances[count] if 0 <= count < len(chances) else 0.0
    return min(max(math.log(((1 - _OTHERWISE) * p + _OTHERWISE * even) / even), _FLOOR), _GAIN)


def likely(chances: Sequence[float], least: float = 0.2) -> list[int]:
    """The numbers worth trying although they were not heard."""
    return [k for k, p in enumerate(chances) if p >= least]
