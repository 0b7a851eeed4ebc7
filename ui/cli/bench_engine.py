"""`mafiavar bench engine`: how fast the rules are, on one core."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import typer

from mafiavar.engine.events import Event, event_from
from mafiavar.engine.game import Game
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.ruleset import RULESETS
from mafiavar.engine.state import Phase
from mafiavar.ui.language import say

GAMES_AIM = 100
STEPS_AIM = 20_000


@dataclass(frozen=True, slots=True)
class EngineSpeed:
    """Per second of one core's processor time: whole games applied event by event; single steps of
    `apply`; steps of `apply` + `expected`, which is what a search pays for each position."""

    games: float
    applies: float
    steps: float
    events: int


def bench_engine(rules: Ruleset | None = None, games: int = 12, repeats: int = 3) -> EngineSpeed:
    """Plays `games` random legal games (fixed seeds) `repeats` times and takes the best run."""
    chosen = rules or RULESETS["fsm-2026"]
    played = [random_game(chosen, seed) for seed in range(games)]
    events = sum(map(len, played))
    plain = _best(lambda: _replay(chosen, played, look=False), repeats)
    looking = _best(lambda: _replay(chosen, played, look=True), repeats)
    return EngineSpeed(games / plain, events / plain, events / looking, events)


def random_game(rules: Ruleset, seed: int) -> list[Event]:
    """A legal game at random: mostly what is due, sometimes what else may come."""
    rng, game, out = random.Random(seed), Game.new(rules), list[Event]()
    while game.phase is not Phase.OVER and len(out) < 2000:
        expected = game.expected()
        due = [e for e in expected if e.required]
        other = [e for e in expected if not e.required and e.kind not in ("foul", "game_ended")]
        one = rng.choice(other if other and rng.random() < 0.4 else due)
        event = event_from(one.kind, {name: rng.choice(values) for name, values in one.fields})
        game, _ = game.apply(event)
        out.append(event)
    return out


def _replay(rules: Ruleset, games: list[list[Event]], look: bool) -> None:
    for events in games:
        game = Game.new(rules)
        for event in events:
            if look:
                game.expected()
            game, _ = game.apply(event)


def _best(run: Callable[[], None], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        before = time.process_time()
        run()
        times.append(time.process_time() - before)
    return min(times)


def register(app: typer.Typer) -> None:
    """Adds `engine` to the benches."""

    @app.command("engine", help=say("скорость правил на одном ядре", "speed of the rules on one core"))
    def engine() -> None:
        for rules in RULESETS.values():
            speed = bench_engine(rules)
            typer.echo(
                say(
                    f"{rules.name}: {speed.games:.0f} партий/с (цель {GAMES_AIM}), {speed.applies:.0f} ходов/с, "
                    f"с поиском продолжений {speed.steps:.0f} шагов/с (цель {STEPS_AIM}); ходов в {speed.events} событиях",
                    f"{rules.name}: {speed.games:.0f} games/s (aim {GAMES_AIM}), {speed.applies:.0f} moves/s, "
                    f"with expected moves {speed.steps:.0f} steps/s (aim {STEPS_AIM}); {speed.events} events",
                )
            )
        typer.echo(
            say(
                "Предел ставит составление списка ожидаемых ходов (около двух третей времени шага), затем "
                "копирование позиции (около 40 полей).",
                "What bounds it: making the list of expected moves (about two thirds of a step), then copying "
                "the position (about 40 fields).",
            )
        )
