"""The timeline of one game: events of the truth vocabulary with confidence and evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from mafiavar.analyzer.span import Span, seconds

Basis = Literal["observed", "inferred", "pinned"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an event rests on: a stretch of a recording, or a picture in the case folder."""

    recording: int
    t: int
    pts: int | None = None
    time_base: tuple[int, int] | None = None
    path: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """One event. `kind` and `fields` are those of the truth vocabulary (t0, t1, day apart).

    `confidence` is the posterior that this event happened as stated; `runners_up` are other
    readings of the same moment with their posteriors, best first.
    """

    id: str
    kind: str
    span: Span
    day: int
    fields: Mapping[str, Any]
    confidence: float
    basis: Basis
    evidence: tuple[Evidence, ...] = ()
    runners_up: tuple[tuple[Mapping[str, Any], float], ...] = field(default_factory=tuple)

    def to_json(self) -> dict[str, Any]:
        """As it stands in timeline.json (`mafiavar/timeline@1`)."""
        return {
            "id": self.id,
            "kind": self.kind,
            "t0": seconds(self.span.t0),
            "t1": seconds(self.span.t1),
            "day": self.day,
            **self.fields,
            "confidence": round(self.confidence, 3),
            "basis": self.basis,
            "evidence": [
                {
                    "recording": e.recording,
                    "pts": e.pts,
                    "time_base": list(e.time_base) if e.time_base else None,
                    "t": seconds(e.t),
                    "path": e.path,
                    **({"note": e.note} if e.note else {}),
                }
                for e in self.evidence
            ],
            **(
                {"runners_up": [{**f, "confidence": round(p, 3)} for f, p in self.runners_up]}
                if self.runners_up
                else {}
            ),
        }


@dataclass(frozen=True, slots=True)
class Timeline:
    ruleset: str
    events: tuple[TimelineEvent, ...]

    def of_kind(self, *kinds: str) -> tuple[TimelineEvent, ...]:
        return tuple(e for e in self.events if e.kind in kinds)

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": "mafiavar/timeline@1",
            "ruleset": self.ruleset,
            "events": [e.to_json() for e in self.events],
        }


@dataclass(frozen=True, slots=True)
class Pin:
    """A person's fact: hard for the alignment. Addresses content, never an id.

    `kind` and `fields` as in an event; `span` where it must lie; `negated`: "not that".
    """

    kind: str
    span: Span
    fields: Mapping[str, Any] = field(default_factory=dict)
    negated: bool = False
