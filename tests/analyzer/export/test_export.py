"""Each format is well formed and holds the facts; the protocol goes back through our own reader."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from mafiavar.analyzer.errors import MafiavarError, UsageError
from mafiavar.analyzer.export import FORMATS, export_case
from mafiavar.analyzer.protocol import read_protocol


@pytest.fixture
def case(tmp_path: Path) -> Path:
    events = [
        {"kind": "day_began", "t0": 1.0, "t1": 2.0, "day": 1},
        {"kind": "floor_given", "t0": 3.0, "t1": 4.0, "day": 1, "seat": 1, "seconds": 60, "purpose": "speech"},
        {"kind": "nominated", "t0": 10.0, "t1": 11.0, "day": 1, "seat": 1, "target": 3, "accepted": True},
        {"kind": "vote_opened", "t0": 20.0, "t1": 21.0, "day": 1, "round": 1, "candidates": [3, 5]},
        {"kind": "vote_cast", "t0": 24.0, "t1": 27.0, "day": 1, "round": 1, "target": 3, "seat": 2, "remainder": False},
        {"kind": "vote_announced", "t0": 27.0, "t1": 28.0, "day": 1, "round": 1, "target": 3, "count": 1},
        {"kind": "night_result", "t0": 50.0, "t1": 52.0, "day": 1, "night": 1, "killed": 9, "confidence": 0.9},
        {"kind": "game_ended", "t0": 90.0, "t1": 91.0, "day": 2, "winner": "red", "confidence": 0.3},
    ]  # fmt: skip
    flag = {
        "id": "f001", "kind": "hand_early", "clause": "fsm-2026:6.6.6", "seats": [2], "t0": 24.0, "t1": 24.5,
        "seen": "рука \"раньше\" <3>",
    }  # fmt: skip
    files = {
        "timeline": {"ruleset": "fsm-2026", "events": events},
        "flags": {"flags": [flag]},
        "transcript": {"words": [{"w": "Утро.", "t0": 1.0, "t1": 1.4}]},
        "case": {"sources": [{"file": "игра & стол.mp4", "duration": 100.0}]},
    }
    for name, value in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return tmp_path


def test_elan(case: Path) -> None:
    root = ET.fromstring(export_case(case, "eaf").encode())
    slots = {s.get("TIME_SLOT_ID"): int(s.get("TIME_VALUE") or -1) for s in root.iter("TIME_SLOT")}
    tiers = {t.get("TIER_ID"): t for t in root.iter("TIER")}
    assert set(tiers) == {"судья", "игрок 1", "игрок 2", "отметки", "слова"}
    (note,) = tiers["игрок 1"].iter("ALIGNABLE_ANNOTATION")
    assert slots[note.get("TIME_SLOT_REF1")] == 10_000 and "1 → 3" in (
        note.findtext("ANNOTATION_VALUE") or ""
    )


def test_praat(case: Path) -> None:
    text = export_case(case, "textgrid")
    assert text.startswith('File type = "ooTextFile"\nObject class = "TextGrid"')
    assert text.count('class = "IntervalTier"') == 5 and '""раньше""' in text


def test_captions(case: Path) -> None:
    text = export_case(case, "vtt")
    assert text.startswith("WEBVTT\n") and "00:00:10.000 --> 00:00:11.000" in text


def test_boris(case: Path) -> None:
    project = json.loads(export_case(case, "boris"))
    codes = {b["code"] for b in project["behaviors_conf"].values()}
    names = {s["name"] for s in project["subjects_conf"].values()}
    rows = project["observations"]["game"]["events"]
    assert all(row[2] in codes and row[1] in names and len(row) == 5 for row in rows) and len(rows) == 8


def test_clips(case: Path) -> None:
    timeline = json.loads(export_case(case, "otio"))
    (clip,) = timeline["tracks"]["children"][0]["children"]
    assert clip["source_range"]["start_time"]["value"] == 21_000
    assert clip["source_range"]["duration"]["value"] == 6_500


def test_the_protocol_can_be_read_again(case: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    out.write_text(export_case(case, "protocol"), "utf-8")
    reading = read_protocol(out)
    assert not reading.problems
    data = json.loads(out.read_text("utf-8"))
    assert data["days"][0]["ballots"][0]["votes"] == {"3": [2]}
    assert data["nights"][0]["killed"] == 9 and data["winner"] is None, "what is unsure is left out"


def test_every_format_of_an_empty_case(tmp_path: Path) -> None:
    (tmp_path / "timeline.json").write_text('{"events": [], "ruleset": "legion"}', "utf-8")
    for form in FORMATS:
        assert export_case(tmp_path, form)


def test_bad_input_gets_a_sentence(case: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Неизвестный формат"):
        export_case(case, "docx")
    with pytest.raises(UsageError, match="нет разобранного дела"):
        export_case(tmp_path / "absent", "vtt")


# ---- opened by the programs' own readers ---------------------------------------------------------
def test_elan_is_read_by_pympi(case: Path, tmp_path: Path) -> None:
    elan = pytest.importorskip("pympi").Elan
    file = tmp_path / "a.eaf"
    file.write_text(export_case(case, "eaf"), "utf-8")
    document = elan.Eaf(str(file))
    assert set(document.get_tier_names()) == {"судья", "игрок 1", "игрок 2", "отметки", "слова"}
    ((t0, t1, text),) = document.get_annotation_data_for_tier("игрок 1")
    assert (t0, t1) == (10_000, 11_000) and "1 → 3" in text


def test_praat_is_read_by_praatio(case: Path, tmp_path: Path) -> None:
    textgrid = pytest.importorskip("praatio.textgrid")
    file = tmp_path / "a.TextGrid"
    file.write_text(export_case(case, "textgrid"), "utf-8")
    grid = textgrid.openTextgrid(str(file), includeEmptyIntervals=False)
    assert set(grid.tierNames) == {"судья", "игрок 1", "игрок 2", "отметки", "слова"}
    (entry,) = grid.getTier("игрок 1").entries
    assert (entry.start, entry.end) == (10.0, 11.0)
    assert "раньше" in grid.getTier("отметки").entries[0].label


def test_clips_are_read_by_opentimelineio(case: Path, tmp_path: Path) -> None:
    otio = pytest.importorskip("opentimelineio")
    file = tmp_path / "a.otio"
    file.write_text(export_case(case, "otio"), "utf-8")
    timeline = otio.adapters.read_from_file(str(file))
    (clip,) = timeline.find_clips()
    assert clip.source_range.start_time.to_seconds() == 21.0
    assert clip.media_reference.target_url == "игра & стол.mp4"


def test_the_protocol_as_tables_goes_back_through_the_reader(case: Path, tmp_path: Path) -> None:
    from openpyxl import load_workbook

    from mafiavar.analyzer.export import FILES

    for name in ("flags", "votes"):
        path = case / f"{name}.json"
        path.write_text(path.read_text("utf-8") if path.exists() else '{"rounds": []}', "utf-8")
    for form in ("csv", "xlsx"):
        out = tmp_path / f"out.{form}"
        FILES[form](case, out, "ru")
        record = read_protocol(out).record
        assert [n.target for n in record.days[0].nominations] == [3]
        assert not list(tmp_path.glob("*.protocol.json")), "no helper file is left"
    assert load_workbook(tmp_path / "out.xlsx").sheetnames


def test_chapters(tmp_path: Path) -> None:
    import importlib.resources

    import av

    from mafiavar.analyzer.export import FILES
    from mafiavar.analyzer.export.files import chapters_of

    source = Path(str(importlib.resources.files("mafiavar.sample_videos").joinpath("first_table.mp4")))
    events = [
        {"kind": "day_began", "t0": 6.0, "t1": 7.0, "day": 1},
        {"kind": "floor_given", "t0": 6.5, "t1": 7.0, "day": 1, "seat": 1, "purpose": "speech"},
        {"kind": "vote_opened", "t0": 40.0, "t1": 41.0, "day": 1, "round": 1, "candidates": [3, 5]},
    ]  # fmt: skip
    assert [t for t, _ in chapters_of({"events": events}, 0.0, "ru")] == [6.0, 40.0], "a second apart"
    assert chapters_of({"events": events}, 10.0, "en") == [(30.0, "vote opened 3, 5")]
    values = {
        "case": {"sources": [{"file": source.name, "path": str(source), "offset": 0.0}]},
        "timeline": {"events": events}, "votes": {"rounds": []}, "flags": {"flags": []}, "transcript": {"words": []},
    }  # fmt: skip
    for name, value in values.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(value), "utf-8")
    out = tmp_path / "out.mp4"
    FILES["chapters"](tmp_path, out, "ru")
    with av.open(str(source)) as a, av.open(str(out)) as b:
        assert [c["metadata"]["title"] for c in b.chapters()] == ["наступил день", "голосование открыто 3, 5"]
        assert sum(1 for p in a.demux(video=0) if p.size) == sum(1 for p in b.demux(video=0) if p.size)
    (tmp_path / "case.json").write_text(
        json.dumps({"sources": [{"file": "a.mp4", "path": "/gone.mp4"}]}), "utf-8"
    )
    with pytest.raises(MafiavarError, match="нет на месте"):
        FILES["chapters"](tmp_path, out, "ru")
