"""A sealed case: one altered byte, a lost file, an added one, another recording, a rewritten seal."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.seal import seal, verify


@pytest.fixture
def case(tmp_path: Path) -> Path:
    recording = tmp_path / "game.mp4"
    recording.write_bytes(b"picture and sound" * 1000)
    folder = tmp_path / "case"
    (folder / "evidence").mkdir(parents=True)
    (folder / "evidence" / "clip.mp4").write_bytes(b"clip" * 500)
    digest = hashlib.sha256(recording.read_bytes()).hexdigest()
    case_json = {
        "sources": [{"file": "game.mp4", "path": str(recording), "sha256": digest}],
        "models": {"hand": "abc"},
    }
    (folder / "case.json").write_text(json.dumps(case_json), "utf-8")
    (folder / "votes.json").write_text('{"vote": "yes"}', "utf-8")
    (folder / "run.json").write_text("{}", "utf-8")
    seal(folder)
    return folder


def test_an_untouched_case_is_intact(case: Path) -> None:
    check = verify(case)
    assert check.intact and not check.unseen
    assert check.head == json.loads((case / "seal.json").read_text("utf-8"))["head"]


def test_the_notes_of_the_run_may_change(case: Path) -> None:
    (case / "run.json").write_text('{"time": 1}', "utf-8")
    assert verify(case).intact


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("evidence/clip.mp4", b"clip", b"clap"), ("votes.json", b"yes", b"no!"), ("case.json", b"abc", b"abd")],
)
def test_one_altered_place_is_named(case: Path, name: str, old: bytes, new: bytes) -> None:
    path = case / name
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    check = verify(case)
    assert check.altered == (name,) and not check.intact


def test_every_single_byte_is_watched(case: Path) -> None:
    for name in ("case.json", "votes.json", "evidence/clip.mp4"):
        path = case / name
        whole = path.read_bytes()
        for i in range(0, len(whole), max(1, len(whole) // 40)):
            path.write_bytes(whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1 :])
            assert verify(case, sources=False).altered == (name,), (name, i)
        path.write_bytes(whole)
    assert verify(case).intact


def test_a_hidden_change_in_the_middle_of_a_large_recording(case: Path) -> None:
    recording = case.parent / "game.mp4"
    whole = bytearray(recording.read_bytes())
    whole[len(whole) // 2] ^= 1
    recording.write_bytes(whole)
    check = verify(case)
    assert check.sources == (str(recording),) and not check.intact


def test_lost_and_added_files_are_named(case: Path) -> None:
    (case / "votes.json").unlink()
    (case / "evidence" / "more.jpg").write_bytes(b"x")
    check = verify(case)
    assert check.lost == ("votes.json",) and check.added == ("evidence/more.jpg",) and not check.intact


def test_another_recording_in_its_place(case: Path) -> None:
    recording = case.parent / "game.mp4"
    recording.write_bytes(b"another")
    assert verify(case).sources == (str(recording),)
    assert verify(case, sources=False).intact
    recording.unlink()
    gone = verify(case)
    assert gone.unseen == ("game.mp4",) and gone.intact


def test_a_rewritten_entry_breaks_the_chain(case: Path) -> None:
    (case / "votes.json").write_text('{"vote": "no"}', "utf-8")
    data = json.loads((case / "seal.json").read_text("utf-8"))
    for entry in data["entries"]:
        if entry["path"] == "votes.json":
            content = (case / "votes.json").read_bytes()
            entry.update(sha256=hashlib.sha256(content).hexdigest(), size=len(content))
    (case / "seal.json").write_text(json.dumps(data), "utf-8")
    check = verify(case)
    assert not check.altered and not check.chain and not check.intact


def test_a_case_without_a_seal_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="нет печати"):
        verify(tmp_path)
    (tmp_path / "seal.json").write_text("{", "utf-8")
    with pytest.raises(UsageError, match="испорчена"):
        verify(tmp_path)


def test_purged_observations_are_told_and_change_no_result(case: Path) -> None:
    (case / "observations").mkdir()
    for name in ("cues", "words"):
        (case / "observations" / f"{name}.parquet").write_bytes(b"rows")
    seal(case)
    (case / "observations" / "cues.parquet").unlink()
    check = verify(case)
    assert (check.lost, check.purged, check.intact) == (("observations/cues.parquet",), (), False)
    (case / "observations" / "words.parquet").unlink()
    (case / "observations").rmdir()
    check = verify(case)
    assert check.intact and not check.lost
    assert check.purged == ("observations/cues.parquet", "observations/words.parquet")
