"""Finger numbers: two hands are one number, a doubtful one is told as such, a passing hand is nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from mafiavar.analyzer.seats import Box, Seat, SeatMap
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.vision.bodies import held_up
from mafiavar.analyzer.vision.held_up import HeldHand, SignLook
from mafiavar.analyzer.vision.place import lay_table
from mafiavar.analyzer.vision.question import Tell
from mafiavar.analyzer.vision.signs import RAISED, _Judge, number_of, raised_hands
from mafiavar.models.heads.sign import SignHead


def sure(n: int, p: float = 0.96) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """P(0..5), P(no number)."""
    out = np.full(7, (1 - p) / 6)
    out[n] = p
    return out


def held(t: float, n: int, *, side: int = 1, seat: int = 5, p: float = 0.96) -> HeldHand:
    points = np.full((21, 2), 300, np.float32) + np.arange(21, dtype=np.float32)[:, None]
    return HeldHand(round(t * 1e6), round(t * 1000), seat, side, 60.0, points, sure(n, p))


def ring() -> SeatMap:
    t = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    table = tuple((960 + 450 * float(np.cos(a)), 600 + 260 * float(np.sin(a))) for a in t)
    seats = []
    for n in range(10):
        a = 2 * np.pi * (n + 0.5) / 10 + np.pi / 2
        x, y = 960 + 560 * np.cos(a), 520 + 330 * np.sin(a)
        seats.append(Seat(n + 1, Box(float(x) - 120, float(y) - 160, 240, 320)))
    return SeatMap("r.mp4", (1920, 1080), table, tuple(seats))


def judge(hands: list[HeldHand], light: float = 90.0) -> _Judge:
    seats = ring()
    look = SignLook(tuple(hands), np.full(10, light))
    return _Judge(lay_table(seats), seats, (1920, 1080), look, Span.of(0, 10), 0, (1, 1000))


@pytest.mark.parametrize(
    ("left", "right", "number"), [(None, 1, 1), (None, 5, 5), (1, 5, 6), (5, 3, 8), (5, 5, 10)]
)
def test_hands_make_a_number(left: int | None, right: int, number: int) -> None:
    hands = [held(2 + 0.16 * i, right, side=1) for i in range(8)]
    hands += [held(2 + 0.16 * i, left, side=-1) for i in range(8) if left is not None]
    (answer,) = judge(hands).answers(5)
    assert (answer.tell, answer.value) == (Tell.YES, number)
    assert answer.span.t0 == 2_000_000 and answer.evidence


def test_a_doubtful_number_is_a_raised_hand() -> None:
    (answer,) = judge([held(2 + 0.16 * i, 3 if i % 2 else 4, p=0.8) for i in range(8)]).answers(5)
    assert (answer.tell, answer.value) == (Tell.CANNOT_TELL, RAISED)


def test_a_passing_hand_is_nothing_and_a_dark_seat_cannot_be_told() -> None:
    assert [a.tell for a in judge([held(2.0, 3)]).answers(5)] == [Tell.NO]
    assert [a.tell for a in judge([], light=5.0).answers(5)] == [Tell.CANNOT_TELL]
    assert [a.tell for a in judge([]).answers(11)] == [Tell.CANNOT_TELL]


def test_hands_that_show_no_number_are_not_raised() -> None:
    assert raised_hands([held(2 + 0.16 * i, 6) for i in range(8)]) == []


def test_two_hands_that_do_not_make_five_and_a_rest_are_doubted() -> None:
    assert number_of([sure(2), sure(3)])[5] < number_of([sure(5), sure(2)])[7]


def test_a_hand_is_held_up_on_its_own_side_of_the_head() -> None:
    table = lay_table(ring())
    for place in table.places:
        left, right = (np.array(held_up(table, place, s)) for s in (-1.0, 1.0))
        assert np.sign((right - left) @ (table.back @ place.right)) == 1


def test_the_shipped_head_knows_six_numbers_and_none() -> None:
    p = SignHead().read([np.random.default_rng(1).normal(0, 0.05, (21, 3))], 0.7)
    assert p.shape == (1, 7) and abs(float(p.sum()) - 1) < 1e-9
    assert json.dumps([round(float(v), 3) for v in p[0]])


def test_a_five_alone_is_doubted_when_the_other_hand_was_seen_once() -> None:
    five = [held(2 + 0.16 * i, 5, side=1) for i in range(8)]
    assert judge(five).answers(5)[0].value == 5
    (answer,) = judge([*five, held(2.48, 3, side=-1)]).answers(5)
    assert (answer.tell, answer.value) == (Tell.CANNOT_TELL, RAISED)


def test_a_hand_on_its_way_is_not_read_together_with_the_hand_at_rest() -> None:
    def moved(hand: HeldHand, by: float) -> HeldHand:
        return replace(hand, points=hand.points + np.float32(by))

    mask = [moved(held(1 + 0.16 * i, 4), -80) for i in range(4)]
    shown = [held(2 + 0.16 * i, 1) for i in range(6)]
    first, second = judge([*mask, *shown]).answers(5)
    assert (first.value, second.value) == (4, 1)


def test_a_piece_of_a_hand_and_a_fist_are_neither_numbers_nor_raised_hands() -> None:
    """The boxes of the ring are 320 pixels high: a hand of 32 is a piece of one."""
    piece = [replace(held(2 + 0.16 * i, 3), size=32.0) for i in range(8)]
    fist = [held(2 + 0.16 * i, 0) for i in range(8)]
    for hands in (piece, fist):
        (answer,) = judge(hands).answers(5)
        assert (answer.tell, answer.value) == (Tell.CANNOT_TELL, None)
    (whole,) = judge([replace(h, size=45.0) for h in piece]).answers(5)
    assert whole.value == 3
