"""`mafiavar bench ui`: how fast the review room is on a long case, in a real browser.

A 60-minute recording (one encoded minute, repeated without encoding again) is padded to the asked
size with an empty box, given a case of 200 flags, served, and looked at by Chromium.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from mafiavar.analyzer.errors import UsageError
from mafiavar.ui.language import say

MINUTES, FLAGS, FPS = 60, 200, 25
SIZE = (1280, 720)
BROWSER_FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--autoplay-policy=no-user-gesture-required", "--mute-audio",
)  # fmt: skip
# From the key press to the first new frame on the screen while playing.
NEXT_FLAG = """async (video) => {
  const before = video.currentTime, t0 = performance.now();
  window.dispatchEvent(new KeyboardEvent('keydown', {key: 'n', code: 'KeyN'}));
  await new Promise((done) => {
    const look = () => video.requestVideoFrameCallback((now, meta) =>
      (!video.paused && Math.abs(meta.mediaTime - before) > 2) ? done() : look());
    look();
  });
  return performance.now() - t0;
}"""


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure beside its aim (None: no aim)."""

    what: str
    value: float
    unit: str
    aim: float | None

    @property
    def met(self) -> bool | None:
        return None if self.aim is None else self.value <= self.aim


def register(bench: typer.Typer) -> None:
    @bench.command(
        help=say("скорость комнаты просмотра на длинном деле", "speed of the review room on a long case")
    )
    def ui(
        gigabytes: float = typer.Option(
            4.0, "--gb", min=0.0, help=say("размер записи", "size of the recording")
        ),
        people: int = typer.Option(
            10, "--people", min=1, max=30, help=say("сколько людей сразу", "people at once")
        ),
        rounds: int = typer.Option(20, "--rounds", min=3, help=say("сколько раз мерить", "repetitions")),
        as_json: bool = typer.Option(False, "--json", help=say("вывод в JSON", "print JSON")),
    ) -> None:
        measures = measure(gigabytes, people, rounds)
        if as_json:
            typer.echo(
                json.dumps(
                    {"schema": "mafiavar/bench-ui@1", "measures": [asdict(m) for m in measures]},
                    ensure_ascii=False,
                )
            )
        else:
            _print(measures)


def _print(measures: list[Measure]) -> None:
    table = Table(title=say("Комната просмотра", "The review room"))
    for name in (say("что", "what"), say("получилось", "measured"), say("цель", "aim"), ""):
        table.add_column(name)
    for m in measures:
        mark = {True: say("да", "met"), False: say("нет", "missed"), None: ""}[m.met]
        table.add_row(
            m.what, f"{m.value:.2f} {m.unit}", "" if m.aim is None else f"<= {m.aim:g} {m.unit}", mark
        )
    Console().print(table)


def measure(gigabytes: float, people: int, rounds: int) -> list[Measure]:
    """All figures.

    Raises:
        UsageError: no browser, or not the tools of the tests.
    """
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        raise UsageError(
            "Для этой меры нужны Chromium и playwright (группа dev): apt-get install chromium.",
            "This measure needs Chromium and playwright (group dev): apt-get install chromium.",
        )
    with tempfile.TemporaryDirectory(prefix="mafiavar-bench-ui-") as folder:
        library = Path(folder)
        build(library, gigabytes)
        with _served(library) as (url, pid), sync_playwright() as p:
            browser = p.chromium.launch(executable_path=chromium, args=list(BROWSER_FLAGS), timeout=180_000)
            out = _look(browser, url, pid, people, rounds)
            browser.close()
    return out


