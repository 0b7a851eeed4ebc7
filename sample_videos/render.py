"""Rendering a script into a recording with its truth beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from mafiavar.sample_videos.bodies.source import cache_folder
from mafiavar.sample_videos.picture.cast import scene
from mafiavar.sample_videos.picture.encode import write_sound, write_video
from mafiavar.sample_videos.picture.film import Film, Filming
from mafiavar.sample_videos.picture.stage import Stage
from mafiavar.sample_videos.script import Line, Script
from mafiavar.sample_videos.sound.festival import Spoken
from mafiavar.sample_videos.sound.mix import Performance, perform
from mafiavar.sample_videos.truth import seats_toml, truth_of

Progress = Callable[[str, float], None]


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
    bank: Callable[[Line], Spoken | None] | None = None,
    progress: Progress | None = None,
) -> Rendered:
    """The game as sound only, and `NAME.truth.json` beside it."""
    p = perform(script, bank, progress)
    write_sound(out, p.mixed)
    truth = truth_of(p.timed, out.name, {"audio": p.conditions})
    write_json(beside(out, ".truth.json"), truth)
    return Rendered(out, beside(out, ".truth.json"), None, p.timed.duration)


def stage_of(script: Script) -> Stage:
    """The stage that a script asks for in `picture`: camera, size, low_light, cast (seed), judge."""
    p = script.picture
    size = p.get("size", [1920, 1080])
    seed = int(p.get("cast", script.seed))
    where = scene(
        seed,
        str(p.get("camera", "high")),
        (int(size[0]), int(size[1])),
        bool(p.get("low_light", False)),
        p.get("judge"),
        p.get("cards"),
    )
    return Stage(where, seed, cache_folder() / "sprites")


def render(
    script: Script,
    out: Path,
    bank: Callable[[Line], Spoken | None] | None = None,
    progress: Progress | None = None,
) -> Rendered:
    """The whole recording: picture, sound, `NAME.truth.json`, `NAME.seats.toml`."""
    say = progress or (lambda _what, _share: None)
    p: Performance = perform(script, bank, progress)
    stage = stage_of(script)
    filming = Filming.of(script)
    film = Film(p.timed, p.dry, stage, filming)
    camera = stage.painter.camera
    write_video(
        out, film.frames(lambda x: say("frames", x)), p.mixed, (camera.width, camera.height),
        time_base=Fraction(1, filming.fps), rate=Fraction(filming.fps), crf=filming.crf,
    )  # fmt: skip
    truth = truth_of(p.timed, out.name, {"audio": p.conditions, "video": dict(script.picture)})
    truth["video"] = film.truth(truth["hands"], truth["signs"])
    stage.store.close()
    write_json(beside(out, ".truth.json"), truth)
    first = stage.lower_left()
    text = seats_toml(out.name, truth["video"]["seats"], truth["video"]["table_polygon"], first, None)
    beside(out, ".seats.toml").write_text(text, encoding="utf-8")
    return Rendered(out, beside(out, ".truth.json"), beside(out, ".seats.toml"), p.timed.duration)
