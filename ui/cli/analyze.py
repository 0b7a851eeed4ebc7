"""`mafiavar analyze`: the whole pipeline into a case folder."""

from __future__ import annotations

from pathlib import Path

import typer

from mafiavar.ui.language import say


def register(app: typer.Typer) -> None:
    @app.command(help=say("разобрать запись игры", "analyse the recording of a game"))
    def analyze(
        recordings: list[Path] = typer.Argument(
            metavar="REC", help=say("запись (видео или звук)", "recording")
        ),
        case: Path = typer.Option(..., "--case", help=say("папка дела", "case folder")),
    ) -> None:
        raise typer.Exit(1)
