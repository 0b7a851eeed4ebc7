"""How well written games are heard, by noise level: renders their sound, hears it, prints a table.

    python tests/accuracy/hearing_games.py FOLDER --first 61000 --games 20 [--render-only] [--json]

Game number i of rule set i mod 3 (fsm-2026, disbord, legion) is played for one day and one night at noise
level i mod 4: clean (40 dB), 20 dB, 15 dB with murmur, 10 dB; music at night, twice as many violations as
usual. Recordings and transcripts stay in FOLDER, so a second run only reads them again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mafiavar.sample_videos.render import render_sound
from mafiavar.sample_videos.writer.game import Wishes, write_game
from mafiavar.ui.cli.bench_hearing import measure, show, total

RULESETS = ("fsm-2026", "disbord", "legion")


@dataclass(frozen=True, slots=True)
class Level:
    """A noise level: speech over background in dB, and whether the hall talks."""

    name: str
    snr: float
    murmur: bool


LEVELS = (
    Level("clean", 40.0, False),
    Level("20dB", 20.0, False),
    Level("15dB", 15.0, True),
    Level("10dB", 10.0, False),
)


def recording(folder: Path, seed: int, i: int) -> Path:
    """The game's sound, rendered unless it is there."""
    level = LEVELS[i % len(LEVELS)]
    path = folder / f"{level.name}-{seed}.ogg"
    if not path.with_name(path.stem + ".truth.json").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        wishes = Wishes(RULESETS[i % len(RULESETS)], seed, None, True, 1, 2.0, level.snr)
        render_sound(write_game(wishes).with_conditions({"murmur": level.murmur}, {}), path)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=61_000)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--render-only", action="store_true")
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    games = [recording(told.folder, told.first + i, i) for i in range(told.games)]
    if told.render_only:
        return
    measured: dict[str, Mapping[str, Any]] = {
        p.stem: measure(p, "base", told.folder / "heard", False) for p in games
    }
    for level in LEVELS:
        part = {k: v for k, v in measured.items() if k.startswith(f"{level.name}-")}
        report = {"recordings": part, "total": total(part)}
        if told.json:
            sys.stdout.write(json.dumps({level.name: report}, ensure_ascii=False) + "\n")
        elif part:
            sys.stdout.write(f"\n{level.name}: {len(part)}\n")
            show({"recordings": {}, "total": report["total"]})


if __name__ == "__main__":
    main()
