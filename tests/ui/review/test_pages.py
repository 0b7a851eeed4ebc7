"""Every page in a real browser: opens, obeys the keyboard, changes what it should, loses nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import CASE, PATIENCE, Served, eventually, open_page, records, serve, settled, stop
from game import SECRET_WORD, truth

pytestmark = pytest.mark.real
PAGES = (
    "cases",
    "queue",
    "votes",
    "nights",
    "fouls",
    "transcript",
    "timeline",
    "protocol",
    "seats",
    "agreement",
    "report",
    "protest",
    "settings",
)


# Width and height: a laptop, a tablet lying and standing.
SIZES = ((1366, 768), (1180, 820), (820, 1180))
# What sticks out of the window sideways, also inside components.
OUTSIDE = """() => {
  const bad = [], seen = (root) => root.querySelectorAll('*').forEach((e) => {
    if (e.shadowRoot) seen(e.shadowRoot);
    if (!/^(BUTTON|INPUT|SELECT|TEXTAREA|VIDEO|H1|H3|TABLE|IMG)$/.test(e.tagName)) return;
    if (e.closest('[data-testid=stSidebar],[data-testid=stDataFrame],.help,.zoom') || !e.checkVisibility({visibilityProperty: true})) return;
    const r = e.getBoundingClientRect();
    if (r.width > 1 && (r.right > innerWidth + 1 || r.left < -1)) bad.push(`${e.tagName} ${(e.textContent || e.title || '').slice(0, 30)} ${Math.round(r.left)}..${Math.round(r.right)}`);
  });
  seen(document);
  if (document.documentElement.scrollWidth > innerWidth) bad.push(`the page is ${document.documentElement.scrollWidth} wide`);
  return bad;
}"""


def test_every_page_opens_without_a_fault_and_without_the_internet(page: Any, served: Served) -> None:
    faults: list[str] = []
    outside: list[str] = []
    page.on("pageerror", lambda e: faults.append(str(e)))
    page.on(
        "request",
        lambda r: faults.append(r.url) if not r.url.startswith((served.url, "data:", "blob:")) else None,
    )
    for name in PAGES:
        open_page(page, served, name)
        assert page.locator("[data-testid=stException]").count() == 0, name
        assert page.locator("h1").first.inner_text().strip(), name
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(150)
            outside += [f"{name} at {width}: {x}" for x in page.evaluate(OUTSIDE)]
        page.set_viewport_size({"width": 1366, "height": 768})
    assert not faults, faults[:3]
    assert not outside, outside


def test_what_one_decides_with_is_seen_without_scrolling(page: Any, served: Served) -> None:
    """At 1366x768: the three verdicts of a moment, and the ten seats of a ballot."""
    open_page(page, served, "queue")
    below = lambda locator: locator.bounding_box()["y"] + locator.bounding_box()["height"]  # noqa: E731
    for name in ("1 подтверждено", "2 отклонено", "3 не видно"):
        assert below(page.get_by_role("button", name=name)) <= 768, name
    assert below(page.locator("video").first) <= 768
    open_page(page, served, "votes")
    page.locator(".row[data-seat='10'] .choice, .row[data-seat='10'] .outword").first.wait_for()
    assert below(page.locator(".row[data-seat='10']")) <= 768
    page.set_viewport_size({"width": 820, "height": 1180})
    for choice in page.locator(".row[data-seat='6'] .choice").all():
        box = choice.bounding_box()
        assert box["height"] >= 30 and box["width"] >= 44, "a finger hits it"


def test_the_page_speaks_english_by_switch(page: Any, served: Served) -> None:
    open_page(page, served, "votes", lang="en")
    page.get_by_text("announced", exact=True).wait_for()
    assert page.locator("h1").first.inner_text() == "Votes"


def test_a_corrected_vote_changes_the_protocol(page: Any, served: Served) -> None:
    open_page(page, served, "votes", ballot="1-1-5")
    page.locator(".row[data-seat='6'] .choice.yes").click()
    eventually(page, lambda: len(records(served, "vote")) == 1)
    written = records(served, "vote")[0]
    assert written["target"]["seat"] == 6 and written["payload"] == {"vote": "yes"}
    assert written["snapshot"]["machine"]["vote"] == "no"
    page.locator(".row[data-seat='6'] .by").wait_for()
    open_page(page, served, "protocol")
    page.get_by_text("5: 1, 2, 3, 4, 6").wait_for()
    # and back: an undo is a new entry
    open_page(page, served, "votes", ballot="1-1-5")
    page.locator(".row[data-seat='6'] .by").click()
    eventually(page, lambda: len(records(served, "vote")) == 2)
    open_page(page, served, "protocol")
    page.get_by_text("4: 1, 2, 3, 4", exact=True).wait_for()


def test_a_vote_is_decided_by_keyboard_alone(page: Any, served: Served) -> None:
    open_page(page, served, "votes", ballot="1-1-7")
    page.locator(".row[data-seat='5'] .choice").first.wait_for()
    before = len(records(served, "vote"))
    page.keyboard.press("5")
    page.keyboard.press("u")
    eventually(page, lambda: len(records(served, "vote")) == before + 1)
    last = records(served, "vote")[-1]
    assert (last["target"]["target"], last["target"]["seat"], last["payload"]) == (7, 5, {"vote": "unknown"})


def test_verdicts_by_keyboard_walk_through_the_queue(page: Any, served: Served) -> None:
    open_page(page, served, "queue")
    page.locator(".mv[data-shown]:not([data-shown=''])").wait_for()
    before = len(records(served, "verdict"))
    for n, key in enumerate(("1", "2"), 1):
        page.locator(".mv").first.focus()
        page.keyboard.press(key)
        eventually(page, lambda n=n: len(records(served, "verdict")) == before + n)
        settled(page)
    first, second = records(served, "verdict")[before : before + 2]
    assert first["payload"]["verdict"] == "confirmed" and second["payload"]["verdict"] == "rejected"
    assert first["target"] != second["target"], "a verdict leads on to the next moment"
    assert first["snapshot"]["flag"]["kind"] == first["target"]["kind"]


def test_the_list_of_moments_opens_when_asked_and_leads_to_one(page: Any, served: Served) -> None:
    open_page(page, served, "queue")
    page.locator(".mvcard").first.wait_for()
    assert page.locator("[data-testid=stDataFrame]").count() == 0, "nobody waits for a folded table"
    first = page.locator(".mvcard").first.inner_text()
    page.get_by_text("Все моменты").click()
    table = page.locator("[data-testid=stDataFrame] .dvn-scroller").first
    table.wait_for()
    settled(page)
    table.click(position={"x": 15, "y": 35 + 35 + 17})  # the tick of the second row, under the heads
    eventually(page, lambda: page.locator(".mvcard").first.inner_text() != first)
    assert "2/" in page.locator(".mvcard").first.inner_text()


def test_two_people_at_once_are_shown_not_lost(browser: Any, make_library: Callable[[], Path]) -> None:
    server = serve(make_library())
    try:
        pages = []
        for author in ("Первый", "Второй"):
            context = browser.new_context(viewport={"width": 1366, "height": 768})
            context.set_default_timeout(PATIENCE)
            p = context.new_page()
            open_page(p, server, "settings")
            p.get_by_role("textbox", name="Имя под решениями").fill(author)
            p.keyboard.press("Enter")
            p.locator("[data-testid=stSidebar]").get_by_text(author).wait_for()
            p.locator("[data-testid=stSidebarNav] a", has_text="Голоса").click()
            p.locator(".row[data-seat='6'] .choice.yes").wait_for()
            pages.append(p)
        pages[0].locator(".row[data-seat='6'] .choice.yes").click()
        eventually(pages[0], lambda: len(records(server, "vote")) == 1)
        # The second has not seen it: the page is as it was.
        pages[1].locator(".row[data-seat='6'] .choice.unknown").click()
        eventually(pages[1], lambda: len(records(server, "vote")) == 2)
        both = records(server, "vote")
        assert {r["author"] for r in both} == {"Первый", "Второй"}
        for p in pages:
            p.context.close()
    finally:
        stop(server)


def test_blind_review_hides_others_until_ones_own(page: Any, make_library: Callable[[], Path]) -> None:
    from mafiavar.ui.review.room import Room

    library = make_library()
    room = Room(library)
    case = room.full(CASE)
    assert room.store and case
    flag = next(f for f in case.flags if f.kind == "vote_count_mismatch")
    room.store.append(case.key, "setting", {"name": "blind"}, {"value": True}, author="Главный")
    target = {"kind": flag.kind, "seats": [], "day": 1, "t0": flag.t0, "t1": flag.t1}
    room.store.append(
        case.key, "verdict", target, {"verdict": "rejected", "reason": "ТАЙНАЯ ПРИЧИНА"}, author="Другой"
    )
    room.close()
    server = serve(library)
    try:
        open_page(page, server, "queue", flag=flag.id)
        page.get_by_text("Слепой разбор").wait_for()
        assert "ТАЙНАЯ ПРИЧИНА" not in page.content()
        assert "Уверенность" not in page.locator(".mvcard").first.inner_text()
        page.get_by_role("button", name="1 подтверждено").click()
        eventually(page, lambda: len(records(server, "verdict")) == 2)
        open_page(page, server, "queue", flag=flag.id)
        page.get_by_text("мнения разошлись").wait_for()
    finally:
        stop(server)


def test_words_are_corrected_and_the_machines_stay(page: Any, served: Served) -> None:
    open_page(page, served, "transcript")
    word = page.locator("span.w", has_text="Неправда").first
    word.dblclick()
    page.keyboard.type("Правда")
    page.keyboard.press("Enter")
    eventually(page, lambda: bool(records(served, "word")))
    open_page(page, served, "transcript")
    page.locator("span.w.human", has_text="Правда").first.wait_for()
    kept = json.loads((served.library / CASE / "transcript.json").read_text("utf-8"))
    assert any(w["w"].startswith("Неправда") for w in kept["words"])


def test_an_event_that_did_not_happen_leaves_the_protocol(page: Any, served: Served) -> None:
    open_page(page, served, "protocol")
    page.get_by_text("1→5, 2→7").wait_for()
    nominated = next(i for i, e in enumerate(truth()["events"]) if e["kind"] == "nominated")
    open_page(page, served, "timeline", event=f"e{nominated}")
    page.get_by_text("0:20.0–0:20.8").wait_for()
    page.get_by_role("button", name="Этого не было").click()
    eventually(page, lambda: bool(records(served, "pin")))
    assert records(served, "pin")[0]["target"]["kind"] == "nominated"
    open_page(page, served, "protocol")
    page.get_by_text("2→7", exact=True).wait_for()


def test_a_protest_line_brings_its_clip_in_one_step(page: Any, served: Served) -> None:
    open_page(page, served, "protest")
    page.get_by_label("О чём протест").fill("стол 3, игра 6, день 1, голосование против 5")
    page.keyboard.press("Enter")
    clip = page.locator("figure video").first
    clip.wait_for()
    eventually(page, lambda: clip.evaluate("v => v.readyState") >= 1, 120)
    span = re.search(r"/(\d+)-(\d+)\.mp4", clip.get_attribute("src"))
    assert span is not None
    a, b = (int(x) / 1000 for x in span.groups())
    assert a < 33.0 and 36.6 < b < 40.0, "from before the call to after the count"
    assert abs(clip.evaluate("v => v.duration") - (b - a)) < 0.05


def test_a_decision_is_exported(page: Any, served: Served) -> None:
    open_page(page, served, "report")
    page.get_by_role("button", name="Собрать отчёт").click()
    page.get_by_text("Готово:").wait_for(timeout=120_000)
    made = sorted((served.library / ".mafiavar" / "exports").rglob("report.*"))
    kinds = {p.suffix: p for p in made}
    assert kinds[".pdf"].read_bytes().startswith(b"%PDF") and kinds[".zip"].read_bytes().startswith(b"PK")
    html = kinds[".html"].read_text("utf-8")
    assert "data:video/mp4;base64," in html and "data:image/jpeg;base64," in html and SECRET_WORD not in html


@pytest.mark.parametrize("broken", ["votes", "timeline", "flags", "transcript", "case"])
def test_a_half_written_file_is_told_and_the_rest_works(
    page: Any, make_library: Callable[[], Path], broken: str, served: Served
) -> None:
    file = served.library / CASE / f"{broken}.json"
    whole = file.read_text("utf-8")
    try:
        file.write_text(whole[: len(whole) // 2], "utf-8")
        for name in ("queue", "votes", "timeline"):
            open_page(page, served, name)
            page.get_by_text("записан не до конца").first.wait_for()
            assert page.locator("[data-testid=stException]").count() == 0, name
    finally:
        file.write_text(whole, "utf-8")


def test_a_lost_recording_is_asked_for_and_checked_by_its_hash(
    page: Any, make_library: Callable[[], Path], tmp_path: Path, recording: Path
) -> None:
    library = make_library()
    head_file = library / CASE / "case.json"
    head = json.loads(head_file.read_text("utf-8"))
    head["sources"][0]["path"] = "/nowhere/numbers.mp4"
    head_file.write_text(json.dumps(head), "utf-8")
    moved, other = tmp_path / "moved.mp4", tmp_path / "other.mp4"
    moved.write_bytes(recording.read_bytes())
    other.write_bytes(recording.read_bytes() + b"x")
    server = serve(library)
    try:
        open_page(page, server, "votes")
        page.get_by_text("не найдена").first.wait_for()
        page.get_by_text("объявлено", exact=True).wait_for()
        open_page(page, server, "settings")
        place = page.get_by_label("Новое место файла")
        place.fill(str(other))
        page.get_by_role("button", name="Проверить и принять").click()
        page.get_by_text("Это другой файл").wait_for()
        place.fill(str(moved))
        page.get_by_role("button", name="Проверить и принять").click()
        eventually(page, lambda: bool(records(server, "source")))
        open_page(page, server, "votes")
        page.locator("video").first.wait_for()
    finally:
        stop(server)


def test_a_damaged_database_is_told_and_looking_goes_on(page: Any, make_library: Callable[[], Path]) -> None:
    library = make_library()
    home = library / ".mafiavar"
    home.mkdir()
    (home / "records.sqlite").write_bytes(b"no database at all " * 300)
    server = serve(library)
    try:
        open_page(page, server, "votes")
        page.get_by_text("Смотреть можно, решать пока нельзя").wait_for()
        page.locator(".row[data-seat='6'] .choice.yes").click()
        page.get_by_text("Решение не записано").first.wait_for()
        assert (home / "records.sqlite").read_bytes().startswith(b"no database at all")
    finally:
        stop(server)


def test_an_upload_that_is_no_video_is_told(page: Any, served: Served, tmp_path: Path) -> None:
    fake = tmp_path / "кино.mp4"
    fake.write_text("это не видео", "utf-8")
    open_page(page, served, "cases")
    page.get_by_role("tab", name="Загрузить файл").click()
    page.locator(".upload input[type=file]").set_input_files(str(fake))
    page.get_by_text("не читается как видео").wait_for()
    assert not list((served.library / "recordings").glob("*"))
