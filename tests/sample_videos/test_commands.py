"""`mafiavar studio ...`: the same bytes for the same seed, one sentence for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mafiavar.sample_videos.picture.film import Filming
from mafiavar.sample_videos.samples import SAMPLES
from mafiavar.sample_videos.script import save
from mafiavar.sample_videos.sound import festival
from mafiavar.ui.cli.app import build

run = CliRunner()


def test_same_seed_same_file(tmp_path: Path) -> None:
    for name in "ab":
        done = run.invoke(
            build("ru"),
            ["studio", "write", "--seed", "8", "--rules", "disbord", "--out", str(tmp_path / name)],
        )
        assert done.exit_code == 0, done.output
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert json.loads((tmp_path / "a").read_text("utf-8"))["ruleset"] == "disbord"


@pytest.mark.parametrize(
    "arguments",
    [["--rules", "poker"], ["--judge", "loud"], ["--from-protocol", "nothing.json"]],
)
def test_wrong_wishes_are_usage_errors(tmp_path: Path, arguments: list[str]) -> None:
    done = run.invoke(build("ru"), ["studio", "write", "--out", str(tmp_path / "x.json"), *arguments])
    assert done.exit_code == 2
    assert "Traceback" not in done.output
    assert not (tmp_path / "x.json").exists()


def test_a_bad_script_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    save(SAMPLES["first_table"](), path)
    data = json.loads(path.read_text("utf-8"))
    data["lines"][4]["speaker"] = 12
    path.write_text(json.dumps(data), "utf-8")
    done = run.invoke(
        build("ru"), ["studio", "render", str(path), "--sound-only", "--out", str(tmp_path / "g.ogg")]
    )
    assert done.exit_code == 2
    assert "lines[4]" in done.output
    assert not (tmp_path / "g.ogg").exists()


def test_a_missing_voice_is_named_with_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAFIAVAR_STUDIO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(festival, "available", lambda: False)
    path = tmp_path / "g.json"
    save(SAMPLES["disputed_nomination"](), path)
    done = run.invoke(
        build("en"), ["studio", "render", str(path), "--sound-only", "--out", str(tmp_path / "g.ogg")]
    )
    assert done.exit_code == 4
    assert "apt-get install festival" in done.output


def test_every_sample_asks_only_for_known_conditions() -> None:
    for script in SAMPLES.values():
        Filming.of(script())


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        (["--angle", "ceiling"], "--angle"),
        (["--angle", "left", "--angle", "left"], "--angle"),
        (["--set", "picture.rotation=45"], "picture.rotation"),
        (["--set", "weather=rain"], "weather=rain"),
    ],
)
def test_wrong_pictures_are_usage_errors(tmp_path: Path, arguments: list[str], where: str) -> None:
    path = tmp_path / "g.json"
    save(SAMPLES["disputed_nomination"](), path)
    done = run.invoke(
        build("ru"), ["studio", "render", str(path), "--out", str(tmp_path / "g.mp4"), *arguments]
    )
    assert done.exit_code == 2, done.output
    assert where in done.output and "Traceback" not in done.output
    assert not list(tmp_path.glob("g.mp4*"))
