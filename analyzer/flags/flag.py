"""A flag: a fact with a clause. What was expected, what was seen, by what margin, why it may be wrong."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

from mafiavar.analyzer.span import Span
from mafiavar.analyzer.vision.question import Frame
from mafiavar.engine.parameters import Ruleset

Line = tuple[float, float]
"""Slope and shift of logit(confidence)."""
_RAW_LEAST = 1e-3
Severity = Literal["error", "foul", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "foul", "note")


@dataclass(frozen=True, slots=True)
class Flag:
    """One incident of one kind.

    `params`: what the sentences need (language-neutral). `doubts`: (key, params) of why it may be
    wrong. `words`: what was said, when words are the evidence. `clause`: as `fsm-2026:6.6.6`.
    `incident`: flags of one incident share the number.
    """

    kind: str
    seats: tuple[int, ...]
    span: Span
    day: int
    severity: Severity
    clause: str | None
    confidence: float
    params: Mapping[str, Any] = field(default_factory=dict)
    doubts: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    frames: tuple[Frame, ...] = ()
    words: tuple[tuple[Span, str], ...] = ()
    template: str = ""
    speed: str = "normal"
    incident: int = 0

    @property
    def line(self) -> str:
        return _line(self.kind, self.params)

    def sentences(self, lang: str = "ru") -> Mapping[str, Any]:
        """{"expected", "seen", "margin": str, "doubts": [str]} in the language."""
        from mafiavar.analyzer.flags.sentences import sentences_of

        return sentences_of(self, lang)


@dataclass(frozen=True, slots=True)
class Kind:
    """One row of kinds.toml."""

    name: str
    severity: Severity
    speed: str
    clauses: Mapping[str, str]
    effect: str = ""


@lru_cache(maxsize=1)
def kinds() -> Mapping[str, Kind]:
    """All rows by their key (a key may be a variant of a kind, as hand_form_flat)."""
    data = tomllib.loads((resources.files(__package__) / "kinds.toml").read_text("utf-8"))
    return {
        key: Kind(row.get("kind", key), row["severity"], row["speed"], row["clauses"], row.get("effect", ""))
        for key, row in data.items()
    }


@lru_cache(maxsize=1)
def default_thresholds() -> Mapping[str, float]:
    data = tomllib.loads((resources.files(__package__) / "thresholds.toml").read_text("utf-8"))
    return {k: float(v) for k, v in data.items()}


@lru_cache(maxsize=1)
def default_calibration() -> Mapping[str, Line]:
    data = tomllib.loads((resources.files(__package__) / "calibration.toml").read_text("utf-8"))
    return {
        kind: (float(slope), float(shift)) for kind, (slope, shift) in data.get("calibration", {}).items()
    }


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes flags of one case: knows the rule set (for clauses), the thresholds, and the line of each
    kind's confidence (`default_calibration`; empty: confidences stay as the families reckon them)."""

    rules: Ruleset
    thresholds: Mapping[str, float]
    calibration: Mapping[str, Line] = field(default_factory=dict)

    def knows(self, key: str) -> bool:
        """Does the rule set know this kind?"""
        return self.rules.name in kinds()[key].clauses

    def flag(
        self, key: str, span: Span, day: int, confidence: float, *, clause: str | None = None, **more: Any
    ) -> Flag | None:
        """A flag of the kind; None when the rule set does not know it or it is too unsure.

        `more`: fields of `Flag` (seats, params, doubts, frames, words).
        """
        row = kinds()[key]
        number = row.clauses.get(self.rules.name)
        confidence = self.sure(_line(row.name, more.get("params", {})), confidence)
        counted = row.name == "vote_count_mismatch" and "announced" in more.get("params", {})
        least = self.thresholds["least_counted" if counted else "least_confidence"]
        if (number is None and clause is None) or confidence < least:
            return None
        return Flag(
            kind=row.name,
            span=span,
            day=day,
            severity=row.severity,
            clause=clause or f"{self.rules.name}:{number}",
            confidence=round(min(confidence, 0.999), 3),
            template=key,
            speed=row.speed,
            **{"seats": (), **more},
        )

    def sure(self, line: str, raw: float) -> float:
        """The share of flags of a line with this raw confidence that are right (Platt 1999)."""
        known = self.calibration.get(line, self.calibration.get("all"))
        if known is None:
            return raw
        raw = min(max(raw, _RAW_LEAST), 1 - _RAW_LEAST)
        return 1 / (1 + math.exp(-(known[0] * math.log(raw / (1 - raw)) + known[1])))


def _line(kind: str, params: Mapping[str, Any]) -> str:
    """Whose confidences are fitted together: one kind, but what the rules reckon (counts that do not add
    up) apart from what hands or words show (a count against its hands)."""
    issue = params.get("issue")
    return kind if issue is None else str(issue)
