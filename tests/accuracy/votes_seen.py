"""Votes seen against truth, seat by seat and hand by hand, on rendered clips and recordings.

    python tests/accuracy/votes_seen.py FOLDER [--only NAME ...] [--worse dark|noise|blur|jpeg|small|slow]

FOLDER holds NAME.mp4, NAME.truth.json (tests/accuracy/vote_clips.py, or a recording with the
project's truth: its first round of ballots), NAME.seats.toml. Prints the table of docs/accuracy.md,
"Seeing", with Wilson intervals, after every clip, so that a stopped run has said what it measured.
`--worse` spoils each clip first: a quarter of the light, sensor noise, blur of a fifth of a hand,
JPEG of quality 15, 1280 x 720, every second frame.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

from mafiavar.analyzer.media.picture import Image
from mafiavar.analyzer.media.recording import index
from mafiavar.analyzer.seats import Box, Seat, SeatMap, find_seats_file, read_seats
from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.vision import answer_hands
from mafiavar.analyzer.vision.question import Contact, Question, QuestionKind, SeatHands
from mafiavar.models.hands import HandLandmarker
from mafiavar.models.hands.landmarker import MODEL
from mafiavar.models.registry import locate

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


def measure(path: Path, sums: Sums, worse: str = "") -> None:
    truth = json.loads(path.with_suffix("").with_suffix(".truth.json").read_text("utf-8"))
    file = find_seats_file(path)
    assert file is not None
    film = path if not worse else spoiled(path, worse)
    recording = index(film)
    assert recording.video is not None
    seats = read_seats(file, path.name, index(path).video.size)  # type: ignore[union-attr]
    if worse == "small":
        seats = shrunk(seats, recording.video.size)
    calls = calls_of(truth)
    window = Span(micros(calls[0][0] - 3), micros(calls[-1][1] + 3)) & recording.span
    assert window is not None
    model = HandLandmarker(locate(MODEL))
    question = Question(QuestionKind.HANDS, seats.numbers, window)
    answers = answer_hands(recording, seats, [question], model=model)
    model.close()
    if worse:
        film.unlink()
    for a, b in calls:
        call = Span(micros(a - 0.4), micros(b))
        for answer in answers:
            hands = [h for h in hands_of(truth) if h["seat"] == answer.seat and micros(h["t0"]) in call]
            said, contact = vote_of(answer, call)
            real = "yes" if hands else "no"
            best = max(hands, key=lambda h: h["visible"], default=None)
            band = "no hand" if best is None else visibility(best["visible"]) + sized(best["size_px"])
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


def sized(pixels: float) -> str:
    return ", < 30 px" if pixels < 30 else ", 30-45 px" if pixels < 45 else ", > 45 px"


def shrunk(seats: SeatMap, size: tuple[int, int]) -> SeatMap:
    """The map for the same picture at another size."""
    f = size[0] / seats.size[0]

    def box(b: Box) -> Box:
        return Box(b.x * f, b.y * f, b.w * f, b.h * f)

    made = tuple(Seat(s.number, box(s.box), box(s.hands) if s.hands else None) for s in seats.seats)
    table = tuple((x * f, y * f) for x, y in seats.table)
    return replace(seats, size=size, table=table, seats=made)


def spoiled(path: Path, worse: str) -> Path:
    """A worse copy of a clip, in a temporary file."""
    out = Path(tempfile.gettempdir()) / f"{path.stem}.{worse}.mp4"
    g = np.random.default_rng(1)
    with av.open(str(path)) as source, av.open(str(out), "w") as target:
        stream = source.streams.video[0]
        rate = stream.average_rate or 25
        made = target.add_stream("libx264", rate=rate, options={"crf": "23", "preset": "veryfast", "g": "50"})
        width, height = (1280, 720) if worse == "small" else (stream.width, stream.height)
        made.width, made.height, made.pix_fmt = width, height, "yuv420p"
        made.time_base = stream.time_base
        for k, frame in enumerate(source.decode(stream)):
            if worse == "slow" and k % 2:
                continue
            image = worsened(frame.to_ndarray(format="bgr24"), worse, g, (width, height))
            again = av.VideoFrame.from_ndarray(image, format="bgr24")
            again.pts, again.time_base = frame.pts, frame.time_base
            target.mux(made.encode(again))
        target.mux(made.encode(None))
    return out


def worsened(image: Image, worse: str, g: np.random.Generator, size: tuple[int, int]) -> Image:
    if worse == "dark":
        return np.asarray(np.clip(image * 0.25 + g.normal(0, 4, image.shape), 0, 255), np.uint8)
    if worse == "noise":
        return np.asarray(np.clip(image + g.normal(0, 16, image.shape), 0, 255), np.uint8)
    if worse == "blur":
        return np.asarray(cv2.GaussianBlur(image, (0, 0), 4.0), np.uint8)
    if worse == "jpeg":
        packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 15])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    if worse == "small":
        return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return image


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
    parser.add_argument("--worse", choices=("dark", "noise", "blur", "jpeg", "small", "slow"), default="")
    a = parser.parse_args()
    sums = Sums()
    clips = [
        p for p in sorted(a.folder.glob("*.mp4")) if p.with_suffix("").with_suffix(".truth.json").exists()
    ]
    clips = [p for p in clips if not a.only or p.stem in a.only]
    for n, path in enumerate(clips):
        measure(path, sums, a.worse)
        tell(sums, n + 1, a.worse)


def tell(sums: Sums, clips: int, worse: str) -> None:
    say = sys.stdout.write
    say(f"{clips} clips {worse}\n{'band':26} right wrong cannot   right of answered      cannot tell\n")
    for band, t in sorted(sums.tallies.items()):
        given, every = t.right + t.wrong, t.right + t.wrong + t.cannot
        say(
            f"{band:26} {t.right:5} {t.wrong:5} {t.cannot:6}   {wilson(t.right, given)}   {wilson(t.cannot, every)}\n"
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
    say("\n".join([*sums.mistakes, ""]))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
