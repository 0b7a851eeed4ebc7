"""`mafiavar bench vision`: what looking costs, on a recording at hand."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mafiavar.ui.language import say

if TYPE_CHECKING:
    from mafiavar.analyzer.media.recording import Recording
    from mafiavar.analyzer.seats import SeatMap
    from mafiavar.models.hands import HandModel

RECORDING_SECONDS = 45 * 60
VOTE_SECONDS, NIGHT_SECONDS = 6 * 22, 4 * 35
"""What a 45-minute game asks: six ballots of about 22 s, four nights of about 35 s."""
DAY_SECONDS = RECORDING_SECONDS - VOTE_SECONDS - NIGHT_SECONDS
LEAST_DAY = 24.0
"""Seconds of the recording whose key frames are looked at as a day's: a dozen."""


def register(bench_app: typer.Typer) -> None:
    @bench_app.command(
        "vision",
        help=say("сколько стоит смотреть: процессор на секунду окна", "what looking costs per second"),
    )
    def vision(
        recording: Path = typer.Argument(
            ...,
            metavar=say("ЗАПИСЬ", "REC"),
            help=say("запись с .seats.toml рядом", "a recording with .seats.toml"),
        ),
        start: float = typer.Option(50.0, help=say("начало окна, с", "window start, s")),
        length: float = typer.Option(8.0, min=1, help=say("длина окна, с", "window length, s")),
        as_json: bool = typer.Option(False, "--json", help=say("для программ", "for programs")),
    ) -> None:
        figures = measure(recording, start, length)
        if as_json:
            typer.echo(json.dumps(figures, indent=1))
            return
        for line in table(figures):
            typer.echo(line)


def table(f: dict[str, float]) -> list[str]:
    """The figures as a table: what is asked, its seconds in a 45-minute game, CPU, beside the naive way."""

    def row(name: str, seconds: float, rate: float) -> str:
        return f"{name:<34}{seconds:>8.0f}{rate:>10.2f}{seconds * rate / 60:>10.1f}"

    return [
        say(
            f"{'что смотрим':<34}{'секунд':>8}{'ЦП с/с':>10}{'ЦП мин':>10}",
            f"{'what is looked at':<34}{'seconds':>8}{'CPU s/s':>10}{'CPU min':>10}",
        ),
        row(say("руки в голосованиях", "hands in votes"), VOTE_SECONDS, f["hands_cpu_per_second"]),
        row(
            say("маски и позы ночью", "masks and postures at night"), NIGHT_SECONDS, f["night_cpu_per_second"]
        ),
        row(
            say("числа на пальцах ночью", "finger numbers at night"), NIGHT_SECONDS, f["signs_cpu_per_second"]
        ),
        row(say("ключевые кадры дня", "key frames of the day"), DAY_SECONDS, f["day_cpu_per_second"]),
        say(
            f"игра 45 минут: {f['game_cpu_minutes']:.1f} мин процессора",
            f"a 45-minute game: {f['game_cpu_minutes']:.1f} CPU-minutes",
        ),
        say(
            f"без вопросов, каждый кадр и каждое место: {f['naive_cpu_minutes']:.0f} мин; "
            f"память {f['peak_megabytes']:.0f} МБ",
            f"without questions, every frame and seat: {f['naive_cpu_minutes']:.0f} min; "
            f"memory {f['peak_megabytes']:.0f} MB",
        ),
    ]


def measure(path: Path, start: float, length: float) -> dict[str, float]:
    """CPU-seconds per second of window, in this process; the worker's start is not counted."""
    from mafiavar.analyzer.media.recording import index
    from mafiavar.analyzer.seats import find_seats_file, read_seats
    from mafiavar.analyzer.span import Span
    from mafiavar.analyzer.vision.answer import answer_hands
    from mafiavar.analyzer.vision.by_day import answer_by_day
    from mafiavar.analyzer.vision.night import answer_night
    from mafiavar.analyzer.vision.question import Question, QuestionKind
    from mafiavar.analyzer.vision.signs import answer_signs
    from mafiavar.models.hands import HandLandmarker
    from mafiavar.models.hands.landmarker import MODEL
    from mafiavar.models.registry import locate

    recording = index(path)
    file = find_seats_file(path)
    if file is None or recording.video is None:
        raise typer.BadParameter(
            say(
                "рядом с записью нужен .seats.toml, а в записи картинка",
                "needs .seats.toml beside it and a picture",
            )
        )
    seats = read_seats(file, path.name, recording.video.size)
    window = Span.of(start, start + length) & recording.span or recording.span
    model = HandLandmarker(locate(MODEL))
    naive = _naive(recording, seats, window.t0, model)
    began = time.process_time()
    answer_hands(recording, seats, [Question(QuestionKind.HANDS, seats.numbers, window)], model=model)
    hands = (time.process_time() - began) / (window.duration / 1e6)
    began = time.process_time()
    answer_signs(recording, seats, [Question(QuestionKind.NUMBER, seats.numbers, window)], model=model)
    signs = (time.process_time() - began) / (window.duration / 1e6)
    model.close()
    began = time.process_time()
    answer_night(recording, seats, [Question(QuestionKind.POSTURE, seats.numbers, window)], workers=0)
    night = (time.process_time() - began) / (window.duration / 1e6)
    day = Span.of(start, start + max(length, LEAST_DAY)) & recording.span or recording.span
    began = time.process_time()
    answer_by_day(recording, seats, [Question(QuestionKind.DAY, seats.numbers, day)], workers=0)
    by_day = (time.process_time() - began) / (day.duration / 1e6)
    return {
        "hands_cpu_per_second": round(hands, 3),
        "night_cpu_per_second": round(night, 3),
        "signs_cpu_per_second": round(signs, 3),
        "day_cpu_per_second": round(by_day, 4),
        "game_cpu_minutes": round(
            (VOTE_SECONDS * hands + NIGHT_SECONDS * (night + signs) + DAY_SECONDS * by_day) / 60,
            2,
        ),
        "naive_cpu_minutes": round(RECORDING_SECONDS * naive / 60, 1),
        "peak_megabytes": _peak(),
        "window_seconds": round(window.duration / 1e6, 3),
    }


def _naive(recording: Recording, seats: SeatMap, t0: int, model: HandModel) -> float:
    """CPU-seconds per second when every seat of every frame is looked at; from half a second."""
    import numpy as np

    from mafiavar.analyzer.media.picture import pictures
    from mafiavar.analyzer.span import SECOND, Span
    from mafiavar.analyzer.vision.observe import look, picture_size, view_of

    view = view_of(seats, picture_size(recording))
    began = time.process_time()
    for picture in pictures(recording, Span(t0, t0 + SECOND // 2 - 1)):
        for k in range(len(view.places)):
            look(picture, view, k, model, np.ones(2, np.float32))
    return 2 * (time.process_time() - began)


def _peak() -> float:
    """Most memory this process has held, megabytes; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    import sys

    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit, 1)
