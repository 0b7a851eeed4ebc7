"""Rendered clips of one night each, full of departures from the night posture, with exact truth.

    python tests/accuracy/night_clips.py OUT --seeds 700 701 702 [--night 30] [--fps 12] [--camera left] [--often leaning touching | --game | --busy-day 36]

Eighteen seconds of day in which one or the other puts the mask on or leaves, the call of the night, masks, `--night` seconds in which everybody raises the head, takes
down the arms, takes off the mask, holds it or leans now and then for 0.4 to 4 seconds, the morning. With --often more of some of these, and by day
some touch a neighbour or lean. Truth and seats beside the clip; no sound. With --game it is the night with shots of a written game (`picture_games.py`), with as
many movements as a game has, some seconds of its day before it. With --busy-day the day lasts so many seconds, in
which everybody leaves, stands up, puts on the mask or touches a neighbour now and then. Seeds from 700 on: casts that no head was fitted to and no threshold chosen on.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from picture_games import END, short_game
from vote_clips import CAMERAS, staged

from mafiavar.sample_videos.composer import Composer, at, begin
from mafiavar.sample_videos.picture import encode
from mafiavar.sample_videos.picture.film import Film, Filming
from mafiavar.sample_videos.render import beside, write_json
from mafiavar.sample_videos.script import Script
from mafiavar.sample_videos.timing import place
from mafiavar.sample_videos.truth import seats_toml, truth_of

DAY, MORNING = 18.0, 3.0
MASK_BY_DAY, LEAVES = 0.25, 0.15
REACHES_BY_DAY = 0.6
"""How often one of the others touches a neighbour or leans by day, where the clip has much of that."""
encode.GROUP_SECONDS = 2  # a key frame as often as cameras and phones write one
STATES = ("head_up",) * 4 + ("arms_down",) * 4 + ("mask_off",) * 3 + ("mask_held", "leaning", "touching")
LENGTHS = (0.4, 1.0, 1.2, 1.6, 2.2, 3.0, 4.0)
LINES_BEFORE, A_LETTER = 6, 0.055
"""Of a game: lines of the day that are kept, seconds to say a letter."""
OFTEN = 8
"""So many times more of what is asked for often."""
BUSY = ("away", "away", "standing", "standing", "mask", "mask", "touching", "leaning")
A_BUSY_SEAT: float = 12.0
"""Seconds between two of these, on average, and their lengths."""
BUSY_LENGTHS = (1.6, 2.2, 2.8, 3.4, 4.5)
A_NIGHT = 1.6
"""Departures of a seat in half a minute, on average."""


@dataclass(frozen=True, slots=True)
class Said:
    """A line that nobody speaks: it only takes its time."""

    duration: float = 1.0
    words: tuple[tuple[float, float], ...] = ((0.0, 1.0),)


def written(seed: int, night: float, often: tuple[str, ...] = (), busy_day: float = 0.0) -> Script:
    g = np.random.default_rng([seed, 61])
    c = Composer("fsm-2026", seed)
    c.day = 1
    fall = c.judge("Ночь", {"kind": "night_began", "night": 1}, gap=busy_day or DAY)
    dawn = c.judge("Утро", {"kind": "day_began"}, gap=night)
    for seat in range(1, 11):
        by_day = float(g.random())
        if busy_day:
            live_through(c, np.random.default_rng([seed, seat, 67]), seat, busy_day)
        elif by_day < MASK_BY_DAY + LEAVES:
            t0 = float(g.uniform(3.0, 9.0))
            t1 = t0 + float(g.uniform(2.2, 5.0))
            c.act("mask" if by_day < MASK_BY_DAY else "away", seat, begin(round(t0, 2)), begin(round(t1, 2)))
        elif often and g.random() < REACHES_BY_DAY:
            t0, state = float(g.uniform(3.0, 14.0)), str(g.choice(("touching", "leaning")))
            t1 = t0 + float(g.uniform(1.1, 2.5))
            to = {"target": neighbour(g, seat)} if state == "touching" else {}
            c.act("posture", seat, begin(round(t0, 2)), begin(round(t1, 2)), state=state, **to)
        late = float(g.uniform(4.5, 7.0) if g.random() < 0.12 else g.uniform(0.4, 2.2))
        if busy_day:  # the night is short
            late = 0.6
        c.act("mask", seat, at(fall, "end", late), at(dawn, "end", float(g.uniform(-0.2, 0.6))))
        for t0, length, state in acts(g, late + 1.5, night - 2.0, often):
            touched = {"target": neighbour(g, seat)} if often and state == "touching" else {}
            c.act("posture", seat, at(fall, "end", t0), at(fall, "end", t0 + length), state=state, **touched)
    c.act("music", 0, begin(0.1), at(dawn, "end"))
    return c.script(lead=0.0, tail=MORNING, excerpt=True)


def live_through(c: Composer, g: np.random.Generator, seat: int, day: float) -> None:
    """What a seat does in a busy day, at least three seconds apart."""
    t = 1.5 + float(g.exponential(A_BUSY_SEAT - 6))
    while t < day - 7:
        what, length = str(g.choice(BUSY)), float(g.choice(BUSY_LENGTHS))
        start, stop = begin(round(t, 2)), begin(round(t + length, 2))
        if what in ("away", "mask"):
            c.act(what, seat, start, stop)
        else:
            to = {"target": neighbour(g, seat)} if what == "touching" else {}
            c.act("posture", seat, start, stop, state=what, **to)
        t += length + 3 + float(g.exponential(A_BUSY_SEAT - 6))


def neighbour(g: np.random.Generator, seat: int) -> int:
    """A neighbour: between the tenth and the first sits the judge."""
    return seat - 1 if seat == 10 or (seat > 1 and g.random() < 0.5) else seat + 1


def acts(
    g: np.random.Generator, first: float, last: float, often: tuple[str, ...] = ()
) -> list[tuple[float, float, str]]:
    """(second, length, state) of a seat's departures, apart enough to be told apart."""
    out = []
    for _ in range(int(g.poisson(A_NIGHT * max(last - first, 0.0) / 30))):
        length = float(g.choice(LENGTHS))
        t = float(g.uniform(first, max(first + 0.1, last - length)))
        out.append((round(t, 2), length, str(g.choice(STATES + often * OFTEN))))
    out.sort()
    kept = out[:1]
    for a in out[1:]:
        if a[0] - (kept[-1][0] + kept[-1][1]) > 2.5:
            kept.append(a)
    assert all(a[0] + a[1] < b[0] for a, b in pairwise(kept))
    return kept


