"""An empty chair does not move and looks otherwise; a sleeper is no empty chair."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from mafiavar.analyzer.span import Span
from mafiavar.analyzer.vision import presence
from mafiavar.analyzer.vision.presence import runs_of, told
from mafiavar.analyzer.vision.question import Tell
from tests.analyzer.vision.test_contacts import table

DAY = Span.of(0, 100)
TIMES = np.arange(20, dtype=np.int64) * 4_000_000
Small = npt.NDArray[np.uint8]


def person(n: int, unrest: int = 4) -> Small:
    """A head that shifts by up to `unrest` pixels between key frames."""
    g = np.random.default_rng(2)
    out = np.full((n, 24, 24), 70.0)
    for k in range(n):
        x, y = (8 + int(v) for v in g.integers(0, unrest + 1, 2))
        out[k, y : y + 10, x : x + 8] = 160
    return np.asarray(np.clip(out + g.normal(0, 1.0, out.shape), 0, 255), np.uint8)


def chair(n: int) -> Small:
    g = np.random.default_rng(3)
    out = np.full((n, 24, 24), 70.0)
    out[:, 12:, 4:20] = 30
    return np.asarray(np.clip(out + g.normal(0, 1.0, out.shape), 0, 255), np.uint8)


def test_a_chair_left_empty_is_told_from_when_to_when() -> None:
    shown = np.concatenate([person(8), chair(6), person(6)])
    ((tell, p, (a, b)),) = told(shown, TIMES)
    assert (tell, a, b) == (Tell.NO, 8, 13) and p > 0.6


def test_a_moving_player_is_there() -> None:
    assert [t for t, _, _ in told(person(20), TIMES)] == [Tell.YES]


def test_a_player_who_freezes_as_he_has_sat_before_is_no_empty_chair() -> None:
    shown = np.concatenate([person(12), np.repeat(person(12)[3:4], 8, axis=0)])
    assert Tell.NO not in [t for t, _, _ in told(shown, TIMES)]


def test_a_recording_that_stands_still_empties_no_chair() -> None:
    shown = np.concatenate([person(8), chair(6), person(6)])
    frozen = np.zeros(19, bool)
    frozen[8:13] = True
    assert Tell.NO not in [t for t, _, _ in told(shown, TIMES, frozen)]


def test_a_moment_away_a_dark_picture_and_an_unknown_chair_are_not_told() -> None:
    brief = np.concatenate([person(9), chair(2), person(9)])
    assert [t for t, _, _ in told(brief, TIMES)] == [Tell.YES]
    assert [t for t, _, _ in told((person(20) // 12).astype(np.uint8), TIMES)] == [Tell.CANNOT_TELL]
    assert [t for t, _, _ in told(chair(20), TIMES)] == [Tell.CANNOT_TELL]
    assert [t for t, _, _ in told(person(20), TIMES * 10)] == [Tell.CANNOT_TELL]


def test_runs_name_the_pictures_between_which_nothing_moved() -> None:
    assert runs_of(np.array([0, 1, 1, 0, 1], bool)) == [(1, 3), (4, 5)]


@pytest.mark.parametrize(
    ("seat", "nobody", "keys", "still"),
    [
        (5, 0.0, 20, True),  # faces the camera, and a head is there
        (5, 0.5, 4, False),
        (10, 0.0, 4, True),  # a back: sixteen seconds do not tell
        (10, 0.0, 12, False),
    ],
)
def test_who_sits_like_a_picture(
    monkeypatch: pytest.MonkeyPatch, seat: int, nobody: float, keys: int, still: bool
) -> None:
    monkeypatch.setattr(presence, "lay_table", lambda seats: table().table)
    monkeypatch.setattr(presence, "_nobody", lambda *args: nobody)
    recording: Any = None
    seats: Any = None
    assert presence._sits_still(recording, seats, seat, DAY, TIMES[:keys], 0) is still
