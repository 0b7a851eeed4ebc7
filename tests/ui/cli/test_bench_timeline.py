"""The bench of the timeline: a game is what its seed makes it, finished games are kept, games can be lengthened."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from mafiavar.ui.cli import bench_timeline, bench_timeline_games
from mafiavar.ui.cli.bench_timeline_games import Job, measured, outcomes

JOB = Job(41_300, 0.2, 0.15, 0.06)


def test_the_first_proof_seed_is_the_one_that_fitting_knows() -> None:
    from mafiavar.analyzer.evaluation.fitting import PROOF_SEED

    assert bench_timeline.PROOF_SEED == PROOF_SEED


def test_what_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [JOB, replace(JOB, seed=JOB.seed + 1)]
    first = outcomes(jobs[:1], 1, tmp_path)
    done: list[int] = []
    decode = bench_timeline_games.decode
    monkeypatch.setattr(bench_timeline_games, "decode", lambda job: done.append(job.seed) or decode(job))
    both = outcomes(jobs, 1, tmp_path)
    assert done == [JOB.seed + 1]
    assert both[0].stated.right == first[0].stated.right > 0 and both[0].cpu == first[0].cpu
    (row,) = measured(jobs, 1, tmp_path)
    assert done == [JOB.seed + 1] and row["games"] == 2
    assert row["right"] == sum(o.stated.right for o in both)


def test_a_game_is_lengthened_by_its_speeches_alone() -> None:
    short, long = JOB.truth(), replace(JOB, minutes=60).truth()
    assert long["duration"] == pytest.approx(3600)
    for a, b in zip(short["events"], long["events"], strict=True):
        assert a["kind"] == b["kind"] and b["t1"] - b["t0"] == pytest.approx(a["t1"] - a["t0"])
    votes = [
        [e for e in t["events"] if e["kind"] in ("vote_called", "vote_announced")] for t in (short, long)
    ]
    gaps = [[b["t0"] - a["t0"] for a, b in pairwise(v) if a["kind"] == "vote_called"] for v in votes]
    assert gaps[0] == pytest.approx(gaps[1])
