"""What people at studio tables do beside what they usually do: what the heads `risen` and `held` are fitted to
(and `gesture`, which was tried and is not shipped).

    python tests/accuracy/doing_stills.py OUT --seeds 9500 9501 [--sittings 2] [--day 8] [--night 6]

Writes `doing_SEED.npz` per cast: of every seat the crops the program cuts (with a margin), now and as it usually
looks, and what it does. By day, as in a vote: a quarter gesture (a hand waves, points, talks along, shows a
number, shoots), a quarter vote in every form or are on their way to it, the others rest, touch their faces, lean, write, rise
or have left. At night: a third hold the mask, the others touch the face, take down the arms, raise the head,
take off the mask, show numbers. Usual pictures are others of the same table.

Seeds: 9500-9539 fitting, 9540-9549 validation (thresholds), 9550-9559 proof.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parent))
from night_stills import Sitter, at, filmed, margined, write_casts
from reach_stills import painted, seat_map, seated
from vote_clips import staged

from mafiavar.analyzer.vision.bodies import Square, head_box, on_elbow, rising_box
from mafiavar.analyzer.vision.place import Place, Table, lay_table
from mafiavar.sample_videos.bodies.poses import LIFTED
from mafiavar.sample_videos.picture.acting import STEPS, Bearing, Move
from mafiavar.sample_videos.picture.stage import Stage

Image = npt.NDArray[np.uint8]

ACTING, RISING, HEAD = 84, 64, 64  # pixels of the crops, margin included
USUALS = 2
GESTURES = ("gesture_open",) * 4 + ("pointing",) * 4 + ("gesture",) * 2 + ("gun", "sign2", "sign5")
VOTES = ("fist_vertical",) * 7 + ("fist_flat", "palm", "finger", "thumb_up") + ("elbow",) * 3
IDLE = ("lap",) * 6 + ("rest", "rest_in", "face")
OTHERS = ("face", "face", "face", "mask", "hang", "cross", "write", "rest", "rest_in", "rest_flat", "lap")
HEADS = ("y-2", "y-1", "y0", "y0", "y1", "y2", "down")
ON_ITS_WAY = 0.4


_ACTING, _AHEAD = 1.15, 0.1  # of the box's height; of the table's radius


@dataclass(frozen=True, slots=True)
class Doing:
    """What a seat does; `bearing` None: it has left."""

    what: str
    bearing: Bearing | None
    mask: str = "off"


def moved(torso: str, a: str, b: str, step: int = STEPS) -> Move:
    """An arm between two poses under a torso."""
    return at(f"{torso}/{b}") if step == STEPS or a == b else Move(f"{torso}/{a}", f"{torso}/{b}", step)


def usual_by_day(g: np.random.Generator) -> Doing:
    pose = str(g.choice(IDLE))
    other = pose if pose not in ("face",) else "lap"
    return Doing(
        "else", _bearing(g, "day", f"y{int(g.integers(-1, 2))}", at(f"day/{pose}"), at(f"day/{other}"))
    )


def by_day(g: np.random.Generator, stage: Stage, i: int) -> Doing:
    """What the i-th body does by day."""
    u, idle, head = float(g.random()), str(g.choice(IDLE[:-1])), str(g.choice(HEADS))
    right = bool(g.random() < 0.6)
    rest = at(f"day/{idle}")
    if u < 0.25:
        pose = str(g.choice(GESTURES))
        step = STEPS if g.random() < 0.7 else int(g.integers(2, STEPS))
        arm = moved("day", idle, pose, step)
        other = arm if g.random() < 0.12 else rest
        return Doing(
            "gesture" if step >= 4 else "unclear", _bearing(g, "day", head, *_sides(arm, other, right))
        )
    if u < 0.51:
        return _vote(g, stage, i, (idle, head, right))
    if u < 0.58:
        torso = str(g.choice(("lean_left", "lean_right")))
        arm, other = at(f"{torso}/{'touch' if g.random() < 0.4 else idle}"), at(f"{torso}/{idle}")
        return Doing("else", _bearing(g, torso, head, *_sides(arm, other, torso == "lean_right")))
    if u < 0.67:
        arms = [at(f"stand/{'hang' if g.random() < 0.7 else 'cross'}")] * 2
        return Doing("stands", _bearing(g, "stand", head, *arms))
    if u < 0.72:
        return Doing("gone", None)
    arm = moved("day", idle, str(g.choice(OTHERS)), STEPS if g.random() < 0.7 else int(g.integers(2, STEPS)))
    return Doing("else", _bearing(g, "day", head, *_sides(arm, rest, right)))


def _vote(g: np.random.Generator, stage: Stage, i: int, how: tuple[str, str, bool]) -> Doing:
    idle, head, right = how
    form = str(g.choice(VOTES))
    torso = stage.books[i].elbow_torso("R" if right else "L") if form == "elbow" else "day"
    pose = form + LIFTED if form != "elbow" and g.random() < 0.2 else form
    step = int(g.integers(2, STEPS)) if g.random() < ON_ITS_WAY else STEPS
    arm, rest = moved(torso, idle, pose, step), at(f"{torso}/{idle}")
    return Doing("votes", _bearing(g, torso, head, *_sides(arm, rest, right)))


def usual_at_night(g: np.random.Generator) -> Doing:
    return Doing("else", _bearing(g, "night", "bow", at("night/cross"), at("night/cross")), "on")


def at_night(g: np.random.Generator) -> Doing:
    u, idle = float(g.random()), "cross" if g.random() < 0.75 else str(g.choice(("lap", "rest")))
    right = bool(g.random() < 0.5)
    rest = at(f"night/{idle}")
    head = "bow" if g.random() < 0.75 else str(g.choice(("up", "y0", "y-1", "y1")))
    if u < 0.32:
        step = STEPS if g.random() < 0.85 else 5
        arm = moved("night", "cross", "mask", step)
        other = arm if g.random() < 0.12 else rest
        mask = "on" if g.random() < 0.85 else str(g.choice(("up", "off")))
        what = "holds" if mask == "on" else "unclear"
        return Doing(what, _bearing(g, "night", head, *_sides(arm, other, right)), mask)
    if u < 0.72:
        pose = str(g.choice(("face", "face", "lap", "rest", "sign1", "sign2", "sign5", "gesture", "hang")))
        step = STEPS if g.random() < 0.75 else int(g.integers(2, STEPS))
        arm = moved("night", "cross", pose, step)
        return Doing(
            "else", _bearing(g, "night", head, *_sides(arm, rest, right)), "on" if g.random() < 0.9 else "up"
        )
    if u < 0.82:
        torso = str(g.choice(("lean_left", "lean_right")))
        arms = [at(f"{torso}/{'touch' if k and g.random() < 0.5 else 'cross'}") for k in range(2)]
        return Doing("else", _bearing(g, torso, head, *_sides(arms[1], arms[0], torso == "lean_right")), "on")
    mask = str(g.choice(("on", "up", "off")))
    return Doing("else", _bearing(g, "night", str(g.choice(("bow", "up", "y0"))), rest, rest), mask)


def _sides(arm: Move, other: Move, right: bool) -> tuple[Move, Move]:
    return (arm, other) if right else (other, arm)


def _bearing(g: np.random.Generator, torso: str, head: str, right: Move, left: Move) -> Bearing:
    mouth = 0 if torso == "night" else int(g.integers(0, 2))
    return Bearing(at(torso), at(head), right, left, mouth=mouth, sway=int(g.integers(0, 4)))


def cast_of(seed: int, sittings: int, day: int, night: int) -> dict[str, npt.NDArray[Any]]:
    """Rows of one cast, those of the day and of the night each with their own names; one seat each."""
    stage = staged(seed, "high")
    names = ("acting", "acting0", "rising", "rising0", "what", "facing", "key")
    rows: dict[str, list[Any]] = {f"day_{k}": [] for k in names}
    rows |= {f"night_{k}": [] for k in ("head", "head0", "what", "facing", "key")}
    for sitting in range(sittings):
        g = np.random.default_rng([seed, sitting, 83])
        numbers = seated(stage, g, seed)
        sitters = [Sitter(m, g) for m in stage.models]
        seats = seat_map(stage, numbers)
        table, room = lay_table(seats), stage.painter.plate()
        for dark, count in ((False, day), (True, night)):
            usual: list[dict[int, dict[str, Image]]] = []
            light = int(g.integers(1 << 30))
            for k in range(USUALS + count):
                if dark:
                    acts = [usual_at_night(g) if k < USUALS else at_night(g) for _ in numbers]
                else:
                    acts = [usual_by_day(g) if k < USUALS else by_day(g, stage, i) for i in range(10)]
                lamps = np.random.default_rng([light, 1])  # the same lamps and lens all along
                shown = painted(stage, room, sitters, [a.bearing for a in acts], [a.mask for a in acts], g)
                image = filmed(shown, lamps, dark)
                crops = {n: _crops(image, table, table.place(n), seats.size, dark) for n in numbers}
                if k < USUALS:
                    usual.append(crops)
                    continue
                for n, act in zip(numbers, acts, strict=True):
                    then, part = usual[int(g.integers(USUALS))][n], "night" if dark else "day"
                    for name, crop in crops[n].items():
                        rows[f"{part}_{name}"].append(crop)
                        rows[f"{part}_{name}0"].append(then[name])
                    rows[f"{part}_what"].append(act.what)
                    rows[f"{part}_facing"].append(float(table.place(n).inward[1]))
                    rows[f"{part}_key"].append(f"{seed}/{sitting}/{n}")
    return {k: np.array(v) for k, v in rows.items()}


def _crops(image: Image, table: Table, place: Place, size: tuple[int, int], dark: bool) -> dict[str, Image]:
    if dark:
        return {"head": margined(image, head_box(table, place, size), HEAD)}
    return {
        "acting": margined(image, acting_box(table, place, size), ACTING),
        "rising": margined(image, rising_box(place, size), RISING),
    }


def acting_box(table: Table, place: Place, size: tuple[int, int]) -> Square:
    """A square that holds head, chest and what the arms do before and beside them, inside the picture."""
    at_edge = np.mean([on_elbow(table, place, s) for s in (-1.0, 1.0)], axis=0)
    cx, cy = at_edge + table.back @ (_AHEAD * place.inward)
    side = min(_ACTING * place.box.h, *size)
    x, y = (round(float(np.clip(c - side / 2, 0, s - side))) for c, s in zip((cx, cy), size, strict=True))
    return x, y, int(side), int(side)


if __name__ == "__main__":
    write_casts(__doc__, "doing", cast_of, 2, 8, 6)
