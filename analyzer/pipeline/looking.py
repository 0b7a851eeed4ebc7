"""Looking: where the seats are, and what the pictures answer in the windows that were asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from mafiavar.analyzer.case.stages import described, key_of
from mafiavar.analyzer.pipeline import steps
from mafiavar.analyzer.pipeline.context import LIMIT, VERSIONS, Context
from mafiavar.analyzer.pipeline.results import heads_hash
from mafiavar.analyzer.pipeline.table import (
    Placed,
    answer_on_game_clock,
    best_answers,
    best_views,
    on_game_clock,
    questions_on,
)
from mafiavar.analyzer.seats import SeatMap, find_seats_file, read_seats
from mafiavar.analyzer.span import Span, seconds
from mafiavar.analyzer.vision import answer_hands
from mafiavar.analyzer.vision.night import answer_night
from mafiavar.analyzer.vision.question import Answer, Question, QuestionKind, SeatHands
from mafiavar.models import registry

COST = 3.0
LOOK_COST = 0.5
"""Expected CPU-seconds per second of a vote's and a night's window; only for the time left."""


def seats(run: Context, table: Sequence[Placed]) -> dict[int, SeatMap]:
    """The seats of each recording with a picture: drawn by the user, else beside the file."""
    maps: dict[int, SeatMap] = {}
    for placed in table:
        video = placed.recording.video
        if video is None:
            continue
        file = run.options.seats or find_seats_file(placed.recording.path)
        if file is None:
            stem = placed.recording.path.stem
            run.warn(
                f"Мест для {placed.recording.path.name} нет: положите рядом {stem}.seats.toml "
                "или укажите --seats; руки пока не считаются.",
                f"No seats for {placed.recording.path.name}: put {stem}.seats.toml beside it "
                "or give --seats; hands are not counted until then.",
            )
            continue
        size = video.size if video.rotation % 180 == 0 else (video.size[1], video.size[0])
        maps[placed.number] = read_seats(file, placed.recording.path.name, size)
    return maps


def hands(
    run: Context, table: Sequence[Placed], maps: Mapping[int, SeatMap], questions: Sequence[Question]
) -> tuple[tuple[SeatHands, ...], list[str]]:
    """Whose hand touched the table when, in the windows that the sound asks about.

    One stage a window: a killed run loses one window at most.
    """
    wanted = [q for q in questions if q.kind == QuestionKind.HANDS]
    asked = [(p, q) for p in table if p.number in maps for q in questions_on(p, wanted)]
    if not asked:
        return (), []
    registry.locate("hand-landmarker")
    model = run.fingerprint("hand-landmarker")
    answers: list[SeatHands] = []
    keys: list[str] = []
    for placed, question in asked:
        key = key_of(
            "hands", VERSIONS["hands"],
            {"model": model, "seats": described(maps[placed.number]), "question": described(question)},
            placed.key,
        )  # fmt: skip
        found = _window(run, placed, maps[placed.number], question, key)
        answers += [on_game_clock(placed, h) for h in found]
        keys.append(key)
    return best_views(answers), keys


def _window(
    run: Context, placed: Placed, seat_map: SeatMap, question: Question, key: str
) -> tuple[SeatHands, ...]:
    def fill(part: Path) -> None:
        found = answer_hands(
            placed.recording, seat_map, [question], workers=run.options.workers, progress=run.progress.share
        )
        (part / steps.VALUE).write_bytes(msgspec.msgpack.encode(found))

    cost = COST * seconds(question.window.duration) / run.options.workers
    value = run.stage("hands", key, cost, fill) / steps.VALUE
    return msgspec.msgpack.decode(value.read_bytes(), type=tuple[SeatHands, ...])


def answers(
    run: Context, table: Sequence[Placed], maps: Mapping[int, SeatMap], questions: Sequence[Question]
) -> tuple[tuple[Answer, ...], list[str]]:
    """Masks and postures in the nights that were asked about; one stage a window.

    Of two cameras the one that can tell is believed: `cannot_tell` yields to an answer.
    """
    wanted = [q for q in questions if q.kind in (QuestionKind.MASK, QuestionKind.POSTURE)]
    found: list[Answer] = []
    keys: list[str] = []
    for placed in table:
        if placed.number not in maps:
            continue
        by_window: dict[Span, list[Question]] = {}
        for question in questions_on(placed, wanted):
            by_window.setdefault(question.window, []).append(question)
        for window, asked in sorted(by_window.items()):
            key = key_of(
                "look", VERSIONS["look"],
                {"seats": described(maps[placed.number]), "questions": described(asked), "heads": heads_hash()},
                placed.key,
            )  # fmt: skip
            found += _look(run, placed, maps[placed.number], asked, key, window)
            keys.append(key)
    return best_answers(found), keys


def _look(
    run: Context, placed: Placed, seat_map: SeatMap, asked: Sequence[Question], key: str, window: Span
) -> list[Answer]:
    def fill(part: Path) -> None:
        said = answer_night(
            placed.recording, seat_map, asked,
            workers=run.options.workers, progress=run.progress.share, number=placed.number,
        )  # fmt: skip
        (part / steps.VALUE).write_bytes(msgspec.msgpack.encode(said))

    value = run.stage("look", key, LOOK_COST * seconds(window.duration) / run.options.workers, fill)
    said = msgspec.msgpack.decode((value / steps.VALUE).read_bytes(), type=tuple[Answer, ...])
    return [answer_on_game_clock(placed, a) for a in said]


def seats_picture(run: Context, placed: Placed, seat_map: SeatMap) -> bytes:
    """JPEG: the seats drawn on a frame of the recording."""
    key = key_of("seats", VERSIONS["seats"], {"seats": described(seat_map)}, placed.key)

    def fill(part: Path) -> None:
        run.worker(steps.seats_to, placed.index, seat_map, part, limit=LIMIT)

    return (run.stage("seats", key, 1.0, fill) / "seats.jpg").read_bytes()
