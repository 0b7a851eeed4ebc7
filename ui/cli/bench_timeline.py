"""`mafiavar bench timeline`: decoding of written games under noise: facts, calibration, cost.

`--fit FILE` writes the parameters fitted on the fitting seeds; the proof seeds are others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

from mafiavar.ui.cli import bench_timeline_cost, bench_timeline_fit, bench_timeline_limit
from mafiavar.ui.cli.bench_timeline_games import Job, line, measured
from mafiavar.ui.language import say

CURVE = ((0.0, 0.0), (0.1, 0.08), (0.2, 0.15), (0.35, 0.25), (0.5, 0.35))
PROOF_SEED = 52_500
"""First seed of the games that are only measured: `fitting.PROOF_SEED`, which costs seconds to load."""


def register(app: typer.Typer) -> None:
    @app.command(
        "timeline",
        help=say(
            "ход игры по испорченным репликам: факты, уверенность, время",
            "timeline of written games under noise: facts, calibration, cost",
        ),
    )
    def timeline(
        games: int = typer.Option(30, min=1, help=say("сколько игр", "how many games")),
        seed: int = typer.Option(PROOF_SEED, help=say("первое зерно", "first seed")),
        drop: float = typer.Option(0.20, help=say("доля потерянных реплик", "share of cues lost")),
        invent: float = typer.Option(0.15, help=say("доля выдуманных", "share invented")),
        swap: float = typer.Option(
            bench_timeline_fit.SWAP, help=say("доля перепутанных чисел", "share of numerals misheard")
        ),
        hands: bool = typer.Option(
            False, "--hands", help=say("руки голосований видны", "the hands of the votes are seen")
        ),
        hands_lost: float = typer.Option(
            0.0, help=say("доля рук, о которых нельзя сказать", "share of hands that cannot be told")
        ),
        hands_flipped: float = typer.Option(
            0.0, help=say("доля рук, увиденных наоборот", "share of hands seen the other way round")
        ),
        minutes: float = typer.Option(
            0.0,
            help=say(
                "удлинить речи, чтобы игра шла столько минут", "longer speeches: a game of so many minutes"
            ),
        ),
        bursts: bool = typer.Option(True, help=say("провалы звука", "bursts of silence")),
        curve: bool = typer.Option(False, help=say("кривая по силе помех", "a curve over the noise")),
        workers: int = typer.Option(2, min=1, help=say("сколько процессов", "how many processes")),
        parameters: Path | None = typer.Option(
            None, exists=True, help=say("файл параметров", "a file of parameters")
        ),
        fit: Path | None = typer.Option(
            None,
            help=say(
                "подобрать параметры на играх для подгонки и записать сюда",
                "fit the parameters on the fitting games and write them here",
            ),
        ),
        resume: Path | None = typer.Option(
            None,
            file_okay=False,
            help=say(
                "папка готовых игр: прерванный счёт пойдёт дальше",
                "a folder of finished games: what was stopped goes on",
            ),
        ),
        limit: bool = typer.Option(
            False,
            "--limit",
            help=say(
                "что мог бы знать слушатель, которому неизвестны только числа",
                "what a listener could know who lacks only the numbers",
            ),
        ),
        pins: bool = typer.Option(
            False, "--pins", help=say("сколько стоит одна поправка", "what one correction costs")
        ),
        cost: bool = typer.Option(
            False, "--cost", help=say("время по числу реплик", "time by the number of cues")
        ),
        verbose: bool = typer.Option(
            False, "--verbose", "-v", help=say("показать ошибки", "show the errors")
        ),
        as_json: bool = typer.Option(False, "--json", help=say("вывод в JSON", "print JSON")),
    ) -> None:
        text = parameters.read_text("utf-8") if parameters else None
        if fit is not None:
            fit.write_text(bench_timeline_fit.fitted(games, workers, text, resume), "utf-8", newline="\n")
            typer.echo(say(f"Параметры записаны: {fit}", f"Parameters written: {fit}"))
            return
        looks = (hands_lost, hands_flipped) if hands or hands_lost or hands_flipped else None
        jobs = [
            [Job(seed + i, lost, made_up, swap, bursts, text, looks, minutes) for i in range(games)]
            for lost, made_up in (CURVE if curve else ((drop, invent),))
        ]
        if limit:
            for told in bench_timeline_limit.lines(jobs):
                typer.echo(told)
            return
        if pins or cost:
            lines = bench_timeline_cost.pin_lines if pins else bench_timeline_cost.cost_lines
            for told in lines(jobs[0]):
                typer.echo(told)
            return
        rows = []
        for noise in jobs:
            for row in measured(noise, workers, resume):
                rows.append(row)
                if not as_json:
                    typer.echo(line(row))
                    for told in _errors(row) if verbose else ():
                        typer.echo(told)
        if as_json:
            typer.echo(json.dumps(rows, ensure_ascii=False, indent=1))


def _errors(row: Mapping[str, Any]) -> Iterator[str]:
    yield f"  {row['unknown_of']} {row['wrong_of']}"
    for game, facts in row["errors"].items():
        yield f"  {game}: {facts}"
