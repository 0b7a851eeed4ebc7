"""`mafiavar demo`: analyse the sample that came with the program and compare with what really happened."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import typer

from mafiavar.analyzer.errors import UsageError
from mafiavar.ui.cli.progress import progress_for
from mafiavar.ui.language import language, say

SAMPLE = "first_table"


def sample(name: str = SAMPLE) -> Path:
    """The sample recording in the installed package. Raises UsageError when it was left out."""
    path = Path(str(files("mafiavar.sample_videos") / f"{name}.mp4"))
    if not path.is_file():
        raise UsageError(
            f"В установке нет образца {path.name}. Поставьте программу заново или разберите свою запись: mafiavar analyze",
            f"The sample {path.name} is not in this installation. Install again, or take a recording of yours: mafiavar analyze",
        )
    return path


def register(app: typer.Typer) -> None:
    @app.command(
        help=say("разобрать запись-образец и показать отчёт", "analyse the sample and show the report")
    )
    def demo(
        case: Path = typer.Option(
            Path("cases") / SAMPLE, "--case", help=say("папка дела", "case folder"), show_default=True
        ),
    ) -> None:
        from mafiavar.analyzer.pipeline.options import Options
        from mafiavar.analyzer.pipeline.run import analyze
        from mafiavar.ui.cli.analyze import tell
        from mafiavar.ui.cli.eval import compare

        recording = sample()
        typer.echo(say(f"Разбираю образец: {recording}", f"Analysing the sample: {recording}"))
        with progress_for(quiet=False) as progress:
            (summary,) = analyze([recording], case, Options(lang=language()), progress)
        tell(summary)
        truth = recording.with_suffix(".truth.json")
        typer.echo(
            say(
                "\nОбразец нарисован программой, и что было на самом деле, известно точно. Сравнение:",
                "\nThe sample is rendered, so what really happened is known exactly. The comparison:",
            )
        )
        compare(truth, case)
        typer.echo(farewell(summary.case))


def farewell(case: Path) -> str:
    """Where to look now."""
    report = (case / "report.html").absolute()
    return say(
        f"\nОтчёт (откройте в браузере): {report.as_uri()}\nПросмотр с видео: mafiavar review {case.parent}\n"
        f"Ваша запись: mafiavar analyze ИГРА.mp4 --case ПАПКА",
        f"\nReport (open it in a browser): {report.as_uri()}\nReview with the video: mafiavar review {case.parent}\n"
        f"A recording of yours: mafiavar analyze GAME.mp4 --case FOLDER",
    )
