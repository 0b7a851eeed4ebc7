"""`protocol check`, `protocol convert` and `score` as a user runs them."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.protocol import to_json
from mafiavar.engine.ruleset import FSM_2026
from mafiavar.ui.cli.app import build
from mafiavar.ui.language import set_language

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "engine"))
from legal import legal_record


@pytest.fixture
def game(tmp_path: Path) -> Path:
    record = replace(legal_record(FSM_2026, 4), nicknames={s: f"p{s}" for s in range(1, 11)})
    path = tmp_path / "game.json"
    path.write_text(json.dumps(to_json(record)), "utf-8")
    return path


def run(*arguments: object) -> Result:
    try:
        return CliRunner().invoke(build("ru"), [str(a) for a in arguments])
    finally:
        set_language("ru")


def test_a_clean_protocol(game: Path) -> None:
    result = run("protocol", "check", game, "--json")
    data = json.loads(result.output)
    assert (result.exit_code, data["findings"]) == (0, [])
    assert data["schema"] == "mafiavar/audit@1" and data["ruleset"] == "fsm-2026"
    assert data["winner"] in ("red", "black") and data["ended"]
    for left in data["left"]:
        assert set(left) in ({"day", "seats", "by"}, {"night", "seats", "by"})
    assert "Замечаний нет" in run("protocol", "check", game).output


def test_findings_speak_both_languages_and_end_with_10(game: Path) -> None:
    data = json.loads(game.read_text("utf-8"))
    data["winner"] = "red" if data["winner"] == "black" else "black"
    game.write_text(json.dumps(data), "utf-8")
    russian = run("protocol", "check", game)
    english = run("protocol", "check", game, "--lang", "en")
    assert russian.exit_code == english.exit_code == 10
    assert "Записана победа" in russian.output and "Winner written" in english.output
    (finding,) = json.loads(run("protocol", "check", game, "--json").output)["findings"]
    assert finding["kind"] == "wrong_winner" and finding["clause"] == "fsm-2026:1.5"
    assert set(finding) == {"kind", "severity", "clause", "day", "night", "seats", "text"}


def test_other_rules_and_options(game: Path) -> None:
    assert (
        json.loads(run("protocol", "check", game, "--rules", "legion", "--json").output)["ruleset"]
        == "legion"
    )
    assert isinstance(run("protocol", "check", game, "--rules", "chess").exception, UsageError)


def test_convert_and_check_again(game: Path, tmp_path: Path) -> None:
    for to in ("csv", "xlsx"):
        out = tmp_path / f"x.{to}"
        assert run("protocol", "convert", game, "--to", to, "--out", out).exit_code == 0
        assert run("protocol", "check", out).exit_code == 0


def test_score(game: Path, tmp_path: Path) -> None:
    data = json.loads(run("score", game, "--json").output)
    assert data["schema"] == "mafiavar/score@1"
    assert sum(s["total"] for s in data["seats"].values()) > 0
    for seat in data["seats"].values():
        assert round(sum(p["points"] for p in seat["parts"]) * 1000) == round(seat["total"] * 1000)
    assert "fsm-2026:8.2" in run("score", game, "--why").output
    assert "баллов не знают" in run("score", game, "--rules", "disbord").output
    assert isinstance(run("score").exception, UsageError)


def test_score_of_a_tournament(game: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cup" / "final"
    folder.mkdir(parents=True)
    (folder / "1.json").write_bytes(game.read_bytes())
    out = tmp_path / "cup.xlsx"
    result = run("score", "--tournament", folder.parent, "--json", "--xlsx", out)
    data = json.loads(result.stdout)
    assert data["players"][0]["place"] == 1 and len(data["players"]) == 10
    assert data["games"][0]["stage"] == "final" and out.read_bytes()[:2] == b"PK"
    assert isinstance(run("score", "--tournament", tmp_path / "nothing").exception, UsageError)
