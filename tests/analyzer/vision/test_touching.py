"""Who reaches over to a neighbour: who is asked, what is looked at, and a quiet stretch of the shipped table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mafiavar.analyzer.media.recording import index
from mafiavar.analyzer.seats import SeatMap
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.vision import touching as module
from mafiavar.analyzer.vision.bodies import beside, pairs_of
from mafiavar.analyzer.vision.by_day import answer_by_day
from mafiavar.analyzer.vision.night import reached_in
from mafiavar.analyzer.vision.otherwise import usual_of
from mafiavar.analyzer.vision.place import lay_table
from mafiavar.analyzer.vision.question import Question, QuestionKind
from mafiavar.analyzer.vision.sitting import Look
from mafiavar.analyzer.vision.touching import Reach, reaches, reaching
from mafiavar.models.heads.changed import SIDE

TABLE = Path(__file__).parents[3] / "sample_videos" / "first_table.mp4"


def test_everybody_may_touch_a_neighbour_who_sits_beside_in_the_picture(table: SeatMap) -> None:
    laid = lay_table(table)
    who = reaches(laid, table.size)
    pairs = pairs_of(laid)
    for reach in who:
        place = beside(laid, pairs[reach.pair], table.size)
        assert reach.seat in pairs[reach.pair]
        # whoever reaches stands on the left of the picture that the net sees
        to_the_right = place.along[0] if reach.seat == place.first else -place.along[0]
        assert (to_the_right > 0) is not reach.mirrored
    assert len(who) == 2 * len({r.pair for r in who})


def test_over_the_judges_place_nobody_reaches(table: SeatMap) -> None:
    """Without one seat the two beside it are no neighbours."""
    some = replace(table, seats=tuple(s for s in table.seats if s.number != 4))
    assert (3, 5) not in pairs_of(lay_table(some))
    assert (5, 6) in pairs_of(lay_table(some))


class RedOnTheLeft:
    """In place of the net: a touch where the left half of the picture is redder than usual."""

    def probabilities(self, x: np.ndarray) -> np.ndarray:
        half = x[:, :, : SIDE // 2]
        red = (half[..., 2] - half[..., 5]).mean(axis=(1, 2)) > 0.1
        p = np.where(red, 0.97, 0.01)
        return np.stack([1 - p, p, np.zeros_like(p)], axis=-1)


def test_the_one_who_reaches_is_told_for_as_long_as_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "net_of", lambda _name: RedOnTheLeft())
    shown = np.full((40, 1, SIDE, SIDE, 3), 120, np.uint8)
    shown[:, :, :8] = 255  # a wall, by which the light is measured
    shown[10:16, 0, :, SIDE // 2 :, 2] = 250  # 1.2 s, on the right: the second of the two, mirrored
    shown[30:32, 0, :, : SIDE // 2, 2] = 250  # .4 s are too short
    who = (Reach(3, 0, False), Reach(4, 0, True))
    usual = usual_of(shown)
    told = reaching(shown, usual, who)[..., 0]
    assert (told[10:16, 1] > 0.9).all() and (told[:30, 0] < 0.1).all()
    times = np.arange(40, dtype=np.int64) * 200_000
    empty = np.zeros((40, 0))
    look = Look(times, times, empty.astype(np.uint8), empty.astype(np.uint8), *([empty] * 5), shown, *([empty.astype(np.uint8)] * 2))  # fmt: skip
    reached = reached_in(look, usual, who)
    assert [(seat, run) for seat, run, _ in reached.touches] == [(4, (10, 15))] and not reached.leans
    assert (reached.over[4][10:16] > 0.9).all() and (reached.over[3][:30] < 0.1).all()


def test_what_looks_as_usual_is_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_name: str) -> None:
        raise AssertionError("the net was asked")

    monkeypatch.setattr(module, "net_of", never)
    shown = np.full((12, 2, SIDE, SIDE, 3), 90, np.uint8)
    assert not reaching(shown, usual_of(shown), (Reach(1, 0, False), Reach(2, 1, True))).any()


def test_nobody_touches_anybody_in_a_minute_of_the_shipped_table(table: SeatMap) -> None:
    question = Question(QuestionKind.DAY, table.numbers, Span.of(12, 70))
    told = answer_by_day(index(TABLE), table, [question], workers=0)
    assert not [a for a in told if a.kind is QuestionKind.POSTURE]
