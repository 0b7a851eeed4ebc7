"""What the studio's pictures are worth: contact, hands and bodies as MediaPipe finds them.

Hands and bodies are found by the program's own models with its own settings (four hands of a crop,
confidence .3; one body of a crop, confidence .1), beside others that are named.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from mafiavar.analyzer.evaluation.aggregate import wilson
from mafiavar.analyzer.seats.seatmap import Box, Seat, SeatMap
from mafiavar.analyzer.vision.observe import view_of
from mafiavar.models.hands import HandLandmarker
from mafiavar.models.pose import PoseLandmarker
from mafiavar.models.pose.base import SHOULDERS
from mafiavar.models.registry import model_folder
from mafiavar.sample_videos.bodies.poses import TOP
from mafiavar.sample_videos.bodies.source import cache_folder
from mafiavar.sample_videos.composer import Composer, at, begin
from mafiavar.sample_videos.picture.acting import STEPS, Bearing, Move
from mafiavar.sample_videos.picture.cast import scene
from mafiavar.sample_videos.picture.film import Film, Filming
from mafiavar.sample_videos.picture.painter import Image
from mafiavar.sample_videos.picture.stage import Stage
from mafiavar.sample_videos.timing import GRID, Timed
from tests.sample_videos.conftest import timed

ROOT = Path(__file__).resolve().parents[2]
REAL = ROOT.parent / "shared" / "media" / "real"
TOUCH = 0.0025  # metres: nearer is touching
OTHER = 0.006  # metres: skin so much lower than the hand is another hand's
CAMERAS = ("high", "std", "left", "right", "near")
FORMS = ("fist_vertical", "palm", "fist_flat")
REST = ("rest", "lap", "rest_in")
DAY = ("rest", "rest", "lap", "rest_in", "gesture", "face", "rest_flat")
WIDTHS = (3.0, 4.5, 6.0)
Given = argparse.Namespace


def share(hits: Sequence[bool]) -> str:
    """ "14/15 = .933 [.70, .99]"."""
    interval = wilson(sum(hits), len(hits))
    if interval is None:
        return "0/0"
    return f"{sum(hits)}/{len(hits)} = {sum(hits) / len(hits):.3f} [{interval[0]:.2f}, {interval[1]:.2f}]"


def still(pose: str) -> Move:
    return Move(pose, pose, STEPS)


def seated(g: np.random.Generator, form: str, side: str) -> Bearing:
    rest = f"day/{g.choice(REST)}"
    arms = {"R": rest, "L": rest, side: f"day/{form}"}
    return Bearing(still("day"), still(f"y{int(g.integers(-1, 2))}"), still(arms["R"]), still(arms["L"]))


def talking(g: np.random.Generator) -> Bearing:
    """Somebody by day: arms and head as they come."""
    right, left = (still(f"day/{g.choice(DAY)}") for _ in range(2))
    return Bearing(still("day"), still(f"y{int(g.integers(-2, 3))}"), right, left)


def stages(given: Given) -> Iterator[tuple[int, str, Stage]]:
    """One camera a cast, in turn, or those that were asked for."""
    for seed in range(given.first, given.first + given.seeds):
        for camera in given.cameras or [CAMERAS[seed % len(CAMERAS)]]:
            stage = Stage(scene(seed, camera), seed, cache_folder() / "sprites")
            yield seed, camera, stage
            stage.store.close()


class OtherSkin(Exception):
    """What lies lowest before the depth camera is not the hand in question but the other one beside it."""


# ---- contact ------------------------------------------------------------------------------------
def touching(film: Film, seat: int, side: str, k: int) -> bool:
    """Do hand and table touch in frame `k`, by the depth buffer?"""
    s = film.acting.bearing(seat, k * GRID)
    assert s is not None
    model, placed = film.stage.put(seat, s)
    palm = film.stage.palm(seat, placed, side)
    gap = film.stage.painter.gap_below(model, palm)
    if float(palm[:, 2].min()) - TOP - gap > OTHER:
        raise OtherSkin
    return abs(gap) < TOUCH


def touch_begins(film: Film, seat: int, side: str, k: int) -> int:
    """The first frame of the touch that holds frame `k` or follows it (99 frames late: there is none).

    A hand that rested on the table before is in the air for some frames between: that is not this touch.
    """
    found = next((j for j in range(k, k + 10) if touching(film, seat, side, j)), k + 99)
    while k - 10 < found < k + 99 and touching(film, seat, side, found - 1):
        found -= 1
    return found


def touch_ends(film: Film, seat: int, side: str, k: int) -> int:
    """The first free frame after the touch that holds frame `k` - 1 or precedes it (99 early: there is none)."""
    found = next((j + 1 for j in range(k - 1, k - 11, -1) if touching(film, seat, side, j)), k - 99)
    while k - 99 < found < k + 10 and touching(film, seat, side, found):
        found += 1
    return found


def a_vote(seed: int) -> Timed:
    """Ten seats, two calls, every hand form but the elbow, either hand, at any moment of the call."""
    c, g = Composer("fsm-2026", seed), np.random.default_rng([seed, 6])
    for call in range(2):
        name = c.judge(f"Номер {('три', 'семь')[call]}?", gap=1.2)
        c.judge("Стоп.", gap=3.0)
        for seat in range(1, 11):
            start = float(g.uniform(-0.3, 1.2))
            form = ("fist_vertical", "fist_vertical", "fist_flat", "palm", "finger")[int(g.integers(5))]
            side = "right" if g.random() < 0.7 else "left"
            stop = start + float(g.uniform(0.4, 1.6))
            c.hand(seat, at(name, "end", start), at(name, "end", stop), side, form)
    c.act("mask", 1, begin(0.1), begin(0.2))
    return timed(c.script())


def contact(given: Given) -> None:
    """First and last frame in which the depth buffer says that hand and table touch, against the truth."""
    down: dict[str, list[int]] = defaultdict(list)
    up: dict[str, list[int]] = defaultdict(list)
    beside = 0
    for seed, camera, stage in stages(given):
        t = a_vote(seed)
        film = Film(t, {}, stage, Filming())
        for a in (a for a in t.acts if a.act.kind == "hand"):
            side = "R" if a.act.fields["hand"] == "right" else "L"
            k0, k1 = round(a.t0 / GRID), round(a.t1 / GRID)
            try:
                first = touch_begins(film, a.act.seat, side, k0)
                free = touch_ends(film, a.act.seat, side, k1)
            except OtherSkin:
                beside += 1
                continue
            down[str(a.act.fields["form"])].append(first - k0)
            up[str(a.act.fields["form"])].append(free - k1)
        print(f"  cast {seed}, {camera}: done")
    print(f"not measured, the other hand lies in the same place: {beside}")
    for name, found in (("first touching frame", down), ("first free frame", up)):
        every = [x for v in found.values() for x in v]
        print(
            f"{name} minus truth: {sorted(set(every))}; within one frame {share([abs(x) <= 1 for x in every])}"
        )
        for form, v in sorted(found.items()):
            print(f"  {form}: {share([abs(x) <= 1 for x in v])}")


# ---- hands --------------------------------------------------------------------------------------
def ratio(q: np.ndarray) -> float:
    """Finger tips to the wrist over knuckles to the wrist, in the picture."""
    return float(
        np.mean(
            [np.linalg.norm(q[t] - q[0]) / (np.linalg.norm(q[t - 3] - q[0]) + 1e-6) for t in (8, 12, 16, 20)]
        )
    )


def hand_finder(most: int = 4) -> HandLandmarker:
    return HandLandmarker(next(model_folder("hand-landmarker").glob("*.task")), hands=most)


def seat_map(stage: Stage) -> SeatMap:
    """The places as the studio's own seats file tells them."""
    seats = []
    for n in range(1, 11):
        boxes: Mapping[str, Any] = stage.seat_boxes(n)
        x0, y0, x1, y1 = (round(v) for v in boxes["box"])
        a0, b0, a1, b1 = (round(v) for v in boxes["hands_box"])
        seats.append(Seat(n, Box(x0, y0, x1 - x0, y1 - y0), Box(a0, b0, a1 - a0, b1 - b0)))
    camera = stage.painter.camera
    table = tuple((round(float(x), 1), round(float(y), 1)) for x, y in stage.polygon())
    return SeatMap("still", (camera.width, camera.height), table, tuple(seats), "clockwise")


