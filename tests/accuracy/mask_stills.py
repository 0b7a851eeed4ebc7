"""Stills of studio tables for the mask head: every seat by day and by night, mask off, up or on.

    python tests/accuracy/mask_stills.py OUT --seeds 9201 9202 [--day 6] [--night 8] [--camera left]

Bodies stay as they are, heads turn and masks change: a face costs a tenth of a second. Written like
`studio_stills.py` writes, without boxes of hands. Seeds from 9000 up are for training, 600-699 for proof.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from vote_clips import CAMERAS, staged

from mafiavar.sample_videos.picture.acting import STEPS, Bearing, Move
from mafiavar.sample_videos.picture.stage import Stage

DAY_HEADS = ("y-2", "y-1", "y0", "y0", "y1", "y2", "down")
NIGHT_HEADS = ("bow", "bow", "bow", "up", "y0")
NIGHT_GAIN = (0.45, 0.9)


def at(pose: str) -> Move:
    return Move(pose, pose, STEPS)


def bearings(stage: Stage, g: np.random.Generator, night: bool, arms: list[str]) -> list[Bearing]:
    """How the ten sit in one still. `arms`: each seat's own way by day."""
    torso = "night" if night else "day"
    out = []
    for seat in range(1, 11):
        pose = "cross" if night else arms[seat - 1]
        masks = ("on", "on", "on", "up", "off") if night else ("off", "off", "up", "on")
        out.append(
            replace(
                stage.resting(),
                torso=at(torso),
                head=at(str(g.choice(NIGHT_HEADS if night else DAY_HEADS))),
                right=at(f"{torso}/{pose}"),
                left=at(f"{torso}/{pose}"),
                mask=str(g.choice(masks)),
            )
        )
    return out


def record(stage: Stage, states: list[Bearing], boxes: list[dict[str, object]]) -> list[dict[str, Any]]:
    return [
        {
            "torso": s.torso.b, "head": s.head.b, "mask": s.mask, **boxes[i],
            "hands": [{"side": side, "pose": m.b.split("/")[1]} for side, m in (("R", s.right), ("L", s.left))],
        }
        for i, s in enumerate(states)
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", required=True)
    parser.add_argument("--day", type=int, default=6)
    parser.add_argument("--night", type=int, default=8)
    parser.add_argument("--camera", choices=CAMERAS)
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    for seed in a.seeds:
        camera = a.camera or CAMERAS[seed % len(CAMERAS)]
        if (a.out / f"{seed}_{camera}_m{a.day + a.night - 1}.json").exists():
            continue
        stage = staged(seed, camera)
        boxes = [stage.seat_boxes(s) for s in range(1, 11)]
        g = np.random.default_rng([seed, 51])
        arms = [str(g.choice(["lap", "rest", "face"])) for _ in range(10)]
        for i in range(a.day + a.night):
            night = i >= a.day
            states = bearings(stage, g, night, arms)
            gain = float(g.uniform(*NIGHT_GAIN)) if night else float(g.uniform(0.9, 1.05))
            lit = stage.compose(states) * gain
            name = f"{seed}_{camera}_m{i}"
            cv2.imwrite(str(a.out / f"{name}.png"), np.clip(lit, 0, 255).astype(np.uint8))
            truth = {
                "seed": seed, "camera": camera, "night": night, "table_polygon": stage.polygon(),
                "seats": record(stage, states, boxes),
            }  # fmt: skip
            (a.out / f"{name}.json").write_text(json.dumps(truth), "utf-8")


if __name__ == "__main__":
    main()
