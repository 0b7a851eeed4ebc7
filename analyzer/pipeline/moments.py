"""Short looks at single moments, as functions that a worker process can be handed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mafiavar.analyzer.media import recording as media
from mafiavar.analyzer.seats import SeatMap
from mafiavar.analyzer.vision.gesture_knocks import answer_knocks
from mafiavar.analyzer.vision.mouths import answer_mouths
from mafiavar.analyzer.vision.question import Answer, Question


def blows_of(index: Path, seats: SeatMap, questions: Sequence[Question], number: int) -> tuple[Answer, ...]:
    """Whose hand knocked at the moments asked about, in an indexed recording."""
    return answer_knocks(media.load(index), seats, questions, number)


def mouths_of(index: Path, seats: SeatMap, questions: Sequence[Question]) -> tuple[Answer, ...]:
    """Whose mouth moves at the moments asked about, in an indexed recording."""
    return answer_mouths(media.load(index), seats, questions)
