"""How well written games are heard, by noise level: renders their sound, hears it, prints tables.

    python tests/accuracy/hearing_games.py FOLDER --first 61000 --games 20
        [--render-only] [--seconds N] [--json]

A game's seed tells its noise level (seed mod 4: clean (40 dB), 20 dB, 15 dB with murmur, 10 dB) and its
rule set; it is played for one day and one night with music, twice as many violations as usual. First what
the cues alone tell, then the timeline made of them (`mafiavar eval`'s figures). Recordings and what was
heard stay in FOLDER, so a second run only reads them again; `--seconds` stops hearing further games after
so many seconds of clock time, and the tables tell of those that were heard.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from mafiavar.analyzer.evaluation import aggregate, evaluate_parts
from mafiavar.analyzer.evaluation.events import PHASE_KINDS
from mafiavar.analyzer.pipeline.results import results_of
from mafiavar.analyzer.span import micros
from mafiavar.analyzer.speech import cues_of, to_json
from mafiavar.engine.ruleset import ruleset
from mafiavar.sample_videos.render import render_sound
from mafiavar.sample_videos.writer.game import Wishes, write_game
from mafiavar.ui.cli.bench_hearing import heard, measure, show, total

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


def recording(folder: Path, seed: int) -> Path:
    """The game's sound, rendered unless it is there."""
    level = LEVELS[seed % len(LEVELS)]
    path = folder / f"{level.name}-{seed}.ogg"
    if not path.with_name(path.stem + ".truth.json").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        wishes = Wishes(RULESETS[(seed + 2) % len(RULESETS)], seed, None, True, 1, 2.0, level.snr)
        render_sound(write_game(wishes).with_conditions({"murmur": level.murmur}, {}), path)
    return path


def timeline(path: Path, kept: Path) -> dict[str, Any]:
    """`mafiavar/eval@1` of the timeline made of what was heard."""
    truth = json.loads(path.with_name(path.stem + ".truth.json").read_text("utf-8"))
    transcript, _ = heard(path, "base", kept)
    rules = ruleset(truth["ruleset"])
    found = results_of(
        cues_of(transcript), transcript, (), rules, micros(truth["duration"]), protocol=None, lang="en"
    )
    return evaluate_parts(truth, **found, transcript=to_json(transcript))


def pooled(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """All games as one `mafiavar/eval@1`, with how far the begins of phases and of everything are off."""
    off = {"phases": began_off(results, PHASE_KINDS), "nominations": began_off(results, ("nominated",))}
    return {**aggregate(results), "begins_off": off}


def of_level(level: Level, names: Sequence[str]) -> list[str]:
    return [n for n in names if n.startswith(f"{level.name}-")]


def began_off(results: Sequence[Mapping[str, Any]], kinds: Sequence[str]) -> float | None:
    """Seconds between the found and the true begin: the median over games and kinds of each one's median."""
    times = [r["events"][k]["dt0_median"] for r in results for k in kinds if k in r["events"]]
    known = [t for t in times if t is not None]
    return round(median(known), 3) if known else None


def tell_timeline(name: str, told: Mapping[str, Any]) -> None:
    """One line per sum of kinds, then one per kind."""
    sys.stdout.write(f"timeline, {name}: {len(told['recordings'])} games\n")
    sums = [(k, told["totals"][k]) for k in ("heard", "phases", "nominations")]
    for kind, row in [*sums, *((k, v) for k, v in told["events"].items() if v["truth"] or v["found"])]:
        sys.stdout.write(
            f"  {kind:22} {row['truth']:4} {row['found']:4} {row['matched']:4}"
            f"  P {_share(row['precision'])} R {_share(row['recall'])} F1 {_share(row['f1'])}"
            f" {row['f1_interval'] or ''}\n"
        )
    rest = {k: told["protocol"][k] for k in ("facts", "right")}
    sys.stdout.write(f"  begins off, s: {told['begins_off']}; protocol {rest}\n")


def _share(value: float | None) -> str:
    return " -- " if value is None else f"{value:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=61_000)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--render-only", action="store_true")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    began = time.monotonic()
    kept = told.folder / "heard"
    measured: dict[str, Mapping[str, Any]] = {}
    timelines: dict[str, dict[str, Any]] = {}
    for seed in range(told.first, told.first + told.games):
        if time.monotonic() - began > told.seconds:
            sys.stderr.write(f"stopped before {seed}\n")
            break
        path = recording(told.folder, seed)
        if told.render_only:
            continue
        measured[path.stem] = measure(path, "base", kept, False)
        timelines[path.stem] = timeline(path, kept)
    if told.render_only:
        return
    report: dict[str, Any] = {}
    for level in (*LEVELS, Level("", 0.0, False)):
        names = of_level(level, list(measured)) if level.name else list(measured)
        if names:
            report[level.name or "all"] = {
                "games": names,
                "cues": total({n: measured[n] for n in names}),
                "timeline": pooled([timelines[n] for n in names]),
            }
    if told.json:
        sys.stdout.write(json.dumps(report, ensure_ascii=False) + "\n")
        return
    for name, part in report.items():
        sys.stdout.write(f"\n{name}: {len(part['games'])} games\n")
        show({"recordings": {}, "total": part["cues"]})
        tell_timeline(name, part["timeline"])


if __name__ == "__main__":
    main()
