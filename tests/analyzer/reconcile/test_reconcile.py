"""A protocol altered in one place is found where the recording tells, and "not seen" where it does not."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.reconcile import Verdict, reconcile
from mafiavar.analyzer.reconcile.tournament import audit_folder, write_audit

Record = dict[str, Any]
VOTES = {3: [2, 4], 5: [1, 6, 7, 8]}
REST = [3, 5, 9, 10]


def timeline() -> Record:
    e: list[Record] = [
        {"kind": "floor_given", "t0": 5, "t1": 6, "day": 1, "seat": 1, "seconds": 60, "purpose": "speech"},
        {"kind": "nominated", "t0": 10, "t1": 11, "day": 1, "seat": 1, "target": 3, "accepted": True},
        {"kind": "nominated", "t0": 20, "t1": 21, "day": 1, "seat": 2, "target": 5, "accepted": True},
        {"kind": "foul", "t0": 30, "t1": 31, "day": 1, "seat": 7, "level": "foul", "ordinal": 1},
        {"kind": "vote_announced", "t0": 55, "t1": 56, "day": 1, "round": 1, "target": 3, "count": 2},
        {"kind": "vote_announced", "t0": 62, "t1": 63, "day": 1, "round": 1, "target": 5, "count": 8},
        {"kind": "eliminated", "t0": 65, "t1": 66, "day": 1, "seats": [5], "by": "vote"},
        {"kind": "night_began", "t0": 80, "t1": 81, "day": 1, "night": 1},
        {"kind": "night_result", "t0": 120, "t1": 121, "day": 1, "night": 1, "killed": 9},
        {"kind": "best_move", "t0": 125, "t1": 126, "day": 1, "night": 1, "seat": 9, "targets": [1, 2, 4]},
        {"kind": "game_ended", "t0": 300, "t1": 301, "day": 4, "winner": "red"},
    ]  # fmt: skip
    return {"events": [{"confidence": 0.95, **x} for x in e]}


def votes(unseen: tuple[int, ...] = ()) -> Record:
    ballots = []
    for target, t in ((3, 50.0), (5, 57.0)):
        seats = {}
        for s in range(1, 11):
            yes = s in VOTES[target]
            word = "unknown" if s in unseen else "yes" if yes else "no"
            seats[str(s)] = {
                "vote": word, "contact": [t + 2.4, t + 7] if word == "yes" else None,
                "remainder": target == 5 and s in REST and not unseen,
            }  # fmt: skip
        low = sum(v["vote"] == "yes" for v in seats.values())
        counted = [low, low + len(unseen)]
        ballots.append({"target": target, "called": [t, t + 2], "counted": counted, "seats": seats})
    return {"rounds": [{"day": 1, "round": 1, "candidates": [3, 5], "ballots": ballots}]}


def protocol() -> Record:
    return {
        "schema": "mafiavar/protocol@1", "ruleset": "fsm-2026",
        "days": [{
            "day": 1, "nominations": [{"seat": 1, "target": 3, "accepted": True}, {"seat": 2, "target": 5, "accepted": True}],
            "candidates": [3, 5],
            "ballots": [{"round": 1, "candidates": [3, 5], "votes": {"3": VOTES[3], "5": VOTES[5]}, "remainder": REST}],
            "left": [5], "fouls": [{"seat": 7, "level": "foul", "ordinal": 1}],
        }],
        "nights": [{"night": 1, "killed": 9}], "best_move": {"seat": 9, "targets": [1, 2, 4]}, "winner": "red",
    }  # fmt: skip


def differing(
    written: Record, heard: Record | None = None, seen: Record | None = None
) -> set[tuple[str, Any]]:
    lines = reconcile(heard or timeline(), seen or votes(), written)
    return {(x.what, x.seat) for x in lines if x.verdict is Verdict.DIFFER}


def test_accounts_that_agree() -> None:
    lines = reconcile(timeline(), votes(), protocol())
    assert {x.verdict for x in lines} == {Verdict.AGREE}
    assert {x.what for x in lines} == {
        "count",
        "nominations",
        "left",
        "killed",
        "fouls",
        "best_move",
        "winner",
    }


ALTERED: list[tuple[str, Any, set[tuple[str, Any]]]] = [
    ("a seat swapped between candidates", lambda p: p["days"][0]["ballots"][0].update(votes={"3": [2, 6], "5": [1, 4, 7, 8]}),
     {("votes", 4), ("votes", 6)}),
    ("a vote moved", lambda p: p["days"][0]["ballots"][0].update(votes={"3": [2, 4, 6], "5": [1, 7, 8]}),
     {("count", 3), ("count", 5), ("votes", 6)}),
    ("a lost foul", lambda p: p["days"][0].update(fouls=[{"seat": 8, "level": "foul"}]), {("fouls", 7)}),
    ("another best move", lambda p: p["best_move"].update(targets=[1, 2, 6]), {("best_move", 9)}),
    ("another killed", lambda p: p["nights"][0].update(killed=8), {("killed", None)}),
    ("another leaver", lambda p: p["days"][0].update(left=[3]), {("left", None)}),
    ("a nomination left out", lambda p: p["days"][0]["nominations"].pop(), {("nominations", None)}),
    ("another winner", lambda p: p.update(winner="black"), {("winner", None)}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "expected"), [(c, e) for _, c, e in ALTERED], ids=[n for n, _, _ in ALTERED]
)
def test_one_altered_place_is_found(change: Any, expected: set[tuple[str, Any]]) -> None:
    written = protocol()
    change(written)
    assert differing(written) == expected


@pytest.mark.parametrize(
    ("change", "expected"), [(c, e) for _, c, e in ALTERED], ids=[n for n, _, _ in ALTERED]
)
def test_what_the_recording_does_not_tell_is_not_seen(change: Any, expected: set[tuple[str, Any]]) -> None:
    written = protocol()
    change(written)
    lines = reconcile({"events": []}, {"rounds": []}, written)
    assert lines and {x.verdict for x in lines} == {Verdict.NOT_SEEN}


def test_an_unsure_fact_is_not_seen() -> None:
    heard = timeline()
    for e in heard["events"]:
        if e["kind"] == "night_result":
            e.update(killed=8, confidence=0.3)
    (line,) = [x for x in reconcile(heard, votes(), protocol()) if x.what == "killed"]
    assert line.verdict is Verdict.NOT_SEEN


def test_an_unseen_seat_is_no_difference() -> None:
    assert differing(protocol(), seen=votes(unseen=(4, 9))) == set()


def test_the_judge_against_the_hands_without_a_protocol() -> None:
    heard = copy.deepcopy(timeline())
    for e in heard["events"]:
        if e["kind"] == "vote_announced" and e["target"] == 3:
            e["count"] = 3
    lines = reconcile(heard, votes(), None)
    assert [(x.seat, x.verdict.value) for x in lines] == [(3, "differ"), (5, "agree")]


def tournament(folder: Path) -> None:
    for name, killed in (("стол 1", 9), ("стол 2", 8)):
        case = folder / name
        case.mkdir(parents=True)
        (case / "timeline.json").write_text(json.dumps(timeline()), "utf-8")
        (case / "votes.json").write_text(json.dumps(votes()), "utf-8")
        written = protocol()
        written["nights"][0]["killed"] = killed
        (case / "protocol.json").write_text(json.dumps(written), "utf-8")


def test_a_tournament_as_a_workbook(tmp_path: Path) -> None:
    from openpyxl import load_workbook

    tournament(tmp_path / "cases")
    rows = audit_folder(tmp_path / "cases")
    for name in ("audit.xlsx", "audit.csv", "audit.html"):
        write_audit(rows, tmp_path / name)
    book = load_workbook(tmp_path / "audit.xlsx")
    assert book.sheetnames == ["Голосования", "Расхождения", "Не видно", "Остальное"]
    assert book["Голосования"].max_row == 1 + 4
    different = list(book["Расхождения"].iter_rows(min_row=2, values_only=True))
    assert [(r[0], r[1]) for r in different] == [("убит", "стол 2")]
    assert "стол 2" in (tmp_path / "audit.html").read_text("utf-8")
    assert (tmp_path / "audit.csv").read_bytes().startswith(b"\xef\xbb\xbf")


def test_bad_folders_and_endings_get_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="нет разобранных дел"):
        audit_folder(tmp_path)
    with pytest.raises(UsageError, match=r"нужен \.xlsx"):
        write_audit([], tmp_path / "audit.doc")
