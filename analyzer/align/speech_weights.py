"""How well what was heard in a speech fits that its owner named somebody, or nobody.

All weights are relative to "everything that was heard there is an invention". `before`: who had been named
already that day.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from mafiavar.analyzer.align.day_words import Answer, Candidates, Phrase, Speech
from mafiavar.analyzer.align.parameters import Parameters

_OTHER_REASON = 0.4
"""The judge gives another reason for his refusal than the rules have."""


def after(speech: Speech, row: Sequence[float], listed: Candidates, p: Parameters) -> list[float]:
    """One step of the forward sum: `row[k]` is the weight of the first k candidates having been named."""
    stays = [x * silent(speech, listed[:k], p) if x else 0.0 for k, x in enumerate(row)]
    for k, target in enumerate(listed):
        if row[k]:
            stays[k + 1] += row[k] * names(speech, listed[:k], target, p)
    return stays


def silent(speech: Speech, before: Candidates, p: Parameters) -> float:
    """The weight of a speech that adds nobody to the list: what was heard there was an invention, or named
    somebody who had been named before."""
    if speech.pinned is not None:
        return 0.0
    return math.prod((1 + _again(x, before, p) for x in speech.phrases), start=1.0)


def names(speech: Speech, before: Candidates, target: int, p: Parameters) -> float:
    """The weight of a speech that names `target`: by a phrase that was heard, or by one that was lost."""
    if speech.pinned is not None and speech.pinned != target:
        return 0.0
    besides = [1 + _second(x, before, p) for x in speech.phrases]
    every = math.prod(besides, start=1.0)
    total = speech.lost * _accepted(speech.answers, target, p) * every
    for x, other in zip(speech.phrases, besides, strict=True):
        heard = x.odds * _says(x, before, target, p) * _accepted(x.answers, target, p)
        total += heard * _form(x, p) * every / other
    return total


def _form(x: Phrase, p: Parameters) -> float:
    """The price of a judge's accepting what was not said as the rules ask."""
    return 1.0 if x.present else math.exp(-p.issues["nomination_tense"])


def _says(x: Phrase, before: Candidates, target: int, p: Parameters) -> float:
    """The probability that the first number of a phrase that can be accepted is `target`."""
    total, free = 0.0, 1.0
    for numeral, dead in zip(x.numerals, x.dead, strict=True):
        total += free * numeral.get(target, 0.0)
        free *= min(dead + sum(numeral.get(n, 0.0) for n in before), 1.0)
    return max(total, p.numeral_floor)


def _again(x: Phrase, before: Candidates, p: Parameters) -> float:
    """A phrase that names somebody who has been named before."""
    if not x.present:
        return x.odds * _refused(x, "tense", p)  # whomever he named
    known = sum(x.numerals[0].get(n, 0.0) for n in before)
    return x.odds * known * math.exp(p.table["named_again"]) * _refused(x, "already_nominated", p)


def _second(x: Phrase, before: Candidates, p: Parameters) -> float:
    """A phrase beside the one that counts: one name more, or somebody who has been named before."""
    more = x.odds * math.exp(p.table["named_second"]) * _refused(x, "second", p)
    return more + _again(x, before, p)


def _accepted(answers: Sequence[Answer], target: int, p: Parameters) -> float:
    """«Принято», heard or not."""
    weights = [math.exp(p.missing["answer"])]
    for answer in answers:
        if answer.accepted:
            said = answer.numeral
            named = max(said.get(target, 0.0), p.numeral_floor) / math.exp(p.by_chance) if said else 1.0
            weights.append(answer.odds * named)
    return max(weights)


def _refused(x: Phrase, reason: str, p: Parameters) -> float:
    """A refusal, heard or not."""
    weights = [math.exp(p.missing["answer"])]
    for answer in x.answers:
        if not answer.accepted:
            weights.append(answer.odds * (_OTHER_REASON if answer.reason not in (None, reason) else 1.0))
    return max(weights)


def told_by(speech: Speech, target: int, p: Parameters) -> int:
    """The cue that tells of this nomination; -1 where it is likelier that it was lost."""
    likely = -1, speech.lost * _accepted(speech.answers, target, p)
    for x in speech.phrases:
        weight = x.odds * _says(x, (), target, p) * _accepted(x.answers, target, p) * _form(x, p)
        if weight > likely[1]:
            likely = x.cue, weight
    return likely[0]
