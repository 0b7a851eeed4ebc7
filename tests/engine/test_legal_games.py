"""Legal games: the audit finds nothing, the game raises nothing, both name the same winner."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import Phase as HypothesisPhase
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from legal import events_of, legal_record

from mafiavar.engine import decide
from mafiavar.engine.audit import audit
from mafiavar.engine.events import Event, event_from, fields_of
from mafiavar.engine.game import Game
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.roles import SEATS, possible
from mafiavar.engine.ruleset import DISBORD, FSM_2026, LEGION, RULESETS
from mafiavar.engine.state import Phase

# A fourth rule set is one more value: the differences that club rules elsewhere show
# (rotation by the closer, third foul without effect, lifts by those who voted, no penalty for a tie).
FOURTH = Ruleset(
    name="fourth",
    opener_rotation="next_after_closer",
    third_foul="nothing",
    lift_majority="of_cast",
    best_move=True,
    nominations_per_day=1,
    draw_length=4,
    revote_order="reversed",
    draw_counts_first_night=False,
    lift_vote="listed",
    lift_splits=frozenset({(2, 4), (2, 9)}),
)
ALL = (*RULESETS.values(), FOURTH)


@pytest.mark.parametrize("rules", ALL, ids=lambda r: r.name)
@pytest.mark.parametrize(
    "chances", [{}, {"miss_chance": 0.97, "nominate_chance": 0.1}, {"foul_chance": 0.4}], ids=str
)
@settings(
    max_examples=12,
    derandomize=True,
    deadline=None,
    phases=[HypothesisPhase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(seed=st.integers(0, 10**6))
def test_a_legal_game_is_clean(rules: Ruleset, chances: dict[str, float], seed: int) -> None:
    record = legal_record(rules, seed, **chances)
    result = audit(record, rules)
    assert [f for f in result.findings if f.kind != "black_without_shots"] == []
    assert result.winner == record.winner
    game, issues = Game.new(rules, record.roles).play(events_of(record, rules))
    assert issues == ()
    assert (game.winner, game.phase) == (record.winner, Phase.OVER)
    assert {s for x in game.left for s in x.seats} == {s for x in result.left for s in x.seats}


def test_draws_and_misses_at_four_happen_in_the_material() -> None:
    winners = {r.name: set() for r in RULESETS.values()}
    for rules in RULESETS.values():
        for seed in range(12):
            winners[rules.name].add(legal_record(rules, seed, miss_chance=0.97, nominate_chance=0.05).winner)
    assert all("draw" in w for w in winners.values())


class Table(RuleBasedStateMachine):
    """Any event the game expects may come: it raises no issue, and the game always has a next move."""

    rules_of_game: Ruleset = FSM_2026

    def __init__(self) -> None:
        super().__init__()
        self.game = Game.new(self.rules_of_game)

    def choose(self, data: st.DataObject, required: bool) -> Event | None:
        options = [e for e in self.game.expected() if e.required is required]
        if not options:
            return None
        # Places are drawn, not the values: hypothesis writes down what it draws, and these are long.
        expected = options[data.draw(st.integers(0, len(options) - 1))]
        fields = {name: v[data.draw(st.integers(0, len(v) - 1))] for name, v in expected.fields}
        event = event_from(expected.kind, fields)
        assert expected.allows(event)
        return event

    def play(self, event: Event | None) -> None:
        if event is not None:
            assert event_from(event.kind, fields_of(event)) == event
            self.game, issues = self.game.apply(event)
            assert issues == (), event

    @precondition(lambda self: self.game.phase is not Phase.OVER)
    @rule(data=st.data())
    def main_line(self, data: st.DataObject) -> None:
        self.play(self.choose(data, required=True))

    @precondition(lambda self: self.game.phase is not Phase.OVER)
    @rule(data=st.data())
    def something_else(self, data: st.DataObject) -> None:
        self.play(self.choose(data, required=False))

    @precondition(lambda self: self.game.phase is Phase.OVER)
    @rule()
    def next_game(self) -> None:
        self.game = Game.new(self.rules_of_game)

    @invariant()
    def is_sane(self) -> None:
        game = self.game
        assert set(game.alive) <= set(SEATS)
        assert possible(game.roles) > 0
        assert hash(game) == hash(game.with_())
        assert game == game.with_()
        if game.phase is not Phase.OVER:
            assert any(e.required for e in game.expected())


def machine(rules: Ruleset) -> type:
    case = type(f"Table_{rules.name}", (Table,), {"rules_of_game": rules}).TestCase
    case.settings = settings(
        max_examples=6,
        stateful_step_count=100,
        derandomize=True,
        deadline=None,
        # Shrinking a game of a hundred moves takes minutes; the moves as drawn tell enough.
        phases=[HypothesisPhase.generate],
        suppress_health_check=list(HealthCheck),
    )
    return case


TestFsm = machine(FSM_2026)
TestDisbord = machine(DISBORD)
TestLegion = machine(LEGION)
TestFourth = machine(FOURTH)


@pytest.mark.parametrize("rules", ALL, ids=lambda r: r.name)
def test_random_games_end(rules: Ruleset) -> None:
    """The main line alone, chosen at random, ends."""
    import random

    for seed in range(6):
        rng, game = random.Random(seed), Game.new(rules)
        for _ in range(4000):
            if game.phase is Phase.OVER:
                break
            options = list(game.due())
            expected = rng.choice(options)
            fields = {name: rng.choice(values) for name, values in expected.fields}
            game, issues = game.apply(event_from(expected.kind, fields))
            assert issues == ()
        assert game.phase is Phase.OVER


def test_rotation_by_the_closer() -> None:
    assert decide.next_opener(FOURTH, [1, 2, 5], 1, 2) == 5
    assert decide.next_opener(FSM_2026, [1, 2, 5], 1, 2) == 2