def of_a_game(seed: int) -> Script:
    """The last night of a short game, without its sound, and the last lines of the day before."""
    script = short_game(seed, 12)
    kinds = [{e["kind"] for e in line.events} for line in script.lines]
    fall = max(i for i, k in enumerate(kinds) if "night_began" in k)
    lines = script.lines[max(fall - LINES_BEFORE, 0) :]
    lines = (replace(lines[0], over=None), *lines[1:])
    kept = {line.id for line in lines}
    acts = tuple(
        a if a.stop.line in kept else replace(a, stop=END)
        for a in script.acts
        if a.start.line in kept and a.kind != "hand"
    )
    return replace(script, lines=lines, acts=acts, flags=(), excerpt=True)


def spoken(text: str) -> Said:
    """As long as it takes to say it."""
    n = max(len(text.split()), 1)
    length = 0.3 + A_LETTER * len(text)
    return Said(length, tuple((k * length / n, (k + 1) * length / n) for k in range(n)))


def render(
    seed: int, camera: str, night: float, fps: int, out: Path, often: tuple[str, ...] = (), game: bool = False,
    busy_day: float = 0.0,
) -> Path:  # fmt: skip
    script = of_a_game(seed) if game else written(seed, night, often, busy_day)
    script = script.with_conditions(picture={"camera": camera, "fps": fps, "noise": 1.6})
    timed = place(script, {x.id: spoken(x.text) if game else Said() for x in script.lines})
    stage = staged(seed, camera)
    silence = np.zeros(48_000, np.int16)
    film = Film(timed, {x.id: silence for x in script.lines}, stage, Filming.of(script))
    path = out / f"night_{seed}_{camera}.mp4"
    size = (stage.painter.camera.width, stage.painter.camera.height)
    part = path.with_suffix(".part")
    encode.write_piece(part, film.frames(range(film.length)), size, fps, 26, "superfast")
    truth = truth_of(timed, path.name, {"video": dict(script.picture)})
    truth["video"] = video = film.truth([], [])
    write_json(beside(path, ".truth.json"), truth)
    text = seats_toml(path.name, video["seats"], video["table_polygon"], stage.lower_left(), None)
    beside(path, ".seats.toml").write_text(text, encoding="utf-8")
    part.replace(path)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", required=True)
    parser.add_argument("--night", type=float, default=30.0)
    parser.add_argument("--fps", type=int, default=12)
    parser.add_argument("--camera", choices=CAMERAS)
    parser.add_argument("--often", nargs="*", default=[], choices=sorted(set(STATES)))
    parser.add_argument("--game", action="store_true")
    parser.add_argument("--busy-day", type=float, default=0.0)
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    for seed in a.seeds:
        camera = a.camera or CAMERAS[seed % len(CAMERAS)]
        if not (a.out / f"night_{seed}_{camera}.mp4").exists():
            sys.stdout.write(
                f"{render(seed, camera, a.night, a.fps, a.out, tuple(a.often), a.game, a.busy_day)}\n"
            )


if __name__ == "__main__":
    main()
