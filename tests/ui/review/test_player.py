"""The frame on the screen is the frame that was judged: read from the picture itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from casebuilder import build_case
from conftest import Served, eventually, open_page, seek, serve, settled_frame, shown_frame, stop
from game import FPS, seats_head, truth, write_video

pytestmark = pytest.mark.real


def test_flag_opens_at_its_frame_and_every_step_is_one_frame(page: Any, served: Served) -> None:
    open_page(page, served, "queue")
    page.wait_for_selector(".mv[data-t]")
    for t in (33.2, 12.345, 0.0, 59.9, 46.01):
        seek(page, t)
        wanted = int(t * FPS + 0.015)
        assert settled_frame(page, wanted) == wanted
        assert shown_frame(page) == wanted
    seek(page, 20.0)
    assert settled_frame(page, 500) == 500
    page.locator(".mv").first.focus()
    for key, wanted in (
        ("ArrowRight", 501),
        (".", 502),
        ("ArrowLeft", 501),
        (",", 500),
        ("Shift+ArrowRight", 525),
    ):
        page.keyboard.press(key)
        assert _arrives(page, wanted), key


# A busy machine: the news of the first frame comes late and tells of whatever is shown by then.
LATE_FIRST_FRAME = """
const real = HTMLVideoElement.prototype.requestVideoFrameCallback, seen = new WeakSet();
HTMLVideoElement.prototype.requestVideoFrameCallback = function (told) {
  if (seen.has(this)) return real.call(this, told);
  seen.add(this);
  let latest = null, late = false;
  const listen = () => real.call(this, (now, meta) => {
    latest = meta;
    if (!late) listen();
  });
  return real.call(this, (now, meta) => {
    latest = meta;
    listen();
    setTimeout(() => { late = true; told(performance.now(), latest); }, 700);
  });
};
"""


def test_a_missed_first_frame_does_not_shift_the_others(page: Any, served: Served) -> None:
    """The queue plays by itself: without care the browser's clock would be set by a later frame."""
    page.add_init_script(LATE_FIRST_FRAME)
    open_page(page, served, "queue")
    page.wait_for_selector(".mv[data-shown]:not([data-shown=''])")
    for t in (33.2, 12.345):
        seek(page, t)
        assert settled_frame(page, int(t * FPS + 0.015)) == int(t * FPS + 0.015)
        assert shown_frame(page) == int(t * FPS + 0.015)


def _arrives(page: Any, wanted: int) -> bool:
    for _ in range(100):
        if shown_frame(page) == wanted and page.locator(".mv").first.get_attribute("data-shown") == str(
            wanted
        ):
            return True
        page.wait_for_timeout(50)
    return False


def test_next_by_key_goes_to_the_next_flag_and_plays(page: Any, served: Served) -> None:
    open_page(page, served, "queue")
    page.wait_for_selector(".mv[data-shown]:not([data-shown=''])")
    before = float(page.locator(".mv").first.get_attribute("data-t"))
    page.locator(".mv").first.focus()
    page.keyboard.press("n")
    page.wait_for_function(
        "([mv, t]) => Math.abs(Number(mv.dataset.t) - t) > 1",
        arg=[page.locator(".mv").first.element_handle(), before],
    )
    video = page.locator("video").first.element_handle()
    page.wait_for_function("v => !v.paused", arg=video)
    # The button shows what a press would do, also when the picture began to play by itself.
    button = page.locator(".mv button[data-do=play] path").first
    eventually(page, lambda: button.get_attribute("d").count("z") == 2)
    page.locator(".mv button[data-do=play]").first.click()
    page.wait_for_function("v => v.paused", arg=video)
    eventually(page, lambda: button.get_attribute("d").count("z") == 1)


@pytest.mark.parametrize("kind", ["variable", "hevc"])
def test_proxy_shows_the_frame_of_the_original(page: Any, tmp_path: Path, kind: str) -> None:
    """Variable rate, and HEVC with ten bits in Matroska: the copy keeps every frame's own time."""
    if kind == "variable":
        times = [i / FPS + (0.013 if i % 3 == 0 else 0.0) for i in range(8 * FPS)]
        path = tmp_path / "phone.mp4"
        write_video(path, times=times)
        facts = {"variable_rate": True}
    else:
        path = tmp_path / "camera.mkv"
        times = write_video(path, seconds=8, codec="libx265", pixel_format="yuv420p10le", sound=False,
                            options={"preset": "ultrafast", "x265-params": "log-level=none"})  # fmt: skip
        facts = {"codec": "hevc", "pixel_format": "yuv420p10le"}
    library = tmp_path / "library"
    folder = build_case({**truth(), "duration": 8.0}, path, library / "стол 3 игра 6", head=seats_head())
    _say(folder, facts, kind)
    server = serve(library)
    try:
        open_page(page, server, "timeline")
        page.get_by_role("button", name="Подготовить копию").click()
        page.wait_for_function(
            "() => { const f = (r) => [...r.querySelectorAll('*')].some(e => (e.tagName === 'VIDEO' && (e.src || '').includes('proxy')) || (e.shadowRoot && f(e.shadowRoot))); return f(document); }",
            timeout=200_000,
        )
        page.wait_for_selector(".mv[data-shown]:not([data-shown=''])")
        for n in (0, 7, 50, 99, 150, 199):
            seek(page, times[n] + 0.002)
            assert settled_frame(page, n) == n
            assert shown_frame(page) == n
    finally:
        stop(server)


def _say(folder: Path, facts: dict[str, Any], kind: str) -> None:
    import json

    head = json.loads((folder / "case.json").read_text("utf-8"))
    head["sources"][0]["video"].update(facts)
    if kind == "hevc":
        head["sources"][0].update(container="matroska,webm", audio=[])
    (folder / "case.json").write_text(json.dumps(head), "utf-8")
