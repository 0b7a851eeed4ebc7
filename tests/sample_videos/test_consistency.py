"""Truths hold together: whatever the seed, rules, manner and pace, nothing happens that is not named."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mafiavar.sample_videos.picture.acting import Acting, Surroundings, is_contact
from mafiavar.sample_videos.samples import SAMPLES
from mafiavar.sample_videos.script import END, as_json, from_json
from mafiavar.sample_videos.timing import GRID, SETTLE
from mafiavar.sample_videos.truth import truth_of
from mafiavar.sample_videos.writer.game import Wishes, writer_for
from mafiavar.sample_videos.writer.mischief import KINDS
from tests.sample_videos.conftest import paced
from tests.sample_videos.consistent import contradictions

RULES = ("fsm-2026", "disbord", "legion")
MANNERS = ("full", "terse", "chatty")


def wishes(seed: int) -> Wishes:
    """Any game: rules, manner, length and rate of violations by the seed."""
    g = random.Random(seed)
    return Wishes(
        g.choice(RULES), seed, g.choice(MANNERS), g.random() < 0.8, g.choice([0, 0, 0, 1, 2]), g.choice([0, 1, 2, 5])
    )  # fmt: skip


@cache
def truth(seed: int) -> dict[str, Any]:
    return truth_of(paced(writer_for(wishes(seed)).write(), seed), "x.ogg", {})


@pytest.mark.parametrize("first", range(1, 49, 8))
def test_nothing_happens_that_is_not_named(first: int) -> None:
    for seed in range(first, first + 8):
        assert not contradictions(truth(seed)), (seed, wishes(seed))


def test_the_recording_holds_what_happens_after_the_last_word() -> None:
    """A table that stops with the nightfall: the slowest mask is still to be seen."""
    script = writer_for(Wishes("disbord", 903, "terse", days=1)).write()
    t = paced(script, 1)
    late = max(t.when(a.start) for a in script.acts if a.start.line != END)
    assert t.duration >= late + SETTLE - GRID
    assert all(a.t1 - a.t0 >= GRID - 1e-6 for a in t.acts)


def test_every_kind_comes_up() -> None:
    """The kinds that the documentation promises, over twenty games of the federation's rules."""
    found = set()
    for seed in range(1, 21):
        for condensed in (True, False):
            script = writer_for(Wishes("fsm-2026", seed, rate=3.0, condensed=condensed)).write()
            found |= {f.kind for f in script.flags}
    assert set(KINDS) <= found


def test_what_is_written_is_read_back() -> None:
    for seed in range(1, 13):
        script = writer_for(wishes(seed)).write()
        assert as_json(from_json(as_json(script))) == as_json(script)


def test_bodies_do_what_the_truth_says(nowhere: Surroundings) -> None:
    for seed in (2, 3, 5, 8, 11, 12):
        t = paced(writer_for(wishes(seed)).write(), seed)
        acting = Acting(t, nowhere, seed)
        for a in t.acts:
            if a.act.kind == "hand":
                channel = acting.channels[a.act.seat]["R" if a.act.fields["hand"] == "right" else "L"]
                down = [is_contact(channel.at(x)) for x in (a.t0 - GRID, a.t0, a.t1 - GRID, a.t1)]
                assert down == [False, True, True, False], (seed, a)
            elif a.act.kind == "sign":
                assert "sign" in acting.channels[a.act.seat]["R"].at((a.t0 + a.t1) / 2).b, (seed, a)


Tamper = Callable[[dict[str, Any]], object]
LIES: dict[str, Tamper] = {
    "a hand that nobody saw": lambda d: d["hands"].pop(0),
    "an early hand unnamed": lambda d: d["flags"].pop(_flag(d, "hand_early")),
    "a mask that stays off": lambda d: d["masks"].pop(_masked(d)),
    "a count that is wrong": lambda d: _event(d, "vote_announced").update(count=9),
    "the dead vote": lambda d: d["hands"].append(
        {**d["hands"][0], "seat": 7, "t0": d["duration"] - 9, "t1": d["duration"] - 8}
    ),
    "time goes back": lambda d: d["speech"][4].update(t1=d["speech"][4]["t0"] - 1),
    "a second voice": lambda d: d["speech"].append({**d["speech"][2], "speaker": 9}),
    "an illegal event": lambda d: _event(d, "nominated").update(target=1, seat=1, accepted=True),
    "a flag for nothing": lambda d: d["flags"].append({**d["flags"][0], "kind": "table_knock"}),
}  # fmt: skip


def _flag(d: dict[str, Any], kind: str) -> int:
    return next(i for i, f in enumerate(d["flags"]) if f["kind"] == kind)


def _event(d: dict[str, Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(e for e in d["events"] if e["kind"] == kind)
    return found


def _masked(d: dict[str, Any]) -> int:
    return next(i for i, m in enumerate(d["masks"]) if m["t0"] > 20)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_the_samples_hold_together(name: str) -> None:
    assert not contradictions(truth_of(paced(SAMPLES[name](), 3), "x.mp4", {}))


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_found(lie: str) -> None:
    data = copy.deepcopy(truth_of(paced(SAMPLES["first_table"](), 3), "x.mp4", {}))
    LIES[lie](data)
    assert contradictions(data)


def test_a_lift_that_is_told_only_by_its_outcome_is_followed(tmp_path: Path) -> None:
    import json

    protocol = {
        "schema": "mafiavar/protocol@1",
        "ruleset": "disbord",
        "seats": {str(s): {"role": r} for s, r in enumerate(
            ["don", "mafia", "mafia", "sheriff", *["red"] * 6], 1)},
        "days": [{"day": 1, "nominations": [{"seat": 4, "target": 1}, {"seat": 8, "target": 3}], "lift": None,
                  "ballots": [{"round": n, "votes": {"1": [2, 3, 4, 5, 6], "3": [1, 7, 8, 9, 10]}} for n in (1, 2)],
                  "left": []}],
        "nights": [{"night": 1, "killed": 7}],
    }  # fmt: skip
    for left, first in (([], ([7], "shot")), ([1, 3], ([1, 3], "lift"))):
        protocol["days"][0]["left"] = left  # type: ignore[index]
        path = tmp_path / "p.json"
        path.write_text(json.dumps(protocol), encoding="utf-8")
        for seed in (1, 2, 3, 4):
            t = truth_of(
                paced(writer_for(Wishes("disbord", seed, rate=0.0), path).write(), seed), "x.ogg", {}
            )
            gone = next(e for e in t["events"] if e["kind"] == "eliminated")
            assert (sorted(gone["seats"]), gone["by"]) == first
            assert not contradictions(t)
