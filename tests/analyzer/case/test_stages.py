"""Stages: whole or absent, computed once, found again by everything they depend on."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from mafiavar.analyzer.case.files import TEMPORARY, disk_sentences, write_bytes, write_json
from mafiavar.analyzer.case.folder import opened
from mafiavar.analyzer.case.stages import Stages, key_of
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.errors import CaseError
from mafiavar.analyzer.span import Span


def test_key_depends_on_everything_it_is_given() -> None:
    keys = {
        key_of("speech", 1, {"beam": 5}, "a"),
        key_of("speech", 2, {"beam": 5}, "a"),
        key_of("speech", 1, {"beam": 4}, "a"),
        key_of("speech", 1, {"beam": 5}, "b"),
        key_of("cues", 1, {"beam": 5}, "a"),
        key_of("speech", 1, {"beam": 5}, "a", "b"),
    }
    assert len(keys) == 6
    assert key_of("x", 1, {"a": 1, "b": 2}) == key_of("x", 1, {"b": 2, "a": 1})


def test_a_rule_set_is_described_alike_in_every_process() -> None:
    """Strings hash differently in every process; a key that knew of it would compute all anew."""
    code = (
        "from mafiavar.analyzer.case.stages import described\n"
        "from mafiavar.engine.ruleset import RULESETS\n"
        "print([described(r) for r in RULESETS.values()])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(told) == 1


def test_value_is_computed_once_and_comes_back_typed(tmp_path: Path) -> None:
    stages = Stages(tmp_path / "stages")
    calls = []

    def compute() -> tuple[Cue, ...]:
        calls.append(1)
        return (Cue(CueKind.FLOOR, Span(0, 10), 0.9, ({3: 0.9, 13: 0.1},), {"judge": 0.8, 3: 0.2}),)

    first = stages.value("cues", "k", tuple[Cue, ...], compute)
    again = Stages(tmp_path / "stages").value("cues", "k", tuple[Cue, ...], compute)
    assert first == again == compute()
    assert len(calls) == 2  # once stored, once here
    assert [r.cached for r in stages.runs] == [False]


def test_a_stage_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    stages = Stages(tmp_path / "stages")

    def fail(part: Path) -> None:
        (part / "half").write_text("half")
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        stages.folder_of("hands", "k", fail)
    assert not stages.path("hands", "k").exists()
    with opened(tmp_path):
        assert not list(tmp_path.rglob(f"{TEMPORARY}*"))


def test_forgotten_are_only_stages_nobody_used(tmp_path: Path) -> None:
    old = Stages(tmp_path / "stages")
    old.value("cues", "old", int, lambda: 1)
    new = Stages(tmp_path / "stages")
    new.value("cues", "new", int, lambda: 2)
    new.forget_unused()
    assert [p.name for p in (tmp_path / "stages" / "cues").iterdir()] == ["new"]


@pytest.mark.parametrize(
    ("number", "words"),
    [("ENOSPC", "кончилось место"), ("EROFS", "нельзя писать"), ("EACCES", "нельзя писать")],
)
def test_disk_errors_become_sentences(tmp_path: Path, number: str, words: str) -> None:
    import errno

    with pytest.raises(CaseError, match=words), disk_sentences(tmp_path):
        raise OSError(getattr(errno, number), "x")


def test_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import errno

    target = tmp_path / "votes.json"
    write_json(target, {"old": 1})

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CaseError):
        write_bytes(target, b"new")
    assert target.read_text("utf-8") == '{\n "old": 1\n}\n'


def test_a_file_is_no_case_folder(tmp_path: Path) -> None:
    file = tmp_path / "case"
    file.write_text("x")
    with pytest.raises(CaseError), opened(file):
        pass


def test_two_runs_on_one_case(tmp_path: Path) -> None:
    """The second run, in another process, is told so and touches nothing."""
    other = textwrap.dedent(f"""
        from pathlib import Path
        from mafiavar.analyzer.case.folder import opened
        from mafiavar.analyzer.errors import CaseError
        try:
            with opened(Path({str(tmp_path)!r})):
                print("open")
        except CaseError as error:
            print(error.english)
    """)
    with opened(tmp_path):
        said = subprocess.run(
            [sys.executable, "-c", other], capture_output=True, text=True, check=True
        ).stdout
    assert "Another run" in said
    said = subprocess.run([sys.executable, "-c", other], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "open"
