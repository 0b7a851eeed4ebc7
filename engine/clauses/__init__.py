"""The texts of the rules by clause: what a flag, a finding or a point of score cites.

clause("fsm-2026:4.5.4").text
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mafiavar.engine.clauses import disbord, fsm_2026, legion
from mafiavar.engine.errors import RuleError

SETS: Mapping[str, Mapping[str, tuple[int, str, str]]] = {
    "fsm-2026": fsm_2026.TEXTS,
    "disbord": disbord.TEXTS,
    "legion": legion.TEXTS,
}


@dataclass(frozen=True, slots=True)
class Clause:
    """`certainty` of the number: A printed in the text, B and C counted with support, D counted only
    (the published text shows no numbers there). `line` of the text file."""

    ruleset: str
    number: str
    line: int
    certainty: str
    text: str

    @property
    def citation(self) -> str:
        return f"{self.ruleset}:{self.number}"


def clause(citation: str) -> Clause:
    """The clause a citation such as `fsm-2026:6.6.6` or `disbord:l195` names. Raises RuleError."""
    name, _, number = citation.partition(":")
    try:
        line, certainty, text = SETS[name][number]
    except KeyError:
        raise RuleError(f"no such clause: {citation}") from None
    return Clause(name, number, line, certainty, text)


def exists(citation: str) -> bool:
    name, _, number = citation.partition(":")
    return number in SETS.get(name, {})


def clauses(ruleset: str) -> tuple[Clause, ...]:
    """All clauses of a rule set in the order of the text."""
    return tuple(Clause(ruleset, n, *row) for n, row in SETS.get(ruleset, {}).items())
