"""Heads and chests of studio tables by day and by night, labelled: what the night heads are fitted to and proved on.

    python tests/accuracy/night_stills.py OUT --seeds 9300 9301 [--sittings 3] [--day 4] [--night 7]

Writes `night_SEED.npz` per cast: no picture of a whole table, but the crops the program cuts (with a margin)
and what is known of them. A cast's ten bodies are built once; in every *sitting* they change chairs, camera,
lamps, clothes, hair, tan, manner and mask, so that one cast gives several tables. Masks are of any colour and
width, on the eyes, askew, pushed up, half way, off; caps and glasses stay on or come off whatever the mask does.
Pictures are darkened, blurred, made grainy, shrunk and compressed as cameras do.

Seeds: 9300-9399 fitting, 640-659 validation (thresholds), 660-699 proof.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parent))
from vote_clips import CAMERAS, staged

from mafiavar.analyzer.seats import Box, Seat, SeatMap
from mafiavar.analyzer.vision.bodies import arms_box, head_box
from mafiavar.analyzer.vision.place import lay_table
from mafiavar.sample_videos.bodies.poses import Manner, PoseBook
from mafiavar.sample_videos.geometry import rotation, vec
from mafiavar.sample_videos.picture import cast, painter
from mafiavar.sample_videos.picture.acting import STEPS, Bearing, Move
from mafiavar.sample_videos.picture.painter import Light, Model, linear
from mafiavar.sample_videos.picture.stage import Stage

Image = npt.NDArray[np.uint8]

MARGIN = 0.16  # of a crop's side, around what the program looks at
HEAD, CHEST = 96, 72  # pixels of the crops, margin included
NIGHT_HEADS = ("bow",) * 11 + ("up",) * 4 + ("y-1", "y0", "y0", "y1", "down")
DAY_HEADS = ("y-2", "y-1", "y0", "y0", "y0", "y1", "y2", "down")
NIGHT_MASKS = ("on",) * 10 + ("up",) * 5 + ("off",) * 5 + ("half",)
DAY_MASKS = ("off",) * 7 + ("on",)
NIGHT_ARMS = (
    "lap",
    "rest",
    "rest",
    "rest_in",
    "rest_flat",
    "hang",
    "face",
    "gesture",
    "sign1",
    "sign2",
    "sign5",
    "mask",
)
DAY_ARMS = ("lap", "lap", "rest", "rest", "rest_in", "rest_flat", "face", "gesture", "gesture_open", "cross")
SIZE = (1600, 900)  # enough for crops of 48 pixels
painter.SAMPLES = 0  # the crops are shrunk: that smooths edges at a fifth of the cost
COLUMNS = ("head", "chest", "key", "camera", "facing", "small", "mask", "pose", "folded", "night", "here")
FOLDED, ONE_ARM = 0.5, 0.3
HERE = ("sits",) * 37 + ("gone",) * 2 + ("stands",)
BLACKS, COLOURED = 0.45, 0.25  # how often a mask is black, and how often of any colour at all


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one seat in one picture."""

    mask: str
    head: str
    folded: bool
    night: bool
    here: str = "sits"  # sits | stands | gone


class Sitter:
    """A model that wears what this sitting says; drawn as `Painter` draws a `Model`."""

    def __init__(self, model: Model, g: np.random.Generator) -> None:
        look = cast.person(g).look
        tone, hair = _about(look.skin, g, 0.06), _about(look.hair, g, 0.05)
        shirt, shirt2 = _about(look.shirt, g, 0.1), _about(look.shirt2, g, 0.1)
        new = {
            "skin": (tone, hair),
            "hair": (hair, hair),
            "hair_long": (hair, hair),
            "shirt": (shirt, shirt2),
        }
        self.model, self.parts = model, []
        for part, one in zip(model.outfit.parts, model.parts, strict=True):
            c1, c2 = new.get(part.name, (one[4], one[5]))
            self.parts.append((*one[:4], c1, c2, one[6]))
        mask = _mask_colour(g)
        self.mask_part = (*model.mask_part[:4], mask, mask, 0)
        self.width = float(g.uniform(0.75, 1.45))
        self.shown: list[Any] = []

    def wear(self, mask: str, hatless: bool) -> None:
        bare = [p for k, p in enumerate(self.parts) if not (hatless and k in self.model.by_day)]
        self.shown = bare if mask == "off" else [*bare, self.mask_part]

    def drawn(self) -> list[Any]:
        return self.shown


class Crowd:
    """Everybody who is there, drawn as one model."""

    def __init__(self, sitters: list[Sitter]) -> None:
        self.sitters = sitters

    def drawn(self) -> list[Any]:
        return [part for s in self.sitters for part in s.shown]


def _about(colour: str, g: np.random.Generator, spread: float) -> tuple[float, float, float]:
    c = np.clip(np.array(linear(colour)) * (1 + g.normal(0, spread, 3)) * float(g.uniform(0.8, 1.2)), 0, 1)
    return float(c[0]), float(c[1]), float(c[2])


