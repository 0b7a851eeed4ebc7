"""`mafiavar analyze`: the whole pipeline into a case folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mafiavar.ui.cli.program import program, quoted
from mafiavar.ui.cli.progress import progress_for
from mafiavar.ui.language import language, say

if TYPE_CHECKING:
    from mafiavar.analyzer.pipeline.summary import Summary

FINDINGS = 10
RULESETS = ("fsm-2026", "disbord", "legion")


def register(app: typer.Typer) -> None:
    @app.command(
        help=say("разобрать запись игры в папку дела", "analyse the recording of a game into a case folder")
    )
    def analyze(
        recordings: list[Path] = typer.Argument(
            metavar=say("ЗАПИСЬ", "REC"),
            help=say(
                "запись игры; несколько — разные камеры одной игры (или её куски с --join)",
                "recording of a game; several are angles of one game (or its pieces with --join)",
            ),
        ),
        case: Path = typer.Option(..., "--case", help=say("папка дела", "case folder")),
        rules: str = typer.Option(None, "--rules", help=say("правила: ", "rules: ") + " | ".join(RULESETS)),
        seats: Path = typer.Option(
            None, "--seats", help=say("разметка мест (seats.toml)", "map of the seats (seats.toml)")
        ),
        protocol: Path = typer.Option(None, "--protocol", help=say("протокол игры", "protocol of the game")),
        asr: str = typer.Option(
            "base",
            "--asr",
            help=say(
                "модель речи: base, small, medium, large-v3-turbo или папка",
                "speech model: base, small, medium, large-v3-turbo or a folder",
            ),
        ),
        closer: str = typer.Option(
            "auto",
            "--closer",
            help=say(
                "кто переслушает сомнительные секунды: модель речи, auto (большая, если она скачана) или off",
                "who hears doubtful seconds again: a speech model, auto (a larger one, if it is there) or off",
            ),
        ),
        join: bool = typer.Option(
            False, "--join", help=say("записи — куски одной, по порядку", "recordings are consecutive pieces")
        ),
        workers: int = typer.Option(
            2, "--workers", min=1, max=16, help=say("процессов для картинки", "processes for the pictures")
        ),
        device: str = typer.Option("auto", "--device", help="auto | cpu | cuda"),
        as_json: bool = typer.Option(
            False, "--json", help=say("итог в JSON, без хода работы", "summary as JSON, no progress")
        ),
        fail_on_flags: bool = typer.Option(
            False,
            "--fail-on-flags",
            help=say("код 10, если есть спорные моменты", "exit code 10 when anything was flagged"),
        ),
    ) -> None:
        from mafiavar.analyzer.pipeline.options import Options

        named(recordings)
        options = Options(
            ruleset=_known(rules), seats=seats, protocol=protocol, asr=asr, closer=closer, join=join,
            workers=workers, device=device, lang=language(),
        )  # fmt: skip
        with progress_for(quiet=as_json) as progress:
            from mafiavar.analyzer.pipeline.run import analyze as run

            games = run(recordings, case, options, progress)
        if as_json:
            value = games[0].to_json() if len(games) == 1 else {"games": [g.to_json() for g in games]}
            sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=1) + "\n")
        else:
            for number, game in enumerate(games, 1):
                if len(games) > 1:
                    typer.echo(
                        say(f"\n— Игра {number} из {len(games)} —", f"\n— Game {number} of {len(games)} —")
                    )
                tell(game)
                typer.echo(next_steps(game.case))
        if fail_on_flags and any(game.flags["flags"] for game in games):
            raise typer.Exit(FINDINGS)


def _known(rules: str | None) -> str | None:
    from mafiavar.analyzer.errors import UsageError

    if rules is not None and rules not in RULESETS:
        raise UsageError(
            f"Правил «{rules}» нет. Есть: {', '.join(RULESETS)}.",
            f"There are no rules “{rules}”. There are: {', '.join(RULESETS)}.",
        )
    return rules


def named(recordings: Sequence[Path]) -> None:
    """Fail on a wrong name before the libraries are loaded, which takes seconds.

    Raises:
        MediaError: a name is no file.
    """
    from mafiavar.analyzer.pipeline.names import exists

    for path in recordings:
        exists(path)


def tell(summary: Summary) -> None:
    """What happened, for a person: timeline, ballots, flags, costs, where the report lies."""
    from rich.console import Console

    from mafiavar.ui.cli.tables import ballot_table, cost_table, event_table, flag_lines

    lang = language()
    out = Console(highlight=False)
    for warning in summary.warnings:
        out.print(f"! {warning}", style="yellow", markup=False)
    out.print(event_table(summary.timeline["events"], lang))
    for r in summary.votes["rounds"]:
        out.print(ballot_table(r))
    for line in flag_lines(summary.flags["flags"], lang):
        out.print(line)
    if not summary.flags["flags"]:
        out.print(say("Спорных моментов не отмечено.", "Nothing was flagged."))
    out.print(cost_table(summary.costs, summary.duration))


def next_steps(case: Path) -> str:
    """Where the report lies and how to go on with the video."""
    report, folder = (case / "report.html").absolute(), quoted(case.parent)
    return say(
        f"Отчёт (откройте в браузере): {report}\nПросмотр с видео, решения, клипы: {program()} review {folder}",
        f"Report (open it in a browser): {report}\nReview with the video, verdicts, clips: {program()} review {folder}",
    )
