"""`mafiavar batch`: every recording of a folder, one after another; one failure does not stop the rest."""

from __future__ import annotations

from pathlib import Path

import typer

from mafiavar.ui.language import language, say

MEDIA = frozenset({".mp4", ".mkv", ".mov", ".avi", ".webm", ".ts", ".mts", ".m4v", ".ogg", ".opus", ".mp3", ".m4a", ".wav", ".flac"})  # fmt: skip


def register(app: typer.Typer) -> None:
    @app.command(
        help=say(
            "разобрать все записи папки (дела — рядом или в --out)",
            "analyse every recording of a folder (cases beside it or in --out)",
        )
    )
    def batch(
        folder: Path = typer.Argument(
            metavar=say("ПАПКА", "DIR"), help=say("папка с записями", "folder of recordings")
        ),
        out: Path = typer.Option(None, "--out", help=say("папка для дел", "folder for the cases")),
        rules: str = typer.Option(None, "--rules", help="fsm-2026 | disbord | legion"),
        asr: str = typer.Option("base", "--asr", help=say("модель речи", "speech model")),
        workers: int = typer.Option(2, "--workers", min=1, max=16, help=say("процессов", "processes")),
    ) -> None:
        from mafiavar.analyzer.errors import UsageError
        from mafiavar.analyzer.pipeline.options import Options

        if not folder.is_dir():
            raise UsageError(
                f"Папки {folder} нет: проверьте имя. Нужна папка с записями.",
                f"There is no folder {folder}: check the name. A folder of recordings is needed.",
            )
        recordings = recordings_in(folder)
        if not recordings:
            raise UsageError(
                f"В папке {folder} нет записей ({', '.join(sorted(MEDIA))}).",
                f"There are no recordings in {folder} ({', '.join(sorted(MEDIA))}).",
            )
        options = Options(ruleset=rules, asr=asr, workers=workers, lang=language())
        failed = [r for r in recordings if not _one(r, out or folder / "cases", options)]
        typer.echo(
            say(
                f"Готово: {len(recordings) - len(failed)} из {len(recordings)}.",
                f"Done: {len(recordings) - len(failed)} of {len(recordings)}.",
            )
        )
        if failed:
            raise typer.Exit(1)


def recordings_in(folder: Path) -> list[Path]:
    """Media files right in the folder, in order of name."""
    return sorted(p for p in folder.iterdir() if p.is_file() and p.suffix.lower() in MEDIA)


def _one(recording: Path, out: Path, options: object) -> bool:
    """Analyse one recording; its protocol may lie beside it as NAME.protocol.json."""
    from dataclasses import replace

    from mafiavar.analyzer.errors import MafiavarError
    from mafiavar.analyzer.pipeline.options import Options
    from mafiavar.ui.cli.progress import progress_for

    assert isinstance(options, Options)
    protocol = recording.with_name(recording.stem + ".protocol.json")
    mine = replace(options, protocol=protocol if protocol.is_file() else None)
    typer.echo(recording.name)
    try:
        with progress_for(quiet=False) as progress:
            from mafiavar.analyzer.pipeline.run import analyze

            games = analyze([recording], out / recording.stem, mine, progress)
    except MafiavarError as error:
        typer.echo("  " + error.sentence(language()))
        return False
    for game in games:
        flags, rounds = len(game.flags["flags"]), len(game.votes["rounds"])
        typer.echo(
            say(
                f"  голосований {rounds}, спорных моментов {flags}: {game.case / 'report.html'}",
                f"  votes {rounds}, disputed moments {flags}: {game.case / 'report.html'}",
            )
        )
    return True
