"""A camera that was moved during the game: every window is looked at with the map of its time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mafiavar.analyzer.case.stages import described, key_of
from mafiavar.analyzer.pipeline import steps
from mafiavar.analyzer.pipeline.context import LIMIT, VERSIONS, Context
from mafiavar.analyzer.pipeline.table import Placed
from mafiavar.analyzer.seats import SeatMap
from mafiavar.analyzer.seats.follow import Stay
from mafiavar.analyzer.span import SECOND, Micros, Span, seconds
from mafiavar.analyzer.vision.question import Question

COST = 0.004
"""CPU-seconds per second of recording; only for the time left."""
AROUND: Micros = SECOND
"""So close to a movement nothing is looked at: the moment is known to half a second."""

Stays = Mapping[int, Sequence[Stay]]
"""By the recording's number."""


def stays(run: Context, table: Sequence[Placed], maps: Mapping[int, SeatMap]) -> dict[int, tuple[Stay, ...]]:
    """Where the seats lie and since when, in every recording that has a map; with a warning where
    the camera moved."""
    found = {p.number: _stays(run, p, maps[p.number]) for p in table if p.number in maps}
    for placed in table:
        if len(found.get(placed.number, ())) > 1:
            _warn(run, placed, found[placed.number])
    return found


def _stays(run: Context, placed: Placed, seats: SeatMap) -> tuple[Stay, ...]:
    key = key_of("follow", VERSIONS["follow"], {"seats": described(seats)}, placed.key)

    def seen() -> tuple[Stay, ...]:
        stood: tuple[Stay, ...] = run.worker(steps.stays_of, placed.index, seats, limit=LIMIT)
        return stood

    return run.value("follow", key, COST * seconds(placed.recording.duration), tuple[Stay, ...], seen)


def views(questions: Sequence[Question], here: Sequence[Stay]) -> Iterator[tuple[Question, SeatMap]]:
    """Each question cut at the camera's movements, with the map that holds there."""
    for question in questions:
        for stay in here:
            first, last = stay is here[0], stay is here[-1]
            still = Span(stay.span.t0 + (0 if first else AROUND), stay.span.t1 - (0 if last else AROUND))
            part = question.window & still if still.t1 > still.t0 else None
            if part is not None and part.duration > 0:
                yield replace(question, window=part), stay.seats


def _warn(run: Context, placed: Placed, mine: Sequence[Stay]) -> None:
    name = placed.recording.path.name
    times = ", ".join(_clock(s.span.t0) for s in mine[1:])
    run.warn(
        f"Камеру {name} сдвигали ({times}): места передвинуты вслед за ней. Проверьте их на картинке мест; "
        "что происходило в эти секунды, не считается.",
        f"The camera of {name} was moved ({times}): the seats were moved along. Check them in the picture of the "
        "seats; what happened in those seconds is not counted.",
    )


def _clock(t: Micros) -> str:
    minutes, rest = divmod(t // SECOND, 60)
    return f"{minutes}:{rest:02d}"
