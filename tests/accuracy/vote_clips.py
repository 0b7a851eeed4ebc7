"""Rendered clips full of votes, with exact truth: what the figures of seeing are measured on.

    python tests/accuracy/vote_clips.py OUT --seeds 501 502 503 [--calls 22] [--fps 25] [--camera high]

One round of `--calls` calls, 2.8 seconds apart (number said, «стоп» from 1.45 to 1.7 s, count from 1.85
to 2.1 s after it): as fast as a judge can call. In each a seat votes with probability .45: in time, early,
late, withdrawn, held into the next call, with either hand or both, in any form of the hand. Between
votes people sway, gesture, touch their face. Seeds below 9000: no cast that any head was trained on;
500-530, 532-536, 539-542, 545, 546 and 551 have been looked at; the others from 531 on are for proof.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

from mafiavar.sample_videos.bodies.source import cache_folder
from mafiavar.sample_videos.picture.acting import STEPS, Bearing, Move
from mafiavar.sample_videos.picture.cast import scene
from mafiavar.sample_videos.picture.painter import Image
from mafiavar.sample_videos.picture.sprites import SpriteStore
from mafiavar.sample_videos.picture.stage import Stage

CAMERAS = ("high", "std", "left", "right", "near", "top", "low")
LEAD, PERIOD, TAIL = 1.6, 2.8, 1.2
"""Seconds before the first number, between two numbers, after the last call."""
CALLED, STOP, COUNT = (-0.6, 0.0), (1.45, 1.7), (1.85, 2.1)
"""The judge's words, seconds from the end of the number."""
WAYS = ((4,), (2, 4), (2, 4, 5), (2, 2, 4, 4, 5, 5))
"""How fast a hand comes: steps of a movement, one for each 1/25 s. It goes as it came, the other way round."""
GESTURE = (6, 6, 6, 4, 4, 2, 2, 4, 4)  # a hand that talks along is never still: steps, one for each 1/25 s
FORMS = ("fist_vertical",) * 16 + ("fist_flat", "palm", "finger", "elbow")
KINDS = ("in time",) * 15 + ("early", "withdrawn", "withdrawn", "late", "held")
VOTES, BOTH, GESTURES = 0.45, 0.03, 0.07
GRAIN = 1.5  # grey levels


@dataclass(frozen=True, slots=True)
class Act:
    """What an arm does: `first` is the frame in which it is there, `after` the one in which it has left."""

    seat: int
    side: str
    pose: str
    first: int
    after: int
    way: tuple[int, ...]
    call: int  # -1: not a vote


def named(call: int) -> float:
    """When a call's number has been said, seconds."""
    return LEAD + call * PERIOD


def plan(seed: int, calls: int, fps: float) -> list[Act]:
    """Every act of a clip, by time."""
    g = np.random.default_rng([seed, 41])
    acts: list[Act] = []
    for seat in range(1, 11):
        right = float(
            g.choice((0.0, 0.5, 0.7, 1.0, 1.0))
        )  # how often it is the right hand; the other may rest
        for call in range(calls):
            t = named(call)
            way = WAYS[int(g.integers(len(WAYS)))]
            kind, form, side = str(g.choice(KINDS)), str(g.choice(FORMS)), "R" if g.random() < right else "L"
            votes, both, moves = g.random() < VOTES, g.random() < BOTH, g.random() < GESTURES
            a, b = _times(kind, g)
            gesture = str(g.choice(("gesture", "gesture_open", "face")))
            if votes:
                sides = "RL" if both and 0 < right < 1 and form != "elbow" else side
                new = [_act(seat, s, form, t + a, t + b, way, call, fps) for s in sides]
            elif moves:
                new = [_act(seat, side, gesture, t + a, t + max(b, a + 0.5), WAYS[1], -1, fps)]
            else:
                continue
            if all(_free(x, acts) for x in new):
                acts += new
    return sorted(acts, key=lambda x: (x.first, x.seat, x.side))


def _times(kind: str, g: np.random.Generator) -> tuple[float, float]:
    """When the hand comes and goes, seconds from the number."""
    u = g.uniform
    comes = float(u(0.0, 1.1))
    if kind == "early":
        return float(u(-0.40, -0.02)), float(u(1.75, 2.3))
    if kind == "withdrawn":
        comes = float(u(0.0, 0.8))
        return comes, comes + float(u(0.3, max(0.35, 1.4 - comes)))
    if kind == "late":
        comes = float(u(1.72, 2.1))
        return comes, comes + float(u(0.3, 0.5))
    return comes, float(u(2.9, 3.2)) if kind == "held" else float(u(1.75, 2.4))