def _look(browser: Any, url: str, pid: int, people: int, rounds: int) -> list[Measure]:
    page = _person(browser)
    opened = [_open(page, url) for _ in range(max(6, rounds))][1:]
    video = page.locator("video").first
    steps = [float(video.evaluate(NEXT_FLAG)) for _ in range(rounds)]
    _seek_everywhere(url, page, 300)
    alone = _memory(pid)
    others = [_person(browser) for _ in range(people - 1)]
    crowd = [_open(other, url) for other in others]
    together = [float(video.evaluate(NEXT_FLAG)) for _ in range(rounds)]
    return [
        Measure(say("страница открыта, медиана", "page open, median"), statistics.median(x for x, _ in opened), say("с", "s"), 1.5),
        Measure(say("первый кадр на экране, медиана", "first frame on the screen, median"), statistics.median(x for _, x in opened), say("с", "s"), None),
        Measure(say("следующий момент играет, медиана", "next flag playing, median"), statistics.median(steps), say("мс", "ms"), 300),
        Measure(say("следующий момент играет, 90 %", "next flag playing, 90 %"), sorted(steps)[int(len(steps) * 0.9)], say("мс", "ms"), None),
        Measure(say("память сервера после долгого просмотра", "server memory after a long review"), alone, say("МБ", "MB"), 400),
        Measure(say(f"страница открыта, {people} человек", f"page open, {people} people"), statistics.median(x for x, _ in crowd) if crowd else 0.0, say("с", "s"), None),
        Measure(say(f"следующий момент, {people} человек", f"next flag, {people} people"), statistics.median(together), say("мс", "ms"), None),
        Measure(say(f"память сервера, {people} человек", f"server memory, {people} people"), _memory(pid), say("МБ", "MB"), 400),
        Measure(say("очередь к процессору (load average)", "load average of the machine"), os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0, "", None),
    ]  # fmt: skip


def _person(browser: Any) -> Any:
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    context.set_default_timeout(120_000)
    return context.new_page()


def _open(page: Any, url: str) -> tuple[float, float]:
    """(seconds to the moment's card with its buttons, to the first exact frame)."""
    began = time.perf_counter()
    page.goto(f"{url}/queue?case=bench", wait_until="commit")
    page.locator(".mvcard").first.wait_for()
    page.locator(".mv canvas.lanes").first.wait_for()
    shown = time.perf_counter() - began
    page.locator(".mv[data-shown]:not([data-shown=''])").wait_for()
    return shown, time.perf_counter() - began


