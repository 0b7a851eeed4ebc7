"""A blow that was heard gets its seat from the hand that came, stood still and went."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.vision.gesture_knocks import AROUND, MOST, questions_about, whose
from mafiavar.analyzer.vision.question import Question, QuestionKind

TIMES = np.arange(-0.64, 0.65, 0.04)
Film = npt.NDArray[np.uint8]


def table(seats: int = 3) -> Film:
    g = np.random.default_rng(4)
    still = np.full((len(TIMES), seats, 48, 48), 90.0) + g.normal(0, 1, (len(TIMES), seats, 48, 48))
    return still.clip(0, 255).astype(np.uint8)


def hand(film: Film, seat: int, comes: float, goes: float, *, trembles: bool = False) -> Film:
    """A bright hand that slides in from the edge, is there from `comes` to `goes`, and slides out."""
    for i, t in enumerate(TIMES):
        away = max(comes - t, 0.0, t - goes)
        x = round(24 - away * 200)
        if trembles:
            x += 6 * (i % 2)
        if x > -14:
            film[i, seat, 18:32, max(x, 0) : x + 14] = 190
    return film


def test_the_hand_that_stands_at_the_moment_is_found() -> None:
    assert whose(hand(table(), 1, -0.02, 0.16), TIMES) == 1


@pytest.mark.parametrize(
    "film",
    [
        table(),
        hand(table(), 1, -0.02, 9.0),  # it came and stayed: a hand that is laid down
        hand(table(), 1, -9.0, 0.16),  # it had been there
        hand(table(), 1, 0.2, 0.4),  # too late for this sound
        hand(table(), 1, -0.4, 0.2),  # it stood there long before
        hand(table(), 1, -0.02, 0.16, trembles=True),
        hand(hand(table(), 1, -0.02, 0.16), 2, -0.02, 0.16),  # two hands: nobody can say which
        table()[:5],
    ],
    ids=["nobody", "laid down", "was there", "late", "long before", "moves on", "two", "no pictures"],
)
def test_nobody_is_accused_otherwise(film: Film) -> None:
    assert whose(film, TIMES[: len(film)]) is None


def test_a_lamp_is_no_hand() -> None:
    film = table()
    film[(TIMES > -0.05) & (TIMES < 0.15)] += 60
    assert whose(film, TIMES) is None


def test_blows_are_asked_about_by_day_and_outside_votes_and_never_too_many() -> None:
    def heard(t: float, p: float = 0.4) -> Cue:
        return Cue(CueKind.KNOCK, Span(micros(t), micros(t + 0.1)), p)

    vote = Question(QuestionKind.HANDS, (1,), Span.of(10, 20))
    night = Question(QuestionKind.MASK, (1,), Span.of(30, 60))
    day = Question(QuestionKind.PRESENCE, (1,), Span.of(0, 500))
    asked = questions_about([heard(t) for t in (0.1, 5, 15, 25, 40)], [vote, night, day])
    assert [q.window.middle for q in asked] == [micros(5), micros(25)]
    assert all(q.window.duration == 2 * AROUND for q in asked)
    many = questions_about([heard(t, 0.3 + 0.001 * t) for t in range(1, 101)], [])
    assert len(many) == MOST and many[0].window.middle == micros(101 - MOST), (
        "the likeliest, in order of time"
    )
