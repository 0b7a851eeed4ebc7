"""What lies beneath the pages: reading cases, veiling, people's words over the machine's, clips."""

from __future__ import annotations

import doctest
import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from casebuilder import build_case
from game import seats_head, truth

from mafiavar.analyzer.errors import MediaError
from mafiavar.ui.language import set_language
from mafiavar.ui.review.agreement import kappa
from mafiavar.ui.review.casefile import read_case
from mafiavar.ui.review.compare import lines
from mafiavar.ui.review.decisions import (
    doubtful,
    protocol,
    vote_target,
    votes_as_decided,
    word_target,
    words_as_decided,
)
from mafiavar.ui.review.excerpt import fits, read, stretches
from mafiavar.ui.review.jobs import Jobs
from mafiavar.ui.review.library import Library
from mafiavar.ui.review.media_client import MediaWorker
from mafiavar.ui.review.pins import alignment_pins, as_decided, event_target
from mafiavar.ui.review.seating import crop_box
from mafiavar.ui.review.veil import nights, veiled
from mafiavar.ui.store import Store, open_store


@pytest.fixture
def folder(tmp_path: Path, recording: Path) -> Path:
    return build_case(truth(), recording, tmp_path / "library" / "стол 3 игра 6", head=seats_head())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(f"sqlite:///{tmp_path / 'records.sqlite'}")


@pytest.mark.parametrize("name", ["ranges", "excerpt", "agreement", "words", "screens.cases"])
def test_examples_in_the_docstrings_hold(name: str) -> None:
    module = importlib.import_module(f"mafiavar.ui.review.{name}")
    assert doctest.testmod(module).failed == 0


# reading ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"events": 7, "rounds": "x", "flags": {}, "words": null, "sources": 3}',
    ],
)
@pytest.mark.parametrize("part", ["case", "timeline", "votes", "flags", "transcript"])
def test_a_damaged_part_is_told_and_the_rest_is_read(folder: Path, part: str, damage: bytes) -> None:
    (folder / f"{part}.json").write_bytes(damage)
    case = read_case(folder, "дело")
    told = {p.part: p.kind for p in case.problems}
    assert told.get(part) == "broken" or damage.startswith(b'{"')
    whole = {
        "timeline": case.events,
        "votes": case.ballots,
        "flags": case.flags,
        "transcript": case.words,
        "case": case.sources,
    }
    assert all(value for name, value in whole.items() if name != part)


def test_one_bad_entry_does_not_take_the_others(folder: Path) -> None:
    flags = json.loads((folder / "flags.json").read_text("utf-8"))
    flags["flags"][1] = {"id": "no kind"}
    flags["flags"].append("no object")
    (folder / "flags.json").write_text(json.dumps(flags), "utf-8")
    case = read_case(folder, "дело")
    assert len(case.flags) == 4
    assert [(p.part, p.detail) for p in case.problems] == [("flags", "2")]


def test_a_flag_speaks_the_language_of_whoever_looks(folder: Path) -> None:
    told = {
        "schema": "mafiavar/flags@1",
        "lang": "ru",
        "flags": [
            {"id": "f1", "kind": "hand_early", "t0": 1, "t1": 2, "seen": "Рано.", "doubts": ["Темно."],
             "twin": {"seen": "Early.", "doubts": ["Dark."]}},
            {"id": "f2", "kind": "hand_early", "t0": 3, "t1": 4, "seen": "Рано.", "doubts": None},
        ],
    }  # fmt: skip
    (folder / "flags.json").write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
    both, older = read_case(folder, "case").flags
    assert (both.seen, both.doubts, older.doubts) == ("Рано.", ("Темно.",), ())
    set_language("en")
    try:
        assert (both.seen, both.doubts) == ("Early.", ("Dark.",))
        assert older.seen == "Рано.", "a case made before has one language only"
    finally:
        set_language("ru")


def test_the_library_follows_no_links_and_joins_no_names(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "library" / "link").symlink_to(tmp_path, target_is_directory=True)
    library = Library(tmp_path / "library")
    assert [e.name for e in library.entries()] == ["стол 3 игра 6"]
    for name in ("../library", "..", "", "link", "стол 3 игра 6/../x"):
        assert library.find(name) is None


# the veil ---------------------------------------------------------------------------------


def test_nights_are_where_the_timeline_has_them(folder: Path) -> None:
    case = read_case(folder, "дело")
    hidden = nights(case)
    for t, dark in (
        (0.2, True),
        (5.0, True),
        (12.0, False),
        (36.0, False),
        (43.5, True),
        (50.0, True),
        (55.0, False),
    ):
        assert hidden.touches(t, t) is dark, t
    assert hidden.touches(40.0, 60.0)


def test_the_veil_leaves_no_secret(folder: Path) -> None:
    seen = veiled(read_case(folder, "дело"))
    text = repr(seen)
    assert not seen.of_kind("shot", "check", "shooting_began", "negotiation_began")
    assert "head_up_at_night" not in text and "'don'" not in text and "sheriff" not in text
    assert seen.of_kind("night_result")[0].get("killed") == 2, "what the judge tells the table stays"