def _seek_everywhere(url: str, page: Any, times: int) -> None:
    """Ranges all over the file, as a long review asks for them; bounded, one after another."""
    cookie = "; ".join(f"{c['name']}={c['value']}" for c in page.context.cookies())
    size = _size(f"{url}/media/bench/play/0", cookie)
    place = random.Random(1)
    for _ in range(times):
        start = place.randrange(max(1, size - 1_000_000))
        request = urllib.request.Request(
            f"{url}/media/bench/play/0",
            headers={"Cookie": cookie, "Range": f"bytes={start}-{start + 999_999}"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            answer.read()


def _size(url: str, cookie: str) -> int:
    request = urllib.request.Request(url, headers={"Cookie": cookie, "Range": "bytes=0-0"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return int(answer.headers["Content-Range"].rpartition("/")[2])


def _memory(pid: int) -> float:
    """Peak resident megabytes of the server process; 0 where the system does not tell."""
    try:
        text = Path(f"/proc/{pid}/status").read_text("utf-8")
    except OSError:
        return 0.0
    return next((int(x.split()[1]) / 1024 for x in text.splitlines() if x.startswith("VmHWM")), 0.0)


@contextmanager
def _served(library: Path) -> Iterator[tuple[str, int]]:
    import socket

    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "mafiavar", "review", str(library), "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        while (line := process.stdout.readline()) and "Ctrl-C" not in line:
            pass
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait(20)


# the case ---------------------------------------------------------------------------------


def build(library: Path, gigabytes: float) -> None:
    """A case of an hour with 200 flags, ten ballots and nine thousand words."""
    folder = library / "bench"
    folder.mkdir(parents=True)
    recording = library / "bench.mp4"
    long_recording(recording, MINUTES)
    pad(recording, int(gigabytes * (1 << 30)))
    seconds = MINUTES * 60
    place = random.Random(7)
    kinds = ("hand_early", "hand_withdrawn", "speech_out_of_turn", "vote_count_mismatch", "speech_overtime")
    flags = []
    for i in range(FLAGS):
        t0 = round(10 + (seconds - 30) * ((i * 67) % FLAGS) / FLAGS, 3)
        flags.append(
            {
                "id": f"f{i:03d}", "kind": kinds[i % 5], "clause": "fsm-2026:6.6.6", "seats": [i % 10 + 1], "t0": t0, "t1": t0 + 1.2, "day": 1 + i // 50,
                "severity": ("error", "foul", "note")[i % 3], "confidence": 0.8, "expected": "…", "seen": "…", "margin": "", "doubts": [], "evidence": [],
            }
        )  # fmt: skip
    words = [
        {"w": f"слово{i}", "t0": i * 0.39, "t1": i * 0.39 + 0.3, "p": 0.9, "speaker": str(place.randrange(1, 11)), "speaker_p": 0.8} for i in range(9000)
    ]  # fmt: skip
    events: list[dict[str, Any]] = [
        {
            "id": "e0",
            "kind": "day_began",
            "t0": 1,
            "t1": 2,
            "day": 1,
            "confidence": 1,
            "basis": "observed",
            "evidence": [],
        }
    ]
    events += [
        {"id": f"e{i}", "kind": "floor_given", "t0": i * 30, "t1": i * 30 + 1, "day": 1, "seat": i % 10 + 1, "seconds": 60, "purpose": "speech", "confidence": 0.9, "basis": "observed", "evidence": []}
        for i in range(1, 110)
    ]  # fmt: skip
    seat = {
        "vote": "yes",
        "probability": 0.9,
        "hand": "right",
        "form": "fist_vertical",
        "remainder": False,
        "evidence": [],
    }
    rounds = [
        {
            "day": d, "round": 1, "candidates": [d], "ballots": [{
                "target": d, "called": [d * 300, d * 300 + 0.5], "closed": [d * 300 + 2, d * 300 + 2.5], "announced": 10, "counted": [10, 10], "assigned": None,
                "seats": {str(n): {**seat, "contact": [d * 300 + 0.8, d * 300 + 3]} for n in range(1, 11)},
            }],
        }
        for d in range(1, 11)
    ]  # fmt: skip
    for name, value in {
        "case": {"schema": "mafiavar/case@1", "sources": [{
            "path": str(recording), "file": recording.name, "sha256": "bench", "duration": seconds, "container": "mov,mp4",
            "video": {"codec": "h264", "pixel_format": "yuv420p", "size": list(SIZE), "fps": FPS, "variable_rate": False}, "audio": [],
        }]},
        "timeline": {"schema": "mafiavar/timeline@1", "ruleset": "fsm-2026", "events": events},
        "votes": {"schema": "mafiavar/votes@1", "rounds": rounds},
        "flags": {"schema": "mafiavar/flags@1", "flags": flags},
        "transcript": {"schema": "mafiavar/transcript@1", "words": words},
    }.items():  # fmt: skip
        (folder / f"{name}.json").write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def long_recording(path: Path, minutes: int) -> None:
    """One encoded minute, muxed again and again with later times; key frames every two seconds."""
    import av
    import numpy as np

    one = path.with_name("minute.mp4")
    tick = Fraction(1, 12_800)
    with av.open(str(one), "w") as container:
        stream: Any = container.add_stream("libx264", rate=FPS)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        stream.codec_context.time_base = tick
        stream.codec_context.gop_size = FPS * 2
        stream.options = {"preset": "ultrafast", "bf": "0"}
        noise = np.random.default_rng(1).integers(0, 60, (SIZE[1], SIZE[0], 3), np.uint8)
        for i in range(60 * FPS):
            frame = av.VideoFrame.from_ndarray(np.roll(noise, i * 4, axis=1), format="rgb24")
            frame.pts, frame.time_base = i * 512, tick
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as target:
        out: Any = None
        for minute in range(minutes):
            with av.open(str(one)) as source:
                if out is None:
                    out = target.add_stream_from_template(source.streams.video[0])
                for packet in source.demux(video=0):
                    if packet.pts is None:
                        continue
                    shift = int(minute * 60 / packet.time_base)
                    packet.pts, packet.dts, packet.stream = packet.pts + shift, (packet.dts or 0) + shift, out
                    target.mux(packet)
    one.unlink()


def pad(path: Path, size: int) -> None:
    """Make the file as large as asked by an empty `free` box at its end; sparse on the disk."""
    missing = size - path.stat().st_size
    if missing < 16:
        return
    with path.open("r+b") as f:
        f.seek(0, os.SEEK_END)
        f.write(struct.pack(">I4sQ", 1, b"free", missing))
        f.truncate(size)
