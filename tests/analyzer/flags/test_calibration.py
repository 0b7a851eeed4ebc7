"""A flag's confidence is the share of its kind that is right."""

from __future__ import annotations

import pytest

from mafiavar.analyzer.evaluation.flags import judged
from mafiavar.analyzer.flags import ghosts
from mafiavar.analyzer.flags.flag import Maker, default_calibration, default_thresholds, kinds
from mafiavar.analyzer.flags.rules import KINDS
from mafiavar.analyzer.span import Span
from mafiavar.engine.ruleset import ruleset

FSM = ruleset("fsm-2026")
HERE = Span.of(1.0, 2.0)


def test_each_kind_has_its_own_line() -> None:
    make = Maker(FSM, default_thresholds(), {"all": (1.0, 0.0), "hand_early": (1.0, 1.0)})
    own, other = make.flag("hand_early", HERE, 1, 0.7), make.flag("two_hands", HERE, 1, 0.7)
    assert own is not None and other is not None
    assert own.confidence == pytest.approx(0.864, abs=0.001)
    assert other.confidence == pytest.approx(0.7)


def test_what_the_rules_reckon_is_fitted_apart_from_what_hands_show() -> None:
    make = Maker(
        FSM, default_thresholds(), {"vote_count_mismatch": (1.0, 1.0), "votes_do_not_add_up": (1.0, -3.0)}
    )
    seen = make.flag("vote_count_mismatch", HERE, 1, 0.6, params={"announced": 9})
    reckoned = make.flag("vote_count_mismatch", HERE, 1, 0.6, params={"issue": "votes_do_not_add_up"})
    assert seen is not None and reckoned is None


def test_a_kind_that_is_mostly_wrong_is_not_shown() -> None:
    doubted = Maker(FSM, default_thresholds(), {"hand_early": (0.1, -1.5)})
    assert doubted.flag("hand_early", HERE, 1, 0.95) is None
    assert Maker(FSM, default_thresholds()).flag("hand_early", HERE, 1, 0.95) is not None


def test_every_line_of_the_table_stands_for_a_kind_and_keeps_the_order() -> None:
    lines = default_calibration()
    assert set(lines) - {"all"} <= {kind.name for kind in kinds().values()} | {
        *KINDS,
        ghosts.ISSUE,
        ghosts.WORD_ISSUE,
    }
    make = Maker(FSM, default_thresholds(), lines)
    for kind in lines:
        assert make.sure(kind, 0.4) <= make.sure(kind, 0.9), "what is surer must not come out less sure"


def test_found_flags_are_judged_one_to_one() -> None:
    planted = [{"kind": "hand_early", "day": 1, "seats": [3], "t0": 10.0, "t1": 11.0}]
    flag = {"kind": "hand_early", "day": 1, "seats": [3], "t0": 10.2, "t1": 10.6, "confidence": 0.8}
    again = {**flag, "t0": 30.0, "t1": 31.0, "confidence": 0.4}
    assert [(s.line, s.confidence, s.hit) for s in judged(planted, [flag, again])] == [
        ("hand_early", 0.8, True),
        ("hand_early", 0.4, False),
    ]