def _act(
    seat: int, side: str, pose: str, a: float, b: float, way: tuple[int, ...], call: int, fps: float
) -> Act:
    thin = way if fps > 20 else way[::2]
    return Act(seat, side, pose, round(a * fps), round(b * fps), thin, call)


def _free(new: Act, acts: list[Act]) -> bool:
    """Has the seat come to rest before, and does nothing it does later begin too soon?"""
    for old in (x for x in acts if x.seat == new.seat):
        pause = len(old.way) + len(new.way) + 2
        if new.first < old.after + pause and old.first < new.after + pause and old.first != new.first:
            return False
    return True


class Player:
    """How one seat sits in every frame."""

    def __init__(self, stage: Stage, seat: int, acts: list[Act], seed: int, fps: float) -> None:
        g = np.random.default_rng([seed, seat, 42])
        self.seat, self.fps, self.rest = seat, fps, stage.resting()
        self.mine = [x for x in acts if x.seat == seat]
        self.idle = {s: str(g.choice(["lap", "lap", "lap", "rest", "face"])) for s in "RL"}
        for act in self.mine:  # a hand that votes comes from the lap
            self.idle[act.side] = "lap"
        self.mask = str(g.choice(["off", "off", "up"]))
        self.head = f"y{int(g.integers(-1, 2))}"
        self.elbow: Callable[[str], str] = stage.books[seat - 1].elbow_torso

    def bearing(self, frame: int) -> Bearing:
        torso, still = Move("day", "day", STEPS), True
        poses = {s: (self.idle[s], self.idle[s], STEPS) for s in "RL"}
        for act in self.mine:
            n = len(act.way)
            if not act.first - n <= frame < act.after + n:
                continue
            still = False
            idle, lean = self.idle[act.side], self.elbow(act.side) if act.pose == "elbow" else "day"
            if frame < act.first:
                k = act.way[frame - act.first + n]
                poses[act.side], torso = (idle, act.pose, k), Move("day", lean, k)
            elif frame < act.after:
                k = (
                    STEPS
                    if act.call >= 0
                    else GESTURE[int((frame - act.first) * 25 / self.fps) % len(GESTURE)]
                )
                poses[act.side], torso = (idle, act.pose, k), Move(lean, lean, STEPS)
            else:
                k = act.way[act.after - frame - 1]
                poses[act.side], torso = (idle, act.pose, k), Move("day", lean, k)
        arms = {}
        for side, (a, b, k) in poses.items():  # both arms go along with a torso that leans
            arms[side] = _move(f"{torso.a}/{a}", f"{torso.b}/{b}", min(k, torso.step))
        return replace(
            self.rest,
            torso=_move(torso.a, torso.b, torso.step),
            head=Move(self.head, self.head, STEPS),
            right=arms["R"],
            left=arms["L"],
            mask=self.mask,
            sway=int(frame / self.fps / 1.4 + self.seat * 0.37) % 2 if still else 0,
        )


def _move(a: str, b: str, step: int) -> Move:
    return Move(b, b, STEPS) if a == b or step >= STEPS else Move(a, b, step)


class InMemory(SpriteStore):
    """Sprites of one clip are of no use to the next: nothing is packed or written."""

    def _get(self, key: str, make: Callable[[], tuple[Any, ...]]) -> list[Any]:
        if key not in self._memory:
            self._memory[key] = list(make())
        return self._memory[key]


def staged(seed: int, camera: str) -> Stage:
    stage = Stage(scene(seed, camera), seed, cache_folder() / "clips")
    stage.store.close()
    stage.store = InMemory(cache_folder() / "clips", "in memory")
    return stage


def frames(stage: Stage, players: list[Player], count: int) -> Iterator[Image]:
    """Pictures without grain; the same array as long as nothing moves."""
    before: list[Bearing] | None = None
    image = np.zeros((2, 2, 3), np.uint8)
    for k in range(count):
        now = [p.bearing(k) for p in players]
        if now != before:
            image, before = stage.compose(now), now
        yield image


