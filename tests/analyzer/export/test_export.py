"""Each format is well formed and holds the facts; the protocol goes back through our own reader."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from mafiavar.analyzer.errors import UsageError
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
