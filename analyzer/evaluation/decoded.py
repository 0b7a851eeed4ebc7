"""One written game, heard under noise and decoded: how its stated facts came out, and at what cost."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mafiavar.analyzer.align import Aligner, Alignment
from mafiavar.analyzer.align.parameters import Parameters, default
from mafiavar.analyzer.evaluation.noise import Noise, noisy
from mafiavar.analyzer.evaluation.observed import MEASURED, Observer
from mafiavar.analyzer.evaluation.spoken import spoken
from mafiavar.analyzer.evaluation.stated import Stated, compare, heard_facts
from mafiavar.analyzer.span import SECOND, Span, micros
from mafiavar.analyzer.vision.question import Contact, SeatHands
from mafiavar.engine.ruleset import ruleset


@dataclass(frozen=True, slots=True)
class Looks:
    """The hands of the ballots are seen too, as well as was measured (`observed.MEASURED`); besides,
    `lost` of the answers are "not seen" and `flipped` of them say the contrary of the truth."""

    lost: float = 0.0
    flipped: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """`stated`: from the words alone; `seen`: with the hands of the ballots too, where they were asked
    for. `cpu`: seconds for the alignment of the words; `seconds`: how long the game lasted."""

    recording: str
    burst: str
    stated: Stated
    seen: Stated | None
    cpu: float
    cues: int
    seconds: float


def outcome(
    truth: Mapping[str, Any],
    noise: Noise,
    seed: int,
    parameters: Parameters | None = None,
    looks: Looks | None = None,
) -> Outcome:
    """Decodes a truth's words as `noise` lets them through (a noise of nothing leaves them as they are);
    with `looks` the questions about hands are answered and the game is decoded again."""
    p = parameters or default()
    duration = micros(truth["duration"])
    clean = spoken(truth["events"], speech=truth["speech"])
    silent = noise.burst == "none" and not (noise.drop or noise.invent or noise.swap)
    cues = clean if silent else noisy(clean, noise, duration, seed)
    aligner = Aligner(ruleset(truth["ruleset"]), p)
    start = time.process_time()
    alignment = aligner.align(cues, duration=duration)
    cpu = time.process_time() - start
    heard = heard_facts(truth["events"], cues)
    facts, seen = compare(truth["events"], records(alignment), p.stated, heard), None
    if looks is not None:
        told = Observer(truth, MEASURED, seed).hands(alignment.questions)
        answers = tuple(worsened(told, looks, seed))
        alignment = aligner.align(cues, duration=duration, answers=answers)
        seen = compare(truth["events"], records(alignment), p.stated, heard)
    return Outcome(truth["recording"], noise.burst, facts, seen, cpu, len(cues), float(truth["duration"]))


def records(alignment: Alignment) -> list[dict[str, Any]]:
    """The events as `stated` reads them. Not `to_json`: three digits of a confidence are too few to
    calibrate by."""
    return [
        {"kind": e.kind, "day": e.day, "confidence": e.confidence, "basis": e.basis, **e.fields}
        for e in alignment.timeline.events
    ]


def worsened(answers: Sequence[SeatHands], looks: Looks, seed: int) -> Iterator[SeatHands]:
    """Answers of which some are lost and some are the contrary of what was seen."""
    dice = random.Random(f"{seed} looks")
    for answer in answers:
        lost, flipped = dice.random() < looks.lost, dice.random() < looks.flipped
        at = dice.uniform(0.1, 0.9)
        if lost:
            yield replace(answer, contacts=(), seen=(), p_missed=0.9, reason="hidden")
        elif flipped and answer.contacts:
            yield replace(answer, contacts=())
        elif flipped and answer.seen:
            t0 = answer.window.t0 + round(at * answer.window.duration)
            span = Span(t0, min(t0 + 2 * SECOND, answer.window.t1))
            contact = Contact(answer.seat, span, "right", "fist_vertical", 0.97)
            yield replace(answer, contacts=(contact,))
        else:
            yield answer