def _mask_colour(g: np.random.Generator) -> tuple[float, float, float]:
    kind = g.random()
    if kind < BLACKS:
        return _about("#0b0b0d", g, 0.2)
    if kind < 1 - COLOURED:
        return _about(str(g.choice(cast.MASKS)), g, 0.2)
    c = g.uniform(0.005, 1.0, 3) ** 2
    return float(c[0]), float(c[1]), float(c[2])


def mask_of(
    stage: Stage, i: int, sitter: Sitter, state: str, g: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Vertices of the mask at rest: on the eyes or a little askew, half way up, on the forehead."""
    figure, on = stage.books[i].figure, stage.models[i].outfit.mask_on.copy()
    eyes = figure.eyes
    on[:, 2] = eyes[2] + 0.004 + (on[:, 2] - eyes[2] - 0.004) * sitter.width
    middle = vec(0, float(on[:, 1].min() + on[:, 1].max()) / 2, eyes[2])
    x, y = vec(1, 0, 0), vec(0, 1, 0)
    if state == "on":
        turn = rotation(x, float(g.uniform(-5, 4))) @ rotation(y, float(g.normal(0, 2.5)))
        return np.asarray(middle + (on - middle) @ turn.T + vec(0, 0, float(g.uniform(-0.004, 0.004))))
    turn = rotation(x, float(g.uniform(-19, -13) if state == "half" else g.uniform(-50, -29)))
    return np.asarray(middle + (on - middle) * vec(1.06, 1.09, 1.0) @ turn.T + vec(0, 0, 0.012))


def at(pose: str) -> Move:
    return Move(pose, pose, STEPS)


def bearing(g: np.random.Generator, known: Known) -> Bearing:
    torso = "night" if known.night else "day"
    if known.here == "stands":
        return Bearing(at("stand"), at("y0"), at("stand/hang"), at("stand/hang"))
    if known.folded:
        right = left = "cross"
    else:
        arms = NIGHT_ARMS if known.night else DAY_ARMS
        right, left = str(g.choice(arms)), str(g.choice([a for a in arms if a not in ("mask", "face")]))
        if known.night and g.random() < ONE_ARM:
            left = "cross"
    return Bearing(
        at(torso), at(known.head), at(f"{torso}/{right}"), at(f"{torso}/{left}"),
        mouth=0 if known.night else int(g.integers(0, 3)), sway=int(g.integers(0, 4)),
    )  # fmt: skip


def seated_at(stage: Stage, g: np.random.Generator, seed: int) -> str:
    """Another sitting of the same bodies: chairs, manner, camera, lamps. The camera's name."""
    order = g.permutation(10)
    room = stage.scene.room
    stage.chairs = [room.chair_at(int(k) + 1) for k in order]
    stage.books = [
        PoseBook(b.figure, replace(Manner.of(g), bow=float(g.uniform(30, 52)), pitch=float(g.uniform(2, 16))))
        for b in stage.books
    ]
    stage._blends.clear()
    camera = str(g.choice(CAMERAS))
    scene = cast.scene(seed, camera, SIZE)
    lens = stage.painter
    lens.camera, lens.view = scene.camera, scene.camera.matrix()
    warm = g.uniform([0.94, 0.88, 0.72], [1.0, 0.98, 1.0])
    lens._light(Light(float(g.uniform(0.7, 1.25)), (float(warm[0]), float(warm[1]), float(warm[2]))))
    return camera


def seat_map(stage: Stage) -> SeatMap:
    """As a `.seats.toml` of this table would draw it. Seat i + 1: the i-th body."""
    camera = stage.painter.camera
    seats = []
    for i in range(10):
        model, _ = stage.put(i + 1, stage.resting())
        q = camera.project(model.vertices[model.vertices[:, 2] > 0.55])
        (x0, y0), (x1, y1) = (
            np.clip(q.min(axis=0), 0, None),
            np.minimum(q.max(axis=0), (camera.width, camera.height)),
        )
        seats.append(
            Seat(i + 1, Box(float(x0), float(y0), max(float(x1 - x0), 8.0), max(float(y1 - y0), 8.0)))
        )
    table = tuple((x, y) for x, y in stage.polygon())
    return SeatMap("still", (camera.width, camera.height), table, tuple(seats))


def filmed(image: Image, g: np.random.Generator, night: bool) -> Image:
    """As a camera records it: light, blur, size, grain, compression."""
    gain = float(g.uniform(0.35, 0.95) if night else g.uniform(0.8, 1.08))
    shown = image.astype(np.float32) * gain
    if g.random() < 0.4:
        shown = cv2.GaussianBlur(shown, (0, 0), float(g.uniform(0.4, 1.4)))
    if g.random() < 0.3:
        h, w = shown.shape[:2]
        shown = cv2.resize(cv2.resize(shown, (w * 2 // 3, h * 2 // 3), interpolation=cv2.INTER_AREA), (w, h))
    grain = float(g.uniform(0.5, 4.5))
    shown += g.normal(0, grain, shown.shape[:2]).astype(np.float32)[..., None]
    small = np.clip(shown, 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, int(g.integers(35, 92))])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def margined(image: Image, box: tuple[int, int, int, int], size: int) -> Image:
    """The crop with `MARGIN` more on every side."""
    x, y, w, h = box
    m = round(MARGIN * w)
    wide = cv2.copyMakeBorder(image, m, m, m, m, cv2.BORDER_REPLICATE)
    return np.asarray(
        cv2.resize(wide[y : y + h + 2 * m, x : x + w + 2 * m], (size, size), interpolation=cv2.INTER_AREA),
        np.uint8,
    )


def chosen(g: np.random.Generator, night: bool, forehead: bool) -> Known:
    mask = str(g.choice(NIGHT_MASKS if night else DAY_MASKS))
    if not night and mask == "off" and forehead:
        mask = "up"
    here = str(g.choice(HERE))
    folded = bool(night and g.random() < FOLDED) and here == "sits"
    head = "y0" if here == "stands" else str(g.choice(NIGHT_HEADS if night else DAY_HEADS))
    return Known(mask, head, folded, night, here)


def cast_of(seed: int, sittings: int, day: int, night: int) -> dict[str, npt.NDArray[Any]]:
    """Rows of one cast: crops and what is known of them."""
    stage = staged(seed, "high")
    rows: dict[str, list[Any]] = {k: [] for k in COLUMNS}
    for sitting in range(sittings):
        g = np.random.default_rng([seed, sitting, 53])
        camera = seated_at(stage, g, seed)
        sitters = [Sitter(m, g) for m in stage.models]
        forehead = g.random(10) < 0.3
        seats, room = seat_map(stage), stage.painter.plate()
        table = lay_table(seats)
        for k in range(day + night):
            known = [chosen(g, k >= day, bool(f)) for f in forehead]
            image = filmed(painted(stage, room, sitters, known, g), g, k >= day)
            for i, (place, what) in enumerate(zip(table.places, known, strict=True)):
                rows["head"].append(margined(image, head_box(table, place, seats.size), HEAD))
                rows["chest"].append(margined(image, arms_box(table, place, seats.size), CHEST))
                rows["key"].append(f"{seed}/{sitting}/{i}")
                rows["camera"].append(camera)
                rows["facing"].append(float(place.inward[1]))
                rows["small"].append(0.29 * place.box.h)
                rows["here"].append(what.here)
                rows["mask"].append(what.mask)
                rows["pose"].append(what.head)
                rows["folded"].append(what.folded)
                rows["night"].append(what.night)
    return {k: np.array(v) for k, v in rows.items()}


def painted(
    stage: Stage, room: Image, sitters: list[Sitter], known: list[Known], g: np.random.Generator
) -> Image:
    """The whole table in one go, over the empty room: everybody hides and shades whom they hide and shade."""
    there = [s for s, what in zip(sitters, known, strict=True) if what.here != "gone"]
    for i, (sitter, what) in enumerate(zip(sitters, known, strict=True)):
        s = bearing(g, what)
        pose = stage.pose(i + 1, s)
        figure, model = stage.books[i].figure, stage.models[i]
        placed = figure.place(pose)
        r, t = stage.chairs[i]
        head = figure.template.index["head"]
        rest = mask_of(stage, i, sitter, what.mask, g)
        worn = (rest - figure.head[head]) @ placed.rotation[head].T + placed.position[head]
        model.pose(figure.skin(model.outfit.skin, placed) @ r.T + t, worn @ r.T + t, what.mask)
        sitter.wear(what.mask, bool(g.random() < (0.85 if what.mask == "on" else 0.3)))
    camera, crowd = stage.painter.camera, Crowd(there)
    stage.painter.shadows([crowd])  # type: ignore[list-item]  # drawn as a model is
    cut = stage.painter.cut(crowd, (0, 0, camera.width, camera.height), trim=False)  # type: ignore[arg-type]
    return cv2.add(cv2.multiply(room, cv2.merge([cut.through] * 3), scale=1 / 255), cut.bgr)


def write_casts(
    about: str | None, name: str, cast_of: Callable[[int, int, int, int], dict[str, Any]], *usual: int
) -> None:
    """The command of a script of stills: `OUT/name_SEED.npz` for every seed that has none yet. `usual`: how
    many sittings, and stills of each by day and by night."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", required=True)
    for option, count in zip(("--sittings", "--day", "--night"), usual, strict=True):
        parser.add_argument(option, type=int, default=count)
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    for seed in a.seeds:
        path = a.out / f"{name}_{seed}.npz"
        if path.exists():
            continue
        part = path.with_suffix(".part.npz")
        np.savez_compressed(part, **cast_of(seed, a.sittings, a.day, a.night))
        part.replace(path)


if __name__ == "__main__":
    write_casts(__doc__, "night", cast_of, 3, 4, 7)
