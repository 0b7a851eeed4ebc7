"""A real recording, small and slow: two painters make what one makes, two cameras see one game."""

from __future__ import annotations

import importlib.util
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import av
import pytest

from mafiavar.sample_videos.bodies import source
from mafiavar.sample_videos.composer import Composer
from mafiavar.sample_videos.errors import PictureMissing
from mafiavar.sample_videos.render import render, render_angles
from mafiavar.sample_videos.script import Script
from mafiavar.sample_videos.sound import festival
from mafiavar.sample_videos.writer.scenes import Director

Needs = Callable[[bool, str], None]


@pytest.fixture(scope="module")
def script(needs: Needs) -> Script:
    """A call and its hands in twenty seconds, two pictures a second: two pieces."""
    needs((source.cache_folder() / source.WHEEL).is_file(), "mafiavar studio fetch")
    needs(festival.available() and shutil.which("sox") is not None, "apt-get install festival festvox-ru sox")
    needs(importlib.util.find_spec("moderngl") is not None, "pip install moderngl")
    c = Composer("fsm-2026", 31)
    d = Director(c, "terse", 31, "fsm-2026")
    c.day = 1
    d.open_vote((2, 8))
    d.ballot(2, (1, 3, 4))
    picture = {"size": [320, 180], "fps": 2, "crf": 30, "noise": 1.0, "judge": "far"}
    return c.script(excerpt=True, lead=9.0, tail=2.0, picture=picture)


def shown(path: Path) -> tuple[int, float]:
    with av.open(str(path)) as file:
        video = file.streams.video[0]
        assert video.time_base is not None and video.duration is not None
        return sum(1 for _ in file.decode(video)), float(video.duration * video.time_base)


@pytest.mark.real
@pytest.mark.timeout(900)
def test_two_painters_and_two_cameras(script: Script, tmp_path: Path) -> None:
    try:
        one = render(script, tmp_path / "one.mp4", workers=1)
    except PictureMissing as error:
        pytest.skip(str(error))
    two = render(script, tmp_path / "two.mp4", workers=2)
    assert one.duration > 16, "the test wants two pieces"
    assert one.recording.read_bytes() == two.recording.read_bytes()
    first, second = (json.loads(r.truth.read_text("utf-8")) for r in (one, two))
    assert {**first, "recording": ""} == {**second, "recording": ""}

    wide, left = render_angles(script, tmp_path / "game.mp4", ["left"], offset=2.0)
    assert left.recording.name == "game.left.mp4" and left.seats is not None
    a, b = (json.loads(r.truth.read_text("utf-8")) for r in (wide, left))
    assert b["began"] == 2.0 and a["duration"] - b["duration"] == pytest.approx(2.0)
    assert [h["t0"] - 2.0 for h in a["hands"]] == pytest.approx([h["t0"] for h in b["hands"]])
    assert [h["box"] for h in a["video"]["hands"]] != [h["box"] for h in b["video"]["hands"]]
    for r in (wide, left):
        frames, seconds = shown(r.recording)
        assert seconds == pytest.approx(r.duration, abs=0.5)
        assert frames == pytest.approx(r.duration * 2, abs=1)
    assert not list(tmp_path.glob("*.pieces")) and not list(tmp_path.glob("*.part"))
