"""Every clause the code cites exists in the texts; parameters know their clauses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mafiavar.engine.clauses import clause, clauses, exists
from mafiavar.engine.errors import RuleError
from mafiavar.engine.kinds import TOPICS
from mafiavar.engine.parameters import OPTIONS, Ruleset
from mafiavar.engine.ruleset import FSM_2026, RULESETS, ruleset

ENGINE = Path(__file__).resolve().parents[2] / "engine"
WITHOUT_CLAUSE = {
    # choices of reading and house rules that no text names, and what points alone need
    "day_one_vote", "forbidden_split_effect", "bonus_step", "bonus_for_everyone", "ci_digits", "ci_step",
    "best_move_points_for", "four_player_misses_win", "sheriff_look_seconds", "withdrawal", "night_head_degrees",
    "disobedience_loses_game", "penalties",
}  # fmt: skip


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda r: r.name)
def test_cited_clauses_exist(rules: Ruleset) -> None:
    missing = {topic: rules.clause(topic) for topic in rules.clauses if not exists(rules.clause(topic) or "")}
    assert not missing


def test_clauses_in_the_source_exist() -> None:
    """Citations written out in code and comments: fsm-2026:N, disbord:lN, legion:N, and DISBORD's lN."""
    wrong = []
    for path in ENGINE.rglob("*.py"):
        if path.parent.name == "clauses" and path.name != "__init__.py":
            continue
        for found in re.findall(r"\b(?:fsm-2026|disbord|legion):[\w.-]*\d", path.read_text("utf-8")):
            if not exists(found):
                wrong.append((path.name, found))
    assert not wrong


def test_every_fsm_parameter_knows_its_clause() -> None:
    unknown = {name for name in OPTIONS if FSM_2026.clause(name) is None} - WITHOUT_CLAUSE
    # a parameter may be cited under the topic its issues use
    topics = {
        "third_foul",
        "fouls_to_leave",
        "best_move",
        "draw",
        "negotiation_seconds",
        "free_seating_seconds",
    }
    assert unknown <= topics | {"shooting", "check_seconds", "sheriff_look_seconds", "reveal_allows_split"}


def test_offences_know_their_clauses() -> None:
    for rules in RULESETS.values():
        assert all(rules.clause(f"offence:{offence}") for offence, _ in rules.penalties)


def test_texts_are_whole() -> None:
    assert len(clauses("fsm-2026")) == 267
    assert clause("fsm-2026:4.5.4").text.startswith("Игроки голосуются в том порядке")
    assert clause("disbord:l195").text.startswith("отдёргивание руки")
    assert clause("legion:4.7").text.startswith("удаление голоса при голосовании")
    assert clause("legion:rating-2.2.4").text.startswith("Коэффициент")
    assert all(c.certainty in "ABCD" and c.text for c in clauses("fsm-2026"))
    with pytest.raises(RuleError):
        clause("fsm-2026:99.9")


def test_unknown_rule_set_and_options() -> None:
    with pytest.raises(RuleError):
        ruleset("rfm")
    with pytest.raises(RuleError):
        FSM_2026.with_options({"no_such_thing": 1})
    for name, bad in (
        ("day_one_vote", "sometimes"),
        ("revote_seconds", "30"),
        ("lift_splits", [[1]]),
        ("best_move", 1),
    ):
        with pytest.raises(RuleError):
            FSM_2026.with_options({name: bad})
    changed = FSM_2026.with_options(
        {"lift_splits": [[2, 10]], "day_one_max_tied": None, "revote_seconds": 20}
    )
    assert changed.lift_splits == {(2, 10)} and changed.revote_seconds == 20 and changed != FSM_2026


def test_every_kind_cites_a_topic_some_text_has() -> None:
    known = {t for rules in RULESETS.values() for t in rules.clauses}
    assert {topic for topic, _ in TOPICS.values()} <= known | {"withdrawal"}
