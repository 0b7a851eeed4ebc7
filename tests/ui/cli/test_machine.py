"""The doctor: each check sees its fault, each fault names the command that mends it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from mafiavar.ui.cli import machine
from mafiavar.ui.cli.machine import (
    GIGABYTE,
    cores,
    disk,
    expected_minutes,
    libraries,
    memory,
    memory_bytes,
    one_opencv,
    pace,
    probe,
    shared_libraries,
    usable_cores,
    weights,
)

Usage = namedtuple("Usage", "total used free")


def test_broken_library_is_named_alone() -> None:
    finding = libraries(("json", "no_such_library", "csv"))
    assert finding.state == "fault"
    assert "no_such_library" in finding.seen
    assert "json" not in finding.seen
    assert finding.mend.endswith("no_such_library")


def test_library_that_crashes_the_interpreter_is_survived() -> None:
    def crash(code: str) -> tuple[int, str]:
        return machine.child(f"import os; os.abort() if 'av' in {code!r} else None")

    finding = libraries(("av",), crash)
    assert (finding.state, finding.mend.split()[-1]) == ("fault", "av")


@pytest.mark.parametrize(
    ("installed", "state", "words"),
    [
        ({"opencv-contrib-python"}, "ok", []),
        (
            {"opencv-contrib-python", "opencv-python"},
            "fault",
            ["uninstall -y opencv-python ", "--force-reinstall"],
        ),
        (
            {"opencv-python-headless"},
            "fault",
            ["uninstall -y opencv-python-headless", "opencv-contrib-python"],
        ),
        (set(), "fault", ["opencv-contrib-python"]),
    ],
)
def test_one_opencv(installed: set[str], state: str, words: list[str]) -> None:
    finding = one_opencv(lambda name: "5.0" if name in installed else "?")
    assert finding.state == state
    assert all(w in finding.mend for w in words)


def test_system_library_names_its_debian_package() -> None:
    finding = shared_libraries(lambda name: name != "libEGL.so.1")
    assert (finding.state, finding.mend) == ("fault", "sudo apt-get install -y libegl1")
    assert shared_libraries(lambda _: True).state == "ok"


@pytest.mark.parametrize(("free", "state"), [(0.5, "fault"), (3.0, "warning"), (50.0, "ok")])
def test_disk(free: float, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(1, 1, int(free * GIGABYTE)))
    finding = disk(tmp_path / "ещё нет" / "папки", "disk")
    assert finding.state == state
    assert bool(finding.mend) == (state != "ok")
    assert str(tmp_path) in finding.seen


def test_disk_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert disk(tmp_path, "disk").state == "fault"


@pytest.mark.parametrize(("total", "state"), [(2.0, "fault"), (4.0, "warning"), (16.0, "ok")])
def test_memory(total: float, state: str) -> None:
    assert memory(int(total * GIGABYTE)).state == state


def test_this_machine_is_seen() -> None:
    assert (memory_bytes() or 0) > GIGABYTE / 2
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)
    assert cores().state in {"ok", "warning"}


def test_missing_models_name_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAFIAVAR_MODELS", str(tmp_path))
    (finding,) = weights()
    assert finding.state == "fault"
    assert finding.code == 4
    assert finding.mend.startswith("mafiavar models fetch whisper-base hand-landmarker")


PACE = {"probe_ms": 10.0, "shared": {"hands": 0.6, "speech": 0.4}, "alone": {"index": 0.1}}


@pytest.mark.parametrize(
    ("speed", "count", "minutes"), [(10.0, 1, 66.0), (10.0, 2, 36.0), (20.0, 2, 72.0), (10.0, 8, 36.0)]
)
def test_expected_minutes(speed: float, count: int, minutes: float) -> None:
    """Twice as slow takes twice as long; two workers share what can be shared, eight cores do no more."""
    assert expected_minutes(PACE, speed, count) == pytest.approx(minutes)


def test_pace_without_the_model_is_no_number() -> None:
    finding = pace(None)
    assert finding.state == "warning"
    assert not any(c.isdigit() for c in finding.seen)
    assert any(c.isdigit() for c in pace(10.0, 2).seen)


@pytest.mark.parametrize(
    ("answer", "found"),
    [((0, "12.5"), (12.5, "")), ((1, "libEGL.so.1"), (None, "libEGL.so.1")), ((0, "odd"), (None, "odd"))],
)
def test_probe_reads_what_the_child_said(answer: tuple[int, str], found: tuple[float | None, str]) -> None:
    assert probe(lambda _: answer) == found


@pytest.mark.real
def test_doctor_runs_whole(tmp_path: Path) -> None:
    """Every check on this very machine, models away: one fault, its command, no traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "mafiavar", "--lang", "en", "doctor"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**os.environ, "MAFIAVAR_MODELS": str(tmp_path / "нет")},
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert re.search(r"→ .*mafiavar\"? models fetch whisper-base", done.stdout)
    assert done.returncode in {1, 4}
    broken = [x for x in done.stdout.splitlines() if x.startswith("✗")]
    assert [x for x in broken if "models" not in x and "room" not in x] == []
