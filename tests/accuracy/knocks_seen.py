"""Whose knock it was: hears each clip's knocks, asks the picture about them, counts.

    python tests/accuracy/knocks_seen.py CLIP.mp4 [...]

Clips of knock_clips.py (or any recording with seats and truth). First the whole chain as in an analysis, then
the picture alone at the true moments, and at moments (0.2 s apart, 0.5 s from any knock) at which nobody did.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.evaluation.aggregate import wilson
from mafiavar.analyzer.media import recording as media
from mafiavar.analyzer.media import sound
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.seats import SeatMap, read_seats
from mafiavar.analyzer.span import SECOND, Span, micros
from mafiavar.analyzer.speech.knocks import knocks
from mafiavar.analyzer.vision.gesture_knocks import AROUND, answer_knocks, questions_about
from mafiavar.analyzer.vision.observe import picture_size
from mafiavar.analyzer.vision.question import Question, QuestionKind

NEAR = 60_000


def of(part: int, whole: int) -> str:
    low, high = wilson(part, whole) or (0.0, 1.0)
    return f"{part}/{whole} = {part / max(whole, 1):.2f} [{low:.2f}, {high:.2f}]"


def said(recording: Recording, seats: SeatMap, moments: Sequence[float]) -> list[int | None]:
    windows = [Span(micros(t) - AROUND, micros(t) + AROUND) for t in moments]
    asked = [Question(QuestionKind.GESTURE, tuple(range(1, 11)), w) for w in windows]
    told = {a.span.t0: a.seat for a in answer_knocks(recording, seats, asked)}
    return [told.get(w.middle) for w in windows]


def show(path: Path) -> None:
    truth = json.loads(path.with_name(path.stem + ".truth.json").read_text("utf-8"))
    recording = media.index(path)
    seats = read_seats(path.with_name(path.stem + ".seats.toml"), path.name, picture_size(recording))
    true = [(micros(k["t0"]), int(k["seat"])) for k in truth.get("knocks") or ()]
    heard = knocks(sound.samples(recording))
    cues = [Cue(CueKind.KNOCK, s.span, s.likelihood) for s in heard]
    questions = questions_about(cues, ())
    began = time.process_time()
    told = answer_knocks(recording, seats, questions)
    cost = time.process_time() - began
    hit = [any(abs(s.span.t0 - t) <= NEAR for s in heard) for t, _ in true]
    right = sum(any(abs(a.span.t0 - t) <= NEAR and a.seat == seat for a in told) for t, seat in true)
    print(
        f"{path.name}: heard {of(sum(hit), len(true))}, false {len(heard) - sum(hit)}; {cost:.1f} CPU-s for {len(questions)} windows"
    )
    print(
        f"  heard and seen: {of(right, len(true))} of all knocks, {of(right, len(told))} of those told right"
    )
    alone = said(recording, seats, [t / SECOND for t, _ in true])
    wrong = sum(k is not None and k != seat for k, (_, seat) in zip(alone, true, strict=True))
    print(
        f"  the picture alone at the moment: {of(sum(k == seat for k, (_, seat) in zip(alone, true, strict=True)), len(true))}, wrong seat {wrong}"
    )
    free = [
        i / 5 for i in range(5, int(recording.duration / SECOND - 1) * 5)
        if all(abs(i / 5 - t / SECOND) > 0.5 for t, _ in true)
    ]  # fmt: skip
    print(
        f"  a seat told where nobody knocked: {of(sum(k is not None for k in said(recording, seats, free)), len(free))}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("clips", type=Path, nargs="+")
    for path in parser.parse_args().clips:
        show(path)


if __name__ == "__main__":
    main()
