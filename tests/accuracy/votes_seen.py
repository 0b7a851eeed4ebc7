"""Votes seen against truth, seat by seat and hand by hand, on rendered clips and recordings.

    python tests/accuracy/votes_seen.py FOLDER --rows OUT.jsonl [--only NAME ...] [--worse KIND[:STRENGTH]] [--keep] [--calls N]
    python tests/accuracy/votes_seen.py --table OUT.jsonl

FOLDER holds NAME.mp4, NAME.truth.json (tests/accuracy/vote_clips.py, or a recording with the
project's truth: its first round of ballots), NAME.seats.toml. Each clip's rows are appended to
OUT.jsonl; `--table` prints the table of docs/accuracy.md, "Seeing", from them. `--worse` spoils each
clip first: dark (a quarter of the light), noise, blur (a fifth of a hand), jpeg (quality 15), small
(1280 x 720), slow (every second frame), or as much of it as STRENGTH says. `--calls` takes the first calls only. `--keep` keeps the half seconds that were looked at beside the clip.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from votes_scored import score, truth_of
from votes_table import append, mistakes, read, table

from mafiavar.analyzer.media.picture import Image
from mafiavar.analyzer.media.recording import index
from mafiavar.analyzer.pipeline.context import VERSIONS
from mafiavar.analyzer.seats import Box, Seat, SeatMap, find_seats_file, read_seats
from mafiavar.analyzer.vision.store import TileStore
from mafiavar.analyzer.vision.tiles import OBSERVE_VERSION
from mafiavar.models.hands import HandLandmarker, HandModel
from mafiavar.models.hands.landmarker import MODEL
from mafiavar.models.registry import locate

WORSE = {"dark": 0.25, "noise": 16.0, "blur": 4.0, "jpeg": 15.0, "small": 720.0, "slow": 2.0}
"""What spoils a picture, and its usual strength: share of the light, grey levels and pixels of sigma, JPEG's
quality, lines of the picture, every which frame stays."""


def kind_of(worse: str) -> tuple[str, float]:
    """ "jpeg:8" -> (jpeg, 8); without a number the usual strength."""
    kind, _, strength = worse.partition(":")
    return kind, float(strength) if strength else WORSE[kind]


def worse_of(text: str) -> str:
    """The argument `--worse`. Raises ArgumentTypeError with a sentence."""
    kind, _, strength = text.partition(":")
    if text and (kind not in WORSE or (strength and not strength.replace(".", "", 1).isdigit())):
        raise argparse.ArgumentTypeError(f"{text}: one of {', '.join(WORSE)}, or one with a number: jpeg:8")
    return text


def seen(path: Path, model: HandModel, worse: str = "", keep: bool = False, calls: int = 0) -> dict[str, Any]:
    """One clip's line: what was said of each seat in each call; `calls`: of the first ones only."""
    truth = truth_of(path)
    if calls and "calls" in truth:
        truth["calls"] = truth["calls"][:calls]
        truth["hands"] = [h for h in truth["hands"] if h["call"] < calls]
        truth["duration"] = min(truth["duration"], truth["calls"][-1]["count"][1] + 1.0)
    file = find_seats_file(path)
    assert file is not None
    film = path if not worse else spoiled(path, worse, truth["duration"] + 0.5)
    began = time.process_time()
    video, original = index(film).video, index(path).video
    assert video is not None and original is not None
    seats = read_seats(file, path.name, original.size)
    if worse.startswith("small"):
        seats = shrunk(seats, video.size)
    kept = path.with_suffix(f".tiles{worse.replace(':', '-')}{OBSERVE_VERSION}")
    store = TileStore(kept) if keep else None
    scored = score(film, truth, seats, model, store=store)
    if worse:
        film.unlink()
    where = truth.get("video", truth)
    return {
        "clip": path.stem,
        "seed": where.get("seed", truth.get("seed", 0)),
        "camera": where["camera"],
        "fps": round(video.fps, 2),
        "worse": worse,
        "versions": [OBSERVE_VERSION, VERSIONS["hands"]],
        "cpu_look": round(time.process_time() - began, 1),
        "seconds": truth["duration"],
        "votes": scored.votes,
    }


def shrunk(seats: SeatMap, size: tuple[int, int]) -> SeatMap:
    """The map for the same picture at another size."""
    f = size[0] / seats.size[0]

    def box(b: Box) -> Box:
        return Box(b.x * f, b.y * f, b.w * f, b.h * f)

    made = tuple(Seat(s.number, box(s.box), box(s.hands) if s.hands else None) for s in seats.seats)
    table = tuple((x * f, y * f) for x, y in seats.table)
    return replace(seats, size=size, table=table, seats=made)


def spoiled(path: Path, worse: str, seconds: float) -> Path:
    """A worse copy of a clip's first seconds, in a temporary file."""
    kind, strength = kind_of(worse)
    out = Path(tempfile.gettempdir()) / f"{path.stem}.{kind}.{strength:g}.mp4"
    g = np.random.default_rng(1)
    with av.open(str(path)) as source, av.open(str(out), "w") as target:
        stream = source.streams.video[0]
        rate = stream.average_rate or 25
        made = target.add_stream("libx264", rate=rate, options={"crf": "23", "preset": "veryfast", "g": "50"})
        width, height = stream.width, stream.height
        if kind == "small":
            width, height = 2 * round(width * strength / height / 2), int(strength)
        made.width, made.height, made.pix_fmt = width, height, "yuv420p"
        made.time_base = stream.time_base
        for k, frame in enumerate(source.decode(stream)):
            if kind == "slow" and k % int(strength):
                continue
            if frame.time is not None and frame.time > seconds:
                break
            image = worsened(frame.to_ndarray(format="bgr24"), kind, strength, g, (width, height))
            again = av.VideoFrame.from_ndarray(image, format="bgr24")
            again.pts, again.time_base = frame.pts, frame.time_base
            target.mux(made.encode(again))
        target.mux(made.encode(None))
    return out


def worsened(
    image: Image, kind: str, strength: float, g: np.random.Generator, size: tuple[int, int]
) -> Image:
    if kind == "dark":
        return np.asarray(np.clip(image * strength + g.normal(0, 4, image.shape), 0, 255), np.uint8)
    if kind == "noise":
        return np.asarray(np.clip(image + g.normal(0, strength, image.shape), 0, 255), np.uint8)
    if kind == "blur":
        return np.asarray(cv2.GaussianBlur(image, (0, 0), strength), np.uint8)
    if kind == "jpeg":
        packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(strength)])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    if kind == "small":
        return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return image


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--worse", type=worse_of, default="")
    parser.add_argument("--rows", type=Path)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--calls", type=int, default=0)
    a = parser.parse_args()
    if a.table is not None:
        clips = [c for c in read(a.table) if c["worse"] == a.worse and (not a.only or c["clip"] in a.only)]
        sys.stdout.write("\n".join([table(clips), *mistakes(clips), ""]))
        return
    model = HandLandmarker(locate(MODEL))
    done = []
    for path in sorted(a.folder.glob("*.mp4")):
        if (a.only and path.stem not in a.only) or not path.with_suffix("").with_suffix(
            ".truth.json"
        ).exists():
            continue
        clip = seen(path, model, a.worse, a.keep, a.calls)
        done.append(clip)
        if a.rows is not None:
            append(a.rows, clip)
        sys.stdout.write("\n".join([table(done), *mistakes(done), ""]))
        sys.stdout.flush()
    model.close()


if __name__ == "__main__":
    main()
