"""`mafiavar bench timeline`: decoding of written games under noise: facts, calibration, cost.

`--fit FILE` writes the parameters fitted on the fitting seeds; the proof seeds are others.
"""

from __future__ import annotations

import json
import multiprocessing
import tomllib
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mafiavar.ui.cli import bench_timeline_cost
from mafiavar.ui.language import say

if TYPE_CHECKING:
    from mafiavar.analyzer.evaluation.decoded import Outcome

BURSTS = ("none", "none", "lost_minute", "masked_judge", "dead_microphone")
"""What befalls the games in turn."""
CURVE = ((0.0, 0.0), (0.1, 0.08), (0.2, 0.15), (0.35, 0.25), (0.5, 0.35))
SWAP, JITTER = 0.06, 0.3


@dataclass(frozen=True, slots=True)
class Job:
    """One game: its place in the row, its seed, the noise. Sent to a worker process."""

    place: int
    seed: int
    drop: float
    invent: float
    swap: float
    bursts: bool
    parameters: str | None
    looks: tuple[float, float] | None = None
    """Shares of the pictures' answers that are lost and that say the contrary; None: no pictures."""


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
        seed: int = typer.Option(52_145, help=say("первое зерно", "first seed")),
        drop: float = typer.Option(0.20, help=say("доля потерянных реплик", "share of cues lost")),
        invent: float = typer.Option(0.15, help=say("доля выдуманных", "share invented")),
        swap: float = typer.Option(SWAP, help=say("доля перепутанных чисел", "share of numerals misheard")),
        hands: bool = typer.Option(
            False, "--hands", help=say("руки голосований видны", "the hands of the votes are seen")
        ),
        hands_lost: float = typer.Option(
            0.0, help=say("доля рук, о которых нельзя сказать", "share of hands that cannot be told")
        ),
        hands_flipped: float = typer.Option(
            0.0, help=say("доля рук, увиденных наоборот", "share of hands seen the other way round")
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
            fit.write_text(fitted(games, workers, text), "utf-8", newline="\n")
            typer.echo(say(f"Параметры записаны: {fit}", f"Parameters written: {fit}"))
            return
        if pins or cost:
            lines = bench_timeline_cost.pin_lines if pins else bench_timeline_cost.cost_lines
            for line in lines(games, seed, drop, invent, swap):
                typer.echo(line)
            return
        looks = (hands_lost, hands_flipped) if hands or hands_lost or hands_flipped else None
        rows = []
        for lost, made_up in CURVE if curve else ((drop, invent),):
            noisy = lost > 0 or made_up > 0
            noise = (lost, made_up, swap if noisy else 0.0)
            row = measure(
                games, seed, noise, bursts=bursts and noisy, looks=looks, workers=workers, parameters=text
            )
            rows.append({"drop": lost, "invent": made_up, "looks": looks, **row})
            if not as_json:
                typer.echo(_line(rows[-1]))
                if verbose:
                    for game, facts in row["errors"].items():
                        typer.echo(f"  {game}: {facts}")
        if as_json:
            typer.echo(json.dumps(rows, ensure_ascii=False, indent=1))


def decode(job: Job) -> Outcome:
    """Writes a game, spoils its words, decodes them (in a worker process)."""
    from mafiavar.analyzer.align.parameters import parse
    from mafiavar.analyzer.evaluation.decoded import Looks, outcome
    from mafiavar.analyzer.evaluation.noise import Noise
    from mafiavar.ui.cli.written import RULESETS, written

    truth = written(RULESETS[job.place % len(RULESETS)], job.seed)
    noisy = job.drop > 0 or job.invent > 0
    burst = BURSTS[job.place % len(BURSTS)] if job.bursts else "none"
    noise = Noise(job.drop, job.invent, job.swap, JITTER if noisy else 0.0, burst)  # type: ignore[arg-type]
    looks = Looks(*job.looks) if job.looks is not None else None
    return outcome(truth, noise, job.seed, parse(job.parameters) if job.parameters else None, looks)


def outcomes(jobs: Sequence[Job], workers: int) -> list[Outcome]:
    """In the order of the jobs, whoever works on them."""
    if workers == 1:
        return [decode(job) for job in jobs]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        return list(pool.map(decode, jobs))


def measure(
    count: int,
    seed: int,
    noise: tuple[float, float, float],
    *,
    bursts: bool,
    looks: tuple[float, float] | None = None,
    workers: int = 1,
    parameters: str | None = None,
) -> dict[str, Any]:
    """`noise`: drop, invent, swap. Facts of `count` games decoded from noisy cues."""
    from mafiavar.analyzer.evaluation.stated import summary

    jobs = [Job(i, seed + i, *noise, bursts, parameters, looks) for i in range(count)]
    found = outcomes(jobs, workers)
    cpu, minutes = sum(o.cpu for o in found), sum(o.seconds for o in found) / 60
    return {
        **summary([o.stated for o in found]),
        "cpu_per_hour": round(60 * cpu / minutes, 2) if minutes else None,
        "cpu_per_hour_most": round(max((3600 * o.cpu / o.seconds for o in found), default=0.0), 2),
        "cues_per_hour": round(60 * sum(o.cues for o in found) / minutes) if minutes else None,
        "errors": {
            f"{o.recording} ({o.burst})": [
                {"fact": list(n), "truth": t, "found": f} for n, t, f in o.stated.wrong
            ]
            for o in found
            if o.stated.wrong
        },
    }


LEVELS = ((0.2, 0.15), (0.1, 0.08), (0.2, 0.15), (0.35, 0.25))
"""Losses and inventions of the fitting games in turn: half of them usual, a quarter clear, a quarter bad."""


def fitted(count: int, workers: int, text: str | None = None) -> str:
    """The file of parameters with pace, calibration and thresholds fitted on `count` fitting games; of
    every second four games the hands are seen too."""
    from importlib import resources

    from mafiavar.analyzer.evaluation import fitting
    from mafiavar.ui.cli.written import games

    if text is None:
        text = (resources.files("mafiavar.analyzer.align") / "parameters.toml").read_text("utf-8")
    table = fitting.pace(list(games(count, fitting.FIT_SEED)))
    text = fitting.written_into(text, "pace", fitting.pace_lines(table))
    jobs = fitting_jobs(count, text)
    return calibrated(text, jobs, outcomes(jobs, workers))


def fitting_jobs(count: int, text: str) -> list[Job]:
    """The fitting games, to be decoded without any calibration."""
    from mafiavar.analyzer.evaluation import fitting

    plain = fitting.with_values(text, "posterior", {"slope": 1.0, "shift": 0.0})
    plain = fitting.written_into(plain, "calibration", [])
    return [
        Job(
            i, fitting.FIT_SEED + i, *LEVELS[i % len(LEVELS)], SWAP, True, plain,
            (0.0, 0.0) if i % 8 < 4 else None,
        )
        for i in range(count)
    ]  # fmt: skip


def calibrated(text: str, jobs: Sequence[Job], found: Sequence[Outcome]) -> str:
    """The parameters with the calibration and the thresholds that these outcomes call for."""
    from mafiavar.analyzer.evaluation import fitting

    slope, shift = fitting.calibrated([s for o in found for s in o.stated.sure])
    # One line cannot be right for every noise: the lines are those of clear and usual hearings. Under
    # worse noise the confidences are then too high; the figures say by how much.
    own = fitting.lines(
        [s for o, j in zip(found, jobs, strict=True) if j.drop <= LEVELS[0][0] for s in o.stated.sure]
    )
    usual = [
        [replace(s, confidence=fitting.mapped(s.confidence, own[s.line])) for s in o.stated.sure]
        for o, job in zip(found, jobs, strict=True)
        if job.drop == LEVELS[0][0]
    ]
    least = fitting.thresholds(usual)
    least = {line: least.get(line, 0.997) for line in own}
    text = fitting.with_values(text, "posterior", {"slope": slope, "shift": shift})
    text = fitting.written_into(text, "calibration", fitting.calibration_lines(own, least))
    tomllib.loads(text)
    return text


def _line(row: dict[str, Any]) -> str:
    from mafiavar.analyzer.evaluation.aggregate import wilson

    low, high = wilson(row["games_right"], row["games"]) or (0.0, 0.0)
    error = row["calibration_error"] or 0.0
    unheard = row["unheard"] / max(1, row["facts"] + row["unheard"])
    return say(
        f"потеряно {row['drop']:.0%}, выдумано {row['invent']:.0%}: игр без неверного факта"
        f" {row['games_right']}/{row['games']} [{low:.2f}–{high:.2f}], неизвестно {row['unknown_share']:.1%},"
        f" не прозвучало {unheard:.1%}, неверно {row['wrong_share']:.2%}, ошибка калибровки {error:.3f},"
        f" {row['cpu_per_hour']} с на час, не больше {row['cpu_per_hour_most']} ({row['cues_per_hour']} реплик)",
        f"lost {row['drop']:.0%}, invented {row['invent']:.0%}: games without a wrong fact"
        f" {row['games_right']}/{row['games']} [{low:.2f}–{high:.2f}], unknown {row['unknown_share']:.1%},"
        f" unheard {unheard:.1%}, wrong {row['wrong_share']:.2%}, calibration error {error:.3f},"
        f" {row['cpu_per_hour']} s per hour, at most {row['cpu_per_hour_most']} ({row['cues_per_hour']} cues)",
    )
