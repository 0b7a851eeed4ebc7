"""`seats.toml`: read with a sentence for every mistake, and written back.

Format: CONTRACTS "Seats". Numbers of boxes may be left out when `first` (the number nearest the
lower left) and `direction` are given: they are then counted around the table.
"""

from __future__ import annotations

import math
import re
import tomllib
from pathlib import Path
from typing import Any

from mafiavar.analyzer.errors import UsageError, reason
from mafiavar.analyzer.seats.seatmap import SEATS, Box, Direction, Point, Seat, SeatMap

_DIRECTIONS = ("clockwise", "counterclockwise")
_LEAST_TABLE_POINTS = 3


def find_seats_file(recording: Path) -> Path | None:
    """`NAME.seats.toml` beside `NAME.mp4`, if it is there."""
    beside = recording.with_name(recording.stem + ".seats.toml")
    return beside if beside.is_file() else None


def read_seats(path: Path, recording_name: str, size: tuple[int, int] | None = None) -> SeatMap:
    """The map of the camera `recording_name`; a file with one camera serves any recording.

    Args:
        size: width and height of the upright picture; boxes are checked against it.

    Raises:
        UsageError: the file cannot be read, or says something impossible; names the field.
    """
    cameras = _load(path).get("camera")
    if not isinstance(cameras, list) or not cameras:
        raise _bad(path, "нет раздела [[camera]]", "no [[camera]] section")
    for i, camera in enumerate(cameras):
        if not isinstance(camera, dict):
            raise _bad(path, f"camera {i + 1}: ожидался раздел", f"camera {i + 1}: expected a section")
    chosen = [c for c in cameras if c.get("recording") == recording_name]
    if not chosen and len(cameras) > 1:
        names = ", ".join(str(c.get("recording")) for c in cameras)
        raise _bad(
            path,
            f'нет камеры с recording = "{recording_name}" (есть: {names})',
            f'no camera with recording = "{recording_name}" (there are: {names})',
        )
    return _camera(path, (chosen or cameras)[0], recording_name, size)


def seats_to_toml(seats: SeatMap) -> str:
    """The same map as a file that `read_seats` reads back."""
    lines = [
        "[[camera]]",
        f'recording = "{_quoted(seats.recording)}"',
        f'direction = "{seats.direction}"',
        "",
    ]
    points = ", ".join(f"[{round(x)}, {round(y)}]" for x, y in seats.table)
    lines += ["[camera.table]", f"polygon = [{points}]", ""]
    for seat in seats.seats:
        lines += ["[[camera.seat]]", f"number = {seat.number}", f"box = {list(seat.box.rounded())}"]
        if seat.hands is not None:
            lines.append(f"hands = {list(seat.hands.rounded())}")
        lines.append("")
    if seats.judge is not None:
        lines += ["[camera.judge]", f"box = {list(seats.judge.rounded())}", ""]
    return "\n".join(lines)


def draft_toml(seats: SeatMap) -> str:
    """A found map as a file to correct: with numbers where they are known, else with the two lines
    that number all ten places."""
    head = [
        "# Места найдены программой. Поправьте, положите рядом с записью под тем же именем и запустите разбор ещё раз.",
        "# The seats were found by the program. Correct them, put this file beside the recording and run again.",
    ]
    text = seats_to_toml(seats)
    if not seats.numbered:
        head += [
            "# first: номер игрока, который сидит ближе всех к левому нижнему углу картинки;",
            '# direction: "clockwise" — номера растут по часовой стрелке, "counterclockwise" — против.',
            "# first: the number of the player nearest the lower left corner; direction: which way numbers grow.",
        ]
        lines = [line for line in text.splitlines() if not line.startswith("number = ")]
        lines.insert(lines.index(f'direction = "{seats.direction}"'), "first = 1")
        text = "\n".join(lines)
    return "\n".join([*head, text, ""])


