"""Neighbours at studio tables who touch each other, lean, or do other things: what the head `reach` is fitted to.

    python tests/accuracy/reach_stills.py OUT --seeds 9400 9401 [--sittings 2] [--day 5] [--night 5]

Writes `reach_SEED.npz` per cast: of every two neighbours the crop the program cuts (with a margin), now and as
they usually sit, and what they do. Usual pictures are others of the same table. By day people rest, talk with
their hands, touch their faces, vote; at night arms are folded, down or at the mask; a quarter touches a neighbour's
shoulder, with the body leaning over or without; an eighth leans without touching.

Seeds: 9400-9439 fitting, 9440-9459 validation (thresholds).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parent))
import cv2
from night_stills import MARGIN, SIZE, Crowd, Sitter, at, filmed, mask_of, write_casts
from vote_clips import staged

from mafiavar.analyzer.seats import Box, Seat, SeatMap
from mafiavar.analyzer.vision.bodies import beside, pairs_of
from mafiavar.analyzer.vision.place import lay_table
from mafiavar.sample_videos.bodies.poses import Manner, PoseBook
from mafiavar.sample_videos.picture import cast
from mafiavar.sample_videos.picture.acting import Bearing
from mafiavar.sample_videos.picture.painter import Light
from mafiavar.sample_videos.picture.stage import Stage

Image = npt.NDArray[np.uint8]

SIDE = 64  # pixels of the crops, margin included
CAMERAS = ("high", "high", "std", "std", "left", "right", "near", "top")
RESTS = ("lap", "lap", "rest", "rest_in", "rest_flat")
BUSY = (
    "gesture",
    "gesture_open",
    "pointing",
    "face",
    "mask",
    "hang",
    "sign2",
    "fist_vertical",
    "palm",
    "elbow",
)
TOUCHES, LEANS, MOVES, BARE = 0.26, 0.12, 0.25, 0.08
STRAIGHT = 0.25
"""How often somebody reaches over without leaning."""
USUALS = 2


@dataclass(frozen=True, slots=True)
class Doing:
    """What one seat does: touches or leans `left` or `right`, or something else."""

    what: str  # touches | leans | else
    side: str  # L | R | ""
    bearing: Bearing


def usual_of(g: np.random.Generator, night: bool) -> Doing:
    torso = "night" if night else "day"
    arms = ("cross", "cross") if night else (str(g.choice(RESTS)), str(g.choice(RESTS)))
    head = "bow" if night else str(g.choice(("y-1", "y0", "y1")))
    return Doing("else", "", _bearing(g, torso, head, arms))


def doing(g: np.random.Generator, night: bool, free: str) -> Doing:
    """`free`: on which sides a neighbour sits."""
    torso, u = "night" if night else "day", float(g.random())
    idle = "cross" if night and g.random() < 0.8 else str(g.choice(RESTS))
    head = "bow" if night and g.random() < 0.8 else str(g.choice(("y-2", "y-1", "y0", "y1", "y2", "down")))
    side = str(g.choice(list("LR")))
    lean = "lean_left" if side == "L" else "lean_right"
    if u < TOUCHES and side in free:
        torso = torso if g.random() < STRAIGHT else lean
        arms = ("touch", idle) if side == "R" else (idle, "touch")
        return Doing("touches", side, _bearing(g, torso, head, arms))
    if u < TOUCHES + LEANS:
        return Doing("leans", side, _bearing(g, lean, head, (idle, idle)))
    if u < TOUCHES + LEANS + MOVES:
        arms = (str(g.choice(BUSY)), idle) if g.random() < 0.6 else (idle, str(g.choice(BUSY)))
        return Doing("else", "", _bearing(g, torso, head, arms))
    both = str(g.choice(RESTS)) if night and g.random() < 0.4 else idle
    return Doing("else", "", _bearing(g, torso, head, (both, idle if g.random() < 0.3 else both)))


def _bearing(g: np.random.Generator, torso: str, head: str, arms: tuple[str, str]) -> Bearing:
    right, left = (at(f"{torso}/{x}") for x in arms)
    return Bearing(at(torso), at(head), right, left, mouth=int(g.integers(0, 2)), sway=int(g.integers(0, 4)))


def seated(stage: Stage, g: np.random.Generator, seed: int) -> list[int]:
    """Another sitting of the same ring of bodies. The number of each body's chair."""
    first = int(g.integers(10))
    numbers = [(i + first) % 10 + 1 for i in range(10)]
    room = stage.scene.room
    stage.chairs = [room.chair_at(n) for n in numbers]
    stage.books = [PoseBook(b.figure, Manner.of(g)) for b in stage.books]
    stage._blends.clear()
    scene = cast.scene(seed, str(g.choice(CAMERAS)), SIZE)
    lens = stage.painter
    lens.camera, lens.view = scene.camera, scene.camera.matrix()
    warm = g.uniform([0.94, 0.88, 0.72], [1.0, 0.98, 1.0])
    lens._light(Light(float(g.uniform(0.7, 1.25)), (float(warm[0]), float(warm[1]), float(warm[2]))))
    return numbers