def test_a_secret_event_outside_the_known_nights_hides_its_surroundings(folder: Path) -> None:
    timeline = json.loads((folder / "timeline.json").read_text("utf-8"))
    timeline["events"] = [
        e for e in timeline["events"] if not (e["kind"] == "night_began" and e["night"] == 1)
    ]
    (folder / "timeline.json").write_text(json.dumps(timeline), "utf-8")
    assert nights(read_case(folder, "дело")).touches(45.0, 45.0)


# people's words ---------------------------------------------------------------------------


def test_a_correction_changes_counts_remainder_and_protocol(folder: Path, store: Store) -> None:
    case = read_case(folder, "дело")
    first, second = case.ballots
    assert (first.counted, second.counted) == ((4, 4), (5, 5)) and doubtful(case, first)
    store.append(case.key, "vote", vote_target(first, 4), {"vote": "no"}, author="а")
    store.append(case.key, "vote", vote_target(first, 10), {"vote": "yes"}, author="а")
    decided = votes_as_decided(case, store.of_case(case.key))
    assert decided[0].counted == (4, 4)
    assert [n for n, v in decided[1].seats.items() if v.remainder] == [4], "without any vote: the remainder"
    day = protocol(case, decided)["days"][0]["ballots"][0]
    assert day["votes"]["5"] == [1, 2, 3, 10] and day["remainder"] == [4]


def test_cannot_tell_widens_the_count_and_is_no_remainder(folder: Path, store: Store) -> None:
    case = read_case(folder, "дело")
    store.append(case.key, "vote", vote_target(case.ballots[1], 10), {"vote": "unknown"}, author="а")
    decided = votes_as_decided(case, store.of_case(case.key))
    assert decided[1].counted == (5, 6) and not decided[1].seats[10].remainder


def test_a_corrected_word_survives_a_new_transcript(folder: Path, store: Store) -> None:
    case = read_case(folder, "дело")
    word = next(w for w in case.words if w.text.startswith("Неправда"))
    store.append(case.key, "word", word_target(word), {"text": "Правда"}, author="а")
    transcript = json.loads((folder / "transcript.json").read_text("utf-8"))
    for w in transcript["words"]:
        w["t0"], w["t1"] = w["t0"] + 0.08, w["t1"] + 0.08
        w["w"] = w["w"].replace("Неправда", "Не правда")
    (folder / "transcript.json").write_text(json.dumps(transcript), "utf-8")
    again = words_as_decided(read_case(folder, "дело"), store.of_case(case.key))
    assert [w.text for w in again if w.by] == ["Правда"]


def test_facts_become_pins_and_lie_over_the_timeline(folder: Path, store: Store) -> None:
    case = read_case(folder, "дело")
    first, second = case.of_kind("nominated")
    store.append(case.key, "pin", event_target(first), {"op": "delete"}, author="а")
    moved = {
        "op": "move",
        "kind": "nominated",
        "t0": 27.0,
        "t1": 27.8,
        "fields": {"seat": 2, "target": 7, "accepted": True},
        "day": 1,
    }
    store.append(case.key, "pin", event_target(second), moved, author="а")
    records = store.of_case(case.key)
    left = as_decided(case, records).of_kind("nominated")
    assert [(e.t0, e.get("target")) for e in left] == [(27.0, 7)]
    pins = alignment_pins(records)
    assert [(p.kind, p.span.t0, p.negated) for p in pins] == [
        ("nominated", 20_000_000, True),
        ("nominated", 27_000_000, False),
        ("nominated", 28_000_000, True),
    ]


def test_differences_to_the_official_protocol_are_found(folder: Path) -> None:
    case = read_case(folder, "дело")
    ours = protocol(case, case.ballots)
    official = json.loads(json.dumps(ours))
    assert not [x for x in lines(ours, official, secrets=True) if x.differs]
    official["days"][0]["ballots"][0]["votes"]["5"] = [1, 2, 3]
    official["winner"] = "red"
    assert [x.what for x in lines(ours, official, secrets=True) if x.differs] == [
        "круг 1, против № 5",
        "итог",
    ]
    assert not [x for x in lines(ours, official, secrets=False) if "выстрелы" in x.what]


# protests ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("стол 3, игра 6, день 1, голосование против 5", [(32.0, 5)]),
        ("день 1 голосование", [(32.0, 5), (36.0, 7)]),
        ("выставление игрок 2 день 1", [(26.0, None)]),
        ("фол игрок 9", [(24.0, None), (24.5, None)]),
        ("0:47", [(42.0, None)]),
        ("день 9 голосование", []),
    ],
)
def test_a_protest_line_finds_its_stretch(
    folder: Path, text: str, wanted: list[tuple[float, int | None]]
) -> None:
    found = stretches(read_case(folder, "дело"), read(text))
    assert [round(s.t0, 1) for s in found] == [t for t, _ in wanted]
    assert [int(s.ballot.split("-")[2]) if s.ballot else None for s in found] == [b for _, b in wanted]


