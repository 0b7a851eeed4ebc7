"""The table as a disc: places, sides and depth, whatever the camera's angle."""

from __future__ import annotations

import numpy as np
import pytest

from mafiavar.analyzer.seats import Box, Seat, SeatMap
from mafiavar.analyzer.vision.place import lay_table, reach_box


def round_table(rx: float, ry: float) -> SeatMap:
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    table = tuple((960 + rx * np.cos(a), 540 + ry * np.sin(a)) for a in angles)
    seats = []
    for n in range(10):
        a = np.pi / 2 + 2 * np.pi * (n + 1) / 11
        x, y = 960 + 1.1 * rx * np.cos(a), 540 + 1.1 * ry * np.sin(a)
        seats.append(Seat(n + 1, Box(x - 100, y - 0.65 * 300, 200, 300)))
    return SeatMap("r.mp4", (1920, 1080), table, tuple(seats))


@pytest.mark.parametrize(("rx", "ry"), [(400, 400), (400, 200), (300, 120)])
def test_places_lie_on_the_edge_evenly(rx: float, ry: float) -> None:
    table = lay_table(round_table(rx, ry))
    for place in table.places:
        assert np.hypot(*place.edge) == pytest.approx(1, abs=0.03)
        assert place.edge @ place.inward < -0.9
        assert place.spacing == pytest.approx(2 * np.sin(np.pi / 11), abs=0.06)
    assert np.sin(table.tilt) == pytest.approx(ry / rx, abs=0.02)


def test_depth_and_sides() -> None:
    table = lay_table(round_table(400, 200))
    assert table.depth((960, 540)) == pytest.approx(1, abs=0.03)
    assert table.depth((960, 540 - 220)) < 0
    far = min(table.places, key=lambda p: p.edge[1])
    x, y = table.to_pixels(far.edge)
    # The person at the far side looks at the camera: its right hand is at the picture's left.
    assert table.offset(far, (x - 40, y + 20))[0] > 0
    assert table.offset(far, (x, y + 20))[1] > 0


def test_reach_stays_in_the_picture() -> None:
    seats = round_table(940, 520)
    table = lay_table(seats)
    for place in table.places:
        x, y, w, h = reach_box(table, place, None, (1920, 1080))
        assert x >= 0 and y >= 0 and x + w <= 1920 and y + h <= 1080 and w == h > 0
