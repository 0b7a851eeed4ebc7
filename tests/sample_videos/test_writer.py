"""The game writer: legal but for what it plants, the same bytes for the same seed, many kinds, many sentences."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from mafiavar.sample_videos.errors import ScriptError
from mafiavar.sample_videos.script import Script, as_json
from mafiavar.sample_videos.truth import truth_of
from mafiavar.sample_videos.writer.game import GameWriter, Wishes, write_game, writer_for
from mafiavar.sample_videos.writer.phrasebook import JUDGE_STYLES, sentences
from tests.sample_videos.conftest import timed

RULES = ("fsm-2026", "disbord", "legion")
SEEDS = range(1, 5)

# what the engine says of a table at which these have been planted
FOLLOWS = {
    "two_candidates": {"two_candidates", "votes_exceed_living", "votes_do_not_add_up", "vote_count_mismatch"},
    "vote_count_mismatch": {"vote_count_mismatch", "votes_do_not_add_up", "votes_exceed_living"},
    "nomination_tense": {"nomination_tense"},
    "nomination_second": {"nomination_second"},
    "nomination_repeated": {"nomination_repeated"},
    "night_check_of_own_shot": {"night_check_of_own_shot"},
    "time_cut_short": {"time_cut_short"},
    "foul_ordinal_wrong": {"foul_ordinal_wrong"},
    "wrong_vote_order": {"wrong_vote_order"},
    "vote_held_though_cancelled": {"vote_held_though_cancelled", "vote_held_though_single"},
    **{
        kind: {kind}
        for kind in (
            "wrong_opener", "wrong_person_left", "vote_not_held_though_due", "forbidden_split", "forbidden_lift",
            "dead_player_acts", "fourth_foul_not_enforced",
        )
    },
}  # fmt: skip


@cache
def written(rules: str, seed: int, rate: float = 1.0) -> tuple[GameWriter, Script]:
    writer = writer_for(Wishes(rules, seed, rate=rate))
    return writer, writer.write()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_ends_and_breaks_only_what_is_planted(rules: str, seed: int) -> None:
    writer, script = written(rules, seed)
    assert writer.game.winner is not None
    planted = {f.kind for f in script.flags}
    allowed = set().union(*(FOLLOWS.get(k, set()) for k in planted)) if planted else set()
    assert {i.kind for i in writer.issues} <= allowed


@pytest.mark.parametrize("rules", RULES)
def test_an_honest_game_has_no_issue_at_all(rules: str) -> None:
    for seed in SEEDS:
        writer, script = written(rules, seed, 0.0)
        assert not script.flags
        assert not writer.issues
        assert writer.game.winner is not None


def test_same_seed_same_bytes_other_seed_other_game() -> None:
    a, b = (json.dumps(as_json(write_game(Wishes("fsm-2026", 5)))) for _ in range(2))
    assert a == b
    assert a != json.dumps(as_json(write_game(Wishes("fsm-2026", 6))))


def test_at_least_thirty_kinds_are_planted() -> None:
    kinds = {f.kind for seed in range(1, 13) for f in written("fsm-2026", seed, 2.0)[1].flags}
    assert len(kinds) >= 30, sorted(kinds)


def test_many_sentences_of_our_own() -> None:
    assert len(sentences()) >= 400


def test_every_script_can_be_put_on_the_clock() -> None:
    for rules in RULES:
        for seed in SEEDS:
            script = written(rules, seed)[1]
            truth = truth_of(timed(script), "x.ogg", {})
            assert truth["events"][-1]["kind"] == "game_ended"


def test_planted_hands_keep_their_margins() -> None:
    """By the definitions of the flags: early before the number, withdrawn before «стоп», late after it."""
    seen = set()
    for seed in range(1, 9):
        truth = truth_of(timed(written("fsm-2026", seed, 2.0)[1]), "x.ogg", {})
        closed = [e for e in truth["events"] if e["kind"] == "vote_closed"]
        told = [e for e in truth["events"] if e["kind"] == "vote_announced"]
        called = [e for e in truth["events"] if e["kind"] == "vote_called"]
        for f in truth["flags"]:
            if f["kind"] not in ("hand_early", "hand_withdrawn", "hand_late", "hand_released_before_count"):
                continue
            seen.add(f["kind"])
            hands = [
                h
                for h in truth["hands"]
                if h["seat"] == f["seat"] and h["t0"] <= f["t1"] + 0.05 and h["t1"] >= f["t0"] - 0.05
            ]
            assert hands, f
            h = hands[0]
            call = max((c for c in called if c["t0"] <= h["t1"]), key=lambda c: c["t0"])
            stop = next(c for c in closed if c["t0"] > call["t0"])
            count = next(c for c in told if c["t0"] > stop["t0"])
            if f["kind"] == "hand_early":
                assert call["t1"] - h["t0"] > 0.2
            elif f["kind"] == "hand_withdrawn":
                assert h["t1"] < stop["t0"] - 0.2
            elif f["kind"] == "hand_late":
                assert h["t0"] > stop["t1"] + 0.1
            else:
                assert stop["t1"] < h["t1"] < count["t0"]
    assert len(seen) == 4


def test_honest_hands_are_honest() -> None:
    """A hand that no flag names comes after the number and stays until the count."""
    truth = truth_of(timed(written("fsm-2026", 3, 0.0)[1]), "x.ogg", {})
    called = [e for e in truth["events"] if e["kind"] == "vote_called"]
    for e in (e for e in truth["events"] if e["kind"] == "vote_cast" and e["contact"]):
        call = next(
            c
            for c in called
            if c["round"] == e["round"] and c["target"] == e["target"] and c["day"] == e["day"]
        )
        stop = next(c for c in truth["events"] if c["kind"] == "vote_closed" and c["t0"] > call["t0"])
        count = next(c for c in truth["events"] if c["kind"] == "vote_announced" and c["t0"] > call["t0"])
        assert call["t1"] - 0.1 < e["contact"][0] < stop["t0"]
        assert e["contact"][1] > count["t0"]


def test_judges_speak_differently() -> None:
    texts = {
        s: {x.text for x in write_game(Wishes("fsm-2026", 2, s)).lines if x.speaker == "judge"}
        for s in JUDGE_STYLES
    }
    assert len(texts["full"] & texts["terse"]) < 0.3 * len(texts["full"])
    assert len(texts["full"] & texts["chatty"]) < 0.3 * len(texts["full"])


def test_a_protocol_is_followed(tmp_path: Path) -> None:
    roles = {1: "don", 5: "mafia", 9: "mafia", 4: "sheriff"}
    protocol = {
        "schema": "mafiavar/protocol@1",
        "ruleset": "fsm-2026",
        "seats": {str(s): {"nickname": None, "role": roles.get(s, "red")} for s in range(1, 11)},
        "days": [{"day": 1, "nominations": [{"seat": 2, "target": 5, "accepted": True}, {"seat": 3, "target": 7, "accepted": True}],
                  "ballots": [{"round": 1, "votes": {"5": [1, 2, 3, 4, 6, 7, 8], "7": [5, 9, 10]}, "remainder": []}]}],
        "nights": [{"night": 1, "shots": {"1": 8, "9": 8}, "killed": 8, "checks": []}],
    }  # fmt: skip
    path = tmp_path / "p.json"
    path.write_text(json.dumps(protocol), encoding="utf-8")
    truth = truth_of(timed(write_game(Wishes("fsm-2026", 4, rate=0.0), path)), "x.ogg", {})
    nominated = [
        (e["seat"], e["target"])
        for e in truth["events"]
        if e["kind"] == "nominated" and e["day"] == 1 and e["accepted"]
    ]
    assert nominated == [(2, 5), (3, 7)]
    gone = [e for e in truth["events"] if e["kind"] == "eliminated"]
    assert (gone[0]["seats"], gone[0]["by"]) == ([5], "vote")
    assert (gone[1]["seats"], gone[1]["by"]) == ([8], "shot")
    assert truth["roles"]["1"] == "don"


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"schema": "mafiavar/protocol@2"}'])
def test_a_bad_protocol_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScriptError):
        write_game(Wishes(), path)