def cut(image: Image, x: float, y: float, side: float) -> tuple[np.ndarray, np.ndarray]:
    """(rgb square round a point, its upper left corner)."""
    x0, y0 = int(max(0, x - side / 2)), int(max(0, y - side / 2))
    return np.ascontiguousarray(image[y0 : int(y + side / 2), x0 : int(x + side / 2), ::-1]), np.array(
        [x0, y0]
    )


def there(
    finder: HandLandmarker, crop: np.ndarray, corner: np.ndarray, x: float, y: float, size: float
) -> Any:
    """The hand found nearest the place (x, y) in the picture, None when none lies there."""
    near = [h.points + corner for h in finder.find(crop)]
    near = [q for q in near if np.abs(q.mean(axis=0) - (x, y)).max() < 0.6 * size]
    return min(near, key=lambda q: float(np.hypot(*(q.mean(axis=0) - (x, y)))), default=None)


def plain_hands(stage: Stage, g: np.random.Generator) -> Iterator[tuple[str, Image, int, Any]]:
    """(form, picture, seat, view of the hand) of every hand of at least 30 px that is visible to 60 %; each
    form in turn on all ten seats."""
    for form in FORMS:
        sides = ["R" if g.random() < 0.7 else "L" for _ in range(10)]
        states: list[Bearing | None] = [seated(g, form, side) for side in sides]
        image = stage.compose(states)
        for seat in range(1, 11):
            v = stage.hand_view(seat, sides[seat - 1], states)
            if v.visible >= 0.6 and v.size >= 30:
                yield form, image, seat, v


