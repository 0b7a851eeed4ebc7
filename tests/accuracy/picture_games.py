"""Short whole games with pictures: one day and one night of each rule set, for `mafiavar analyze` and `eval`.

    python tests/accuracy/picture_games.py FOLDER --seeds 73101 73102 73103 [--fps 12] [--scripts-only]
    mafiavar analyze FOLDER/g73101.mp4 --case CASE --rules fsm-2026
    mafiavar eval FOLDER/g73101.truth.json CASE

A game is written for two days and cut after the second day's first two lines. The seed chooses the rule set
and the camera. Drawing one takes about a quarter of an hour of processor at 12 frames a second.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from mafiavar.sample_videos.render import render
from mafiavar.sample_videos.script import Act, Anchor, Planted, Script, save
from mafiavar.sample_videos.writer.game import Wishes, write_game

RULESETS = ("fsm-2026", "disbord", "legion")
CAMERAS = ("high", "std", "left")
SNR = 20.0
END = Anchor("@end", "end")
T = TypeVar("T", Act, Planted)


def short_game(seed: int, fps: int) -> Script:
    """The script: rule set and camera by the seed, 73101 being the first of both."""
    k = (seed - 73101) % len(RULESETS)
    whole = write_game(Wishes(RULESETS[k], seed, days=2, snr_db=SNR))
    days = [i for i, line in enumerate(whole.lines) if any(e["kind"] == "day_began" for e in line.events)]
    lines = whole.lines[: days[1] + 3]
    kept = {line.id for line in lines}
    cut = replace(whole, lines=lines, acts=_within(whole.acts, kept), flags=_within(whole.flags, kept))
    return cut.with_conditions(None, {"camera": CAMERAS[k], "fps": fps})


def _within(things: Iterable[T], kept: set[str]) -> tuple[T, ...]:
    """What begins in the lines that are kept; what would end later ends with the recording."""
    inside = (t for t in things if t.start.line in kept)
    return tuple(t if t.stop.line in kept else replace(t, stop=END) for t in inside)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", required=True)
    parser.add_argument("--fps", type=int, default=12)
    parser.add_argument("--scripts-only", action="store_true")
    a = parser.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)
    for seed in a.seeds:
        script = short_game(seed, a.fps)
        save(script, a.folder / f"g{seed}.json")
        if not a.scripts_only:
            render(script, a.folder / f"g{seed}.mp4")
        sys.stdout.write(f"g{seed}: {script.ruleset}, {len(script.lines)} lines\n")


if __name__ == "__main__":
    main()
