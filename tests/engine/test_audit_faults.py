"""Every kind of finding: a fault planted in a legal game is found, where it is, and nothing else is."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest
from faults import PLANTERS, Planter
from legal import legal_record

import mafiavar.engine.audit as audit_package
from mafiavar.engine.audit import audit
from mafiavar.engine.kinds import TOPICS
from mafiavar.engine.ruleset import ruleset
from mafiavar.ui.findings import SENTENCES, sentence

CASES = [(kind, rules, planter) for kind, pairs in PLANTERS.items() for rules, planter in pairs]
SEEDS = 400
WANTED = 4
"""Games in which each fault is planted."""

# A fault of these kinds cannot come alone: the protocol's own claims then contradict each other too.
COMPANIONS = {
    "roles_impossible": {"winner_unchecked", "checks_missing"},
    "shots_too_many": {"roles_missing"},
    "winner_unchecked": {"roles_missing"},
}


@pytest.mark.parametrize(("kind", "rules", "planter"), CASES, ids=[f"{k}-{p.__name__}" for k, _, p in CASES])
def test_planted_fault_is_found_alone(kind: str, rules: str, planter: Planter) -> None:
    planted_in = 0
    for seed in range(SEEDS):
        record = legal_record(ruleset(rules), seed, foul_chance=0.12, tie_chance=0.5, miss_chance=0.35)
        planted = planter(record, random.Random(seed))
        if not planted:
            continue
        altered, where, seats = planted
        result = audit(altered, ruleset(rules))
        mine = result.of_kind(kind)
        assert mine, (
            f"seed {seed}: not found; found {[(f.kind, f.day, f.night, f.seats) for f in result.findings]}"
        )
        at = ("day", mine[0].day) if mine[0].day is not None else ("night", mine[0].night)
        assert (at if at[1] is not None else None) == where, f"seed {seed}"
        assert set(mine[0].seats) == set(seats), f"seed {seed}"
        others = {f.kind for f in result.findings} - {kind} - COMPANIONS.get(kind, set())
        assert not others, f"seed {seed}: also {[(f.kind, f.day, f.night, f.seats) for f in result.findings]}"
        for finding in result.findings:
            assert sentence(finding.kind, finding.seats, dict(finding.params))
        planted_in += 1
        if planted_in == WANTED:
            return
    assert planted_in, "no game had a place for this fault"


def kinds_the_audit_names() -> set[str]:
    """Every kind written out in the audit's own source."""
    folder = Path(audit_package.__file__).parent
    words: set[str] = set()
    for path in folder.glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        skip = {
            id(leaf)
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "HOUSE_DIFFERENCES"
            for leaf in ast.walk(node)
        }
        words |= {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skip
        }
    return words & set(TOPICS)


def test_every_kind_of_finding_is_planted() -> None:
    assert kinds_the_audit_names() == set(PLANTERS)
    assert len(PLANTERS) >= 50


def test_every_kind_has_its_sentences() -> None:
    missing = set(TOPICS) - set(SENTENCES)
    assert not missing
    for russian, english in SENTENCES.values():
        assert russian and english and russian != english
