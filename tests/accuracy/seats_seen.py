"""Seats found and numbered without a map, against the map that lies beside the recording.

    python tests/accuracy/seats_seen.py RECORDING [RECORDING ...]

NAME.seats.toml and NAME.truth.json beside NAME.mp4; the speeches are those of the truth. Prints the
table of docs/accuracy.md, "Seats found without a map": trust, overlap of each true box with the found
one of the same place (IoU), and how many numbers were right with which posterior.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from mafiavar.analyzer.media.recording import index
from mafiavar.analyzer.seats import Box, find_seats_file, read_seats
from mafiavar.analyzer.seats.find import find_seats
from mafiavar.analyzer.seats.number import Turn, number_by_speech
from mafiavar.analyzer.span import SECOND, Span, micros
from mafiavar.models.pose.landmarker import MODEL, PoseLandmarker
from mafiavar.models.registry import locate


def turns_in(truth: dict[str, Any]) -> list[Turn]:
    """The speeches of the truth file that last two seconds or more."""
    out = []
    floors = [e for e in truth["events"] if e["kind"] in ("floor_given", "floor_ended")]
    for i, e in enumerate(floors):
        end = next(
            (f["t0"] for f in floors[i + 1 :] if f["kind"] == "floor_ended" and f["seat"] == e["seat"]), None
        )
        if e["kind"] == "floor_given" and end is not None and micros(end - e["t1"]) > 2 * SECOND:
            out.append(Turn(((int(e["seat"]), 0.95),), Span(micros(e["t1"]), micros(end))))
    return out


def overlap(a: Box, b: Box) -> float:
    w = min(a.x + a.w, b.x + b.w) - max(a.x, b.x)
    h = min(a.y + a.h, b.y + b.h) - max(a.y, b.y)
    both = max(w, 0.0) * max(h, 0.0)
    return both / (a.w * a.h + b.w * b.h - both)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recordings", type=Path, nargs="+")
    a = parser.parse_args()
    pose = PoseLandmarker(locate(MODEL))
    say = sys.stdout.write
    say(
        f"{'recording':24}{'trust':>6}{'people':>7}{'IoU least, median':>20}{'speakers':>9}{'numbers':>9}{'posterior':>10}\n"
    )
    for path in a.recordings:
        recording = index(path)
        file = find_seats_file(path)
        assert file is not None and recording.video is not None
        true = read_seats(file, path.name, recording.video.size)
        found = find_seats(recording, pose)
        if found is None:
            say(f"{path.stem:24}no table found\n")
            continue
        truth = json.loads(path.with_suffix(".truth.json").read_text("utf-8"))
        told = number_by_speech(recording, found.seats, turns_in(truth))
        best = [max(found.seats.seats, key=lambda s, t=t: overlap(s.box, t.box)) for t in true.seats]  # type: ignore[misc]
        shared = [overlap(s.box, t.box) for s, t in zip(best, true.seats, strict=True)]
        numbered = {s.box: s.number for s in told.seats.seats}
        right = sum(numbered[s.box] == t.number for s, t in zip(best, true.seats, strict=True))
        say(
            f"{path.stem:24}{found.trust:6.2f}{found.people:7}{min(shared):13.2f},{np.median(shared):6.2f}"
            f"{told.turns:9}{right:6}/10{told.probability:10.3f}\n"
        )
        sys.stdout.flush()
    pose.close()


if __name__ == "__main__":
    main()
