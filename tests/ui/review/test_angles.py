"""Two cameras on one clock: each shows its own frame of the moment, and the veil knows both clocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from casebuilder import build_case
from conftest import (
    CASE,
    READ_NUMBER,
    Served,
    eventually,
    open_page,
    records,
    seek,
    serve,
    settled_frame,
    stop,
)
from game import FPS, seats_head, truth, write_video

from mafiavar.ui.review.room import Room

pytestmark = pytest.mark.real
LATER, LASTS = 20.0, 30
PASSWORD = "очень длинный пароль"


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("angle") / "second.mp4"
    write_video(path, seconds=LASTS, sound=False)
    return path


@pytest.fixture(scope="module")
def make_pair(tmp_path_factory: pytest.TempPathFactory, recording: Path, second: Path) -> Callable[[], Path]:
    def make() -> Path:
        library = tmp_path_factory.mktemp("angles")
        build_case(
            truth(), recording, library / CASE, head=seats_head(), angles=[(second, float(LASTS), LATER)]
        )
        return library

    return make


@pytest.fixture(scope="module")
def pair(make_pair: Callable[[], Path]) -> Iterator[Served]:
    server = serve(make_pair())
    yield server
    stop(server)


def shown(page: Any, angle: int) -> int:
    return int(page.locator("video").nth(angle).evaluate(READ_NUMBER))


def arrives(page: Any, angle: int, wanted: int, within: int = 200) -> bool:
    for _ in range(within):
        if shown(page, angle) == wanted:
            return True
        page.wait_for_timeout(50)
    return False


def test_both_angles_show_the_same_moment_and_play_together(page: Any, pair: Served) -> None:
    open_page(page, pair, "queue")
    page.wait_for_selector(".mv[data-shown]:not([data-shown=''])")
    for t in (33.2, 45.04, 24.0):
        seek(page, t)
        assert settled_frame(page, round(t * FPS)) == round(t * FPS)
        assert arrives(page, 0, round(t * FPS)) and arrives(page, 1, round((t - LATER) * FPS)), t
    page.locator(".mv").first.focus()
    page.keyboard.press("ArrowRight")
    assert arrives(page, 0, 601) and arrives(page, 1, 101), "a step moves both"
    page.keyboard.press(" ")
    page.wait_for_function("v => v.currentTime > 26", arg=page.locator("video").first.element_handle())
    page.keyboard.press(" ")
    page.wait_for_function("v => v.paused", arg=page.locator("video").nth(1).element_handle())
    first = settled_frame(page)
    assert arrives(page, 1, first - round(LATER * FPS)), (first, shown(page, 1))
    seek(page, 12.0)
    page.get_by_text("Эта камера в это время не снимала").wait_for()
    seek(page, 24.0)
    assert arrives(page, 1, 100)
    page.get_by_text("Эта камера в это время не снимала").wait_for(state="hidden")


def test_an_offset_is_set_by_hand_and_stays(page: Any, pair: Served) -> None:
    open_page(page, pair, "votes", ballot="1-1-5")
    page.wait_for_selector(".mv[data-shown]:not([data-shown=''])")
    page.locator(".mv [data-do=offsets], .mv button.offsets").first.click()
    field = page.locator(".mv .offsets input").first
    field.fill("20.40")
    field.press("Tab")
    seek(page, 34.0)
    assert settled_frame(page, 850) == 850 and arrives(page, 1, 340)
    eventually(page, lambda: len(records(pair, "setting")) == 1)
    assert records(pair, "setting")[0]["payload"] == {"value": 20.4}
    open_page(page, pair, "queue")
    page.wait_for_selector(".mv[data-shown]:not([data-shown=''])")
    seek(page, 34.0)
    assert settled_frame(page, 850) == 850 and arrives(page, 1, 340), "the offset is remembered"


def test_the_night_is_hidden_on_every_angle_by_either_offset(make_pair: Callable[[], Path]) -> None:
    """Second 25 of the second recording is second 45 of the game: night, whatever somebody typed."""
    room = Room(make_pair())
    assert room.accounts and room.store
    viewer = room.accounts.add("Зритель", "viewer", PASSWORD)
    for typed in (None, 0.0):
        if typed is not None:
            case = room.full(CASE)
            assert case is not None
            room.store.append(
                case.key, "setting", {"name": "offset-1"}, {"value": typed}, author="Судья стола"
            )
        view = room.view(CASE, viewer)
        assert view is not None
        first, other = view.case.sources
        assert view.shows_of(first, 25.0, 26.0) and not view.shows_of(first, 45.0, 46.0)
        assert not view.shows_of(other, 25.0, 26.0), typed
        assert view.shows_of(other, 12.0, 13.0)
    assert other.offset == 0.0 and not view.shows_of(other, 45.0, 46.0)
    room.close()
