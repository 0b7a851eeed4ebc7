"""A person's fact on the Timeline page makes the alignment run again: votes and protocol follow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import CASE, Served, open_page, serve, stop
from heardcase import build_heard_case

pytestmark = pytest.mark.real
RESULTS = ("timeline.json", "votes.json", "flags.json")


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    library = tmp_path_factory.mktemp("heard")
    build_heard_case(library / CASE)
    server = serve(library)
    yield server
    stop(server)


def events(served: Served, kind: str) -> list[dict[str, Any]]:
    timeline = json.loads((served.library / CASE / "timeline.json").read_text("utf-8"))
    return [e for e in timeline["events"] if e["kind"] == kind]


def revisions(served: Served) -> list[Path]:
    return sorted(served.library.glob(".mafiavar/revisions/*/[0-9]*"))


def announced(page: Any) -> str:
    """The count the ballot's sum shows as announced."""
    return str(page.locator("[data-sum=announced]").first.inner_text())


def test_a_fact_on_the_timeline_changes_votes_and_is_taken_back(page: Any, heard: Served) -> None:
    said = next(e for e in events(heard, "vote_announced") if e["target"] == 3)
    assert said["count"] == 4, "what the judge really said"
    before = {name: (heard.library / CASE / name).read_bytes() for name in RESULTS}
    open_page(page, heard, "votes", ballot="1-1-3")
    assert announced(page) == "4"

    open_page(page, heard, "timeline", event=said["id"])
    count = page.get_by_label("счёт")
    count.fill("5")
    count.press("Tab")
    page.get_by_role("button", name="Закрепить").click()
    page.get_by_text("Размечено заново").wait_for()
    assert len(revisions(heard)) == 1
    votes = json.loads((revisions(heard)[0] / "votes.json").read_text("utf-8"))
    found = {b["target"]: b["announced"] for r in votes["rounds"] for b in r["ballots"]}
    assert found[3] == 5, "the alignment itself knows the fact"
    open_page(page, heard, "votes", ballot="1-1-3")
    assert announced(page) == "5"
    assert before == {name: (heard.library / CASE / name).read_bytes() for name in RESULTS}

    # The undo: the machine's own result stands again.
    pinned = json.loads((revisions(heard)[0] / "timeline.json").read_text("utf-8"))["events"]
    again = next(e for e in pinned if e["kind"] == "vote_announced" and e["target"] == 3)
    assert again["basis"] == "pinned"
    open_page(page, heard, "timeline", event=again["id"])
    page.get_by_role("button", name="Вернуть").click()
    page.get_by_role("button", name="Вернуть").and_(page.locator(":disabled")).wait_for()
    open_page(page, heard, "votes", ballot="1-1-3")
    assert announced(page) == "4"


def test_a_nomination_moved_to_another_target_changes_the_protocol(page: Any, heard: Served) -> None:
    nominated = next(e for e in events(heard, "nominated") if (e["seat"], e["target"]) == (2, 7))
    open_page(page, heard, "protocol")
    page.get_by_text("1→3, 2→7").first.wait_for()
    open_page(page, heard, "timeline", event=nominated["id"])
    target = page.get_by_label("кого / против кого")
    target.fill("6")
    target.press("Tab")
    page.get_by_role("button", name="Закрепить").click()
    page.get_by_text("Размечено заново").wait_for()
    open_page(page, heard, "protocol")
    page.get_by_text("2→6").first.wait_for()
