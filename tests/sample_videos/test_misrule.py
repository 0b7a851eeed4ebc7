"""Errors of the judge and the table after which the game goes another way: made, named, and nothing else."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from mafiavar.sample_videos.truth import truth_of
from mafiavar.sample_videos.writer.game import Wishes, write_game
from tests.sample_videos.conftest import paced
from tests.sample_videos.consistent import contradictions, engine_issues

KINDS = (
    "wrong_opener", "wrong_person_left", "vote_held_though_cancelled", "vote_not_held_though_due", "forbidden_split",
    "forbidden_lift", "dead_player_acts", "fourth_foul_not_enforced",
)  # fmt: skip
SEEDS = range(500, 530)
ALLOWED_LIFTS = {(5, 10), (2, 8), (4, 8), (2, 6), (3, 6), (2, 4)}  # 7.11.4


@cache
def truth(rules: str, seed: int) -> Mapping[str, Any]:
    return truth_of(paced(write_game(Wishes(rules, seed, rate=4.0)), seed), "x.ogg", {})


def found(kind: str, rules: str = "fsm-2026") -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """(truth, flag) of every flag of a kind."""
    for seed in SEEDS:
        t = truth(rules, seed)
        yield from ((t, f) for f in t["flags"] if f["kind"] == kind)


def before(t: Mapping[str, Any], when: float, *kinds: str) -> list[Mapping[str, Any]]:
    return [e for e in t["events"] if e["kind"] in kinds and e["t0"] < when]


@pytest.mark.parametrize("kind", KINDS)
def test_unnamed_it_is_a_contradiction(kind: str) -> None:
    t, flag = next(found(kind))
    assert not contradictions(t)
    silent = copy.deepcopy(dict(t))
    silent["flags"] = [f for f in silent["flags"] if f != flag]
    assert any(kind in c for c in contradictions(silent))


def test_the_first_word_goes_to_another_seat_than_the_rules_say() -> None:
    for t, f in found("wrong_opener"):
        first = next(
            e
            for e in t["events"]
            if e["kind"] == "floor_given" and e["purpose"] == "speech" and e["day"] == f["day"]
        )
        assert first["seat"] == f["seat"] != f["expected"]


def test_the_one_who_leaves_was_not_voted_out() -> None:
    for t, f in found("wrong_person_left"):
        ballots = [e for e in before(t, f["t0"], "vote_announced") if e["day"] == f["day"]]
        votes = {e["target"]: e["count"] for e in ballots if e["round"] == ballots[-1]["round"]}
        assert votes[f["seat"]] < max(votes.values())
        assert votes[f["expected"][0]] == max(votes.values())


def test_a_cancelled_vote_is_held_after_a_removal_or_on_one_candidate_of_day_one() -> None:
    ways = set()
    for t, f in found("vote_held_though_cancelled"):
        removed = [
            e
            for e in before(t, f["t0"], "eliminated")
            if e["day"] == f["day"] and e["by"] in ("removal", "fouls")
        ]
        opened = before(t, f["t0"] + 0.01, "vote_opened")[-1]
        assert removed or (f["day"] == 1 and len(opened["candidates"]) == 1)
        ways.add(bool(removed))
    assert ways == {True, False}


def test_a_due_vote_is_left_out() -> None:
    for t, f in found("vote_not_held_though_due"):
        assert not [e for e in t["events"] if e["kind"] == "vote_opened" and e["day"] == f["day"]]
        taken = [e for e in before(t, f["t0"], "nominated") if e["day"] == f["day"] and e["accepted"]]
        assert set(f["seats"]) == {e["target"] for e in taken}


def test_forbidden_splits_and_lifts_are_of_the_sizes_the_rules_forbid() -> None:
    for t, f in found("forbidden_split"):
        assert (len(f["seats"]), 10 - gone(t, f["t0"])) == (3, 9)
    for t, f in found("forbidden_lift"):
        assert (len(f["seats"]), 10 - gone(t, f["t0"])) not in ALLOWED_LIFTS


def gone(t: Mapping[str, Any], when: float) -> int:
    return len({s for e in before(t, when, "eliminated") for s in e["seats"]})


def test_the_dead_get_the_word_or_vote_and_are_not_counted() -> None:
    ways = set()
    for t, f in found("dead_player_acts"):
        out = {s for e in before(t, f["t0"], "eliminated") for s in e["seats"]}
        assert f["seat"] in out
        hand = [h for h in t["hands"] if h["seat"] == f["seat"] and abs(h["t0"] - f["t0"]) < 0.05]
        ways.add(bool(hand))
        assert not [e for e in t["events"] if e["kind"] == "vote_cast" and e["seat"] in out and e["t0"] > f["t0"]]  # fmt: skip
    assert ways == {True, False}


def test_a_fourth_foul_without_leaving_is_named_and_one_with_leaving_is_not() -> None:
    kept, left = 0, 0
    for seed in SEEDS:
        t = truth("fsm-2026", seed)
        for e in (e for e in t["events"] if e["kind"] == "foul" and e["ordinal"] == 4):
            away = any(
                x["by"] == "fouls" and e["seat"] in x["seats"] and x["t0"] - e["t1"] < 1
                for x in t["events"]
                if x["kind"] == "eliminated" and x["t0"] >= e["t0"]
            )
            named = any(
                f["kind"] == "fourth_foul_not_enforced" and f["t0"] == e["t0"] and f["seat"] == e["seat"]
                for f in t["flags"]
            )
            assert named is not away
            kept, left = kept + named, left + away
    assert kept and left


def test_somebody_shouts_only_where_ten_sat() -> None:
    seen = 0
    for t, f in found("shout_before_best_move"):
        out = before(t, f["t0"], "eliminated")[-1]
        assert out["by"] == "vote" and gone(t, out["t0"]) == 0
        seen += 1
    assert seen


def test_a_mask_is_held_only_where_the_rules_forbid_it() -> None:
    for rules, expected in (("fsm-2026", True), ("disbord", False)):
        held = [p for s in SEEDS for p in truth(rules, s)["posture"] if p["state"] == "mask_held"]
        assert bool(held) is expected
        for s in SEEDS:
            t = truth(rules, s)
            for p in (p for p in t["posture"] if p["state"] == "mask_held"):
                assert any(
                    f["kind"] == "mask_off_at_night"
                    and f["seats"] == [p["seat"]]
                    and f["t0"] - 0.05 <= p["t0"]
                    for f in t["flags"]
                )
                assert any(
                    m["seat"] == p["seat"] and m["t0"] <= p["t0"] and p["t1"] <= m["t1"] for m in t["masks"]
                )


def test_legion_knows_no_vote_for_two() -> None:
    assert not list(found("two_candidates", "legion"))


def test_the_first_killed_makes_the_best_move_before_the_morning() -> None:
    seen = 0
    for seed in SEEDS:
        t = truth("fsm-2026", seed)
        for e in (e for e in t["events"] if e["kind"] == "best_move"):
            left = next(x for x in t["events"] if x["kind"] == "eliminated" and e["seat"] in x["seats"])
            if left["by"] == "shot":
                morning = next(x for x in t["events"] if x["kind"] == "day_began" and x["t0"] > left["t0"])
                assert left["t0"] < e["t0"] < morning["t0"]
                seen += 1
    assert seen


def test_the_engine_says_nothing_of_a_table_without_errors() -> None:
    for rules in ("fsm-2026", "disbord", "legion"):
        for seed in (500, 501, 502):
            t = truth_of(paced(write_game(Wishes(rules, seed, rate=0.0)), seed), "x.ogg", {})
            assert not engine_issues(t)