def hands(given: Given) -> None:
    """Visible hands (>= 60 %) of at least 30 px: in crops of 3 to 6 hand widths, and as the program looks."""
    finders = {most: hand_finder(most) for most in (2, 4, 6)}
    found: dict[tuple[int, float], list[bool]] = defaultdict(list)
    program: dict[str, list[bool]] = defaultdict(list)
    values: dict[str, list[float]] = defaultdict(list)
    for seed, camera, stage in stages(given):
        g = np.random.default_rng([seed, 7])
        view = view_of(seat_map(stage), (stage.painter.camera.width, stage.painter.camera.height))
        for form, image, seat, v in plain_hands(stage, g):
            x, y = (v.box[0] + v.box[2]) / 2, (v.box[1] + v.box[3]) / 2
            for most, finder in finders.items():
                for width in WIDTHS:
                    q = there(finder, *cut(image, x, y, v.size * width), x, y, v.size)
                    found[most, width].append(q is not None)
                    if q is not None and (most, width) == (4, 4.5):
                        values[form].append(ratio(q))
            k = view.numbers.index(seat)
            squares = (view.reach[k], *view.close[k])
            crops = [
                (np.ascontiguousarray(image[b : b + h, a : a + w, ::-1]), np.array([a, b]))
                for a, b, w, h in squares
            ]
            hit = any(there(finders[4], c, o, x, y, v.size) is not None for c, o in crops)
            for key in ("all", f"camera {camera}", form):
                program[key].append(hit)
            if not hit and given.misses:
                given.misses.mkdir(parents=True, exist_ok=True)
                crop, _ = cut(image, x, y, v.size * 6)
                cv2.imwrite(str(given.misses / f"{seed}_{camera}_{seat}_{form}.png"), crop[..., ::-1])
        counts = {w: f"{sum(found[4, w])}/{len(found[4, w])}" for w in WIDTHS}
        print(
            f"  after cast {seed}, {camera}: at most 4 hands {counts}, as the program looks {sum(program['all'])}",
            flush=True,
        )
    print(
        f"visible hands of >= 30 px: {len(program['all'])} ({', '.join(FORMS)}; {given.seeds} casts from {given.first})"
    )
    for (most, width), hits in sorted(found.items()):
        print(f"  crop of {width} hand widths, at most {most} hands: {share(hits)}")
    print("  as the vote pipeline looks (the seat's reach and closer looks, at most 4 hands):")
    for key, hits in program.items():
        print(f"    {key}: {share(hits)}")
    for form, v in values.items():
        print(f"  tip/knuckle ratio {form}: {spread(v)}")
    for finder in finders.values():
        finder.close()


def spread(v: Sequence[float]) -> str:
    a, m, b = np.percentile(v, (10, 50, 90))
    return f"median {m:.2f}, p10-p90 {a:.2f}-{b:.2f} (n {len(v)})"


