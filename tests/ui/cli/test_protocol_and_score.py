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


APPEAL = {"player": "a", "day": 2, "published": 5, "filed": 6, "filed_day": 2, "given": 0.2, "asked": 0.5}


def test_a_list_of_appeals(tmp_path: Path) -> None:
    path = tmp_path / "appeals.json"
    path.write_text(json.dumps([APPEAL, {**APPEAL, "published": 2}, {**APPEAL, "asked": 0.3}]), "utf-8")
    text = run("score", "--appeals", path).output
    assert "рассматривается" in text and "fsm-2026:8.9.1" in text and "fsm-2026:8.9.5" in text
    data = json.loads(run("score", "--appeals", path, "--json").output)
    assert [a["heard"] for a in data["appeals"]] == [True, False, False]
    table = tmp_path / "appeals.csv"
    table.write_text("игрок;день;опубликовано;подано;день подачи;балл;просит\na;2;5;6;2;0,2;0,5\n", "utf-8")
    assert "рассматривается" in run("score", "--appeals", table).output
    assert "8.9.2" in run("score", "--appeals", table, "--last-round", 6).output


@pytest.mark.parametrize(
    "content",
    ["", "{", "[1]", '{"a": 1}', json.dumps([{**APPEAL, "day": "x"}]), json.dumps([{**APPEAL, "player": None}]),
     json.dumps([{**APPEAL, "given": "NaN"}]), "игрок;день\na;1\n", "\x00"],
)  # fmt: skip
def test_a_broken_list_of_appeals_ends_with_a_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "appeals.json"
    path.write_text(content, "utf-8")
    problem = run("score", "--appeals", path).exception
    assert isinstance(problem, UsageError) and problem.russian and problem.english


def test_published_points_are_compared(tmp_path: Path) -> None:
    players = [{"tablePosition": s, "points": 1.0 if s > 3 else 0.0} for s in range(1, 11)]
    players[4]["points"] = 1.3
    roles = {1: 0, 2: 1, 3: 1, 4: 3}
    inner = {
        "players": [{"position": s, "role": roles.get(s, 2)} for s in range(1, 11)],
        "shots": [{"night": 1, "shooter": s, "victim": 10} for s in (1, 2, 3)],
        "votes": [
            {"day": d, "num": n, "voter": v, "candidate": t}
            for d, t, who in ((2, 1, range(1, 10)), (3, 2, range(2, 10)), (4, 3, range(3, 10)))
            for n, voters in ((0, (9,)), (1, who))
            for v in voters
        ],
        "result": 0, "stage": {"type": "gameOver"}, "bonuses": [{"position": 6, "scores": 0.2}],
    }  # fmt: skip
    path = tmp_path / "match.json"
    path.write_text(json.dumps({"players": players, "data": inner}), "utf-8")
    data = json.loads(run("score", path, "--json").output)
    assert data["winner"] == "red"
    assert data["differences"] == [
        {"seat": 5, "published": 1.3, "counted": 1.0}, {"seat": 6, "published": 1.0, "counted": 1.2},
    ]  # fmt: skip
    assert "опубликовано 1.3, по правилам 1.0" in run("score", path).output
