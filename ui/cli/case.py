"""`mafiavar case purge`: remove what a case keeps of people beyond its results."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import typer

from mafiavar.ui.language import say

KEPT_OF_PEOPLE = ("stages", "observations", "proxy", "run.log")
"""Intermediate pictures and measures of voices, faces and hands. Templates of voices are never
written at all."""


def register(app: typer.Typer) -> None:
    case = typer.Typer(no_args_is_help=True, help=say("папка дела", "the case folder"))
    app.add_typer(case, name="case")

    @case.callback()
    def group() -> None:
        """A group, so that `purge` stays a word of its own."""

    @case.command(
        help=say(
            "удалить из дела промежуточные наблюдения за людьми (итоги остаются)",
            "remove intermediate observations of people from a case (results stay)",
        )
    )
    def purge(
        folder: Path = typer.Argument(metavar=say("ДЕЛО", "CASE"), help=say("папка дела", "case folder")),
        yes: bool = typer.Option(False, "--yes", "-y", help=say("не спрашивать", "do not ask")),
    ) -> None:
        from mafiavar.analyzer.case.folder import opened
        from mafiavar.analyzer.errors import UsageError
        from mafiavar.ui.review.traces import clear

        if not (folder / "case.json").is_file() and not list(folder.glob("game-*/case.json")):
            raise UsageError(
                f"{folder} — не папка дела (нет case.json).", f"{folder} is no case folder (no case.json)."
            )
        if not yes and sys.stdin.isatty():
            typer.confirm(
                say(
                    f"Удалить из {folder} промежуточные наблюдения? Повторный разбор начнётся с начала, "
                    "исправления в просмотре больше не пересчитают игру",
                    f"Remove the intermediate observations of {folder}? A new analysis starts from nothing, "
                    "corrections in the review no longer align the game anew",
                ),
                abort=True,
            )
        removed = 0
        with opened(folder):
            for root in (folder, *sorted(folder.glob("game-*"))):
                for name in KEPT_OF_PEOPLE:
                    path = root / name
                    if path.is_dir():
                        removed += sum(p.is_file() for p in path.rglob("*"))
                        shutil.rmtree(path)
                    elif path.is_file():
                        removed += 1
                        path.unlink()
        removed += clear(folder)
        if not removed:
            typer.echo(
                say(
                    "Удалять нечего: промежуточных наблюдений в деле нет.",
                    "Nothing to remove: the case keeps no intermediate observations.",
                )
            )
            return
        typer.echo(
            say(
                f"Удалено файлов: {removed}. Итоги, отчёт и решения людей остались.",
                f"Files removed: {removed}. Results, report and people's decisions stay.",
            )
        )
