"""The rule sets by name."""

from __future__ import annotations

from collections.abc import Mapping

from mafiavar.engine.errors import RuleError
from mafiavar.engine.parameters import OPTIONS, Ruleset
from mafiavar.engine.set_disbord import DISBORD
from mafiavar.engine.set_fsm_2026 import FSM_2026
from mafiavar.engine.set_legion import LEGION

__all__ = ["DISBORD", "FSM_2026", "LEGION", "OPTIONS", "RULESETS", "Ruleset", "ruleset"]

RULESETS: Mapping[str, Ruleset] = {r.name: r for r in (FSM_2026, DISBORD, LEGION)}


def ruleset(name: str) -> Ruleset:
    """The rule set called `name` (fsm-2026, disbord, legion). Raises RuleError for any other."""
    try:
        return RULESETS[name]
    except KeyError:
        raise RuleError(f"unknown rule set {name!r}; known: {', '.join(sorted(RULESETS))}") from None
