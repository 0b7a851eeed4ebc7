"""People beside the ten seats: the judge whose arm reaches over the table, strangers who walk past the camera."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from mafiavar.sample_videos.errors import ScriptError
from mafiavar.sample_videos.picture.acting import (
    ACT,
    EVER,
    IDLE,
    STEPS,
    Bearing,
    Channel,
    Move,
    Segment,
    fused,
    lay,
)
from mafiavar.sample_videos.timing import Timed

SPEED = 1.25  # metres a second
STRIDE = 0.34  # metres from one phase of the gait to the next
HALF = 4.7  # they come from behind one side wall and go behind the other
LINES = {"far": 2.45, "near": -1.92}  # metres from the table's middle along the camera's line of sight


@dataclass(frozen=True, slots=True)
class Walker:
    """who: which stranger; x, y: metres; heading: degrees about the vertical; gait: phase 0..3.

    drawn: the x of the nearest picture that is painted; between those the picture is shifted.
    """

    who: int
    x: float
    y: float
    heading: float
    gait: int
    drawn: float


@dataclass(frozen=True, slots=True)
class Passing:
    """A stranger walks past from second t0 on, behind the table (far) or before the camera (near)."""

    t0: float
    where: str
    to_right: bool
    who: int

    @property
    def t1(self) -> float:
        return self.t0 + 2 * HALF / SPEED

    def at(self, t: float) -> Walker | None:
        if not self.t0 <= t < self.t1:
            return None
        way = (t - self.t0) * SPEED
        phase = round(way / (STRIDE / 2))
        sign = 1.0 if self.to_right else -1.0
        return Walker(
            self.who, sign * (way - HALF), LINES[self.where], sign * 90, phase // 2 % 4,
            round(sign * (phase * STRIDE / 2 - HALF), 3),
        )  # fmt: skip


def passings(given: Any, duration: float, seed: int) -> tuple[Passing, ...]:
    """What `picture.passers` asks for: a number, or [[second, "far" or "near"], ...]. Raises ScriptError."""
    g = np.random.default_rng([seed, 61])
    if given is None or given == 0:
        return ()
    if isinstance(given, int) and not isinstance(given, bool) and 0 < given <= 50:
        times = sorted(float(x) for x in g.uniform(0, max(1.0, duration - 4), given))
        given = [[t, "near" if k % 3 == 2 else "far"] for k, t in enumerate(times)]
    out = []
    for k, item in enumerate(given if isinstance(given, list) else [given]):
        good = (
            isinstance(item, list)
            and len(item) == 2
            and isinstance(item[0], int | float)
            and item[1] in LINES
        )
        if not good:
            raise ScriptError(
                "picture.passers",
                'пишите число прохожих или [[секунда, "far" или "near"], ...]',
                'write how many, or [[second, "far" or "near"], ...]',
            )
        out.append(Passing(float(item[0]), str(item[1]), bool(g.random() < 0.5), k))
    return tuple(out)


def walkers(passing: Iterable[Passing], t: float) -> tuple[Walker, ...]:
    """Who is walking by at a moment."""
    return tuple(w for w in (p.at(t) for p in passing) if w is not None)


def counting(timed: Timed) -> list[tuple[float, float]]:
    """When the judge's arm is over the table: from a call's number to the count that he says."""
    out = []
    calls = [(p.named, p.line) for p in timed.lines if any(e["kind"] == "vote_called" for e in p.line.events)]
    told = [
        p.t1
        for p in timed.lines
        if any(e["kind"] in ("vote_announced", "lift_result") for e in p.line.events)
    ]
    for named, _ in calls:
        end = min((t for t in told if t > named), default=named + 3)
        out.append((named + 0.5, end))
    return out


class JudgeActing:
    """The judge beside the table: upright, his right arm over the table while he counts."""

    def __init__(self, timed: Timed, seed: int) -> None:
        right = [Segment(-EVER, EVER, "rest", IDLE)]
        torso = [Segment(-EVER, EVER, "day", IDLE)]
        for t0, t1 in counting(timed):
            right = lay(right, t0, t1, "reach", ACT)
            torso = lay(torso, t0 - 0.2, t1 + 0.1, "fwd2", ACT)
        torso = fused(torso)
        name = f"{seed} judge"
        self.torso = Channel(torso, name, (0.35, 0.5), 1.2)
        self.right = Channel(_under(right, torso), name, (0.30, 0.45))
        self.left = Channel(_under([Segment(-EVER, EVER, "rest_in", IDLE)], torso), name, (0.30, 0.45))

    def bearing(self, t: float, mouth: int) -> Bearing:
        sway = math.floor(t / 1.6) % 4
        head = Move("y0", "y0", STEPS)
        return Bearing(self.torso.at(t), head, self.right.at(t), self.left.at(t), mouth, "off", sway)


def _under(segments: Sequence[Segment], torso: Sequence[Segment]) -> list[Segment]:
    """Arm poses named with the torso they hang on, cut where the torso moves."""
    cuts = sorted({s.t0 for s in (*segments, *torso)} | {EVER})
    out = []
    for t0, t1 in pairwise(cuts):
        middle = (max(t0, -EVER / 2) + min(t1, EVER / 2)) / 2
        arm = next(s for s in segments if s.t0 <= middle < s.t1)
        under = next(s for s in torso if s.t0 <= middle < s.t1)
        out.append(Segment(t0, t1, f"{under.pose}/{arm.pose}", arm.kind))
    return fused(out)
