"""What an ideal listener could know: exact where numbers add up, honest where they do not."""

from __future__ import annotations

from typing import Any

import pytest

from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.evaluation import limit
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.speech.numerals import distribution

FLAT = {(lead, n): 1.0 for lead in (True, False) for n in range(11)}


def ballot(*counts: tuple[int, int]) -> list[dict[str, Any]]:
    return [
        {"kind": "vote_announced", "day": 1, "round": 1, "target": target, "count": n, "t0": i, "t1": i + 1}
        for i, (target, n) in enumerate(counts)
    ]


def count(event: int, heard: int, confidence: float) -> Cue:
    numeral = distribution(heard, confidence, lowest=0)
    return Cue(CueKind.VOTE_COUNT, Span(event, event + 1), 0.9, (numeral,), about=f"event {event}")


def known(truth: list[dict[str, Any]], *cues: Cue) -> dict[int, limit.Known]:
    return {k.name[3]: k for k in limit.known(truth, cues, 0.06, FLAT)}


def test_the_sum_of_the_voters_settles_a_doubtful_count() -> None:
    truth = ballot((3, 4), (5, 6))
    alone, both = known(truth, count(0, 4, 0.8)), known(truth, count(0, 4, 0.8), count(1, 6, 0.8))
    assert both[3].confidence > 0.99 > alone[3].confidence and both[3].hit


def test_who_had_most_votes_puts_a_misheard_count_right() -> None:
    """Nine heard as five: with five of ten there would have been a tie, and nine sounds most like it."""
    truth = ballot((3, 1), (5, 9))
    assert known(truth, count(1, 5, 0.75))[5].hit


def test_a_count_of_which_nothing_was_heard_is_not_asked_about() -> None:
    assert set(known(ballot((3, 4), (5, 6)), count(0, 4, 0.9))) == {3}


def test_chances_are_those_of_the_noise() -> None:
    said = distribution(5, 0.9)
    right = limit.chance(said, 5, 0.06, 1)
    wrong = sum(limit.chance(said, n, 0.06, 1) for n in range(1, 11) if n != 5)
    assert right > 10 * wrong > 0


def test_as_few_as_can_be_are_left_unknown() -> None:
    def game(*facts: tuple[float, bool]) -> list[limit.Known]:
        return [limit.Known(("count",), p, hit) for p, hit in facts]

    games = [game((0.9, True), (0.7, True))] * 18 + [game((0.8, False)), game((0.6, False), (0.95, True))]
    # One game of twenty may go wrong: the wrong fact at .8 is stated, the one at .6 is not.
    assert limit.least_unknown(games) == pytest.approx(0.7)
