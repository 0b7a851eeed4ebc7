"""A found map is written as a file that reads back, with or without numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from mafiavar.analyzer.seats import Box, Seat, SeatMap, draft_toml, read_seats, renumbered

SIZE = (1920, 1080)


def found() -> SeatMap:
    boxes = []
    for k in range(10):
        a = 2 * np.pi * (k + 0.3) / 10
        boxes.append(Box(round(900 + 500 * float(np.cos(a))), round(500 + 300 * float(np.sin(a))), 100, 150))
    table = ((500.0, 300.0), (1300.0, 300.0), (1300.0, 700.0), (500.0, 700.0))
    seats = tuple(Seat(k + 1, b) for k, b in enumerate(boxes))
    return SeatMap("игра.mp4", SIZE, table, seats, judge=Box(10, 20, 30, 40), origin="found", numbered=False)


def test_without_numbers_it_asks_for_first_and_direction_and_takes_them(tmp_path: Path) -> None:
    text = draft_toml(found())
    assert "number =" not in text and "first = 1" in text
    file = tmp_path / "игра.seats.toml"
    file.write_text(text.replace("first = 1", "first = 7"), "utf-8")
    assert read_seats(file, "игра.mp4", SIZE).seats == renumbered(found(), 7, "clockwise").seats


def test_with_numbers_it_reads_back_as_it_was(tmp_path: Path) -> None:
    told = renumbered(found(), 4, "counterclockwise")
    file = tmp_path / "игра.seats.toml"
    file.write_text(draft_toml(told), "utf-8")
    again = read_seats(file, "игра.mp4", SIZE)
    assert again == replace(told, origin="file")