class Grain:
    """A sensor's noise on the luma: pieces of one large plane, another in every frame."""

    def __init__(self, seed: int, width: int, height: int) -> None:
        g = np.random.default_rng([seed, 43])
        noise = np.rint(g.normal(0, GRAIN, (height + 96, width + 96)))
        self.plus, self.minus = np.maximum(noise, 0).astype(np.uint8), np.maximum(-noise, 0).astype(np.uint8)
        self.g, self.width, self.height = g, width, height

    def on(self, image: Image) -> Image:
        """Planes of yuv420p."""
        planes = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)
        y, x = (int(v) for v in self.g.integers(0, 96, 2))
        area = np.s_[y : y + self.height, x : x + self.width]
        luma = planes[: self.height]
        cv2.add(luma, self.plus[area], dst=luma)
        cv2.subtract(luma, self.minus[area], dst=luma)
        return np.asarray(planes, np.uint8)


def name_of(seed: int, camera: str) -> str:
    return f"votes_{seed}_{camera}"


def render(seed: int, camera: str, calls: int, fps: float, out: Path) -> Path:
    """NAME.mp4, NAME.truth.json, NAME.seats.toml in `out`; the clip's path."""
    stage = staged(seed, camera)
    acts = plan(seed, calls, fps)
    players = [Player(stage, s, acts, seed, fps) for s in range(1, 11)]
    path = out / f"{name_of(seed, camera)}.mp4"
    width, height = stage.painter.camera.width, stage.painter.camera.height
    grain = Grain(seed, width, height)
    count = round((LEAD + calls * PERIOD + TAIL) * fps)
    rate = Fraction(fps)
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream("libx264", rate=rate)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.time_base = 1 / rate
        stream.options = {"crf": "26", "preset": "superfast", "g": str(round(8 * fps)), "threads": "1"}
        for k, image in enumerate(frames(stage, players, count)):
            frame = av.VideoFrame.from_ndarray(grain.on(image), format="yuv420p")
            frame.pts, frame.time_base = k, 1 / rate
            for packet in stream.encode(frame):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    write_truth(stage, players, acts, (seed, camera, calls, fps), path)
    return path


def write_truth(
    stage: Stage, players: list[Player], acts: list[Act], of: tuple[int, str, int, float], path: Path
) -> None:
    seed, camera, calls, fps = of
    hands = []
    for act in (x for x in acts if x.call >= 0):
        middle = (act.first + act.after) // 2
        states: list[Bearing | None] = [p.bearing(middle) for p in players]
        view = stage.hand_view(act.seat, act.side, states)
        hands.append(
            {
                "seat": act.seat, "hand": "right" if act.side == "R" else "left", "form": act.pose, "call": act.call,
                "t0": act.first / fps, "t1": act.after / fps, "visible": view.visible, "size_px": view.size,
                "box": list(view.box),
            }
        )  # fmt: skip
    words = [
        {
            k: [round(named(c) + t, 3) for t in span]
            for k, span in (("called", CALLED), ("stop", STOP), ("count", COUNT))
        }
        for c in range(calls)
    ]
    boxes = [stage.seat_boxes(s) for s in range(1, 11)]
    truth = {
        "seed": seed,
        "camera": camera,
        "fps": fps,
        "calls": words,
        "duration": LEAD + calls * PERIOD + TAIL,
        "hands": hands,
        "seats": boxes,
    }
    base = path.with_suffix("")
    base.with_suffix(".truth.json").write_text(json.dumps(truth, indent=1), "utf-8")
    polygon = [[round(x), round(y)] for x, y in stage.polygon()[::3]]
    lines = ["[[camera]]", f'recording = "{path.name}"', "[camera.table]", f"polygon = {polygon}"]
    for s in boxes:
        x0, y0, x1, y1 = (float(v) for v in s["box"])  # type: ignore[attr-defined]
        lines += ["[[camera.seat]]", f"number = {s['seat']}"]
        lines.append(f"box = [{round(x0)}, {round(y0)}, {round(x1 - x0)}, {round(y1 - y0)}]")
    base.with_suffix(".seats.toml").write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", required=True)
    parser.add_argument("--calls", type=int, default=22)
    parser.add_argument("--fps", type=float, default=25.0)
    parser.add_argument("--camera", choices=CAMERAS)
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    for seed in a.seeds:
        render(seed, a.camera or CAMERAS[seed % len(CAMERAS)], a.calls, a.fps, a.out)


if __name__ == "__main__":
    main()
