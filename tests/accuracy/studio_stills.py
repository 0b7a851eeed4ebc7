"""Stills of studio tables with every hand, mask and head labelled: data for the small heads.

    python tests/accuracy/studio_stills.py OUT --seeds 9001 9002 --frames 8

Writes `NAME.png` and `NAME.json` per still. Casts with seeds from 9000 up are for training only;
what is measured in docs/accuracy.md uses other seeds.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from mafiavar.sample_videos.bodies.source import cache_folder
from mafiavar.sample_videos.picture.acting import STEPS, Bearing, Move
from mafiavar.sample_videos.picture.cast import scene
from mafiavar.sample_videos.picture.stage import Stage

CAMERAS = ("high", "std", "left", "right", "near")
DAY_ARMS = (
    ("fist_vertical", 5), ("fist_flat", 2), ("palm", 2), ("finger", 2), ("elbow", 1), ("rest", 2),
    ("rest_in", 1), ("rest_flat", 1), ("lap", 3), ("face", 1), ("gesture", 1), ("thumb_up", 1),
)  # fmt: skip
NIGHT_ARMS = (("cross", 7), ("lap", 1), ("rest", 1), ("sign", 3), ("hang", 1))


def still(name: str, pose: str) -> Move:
    return Move(f"{name}{pose}", f"{name}{pose}", STEPS)


def choose(g: np.random.Generator, options: tuple[tuple[str, int], ...]) -> str:
    weights = np.array([w for _, w in options], float)
    return options[int(g.choice(len(options), p=weights / weights.sum()))][0]


def day(g: np.random.Generator) -> Bearing:
    head = f"y{int(g.integers(-2, 3))}"
    return Bearing(
        torso=still("", "day"),
        head=still("", head),
        right=still("day/", choose(g, DAY_ARMS)),
        left=still("day/", choose(g, DAY_ARMS)),
        mask=str(g.choice(["off", "up", "off"])),
    )


def night(g: np.random.Generator) -> Bearing:
    def arm() -> str:
        pose = choose(g, NIGHT_ARMS)
        return f"sign{int(g.integers(1, 6))}" if pose == "sign" else pose

    right = arm()
    left = "cross" if right == "cross" and g.random() < 0.8 else arm()
    return Bearing(
        torso=still("", "night"),
        head=still("", str(g.choice(["bow", "bow", "up"]))),
        right=still("night/", right),
        left=still("night/", left),
        mask=str(g.choice(["on", "on", "on", "up", "off"])),
    )


def record(
    stage: Stage, states: list[Bearing | None], boxes: list[dict[str, object]]
) -> list[dict[str, Any]]:
    seats = []
    for seat in range(1, 11):
        s = states[seat - 1]
        assert s is not None
        entry: dict[str, Any] = {
            "torso": s.torso.b, "head": s.head.b, "mask": s.mask, **boxes[seat - 1], "hands": [],
        }  # fmt: skip
        for side, move in (("R", s.right), ("L", s.left)):
            view = stage.hand_view(seat, side, states)
            entry["hands"].append(
                {
                    "side": side,
                    "pose": move.b.split("/")[1],
                    "visible": view.visible,
                    "size": view.size,
                    "box": list(view.box),
                }
            )
        seats.append(entry)
    return seats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", required=True)
    parser.add_argument("--frames", type=int, default=8)
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    for n, seed in enumerate(a.seeds):
        camera = CAMERAS[n % len(CAMERAS)]
        stage = Stage(scene(seed, camera), seed, cache_folder() / "stills")
        boxes = [stage.seat_boxes(s) for s in range(1, 11)]
        g = np.random.default_rng([seed, 31])
        for i in range(a.frames):
            at_night = i % 3 == 2
            states: list[Bearing | None] = [night(g) if at_night else day(g) for _ in range(10)]
            image = stage.compose(states)
            if at_night:
                image = np.clip(image * 0.72, 0, 255).astype(np.uint8)
            name = f"{seed}_{camera}_{i}"
            cv2.imwrite(str(a.out / f"{name}.png"), image)
            (a.out / f"{name}.json").write_text(
                json.dumps(
                    {
                        "seed": seed, "camera": camera, "night": at_night,
                        "table_polygon": stage.polygon(), "seats": record(stage, states, boxes),
                    },
                    ensure_ascii=False,
                ),
                "utf-8",
            )  # fmt: skip


if __name__ == "__main__":
    main()
