"""One written game, heard under noise and decoded: how its stated facts came out, and at what cost."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mafiavar.analyzer.align import Aligner
from mafiavar.analyzer.align.parameters import Parameters, default
from mafiavar.analyzer.evaluation.noise import Noise, noisy
from mafiavar.analyzer.evaluation.spoken import spoken
from mafiavar.analyzer.evaluation.stated import Stated, compare, heard_facts
from mafiavar.analyzer.span import micros
from mafiavar.engine.ruleset import ruleset


@dataclass(frozen=True, slots=True)
class Outcome:
    """`cpu`: seconds for the alignment alone; `seconds`: how long the game lasted."""

    recording: str
    burst: str
    stated: Stated
    cpu: float
    cues: int
    seconds: float


def outcome(
    truth: Mapping[str, Any], noise: Noise, seed: int, parameters: Parameters | None = None
) -> Outcome:
    """Decodes a truth's words as `noise` lets them through. A noise of nothing leaves them as they are."""
    p = parameters or default()
    duration = micros(truth["duration"])
    clean = spoken(truth["events"], speech=truth["speech"])
    silent = noise.burst == "none" and not (noise.drop or noise.invent or noise.swap)
    cues = clean if silent else noisy(clean, noise, duration, seed)
    aligner = Aligner(ruleset(truth["ruleset"]), p)
    start = time.process_time()
    alignment = aligner.align(cues, duration=duration)
    cpu = time.process_time() - start
    found = alignment.timeline.to_json()["events"]
    facts = compare(truth["events"], found, p.stated, heard_facts(truth["events"], cues))
    return Outcome(truth["recording"], noise.burst, facts, cpu, len(cues), float(truth["duration"]))