# ---- fist and palm ------------------------------------------------------------------------------
def real_ratios(finder: HandLandmarker) -> dict[str, list[float]]:
    """label -> ratios on real photos of one hand; empty where the photos are not at hand."""
    values: dict[str, list[float]] = defaultdict(list)
    manifest = REAL / "MANIFEST.csv"
    if not manifest.is_file():
        return values
    with manifest.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            label = {"open": "palm", "five": "palm"}.get(row["label"], row["label"])
            if label not in ("fist", "palm") or Path(row["file"]).suffix.lower() not in (
                ".jpg",
                ".png",
                ".jpeg",
            ):
                continue
            image = cv2.imread(str(REAL / row["file"]))
            if image is None:
                continue
            q = finder.find(np.ascontiguousarray(image[..., ::-1]))
            if q:
                values[f"real {label}"].append(ratio(max(q, key=lambda h: h.score).points))
    return values


def ratios(given: Given) -> None:
    """Fist against palm by the landmarks' ratio, studio beside real photos; --misses DIR: with a picture."""
    finder = hand_finder()
    values: dict[str, list[float]] = defaultdict(list)
    shown: dict[str, list[np.ndarray]] = defaultdict(list)
    for seed, _camera, stage in stages(given):
        g = np.random.default_rng([seed, 9])
        for form, image, _seat, v in plain_hands(stage, g):
            x, y = (v.box[0] + v.box[2]) / 2, (v.box[1] + v.box[3]) / 2
            crop, corner = cut(image, x, y, v.size * 3)
            q = there(finder, crop, corner, x, y, v.size)
            if q is not None:
                values[f"studio {form}"].append(ratio(q))
                if len(shown[form]) < 6:
                    shown[form].append(_marked(crop, q - corner))
    values.update(real_ratios(finder))
    finder.close()
    for name, v in values.items():
        print(f"{name}: {spread(v)}")
    fists = values["studio fist_vertical"]
    palms = values["studio palm"]
    for at_ in (1.2, 1.3, 1.4, 1.5):
        line = [f"palm side of {at_}:"]
        for name, v in (("studio fists", fists), ("studio palms", palms), ("real fists", values.get("real fist", [])), ("real palms", values.get("real palm", []))):  # fmt: skip
            line.append(f"{name} {share([x >= at_ for x in v])};")
        print(" ".join(line))
    if given.misses:
        _picture(given.misses, shown, values)


def _marked(crop: np.ndarray, q: np.ndarray) -> np.ndarray:
    """A crop at 150 px with its landmarks."""
    f = 150 / max(crop.shape[:2])
    out = cv2.resize(np.ascontiguousarray(crop[..., ::-1]), None, fx=f, fy=f, interpolation=cv2.INTER_CUBIC)
    out = cv2.copyMakeBorder(out, 0, 150 - out.shape[0], 0, 150 - out.shape[1], cv2.BORDER_CONSTANT)
    for i, (x, y) in enumerate(q * f):
        tip = i in (8, 12, 16, 20)
        cv2.circle(
            out, (round(float(x)), round(float(y))), 3 if tip else 2, (0, 0, 255) if tip else (0, 255, 0), -1
        )
    return out


