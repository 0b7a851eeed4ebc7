"""Whose mouth moves, and what that says of who spoke."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mafiavar.analyzer.media import recording as media
from mafiavar.analyzer.seats import read_seats
from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.vision.mouths import MouthWitness, answer_mouths, log_likelihood, moving
from mafiavar.analyzer.vision.observe import picture_size
from mafiavar.analyzer.vision.question import Answer, Question, QuestionKind, Tell

SAMPLE = Path(__file__).parents[3] / "sample_videos" / "first_table.mp4"


def test_a_mouth_that_opens_and_shuts_moves_and_a_lamp_does_not() -> None:
    g = np.random.default_rng(1)
    films = (100 + g.normal(0, 1, (50, 3, 48, 48))).clip(0, 255)
    for i in range(50):
        if 10 <= i < 40:
            films[i, 1, 30:40, 18:30] = 60 if i % 4 < 2 else 120
        films[i, 2] += 30 * (i % 2)
    inside = np.arange(1, 50) >= 10
    shares = moving(films.astype(np.uint8), inside)
    assert shares[1] > 0.3 and shares[0] < 0.15 and shares[2] < 0.15


def test_a_likelihood_never_decides_alone() -> None:
    shares = [0.0, 0.2, 0.37, 0.6, 1.0]
    told = [log_likelihood(s) for s in shares]
    assert told == sorted(told) and told[0] == -1.6 and told[-1] == 2.3
    assert abs(told[2]) < 0.05


def test_only_answers_to_this_moment_are_believed() -> None:
    span = Span.of(3, 5)
    answers = [
        Answer(QuestionKind.MOUTH, 2, Tell.YES, 0.9, span),
        Answer(QuestionKind.MOUTH, 3, Tell.NO, 0.2, span),
        Answer(QuestionKind.MOUTH, 4, Tell.CANNOT_TELL, 0.5, span),
        Answer(QuestionKind.MOUTH, 5, Tell.YES, 0.9, Span.of(7, 8)),
    ]
    assert MouthWitness(answers).likelihoods(span) == pytest.approx({2: 9.0, 3: 0.25})


def test_the_speaker_of_the_sample_is_seen_and_backs_say_nothing() -> None:
    """first_table, seat 2 «Спокойно ...»: from 16.2 to 18.2 s by its truth."""
    recording = media.index(SAMPLE)
    seats = read_seats(SAMPLE.with_name("first_table.seats.toml"), SAMPLE.name, picture_size(recording))
    import json

    truth = json.loads(SAMPLE.with_name("first_table.truth.json").read_text("utf-8"))
    said = max(
        (x for x in truth["speech"] if x["speaker"] == 3 and not x["overlaps"]),
        key=lambda x: x["t1"] - x["t0"],
    )
    window = Span(micros(said["t0"]), micros(said["t1"]))
    answers = answer_mouths(recording, seats, [Question(QuestionKind.MOUTH, tuple(range(1, 11)), window)])
    told = {a.seat: a.probability for a in answers if a.tell is not Tell.CANNOT_TELL}
    assert len(answers) == 10 and 5 <= len(told) < 10, "somebody shows the back"
    assert max(told, key=lambda s: told[s]) == 3 and told[3] > 0.8