def seat_map(stage: Stage, numbers: list[int]) -> SeatMap:
    """As a `.seats.toml` of this table would draw it."""
    camera = stage.painter.camera
    seats = []
    for i, number in enumerate(numbers):
        model, _ = stage.put(i + 1, stage.resting())
        q = camera.project(model.vertices[model.vertices[:, 2] > 0.55])
        x0, y0 = np.clip(q.min(axis=0), 0, None)
        x1, y1 = np.minimum(q.max(axis=0), (camera.width, camera.height))
        box = Box(float(x0), float(y0), max(float(x1 - x0), 8.0), max(float(y1 - y0), 8.0))
        seats.append(Seat(number, box))
    table = tuple((x, y) for x, y in stage.polygon())
    return SeatMap("still", SIZE, table, tuple(sorted(seats, key=lambda s: s.number)))


def painted(
    stage: Stage, room: Image, sitters: list[Sitter], bearings: Sequence[Bearing | None], masks: Sequence[str],
    g: np.random.Generator,
) -> Image:  # fmt: skip
    """Everybody as told; None: the chair is empty."""
    for i, (sitter, bearing, mask) in enumerate(zip(sitters, bearings, masks, strict=True)):
        if bearing is None:
            continue
        figure, model = stage.books[i].figure, stage.models[i]
        placed = figure.place(stage.pose(i + 1, bearing))
        r, t = stage.chairs[i]
        head = figure.template.index["head"]
        rest = mask_of(stage, i, sitter, mask, g)
        worn = (rest - figure.head[head]) @ placed.rotation[head].T + placed.position[head]
        model.pose(figure.skin(model.outfit.skin, placed) @ r.T + t, worn @ r.T + t, mask)
        sitter.wear(mask, mask == "on")
    there = [s for s, b in zip(sitters, bearings, strict=True) if b is not None]
    camera, crowd = stage.painter.camera, Crowd(there)
    stage.painter.shadows([crowd])  # type: ignore[list-item]  # drawn as a model is
    cut = stage.painter.cut(crowd, (0, 0, camera.width, camera.height), trim=False)  # type: ignore[arg-type]
    return cv2.add(cv2.multiply(room, cv2.merge([cut.through] * 3), scale=1 / 255), cut.bgr)


def cast_of(seed: int, sittings: int, day: int, night: int) -> dict[str, npt.NDArray[Any]]:
    """Rows of one cast: two neighbours each."""
    stage = staged(seed, "high")
    rows: dict[str, list[Any]] = {k: [] for k in ("now", "usual", "along", "what", "night", "facing", "key")}
    for sitting in range(sittings):
        g = np.random.default_rng([seed, sitting, 71])
        numbers = seated(stage, g, seed)
        sitters = [Sitter(m, g) for m in stage.models]
        seats = seat_map(stage, numbers)
        table, room = lay_table(seats), stage.painter.plate()
        pairs = pairs_of(table)
        places = [beside(table, p, seats.size) for p in pairs]
        for dark, count in ((False, day), (True, night)):
            usual = []
            light = int(g.integers(1 << 30))
            for k in range(USUALS + count):
                free = {n: "".join(s for s, p in (("L", (n, n % 10 + 1)), ("R", ((n - 2) % 10 + 1, n))) if p in pairs) for n in numbers}  # fmt: skip
                acts = [usual_of(g, dark) if k < USUALS else doing(g, dark, free[n]) for n in numbers]
                masks = ["on" if dark and (k < USUALS or g.random() > BARE) else "off" for _ in numbers]
                lamps = np.random.default_rng([light, 1])  # the same lamps and lens all along
                image = filmed(
                    painted(stage, room, sitters, [a.bearing for a in acts], masks, g), lamps, dark
                )
                crops = [_cut(image, p.square) for p in places]
                if k < USUALS:
                    usual.append(crops)
                    continue
                does = dict(zip(numbers, acts, strict=True))
                for j, (a, b) in enumerate(pairs):
                    rows["now"].append(crops[j])
                    rows["usual"].append(usual[int(g.integers(USUALS))][j])
                    rows["along"].append(places[j].along)
                    rows["what"].append(label(does[a], does[b]))
                    rows["night"].append(dark)
                    rows["facing"].append(float(table.place(a).inward[1] + table.place(b).inward[1]) / 2)
                    rows["key"].append(f"{seed}/{sitting}/{a}")
    return {k: np.array(v) for k, v in rows.items()}


def label(a: Doing, b: Doing) -> str:
    """`b` sits to the left of `a`."""
    a_to_b, b_to_a = (x.what if x.side == s else "" for x, s in ((a, "L"), (b, "R")))
    if "touches" in (a_to_b, b_to_a):
        return "both" if a_to_b == b_to_a else "first touches" if a_to_b == "touches" else "second touches"
    if "leans" in (a_to_b, b_to_a):
        return "both" if a_to_b == b_to_a else "first leans" if a_to_b == "leans" else "second leans"
    return "apart"


def _cut(image: Image, square: tuple[int, int, int, int]) -> Image:
    """The crop with `MARGIN` more on every side."""
    x, y, w, h = square
    m = round(MARGIN * w)
    wide = cv2.copyMakeBorder(image, m, m, m, m, cv2.BORDER_REPLICATE)
    piece = wide[y : y + h + 2 * m, x : x + w + 2 * m]
    return np.asarray(cv2.resize(piece, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)


if __name__ == "__main__":
    write_casts(__doc__, "reach", cast_of, 2, 5, 5)
