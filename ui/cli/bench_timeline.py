"""`mafiavar bench timeline`: decoding of written games under noise: facts, calibration, cost."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

import typer

from mafiavar.ui.language import say

BURSTS = ("none", "none", "lost_minute", "masked_judge", "dead_microphone")
"""What befalls the games in turn."""
CURVE = ((0.0, 0.0), (0.1, 0.08), (0.2, 0.15), (0.35, 0.25), (0.5, 0.35))


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
        seed: int = typer.Option(50_000, help=say("первое зерно", "first seed")),
        drop: float = typer.Option(0.20, help=say("доля потерянных реплик", "share of cues lost")),
        invent: float = typer.Option(0.15, help=say("доля выдуманных", "share invented")),
        swap: float = typer.Option(0.06, help=say("доля перепутанных чисел", "share of numerals misheard")),
        bursts: bool = typer.Option(True, help=say("провалы звука", "bursts of silence")),
        curve: bool = typer.Option(False, help=say("кривая по силе помех", "a curve over the noise")),
        least: float = typer.Option(0.5, help=say("ниже — «неизвестно»", "below this a fact is unknown")),
        verbose: bool = typer.Option(
            False, "--verbose", "-v", help=say("показать ошибки", "show the errors")
        ),
        as_json: bool = typer.Option(False, "--json", help=say("вывод в JSON", "print JSON")),
    ) -> None:
        levels = CURVE if curve else ((drop, invent),)
        rows = []
        for lost, made_up in levels:
            row = measure(
                games, seed, (lost, made_up, swap if lost else 0.0), bursts=bursts and lost > 0, least=least
            )
            rows.append({"drop": lost, "invent": made_up, **row})
            if not as_json:
                typer.echo(_line(rows[-1]))
                if verbose:
                    for game, facts in row["errors"].items():
                        typer.echo(f"  {game}: {facts}")
        if as_json:
            typer.echo(json.dumps(rows, ensure_ascii=False, indent=1))


def measure(
    count: int, seed: int, noise: tuple[float, float, float], *, bursts: bool, least: float
) -> dict[str, Any]:
    """`noise`: drop, invent, swap. Facts of `count` games decoded from noisy cues."""
    from mafiavar.analyzer.align import align
    from mafiavar.analyzer.evaluation.noise import Noise, noisy
    from mafiavar.analyzer.evaluation.spoken import spoken
    from mafiavar.analyzer.evaluation.stated import Stated, compare, heard_facts, summary
    from mafiavar.analyzer.span import micros
    from mafiavar.engine.ruleset import ruleset
    from mafiavar.ui.cli.written import games

    results: list[Stated] = []
    errors: dict[str, Any] = {}
    cpu, cues_total, minutes = 0.0, 0, 0.0
    for i, truth in enumerate(games(count, seed)):
        duration = micros(truth["duration"])
        burst = BURSTS[i % len(BURSTS)] if bursts else "none"
        settings = Noise(noise[0], noise[1], noise[2], 0.3 if noise[0] else 0.0, burst)  # type: ignore[arg-type]
        clean = spoken(truth["events"])
        cues = noisy(clean, settings, duration, seed + i) if noise[0] else clean
        start = time.process_time()
        alignment = align(cues, ruleset(truth["ruleset"]), duration=duration)
        cpu += time.process_time() - start
        cues_total += len(cues)
        minutes += truth["duration"] / 60
        heard = heard_facts(truth["events"], cues)
        result = compare(truth["events"], alignment.timeline.to_json()["events"], least, heard)
        results.append(result)
        if result.wrong:
            errors[f"{truth['recording']} ({burst})"] = [
                {"fact": list(n), "truth": t, "found": f} for n, t, f in result.wrong
            ]
    return {
        **summary(results),
        "cpu_per_hour": round(60 * cpu / minutes, 2) if minutes else None,
        "cues_per_hour": round(60 * cues_total / minutes) if minutes else None,
        "errors": errors,
    }


def _line(row: dict[str, Any]) -> str:
    from mafiavar.analyzer.evaluation.aggregate import wilson

    interval: Sequence[float] = wilson(row["games_right"], row["games"]) or (0.0, 0.0)
    error = row["calibration_error"]
    return say(
        f"потеряно {row['drop']:.0%}, выдумано {row['invent']:.0%}: игр без ошибки {row['games_right']}/{row['games']}"
        f" [{interval[0]:.2f}–{interval[1]:.2f}], неизвестно {row['unknown_share']:.1%}, неверно {row['wrong_share']:.2%},"
        f" ошибка калибровки {error:.3f}, {row['cpu_per_hour']} с на час ({row['cues_per_hour']} реплик)",
        f"lost {row['drop']:.0%}, invented {row['invent']:.0%}: games without error {row['games_right']}/{row['games']}"
        f" [{interval[0]:.2f}–{interval[1]:.2f}], unknown {row['unknown_share']:.1%}, wrong {row['wrong_share']:.2%},"
        f" calibration error {error:.3f}, {row['cpu_per_hour']} s per hour ({row['cues_per_hour']} cues)",
    )
