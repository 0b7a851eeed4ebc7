"""Points by hand-made cases, one row a clause, and what must hold for any game."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from mafiavar.engine.clauses import exists
from mafiavar.engine.record import (
    BestMoveRecord,
    DayRecord,
    LiftRecord,
    NightRecord,
    Record,
    RemovalRecord,
    RevealRecord,
)
from mafiavar.engine.ruleset import DISBORD, FSM_2026, LEGION
from mafiavar.engine.scoring import Played, milli, score_game, standings
from mafiavar.engine.scoring.appeals import Appeal, check_appeals
from mafiavar.engine.scoring.ci import ci_in_game, full_ci, least_games
from mafiavar.engine.scoring.rating import change, expected_result
from mafiavar.engine.scoring.written import Written, protocol_points

from legal import legal_record  # isort: skip  (tests/engine/legal.py)
from scored import BIG, ROLES, TECH, night, red_win, split_day, with_day, with_fouls  # isort: skip


ANY = "-"


@pytest.mark.parametrize(
    ("clause", "kind", "record", "seat", "points"),
    [
        ("8.2.1", "win", red_win(), 5, 1.0),
        ("8.2.1", "win", red_win(), 10, 1.0),
        ("8.2.3", "win", red_win(), 1, 0),
        ("8.3.5", "best_move", red_win(), 10, 0.3),
        ("8.3.5", "best_move", red_win(best_moves=(BestMoveRecord(10, (1, 5, 6)),)), 10, 0.1),
        ("8.3.5", "best_move", red_win(best_moves=(BestMoveRecord(10, (1, 2, 3)),)), 10, 0.6),
        ("8.3.5", "best_move", red_win(best_moves=(BestMoveRecord(10, (5, 6, 7)),)), 10, 0),
        ("8.3.1", "best_move", red_win(best_moves=(BestMoveRecord(9, (1, 2, 3)),)), 9, 0),  # killed second
        ("6.7.1", "technical", with_fouls(TECH), 5, -0.3),
        ("6.7.1", "technical", with_fouls(BIG), 5, -0.6),
        ("6.7.2", "technical", with_fouls(TECH, TECH, removed=(RemovalRecord(5, "technical", "speech"),), day=4), 5, -0.9),
        ("6.7.2", "technical", with_fouls(BIG, BIG, removed=(RemovalRecord(5, "technical", "speech"),), day=4), 5, -1.8),
        ("6.7.2", "technical", with_fouls(BIG, TECH, removed=(RemovalRecord(5, "technical", "speech"),), day=4), 5, -1.2),
        ("6.7.2", "technical", with_fouls(TECH, BIG, removed=(RemovalRecord(5, "technical", "speech"),), day=4), 5, -1.5),
        ("6.7.2", "removal", with_fouls(TECH, TECH, removed=(RemovalRecord(5, "technical", "speech"),), day=4), 5, 0),
        # day 1: seven reds and three blacks: not critical; day 4: reds 4..7 against 3: critical (4 <= 1 + 2 is false)
        ("8.2.4", "removal", with_fouls(removed=(RemovalRecord(5, "removal", "after_result"),)), 5, -0.6),
        ("8.2.4", "removal", with_fouls(removed=(RemovalRecord(7, "removal", "speech"),), day=3), 7, -0.6),
        ("8.2.5", "team_defeat", with_fouls(removed=(RemovalRecord(5, "team_defeat", "speech"),)), 5, -1.5),
        ("8.2.5", "win", with_fouls(removed=(RemovalRecord(5, "team_defeat", "speech"),)), 1, 1.0),
        ("8.4.3", "bonus", red_win(bonus={5: 0.4}), 5, 0.4),
        ("8.4.3", "bonus", red_win(bonus={5: -0.4}), 5, -0.4),
        ("7.11.2", "false_reveal", with_day(red_win(), DayRecord(1, nominations=(), ballots=(), left=(), reveals=(RevealRecord(10, "sheriff"),))), 10, -1.5),
        ("7.11.2", "false_reveal", with_day(red_win(), DayRecord(1, nominations=(), ballots=(), left=(), reveals=(RevealRecord(10, "sheriff", True),))), 10, 0),
    ],
)  # fmt: skip
def test_rows(clause: str, kind: str, record: Record, seat: int, points: float) -> None:
    score = score_game(record, FSM_2026)
    assert score.total(seat, (kind,)) == milli(points)
    assert all(exists(p.clause or "") for p in score.points)


def test_twice_tied_table_costs_every_red() -> None:
    """2/10 on day one: stays, and 4.5.14 to the letter; the option spares it."""
    record = with_day(red_win(), split_day(1, tuple(range(1, 11)), 5, 6))
    score = score_game(record, FSM_2026)
    assert [score.total(s, ("table_split",)) for s in range(1, 11)] == [0, 0, 0] + [-300] * 7
    assert {p.clause for p in score.points if p.kind == "table_split"} == {"fsm-2026:7.11.3"}
    spared = score_game(record, FSM_2026.with_options({"twice_tied_penalty_day_one": False}))
    assert all(p.kind != "table_split" for p in spared.points)
    lifted = with_day(
        red_win(), replace(split_day(1, tuple(range(1, 11)), 5, 6), lift=LiftRecord((1, 2), ()))
    )
    assert score_game(lifted, FSM_2026).total(5, ("table_split",)) == -300


def test_critical_removal() -> None:
    """Five left: 3 (black) and 4, 5, 6, 7: 4 > 1 + 2, not critical. After night 2 of a game without day-2
    vote there are three blacks and five reds: 5 <= 3 + 2, critical."""
    days = (
        DayRecord(1, nominations=(), ballots=(), left=()), DayRecord(2, nominations=(), ballots=(), left=()),
        DayRecord(3, nominations=(), ballots=(), left=(), removed=(RemovalRecord(7, "removal", "speech"),)),
    )  # fmt: skip
    record = red_win(days=days, nights=(night(1, 10, 1, 2, 3), night(2, 9, 1, 2, 3)), winner=None)
    score = score_game(record, FSM_2026)
    assert score.total(7, ("removal",)) == -1000
    assert next(p for p in score.points if p.kind == "removal").clause == "fsm-2026:8.2.4"
    assert score_game(record, FSM_2026.with_options({"critical_margin": 1})).total(7, ("removal",)) == -600


@pytest.mark.parametrize(
    ("written", "points"),
    [
        (Written(10, blacks=(1,)), 0.2),
        (Written(10, blacks=(1, 2, 3)), 0.8),
        (Written(10, blacks=(5,)), -0.2),
        (Written(10, blacks=(5, 6, 7)), -0.8),
        (Written(10, blacks=(1, 5)), 0.0),
        (Written(10, reds=(5,)), 0.1),
        (Written(10, reds=(5, 6, 7, 8, 9)), 0.8),  # .1 + 4 x .2 = .9, no more than .8
        (Written(10, reds=(1,)), -0.2),
        (Written(10, reds=(1, 2)), -0.4),
        (Written(10, reds=(1, 2, 3)), -0.4),
        (Written(10, version=4), 0.4),
        (Written(10, version=5), -0.4),
        (Written(10, version=4, blacks=(1, 2), version_colours=frozenset({1})), 0.6),  # 1 follows: .4 + .2
        (Written(10, blacks=(1, 2), sure=frozenset({1})), 0.2),
        (Written(10, blacks=(1, 2), near=frozenset({1})), 0.3),  # half of .2, the next counts as the first
        (Written(10, reds=(5, 6), near=frozenset({5})), 0.15),
        (Written(4, reds=(5, 6), checked=frozenset({5})), 0.1),
        (Written(10, reds=(5, 6), blacks=(3,), aside=True), 0.6),
        (Written(10, reds=(1,), blacks=(5,), aside=True), -0.4),
        (Written(10, blacks=(1, 2, 3), reds=(5,)), 0.8),  # 8.3.9.2: up to .8
    ],
)
def test_protocol_of_the_first_killed(written: Written, points: float) -> None:
    assert protocol_points(written, ROLES)[0] == milli(points)


def test_testament_and_protocol_the_larger() -> None:
    words = {"testament": {"seat": 10, "points": 0.2}, "protocol": {"seat": 10, "blacks": [1, 2]}}
    record = with_day(red_win(), replace(red_win().days[1], **words))
    score = score_game(record, FSM_2026)
    assert (score.total(10, ("protocol",)), score.total(10, ("testament",))) == (500, 0)
    words["testament"]["same"] = False
    record = with_day(red_win(), replace(red_win().days[1], **words))
    assert score_game(record, FSM_2026).total(10, ("protocol", "testament")) == 700
    silent = {"protocol": {"seat": 10, "silent_reveal": True}}
    record = with_day(red_win(), replace(red_win().days[1], **silent))
    assert score_game(record, FSM_2026).total(10, ("silent_reveal",)) == -200


@pytest.mark.parametrize(
    ("bonus", "remarks"),
    [
        ({5: 0.4, 6: 0.3}, set()),
        ({5: 0.1}, {"bonus_size"}),
        ({5: 1.2}, {"bonus_agreed"}),
        ({5: -1.5}, {"bonus_agreed"}),
        (dict.fromkeys(range(1, 9), 0.2), {"bonus_players"}),
        (dict.fromkeys(range(1, 6), 1.0), {"bonus_sum"}),
    ],
)
def test_bonus_limits_are_warnings(bonus: dict[int, float], remarks: set[str]) -> None:
    score = score_game(red_win(bonus=bonus), FSM_2026)
    assert {r.kind for r in score.remarks} - {"ci_needs_distance"} == remarks
    assert all(score.total(s, ("bonus",)) == milli(p) for s, p in bonus.items())


# --- Ci


def test_ci_of_a_real_tournament_of_teams() -> None:
    """Teams of three with 40 games each: B = 48."""
    assert least_games(FSM_2026, 120) == 48
    published = {22: 183, 21: 175, 19: 158, 15: 125, 11: 92, 10: 83, 8: 67, 6: 50, 2: 17}
    assert {i: milli(full_ci(FSM_2026, i, 120)) for i in published} == published
    assert milli(ci_in_game(FSM_2026, full_ci(FSM_2026, 22, 120), won=True, hits=1)) == 92
    assert milli(full_ci(FSM_2026, 60, 120)) == 400
    assert ci_in_game(FSM_2026, Fraction(1), won=False, hits=0) == 0
    assert ci_in_game(FSM_2026, Fraction(1), won=None, hits=3) == 0


@pytest.mark.parametrize(("rounding", "b"), [("half_up", 5), ("half_even", 4), ("down", 4), ("up", 5)])
def test_rounding_of_b_is_an_option(rounding: str, b: int) -> None:
    rules = FSM_2026.with_options({"ci_b_rounding": rounding, "ci_share": 0.5, "ci_least_b": 1})
    assert least_games(rules, 9) == b


def test_ci_in_a_tournament() -> None:
    """One game alone: B = 4, i = 1: 0.1, halved on the red win; a black killed first gets none."""
    table, scored = standings([Played("a", red_win())], FSM_2026)
    assert scored[0][1].total(10, ("ci",)) == 50
    assert next(s for s in table if s.player == "p10").ci == 50
    black_first = red_win(roles={**ROLES, 10: "mafia", 3: "red"}, winner=None)
    assert standings([Played("a", black_first)], FSM_2026)[1][0][1].total(10, ("ci",)) == 0
    two_stages = [Played("a", red_win(), "1"), Played("b", red_win(), "1"), Played("c", red_win(), "2")]
    scores = [s.total(10, ("ci",)) for _, s in standings(two_stages, FSM_2026)[1]]
    assert scores == [100, 100, 50]  # i = 2 over the first stage: 0.2, halved
    pooled = standings([Played("a", red_win())], FSM_2026, {f"p{s}": "team" for s in range(1, 11)})
    assert pooled[1][0][1].total(10, ("ci",)) == 50  # one kill, ten games: B = 4


# --- ranking, Legion, DISBORD, appeals


def test_ranking_and_its_tie_breaks() -> None:
    table, _ = standings([Played("a", red_win(bonus={5: 0.4, 6: 0.4}))], FSM_2026)
    assert [s.player for s in table[:3]] == ["p5", "p6", "p10"]
    assert table[0].place == table[1].place == 1 and table[0].lot and table[1].lot
    assert table[2].place == 3  # 1 + .3 + Ci .05
    sheriff = next(s for s in table if s.player == "p4")
    reds = next(s for s in table if s.player == "p7")
    assert sheriff.place < reds.place and sheriff.total == reds.total  # 8.7.3: a win as sheriff


def test_order_of_games_does_not_matter() -> None:
    games = [
        Played(
            str(i),
            replace(legal_record(FSM_2026, i), nicknames={s: f"p{(s + i) % 12}" for s in range(1, 11)}),
        )
        for i in range(6)
    ]
    shuffled = games[:]
    random.Random(1).shuffle(shuffled)
    assert standings(games, FSM_2026)[0] == standings(shuffled, FSM_2026)[0]


@pytest.mark.parametrize("seed", range(12))
def test_any_game_adds_up(seed: int) -> None:
    rng = random.Random(seed)
    bonus = {s: rng.choice([-0.4, 0.2, 0.3, 1.0]) for s in rng.sample(range(1, 11), 4)}
    for rules in (FSM_2026, LEGION):
        score = score_game(replace(legal_record(rules, seed), bonus=bonus), rules)
        for seat in range(1, 11):
            assert score.total(seat) == sum(p.milli for p in score.points if p.seat == seat)
        assert all(exists(p.clause or "") and p.milli for p in score.points)


def test_a_draw_gives_no_plus() -> None:
    days = tuple(DayRecord(d, nominations=(), ballots=(), left=()) for d in (1, 2, 3))
    nights = tuple(NightRecord(n, ((1, 5), (2, 6), (3, 5)), None, True) for n in (1, 2, 3))
    record = red_win(days=days, nights=nights, best_moves=(), winner="draw", bonus={5: 0.4, 6: -0.4})
    score = score_game(record, FSM_2026)
    assert score.winner == "draw"
    assert [(p.seat, p.kind, p.milli) for p in score.points] == [(6, "bonus", -400)]
    assert "bonus_in_draw" in {r.kind for r in score.remarks}


def test_legion_and_disbord() -> None:
    score = score_game(red_win(bonus={5: 1.25, 6: 0.3}), LEGION)
    assert score.total(5) == 3750 and score.total(10, ("best_move",)) == 500
    assert {"bonus_size", "bonus_missing"} <= {r.kind for r in score.remarks}
    assert [milli(full_ci(LEGION, n, 20)) for n in (0, 1, 2, 3)] == [0, 0, 500, 1000]
    none = score_game(red_win(), DISBORD)
    assert none.points == () and [r.kind for r in none.remarks] == ["no_points"]


def test_rating() -> None:
    assert expected_result(1200, 1000) == pytest.approx(0.7597, abs=1e-4)
    assert change(rating=1000, games=5, team=1000, opponents=1000, won=True, additional=0.5) == 4 * (
        2.5 * 0.5 + 0.5
    )
    assert change(rating=1000, games=50, team=1000, opponents=1000, won=None, additional=0) == 0


def test_appeals() -> None:
    ok = Appeal("a", 2, 5, 6, 2, 0.2, 0.5)
    cases = [
        (ok, []),
        (replace(ok, published=3), ["appeal_late"]),
        (replace(ok, day=1), ["appeal_day_one"]),
        (replace(ok, asked=0.3), ["appeal_small"]),
        (replace(ok, filed=7, published=6), ["appeal_last_round"]),
        (replace(ok, tables_closed_between=True), ["appeal_closed_tables"]),
    ]
    for appeal, kinds in cases:
        ((_, remarks),) = check_appeals([appeal], FSM_2026, last_round=7)
        assert [r.kind for r in remarks] == kinds
        assert all(exists(r.clause or "") for r in remarks)
    many = check_appeals([ok, ok, ok, ok, replace(ok, given=-0.4, asked=0)], FSM_2026)
    assert [[r.kind for r in remarks] for _, remarks in many] == [[], [], [], ["appeal_many"], []]
