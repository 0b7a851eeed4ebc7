"""Fitting: pace from events, calibration, and the file they are written into."""

from __future__ import annotations

import random
from importlib import resources
from typing import Any

import pytest

from mafiavar.analyzer.align.parameters import parse
from mafiavar.analyzer.evaluation import fitting
from mafiavar.analyzer.evaluation.stated import Sample
from mafiavar.analyzer.span import SECOND


def talk(gap: float) -> dict[str, Any]:
    events, t = [], 0.0
    for _ in range(20):
        events.append({"kind": "vote_called", "t0": t, "t1": t + 1})
        events.append({"kind": "vote_closed", "t0": t + 1 + gap, "t1": t + 2 + gap})
        t += 60.0
    return {"duration": t, "events": events}


def test_pace_learns_the_usual_gap_and_how_rare_the_event_is() -> None:
    table = fitting.pace([talk(2.0)])
    centre, spread, density = table["vote_called>vote_closed"]
    assert centre == pytest.approx(2.0) and spread >= 1.0
    assert density == pytest.approx(1 / 60, abs=1e-4)


def test_an_event_in_its_place_gains_and_one_far_off_loses() -> None:
    text = (resources.files("mafiavar.analyzer.align") / "parameters.toml").read_text("utf-8")
    p = parse(fitting.written_into(text, "pace", fitting.pace_lines(fitting.pace([talk(2.0)]))))
    near, far = (p.paced("vote_called", "vote_closed", g * SECOND) for g in (2, 50))
    assert near > 1.0 > -1.0 > far
    assert p.paced("vote_called", "nominated", SECOND) == 0.0


def sample(confidence: float, hit: bool, line: str = "nominated") -> Sample:
    return Sample(confidence, hit, line, heard=True)


def test_calibration_makes_boastful_confidences_true() -> None:
    dice = random.Random(5)
    samples = [sample(0.99, dice.random() < 0.8) for _ in range(1000)]
    assert fitting.mapped(0.99, fitting.calibrated(samples)) == pytest.approx(0.8, abs=0.05)


def test_every_kind_of_fact_gets_its_own_line() -> None:
    dice = random.Random(6)
    boastful = [sample(0.99, dice.random() < 0.8, "vote_announced") for _ in range(500)]
    modest = [sample(0.9, dice.random() < 0.99, "eliminated") for _ in range(500)]
    own = fitting.lines([*boastful, *modest])
    assert fitting.mapped(0.99, own["vote_announced"]) == pytest.approx(0.8, abs=0.05)
    assert fitting.mapped(0.9, own["eliminated"]) == pytest.approx(0.99, abs=0.02)


def test_the_threshold_leaves_no_wrong_fact_in_most_games() -> None:
    good = [[sample(0.999, True), sample(0.986, True)]] * 24
    assert fitting.threshold([*good, [sample(0.97, False)]]) == 0.9, "one wrong game of 25 is allowed"
    spoilt = [[sample(0.999, True), sample(p, False)] for p in (0.95, 0.97, 0.986)]
    level = fitting.threshold([*good, *spoilt])
    assert 0.97 < level <= 0.986, "of 27 games one may be wrong: that with the surest mistake"


def test_numbers_in_the_file_change_and_nothing_else() -> None:
    text = "[a]\nslope = 1.0           # why\nb = 2\n\n[c]\nslope = 3\n"
    assert fitting.with_values(text, "a", {"slope": 0.5}) == text.replace("slope = 1.0", "slope = 0.5")


def test_fitting_and_proof_seeds_are_apart() -> None:
    assert abs(fitting.PROOF_SEED - fitting.FIT_SEED) >= 5_000
