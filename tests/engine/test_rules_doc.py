"""docs/rules.md says what the code says."""

from __future__ import annotations

from mafiavar.engine.ruleset import RULESETS

from rules_doc import DOC, by_clause, render  # isort: skip  (beside this file)


def test_rules_doc_is_true() -> None:
    assert DOC.read_text("utf-8") == render(), "run: python tests/engine/rules_doc.py"


def test_every_cited_clause_has_a_row() -> None:
    text = DOC.read_text("utf-8")
    for rules in RULESETS.values():
        assert all(f"| {number} (" in text for number in by_clause(rules))
