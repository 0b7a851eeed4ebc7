"""The line of progress: what it says of the stage, the time gone and the time left."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mafiavar.ui.cli.progress import STAGES, Run, stage_name
from mafiavar.ui.language import set_language

PIPELINE = Path(__file__).parents[3] / "analyzer" / "pipeline"


class Clock:
    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


def test_time_left_follows_the_pace_and_is_silent_until_there_is_one() -> None:
    clock = Clock()
    run = Run(clock)
    run.plan(100.0)
    run.begin("index", 1.0)
    clock.at += 10  # ten times as long as expected: one per cent of the work tells nothing of the rest
    run.end(cached=False)
    assert run.left is None
    run.begin("speech", 50.0)
    run.share(0.5)
    clock.at += 42  # 26 expected seconds took 52: two each, 74 are left
    assert run.left == pytest.approx(2 * 74)
    assert run.spent == pytest.approx(52)


def test_a_stage_that_does_not_tell_counts_down_and_never_up() -> None:
    clock = Clock()
    run = Run(clock)
    run.plan(100.0)
    run.begin("speech", 50.0)
    clock.at += 100
    run.end(cached=False)
    run.begin("voices", 40.0)
    lefts = []
    for _ in range(20):
        clock.at += 10
        assert run.left is not None
        lefts.append(run.left)
    assert lefts == sorted(lefts, reverse=True)
    assert lefts[0] == pytest.approx(2 * 50 - 10)
    assert lefts[-1] == pytest.approx(2 * (50 - 0.95 * 40))  # it lasts longer than expected


def test_stages_of_an_earlier_run_do_not_count() -> None:
    clock = Clock()
    run = Run(clock)
    run.plan(100.0)
    run.begin("speech", 80.0)
    run.end(cached=True)
    run.begin("hands", 20.0)
    run.share(0.5)
    clock.at += 30
    assert run.left == pytest.approx(30)


def test_every_stage_of_the_pipeline_has_a_name() -> None:
    source = "\n".join(p.read_text("utf-8") for p in sorted(PIPELINE.glob("*.py")))
    called = set(re.findall(r"(?:\.stage|\.value|progress\.begin)\(\s*\"(\w+)\"", source))
    assert {"speech", "clips", "report"} <= called  # the pattern still finds them
    assert called <= set(STAGES)
    set_language("ru")
    assert stage_name("clips") == "вырезаю клипы"
