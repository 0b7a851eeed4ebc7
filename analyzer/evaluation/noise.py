"""Cues as a bad hall would give them: lost, invented, misheard, late; and bursts of silence.

For fitting and for proofs: the same seed gives the same cues. True and invented cues get
likelihoods that are calibrated against each other at the default rates.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mafiavar.analyzer.cue import Cue, CueKind, Numeral
from mafiavar.analyzer.span import SECOND, Micros, Span, micros
from mafiavar.analyzer.speech.numerals import distribution

Burst = Literal["none", "lost_minute", "masked_judge", "dead_microphone"]
RIGHT, WRONG = (14.0, 1.0), (5.0, 2.0)
"""How sure right and wrong hearings of a numeral are: the two parameters of a beta distribution."""


@dataclass(frozen=True, slots=True)
class Noise:
    """drop: share of cues lost; invent: invented ones per true one; swap: share of numerals heard as
    another, by the confusion table; jitter: standard deviation of times, seconds."""

    drop: float = 0.20
    invent: float = 0.15
    swap: float = 0.06
    jitter: float = 0.3
    burst: Burst = "none"


def noisy(cues: Sequence[Cue], noise: Noise, duration: Micros, seed: int) -> list[Cue]:
    """The cues of one game as heard under `noise`, in order of time."""
    dice = random.Random(seed)
    silent = _silence(noise.burst, duration, dice)
    heard = [
        _misheard(c, noise, duration, dice)
        for c in cues
        if dice.random() >= noise.drop and not (silent and c.span.t0 in silent and _is_lost(c, noise.burst))
    ]
    invented = (
        [_invented(cues, duration, dice) for _ in range(round(noise.invent * len(cues)))] if cues else []
    )
    kept = [c for c in invented if not (silent and c.span.t0 in silent)]
    return sorted([*heard, *kept], key=lambda c: (c.span.t0, c.span.t1, c.kind))


def _silence(burst: Burst, duration: Micros, dice: random.Random) -> Span | None:
    length = {"none": 0, "lost_minute": 60, "masked_judge": 60, "dead_microphone": 120}[burst] * SECOND
    if not length or duration <= length:
        return None
    t0 = dice.randrange(duration - length)
    return Span(t0, t0 + length)


def _is_lost(cue: Cue, burst: Burst) -> bool:
    return burst != "masked_judge" or cue.said_by("judge") > 0.5


def _misheard(cue: Cue, noise: Noise, duration: Micros, dice: random.Random) -> Cue:
    shift = micros(dice.gauss(0.0, noise.jitter))
    t0 = min(max(cue.span.t0 + shift, 0), duration)
    return replace(
        cue,
        span=Span(t0, min(t0 + cue.span.duration, max(duration, t0))),
        likelihood=dice.betavariate(6, 1),
        numbers=tuple(_swapped(n, cue.kind, noise, dice) for n in cue.numbers),
    )


def _swapped(numeral: Numeral, kind: CueKind, noise: Noise, dice: random.Random) -> Numeral:
    """Another number in `swap` of all cases; either way the confidence says how sure the hearing was."""
    true = max(numeral.items(), key=lambda kv: kv[1])[0]
    lowest = 0 if kind is CueKind.VOTE_COUNT else 1
    wrong = dice.random() < noise.swap
    # Sure hearings are seldom wrong: P(wrong | confidence) = 1 - confidence on average.
    confidence = dice.betavariate(*(WRONG if wrong else RIGHT))
    if not wrong:
        return distribution(true, confidence, lowest=lowest)
    others = distribution(true, 0.0, lowest=lowest)
    values = [n for n in others if n != true]
    heard = dice.choices(values, [others[n] for n in values])[0]
    return distribution(heard, confidence, lowest=lowest)


def _invented(cues: Sequence[Cue], duration: Micros, dice: random.Random) -> Cue:
    """A cue of a kind that this game knows, at any time, about any seat."""
    model = dice.choice(cues)
    t0 = dice.randrange(max(1, duration - model.span.duration))
    lowest = 0 if model.kind is CueKind.VOTE_COUNT else 1
    numbers = tuple(
        distribution(dice.randint(1, 10), dice.betavariate(6, 2), lowest=lowest) for _ in model.numbers
    )
    return replace(
        model,
        span=Span(t0, t0 + model.span.duration),
        likelihood=dice.betavariate(5, 2),
        numbers=numbers,
        about="invented",
    )
