"""The wall of stills in docs/studio.md: every camera, day, vote and night, and every damage of the picture.

    python tests/accuracy/studio_wall.py docs/studio-wall.jpg

Sixteen tiles; each goes the way of a recording's frame (compose, light, damage, noise). About a CPU minute.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import av
import cv2
import numpy as np

from mafiavar.sample_videos.bodies.source import cache_folder
from mafiavar.sample_videos.picture.acting import STEPS, Bearing, Move
from mafiavar.sample_videos.picture.bystanders import Passing
from mafiavar.sample_videos.picture.cast import scene
from mafiavar.sample_videos.picture.damage import Damage, Note
from mafiavar.sample_videos.picture.encode import write_piece
from mafiavar.sample_videos.picture.film import NICKNAMES
from mafiavar.sample_videos.picture.painter import Image
from mafiavar.sample_videos.picture.stage import Stage

SIZE = (960, 540)
TILE = (480, 270)
States = list[Bearing | None]


def at(pose: str) -> Move:
    return Move(pose, pose, STEPS)


def sit(
    right: str = "rest", left: str = "rest", head: str = "y0", mask: str = "off", torso: str = "day"
) -> Bearing:
    return Bearing(at(torso), at(head), at(f"{torso}/{right}"), at(f"{torso}/{left}"), 0, mask)


def day() -> States:
    arms = (
        "gesture",
        "rest_in",
        "face",
        "rest",
        "lap",
        "rest_flat",
        "pointing",
        "rest",
        "gesture_open",
        "rest_in",
    )
    out: States = [sit(a, "rest", f"y{k % 3 - 1}", "up" if k % 4 == 1 else "off") for k, a in enumerate(arms)]
    out[2] = sit("hang", "hang", torso="stand")
    out[7] = None  # an empty chair
    return out


def vote() -> States:
    forms = (
        "fist_vertical",
        "lap",
        "palm",
        "fist_vertical",
        "fist_flat",
        "finger",
        "lap",
        "fist_vertical",
        "lap",
    )
    return [*(sit(f, "lap") for f in forms), sit("lap", "fist_vertical")]


def night(shots: str = "sign3") -> States:
    calm = sit("cross", "cross", "bow", "on", "night")
    out: States = [calm] * 10
    out[0] = replace(calm, right=at(f"night/{shots}"))
    out[4] = replace(calm, right=at(f"night/{shots}"), left=at("night/cross"))
    out[2] = replace(calm, head=at("up"))  # a raised head
    out[6] = replace(calm, right=at("night/lap"), left=at("night/lap"))  # lowered arms
    out[8] = replace(calm, head=at("up"), mask="up")  # the mask on the forehead
    return out


def stage(camera: str, seed: int, dark: bool = False, judge: bool = False, passers: int = 0) -> Stage:
    where = scene(seed, camera, SIZE, dark, "far", True, judge, passers)
    return Stage(where, seed, cache_folder() / "wall")


def dimmed(image: Image, level: float = 0.72) -> Image:
    return np.clip(image * level, 0, 255).astype(np.uint8)


def noisy(image: Image, sigma: float) -> Image:
    grain = np.random.default_rng(3).normal(0, sigma, (*image.shape[:2], 1))
    return np.clip(image + grain, 0, 255).astype(np.uint8)


def squeezed(image: Image, crf: int) -> Image:
    """The second frame of a hard compressed piece."""
    planes = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420), np.uint8)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.mp4"
        write_piece(path, iter([(k, planes) for k in range(4)]), (image.shape[1], image.shape[0]), 25, crf)
        with av.open(str(path)) as file:
            return [f.to_ndarray(format="bgr24") for f in file.decode(video=0)][1]


def tiles() -> list[tuple[str, Image]]:
    out: list[tuple[str, Image]] = []
    plan: tuple[tuple[str, int, str, Callable[[], States]], ...] = (
        ("high", 51, "day", day), ("std", 52, "vote", vote), ("left", 53, "night: fingers", night),
        ("right", 54, "vote", vote), ("near", 55, "night: raised hands", lambda: night("gun")), ("low", 56, "day", day),
        ("top", 57, "vote", vote),
    )  # fmt: skip
    for camera, seed, name, states in plan:
        s = stage(camera, seed)
        image = s.compose(states())
        out.append((f"{camera}, {name}", dimmed(image) if "night" in name else image))
        s.store.close()
        print(out[-1][0], flush=True)
    s = stage("high", 51, judge=True, passers=2)
    judge = Bearing(at("fwd2"), at("y0"), at("fwd2/reach"), at("fwd2/rest_in"))
    table: States = [*vote(), judge]
    plain = s.compose(table)
    strangers = [Passing(0.0, "near", True, 0).at(3.2), Passing(0.0, "far", False, 1).at(2.6)]
    out.append(("the judge's arm, two passers-by", s.compose(table, [w for w in strangers if w is not None])))
    s.store.close()
    s = stage("left", 53, dark=True)
    out.append(("low light, noise 2.6", noisy(s.compose(vote()), 2.6)))
    s.store.close()
    names = tuple(NICKNAMES[:10])
    book = Note(0.0, names, (1, 0, 3, 0, 0, 2, 0, 0, 0, 0), (3, 7), (9,))
    out += [
        ("noise 6", noisy(plain, 6.0)),
        ("blur 2", Damage(soft=2.0).apply(plain, 1.0, False)),
        ("crf 42", squeezed(plain, 42)),
        ("bumped camera", Damage(bump=(0.0, 40.0, -24.0, 3.0)).apply(plain, 1.0, False)),
        ("title card", Damage(title_card=True).apply(plain, 1.0, True)),
        ("overlay", Damage(notes=[book]).apply(plain, 1.0, False)),
        (
            "rotation 90 as coded",
            _fitted(np.asarray(cv2.rotate(plain, cv2.ROTATE_90_COUNTERCLOCKWISE), np.uint8)),
        ),
    ]
    return out


def _fitted(image: Image) -> Image:
    h, w = image.shape[:2]
    k = SIZE[1] / h
    small = cv2.resize(image, (round(w * k), SIZE[1]), interpolation=cv2.INTER_AREA)
    out = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    x = (SIZE[0] - small.shape[1]) // 2
    out[:, x : x + small.shape[1]] = small
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    cells = []
    for name, image in tiles():
        cell = cv2.resize(image, TILE, interpolation=cv2.INTER_AREA)
        cv2.rectangle(cell, (0, 0), (10 + 8 * len(name), 20), (0, 0, 0), -1)
        cv2.putText(cell, name, (5, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (255, 255, 255), 1, cv2.LINE_AA)
        cells.append(cell)
    rows = [np.hstack(cells[k : k + 4]) for k in range(0, len(cells), 4)]
    cv2.imwrite(str(given.out), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 86])


if __name__ == "__main__":
    main()
