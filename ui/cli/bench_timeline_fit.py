"""`mafiavar bench timeline --fit`: parameters fitted on games that no figure is taken on."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mafiavar.ui.cli.bench_timeline_games import Job, outcomes

if TYPE_CHECKING:
    from mafiavar.analyzer.evaluation.decoded import Outcome

LEVELS = ((0.2, 0.15), (0.1, 0.08), (0.2, 0.15), (0.35, 0.25))
"""Losses and inventions of the fitting games in turn: half of them usual, a quarter clear, a quarter bad."""
SWAP = 0.06


def fitted(count: int, workers: int, text: str | None = None, folder: Path | None = None) -> str:
    """The file of parameters with numerals, pace, calibration and thresholds fitted on `count` fitting
    games; of every second four games the hands are seen too."""
    from importlib import resources

    from mafiavar.analyzer.evaluation import fitting

    if text is None:
        text = (resources.files("mafiavar.analyzer.align") / "parameters.toml").read_text("utf-8")
    jobs = fitting_jobs(count)
    truths = [job.truth() for job in jobs]
    text = fitting.written_into(text, "pace", fitting.pace_lines(fitting.pace(truths)))
    text = fitting.written_into(text, "votes", fitting.vote_lines(fitting.votes(t["events"] for t in truths)))
    sure, unsure, shift = fitting.numerals([(t, j.noise, j.seed) for t, j in zip(truths, jobs, strict=True)])
    text = fitting.with_values(text, "numeral", {"sure": sure, "unsure": unsure, "shift": shift})
    jobs = fitting_jobs(count, fitting.uncalibrated(text))
    return calibrated(text, jobs, outcomes(jobs, workers, folder))


def fitting_jobs(count: int, text: str | None = None) -> list[Job]:
    """The fitting games."""
    from mafiavar.analyzer.evaluation import fitting

    return [
        Job(
            fitting.FIT_SEED + i, *LEVELS[i % len(LEVELS)], SWAP, True, text,
            (0.0, 0.0) if i % 8 < 4 else None,
        )
        for i in range(count)
    ]  # fmt: skip


def calibrated(text: str, jobs: Sequence[Job], found: Sequence[Outcome]) -> str:
    """The parameters with the calibration and the thresholds that these outcomes call for."""
    from mafiavar.analyzer.evaluation import fitting

    usual = LEVELS[0][0]
    games = [[s for r in (o.stated, o.seen) if r is not None for s in r.sure] for o in found]
    # One line cannot be right for every noise: the lines are those of clear and usual hearings. Under
    # worse noise the confidences are then too high; the figures say by how much.
    slope, shift = fitting.calibrated([s for game in games for s in game])
    own = fitting.lines([s for game, j in zip(games, jobs, strict=True) if j.drop <= usual for s in game])
    stated = fitting.threshold(
        [
            [fitting.surer(s, own) for s in result.sure if s.line in own]
            for o, job in zip(found, jobs, strict=True)
            if job.drop == usual
            for result in (o.stated, o.seen)
            if result is not None
        ]
    )
    text = fitting.with_values(text, "posterior", {"slope": slope, "shift": shift, "stated": stated})
    text = fitting.written_into(text, "calibration", fitting.calibration_lines(own))
    tomllib.loads(text)
    return text
