"""`doctor --video`: every advice is a sentence in both languages, bad input too."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from mafiavar.analyzer.errors import MediaError, UsageError
from mafiavar.analyzer.vision.camera import Advice, CameraReport, SeatView
from mafiavar.ui.cli.camera import advice, examine_camera, findings
from mafiavar.ui.cli.demo import sample
from mafiavar.ui.cli.machine import Finding
from mafiavar.ui.language import set_language


@pytest.mark.parametrize("kind", get_args(Advice))
@pytest.mark.parametrize("lang", ["ru", "en"])
def test_every_advice_has_words(kind: str, lang: str) -> None:
    set_language(lang)
    try:
        finding = advice(kind, (1, 10))
    finally:
        set_language("ru")
    assert finding.seen != kind
    assert finding.mend


def report(hand: float, *kinds: Advice) -> CameraReport:
    seats = tuple(SeatView(n, hand, 0.9, 0.9 if n > 2 else 0.1, 1.0, 90.0, 20.0) for n in range(1, 11))
    return CameraReport((1920, 1080), 30.0, False, seats, 90.0, 0.0, 0.0, kinds)


@pytest.mark.parametrize(("hand", "state"), [(50.0, "ok"), (27.0, "warning"), (15.0, "fault")])
def test_small_hands_are_told(hand: float, state: str) -> None:
    assert [f.state for f in findings(report(hand))][1] == state


def test_badly_seen_seats_are_named() -> None:
    text = "\n".join(f"{f.name}: {f.seen} {f.mend}" for f in findings(report(50.0, "higher")))
    assert "№ 1, 2" in text
    assert "поднимите камеру" in text


def test_without_seats_and_without_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        examine_camera(tmp_path / "нет.mp4", None)
    alone = tmp_path / "стол.mp4"
    alone.write_bytes(b"not a video")
    with pytest.raises(UsageError, match="разметка мест"):
        examine_camera(alone, None)


def test_not_a_video(tmp_path: Path) -> None:
    film = tmp_path / "стол.mp4"
    film.write_bytes(b"not a video")
    with pytest.raises(MediaError):
        examine_camera(film, sample().with_suffix(".seats.toml"))


@pytest.mark.real
def test_the_samples_camera() -> None:
    found = findings_of_the_sample()
    assert "1920×1080" in found[0].seen
    assert any("точек" in f.seen for f in found)


def findings_of_the_sample() -> list[Finding]:
    path = sample()
    return list(examine_camera(path, path.with_suffix(".seats.toml")))
