"""The parameters of the alignment, read from parameters.toml."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from mafiavar.analyzer.cue import Numeral
from mafiavar.analyzer.span import SECOND, Micros, micros
from mafiavar.engine.issue import Issue

RAW_LEAST = 1e-4
"""No raw posterior is believed to be nearer to 0 or 1 than this."""


def line_of(kind: str, basis: str) -> str:
    """Which line of the calibration an event has: what was heard and what was only inferred err in
    different ways."""
    return f"{kind}/inferred" if basis == "inferred" else kind


@dataclass(frozen=True, slots=True)
class Parameters:
    """Logarithms are natural, times microseconds. See parameters.toml for the meaning of each."""

    width: int
    near: float
    narrow: int
    per_phase: int
    margin: float
    numeral_floor: float
    numerals: int
    numeral_sure: float
    numeral_unsure: float
    numeral_shift: float
    trust: float
    other_speaker: float
    other_kind: float
    echo: float
    by_chance: float
    missing: Mapping[str, float]
    table: Mapping[str, float]
    severities: Mapping[str, float]
    issues: Mapping[str, float]
    per_seat: frozenset[str]
    cap: float
    answer_time: Micros
    echo_time: Micros
    morning_time: Micros
    silence: Micros
    in_silence: float
    slope: float
    shift: float
    stated: float
    reach: float
    lines: Mapping[str, tuple[float, float]]
    """Slope and shift of the calibration of one line of events (`line_of`), where it has its own."""
    votes: Mapping[str, tuple[float, ...]]
    """How often a candidate with most votes ("leader"), or another ("other"), gets 0, 1, ..., 10 of them."""
    pace: Mapping[str, tuple[float, float, float]]
    pace_tail: float
    pace_most: float

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Parameters:
        """From the parsed TOML; probabilities of `missing` and `table` become logarithms."""
        issue = dict(data["issue"])
        kinds = issue.pop("kinds", {})
        per_seat = frozenset(issue.pop("per_seat", ()))
        cap = float(issue.pop("cap"))
        return cls(
            width=data["beam"]["width"],
            near=data["beam"]["near"],
            narrow=data["beam"]["narrow"],
            per_phase=data["beam"]["per_phase"],
            margin=data["beam"]["margin"],
            numeral_floor=data["beam"]["numeral_floor"],
            numerals=data["beam"]["numerals"],
            numeral_sure=data["numeral"]["sure"],
            numeral_unsure=data["numeral"]["unsure"],
            numeral_shift=data["numeral"]["shift"],
            trust=data["cue"]["trust"],
            other_speaker=data["cue"]["other_speaker"],
            other_kind=math.log(data["cue"]["other_kind"]),
            echo=math.log(data["cue"]["echo"]),
            by_chance=math.log(data["cue"]["by_chance"]),
            missing={k: math.log(v) for k, v in data["missing"].items()},
            table={k: math.log(v) for k, v in data["table"].items()},
            severities=issue,
            issues=kinds,
            per_seat=per_seat,
            cap=cap,
            answer_time=micros(data["time"]["answer"]),
            echo_time=micros(data["time"]["echo"]),
            morning_time=micros(data["time"]["morning"]),
            silence=micros(data["time"]["silence"]),
            in_silence=data["time"]["in_silence"],
            slope=data["posterior"]["slope"],
            shift=data["posterior"]["shift"],
            stated=data["posterior"]["stated"],
            reach=data["posterior"]["reach"],
            lines={k: (a, b) for k, (a, b) in data.get("calibration", {}).items()},
            votes={k: tuple(row) for k, row in data["votes"].items()},
            pace={k: (c, w, d) for k, (c, w, d) in data.get("pace", {}).items()},
            pace_tail=data["time"]["pace_tail"],
            pace_most=data["time"]["pace_most"],
        )

    def believed(self, numeral: Numeral) -> Numeral:
        """A numeral with the confidence of its likeliest value made true (a beta calibration: Kull, Silva
        Filho and Flach 2017); the others keep their proportions."""
        if not numeral:
            return numeral
        top = max(numeral, key=lambda n: (numeral[n], -n))
        said = min(max(numeral[top], RAW_LEAST), 1 - RAW_LEAST)
        sure = _logistic(
            self.numeral_sure * math.log(said) - self.numeral_unsure * math.log1p(-said) + self.numeral_shift
        )
        return {n: sure if n == top else p * (1 - sure) / (1 - said) for n, p in numeral.items()}

    def knows_pace(self, before: str, after: str) -> bool:
        return f"{before}>{after}" in self.pace

    def paced(self, before: str, after: str, gap: Micros) -> float:
        """What it tells for (or against) an event that it comes `gap` after another one.

        The likelihood of a cue already knows how often its kind is said in a game; here its density
        in this place is compared with that: a peak (Laplace) around the usual gap, and a tail for
        tables that take their time.
        """
        known = self.pace.get(f"{before}>{after}")
        if known is None:
            return 0.0
        centre, spread, whole = known
        away = abs(gap / SECOND - centre) / spread
        peak = (1 - self.pace_tail) * math.exp(-away) / (2 * spread)
        tail = self.pace_tail * (1 / (20 * spread) if away < 20 else 1e-4)
        return min(max(math.log((peak + tail) / whole), -self.pace_most), self.pace_most)

    def calibrated(self, line: str, raw: float) -> float:
        """The confidence in an event of a line from its raw posterior, both in 0..1 (Platt 1999)."""
        slope, shift = self.lines.get(line, (self.slope, self.shift))
        raw = min(max(raw, RAW_LEAST), 1 - RAW_LEAST)
        return _logistic(slope * math.log(raw / (1 - raw)) + shift)

    def penalty(self, issue: Issue) -> float:
        """How much a hypothesis loses by this issue (>= 0)."""
        if issue.severity == "unchecked":
            return self.severities["unchecked"]
        base = self.issues.get(issue.kind, self.severities[issue.severity])
        return base * max(1, len(issue.seats)) if issue.kind in self.per_seat else base


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def parse(text: str) -> Parameters:
    return Parameters.of(tomllib.loads(text))


@lru_cache(maxsize=1)
def default() -> Parameters:
    """The parameters in the file of the package."""
    return parse((resources.files(__package__) / "parameters.toml").read_text("utf-8"))
