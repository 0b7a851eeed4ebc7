"""Blows that were heard are looked at: one stage a recording and map, however many there are."""

from __future__ import annotations

from collections.abc import Sequence

from mafiavar.analyzer.case.stages import described, key_of
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.pipeline import following, moments
from mafiavar.analyzer.pipeline.context import LIMIT, VERSIONS, Context
from mafiavar.analyzer.pipeline.table import Placed, answer_on_game_clock, best_answers, questions_on
from mafiavar.analyzer.seats import SeatMap
from mafiavar.analyzer.vision.gesture_knocks import questions_about
from mafiavar.analyzer.vision.question import Answer, Question

COST = 0.5
"""Expected CPU-seconds a blow; only for the time left."""


def blows(
    run: Context,
    table: Sequence[Placed],
    places: following.Stays,
    cues: Sequence[Cue],
    others: Sequence[Question],
) -> tuple[tuple[Answer, ...], list[str]]:
    """Whose hand struck the table where a knock was heard, and the keys of the stages. `others`: what is
    asked besides (votes and nights are left out)."""
    wanted = questions_about(cues, others)
    found: list[Answer] = []
    keys: list[str] = []
    for placed in table:
        asked: dict[str, tuple[SeatMap, list[Question]]] = {}
        for question, seat_map in following.views(
            questions_on(placed, wanted), places.get(placed.number, ())
        ):
            asked.setdefault(str(described(seat_map)), (seat_map, []))[1].append(question)
        for seat_map, questions in asked.values():
            key = key_of(
                "blows", VERSIONS["blows"], {"seats": described(seat_map), "questions": described(questions)},
                placed.key,
            )  # fmt: skip
            found += _seen(run, placed, seat_map, questions, key)
            keys.append(key)
    return best_answers(found), keys


def _seen(
    run: Context, placed: Placed, seat_map: SeatMap, questions: Sequence[Question], key: str
) -> list[Answer]:
    def seen() -> tuple[Answer, ...]:
        told: tuple[Answer, ...] = run.worker(
            moments.blows_of, placed.index, seat_map, questions, placed.number, limit=LIMIT
        )
        return told

    said = run.value("blows", key, COST * len(questions), tuple[Answer, ...], seen)
    return [answer_on_game_clock(placed, a) for a in said]
