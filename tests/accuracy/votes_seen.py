"""Votes seen against truth, seat by seat and hand by hand, on rendered clips and recordings.

    python tests/accuracy/votes_seen.py FOLDER [--only NAME ...]

FOLDER holds NAME.mp4, NAME.truth.json (tests/accuracy/vote_clips.py, or a recording with the
project's truth: its first round of ballots), NAME.seats.toml. Prints the
table of docs/accuracy.md, "Seeing", with Wilson intervals.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mafiavar.analyzer.media.recording import index
from mafiavar.analyzer.seats import find_seats_file, read_seats
from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.vision import answer_hands
from mafiavar.analyzer.vision.question import Contact, Question, QuestionKind, SeatHands

YES, DOUBT, MISSED, SEEN_SHARE = 0.5, 0.25, 0.35, 0.6  # as analyzer/votes counts them


@dataclass
class Tally:
    right: int = 0
    wrong: int = 0
    cannot: int = 0


@dataclass
class Sums:
    tallies: dict[str, Tally] = field(default_factory=dict)
    starts: list[float] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    forms: list[tuple[str, str]] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)


def vote_of(answer: SeatHands, call: Span) -> tuple[str, Contact | None]:
    began = [c for c in answer.contacts if c.span.t0 in call]
    if sure := [c for c in began if c.probability >= YES]:
        return "yes", max(sure, key=lambda c: c.probability)
    seen = sum(o.duration for s in answer.seen if (o := s & call) is not None)
    if (
        any(c.probability >= DOUBT for c in began)
        or seen < SEEN_SHARE * call.duration
        or answer.p_missed > MISSED
    ):
        return "cannot", None
    return "no", None


def measure(path: Path, sums: Sums) -> None:
    truth = json.loads(path.with_suffix("").with_suffix(".truth.json").read_text("utf-8"))
    recording = index(path)
    file = find_seats_file(path)
    assert file is not None and recording.video is not None
    seats = read_seats(file, path.name, recording.video.size)
    answers = answer_hands(
        recording,
        seats,
        [Question(QuestionKind.HANDS, seats.numbers, Span(0, recording.duration))],
        workers=1,
    )
    for a, b in truth["calls"]:
        call = Span(micros(a - 0.4), micros(b))
        for answer in answers:
            hands = [h for h in hands_of(truth) if h["seat"] == answer.seat and micros(h["t0"]) in call]
            said, contact = vote_of(answer, call)
            real = "yes" if hands else "no"
            band = "no hand" if not hands else visibility(max(h["visible"] for h in hands))
            tally = sums.tallies.setdefault(band, Tally())
            if said == "cannot":
                tally.cannot += 1
            elif said == real:
                tally.right += 1
            else:
                tally.wrong += 1
                sums.mistakes.append(
                    f"{path.stem} seat {answer.seat} {a}-{b}: truth {real} ({band}), said {said}"
                )
            if contact is not None and hands:
                hand = hands[0]
                sums.starts.append(contact.span.t0 / 1e6 - hand["t0"])
                sums.ends.append(contact.span.t1 / 1e6 - hand["t1"])
                sums.forms.append((hand["form"], contact.form))


def calls_of(truth: dict[str, Any]) -> list[tuple[float, float]]:
    """(call, end of stop) of the first round of ballots."""
    if "calls" in truth:
        return [(a, b) for a, b in truth["calls"]]
    called = [e for e in truth["events"] if e["kind"] == "vote_called"]
    closed = [e for e in truth["events"] if e["kind"] == "vote_closed"]
    pairs = [(c["t0"], s["t1"]) for c, s in zip(called, closed, strict=True)]
    return [p for p in pairs if p[0] < pairs[0][0] + 30]


def hands_of(truth: dict[str, Any]) -> list[dict[str, Any]]:
    if "calls" in truth:
        return list(truth["hands"])
    return [{**h, **v} for h, v in zip(truth["hands"], truth["video"]["hands"], strict=True)]


def visibility(v: float) -> str:
    return "visible >= .5" if v >= 0.5 else "visible .3-.5" if v >= 0.3 else "visible < .3"


def wilson(k: int, n: int) -> str:
    if n == 0:
        return "-"
    z, p = 1.96, k / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{p:.3f} [{max(middle - half, 0):.3f}, {min(middle + half, 1):.3f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    a = parser.parse_args()
    sums = Sums()
    clips = [
        p for p in sorted(a.folder.glob("*.mp4")) if p.with_suffix("").with_suffix(".truth.json").exists()
    ]
    clips = [p for p in clips if not a.only or p.stem in a.only]
    for path in clips:
        measure(path, sums)
    say = sys.stdout.write
    say(f"{len(clips)} clips\nband            right wrong cannot   right of answered      cannot tell\n")
    for band, t in sorted(sums.tallies.items()):
        given, every = t.right + t.wrong, t.right + t.wrong + t.cannot
        say(
            f"{band:15} {t.right:5} {t.wrong:5} {t.cannot:6}   {wilson(t.right, given)}   {wilson(t.cannot, every)}\n"
        )
    for name, values in (("start", sums.starts), ("end", sums.ends)):
        v = np.abs(values) if values else np.zeros(1)
        say(
            f"contact {name}: n {len(values)}, median {np.median(v):.3f} s, p90 {np.percentile(v, 90):.3f} s\n"
        )
    told = [(t, s) for t, s in sums.forms if s != "unknown"]
    say(
        f"form: told {len(told)} of {len(sums.forms)}, right {wilson(sum(t == s for t, s in told), len(told))}\n"
    )
    say("\n".join(sums.mistakes) + "\n")


if __name__ == "__main__":
    main()
