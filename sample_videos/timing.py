"""From words to clock: where every line, gesture and planted violation stands in the recording."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from mafiavar.sample_videos.errors import ScriptError
from mafiavar.sample_videos.script import BEGIN, END, Act, Anchor, Line, Script

GRID = 0.04  # gestures happen on frames of a 25 fps recording: their truth is exact to the frame
SETTLE = 0.4  # seconds that a recording goes on after its last gesture


class Utterance(Protocol):
    """A spoken line: length in seconds and (start, end) of each word."""

    @property
    def duration(self) -> float: ...

    @property
    def words(self) -> tuple[tuple[float, float], ...]: ...


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """Seconds of the recording; named: end of the marked word (= t1 when the line marks none)."""

    line: Line
    t0: float
    t1: float
    named: float


@dataclass(frozen=True, slots=True)
class PlacedAct:
    act: Act
    t0: float
    t1: float


@dataclass(frozen=True, slots=True)
class Timed:
    """A script on the clock. lines in order of the script; acts in order of the script."""

    script: Script
    duration: float
    lines: tuple[PlacedLine, ...]
    acts: tuple[PlacedAct, ...]
    at: Mapping[str, PlacedLine]

    def when(self, a: Anchor) -> float:
        """Seconds of an anchor, not snapped, within the recording."""
        return min(max(_raw(a, self.at, self.duration), 0.0), self.duration)


def _raw(a: Anchor, at: Mapping[str, PlacedLine], duration: float) -> float:
    if a.line == BEGIN:
        return a.plus
    if a.line == END:
        return duration + a.plus
    p = at[a.line]
    return {"start": p.t0, "named": p.named, "end": p.t1}[a.edge] + a.plus


def snapped(t: float) -> float:
    """The nearest frame of the grid, three digits."""
    return round(round(t / GRID) * GRID, 3)


def place(script: Script, spoken: Mapping[str, Utterance]) -> Timed:
    """Put the spoken lines and the acts on the clock.

    spoken: by line id. Raises ScriptError when acts contradict each other: an arm in two places, time
    going back.
    """
    at: dict[str, PlacedLine] = {}
    clock = script.lead
    end = 0.0
    for i, x in enumerate(script.lines):
        u = spoken[x.id]
        t0 = at[x.over].t0 + x.gap if x.over is not None else clock + x.gap
        if t0 < 0:
            raise ScriptError(
                f"lines[{i}]", "реплика начинается раньше записи", "the line begins before the recording"
            )
        t0 = round(t0, 3)
        t1 = round(t0 + u.duration, 3)
        k = min(x.named, len(u.words))
        at[x.id] = PlacedLine(x, t0, t1, round(min(t0 + u.words[k - 1][1], t1), 3) if k else t1)
        if x.over is None:
            clock = t1
        end = max(end, t1)
    duration = _length(script, at, end)
    acts = [_placed(f"acts[{i}]", a, at, duration) for i, a in enumerate(script.acts)]
    _no_clash(acts)
    return Timed(script, duration, tuple(at[x.id] for x in script.lines), tuple(acts), at)


def _length(script: Script, at: Mapping[str, PlacedLine], spoken: float) -> float:
    """The recording's length: `tail` after the last word, and long enough for every gesture and planted fact.

    A mask that goes on two seconds after the last line belongs to the recording as much as the line does;
    were it cut off, the truth would name what nobody can see.
    """
    ends = [(a.start, a.stop) for a in script.acts] + [(f.start, f.stop) for f in script.flags]
    edges = [x for pair in ends for x in pair if x.line not in (BEGIN, END)]
    last = max((_raw(x, at, 0.0) for x in edges), default=0.0)
    return snapped(math.ceil(round(max(spoken + script.tail, last + SETTLE) / GRID, 6)) * GRID)


def _placed(where: str, a: Act, at: Mapping[str, PlacedLine], duration: float) -> PlacedAct:
    raw0, raw1 = (_raw(x, at, duration) for x in (a.start, a.stop))
    if raw1 <= raw0:
        raise ScriptError(
            where,
            f"время идёт назад: {raw0:.3f} -> {raw1:.3f} с",
            f"time goes back: {raw0:.3f} -> {raw1:.3f} s",
        )
    t0, t1 = (min(max(snapped(x), 0.0), duration) for x in (raw0, raw1))
    if t1 <= t0:
        raise ScriptError(
            where,
            f"действие короче кадра или вне записи ({duration:.2f} с): {raw0:.3f} -> {raw1:.3f} с",
            f"the act is shorter than a frame or outside the recording ({duration:.2f} s): {raw0:.3f} -> {raw1:.3f} s",
        )
    return PlacedAct(a, t0, t1)


def _limbs(act: Act) -> tuple[str, ...]:
    """What an act occupies: two acts may not hold one of these at once."""
    if act.kind == "hand":
        return (f"{act.fields['hand']} arm",)
    if act.kind == "sign":
        return ("right arm", "left arm") if int(act.fields["number"]) > 5 else ("right arm",)
    if act.kind == "gesture":
        return ("right arm",)
    if act.kind in ("mask", "away", "knock"):
        return (act.kind,)
    return ()


def _no_clash(acts: list[PlacedAct]) -> None:
    busy: dict[tuple[int, str], list[tuple[float, float, int]]] = {}
    for i, p in enumerate(acts):
        for limb in _limbs(p.act):
            for t0, t1, j in busy.setdefault((p.act.seat, limb), []):
                if p.t0 < t1 and t0 < p.t1:
                    raise ScriptError(
                        f"acts[{i}]",
                        f"место {p.act.seat}: {limb} уже занято действием acts[{j}] ({t0:.2f}-{t1:.2f} с)",
                        f"seat {p.act.seat}: the {limb} is already taken by acts[{j}] ({t0:.2f}-{t1:.2f} s)",
                    )
            busy[(p.act.seat, limb)].append((p.t0, p.t1, i))
