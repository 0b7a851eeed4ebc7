"""Short looks at the moments that another sense asks about: one stage a recording and map, however many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mafiavar.analyzer.case.stages import described, key_of
from mafiavar.analyzer.pipeline import following
from mafiavar.analyzer.pipeline.context import LIMIT, VERSIONS, Context
from mafiavar.analyzer.pipeline.table import Placed, answer_on_game_clock, best_answers, questions_on
from mafiavar.analyzer.seats import SeatMap
from mafiavar.analyzer.vision.question import Answer, Question

COST = 0.5
"""Expected CPU-seconds a moment; only for the time left."""

Look = Callable[[Placed], tuple[Callable[..., Any], tuple[object, ...]]]
"""For a recording: the worker's function, and what it takes besides index, map and questions."""


def glances(
    run: Context,
    table: Sequence[Placed],
    places: following.Stays,
    wanted: Sequence[Question],
    stage: str,
    look: Look,
) -> tuple[tuple[Answer, ...], list[str]]:
    """The best answer to each question, on the game's clock, and the keys of the stages."""
    found: list[Answer] = []
    keys: list[str] = []
    for placed in table:
        asked: dict[str, tuple[SeatMap, list[Question]]] = {}
        views = following.views(questions_on(placed, wanted), places.get(placed.number, ()))
        for question, seat_map in views:
            asked.setdefault(str(described(seat_map)), (seat_map, []))[1].append(question)
        for seat_map, questions in asked.values():
            key = key_of(
                stage, VERSIONS[stage], {"seats": described(seat_map), "questions": described(questions)},
                placed.key,
            )  # fmt: skip
            found += _seen(run, placed, seat_map, questions, stage, key, look)
            keys.append(key)
    return best_answers(found), keys


def _seen(
    run: Context,
    placed: Placed,
    seat_map: SeatMap,
    questions: Sequence[Question],
    stage: str,
    key: str,
    look: Look,
) -> list[Answer]:
    def seen() -> tuple[Answer, ...]:
        work, more = look(placed)
        told: tuple[Answer, ...] = run.worker(work, placed.index, seat_map, questions, *more, limit=LIMIT)
        return told

    said = run.value(stage, key, COST * len(questions), tuple[Answer, ...], seen)
    return [answer_on_game_clock(placed, a) for a in said]
