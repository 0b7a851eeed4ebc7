"""`mafiavar bench vision`: what looking costs, on a recording at hand."""

from __future__ import annotations

import json
import time
from pathlib import Path

import typer

from mafiavar.ui.language import say

RECORDING_SECONDS = 45 * 60
VOTE_SECONDS, NIGHT_SECONDS = 6 * 22, 4 * 35
"""What a 45-minute game asks: six ballots of about 22 s, four nights of about 35 s."""


def register(bench_app: typer.Typer) -> None:
    @bench_app.command(
        "vision",
        help=say("сколько стоит смотреть: процессор на секунду окна", "what looking costs per second"),
    )
    def vision(
        recording: Path = typer.Argument(
            ..., help=say("запись с .seats.toml рядом", "a recording with .seats.toml")
        ),
        start: float = typer.Option(50.0, help=say("начало окна, с", "window start, s")),
        length: float = typer.Option(8.0, min=1, help=say("длина окна, с", "window length, s")),
        as_json: bool = typer.Option(False, "--json", help=say("для программ", "for programs")),
    ) -> None:
        figures = measure(recording, start, length)
        if as_json:
            typer.echo(json.dumps(figures, indent=1))
            return
        typer.echo(
            say(
                f"Голосование: {figures['hands_cpu_per_second']:.2f} с процессора на секунду окна. "
                f"Ночь: {figures['night_cpu_per_second']:.2f}. "
                f"Игра 45 минут: около {figures['game_cpu_minutes']:.1f} минут процессора.",
                f"Votes: {figures['hands_cpu_per_second']:.2f} CPU-s per window second. "
                f"Night: {figures['night_cpu_per_second']:.2f}. "
                f"A 45-minute game: about {figures['game_cpu_minutes']:.1f} CPU-minutes.",
            )
        )


def measure(path: Path, start: float, length: float) -> dict[str, float]:
    """CPU-seconds per second of window, in this process; the worker's start is not counted."""
    from mafiavar.analyzer.media.recording import index
    from mafiavar.analyzer.seats import find_seats_file, read_seats
    from mafiavar.analyzer.span import Span
    from mafiavar.analyzer.vision.answer import answer_hands
    from mafiavar.analyzer.vision.night import answer_night
    from mafiavar.analyzer.vision.question import Question, QuestionKind
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
    began = time.process_time()
    answer_hands(recording, seats, [Question(QuestionKind.HANDS, seats.numbers, window)], model=model)
    hands = (time.process_time() - began) / (window.duration / 1e6)
    model.close()
    began = time.process_time()
    answer_night(recording, seats, [Question(QuestionKind.POSTURE, seats.numbers, window)], workers=0)
    night = (time.process_time() - began) / (window.duration / 1e6)
    return {
        "hands_cpu_per_second": round(hands, 3),
        "night_cpu_per_second": round(night, 3),
        "game_cpu_minutes": round((VOTE_SECONDS * hands + NIGHT_SECONDS * night) / 60, 2),
        "window_seconds": round(window.duration / 1e6, 3),
    }
