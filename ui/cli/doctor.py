"""`mafiavar doctor`: is this machine ready, and what mends it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mafiavar.ui.cli.program import callable_here
from mafiavar.ui.language import say

if TYPE_CHECKING:
    from rich.console import Console

    from mafiavar.ui.cli.machine import Finding

MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "fault": ("✗", "red")}


def register(app: typer.Typer) -> None:
    @app.command(
        help=say(
            "готов ли этот компьютер; чем исправить каждую неполадку",
            "is this computer ready; what mends each fault",
        )
    )
    def doctor(
        video: Path = typer.Option(
            None,
            "--video",
            metavar=say("ФАЙЛ", "FILE"),
            help=say(
                "годится ли эта камера: пробная запись стола", "is this camera good enough: a trial recording"
            ),
        ),
        seats: Path = typer.Option(
            None, "--seats", help=say("разметка мест для --video", "map of the seats for --video")
        ),
        as_json: bool = typer.Option(False, "--json", help=say("для программ", "for programs")),
    ) -> None:
        from rich.console import Console

        console = Console(highlight=False)
        found: list[Finding] = []
        for finding in looked_at(video, seats):
            found.append(finding)
            if not as_json:
                show(console, finding)
        if as_json:
            typer.echo(json.dumps([dataclasses.asdict(f) for f in found], ensure_ascii=False, indent=1))
        else:
            console.print(verdict(found), soft_wrap=True, markup=False)
        if codes := [f.code for f in found if f.state == "fault"]:
            raise typer.Exit(min(codes))


def looked_at(video: Path | None, seats: Path | None) -> Iterable[Finding]:
    """The camera when a recording is given, the machine otherwise."""
    if video is None:
        from mafiavar.ui.cli.machine import examine

        return examine(Path.cwd())
    from mafiavar.ui.cli.camera import examine_camera

    return examine_camera(video, seats)


def show(console: Console, finding: Finding) -> None:
    mark, colour = MARKS[finding.state]
    console.print(f"[{colour}]{mark}[/] ", end="")
    console.print(f"{finding.name}: {finding.seen}", markup=False, soft_wrap=True)
    if finding.mend:
        console.print(f"    → {callable_here(finding.mend)}", style="bold", markup=False, soft_wrap=True)


def verdict(found: list[Finding]) -> str:
    """The last line: may one begin?"""
    faults = sum(f.state == "fault" for f in found)
    if faults:
        return say(
            f"Неполадок: {faults}. После «→» написано, чем исправить каждую.",
            f"Faults: {faults}. What mends each stands after “→”.",
        )
    if any(f.state == "warning" for f in found):
        return say(
            "Работать можно; на отмеченное «!» стоит взглянуть.", "Ready; have a look at what is marked “!”."
        )
    return say("Всё готово.", "All is ready.")
