"""Windows are cut where the camera moved, and each piece gets the map of its time."""

from __future__ import annotations

from mafiavar.analyzer.pipeline.following import AROUND, views
from mafiavar.analyzer.seats import Box, Seat, SeatMap
from mafiavar.analyzer.seats.follow import Stay
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.vision.question import Question, QuestionKind

FIRST = SeatMap("r.mp4", (640, 360), ((0, 0), (9, 0), (9, 9)), (Seat(1, Box(0, 0, 10, 10)),))
MOVED = SeatMap("r.mp4", (640, 360), ((5, 0), (14, 0), (14, 9)), (Seat(1, Box(5, 0, 10, 10)),))
STAYS = (Stay(Span.of(0, 59.999), FIRST, 0.0), Stay(Span.of(60, 600), MOVED, 5.0))


def ask(a: float, b: float) -> list[tuple[Span, SeatMap]]:
    asked = [Question(QuestionKind.HANDS, (1,), Span.of(a, b))]
    return [(q.window, m) for q, m in views(asked, STAYS)]


def test_a_window_on_one_side_is_whole() -> None:
    assert ask(10, 30) == [(Span.of(10, 30), FIRST)]
    assert ask(100, 130) == [(Span.of(100, 130), MOVED)]


def test_a_window_over_the_movement_is_two_with_a_gap() -> None:
    (before, a), (after, b) = ask(50, 70)
    assert (a, b) == (FIRST, MOVED)
    assert before.t0 == Span.of(50, 51).t0 and after.t1 == Span.of(69, 70).t1
    assert after.t0 - before.t1 >= 2 * AROUND - 2_000


def test_nothing_is_asked_in_the_moment_of_the_movement() -> None:
    assert ask(59.5, 60.5) == []
