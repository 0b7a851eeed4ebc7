"""Rendered clips in which people knock on the table and call into speeches, with exact truth.

    python tests/accuracy/knock_clips.py OUT --seeds 701 702 [--camera high] [--size 1920 1080]

Three short speeches (about half a minute): into each line two or three seats knock, now and then the
speaker himself, at strengths of -10 to +2 dB, and one other seat calls into each speech. Seeds 701-702
have been looked at; from 711 on they are for proof.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from mafiavar.sample_videos.composer import Composer, at
from mafiavar.sample_videos.render import render
from mafiavar.sample_videos.script import Script
from mafiavar.sample_videos.writer.scenes import Director

EVERY = 0.7  # seconds between two knocks, at least
CALLS = ("Неправда!", "Это не так.", "Да перестань ты.", "Он врёт!", "Не было такого.")


def knock_script(seed: int, camera: str, size: tuple[int, int] = (1920, 1080)) -> Script:
    g = np.random.default_rng([seed, 92])
    c = Composer("fsm-2026", seed)
    d = Director(c, "full", seed, "fsm-2026")
    c.day = 1
    speakers = [int(s) for s in g.permutation(np.arange(1, 11))[:3]]
    for speaker in speakers:
        d.floor(speaker, gap=0.5)
        others = [s for s in range(1, 11) if s != speaker]
        lines = [d.chat(speaker), d.chat(speaker)]
        caller = int(g.choice(others))
        d.say(caller, str(g.choice(CALLS)), over=lines[1], gap=float(g.uniform(0.4, 0.9)))
        for line in lines:
            words = next(x.text for x in c.lines if x.id == line)
            t = float(g.uniform(0.3, 0.8))
            while t < 0.055 * len(words):
                seat = speaker if g.random() < 0.15 else int(g.choice([s for s in others if s != caller]))
                c.act(
                    "knock",
                    seat,
                    at(line, "start", t),
                    at(line, "start", t + 0.12),
                    db=round(float(g.uniform(-10, 2)), 1),
                )
                t += EVERY + float(g.uniform(0, 0.4))
        d.floor_end(speaker, "pas")
    return c.script(
        roles={"2": "don", "9": "mafia", "10": "mafia", "4": "sheriff"},
        excerpt=True,
        lead=0.6,
        tail=0.6,
        sound={"snr_db": 20.0, "judge_style": "full", "condensed": True},
        picture={"camera": camera, "size": list(size)},
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", required=True)
    parser.add_argument("--camera", default="high")
    parser.add_argument("--size", type=int, nargs=2, default=(1920, 1080))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for seed in given.seeds:
        path = given.out / f"knocks_{seed}_{given.camera}.mp4"
        if not path.with_name(path.stem + ".truth.json").is_file():
            done = render(knock_script(seed, given.camera, tuple(given.size)), path, workers=1)
            print(f"{path.name}: {done.duration:.1f} s")


if __name__ == "__main__":
    main()
