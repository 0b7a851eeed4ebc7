"""Where the seats are in the picture: drawn by a person, else what the analysis used."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mafiavar.ui.review.casefile import Case, Source
from mafiavar.ui.store.records import Record, standing

Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Camera:
    """One camera's seats in pixels of the recording; `unseen`: seats it cannot show, told by a person."""

    recording: int
    seats: Mapping[int, Box]
    hands: Mapping[int, Box]
    table: tuple[tuple[float, float], ...]
    unseen: frozenset[int] = frozenset()
    drawn: bool = False


def camera_of(case: Case, number: int, records: Iterable[Record] = ()) -> Camera | None:
    """The camera of recording `number`, or None when nobody has said where the seats are."""
    source = next((s for s in case.sources if s.number == number), None)
    if source is None:
        return None
    for s in standing(r for r in records if r.kind == "seats").values():
        if s.record.target.get("recording") == number:
            return _read(s.record.payload, number, drawn=True)
    raw = _from_case(case, source, number) or _from_files(case, source, number)
    return _read(raw, number) if raw else _from_evidence(case, number)


def crop_box(
    camera: Camera | None, seat: int, size: tuple[int, int] | None, *, person: bool = False
) -> Box | None:
    """What to show of a seat, 4:3: the hands on the table, or the whole person."""
    if camera is None or size is None or seat not in camera.seats:
        return None
    if person:
        x, y, w, h = camera.seats[seat]
        return _framed(x + w / 2, y + h / 2, max(w, h * 4 / 3), size)
    if seat in camera.hands:
        x, y, w, h = camera.hands[seat]
        return _framed(x + w / 2, y + h / 2, max(w, h * 4 / 3) * 1.25, size)
    x, y, w, h = camera.seats[seat]
    cx, cy = x + w / 2, y + h / 2
    if camera.table:
        tx = sum(p[0] for p in camera.table) / len(camera.table)
        ty = sum(p[1] for p in camera.table) / len(camera.table)
        cx, cy = cx + (tx - cx) * 0.22, cy + (ty - cy) * 0.22
    return _framed(cx, cy, max(w, h) * 0.95, size)


def _framed(cx: float, cy: float, width: float, size: tuple[int, int]) -> Box:
    w = min(width, size[0], size[1] * 4 / 3)
    h = w * 3 / 4
    x, y = min(max(0, cx - w / 2), size[0] - w), min(max(0, cy - h / 2), size[1] - h)
    return round(x), round(y), round(w), round(h)


def _from_evidence(case: Case, number: int) -> Camera | None:
    """Where the analysis looked for each seat's hands: the boxes its evidence of the votes names."""
    boxes: dict[int, Box] = {}
    for ballot in case.ballots:
        for seat, vote in ballot.seats.items():
            for e in vote.evidence:
                if e.get("box") and e.get("recording", 0) == number:
                    boxes.setdefault(seat, _box(e["box"]))
    return Camera(number, boxes, boxes, ()) if boxes else None


def _from_case(case: Case, source: Source, number: int) -> Mapping[str, Any] | None:
    config = case.head.get("config")
    for place in (case.head, config if isinstance(config, Mapping) else {}):
        found = _camera_in(place.get("seats"), source, number) or _camera_in(place, source, number)
        if found:
            return found
    return None


def _from_files(case: Case, source: Source, number: int) -> Mapping[str, Any] | None:
    places = [case.folder / "seats.toml"]
    if source.path is not None:
        places.append(source.path.with_suffix(".seats.toml"))
    for path in places:
        try:
            found = _camera_in(tomllib.loads(path.read_text("utf-8")), source, number)
        except (OSError, ValueError):
            continue
        if found:
            return found
    return None


def _camera_in(raw: Any, source: Source, number: int) -> Mapping[str, Any] | None:
    cameras = raw.get("camera") or raw.get("cameras") if isinstance(raw, Mapping) else raw
    if isinstance(cameras, Mapping):
        cameras = [cameras]
    if not isinstance(cameras, list):
        return None
    known = [c for c in cameras if isinstance(c, Mapping) and (c.get("seat") or c.get("seats"))]
    named = [c for c in known if str(c.get("recording")) in {source.file, str(number)}]
    if named:
        return named[0]
    return known[number] if number < len(known) else None


def _read(raw: Mapping[str, Any], number: int, *, drawn: bool = False) -> Camera | None:
    seats: dict[int, Box] = {}
    hands: dict[int, Box] = {}
    listed = raw.get("seat") or raw.get("seats") or []
    if isinstance(listed, Mapping):
        listed = [{"number": n, **s} for n, s in listed.items() if isinstance(s, Mapping)]
    try:
        for s in listed:
            n = int(s.get("number") or s.get("seat"))
            seats[n] = _box(s["box"])
            if s.get("hands"):
                hands[n] = _box(s["hands"])
        table = raw.get("table") or {}
        polygon = table.get("polygon") if isinstance(table, Mapping) else table
        points = tuple((float(p[0]), float(p[1])) for p in polygon or ())
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None
    return Camera(number, seats, hands, points, frozenset(int(n) for n in raw.get("unseen") or ()), drawn)


def _box(raw: Any) -> Box:
    return round(raw[0]), round(raw[1]), round(raw[2]), round(raw[3])


def seats_toml(camera: Camera, recording: str) -> str:
    """The camera as a `seats.toml` (docs: contracts, "Seats")."""
    lines = ["[[camera]]", f'recording = "{recording}"']
    if camera.table:
        points = ", ".join(f"[{round(x)}, {round(y)}]" for x, y in camera.table)
        lines += ["", "[camera.table]", f"polygon = [{points}]"]
    for n, box in sorted(camera.seats.items()):
        lines += ["", "[[camera.seat]]", f"number = {n}", f"box = {list(box)}"]
        if n in camera.hands:
            lines.append(f"hands = {list(camera.hands[n])}")
    return "\n".join(lines) + "\n"
