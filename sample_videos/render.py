"""Rendering a script into recordings with their truth beside them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mafiavar.sample_videos.bodies.source import cache_folder
from mafiavar.sample_videos.errors import ScriptError
from mafiavar.sample_videos.picture.cast import CAMERAS
from mafiavar.sample_videos.picture.encode import join, write_sound
from mafiavar.sample_videos.picture.film import Filming
from mafiavar.sample_videos.picture.workers import Shoot, crew, stage_of
from mafiavar.sample_videos.script import Line, Script
from mafiavar.sample_videos.sound.festival import RATE, Spoken
from mafiavar.sample_videos.sound.mix import perform
from mafiavar.sample_videos.timing import snapped
from mafiavar.sample_videos.truth import seats_toml, since, truth_of

__all__ = ["Rendered", "render", "render_angles", "render_sound", "stage_of"]

Progress = Callable[[str, float], None]
Bank = Callable[[Line], Spoken | None]


@dataclass(frozen=True, slots=True)
class Rendered:
    """What was written."""

    recording: Path
    truth: Path
    seats: Path | None
    duration: float


def beside(recording: Path, ending: str) -> Path:
    return recording.with_name(recording.stem + ending)


def write_json(path: Path, data: Any) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def render_sound(
    script: Script,
    out: Path,
    bank: Bank | None = None,
    progress: Progress | None = None,
) -> Rendered:
    """The game as sound only, and `NAME.truth.json` beside it."""
    p = perform(script, bank, progress)
    write_sound(out, p.mixed)
    truth = truth_of(p.timed, out.name, {"audio": p.conditions})
    write_json(beside(out, ".truth.json"), truth)
    return Rendered(out, beside(out, ".truth.json"), None, p.timed.duration)


def render(
    script: Script,
    out: Path,
    bank: Bank | None = None,
    progress: Progress | None = None,
    workers: int = 1,
    *,
    start: float = 0.0,
    take: int = 0,
) -> Rendered:
    """The whole recording: picture, sound, `NAME.truth.json`, `NAME.seats.toml`.

    workers: processes that paint; the file is the same for any number. start: the second of the script at which
    this recording begins (on the grid of frames); take: another microphone at another place.
    """
    say = progress or (lambda _what, _share: None)
    filming = Filming.of(script)  # an unknown condition is refused before anything is spoken
    p = perform(script, bank, progress, take)
    truth = truth_of(p.timed, out.name, {"audio": p.conditions, "video": dict(script.picture)})
    folder = out.with_name(out.name + ".pieces")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with crew(Shoot(p.timed, p.dry, start, cache_folder()), workers) as painters:
            pieces = painters.paint(folder, lambda share: say("frames", share))
            measured = painters.measure(truth["hands"], truth["signs"])
        join(out, pieces, p.mixed[round(start * RATE) :], filming.fps, filming.rotation)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    truth["video"] = video = measured.video
    truth = since(truth, start)
    write_json(beside(out, ".truth.json"), truth)
    judge = video.get("judge", {}).get("box")
    text = seats_toml(out.name, video["seats"], video["table_polygon"], measured.first, judge)
    beside(out, ".seats.toml").write_text(text, encoding="utf-8")
    return Rendered(out, beside(out, ".truth.json"), beside(out, ".seats.toml"), truth["duration"])


def render_angles(
    script: Script,
    out: Path,
    cameras: Sequence[str],
    offset: float = 1.72,
    bank: Bank | None = None,
    progress: Progress | None = None,
    workers: int = 1,
) -> list[Rendered]:
    """One game as several cameras record it at once: `NAME.mp4`, then `NAME.CAMERA.mp4` for each of `cameras`.

    Every further camera is switched on `offset` seconds after the one before it and hears with its own
    microphone; each recording has its own truth on its own clock, whose `began` says when it began on the
    clock of the first.
    """
    unknown = [c for c in cameras if c not in CAMERAS]
    if unknown or len(set(cameras)) < len(cameras):
        raise ScriptError(
            "--angle",
            f"ракурсы: {', '.join(CAMERAS)}, каждый один раз",
            f"angles are {', '.join(CAMERAS)}, each at most once",
        )
    step = snapped(max(0.0, offset))
    whole = replace(script, lead=script.lead + step * len(cameras))  # no camera misses the first word
    done = [render(whole, out, bank, progress, workers)]
    for k, camera in enumerate(cameras, 1):
        other = whole.with_conditions(picture={"camera": camera})
        done.append(
            render(other, beside(out, f".{camera}.mp4"), bank, progress, workers, start=step * k, take=k)
        )
    return done
