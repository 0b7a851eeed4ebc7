"""Voices of which no word was heard, as the observer imitates them."""

from __future__ import annotations

from dataclasses import replace

from mafiavar.analyzer.evaluation.observed import PERFECT, Observer
from mafiavar.analyzer.span import Span

TRUTH = {
    "speech": [
        {"t0": 1.0, "t1": 6.0, "speaker": 3, "text": "Говорю долго и спокойно.", "overlaps": False},
        {"t0": 2.0, "t1": 2.8, "speaker": 7, "text": "Неправда!", "overlaps": True},
        {"t0": 3.0, "t1": 4.2, "speaker": "judge", "text": "Фол, седьмой.", "overlaps": True},
    ]
}


def told(right: float, wrong: float, heard: float = 0.0) -> list[tuple[Span, dict[object, float]]]:
    senses = replace(PERFECT, overlapped=heard, broke_in=(right, wrong))
    sounds = Observer(TRUTH, senses, 5).transcript().sounds
    return [(s.span, dict(s.speaker)) for s in sounds if s.kind == "interjection"]


def test_a_lost_line_over_a_speech_may_be_told_as_a_voice() -> None:
    assert told(1.0, 0.0) == [(Span.of(2.0, 2.8), {7: 0.9})]
    ((_, speaker),) = told(0.0, 1.0)
    assert 7 not in speaker and all(isinstance(s, int) and 1 <= s <= 10 for s in speaker)


def test_nobody_is_told_who_was_heard_or_missed() -> None:
    assert told(0.0, 0.0) == [] and told(1.0, 0.0, heard=1.0) == []
