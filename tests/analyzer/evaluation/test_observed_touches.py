"""Hands on neighbours and at masks, as the observer imitates what is seen of them."""

from __future__ import annotations

from dataclasses import replace

from mafiavar.analyzer.evaluation.observed import MEASURED, PERFECT, Observer
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.vision.question import Question, QuestionKind

TRUTH = {
    "posture": [
        {"seat": 1 + k % 10, "t0": 3.0 * k, "t1": 3.0 * k + 1.3, "state": state}
        for k, state in enumerate(("touching", "leaning") * 100)
    ]
}


def test_perfect_senses_see_every_touch_and_nothing_else() -> None:
    told = Observer(TRUTH, PERFECT, 1).touches()
    assert len(told) == 100
    assert {(a.kind, a.value) for a in told} == {(QuestionKind.POSTURE, "touching")}
    assert told[0].seat == 1 and told[0].span == Span.of(0.0, 1.3)


def test_measured_senses_lose_as_many_as_were_missed() -> None:
    told = len(Observer(TRUTH, MEASURED, 1).touches())
    assert abs(told / 100 - MEASURED.touch) < 0.15
    assert not Observer(TRUTH, replace(MEASURED, touch=0.0), 1).touches()


def test_masks_that_are_held_are_masks_and_as_many_are_lost_as_were_missed() -> None:
    held = {"posture": [{**p, "state": "mask_held"} for p in TRUTH["posture"]]}
    night = Question(QuestionKind.MASK, tuple(range(1, 11)), Span.of(0, 700))
    worn = {"masks": [{"seat": s, "t0": 0.0, "t1": 700.0} for s in range(1, 11)]}
    perfect = Observer({**held, **worn}, PERFECT, 1).asked([night])
    assert {(a.kind, a.value) for a in perfect} == {(QuestionKind.MASK, "held")} and len(perfect) == 200
    measured = Observer({**held, **worn}, MEASURED, 1).asked([night])
    assert abs(len(measured) / 200 - MEASURED.held) < 0.1