def camera_json(seats: SeatMap) -> dict[str, Any]:
    """The map as a `[[camera]]` of seats.toml in JSON, for case.json: the review draws and crops by it."""
    out: dict[str, Any] = {"recording": seats.recording, "direction": seats.direction}
    if seats.table:
        out["table"] = {"polygon": [[round(x), round(y)] for x, y in seats.table]}
    out["seat"] = [
        {"number": s.number, "box": list(s.box.rounded())}
        | ({"hands": list(s.hands.rounded())} if s.hands else {})
        for s in seats.seats
    ]
    return out


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _load(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError as error:
        raise UsageError(
            f"Файла мест {path} нет. Проверьте имя в --seats.",
            f"There is no seats file {path}. Check the name in --seats.",
        ) from error
    except UnicodeDecodeError as error:
        raise _bad(
            path, "это не текст (нужен файл TOML в кодировке UTF-8)", "no text (TOML in UTF-8 is needed)"
        ) from error
    except OSError as error:
        raise _bad(path, f"не открывается: {reason(error)}", f"cannot be opened: {error.strerror}") from error
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        where = f"ошибка в строке {line[1]}" if line else "он обрывается"
        raise _bad(
            path,
            f"это не файл мест в формате TOML: {where}. Его рисует страница «Места» в просмотре",
            f"not TOML: {error}. The page “Seats” of the review draws one",
        ) from error


def _camera(path: Path, camera: dict[str, Any], name: str, size: tuple[int, int] | None) -> SeatMap:
    direction = camera.get("direction", "clockwise")
    if direction not in _DIRECTIONS:
        raise _bad(path, f"direction: «{direction}», а можно только clockwise или counterclockwise",
                   f'direction: "{direction}", only clockwise or counterclockwise are known')  # fmt: skip
    table = _polygon(path, camera.get("table"))
    raw = camera.get("seat")
    if not isinstance(raw, list) or not raw:
        raise _bad(path, "нет ни одного [[camera.seat]]", "no [[camera.seat]] at all")
    if len(raw) > SEATS:
        raise _bad(path, f"мест {len(raw)}, а за столом их {SEATS}", f"{len(raw)} seats, a table has {SEATS}")
    seats = [_seat(path, i, s, size) for i, s in enumerate(raw)]
    first = camera.get("first")
    if first is not None and (type(first) is not int or not 1 <= first <= SEATS):
        raise _bad(
            path,
            f"first: «{first}», а нужно число от 1 до {SEATS}",
            f'first: "{first}", a number 1..{SEATS} is needed',
        )
    if all(n is None for n, _, _ in seats):
        if first is None or "direction" not in camera or len(seats) != SEATS:
            raise _bad(
                path,
                "у мест нет number: тогда нужны first, direction и все десять мест",
                "seats without number need first, direction and all ten seats",
            )
        numbered = number_around(seats_boxes := [b for _, b, _ in seats], first, direction)
        made = [Seat(n, b, h) for n, b, (_, _, h) in zip(numbered, seats_boxes, seats, strict=True)]
    else:
        made = []
        for i, (n, b, h) in enumerate(seats):
            if n is None:
                raise _bad(path, f"seat {i + 1}: нет number", f"seat {i + 1}: number is missing")
            if any(s.number == n for s in made):
                raise _bad(path, f"seat {i + 1}: место {n} уже есть", f"seat {i + 1}: seat {n} stands twice")
            made.append(Seat(n, b, h))
    judge = camera.get("judge")
    return SeatMap(
        recording=name,
        size=size or (0, 0),
        table=table,
        seats=tuple(sorted(made, key=lambda s: s.number)),
        direction=direction,
        judge=_box(path, "judge.box", judge.get("box"), size) if isinstance(judge, dict) else None,
    )


def number_around(boxes: list[Box], first: int, direction: Direction) -> list[int]:
    """Numbers for boxes around a table: `first` is the one nearest the picture's lower left."""
    cx = sum(b.centre[0] for b in boxes) / len(boxes)
    cy = sum(b.centre[1] for b in boxes) / len(boxes)
    # y grows downwards, so growing angles run clockwise as the camera sees it.
    order = sorted(
        range(len(boxes)), key=lambda i: math.atan2(boxes[i].centre[1] - cy, boxes[i].centre[0] - cx)
    )
    if direction == "counterclockwise":
        order.reverse()
    left = min(b.x for b in boxes)
    low = max(b.y + b.h for b in boxes)
    start = min(order, key=lambda i: (boxes[i].centre[0] - left) ** 2 + (boxes[i].y + boxes[i].h - low) ** 2)
    turned = order[order.index(start) :] + order[: order.index(start)]
    numbers = [0] * len(boxes)
    for k, i in enumerate(turned):
        numbers[i] = (first - 1 + k) % SEATS + 1
    return numbers


def _seat(
    path: Path, i: int, raw: object, size: tuple[int, int] | None
) -> tuple[int | None, Box, Box | None]:
    where = f"seat {i + 1}"
    if not isinstance(raw, dict):
        raise _bad(path, f"{where}: ожидался раздел [[camera.seat]]", f"{where}: expected [[camera.seat]]")
    number = raw.get("number")
    if number is not None and (type(number) is not int or not 1 <= number <= SEATS):
        raise _bad(path, f"{where}: number = {number}, а места идут от 1 до {SEATS}",
                   f"{where}: number = {number}, seats run from 1 to {SEATS}")  # fmt: skip
    hands = raw.get("hands")
    return (
        number,
        _box(path, f"{where}: box", raw.get("box"), size),
        None if hands is None else _box(path, f"{where}: hands", hands, size),
    )


def _box(path: Path, where: str, raw: object, size: tuple[int, int] | None) -> Box:
    if not isinstance(raw, list) or len(raw) != 4 or not all(_number(v) for v in raw):
        raise _bad(
            path,
            f"{where}: нужны четыре числа [x, y, ширина, высота]",
            f"{where}: four numbers [x, y, w, h] are needed",
        )
    x, y, w, h = (float(v) for v in raw)
    if w <= 0 or h <= 0:
        raise _bad(
            path,
            f"{where}: ширина и высота должны быть больше нуля",
            f"{where}: width and height must be above zero",
        )
    if size is not None and (x + w <= 0 or y + h <= 0 or x >= size[0] or y >= size[1]):
        raise _bad(
            path,
            f"{where}: лежит вне картинки {size[0]}×{size[1]}",
            f"{where}: lies outside the {size[0]}x{size[1]} picture",
        )
    return Box(x, y, w, h)


def _polygon(path: Path, table: object) -> tuple[Point, ...]:
    raw = table.get("polygon") if isinstance(table, dict) else None
    if not isinstance(raw, list) or len(raw) < _LEAST_TABLE_POINTS:
        raise _bad(
            path,
            "table.polygon: нужны хотя бы три точки [[x, y], ...]",
            "table.polygon: at least three points [[x, y], ...] are needed",
        )
    points = []
    for i, p in enumerate(raw):
        if not isinstance(p, list) or len(p) != 2 or not all(_number(v) for v in p):
            raise _bad(
                path,
                f"table.polygon: точка {i + 1} — не пара чисел",
                f"table.polygon: point {i + 1} is not a pair of numbers",
            )
        points.append((float(p[0]), float(p[1])))
    if abs(_area(points)) < 1:
        raise _bad(
            path, "table.polygon: точки лежат на одной прямой", "table.polygon: the points lie on one line"
        )
    return tuple(points)


def _area(points: list[Point]) -> float:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:] + points[:1], strict=True)) / 2


def _number(v: object) -> bool:
    return isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v)


def _bad(path: Path, russian: str, english: str) -> UsageError:
    return UsageError(f"Файл мест {path.name}: {russian}.", f"Seats file {path.name}: {english}.")
