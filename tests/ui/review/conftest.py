"""A served review over small cases, and real browsers that look at it."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from casebuilder import build_case
from game import seats_head, truth, write_video

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--autoplay-policy=no-user-gesture-required",
]  # fmt: skip
PATIENCE = 120_000


@dataclass
class Served:
    """A running server: its address and its library."""

    url: str
    library: Path
    process: subprocess.Popen[str]


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def serve(library: Path, *options: str, port: int | None = None, **environment: str) -> Served:
    """Start `mafiavar review` and wait until it answers."""
    port = port or free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "mafiavar", "review", str(library), "--port", str(port), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUNBUFFERED": "1", "MAFIAVAR_LANG": "ru", **environment},
    )
    assert process.stdout is not None
    said: list[str] = []
    while (line := process.stdout.readline()) and "Ctrl-C" not in line:
        said.append(line)
    assert process.poll() is None, "".join(said)
    return Served(f"http://127.0.0.1:{port}", library, process)


def stop(served: Served) -> None:
    served.process.terminate()
    try:
        served.process.wait(15)
    except subprocess.TimeoutExpired:
        served.process.kill()
        served.process.wait()
    assert served.process.stdout is not None
    served.process.stdout.close()


@pytest.fixture(scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recordings") / "numbers.mp4"
    write_video(path)
    return path


@pytest.fixture(scope="session")
def make_library(tmp_path_factory: pytest.TempPathFactory, recording: Path) -> Callable[[], Path]:
    """A fresh library with one case «стол 3 игра 6»."""

    def make() -> Path:
        library = tmp_path_factory.mktemp("library")
        build_case(truth(), recording, library / "стол 3 игра 6", head=seats_head())
        return library

    return make


@pytest.fixture(scope="module")
def served(make_library: Callable[[], Path]) -> Iterator[Served]:
    server = serve(make_library())
    yield server
    stop(server)


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


@pytest.fixture(scope="session")
def browser(needs: Callable[[bool, str], None]) -> Iterator[Any]:
    needs(CHROMIUM is not None, "chromium (apt-get install chromium)")
    if sys.platform == "linux":
        needs(_loads("libatomic.so.1"), "the browser driver's library (apt-get install libatomic1)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as p:
        b = p.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=180_000)
        yield b
        b.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1366, "height": 768}, locale="ru-RU")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


CASE = "стол 3 игра 6"
READ_NUMBER = """(video) => {
  const c = document.createElement('canvas'); c.width = 640; c.height = 360;
  const g = c.getContext('2d'); g.drawImage(video, 0, 0, 640, 360);
  const side = Math.floor(640 / 18); let n = 0;
  for (let bit = 0; bit < 16; bit++) {
    const p = g.getImageData(side + bit * side + side / 2, 360 - 2 * side + side / 2, 1, 1).data;
    if (p[0] > 127) n |= 1 << bit;
  }
  return n;
}"""


def shown_frame(page: Any) -> int:
    """The number burned into the picture that the first video shows."""
    return int(page.locator("video").first.evaluate(READ_NUMBER))


def settled_frame(page: Any, wanted: int | None = None, within: float = 30.0) -> int:
    """The frame the player says it shows and stays at; on a busy machine a picture that still plays may
    stand still for a while, so the frame that is wanted is waited for, and the last one told otherwise."""
    end = time.monotonic() + within
    settled = None
    while time.monotonic() < end:
        said = page.locator(".mv").first.get_attribute("data-shown")
        if said:
            page.wait_for_timeout(120)
            if page.locator(".mv").first.get_attribute("data-shown") == said:
                settled = int(said)
                if wanted in (None, settled):
                    return settled
        page.wait_for_timeout(60)
    assert settled is not None, "the picture asked for never came"
    return settled


def seek(page: Any, t: float) -> None:
    """Send the player to a moment, as the pages do."""
    page.evaluate(
        "t => window.dispatchEvent(new CustomEvent('mafiavar:seek', {detail: {t, pause: true, loop: null}}))",
        t,
    )


def open_page(page: Any, served: Served, name: str, **query: str) -> None:
    """Open a page of the case and wait for its heading."""
    from urllib.parse import urlencode

    page.goto(f"{served.url}/{name}?{urlencode({'case': CASE, **query})}")
    page.wait_for_selector("h1")
    settled(page)


def settled(page: Any) -> None:
    """Wait until the server has run the page to its end and nothing of an earlier run is left on it."""
    page.wait_for_selector(
        "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
    )
    page.wait_for_function("() => !document.querySelector('[data-stale=true]')")


def records(served: Served, kind: str) -> list[dict[str, Any]]:
    with sqlite3.connect(served.library / ".mafiavar" / "records.sqlite") as c:
        rows = c.execute(
            "SELECT target, payload, author, undoes, snapshot FROM records WHERE kind = ? ORDER BY id",
            (kind,),
        ).fetchall()
    return [
        {
            "target": json.loads(t),
            "payload": json.loads(p),
            "author": a,
            "undoes": u,
            "snapshot": json.loads(s),
        }
        for t, p, a, u, s in rows
    ]


def eventually(page: Any, check: Callable[[], bool], within: int = 40) -> None:
    for _ in range(within * 5):
        if check():
            return
        page.wait_for_timeout(200)
    assert check()
