"""The comparison of the three texts, point by point, against the rule sets; every option changes something."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from differences import POINTS, UNCLEAR

from mafiavar.engine import decide
from mafiavar.engine.clauses import clause
from mafiavar.engine.parameters import OPTIONS, Ruleset
from mafiavar.engine.ruleset import DISBORD, FSM_2026, LEGION

TABLE = Path(__file__).resolve().parents[2].parent / "shared" / "domain" / "rule_differences.md"
# Parameters no point of the comparison speaks of: readings, house rules, and what only points need.
BESIDE_THE_POINTS = {
    "blacks", "hand_foul_until", "third_foul_and_technical", "day_one_vote", "forbidden_split_effect",
    "twice_tied_penalty_for", "twice_tied_penalty_day_one", "broken_at_ten", "third_foul_hits_last_word",
    "second_technical", "draw_counts_first_night", "critical_margin", "ci_b_rounding", "ci_digits", "ci_on_draw",
    "penalties", "last_minute_offences", "voted_out_by",
}  # fmt: skip


def test_all_66_points_are_here() -> None:
    assert [number for number, _, _ in POINTS] == list(range(1, 67))
    named = {name for _, _, rows in POINTS for name, *_ in rows if ":" not in name}
    assert named | BESIDE_THE_POINTS == OPTIONS
    assert not named & BESIDE_THE_POINTS


@pytest.mark.parametrize(
    ("number", "name", "values"),
    [(number, name, values) for number, _, rows in POINTS for name, *values in rows],
    ids=lambda v: str(v) if isinstance(v, (str, int)) else "",
)
def test_point(number: int, name: str, values: list[Any]) -> None:
    for rules, value in zip((FSM_2026, DISBORD, LEGION), values, strict=True):
        if name.startswith("offence:"):
            assert rules.penalty(name.partition(":")[2]) == value, rules.name
        else:
            assert getattr(rules, name) == value, rules.name


def test_clauses_are_those_of_the_comparison() -> None:
    """Where the comparison names FSM clauses for a point, one of its parameters cites one of them."""
    if not TABLE.exists():
        pytest.skip("the comparison is not here")
    cells = {
        int(m[1]): m[2]
        for m in re.finditer(r"^\| (\d+) \| [^|]* \| ([^|]*) \|", TABLE.read_text("utf-8"), re.M)
    }
    wrong = []
    for number, _, rows in POINTS:
        wanted = set(re.findall(r"\b\d+\.\d+(?:\.\d+)*\b", re.sub(r"l\.[\d–, l.]+|≈\S+", "", cells[number])))
        cited = {(FSM_2026.clause(name) or "").partition(":")[2] for name, *_ in rows}
        if wanted and not any(
            c == w or c.startswith(f"{w}.") or w.startswith(f"{c}.") for c in cited - {""} for w in wanted
        ):
            wrong.append((number, wanted, cited))
    assert not wrong


def test_unclear_places_are_options() -> None:
    assert [n for n, _, _ in UNCLEAR if n != "+"] == [str(n) for n in range(1, 13)]
    assert {p for _, _, names in UNCLEAR for p in names} <= OPTIONS


def after(rules: Ruleset, tally: dict[int, int], **more: Any) -> str:
    at_table = sum(tally.values())
    return decide.after_ballot(
        rules, **{"day": 2, "at_table": at_table, "candidates": tuple(tally), "tally": tally} | more
    ).kind


def test_every_reading_changes_a_decision() -> None:
    """Options that are only decisions; those of points are in test_scoring, those of speeches here too."""
    half = FSM_2026.with_options({"voted_out_by": "more_than_half"})
    assert (
        after(FSM_2026, {1: 4, 2: 3, 3: 2}),
        after(half, {1: 4, 2: 3, 3: 2}),
        after(half, {1: 5, 2: 4}),
    ) == ("leave", "stay", "leave")
    night = FSM_2026.with_options({"forbidden_split_effect": "night"})
    three = {1: 3, 2: 3, 3: 3}
    assert (after(FSM_2026, three), after(night, three)) == ("revote", "night")
    assert after(FSM_2026, dict.fromkeys(range(1, 6), 2), day=1) == "night"
    five = dict.fromkeys(range(1, 6), 2)
    assert after(FSM_2026, five, day=2, previous_tie=tuple(five)) == "lift"  # 5/10 of 7.11.4
    two = {1: 5, 2: 5}
    assert after(FSM_2026, two, day=1, previous_tie=(1, 2)) == "stay"  # 2/10 is not listed
    turned = FSM_2026.with_options({"revote_order": "reversed"})
    ask = {"day": 2, "at_table": 8, "tally": {3: 3, 4: 2, 6: 3}}
    assert decide.after_ballot(turned, candidates=(3, 4, 6), **ask).seats == (6, 3)
    assert decide.after_ballot(turned, candidates=(6, 4, 3), previous_tie=(6, 4, 3), **ask).seats == (6, 3)
    cast = FSM_2026.with_options({"lift_majority": "of_cast"})
    assert not decide.lift_passes(FSM_2026, yes=4, no=3, at_table=8) and decide.lift_passes(
        cast, yes=4, no=3, at_table=8
    )
    word = FSM_2026.with_options({"third_foul_hits_last_word": True})
    assert decide.floor_seconds(FSM_2026, "last_word", third_foul=True, at_table=8) == 60
    assert decide.floor_seconds(word, "last_word", third_foul=True, at_table=8) == 30
    old = FSM_2026.with_options({"third_foul": "silent"})
    assert [decide.floor_seconds(old, "speech", third_foul=True, at_table=n) for n in (3, 4, 5)] == [
        30,
        30,
        0,
    ]
    any_vote = FSM_2026.with_options({"broken_at_ten": "any_vote"})
    right = {"night": None, "at_table_before": 10, "left_by_vote_day_one": 1}
    assert decide.best_move_right(any_vote, **right) and not decide.best_move_right(FSM_2026, **right)
    assert decide.best_move_right(FSM_2026, **right, doubtful=True)


def test_gestures_without_pictures_and_the_doubled_text() -> None:
    """8: words only, so any picture fits them. 11: of the doubled Legion text one copy is kept."""
    assert FSM_2026.don_answer == ("nod", "denial")
    assert clause("legion:3.4.2").text != clause("legion:3.4.3").text
