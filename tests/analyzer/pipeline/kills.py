"""Kill a run at random moments and see what the next one makes of it.

`.venv/bin/python tests/analyzer/pipeline/kills.py [RECORDING]` prints the table of the README's
claim; `test_resume.py` asserts it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import av

# What may differ between two runs of the same input: timings, the libraries' noise, the lock.
MAY_DIFFER = {"run.json", "run.log", ".lock"}


@dataclass(frozen=True, slots=True)
class Kill:
    """One killed run: when (seconds), in which stage, how many stages were whole, and how many of
    those the next run did again or touched."""

    after: float
    stage: str
    whole: int
    repeated: int


def command(recording: Path, case: Path) -> list[str]:
    return [sys.executable, "-m", "mafiavar", "analyze", str(recording), "--case", str(case), "--json"]


def run(recording: Path, case: Path) -> float:
    """Undisturbed; seconds it took. Raises CalledProcessError."""
    began = time.perf_counter()
    subprocess.run(command(recording, case), check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def run_and_kill(recording: Path, case: Path, after: float) -> bool:
    """False when the run was through before it could be killed."""
    process = subprocess.Popen(command(recording, case), stdout=subprocess.DEVNULL)
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return False


def results(case: Path) -> dict[str, str]:
    """SHA-256 of every file that must not differ, by its place in the case folder."""
    return {
        p.relative_to(case).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(case.rglob("*"))
        if p.is_file() and p.name not in MAY_DIFFER
    }


def whole_stages(case: Path) -> dict[str, tuple[int, int]]:
    """Finished stages and what would change if somebody wrote them again. Tiles are no stage: they grow."""
    return {
        p.relative_to(case).as_posix(): (p.stat().st_ino, p.stat().st_mtime_ns)
        for p in case.glob("stages/*/*")
        if p.is_dir() and not p.name.startswith(".part-") and p.parent.name != "tiles"
    }


def stage_of(case: Path) -> str:
    """The stage the last run was in."""
    try:
        content = json.loads((case / "run.json").read_text("utf-8"))
    except FileNotFoundError:
        return "-"
    return str(content.get("stage", content["state"]))


def kill_and_go_on(recording: Path, folder: Path, length: float, kills: int, seed: int) -> Iterator[Kill]:
    """Kill until there were `kills` kills, each followed by another run of the same command, which may
    be killed too. A run that comes through is compared with `folder`/undisturbed, and a new case is
    begun. Raises AssertionError when they differ."""
    moments = random.Random(seed)
    undisturbed = results(folder / "undisturbed")
    done = 0
    last: Kill | None = None
    before: dict[str, tuple[int, int]] = {}
    number = 0
    while done < kills:
        case = folder / f"case-{number}"
        after = moments.uniform(0.0, length)
        if done + (last is not None) < kills:
            killed = run_and_kill(recording, case, after)
        else:
            run(recording, case)
            killed = False
        now = whole_stages(case)
        if last is not None:
            again = sum(now.get(name) != mark for name, mark in before.items())
            yield dataclasses.replace(last, repeated=again)
            done, last = done + 1, None
        if killed:
            last, before = Kill(after, stage_of(case), len(now), 0), now
        else:
            assert results(case) == undisturbed, f"after {done} kills the result is another one"
            number += 1


def cut(source: Path, target: Path, t0: float, t1: float) -> None:
    """The packets of `source` between the key frame before `t0` and `t1`, unchanged, from time 0."""
    with av.open(str(source)) as given, av.open(str(target), "w") as made:
        picture = given.streams.video[0]
        streams = {s.index: made.add_stream_from_template(s) for s in (picture, *given.streams.audio)}
        given.seek(int(t0 / picture.time_base), stream=picture)
        first: float | None = None
        for packet in given.demux(*[given.streams[i] for i in streams]):
            if packet.dts is None or packet.pts is None:
                continue
            t = float(packet.pts * packet.time_base)
            if first is None and packet.stream is picture and packet.is_keyframe:
                first = t
            if first is None or not first <= t < t1:
                continue
            shift = round(first / packet.time_base)
            packet.pts -= shift
            packet.dts -= shift
            packet.stream = streams[packet.stream.index]
            made.mux(packet)


def vote_clip(sample: Path, folder: Path, length: float = 14.0) -> Path:
    """The sample around its first call of a vote, with its seats."""
    events = json.loads(sample.with_suffix(".truth.json").read_text("utf-8"))["events"]
    call = next(e for e in events if e["kind"] == "vote_called")
    clip = folder / "голосование.mp4"
    cut(sample, clip, call["t0"] - 7, call["t0"] - 7 + length)
    seats = sample.with_suffix(".seats.toml").read_text("utf-8").replace(sample.name, clip.name)
    clip.with_suffix(".seats.toml").write_text(seats, "utf-8")
    return clip


def main() -> None:
    from mafiavar.ui.cli.demo import sample

    recording = Path(sys.argv[1]) if len(sys.argv) > 1 else sample()
    folder = Path(tempfile.mkdtemp(prefix="mafiavar-kills-"))
    try:
        clip = vote_clip(recording, folder)
        length = run(clip, folder / "undisturbed")
        print(f"undisturbed: {length:.1f} s, {os.cpu_count()} cores")
        print("| kill | after, s | stage | stages whole | of them done again |")
        print("|---|---|---|---|---|")
        for n, kill in enumerate(kill_and_go_on(clip, folder, length, 20, 1), 1):
            print(f"| {n} | {kill.after:.1f} | {kill.stage} | {kill.whole} | {kill.repeated} |")
        print("results byte-identical to the undisturbed run: yes")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
