"""A run that dies goes on where it stopped; a disk that refuses is a sentence; nothing is lost.

Real recording, real models, real SIGKILL, a real full disk (a small tmpfs, where it may be mounted).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mafiavar.analyzer.errors import UsageError
from mafiavar.models.registry import check, default_names
from mafiavar.ui.cli.demo import sample

from .kills import command, kill_and_go_on, results, run, run_and_kill, vote_clip, whole_stages

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.timeout(2400)]
KILLS = int(os.environ.get("MAFIAVAR_KILLS", "2"))
"""`make resume` kills twenty times (a quarter of an hour); every test run a few."""


@pytest.fixture(scope="module")
def clip(needs: Callable[[bool, str], None], tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        recording = sample()
    except UsageError:
        needs(False, "the sample recording: make samples")
        raise
    needs(all(check(n).state == "ready" for n in default_names()), "models: mafiavar models fetch")
    return vote_clip(recording, tmp_path_factory.mktemp("запись"))


@pytest.fixture(scope="module")
def undisturbed(clip: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """The folder with the case `undisturbed`, and how long it took."""
    folder = tmp_path_factory.mktemp("дела")
    return folder, run(clip, folder / "undisturbed")


def test_the_clip_exercises_the_stages(undisturbed: tuple[Path, float]) -> None:
    """Otherwise the rest proves little: sound, hands and stills must all have had work."""
    case = undisturbed[0] / "undisturbed"
    assert {p.parent.name for p in case.glob("stages/*/*")} >= {"index", "speech", "hands", "stills"}
    votes = json.loads((case / "votes.json").read_text("utf-8"))
    assert votes["rounds"]


def test_killed_at_random_moments(clip: Path, undisturbed: tuple[Path, float]) -> None:
    folder, length = undisturbed
    table = list(kill_and_go_on(clip, folder, length, KILLS, seed=1))
    assert len(table) == KILLS
    assert [k for k in table if k.repeated] == []
    if KILLS >= 20:
        assert max(k.whole for k in table) >= 2, "no kill came after a finished stage"
        assert len({k.stage for k in table}) >= 3, "the kills all hit the same stage"


def test_second_run_computes_nothing(clip: Path, undisturbed: tuple[Path, float]) -> None:
    case = undisturbed[0] / "undisturbed"
    before, stages = results(case), whole_stages(case)
    run(clip, case)
    assert results(case) == before
    assert whole_stages(case) == stages
    told = json.loads((case / "run.json").read_text("utf-8"))["stages"]
    assert {s["stage"] for s in told if not s["cached"]} <= {"timeline", "flags", "report"}


def midway(undisturbed: float) -> float:
    """A moment at which a run is surely under way: the undisturbed one may have been slowed by whatever else
    the machine did then, and this one may be done at half of its time."""
    return min(undisturbed / 2, 12.0)


def test_no_worker_outlives_a_killed_run(clip: Path, undisturbed: tuple[Path, float], tmp_path: Path) -> None:
    case = tmp_path / "дело"
    assert run_and_kill(clip, case, midway(undisturbed[1]))
    deadline = time.monotonic() + 10
    while left := processes_naming(str(case)):
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


def processes_naming(text: str) -> list[str]:
    """Command lines and open files of processes that still hold something in the case (Linux)."""
    if not Path("/proc/self/fd").exists():
        pytest.skip("only Linux shows the open files of processes")
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            names = [str(f.readlink()) for f in (process / "fd").iterdir()]
        except OSError:
            continue
        if any(name.startswith(text) for name in names):
            found.append((process / "cmdline").read_text().replace("\0", " "))
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent another way there")
def test_ctrl_c_stops_at_once_and_says_how_to_go_on(
    clip: Path, undisturbed: tuple[Path, float], tmp_path: Path
) -> None:
    case = tmp_path / "дело"
    process = subprocess.Popen(
        command(clip, case),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        # A shell's background jobs are deaf to Ctrl-C, and so would be what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    time.sleep(midway(undisturbed[1]))
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, said = process.communicate(timeout=30)
    took = time.monotonic() - began
    # Caught while a module is being made, Python reports the signal itself; a shell shows 130 for both.
    assert process.returncode in (130, -signal.SIGINT)
    assert "та же команда продолжит" in said
    assert "Traceback" not in said
    assert took < (2.0 if not_busy() else 10.0), f"{took:.1f} s"
    run(clip, case)
    assert results(case) == results(undisturbed[0] / "undisturbed")


def not_busy() -> bool:
    """Is there a core for this test, so that its seconds mean something?"""
    return os.getloadavg()[0] <= (os.cpu_count() or 1)


def test_two_runs_on_one_case(clip: Path, undisturbed: tuple[Path, float], tmp_path: Path) -> None:
    case = tmp_path / "дело"
    first = subprocess.Popen(command(clip, case), stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (case / "run.json").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    second = failing(clip, case)
    assert "уже работает другой запуск" in second.stderr
    assert first.wait(timeout=600) == 0
    assert results(case) == results(undisturbed[0] / "undisturbed")


def failing(recording: Path, case: Path) -> subprocess.CompletedProcess[str]:
    """A run that must end in one sentence and exit code 1."""
    done = subprocess.run(
        command(recording, case), capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert "Непредвиденная" not in done.stderr
    return done


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """`small_disk("size=1m")` mounts a disk with these options, or mounts it anew with others."""
    place = tmp_path / "диск"
    place.mkdir()
    mounted = False

    def mount(options: str) -> Path:
        nonlocal mounted
        again = "remount," if mounted else ""
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", again + options, "mafiavar", str(place)],
            capture_output=True,
            check=False,
        )
        if made.returncode:
            pytest.skip("a small disk can only be mounted by root")
        mounted = True
        return place

    if sys.platform != "linux":
        pytest.skip("tmpfs is Linux")
    yield mount
    if mounted:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.parametrize("size", ["64k", "300k"])
def test_full_disk_loses_nothing(
    clip: Path, undisturbed: tuple[Path, float], small_disk: Callable[[str], Path], size: str
) -> None:
    case = small_disk(f"size={size}") / "дело"
    done = failing(clip, case)
    assert "кончилось место" in done.stderr
    stages = whole_stages(case)
    small_disk("size=64m")
    run(clip, case)
    assert results(case) == results(undisturbed[0] / "undisturbed")
    assert {name: whole_stages(case).get(name) for name in stages} == stages


def test_read_only_case(
    clip: Path, undisturbed: tuple[Path, float], small_disk: Callable[[str], Path]
) -> None:
    case = small_disk("size=64m") / "дело"
    run(clip, case)
    before = results(case)
    small_disk("ro")
    assert "нельзя писать" in failing(clip, case).stderr
    assert "нельзя писать" in failing(clip, case.parent / "другое").stderr
    assert results(case) == before == results(undisturbed[0] / "undisturbed")


def test_case_that_is_a_file(clip: Path, tmp_path: Path) -> None:
    path = tmp_path / "файл"
    path.write_text("заметки", "utf-8")
    failing(clip, path)
    assert path.read_text("utf-8") == "заметки"


def test_quiet_without_a_terminal(clip: Path, undisturbed: tuple[Path, float]) -> None:
    """The output for programs is JSON and nothing else; the libraries' noise is in run.log."""
    done = subprocess.run(
        command(clip, undisturbed[0] / "undisturbed"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    assert json.loads(done.stdout)["schema"] == "mafiavar/summary@1"
    assert done.stderr == ""
