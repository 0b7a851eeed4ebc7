"""Clips: copied where a key frame is near, encoded elsewhere, the right seconds either way."""

from __future__ import annotations

import importlib.resources
import json
import shlex
from pathlib import Path
from typing import Any

import av
import pytest

from mafiavar.analyzer.export import clips
from mafiavar.analyzer.export.clips import Wanted, cut, cut_all, wanted_clips
from mafiavar.analyzer.media.recording import Recording, index
from mafiavar.analyzer.span import SECOND, Span, micros


@pytest.fixture(scope="module")
def recording() -> Recording:
    return index(Path(str(importlib.resources.files("mafiavar.sample_videos").joinpath("first_table.mp4"))))


def length(path: Path) -> tuple[float, int]:
    with av.open(str(path)) as file:
        assert file.duration is not None
        return file.duration / 1e6, sum(1 for _ in file.decode(video=0))


def test_a_clip_is_copied_from_the_key_frame_before(recording: Recording, tmp_path: Path) -> None:
    assert recording.video is not None
    key = micros(8.0)  # a key frame of the sample
    made = cut(recording, Span(key + SECOND, key + 4 * SECOND), tmp_path / "a.mp4")
    assert made.mode == "copy" and made.starts == 8.0
    seconds, frames = length(tmp_path / "a.mp4")
    assert abs(seconds - 4.0) < 0.1 and 98 <= frames <= 101
    words = shlex.split(made.command)
    assert words[0] == "ffmpeg" and "copy" in words and recording.path.name in words


def test_a_clip_without_a_near_key_frame_is_encoded(recording: Recording, tmp_path: Path) -> None:
    made = cut(recording, Span.of(21.3, 23.3), tmp_path / "a.mp4")
    seconds, frames = length(tmp_path / "a.mp4")
    assert made.mode == "encode" and abs(seconds - 2.0) < 0.15 and 49 <= frames <= 52
    assert made.size == (tmp_path / "a.mp4").stat().st_size < 400_000


def test_too_many_bytes_are_encoded_small(
    recording: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clips, "LARGEST", 10_000)
    assert cut(recording, Span.of(9.0, 10.0), tmp_path / "a.mp4").mode == "encode"
    assert [p.name for p in tmp_path.iterdir()] == ["a.mp4"], "no half file is left"


def flag(name: str, incident: int, t0: float, t1: float, severity: str = "foul") -> dict[str, Any]:
    return {"id": name, "incident": incident, "t0": t0, "t1": t1, "severity": severity, "evidence": []}


def test_one_clip_an_incident_and_none_for_notes(recording: Recording, tmp_path: Path) -> None:
    value = {
        "flags": [flag("f001", 1, 5.0, 5.5), flag("f002", 2, 7, 8, "note"), flag("f003", 1, 5.2, 6.0, "note")]
    }
    wanted = wanted_clips(value)
    assert wanted == [Wanted(micros(2.0), micros(9.0), 0)]
    assert [f.get("clip") for f in value["flags"]] == [wanted[0].path, None, wanted[0].path]
    outside = Wanted(micros(5000), micros(5006), 0)
    made = cut_all([*wanted, outside], [(recording, 0)], tmp_path)
    told = json.loads((tmp_path / clips.FOLDER / "clips.json").read_text("utf-8"))
    assert [c["path"] for c in told["clips"]] == [c.path for c in made] == [wanted[0].path]
    assert (tmp_path / wanted[0].path).is_file()
