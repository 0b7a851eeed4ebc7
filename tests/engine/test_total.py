"""`apply`, `due` and `expected` answer anything: any event, in any order, in any position."""

from __future__ import annotations

import random
from dataclasses import fields
from typing import Any

import pytest

from mafiavar.engine import events as ev
from mafiavar.engine.events import EVENTS, Event
from mafiavar.engine.game import Game
from mafiavar.engine.kinds import TOPICS
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.ruleset import RULESETS

SEQUENCES, LENGTH = 60, 120
ROLES = {1: "don", 2: "mafia", 3: "mafia", 4: "sheriff"} | dict.fromkeys(range(5, 11), "red")


def odd_seat(rng: random.Random) -> int:
    return rng.choice([*range(1, 11), *range(1, 11), 0, 11, -3])


def value_of(name: str, rng: random.Random) -> Any:
    if name in ("seat", "target", "shooter", "killed"):
        return (
            rng.choice([odd_seat(rng), odd_seat(rng), None])
            if name in ("shooter", "killed")
            else odd_seat(rng)
        )
    if name in ("candidates", "seats", "targets", "unseen"):
        return tuple(odd_seat(rng) for _ in range(rng.randint(0, 4)))
    if name in ("round", "night", "count", "yes", "no", "ordinal"):
        return rng.randint(-1, 12)
    choices: dict[str, tuple[Any, ...]] = {
        "purpose": ("speech", "revote", "last_word", "protocol", "best_move"), "seconds": (None, 60, 30, 0, -1),
        "accepted": (True, False), "reason": (None, "tense", "dead", "second", "already_nominated", "?"),
        "by": ("vote", "lift", "shot", "fouls", "technical", "removal", "team_defeat", "don", "sheriff", "pas"),
        "level": ("warning", "foul", "technical", "technical_big", "removal", "team_defeat"),
        "violation": (None, "4.5.9", "6.8.4", "6.8.7", "?"), "winner": ("red", "black", "draw", None),
        "found": (True, False, None), "claims": ("sheriff", "black", "red"), "withdrawn": (True, False),
        "remainder": (True, False),
    }  # fmt: skip
    return rng.choice(choices.get(name, (None,)))


def field_names(kind: str) -> list[str]:
    return [f.name for f in fields(EVENTS[kind])]  # type: ignore[arg-type]


def any_event(rng: random.Random) -> Event:
    kind = rng.choice(tuple(EVENTS))
    values = {name: value_of(name, rng) for name in field_names(kind)}
    return EVENTS[kind](**values)


def starts(rules: Ruleset) -> list[Game]:
    return [
        Game.new(rules),
        Game.new(rules, ROLES),
        Game.excerpt(rules),
        Game.excerpt(rules, day=3, alive=(1, 4, 5, 9)),
    ]


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda r: r.name)
def test_any_event_in_any_position(rules: Ruleset) -> None:
    for seed in range(SEQUENCES):
        rng = random.Random(seed)
        game = rng.choice(starts(rules))
        for _ in range(LENGTH):
            # half of what comes is legal, so that every phase is reached
            expected = [e for e in game.expected() if e.kind != "game_ended"]
            event = any_event(rng)
            if expected and rng.random() < 0.5:
                one = rng.choice(expected)
                event = EVENTS[one.kind](**{n: rng.choice(v) for n, v in one.fields if v})
            game, issues = game.apply(event)
            assert all(i.kind in TOPICS for i in issues)
            assert set(game.alive) <= set(range(1, 11))
            assert list(game.alive) == sorted(game.alive)
            assert game.phase.value == "over" or game.due()
            hash(game)


def test_everybody_gone() -> None:
    """Also a table nobody sits at has an answer."""
    game = Game.new(RULESETS["fsm-2026"], ROLES)
    game, _ = game.play(
        [ev.GameStarted(), ev.NightBegan(0), ev.DayBegan(), ev.Eliminated(tuple(range(1, 11)), "removal")]
    )
    assert game.alive == ()
    assert [e.kind for e in game.due()] == ["game_ended"]
    for event in (ev.DayBegan(), ev.NightBegan(1), ev.VoteOpened(1), ev.FloorGiven(1), ev.GameEnded("red")):
        game.apply(event)[0].expected()
