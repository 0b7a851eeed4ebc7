"""A round of a vote weighed: equal to the sum over every single way, and what that tells."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest

from mafiavar.analyzer.align import ballot_weights
from mafiavar.analyzer.align.ballot_words import CALL, COUNT, STOP, Outcome, Round, Said
from mafiavar.analyzer.align.parameters import default
from mafiavar.analyzer.align.shared_votes import OPEN, own_numbers
from mafiavar.engine.game import Game
from mafiavar.engine.ruleset import ruleset
from mafiavar.engine.state import Vote

P = default()
SECOND = 1_000_000


def a_round(
    said: list[tuple[int, float, dict[int, float] | None]],
    candidates: tuple[int, ...],
    voters: int,
    **known: Any,
) -> Round:
    """Phrases (stage, odds, numeral) two seconds apart."""
    heard = tuple(
        Said(i, stage, False, odds, numeral, 2 * i * SECOND, 2 * i * SECOND + SECOND // 2, 1.0)
        for i, (stage, odds, numeral) in enumerate(said)
    )
    game = Game.new(ruleset("fsm-2026"))
    vote = Vote(1, candidates, tuple(range(1, voters + 1)), ())
    given = {"opened": None, "following": None, "outcome": Outcome(), "seen": {}, "fixed": {}, **known}
    return Round(1, 1, candidates, voters, heard, game=game, vote=vote, **given)


def by_hand(one: Round, listed: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """The weight of every number of every candidate: each chain of steps and each set of numbers by itself."""
    steps, links = ballot_weights._read(one, listed, P)
    chains: list[tuple[float, list[int]]] = [(links.none, [])]

    def follow(i: int, weight: float, way: list[int]) -> None:
        chains.append((weight + float(links.last[i]), way))
        for j in range(i + 1, len(steps)):
            if np.isfinite(links.between[i, j]):
                follow(j, weight + float(links.between[i, j]) + steps[j].weight, [*way, j])

    for j, step in enumerate(steps):
        follow(j, float(links.first[j]) + step.weight, [j])
    everything = list(itertools.product(range(one.voters + 1), repeat=len(listed)))

    def usual(votes: tuple[int, ...]) -> float:
        return math.prod(P.votes["leader" if n == max(votes) else "other"][n] for n in votes)

    def result(votes: tuple[int, ...]) -> float:
        if not one.outcome.kind:
            return 1.0
        leaders = {c for c, n in zip(listed, votes, strict=True) if n == max(votes)}
        agrees = float(leaders == one.outcome.seats)
        return one.outcome.believed * agrees + (1 - one.outcome.believed) * OPEN

    ways = sum(usual(v) for v in everything if sum(v) == one.voters)
    slip = math.exp(P.table["miscounted"])
    rows = np.zeros((len(listed), one.voters + 1))
    for votes in everything:
        prior = slip * OPEN / (one.voters + 1) ** len(listed)
        if sum(votes) == one.voters:
            prior += (1 - slip) * usual(votes) * result(votes) / ways
        prior *= math.prod(own_numbers(one, c)[n] for c, n in zip(listed, votes, strict=True))
        total = 0.0
        for weight, way in chains:
            told = [(steps[j].votes, steps[j].place[0]) for j in way]
            total += math.exp(weight) * math.prod(v[votes[c]] for v, c in told if v is not None)
        for row, n in zip(rows, votes, strict=True):
            row[n] += prior * total
    return rows


@pytest.mark.parametrize("seed", range(6))
def test_the_sums_are_those_over_every_single_way(seed: int) -> None:
    dice = random.Random(seed)
    listed = (3, 1, 7)[: dice.choice((2, 3))]
    said: list[tuple[int, float, dict[int, float] | None]] = []
    for _ in range(5):
        stage = dice.choice((CALL, STOP, COUNT))
        n = dice.choice(listed) if stage == CALL else dice.randint(0, 4)
        said.append((stage, dice.uniform(0, 4), None if stage == STOP else {n: 0.8, (n + 1) % 5: 0.1}))
    one = a_round(
        said,
        listed,
        4,
        outcome=Outcome("left", frozenset(listed[:1]), 0.9) if seed % 2 else Outcome(),
        following=("eliminated", 12 * SECOND),
        seen={listed[0]: (0.1, 0.5, 1.5, 1.0, 1.0)},
    )
    rows = by_hand(one, listed)
    assert ballot_weights.weigh(one, listed, P) == pytest.approx(math.log(rows[0].sum()))
    found = ballot_weights.numbers(one, listed, P)
    for c, row in zip(listed, rows, strict=True):
        assert found[c] == pytest.approx(tuple(row / row.sum()))


def turn(target: int, count: int, sure: float = 0.9) -> list[tuple[int, float, dict[int, float] | None]]:
    return [
        (CALL, 3.0, {target: 0.95, target % 10 + 1: 0.02}),
        (STOP, 3.0, None),
        (COUNT, 3.0, {count: sure, count + 1: 0.02}),
    ]


def test_a_count_before_the_first_call_and_missing_votes_tell_of_a_candidate_nobody_heard() -> None:
    said = [(STOP, 3.0, None), (COUNT, 3.0, {8: 0.95, 7: 0.02}), *turn(1, 1), *turn(10, 0), *turn(5, 1)]
    one = a_round(said, (1, 10, 5), 10, outcome=Outcome("left", frozenset({3}), 0.99))
    shorter = ballot_weights.weigh(one, (1, 10, 5), P)
    assert ballot_weights.weigh(one, (3, 1, 10, 5), P) > shorter + 5
    counts = ballot_weights.numbers(one, (3, 1, 10, 5), P)
    assert counts[3][8] > 0.95


def test_a_number_belongs_to_whom_the_result_and_the_sum_give_it() -> None:
    """The call of the second was lost; the one with six has left."""
    said = [*turn(2, 1), *turn(4, 6)[1:], *turn(9, 3)]
    one = a_round(said, (2, 4, 9), 10, outcome=Outcome("left", frozenset({4}), 0.99))
    counts = ballot_weights.numbers(one, (2, 4, 9), P)
    assert counts[2][1] > 0.95 and counts[4][6] > 0.95 and counts[9][3] > 0.95
    found = ballot_weights.laid(one, (2, 4, 9), {2: 1, 4: 6, 9: 3}, P)
    assert found == {(2, 0): 0, (2, 1): 1, (2, 2): 2, (4, 1): 3, (4, 2): 4, (9, 0): 5, (9, 1): 6, (9, 2): 7}


def test_a_count_that_a_person_has_stated_is_the_only_one() -> None:
    said = [*turn(2, 4), *turn(5, 6)]
    counts = ballot_weights.numbers(a_round(said, (2, 5), 10, fixed={5: 7}), (2, 5), P)
    assert counts[5][7] == pytest.approx(1.0)
    assert counts[2][3] > 0.5
