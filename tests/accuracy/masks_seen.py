"""Masks at night against truth, second by second and seat by seat, on recordings with truth.

    python tests/accuracy/masks_seen.py RECORDING [RECORDING ...]

NAME.seats.toml and NAME.truth.json beside NAME.mp4. Every 0.2 s of every night of every seat that plays is one
sample: the answer there (mask on, off, cannot tell) beside the truth; half a second around each change
of the truth is left out. Also: spells without the mask of a second or longer, found and missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from mafiavar.analyzer.evaluation.aggregate import wilson
from mafiavar.analyzer.media.recording import index
from mafiavar.analyzer.seats import find_seats_file, read_seats
from mafiavar.analyzer.span import SECOND, Span, micros
from mafiavar.analyzer.vision.night import answer_night
from mafiavar.analyzer.vision.question import Answer, Question, QuestionKind, Tell

STEP = SECOND // 5
BLUR = SECOND // 2
SPELL = SECOND


def nights_in(truth: dict[str, Any]) -> list[Span]:
    begins = [e for e in truth["events"] if e["kind"] == "night_began"]
    ends = [e["t0"] for e in truth["events"] if e["kind"] in ("day_began", "game_ended")]
    return [
        Span(micros(b["t1"]), micros(min([t for t in ends if t > b["t1"]], default=truth["duration"])))
        for b in begins
    ]


def on_in(truth: dict[str, Any], seat: int) -> list[Span]:
    """When the mask is on the eyes: put on and not taken off in between."""
    spans = [Span(micros(m["t0"]), micros(m["t1"])) for m in truth["masks"] if m["seat"] == seat]
    for p in truth["posture"]:
        if p["seat"] == seat and p["state"] == "mask_off":
            off = Span(micros(p["t0"]), micros(p["t1"]))
            cut: list[Span] = []
            for s in spans:
                if (s & off) is None:
                    cut.append(s)
                    continue
                cut += [Span(a, b) for a, b in ((s.t0, off.t0), (off.t1, s.t1)) if b > a]
            spans = cut
    return spans


def away(truth: dict[str, Any], seat: int, t: int) -> bool:
    return any(a["seat"] == seat and micros(a["t0"]) <= t <= micros(a["t1"]) for a in truth["away"])


def said_at(answers: list[Answer], t: int) -> str:
    if any(a.tell is Tell.CANNOT_TELL for a in answers):
        return "cannot"
    return "off" if any(a.tell is Tell.YES and t in a.span for a in answers) else "on"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recordings", type=Path, nargs="+")
    a = parser.parse_args()
    say = sys.stdout.write
    for path in a.recordings:
        truth = json.loads(path.with_suffix(".truth.json").read_text("utf-8"))
        recording = index(path)
        file = find_seats_file(path)
        assert file is not None and recording.video is not None
        seats = read_seats(file, path.name, recording.video.size)
        told: Counter[tuple[str, str]] = Counter()
        spells, found, false = 0, 0, 0
        for night in nights_in(truth):
            question = Question(QuestionKind.MASK, seats.numbers, night)
            answers = answer_night(recording, seats, [question], workers=0)
            for seat in seats.numbers:
                mine = [x for x in answers if x.seat == seat]
                on = on_in(truth, seat)
                borders = [t for s in on for t in (s.t0, s.t1)]
                for t in range(night.t0, night.t1, STEP):
                    if away(truth, seat, t) or any(abs(t - b) < BLUR for b in borders):
                        continue
                    told["on" if any(t in s for s in on) else "off", said_at(mine, t)] += 1
                if away(truth, seat, night.middle):
                    continue
                bare = _between(on, night)
                for s in bare:
                    spells += 1
                    found += any(x.tell is Tell.YES and (x.span & s) is not None for x in mine)
                for x in mine:
                    if x.tell is Tell.YES and not any(x.span & s for s in bare):
                        false += 1
                        say(
                            f"  false: seat {seat} {x.span.t0 / 1e6:.1f}-{x.span.t1 / 1e6:.1f} {x.value} {x.probability}\n"
                        )
        n = sum(told.values())
        right = told["on", "on"] + told["off", "off"]
        cannot = told["on", "cannot"] + told["off", "cannot"]
        say(f"{path.stem}: {n * STEP / 1e6:.0f} seat-seconds of night\n")
        for t in ("on", "off"):
            say(
                f"  mask {t:4}"
                + " ".join(f"said {s} {told[t, s] * STEP / 1e6:.0f} s" for s in ("on", "off", "cannot"))
                + "\n"
            )
        say(
            f"  right of answered {right / max(n - cannot, 1):.4f} {wilson(right, n - cannot)}, cannot tell {cannot / n:.3f}\n"
        )
        say(f"  spells of 1 s or longer without the mask: {spells}, found {found}, false {false}\n")


def _between(on: list[Span], night: Span) -> list[Span]:
    """Stretches of the night, a second or longer, with the mask off."""
    out, t = [], night.t0
    for s in sorted(on):
        if s.t0 - t >= SPELL:
            out.append(Span(t, min(s.t0, night.t1)))
        t = max(t, s.t1)
    if night.t1 - t >= SPELL:
        out.append(Span(t, night.t1))
    return [s for s in out if s.duration >= SPELL]


if __name__ == "__main__":
    main()
