"""What a run ends with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mafiavar.analyzer.case.stages import StageRun


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run ends with; `to_json` is what `analyze --json` prints."""

    case: Path
    ruleset: str
    duration: float
    timeline: Mapping[str, Any]
    votes: Mapping[str, Any]
    flags: Mapping[str, Any]
    costs: tuple[StageRun, ...]
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        events = self.timeline["events"]
        kinds = sorted({e["kind"] for e in events})
        return {
            "schema": "mafiavar/summary@1",
            "case": str(self.case),
            "ruleset": self.ruleset,
            "duration": self.duration,
            "events": {k: sum(e["kind"] == k for e in events) for k in kinds},
            "ballots": [
                {
                    "day": r["day"],
                    "round": r["round"],
                    "target": b["target"],
                    "announced": b["announced"],
                    "counted": b["counted"],
                    "assigned": b["assigned"],
                    "seats": {s: v["vote"] for s, v in b["seats"].items()},
                }
                for r in self.votes["rounds"]
                for b in r["ballots"]
            ],
            "flags": [
                {k: f[k] for k in ("kind", "seats", "t0", "t1", "day", "severity", "confidence", "clause")}
                for f in self.flags["flags"]
            ],
            "warnings": list(self.warnings),
            "stages": [
                {
                    "stage": c.name,
                    "cached": c.cached,
                    "cpu": round(c.cpu, 2),
                    "wall": round(c.wall, 2),
                    "cpu_per_second": round(c.cpu / self.duration, 4) if self.duration else None,
                }
                for c in self.costs
            ],
        }
