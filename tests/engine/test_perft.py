"""Exhaustive counts of small endgames: every ballot, every shot. Golden numbers, changed only knowingly.

The small ones are derived by hand beside them; the others are what the engine counted when those were
right, kept so that a change of the rules shows.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from mafiavar.engine import decide
from mafiavar.engine.ahead import Expected
from mafiavar.engine.events import Eliminated, Event, LiftResult, NightResult, VoteAnnounced
from mafiavar.engine.game import Game
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.ruleset import DISBORD, FSM_2026, LEGION
from mafiavar.engine.state import Phase


def outcomes(rules: Ruleset, day: int, voters: int, candidates: tuple[int, ...]) -> Counter[tuple[str, int]]:
    """What follows from each of the candidates^voters ballots of a first round: (verdict, how many)."""
    out: Counter[tuple[str, int]] = Counter()
    for votes in product(candidates, repeat=voters):
        tally = {c: votes.count(c) for c in candidates}
        verdict = decide.after_ballot(rules, day=day, at_table=voters, candidates=candidates, tally=tally)
        out[verdict.kind, len(verdict.seats)] += 1
    return out


def test_first_ballots_of_four_by_hand() -> None:
    # Two candidates, four voters: 2^4 = 16 ballots, C(4,2) = 6 of them are ties.
    assert outcomes(FSM_2026, 2, 4, (1, 2)) == {("leave", 1): 10, ("revote", 2): 6}
    # Three candidates, six voters, day one: 3^6 = 729; 2:2:2 in 6!/(2!2!2!) = 90 ways means night (4.5.10);
    # 3:3:0 in 3*C(6,3) = 60 ways a re-vote; no other split ties at the top.
    assert outcomes(FSM_2026, 1, 6, (1, 2, 3)) == {("leave", 1): 579, ("night", 3): 90, ("revote", 2): 60}
    assert outcomes(DISBORD, 1, 6, (1, 2, 3)) == {("leave", 1): 579, ("revote", 3): 90, ("revote", 2): 60}


def choices(expected: Expected) -> list[Event]:
    """The moves; that a limit may be said or not said makes no second move of giving the floor."""
    events = list(expected.events())
    return events[:1] if expected.kind == "floor_given" else events


def perft(game: Game, depth: int) -> int:
    """How many positions lie `depth` main-line moves ahead."""
    if depth == 0 or game.phase is Phase.OVER:
        return 1
    total = 0
    for expected in game.due():
        for event in choices(expected):
            after, issues = game.apply(event)
            assert issues == ()
            total += perft(after, depth - 1)
    return total


def endgame(rules: Ruleset, alive: tuple[int, ...]) -> Game:
    """Evening of day 2: the night comes next; seat 1 is the last black, 4 the sheriff."""
    roles = {1: "don", 9: "mafia", 10: "mafia", 4: "sheriff"} | dict.fromkeys((2, 3, 5, 6, 7, 8), "red")
    game = Game.new(rules, roles)
    return game.with_(phase=Phase.EVENING, day=2, alive=alive, previous_opener=1, opener=2)


@pytest.mark.parametrize(
    ("rules", "alive", "depth", "count"),
    [
        # night, shooting, result (one of 3 seats or a miss: 4 positions)
        (FSM_2026, (1, 2, 4), 3, 4),
        # after that: the killed leaves or day 3 begins (still 4), then game end or a last word
        (FSM_2026, (1, 2, 4), 5, 4),
        (FSM_2026, (1, 2, 3, 4, 5), 3, 6),
        (DISBORD, (1, 2, 3, 4, 5), 3, 6),
        (LEGION, (1, 2, 3, 4, 5), 3, 6),
    ],
)
def test_endgames(rules: Ruleset, alive: tuple[int, ...], depth: int, count: int) -> None:
    assert perft(endgame(rules, alive), depth) == count


def ballots(game: Game) -> Counter[tuple[str, ...]]:
    """All ways a vote on candidates 1 and 2 among the living can go, by counts, until somebody leaves, all
    stay or the night comes: counted as the kinds of events that end them."""
    ends: Counter[tuple[str, ...]] = Counter()
    stack: list[tuple[Game, tuple[Event, ...]]] = [(game, ())]
    while stack:
        now, path = stack.pop()
        for expected in now.due():
            if not expected.required:
                continue
            for event in choices(expected):
                if isinstance(event, Eliminated):
                    ends["left", *map(str, event.seats)] += 1
                elif event.kind == "night_began":
                    ends[("stay",)] += 1
                elif not isinstance(event, NightResult):
                    after, issues = now.apply(event)
                    assert issues == ()
                    kept = isinstance(event, (VoteAnnounced, LiftResult))
                    stack.append((after, (*path, event) if kept else path))
    return ends


def test_votes_of_four_by_counts() -> None:
    """Two candidates at four: the first may get 0..4. 2:2 leads to a re-vote, 2:2 again to the lift (2/4 is
    allowed by 7.11.4), where 0..4 may be "for": more than half of four is 3 or 4."""
    from mafiavar.engine.events import VoteOpened

    game = endgame(FSM_2026, (1, 2, 3, 4)).with_(
        phase=Phase.DAY, day=3, spoken=(2, 3, 4, 1), opener=2, night_state=None, unknown_past=True
    )
    opened, _ = game.apply(VoteOpened(1, (1, 2)))
    ends = ballots(opened)
    # `eliminated` after a lift may be written as by lift or by vote: two spellings of each passed lift
    assert ends[("left", "1")] == 2 + 2
    assert ends[("left", "2")] == 2 + 2
    assert ends[("left", "1", "2")] == 2 * 2
    assert ends[("stay",)] == 3
