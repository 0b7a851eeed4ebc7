"""Places get their numbers from who moves in whose speech, or stay without."""

from __future__ import annotations

import numpy as np
import pytest

from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.seats import Box, Seat, SeatMap, renumbered
from mafiavar.analyzer.seats.number import Turn, numbered, rises, turns_of
from mafiavar.analyzer.span import Span


def places() -> SeatMap:
    boxes = []
    for k in range(10):
        a = 2 * np.pi * (k + 0.3) / 10
        boxes.append(Box(float(900 + 500 * np.cos(a)), float(500 + 300 * np.sin(a)), 100, 150))
    table = ((500.0, 300.0), (1300.0, 300.0), (1300.0, 700.0), (500.0, 700.0))
    return SeatMap(
        "r", (1920, 1080), table, tuple(Seat(k + 1, b) for k, b in enumerate(boxes)), numbered=False
    )


def speeches(numbers: list[int], truth: SeatMap, rise: float) -> tuple[list[Turn], np.ndarray]:  # type: ignore[type-arg]
    g = np.random.default_rng(5)
    found = places()
    turns = [Turn(((n, 0.9),), Span.of(10 * i, 10 * i + 8)) for i, n in enumerate(numbers)]
    moved = np.exp(g.normal(0, 0.3, (len(numbers), 10)))
    for t, n in enumerate(numbers):
        k = next(i for i, s in enumerate(found.seats) if s.box == truth.seat(n).box)
        moved[t, k] *= np.exp(rise)
    return turns, rises(moved)


@pytest.mark.parametrize("first", [1, 4, 10])
def test_speeches_tell_the_first_seat_and_the_direction(first: int) -> None:
    for direction in ("clockwise", "counterclockwise"):
        truth = renumbered(places(), first, direction)  # type: ignore[arg-type]
        turns, rise = speeches([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], truth, 1.2)
        told = numbered(places(), turns, rise)
        assert told.sure and told.seats.numbered
        assert told.seats.seats == truth.seats and told.seats.direction == direction


def test_movement_that_says_nothing_leaves_the_places_without_numbers() -> None:
    turns, rise = speeches([1, 2, 3, 4, 5], renumbered(places(), 2, "clockwise"), 0.0)
    told = numbered(places(), turns, rise)
    assert not told.sure and not told.seats.numbered


def test_two_speeches_are_too_few() -> None:
    turns, rise = speeches([1, 2], renumbered(places(), 2, "clockwise"), 5.0)
    assert not numbered(places(), turns, rise).sure


def test_turns_end_with_the_next_words_of_the_judge() -> None:
    def floor(t: float, n: int, p: float = 0.9) -> Cue:
        return Cue(CueKind.FLOOR, Span.of(t, t + 2), p, ({n: 1.0},))

    cues = [floor(10, 1), Cue(CueKind.FLOOR_END, Span.of(30, 31), 0.9), floor(32, 2), floor(33.5, 4, 0.2)]
    first, second = turns_of(cues)
    assert first == Turn(((1, 1.0),), Span.of(12, 30))
    assert second.span.t0 == 34_000_000
