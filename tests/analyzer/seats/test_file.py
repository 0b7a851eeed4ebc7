"""seats.toml: what is read, and the sentence for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.seats import Box, Seat, SeatMap, find_seats_file, read_seats, seats_to_toml
from mafiavar.analyzer.seats.file import number_around

TABLE = "[camera.table]\npolygon = [[300, 200], [700, 200], [700, 500], [300, 500]]\n"


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game.seats.toml"
    path.write_text(text, "utf-8")
    return path


def one(seat: str, head: str = 'recording = "game.mp4"') -> str:
    return f"[[camera]]\n{head}\n{TABLE}\n[[camera.seat]]\n{seat}\n"


def test_reads_what_it_wrote(tmp_path: Path) -> None:
    seats = SeatMap(
        recording="game.mp4",
        size=(1000, 700),
        table=((300.0, 200.0), (700.0, 200.0), (700.0, 500.0)),
        seats=(Seat(1, Box(10, 20, 30, 40)), Seat(4, Box(1, 2, 3, 4), Box(5, 6, 7, 8))),
        direction="counterclockwise",
        judge=Box(0, 0, 9, 9),
    )
    assert read_seats(write(tmp_path, seats_to_toml(seats)), "game.mp4", (1000, 700)) == seats


def test_found_beside_the_recording(tmp_path: Path) -> None:
    assert find_seats_file(tmp_path / "game.mp4") is None
    path = write(tmp_path, "")
    assert find_seats_file(tmp_path / "game.mp4") == path


def test_the_camera_of_this_recording(tmp_path: Path) -> None:
    two = "".join(
        one(f"number = {n}\nbox = [1, 1, 5, 5]", f'recording = "{name}"') for n, name in ((1, "a"), (2, "b"))
    )
    assert read_seats(write(tmp_path, two), "b").numbers == (2,)
    with pytest.raises(UsageError, match=r"c\.mp4.*есть: a, b"):
        read_seats(write(tmp_path, two), "c.mp4")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[camera", "TOML"),
        ("x = 1", r"\[\[camera\]\]"),
        (f'[[camera]]\nrecording = "game.mp4"\n{TABLE}', r"camera\.seat"),
        ('[[camera]]\nrecording = "game.mp4"\n', r"table\.polygon"),
        ("[[camera]]\n[camera.table]\npolygon = [[0,0],[1,1],[2,2]]\n[[camera.seat]]\nnumber=1\nbox=[1,1,2,2]", "прямой"),
        (one("number = 11\nbox = [1, 1, 5, 5]"), "seat 1: number = 11"),
        (one("box = [1, 1, 5, 5]"), "first, direction"),
        (one("number = 1\nbox = [1, 1, 5]"), "seat 1: box: нужны четыре"),
        (one("number = 1\nbox = [1, 1, 0, 5]"), "больше нуля"),
        (one("number = 1\nbox = [2000, 1, 5, 5]"), "вне картинки"),
        (one("number = 1\nbox = [1, 1, 5, 5]\n[[camera.seat]]\nnumber = 1\nbox = [1, 1, 5, 5]"), "место 1 уже"),
        (one("number = 1\nbox = [1, 1, 5, 5]", 'direction = "left"'), "direction"),
        (one("number = 1\nbox = [1, 1, 5, 5]", "first = 0"), "first"),
    ],
)  # fmt: skip
def test_each_mistake_has_its_sentence(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        read_seats(write(tmp_path, text), "game.mp4", (1000, 700))
    assert "game.seats.toml" in caught.value.russian
    assert caught.value.exit_code == 2


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Файла мест"):
        read_seats(tmp_path / "no.toml", "game.mp4")


def test_numbers_are_counted_around_the_table() -> None:
    left_low, left_high, right_high, right_low = (
        Box(0, 90, 10, 10),
        Box(0, 0, 10, 10),
        Box(90, 0, 10, 10),
        Box(90, 90, 10, 10),
    )
    boxes = [right_high, left_low, right_low, left_high]
    assert number_around(boxes, 1, "clockwise") == [3, 1, 4, 2]
    assert number_around(boxes, 9, "counterclockwise") == [1, 9, 10, 2]
