"""Mouths are looked at where the voices leave open who spoke; what they say reaches words and cues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mafiavar.analyzer.case.stages import described, key_of
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.pipeline import following, listening, moments
from mafiavar.analyzer.pipeline.context import LIMIT, VERSIONS, Context
from mafiavar.analyzer.pipeline.table import Placed, answer_on_game_clock, best_answers, questions_on
from mafiavar.analyzer.seats import SeatMap
from mafiavar.analyzer.speech.witnessed import doubtful, weighed
from mafiavar.analyzer.transcript import Transcript
from mafiavar.analyzer.vision.mouths import MouthWitness
from mafiavar.analyzer.vision.question import Answer, Question, QuestionKind

COST = 0.5
"""Expected CPU-seconds a moment; only for the time left."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said and what it means, with the keys of both."""

    transcript: Transcript
    speech_keys: Sequence[str]
    cues: tuple[Cue, ...]
    cues_key: str


def with_mouths(run: Context, table: Sequence[Placed], maps: Mapping[int, SeatMap], heard: Heard) -> Heard:
    """The same, with who spoke weighed again by the moving mouths. Unchanged where nothing is in doubt or
    nothing can be seen."""
    wanted = [
        Question(QuestionKind.MOUTH, tuple(range(1, 11)), span)
        for span in doubtful(heard.transcript, heard.cues)
    ]
    if not wanted or not maps:
        return heard
    places = following.stays(run, table, maps)
    answers: list[Answer] = []
    keys: list[str] = []
    for placed in table:
        asked: dict[str, tuple[SeatMap, list[Question]]] = {}
        for question, seat_map in following.views(
            questions_on(placed, wanted), places.get(placed.number, ())
        ):
            asked.setdefault(str(described(seat_map)), (seat_map, []))[1].append(question)
        for seat_map, questions in asked.values():
            key = key_of(
                "mouths", VERSIONS["mouths"], {"seats": described(seat_map), "questions": described(questions)},
                placed.key,
            )  # fmt: skip
            answers += _seen(run, placed, seat_map, questions, key)
            keys.append(key)
    witness = MouthWitness(best_answers(answers))
    key = key_of("witnessed", VERSIONS["mouths"], {}, *heard.speech_keys, *keys)
    transcript = run.value("witnessed", key, 0.1, Transcript, lambda: weighed(heard.transcript, witness))
    cues, cues_key = listening.cues(run, transcript, [key], "witnessed_cues")
    return Heard(transcript, [key], cues, cues_key)


def _seen(
    run: Context, placed: Placed, seat_map: SeatMap, questions: Sequence[Question], key: str
) -> list[Answer]:
    def seen() -> tuple[Answer, ...]:
        told: tuple[Answer, ...] = run.worker(
            moments.mouths_of, placed.index, seat_map, questions, limit=LIMIT
        )
        return told

    said = run.value("mouths", key, COST * len(questions), tuple[Answer, ...], seen)
    return [answer_on_game_clock(placed, a) for a in said]
