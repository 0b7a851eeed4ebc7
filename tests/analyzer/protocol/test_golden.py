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


@pytest.mark.parametrize(
    ("path", "kind", "day", "night", "seats"),
    [
        ("mafiaratings/game_4870.json", "forbidden_lift", 1, None, (1, 2)),
        ("mafiaratings/game_4875.json", "forbidden_lift", 2, None, (3, 5, 9)),
        ("mafiaratings/game_4875.json", "forbidden_split", 2, None, (3, 5, 9)),
        ("polemica/333915.json", "forbidden_split", 2, None, (4, 5, 6)),
        ("polemica/333915.json", "night_check_of_own_shot", None, 1, (4,)),
        ("polemica/334187.json", "night_check_of_own_shot", None, 1, (7,)),
        ("polemica/334187.json", "wrong_person_left", 1, None, (1,)),
        ("polemica/match_610180.json", "vote_not_held_though_due", 1, None, (1, 3)),
    ],
)
def test_fsm_names_the_differences(
    path: str, kind: str, day: int | None, night: int | None, seats: tuple[int, ...]
) -> None:
    record = read_protocol(need(SHARED / path)).record
    strict = audit_file_rules(record, "fsm-2026").of_kind(kind)
    assert [(f.day, f.night, f.seats, f.severity) for f in strict] == [(day, night, seats, "error")]
    house = audit_file_rules(record).of_kind(kind)
    assert [(f.day, f.night, f.seats, f.severity) for f in house] == [(day, night, seats, "warning")]
