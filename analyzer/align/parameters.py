"""The parameters of the alignment, read from parameters.toml."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from mafiavar.analyzer.span import Micros, micros
from mafiavar.engine.issue import Issue


@dataclass(frozen=True, slots=True)
class Parameters:
    """Logarithms are natural, times microseconds. See parameters.toml for the meaning of each."""

    width: int
    margin: float
    numeral_floor: float
    numerals: int
    trust: float
    other_speaker: float
    other_kind: float
    echo: float
    missing: Mapping[str, float]
    table: Mapping[str, float]
    severities: Mapping[str, float]
    issues: Mapping[str, float]
    per_seat: frozenset[str]
    cap: float
    answer_time: Micros
    echo_time: Micros
    morning_time: Micros
    slope: float
    shift: float
    reach: float
    pace: Mapping[str, tuple[Micros, Micros, float, float]]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Parameters:
        """From the parsed TOML; probabilities of `missing` and `table` become logarithms."""
        issue = dict(data["issue"])
        kinds = issue.pop("kinds", {})
        per_seat = frozenset(issue.pop("per_seat", ()))
        cap = float(issue.pop("cap"))
        return cls(
            width=data["beam"]["width"],
            margin=data["beam"]["margin"],
            numeral_floor=data["beam"]["numeral_floor"],
            numerals=data["beam"]["numerals"],
            trust=data["cue"]["trust"],
            other_speaker=data["cue"]["other_speaker"],
            other_kind=math.log(data["cue"]["other_kind"]),
            echo=math.log(data["cue"]["echo"]),
            missing={k: math.log(v) for k, v in data["missing"].items()},
            table={k: math.log(v) for k, v in data["table"].items()},
            severities=issue,
            issues=kinds,
            per_seat=per_seat,
            cap=cap,
            answer_time=micros(data["time"]["answer"]),
            echo_time=micros(data["time"]["echo"]),
            morning_time=micros(data["time"]["morning"]),
            slope=data["posterior"]["slope"],
            shift=data["posterior"]["shift"],
            reach=data["posterior"]["reach"],
            pace={
                name: (micros(first), micros(last), gain, loss)
                for name, (first, last, gain, loss) in data.get("pace", {}).items()
            },
        )

    def paced(self, before: str, after: str, gap: Micros) -> float:
        """What it tells for (or against) an event that it comes `gap` after another one."""
        known = self.pace.get(f"{before}>{after}")
        if known is None:
            return 0.0
        first, last, gain, loss = known
        return gain if first <= gap <= last else -loss

    def penalty(self, issue: Issue) -> float:
        """How much a hypothesis loses by this issue (>= 0)."""
        if issue.severity == "unchecked":
            return self.severities["unchecked"]
        base = self.issues.get(issue.kind, self.severities[issue.severity])
        return base * max(1, len(issue.seats)) if issue.kind in self.per_seat else base


def parse(text: str) -> Parameters:
    return Parameters.of(tomllib.loads(text))


@lru_cache(maxsize=1)
def default() -> Parameters:
    """The parameters in the file of the package."""
    return parse((resources.files(__package__) / "parameters.toml").read_text("utf-8"))
