"""`mafiavar demo`: analyse the sample that came with the program and compare with what really happened."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import typer

from mafiavar.analyzer.errors import UsageError
from mafiavar.ui.cli.program import program, quoted
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
        from mafiavar.ui.cli.analyze import next_steps, tell

        recording = sample()
        typer.echo(say(f"Разбираю образец: {recording}", f"Analysing the sample: {recording}"))
        with progress_for(quiet=False) as progress:
            from mafiavar.analyzer.pipeline.run import analyze

            (summary,) = analyze([recording], case, Options(lang=language()), progress)
        tell(summary)
        truth = recording.with_suffix(".truth.json")
        typer.echo(
            say(
                "\nОбразец нарисован программой, и что было на самом деле, известно точно. Сравнение:",
                "\nThe sample is rendered, so what really happened is known exactly. The comparison:",
            )
        )
        for line in comparison(truth, summary.case):
            typer.echo(line)
        typer.echo("")
        typer.echo(next_steps(summary.case))
        typer.echo(
            say(
                f"Ваша запись: {program()} analyze ИГРА.mp4 --case {quoted(case.parent / 'game-1')}",
                f"A recording of yours: {program()} analyze GAME.mp4 --case {quoted(case.parent / 'game-1')}",
            )
        )


def comparison(truth: Path, case: Path) -> list[str]:
    """What was planted and what of it was found, in a few lines."""
    from mafiavar.analyzer.evaluation import evaluate
    from mafiavar.analyzer.evaluation.case import read_json
    from mafiavar.analyzer.report import words

    found = evaluate(read_json(truth, "mafiavar/truth@1"), case, 1.0)
    events, votes = found["totals"]["all"], found["votes"]
    extra = events["found"] - events["matched"]
    right, wrong, untold = votes["right"], votes["wrong"], votes["cannot_tell"]
    lines = [
        say(
            f"  События: было {events['truth']}, найдено верно {events['matched']}, лишних {extra}",
            f"  Events: {events['truth']} happened, {events['matched']} found right, {extra} invented",
        ),
        say(
            f"  Голоса мест: верно {right}, неверно {wrong}, «не видно» {untold}",
            f"  Votes of the seats: {right} right, {wrong} wrong, {untold} “cannot tell”",
        ),
    ]
    for kind, row in found["flags"].items():
        title = words.pick(words.FLAG_TITLES.get(kind), language(), kind)
        lines.append(
            say(
                f"  {title}: было {row['truth']}, найдено верно {row['matched']}, лишних "
                f"{row['found'] - row['matched']}",
                f"  {title}: {row['truth']} happened, {row['matched']} found right, "
                f"{row['found'] - row['matched']} invented",
            )
        )
    more = f"{program()} eval {quoted(truth)} {quoted(case)}"
    return [*lines, say(f"  Подробно: {more}", f"  In detail: {more}")]
