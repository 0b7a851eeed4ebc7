"""What a second witness changes about who spoke, and what he is asked."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from mafiavar.analyzer.cue import Cue, CueKind, Speaker
from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.speech.witnessed import LONGEST, MOST, doubtful, weighed
from mafiavar.analyzer.transcript import Sound, Transcript, Utterance, Word


class Says:
    def __init__(self, said: Mapping[Speaker, float]) -> None:
        self.said, self.asked = said, list[Span]()

    def likelihoods(self, span: Span) -> Mapping[Speaker, float]:
        self.asked.append(span)
        return self.said


def words(t: float, n: int, speaker: Mapping[Speaker, float]) -> list[Word]:
    return [
        Word("раз", Span(micros(t + 0.5 * i), micros(t + 0.5 * i + 0.4)), 0.9, dict(speaker))
        for i in range(n)
    ]


OPEN: dict[Speaker, float] = {6: 0.57, 3: 0.43}
SURE: dict[Speaker, float] = {2: 0.99}


def transcript(*, sounds: tuple[Sound, ...] = ()) -> Transcript:
    return Transcript(
        (Utterance((*words(1, 3, SURE), *words(3, 4, OPEN))), Utterance(tuple(words(30, 2, OPEN)))),
        (),
        (),
        sounds,
    )


def test_what_is_open_is_asked_and_what_is_sure_is_not() -> None:
    assert doubtful(transcript(), []) == (Span.of(3, 4.9), Span.of(30, 30.9))
    night = [Cue(CueKind.NIGHT, Span.of(25, 26), 0.9), Cue(CueKind.DAY, Span.of(40, 41), 0.9)]
    assert doubtful(transcript(), night) == (Span.of(3, 4.9),), "heads are bowed at night"
    broke = Sound("interjection", Span.of(10, 11), 0.6, {4: 0.9, 5: 0.1})
    judge = Sound("interjection", Span.of(12, 13), 0.6, {"judge": 1.0})
    assert Span.of(10, 11) in doubtful(transcript(sounds=(broke, judge)), [])
    assert Span.of(12, 13) not in doubtful(transcript(sounds=(broke, judge)), [])


def test_long_ones_are_asked_in_their_middle_and_never_too_many() -> None:
    long = Transcript((Utterance(tuple(words(0, 40, OPEN))),))
    (span,) = doubtful(long, [])
    assert span.duration == LONGEST and span.middle == pytest.approx(micros(9.95), abs=2)
    many = Transcript(
        tuple(Utterance(tuple(words(10.0 * i, 2, {1: 0.5 + 0.001 * i, 2: 0.4}))) for i in range(300))
    )
    asked = doubtful(many, [])
    assert len(asked) == MOST and max(s.t0 for s in asked) < micros(10 * MOST), "the most doubtful"


def test_the_witness_turns_what_is_open_and_touches_nothing_else() -> None:
    witness = Says({3: 10.0, 6: 0.2})
    after = weighed(transcript(), witness)
    assert [w.best_speaker()[0] for w in after.words] == [2, 2, 2, 3, 3, 3, 3, 3, 3]
    assert after.words[3].speaker[3] == pytest.approx(0.9742, abs=0.001)
    assert [(w.text, w.span) for w in after.words] == [(w.text, w.span) for w in transcript().words]
    assert weighed(transcript(), Says({})) == transcript()


@pytest.mark.parametrize(("said", "likely"), [({4: 8.0}, 0.9), ({4: 0.2}, 0.3), ({}, 0.6)])
def test_somebody_who_broke_in_is_believed_or_not(said: dict[Speaker, float], likely: float) -> None:
    broke = Sound("interjection", Span.of(10, 11), 0.6, {4: 0.9, 5: 0.1})
    (sound,) = weighed(transcript(sounds=(broke,)), Says(said)).sounds
    assert sound.likelihood == pytest.approx(likely, abs=0.06)
