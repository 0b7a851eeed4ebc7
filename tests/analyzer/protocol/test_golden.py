"""Real protocols (not part of the project): who left and who won equals what their sites published."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mafiavar.analyzer.protocol import read_protocol
from mafiavar.engine.audit import audit_file_rules

SHARED = Path(__file__).resolve().parents[3].parent / "shared" / "protocols"
RATINGS = ("4842", "4870", "4871", "4872", "4875", "4877")
# Read off the published matches by hand: (phase, number, seats).
POLEMICA = {
    "333915": (None, [("night", 1, {10})]),
    "334187": (
        "red",
        [("night", 1, {4}), ("day", 2, {8}), ("day", 3, {2}), ("night", 3, {1}), ("night", 4, {5}), ("day", 5, {7}),
         ("night", 5, {10}), ("day", 6, {9})],
    ),
    "match_598995": (
        "black",
        [("night", 1, {7}), ("day", 2, {8}), ("night", 2, {9}), ("day", 3, {2}), ("day", 4, {4, 5}), ("night", 4, {6}),
         ("day", 5, {3})],
    ),
    "match_610180": (
        "red",
        [("night", 1, {1}), ("day", 2, {3}), ("night", 2, {2}), ("day", 3, {8}), ("night", 3, {6}), ("day", 4, {9})],
    ),
}  # fmt: skip
WINNERS = {"civ": "red", "maf": "black", "tie": "draw"}


def need(path: Path) -> Path:
    if not path.exists():
        pytest.skip("the shared protocols are not here")
    return path


@pytest.mark.parametrize("number", RATINGS)
def test_mafiaratings_games_end_as_published(number: str) -> None:
    path = need(SHARED / "mafiaratings" / f"game_{number}.json")
    data = json.loads(path.read_text("utf-8"))
    published: dict[tuple[str, int], set[int]] = {}
    for seat, player in enumerate(data["players"], 1):
        if death := player.get("death"):
            night = death["type"] == "night"
            published.setdefault(("night" if night else "day", death["round"] + (not night)), set()).add(seat)
    for rules in (None, "disbord"):
        result = audit_file_rules(read_protocol(path).record, rules)
        assert result.winner == WINNERS[data["winner"]]
        found: dict[tuple[str, int], set[int]] = {}
        for x in result.left:
            found.setdefault((x.phase, x.number), set()).update(x.seats)
        assert found == published
        assert not [f for f in result.findings if f.severity == "error"]


@pytest.mark.parametrize("name", POLEMICA)
def test_polemica_games_end_as_published(name: str) -> None:
    result = audit_file_rules(read_protocol(need(SHARED / "polemica" / f"{name}.json")).record)
    winner, left = POLEMICA[name]
    assert result.winner == winner
    assert [(x.phase, x.number, set(x.seats)) for x in result.left] == left
    assert not [f for f in result.findings if f.severity == "error"]


# Everything FSM 2026 sees otherwise than the site's rules did: (kind, day, night, seats).
FSM_DIFFERENCES: dict[str, list[tuple[str, int | None, int | None, tuple[int, ...]]]] = {
    "mafiaratings/game_4842.json": [],
    "mafiaratings/game_4870.json": [("forbidden_lift", 1, None, (1, 2))],  # 2/10 is no lift
    "mafiaratings/game_4871.json": [],
    "mafiaratings/game_4872.json": [],
    # three at nine split and lifted; they would have stayed, and the game gone on
    "mafiaratings/game_4875.json": [
        ("forbidden_split", 2, None, (3, 5, 9)), ("forbidden_lift", 2, None, (3, 5, 9)), ("ended_too_early", None, None, ()),
    ],
    "mafiaratings/game_4877.json": [],
    "polemica/333915.json": [
        ("night_check_of_own_shot", None, 1, (4,)), ("forbidden_split", 2, None, (4, 5, 6)), ("forbidden_lift", 2, None, (4, 5, 6)),
    ],
    # zeroVoting respeech: the leader only spoke again
    "polemica/334187.json": [("wrong_person_left", 1, None, (1,)), ("night_check_of_own_shot", None, 1, (7,))],
    "polemica/match_598995.json": [],
    # zeroVoting none: two nominated on day one and no vote
    "polemica/match_610180.json": [("vote_not_held_though_due", 1, None, (1, 3))],
}  # fmt: skip


def test_every_shared_protocol_is_here() -> None:
    need(SHARED)
    assert {p.relative_to(SHARED).as_posix() for p in SHARED.rglob("*.json")} == set(FSM_DIFFERENCES)


@pytest.mark.parametrize("path", FSM_DIFFERENCES)
def test_fsm_names_each_difference_and_no_other(path: str) -> None:
    record = read_protocol(need(SHARED / path)).record
    differences = FSM_DIFFERENCES[path]
    strict = audit_file_rules(record, "fsm-2026").findings
    assert [(f.kind, f.day, f.night, f.seats) for f in strict if f.severity == "error"] == differences
    house = {(f.kind, f.day, f.night, f.seats): f.severity for f in audit_file_rules(record).findings}
    shown = [d for d in differences if d[0] != "ended_too_early"]  # that only follows from the others
    assert all(house[d] == "warning" for d in shown)
