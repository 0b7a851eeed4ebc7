"""Short rendered clips full of votes, with exact truth: what the figures of seeing are measured on.

    python tests/accuracy/vote_clips.py OUT --seeds 501 502 503

Ten seconds each, 25 frames a second, two calls; every seat votes in one of them, in both, in none,
or does something else with its hands. Seeds below 9000: no cast that any head was trained on.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from mafiavar.sample_videos.bodies.source import cache_folder
from mafiavar.sample_videos.picture.acting import STEPS, Bearing, Move
from mafiavar.sample_videos.picture.cast import scene
from mafiavar.sample_videos.picture.stage import Stage

CAMERAS = ("high", "std", "left", "right", "near", "top")
FPS = 25
SECONDS = 10
WAY = (2, 2, 4, 4)  # steps of a movement, a frame each
CALLS = ((1.5, 4.5), (5.5, 8.5))
FORMS = ("fist_vertical",) * 16 + ("fist_flat", "palm", "finger", "elbow")


@dataclass(frozen=True)
class Act:
    seat: int
    side: str
    form: str
    first: int  # frame in which the hand is on the table
    after: int  # frame in which it is off again


def plan(seed: int) -> list[Act]:
    g = np.random.default_rng([seed, 41])
    acts = []
    for seat in range(1, 11):
        for a, b in CALLS:
            if g.random() > 0.45:
                continue
            first = round((a + float(g.uniform(0, 1.2))) * FPS)
            length = float(g.uniform(0.4, 0.7)) if g.random() < 0.1 else float(g.uniform(1.0, b - a - 1.3))
            side = "R" if g.random() < 0.7 else "L"
            acts.append(Act(seat, side, str(g.choice(FORMS)), first, first + round(length * FPS)))
    return acts


def bearing(stage: Stage, seat: int, frame: int, acts: list[Act], seed: int) -> Bearing:
    g = np.random.default_rng([seed, seat, 42])
    idle = {side: f"day/{g.choice(['lap', 'lap', 'lap', 'rest', 'face'])}" for side in "RL"}
    masks = str(g.choice(["off", "off", "up"]))
    for act in acts:
        if act.seat == seat:  # a hand that votes comes from the lap
            idle[act.side] = "day/lap"
    arms = {side: Move(idle[side], idle[side], STEPS) for side in "RL"}
    for act in (x for x in acts if x.seat == seat):
        to = f"day/{act.form}"
        n = len(WAY)
        if act.first <= frame < act.after:
            arms[act.side] = Move(to, to, STEPS)
        elif act.first - n <= frame < act.first:
            arms[act.side] = Move(idle[act.side], to, WAY[frame - (act.first - n)])
        elif act.after <= frame < act.after + n:
            arms[act.side] = Move(to, idle[act.side], WAY[frame - act.after])
    return replace(stage.resting(), right=arms["R"], left=arms["L"], mask=masks)


def render(seed: int, camera: str, out: Path) -> None:
    stage = Stage(scene(seed, camera), seed, cache_folder() / "clips")
    acts = plan(seed)
    name = f"votes_{seed}_{camera}"
    width, height = stage.painter.camera.width, stage.painter.camera.height
    grain = np.random.default_rng([seed, 43])
    with av.open(str(out / f"{name}.mp4"), "w") as container:
        stream: Any = container.add_stream("libx264", rate=FPS)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.time_base = Fraction(1, 12800)
        stream.options = {"crf": "26", "preset": "veryfast", "g": "60"}
        before: list[Bearing] | None = None
        image = np.zeros((height, width, 3), np.uint8)
        for k in range(SECONDS * FPS):
            now = [bearing(stage, s, k, acts, seed) for s in range(1, 11)]
            if now != before:
                image, before = stage.compose(now), now
            noisy = np.clip(image + grain.normal(0, 1.5, (height, width, 1)), 0, 255).astype(np.uint8)
            frame = av.VideoFrame.from_ndarray(noisy, format="bgr24")
            frame.pts, frame.time_base = k * 512, Fraction(1, 12800)
            for packet in stream.encode(frame):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    write_truth(stage, acts, seed, camera, out / name)


def write_truth(stage: Stage, acts: list[Act], seed: int, camera: str, base: Path) -> None:
    boxes = [stage.seat_boxes(s) for s in range(1, 11)]
    hands = []
    for act in acts:
        middle = (act.first + act.after) // 2
        states: list[Bearing | None] = [bearing(stage, s, middle, acts, seed) for s in range(1, 11)]
        view = stage.hand_view(act.seat, act.side, states)
        hands.append(
            {
                "seat": act.seat, "hand": "right" if act.side == "R" else "left", "form": act.form,
                "t0": act.first / FPS, "t1": act.after / FPS, "visible": view.visible, "size_px": view.size,
                "box": list(view.box),
            }
        )  # fmt: skip
    truth = {
        "seed": seed,
        "camera": camera,
        "calls": CALLS,
        "duration": SECONDS,
        "hands": hands,
        "seats": boxes,
    }
    base.with_suffix(".truth.json").write_text(json.dumps(truth, indent=1), "utf-8")
    polygon = [[round(x), round(y)] for x, y in stage.polygon()[::3]]
    lines = ["[[camera]]", f'recording = "{base.name}.mp4"', "[camera.table]", f"polygon = {polygon}"]
    for s in boxes:
        x0, y0, x1, y1 = (float(v) for v in s["box"])  # type: ignore[attr-defined]
        lines += ["[[camera.seat]]", f"number = {s['seat']}"]
        lines.append(f"box = [{round(x0)}, {round(y0)}, {round(x1 - x0)}, {round(y1 - y0)}]")
    base.with_suffix(".seats.toml").write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", required=True)
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    for seed in a.seeds:
        render(seed, CAMERAS[seed % len(CAMERAS)], a.out)


if __name__ == "__main__":
    main()