def _picture(path: Path, shown: Mapping[str, list[np.ndarray]], values: Mapping[str, list[float]]) -> None:
    """Hands with their landmarks, and every ratio as a dot: studio beside real photos."""
    rows = [np.hstack([*v, *[np.zeros_like(v[0])] * (6 - len(v))]) for v in shown.values() if v]
    wide = rows[0].shape[1]
    strip = np.full((40 * len(values) + 30, wide, 3), 245, np.uint8)

    def place(r: float) -> int:
        return round(190 + (min(max(r, 0.5), 2.5) - 0.5) / 2 * (wide - 210))

    g = np.random.default_rng(1)
    for i, (name, v) in enumerate(values.items()):
        y = 22 + 40 * i
        cv2.putText(strip, name, (6, y + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (30, 30, 30), 1, cv2.LINE_AA)
        for r in v:
            cv2.circle(strip, (place(r), y + int(g.integers(-9, 10))), 2, (150, 80, 20), -1, cv2.LINE_AA)
        cv2.line(
            strip, (place(float(np.median(v))), y - 12), (place(float(np.median(v))), y + 12), (0, 0, 200), 2
        )
    for r in (0.5, 1.0, 1.5, 2.0, 2.5):
        cv2.putText(strip, f"{r}", (place(r) - 10, strip.shape[0] - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (90, 90, 90), 1, cv2.LINE_AA)  # fmt: skip
    cv2.imwrite(str(path), np.vstack([*rows, strip]), [cv2.IMWRITE_JPEG_QUALITY, 85])


# ---- poses --------------------------------------------------------------------------------------
CROPS = {"padded": (0.12, 0.12, 0.12), "program": (0.25, 0.20, 0.05), "tight": (0.03, 0.03, 0.03)}
"""Shares of the box added at the sides (of its width), above and below (of its height); `program` as the
places are found (analyzer/seats/find.py)."""


LOOKS = ((0.3, "padded"), (0.1, "padded"), (0.1, "program"), (0.1, "tight"))


def poses(given: Given) -> None:
    """Bodies in the ten seats by day and by night: does the model fire, and where the shoulders are?"""
    finders = {
        c: PoseLandmarker(next(model_folder("pose-landmarker").glob("*.task")), confidence=c)
        for c in (0.3, 0.1)
    }
    hits: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for seed, camera, stage in stages(given):
        g = np.random.default_rng([seed, 8])
        cross = still("night/cross")
        night = Bearing(still("night"), still("bow"), cross, cross, 0, "on")
        tables: list[tuple[str, list[Bearing | None]]] = [
            ("day", [talking(g) for _ in range(10)]),
            ("day", [talking(g) for _ in range(10)]),
            ("night", [night] * 10),
        ]
        for n, (name, states) in enumerate(tables):
            image = stage.compose(states)
            for seat in range(1, 11):
                boxes: Mapping[str, Any] = stage.seat_boxes(seat)
                away = float(boxes["facing_away_deg"])
                side = "faces the camera" if away < 60 else "sideways" if away < 120 else "back"
                hair = "long hair" if stage.scene.cast[seat - 1].look.hair_style == "long" else "other hair"
                for c, crop_name in LOOKS:
                    crop, corner = _body_crop(image, boxes["box"], CROPS[crop_name])
                    body = finders[c].find(crop)
                    fires, right = body is not None, False
                    if body is not None:
                        right = _on(body.points[list(SHOULDERS)].mean(axis=0) + corner, boxes)
                    key = f"{name}, confidence {c}, crop {crop_name}"
                    hits[key, "fires"].append(fires)
                    hits[key, "in place"].append(right)
                    hits[key, f"  {side}, {hair}"].append(fires)
                    hits[key, f" camera {camera}"].append(fires)
                    if not fires and crop_name == "padded":
                        print(
                            f"    {seed} {camera} {name} {n} seat {seat} ({away:.0f} deg, {hair}): none at {c}"
                        )
                        if given.misses:
                            given.misses.mkdir(parents=True, exist_ok=True)
                            file = given.misses / f"{name}_{c}_{seed}_{camera}_{n}_{seat}.png"
                            cv2.imwrite(str(file), crop[..., ::-1])
    for (key, part), h in sorted(hits.items()):
        print(f"{key}, {part}: {share(h)}")
    for finder in finders.values():
        finder.close()


def _body_crop(
    image: Image, box: Sequence[float], pads: tuple[float, float, float]
) -> tuple[np.ndarray, np.ndarray]:
    x0, y0, x1, y1 = box
    w, h = x1 - x0, y1 - y0
    if pads[0] == pads[1]:
        w = h  # the same margin all round
    a, b = int(max(0, x0 - pads[0] * w)), int(max(0, y0 - pads[1] * h))
    return np.ascontiguousarray(image[b : int(y1 + pads[2] * h), a : int(x1 + pads[0] * w), ::-1]), np.array(
        [a, b]
    )


def _on(point: np.ndarray, boxes: Mapping[str, Any]) -> bool:
    """Does the middle of the found shoulders lie near the true one's (a quarter of the body's height)?"""
    joints = boxes["joints"]
    middle = (np.array(joints["shoulder_R"]) + np.array(joints["shoulder_L"])) / 2
    return bool(np.hypot(*(point - middle)) < 0.25 * (boxes["box"][3] - boxes["box"][1]))