def test_a_case_is_found_by_its_table_and_game() -> None:
    asked = read("стол 3, игра 6, день 2")
    assert fits("Финал~стол 3 игра 6", asked) and fits("стол_3_игра_6", asked)
    assert not fits("стол 4 игра 6", asked) and not fits("запись", asked)


# workers ----------------------------------------------------------------------------------


def test_the_worker_survives_foreign_files_and_hanging_ones(tmp_path: Path, recording: Path) -> None:
    worker = MediaWorker()
    fake = tmp_path / "x.mp4"
    fake.write_text("no video", "utf-8")
    try:
        with pytest.raises(MediaError, match="не читается"):
            worker.call("index", path=str(fake), out=str(tmp_path / "a"))
        with pytest.raises(MediaError, match="нельзя"):
            worker.call(
                "clip",
                path=str(recording),
                out=str(tmp_path / "b"),
                t0=1.0,
                t1=999.0,
                file=str(tmp_path / "c.mp4"),
                height=480,
            )
        first = worker.pid
        assert worker.call("index", path=str(recording), out=str(tmp_path / "d"))["video"]["frames"] == 1500
        assert worker.pid == first
        hanging = MediaWorker((sys.executable, "-c", "import time; time.sleep(60)"))
        began = time.monotonic()
        with pytest.raises(MediaError, match="остановлен"):
            hanging.call("index", timeout=1.0, path="x", out="y")
        assert time.monotonic() - began < 20
        hanging.close()
    finally:
        worker.close()


def test_jobs_are_watched_and_cancelled(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path / "jobs")
    long = jobs.start(
        "долгое", [sys.executable, "-c", "import time; print('идёт', flush=True); time.sleep(60)"]
    )
    bad = jobs.start("плохое", [sys.executable, "-c", "raise SystemExit('нет модели')"])
    _until(lambda: "идёт" in long.tail())
    jobs.cancel(long.id)
    _until(lambda: {j.id: j.state for j in jobs.all()} == {long.id: "cancelled", bad.id: "failed"})
    assert "нет модели" in bad.tail()
    assert {j.state for j in Jobs(tmp_path / "jobs").all()} == {"cancelled", "failed"}, (
        "a new server still shows them"
    )


def _until(done: Any, within: float = 40.0) -> None:
    end = time.monotonic() + within
    while time.monotonic() < end:
        if done():
            return
        time.sleep(0.1)
    assert done()


def test_kappa_is_cohens() -> None:
    # The textbook table 20/5/10/15 of two raters: 0.4
    pairs = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
    assert kappa(pairs) == pytest.approx(0.4)


@pytest.mark.parametrize("seat", range(1, 11))
def test_a_crop_lies_within_the_picture(folder: Path, seat: int) -> None:
    from mafiavar.ui.review.seating import camera_of

    case = read_case(folder, "дело")
    camera = camera_of(case, 0)
    box = crop_box(camera, seat, (640, 360))
    assert box is not None
    x, y, w, h = box
    assert x >= 0 and y >= 0 and x + w <= 640 and y + h <= 360 and w > 50


def test_the_seats_of_the_analysis_are_the_seats_of_the_review(folder: Path) -> None:
    from mafiavar.analyzer.seats import Box, Seat, SeatMap
    from mafiavar.analyzer.seats.file import camera_json
    from mafiavar.ui.review.seating import camera_of

    known = SeatMap(
        recording="numbers.mp4",
        size=(640, 360),
        table=((100.0, 90.0), (300.0, 90.0), (200.0, 200.0)),
        seats=(Seat(1, Box(10, 20, 30, 40)), Seat(4, Box(1, 2, 3, 4), Box(5, 6, 7, 8))),
    )
    head = json.loads((folder / "case.json").read_text("utf-8"))
    (folder / "case.json").write_text(
        json.dumps({**head, "seats": {"camera": [camera_json(known)]}}), "utf-8"
    )
    camera = camera_of(read_case(folder, "дело"), 0)
    assert camera is not None
    assert dict(camera.seats) == {1: (10, 20, 30, 40), 4: (1, 2, 3, 4)}
    assert dict(camera.hands) == {4: (5, 6, 7, 8)} and camera.table == known.table


def test_a_vote_ends_on_the_timeline_though_its_last_count_was_not_heard(folder: Path) -> None:
    from mafiavar.ui.review.lanes import _phases

    case = read_case(folder, "дело")
    votes = [p for p in _phases(case) if p["kind"] == "vote"]
    assert [(p["t0"], p["t1"]) for p in votes] == [(31.0, 40.6)]
    timeline = json.loads((folder / "timeline.json").read_text("utf-8"))
    unheard = [e for e in timeline["events"] if (e["kind"], e.get("target")) != ("vote_announced", 7)]
    (folder / "timeline.json").write_text(json.dumps({**timeline, "events": unheard}), "utf-8")
    votes = [p for p in _phases(read_case(folder, "дело")) if p["kind"] == "vote"]
    assert [(p["t0"], p["t1"]) for p in votes] == [(31.0, 41.0)]
