"""The camera from the table's outline; numbers laid around found places."""

from __future__ import annotations

import numpy as np

from mafiavar.analyzer.seats import Box, Seat, SeatMap, renumbered
from mafiavar.analyzer.seats.find import RADIUS, TOP, camera_of, table_outline


def test_a_painted_table_is_outlined() -> None:
    import cv2

    image = np.full((540, 960, 3), (60, 50, 40), np.uint8)
    cv2.ellipse(image, (480, 300), (230, 120), 0, 0, 360, (40, 140, 60), -1)
    found = table_outline(image)
    assert found is not None
    outline, mask = found
    assert np.abs(outline.mean(axis=0) - (480, 300)).max() < 3
    assert np.abs(np.ptp(outline, axis=0) - (460, 240)).max() < 8
    assert mask.shape == image.shape[:2]


def test_no_table_no_outline() -> None:
    assert table_outline(np.random.default_rng(0).integers(0, 255, (270, 480, 3)).astype(np.uint8)) is None


def test_the_camera_sees_the_table_where_it_is() -> None:
    t = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    outline = np.c_[960 + 450 * np.cos(t), 600 + 260 * np.sin(t)]
    project = camera_of(outline, (1920, 1080))
    assert project is not None
    shown = project(np.c_[RADIUS * np.cos(t), RADIUS * np.sin(t), np.full(32, TOP)])
    assert np.abs(shown.min(axis=0) - outline.min(axis=0)).max() < 12
    assert np.abs(shown.max(axis=0) - outline.max(axis=0)).max() < 12
    head, table = project(np.array([[0.0, 0.9, 1.27], [0.0, 0.9, TOP]]))
    assert head[1] < table[1]  # higher in the room is higher in the picture


def test_renumbered_from_the_lower_left() -> None:
    boxes = [Box(0, 90, 10, 10), Box(0, 0, 10, 10), Box(90, 0, 10, 10), Box(90, 90, 10, 10)]
    found = SeatMap(
        "r",
        (100, 100),
        ((0, 0), (1, 0), (1, 1)),
        tuple(Seat(i + 1, b) for i, b in enumerate(boxes)),
        numbered=False,
    )
    again = renumbered(found, 4, "clockwise")
    assert again.numbered and again.seat(4).box == boxes[0] and again.seat(5).box == boxes[1]
