"""How much bare table shows before a seat."""

from __future__ import annotations

import cv2
import numpy as np

from mafiavar.analyzer.seats import Box, Seat, SeatMap
from mafiavar.analyzer.vision.bare import clear_places, resting_points
from mafiavar.analyzer.vision.place import Table, lay_table

WOOD, SHIRT, FLOOR = (70, 130, 190), (120, 40, 40), (60, 60, 60)


def steep(shirt: tuple[int, int, int], *, over: bool = False) -> tuple[np.ndarray, Table]:
    """Ten seats under a camera that looks steeply down: the box of a seat near the camera reaches far over
    the table, its person (`shirt`) stays at the lower end. `over`: the person hides the resting places."""
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    outline = tuple((960 + 450 * float(np.cos(a)), 520 + 390 * float(np.sin(a))) for a in angles)
    seats = []
    for n in range(10):
        a = np.pi / 2 + 2 * np.pi * (n + 0.5) / 10
        x, y = 960 + 480 * float(np.cos(a)), 520 + 415 * float(np.sin(a))
        seats.append(Seat(n + 1, Box(x - 110, y - 0.65 * 290, 220, 290)))
    image = np.full((1080, 1920, 3), FLOOR, np.uint8)
    cv2.fillPoly(image, [np.round(np.array(outline)).astype(np.int32)], WOOD)
    table = lay_table(SeatMap("r.mp4", (1920, 1080), outline, tuple(seats)))
    box = table.place(1).box
    top = int(box.y + (0.1 if over else 0.66) * box.h)
    wider = 80 if over else 0
    image[top : int(box.y + box.h), int(box.x) - wider : int(box.x + box.w) + wider] = shirt
    noise = np.random.default_rng(0).normal(0, 2, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8), table


def test_a_box_that_reaches_over_the_table_does_not_make_the_table_a_shirt() -> None:
    image, table = steep(SHIRT)
    assert table.place(1).inward[1] < -0.8  # its back is to the camera
    assert clear_places(image, table, table.places).min() > 0.9


def test_a_person_over_the_resting_places_hides_them() -> None:
    image, table = steep(SHIRT, over=True)
    assert clear_places(image, table, (table.place(1),)).max() < 0.2


def test_a_shirt_in_the_tables_colour_hides_them() -> None:
    image, table = steep(WOOD, over=True)
    assert clear_places(image, table, (table.place(1),)).max() < 0.2
    assert len(resting_points(table, table.place(1), 1.0)) == 20


def test_stripes_in_the_tables_colour_hide_them() -> None:
    """The points that show a red stripe over a red table are no table."""
    image, table = steep(SHIRT, over=True)
    painted = np.all(np.abs(image.astype(int) - SHIRT) < 20, axis=2)
    rows = np.arange(image.shape[0])[:, None] // 28 % 2 == 0
    image[painted & rows] = WOOD
    assert clear_places(image, table, (table.place(1),)).max() < 0.6


def test_a_back_that_rises_before_the_table_is_known_by_its_shoulders() -> None:
    """A low camera: of the back only the shoulders, lit otherwise than the rest, lie before the table."""
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    outline = tuple((960 + 520 * float(np.cos(a)), 620 + 230 * float(np.sin(a))) for a in angles)
    seats = []
    for n in range(10):
        a = np.pi / 2 + 2 * np.pi * (n + 0.5) / 10
        x, y = 960 + 560 * float(np.cos(a)), 620 + 260 * float(np.sin(a))
        seats.append(Seat(n + 1, Box(x - 130, y - 0.65 * 400, 260, 400)))
    table = lay_table(SeatMap("r.mp4", (1920, 1080), outline, tuple(seats)))
    image = np.full((1080, 1920, 3), FLOOR, np.uint8)
    cv2.fillPoly(image, [np.round(np.array(outline)).astype(np.int32)], WOOD)
    place = table.place(1)
    edge, x0, x1 = int(table.to_pixels(place.edge)[1]), int(place.box.x) - 80, int(place.box.x + 340)
    image[edge - 110 : edge, x0:x1] = WOOD  # shoulders in the table's colour
    image[edge:, x0:x1] = SHIRT
    image = np.clip(image + np.random.default_rng(0).normal(0, 2, image.shape), 0, 255).astype(np.uint8)
    assert place.inward[1] < -0.8 and clear_places(image, table, (place,)).min() < 0.2
