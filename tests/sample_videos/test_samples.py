"""The shipped samples: small, in step with their scripts, legal under the engine, truth and picture of one length."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import av
import pytest

from mafiavar.engine.events import event_from
from mafiavar.engine.game import Game
from mafiavar.engine.ruleset import ruleset
from mafiavar.sample_videos.samples import SAMPLES

FOLDER = Path(__file__).resolve().parents[2] / "sample_videos"
SHIPPED = [name for name in SAMPLES if (FOLDER / f"{name}.mp4").is_file()]


def truth_of_sample(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((FOLDER / f"{name}.truth.json").read_text("utf-8"))
    return data


def test_the_first_table_is_shipped() -> None:
    assert "first_table" in SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_sample_is_small_and_as_long_as_its_truth(name: str) -> None:
    path = FOLDER / f"{name}.mp4"
    assert path.stat().st_size <= 8_000_000
    truth = truth_of_sample(name)
    with av.open(str(path)) as file:
        video, audio = file.streams.video[0], file.streams.audio[0]
        assert (video.width, video.height, video.average_rate) == (1920, 1080, 25)
        assert video.frames == truth["video"]["frames"]
        assert video.start_time == 0 and audio.start_time == 0
        assert float(video.duration * video.time_base) == pytest.approx(truth["duration"], abs=0.02)
        assert float(audio.duration * audio.time_base) == pytest.approx(truth["duration"], abs=0.1)
    if name == "first_table":
        assert 60 <= truth["duration"] <= 120


@pytest.mark.parametrize("name", SHIPPED)
def test_a_sample_is_what_its_script_says(name: str) -> None:
    script, truth = SAMPLES[name](), truth_of_sample(name)
    assert [x["text"] for x in truth["speech"]] == [x.text for x in script.lines]
    assert len(truth["hands"]) == sum(a.kind == "hand" for a in script.acts)
    assert sorted(f["kind"] for f in truth["flags"]) == sorted(f.kind for f in script.flags)
    for h in truth["hands"]:
        assert round(h["t0"] * 25, 6) == round(h["t0"] * 25)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_sample_is_a_legal_game(name: str) -> None:
    truth = truth_of_sample(name)
    game = Game.excerpt(ruleset(truth["ruleset"]))
    allowed = {f["kind"] for f in truth["flags"]}
    for e in truth["events"]:
        game, issues = game.apply(event_from(e["kind"], e))
        assert {i.kind for i in issues} <= allowed, (e, issues)


@pytest.mark.parametrize("name", SHIPPED)
def test_ten_seats_are_marked(name: str) -> None:
    camera = tomllib.loads((FOLDER / f"{name}.seats.toml").read_text("utf-8"))["camera"][0]
    assert camera["recording"] == f"{name}.mp4"
    assert [s["number"] for s in camera["seat"]] == list(range(1, 11))
    lower_left = min(
        camera["seat"],
        key=lambda s: (s["box"][0] + s["box"][2] / 2) ** 2 + (1080 - s["box"][1] - s["box"][3] / 2) ** 2,
    )
    assert camera["first"] == lower_left["number"]
