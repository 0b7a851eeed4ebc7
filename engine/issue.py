"""What was wrong with a move: a kind, the clause, who, and the numbers a sentence needs.

Sentences are made in the user interface; the engine only names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Severity = Literal["error", "warning", "unchecked"]
"""error: the table did otherwise than the rules require. warning: doubtful, or without effect on the
game. unchecked: a fact is missing, so the rule could not be applied."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing wrong with an event or a protocol.

    `kind` is stable (engine/kinds.py lists all), `clause` is cited as `fsm-2026:4.5.4` (None when
    the rule set has no clause for it), `seats` are those concerned, `params` what a sentence needs.
    """

    kind: str
    clause: str | None
    severity: Severity
    seats: tuple[int, ...] = ()
    params: tuple[tuple[str, Any], ...] = ()

    def __getitem__(self, name: str) -> Any:
        """The parameter `name`; None when the issue does not carry it."""
        for key, value in self.params:
            if key == name:
                return value
        return None
