"""Where the hand model is asked to look: no model, a table drawn by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mafiavar.analyzer.media.picture import Picture
from mafiavar.analyzer.vision.bare import resting_points
from mafiavar.analyzer.vision.observe import View, look
from mafiavar.models.hands.base import Hand
from tests.analyzer.vision.test_contacts import FIST, table

FACING, BACK = 5, 10
IMAGE = np.full((1080, 1920, 3), 90, np.uint8)


class Fake:
    """Finds a hand at the same place of every crop, or none, and counts the crops."""

    def __init__(self, at: Sequence[tuple[float, float]] = ()) -> None:
        self.at, self.asked = at, 0

    def find(self, image: np.ndarray) -> list[Hand]:
        self.asked += 1
        return [Hand(np.tile(np.array(p, np.float32), (21, 1)), FIST, 0.9, 0.9) for p in self.at]

    def close(self) -> None: ...


def looks(view: View, seat: int, clear: tuple[float, float], model: Fake) -> int:
    k = view.numbers.index(seat)
    look(Picture(0, 0, IMAGE), view, k, model, np.array(clear, np.float32))
    return model.asked


def test_a_bare_place_is_looked_at_once_and_a_covered_one_again_from_nearer() -> None:
    view = table()
    assert view.table.place(FACING).inward[1] > 0 > view.table.place(BACK).inward[1]
    assert looks(view, FACING, (1.0, 1.0), Fake()) == 1
    assert looks(view, FACING, (1.0, 0.5), Fake()) == 2
    assert looks(view, FACING, (0.5, 0.5), Fake()) == 3
    assert looks(view, FACING, (0.0, 0.0), Fake()) == 1, "hidden altogether"


def test_a_hand_that_was_found_is_not_looked_for_again() -> None:
    view = table()
    k = view.numbers.index(FACING)
    x, y = view.reach[k][:2]
    right = resting_points(view.table, view.table.place(FACING), 1.0).mean(axis=0) - (x, y)
    assert looks(view, FACING, (1.0, 0.5), Fake([tuple(right)])) == 1
    assert looks(view, FACING, (0.5, 1.0), Fake([tuple(right)])) == 2, "the other place"


def test_those_who_turn_their_back_are_always_looked_at_from_near() -> None:
    assert looks(table(), BACK, (1.0, 1.0), Fake()) == 3
