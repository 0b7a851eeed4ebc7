"""Every kind of issue at the table: a legal course of play, then one event, and exactly that issue."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

import mafiavar.engine as engine_package
from mafiavar.engine import events as ev
from mafiavar.engine.game import Game
from mafiavar.engine.kinds import TOPICS
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.ruleset import DISBORD, FSM_2026

Events = list[ev.Event]
TEN = tuple(range(1, 11))
ROLES = {1: "don", 2: "mafia", 3: "mafia", 4: "sheriff"} | dict.fromkeys(range(5, 11), "red")
BEGIN: Events = [ev.GameStarted(), ev.NightBegan(0), ev.DayBegan()]


def minute(seat: int, *inside: ev.Event, seconds: float = 60) -> Events:
    return [ev.FloorGiven(seat, seconds), *inside, ev.FloorEnded(seat, "pas")]


def speeches(order: Iterable[int], nominations: Mapping[int, int] | None = None) -> Events:
    out: Events = []
    for seat in order:
        target = (nominations or {}).get(seat)
        out += minute(seat, *([ev.Nominated(seat, target)] if target else []))
    return out


def call(round_: int, target: int, voters: Iterable[int], count: int | None = None) -> Events:
    who = tuple(voters)
    return [
        ev.VoteCalled(round_, target), *(ev.VoteCast(round_, target, s) for s in who), ev.VoteClosed(round_, target),
        ev.VoteAnnounced(round_, target, len(who) if count is None else count),
    ]  # fmt: skip


def ballot(round_: int, votes: Mapping[int, Iterable[int]]) -> Events:
    out: Events = [ev.VoteOpened(round_, tuple(votes))]
    for target, who in votes.items():
        out += call(round_, target, who)
    return out


def halves(first: int, second: int, voters: Iterable[int]) -> dict[int, list[int]]:
    who = list(voters)
    return {first: who[: len(who) // 2], second: who[len(who) // 2 :]}


def half_minutes(*seats: int) -> Events:
    return [e for s in seats for e in (ev.FloorGiven(s, 30, "revote"), ev.FloorEnded(s, "pas"))]


def last_word(seat: int) -> Events:
    return [ev.FloorGiven(seat, 60, "last_word"), ev.FloorEnded(seat, "pas")]


def miss(number: int) -> Events:
    return [ev.NightBegan(number), ev.ShootingBegan(number), ev.Shot(number, 1, 9), ev.Shot(number, 2, 8), ev.NightResult(number)]  # fmt: skip


def kill(number: int, target: int, shooters: Iterable[int] = (1, 2, 3)) -> Events:
    shots = [ev.Shot(number, s, target) for s in shooters]
    return [ev.NightBegan(number), ev.ShootingBegan(number), *shots, ev.NightResult(number, target), ev.Eliminated((target,), "shot")]  # fmt: skip


def fouls(seat: int, count: int) -> Events:
    return [ev.Foul(seat, "foul", i + 1) for i in range(count)]


# --- positions everything starts from (day 1, ten at the table, unless said otherwise)

MORNING = BEGIN
QUIET = [*BEGIN, *speeches(TEN)]
TWO = [*BEGIN, *speeches(TEN, {1: 5, 2: 6})]
VOTING = [*TWO, ev.VoteOpened(1, (5, 6))]
TIED = [*TWO, *ballot(1, halves(5, 6, TEN))]
AGAIN = [*TIED, *half_minutes(5, 6)]
TWICE = [*AGAIN, *ballot(2, halves(5, 6, TEN))]
VOTED = [*TWO, *ballot(1, {5: TEN[:6], 6: TEN[6:]})]
EVENING = [*VOTED, ev.Eliminated((5,), "vote")]
NIGHT = [*QUIET, ev.NightBegan(1)]
KILLED = [*QUIET, *kill(1, 10)]
MOVED = [*KILLED, ev.FloorGiven(10, 20, "best_move"), ev.BestMove(10, (1, 2, 5)), ev.FloorEnded(10)]
DAY_TWO = [*MOVED, ev.DayBegan(), *last_word(10)]
NINE = tuple(range(2, 10))
SECOND_ROUND = [*DAY_TWO, *speeches((*NINE, 1), {2: 3, 3: 4, 4: 5})]
THREE_AT_NINE = [*SECOND_ROUND, *ballot(1, {3: (1, 2, 3), 4: (4, 5, 6), 5: (7, 8, 9)})]
THREE_QUIET_DAYS = [
    *QUIET, *miss(1), ev.DayBegan(), *speeches((*TEN[1:], 1)), *miss(2), ev.DayBegan(), *speeches((*TEN[2:], 1, 2)),
    *miss(3), ev.DayBegan(), *speeches((*TEN[3:], 1, 2, 3)),
]  # fmt: skip
BROKEN_AT_TEN = [*AGAIN, *ballot(2, {5: TEN[:6], 6: TEN[6:]}), ev.Eliminated((5,), "vote")]
RED_WON = [*BEGIN, ev.Foul(1, "team_defeat"), ev.Eliminated((1,), "team_defeat")]
BREAKING = ev.Foul(5, "removal", None, "6.8.4")

Row = tuple[str, Ruleset, Events, ev.Event, tuple[int, ...]]
ROWS: list[Row] = [
    # the course of the game
    ("out_of_phase", FSM_2026, MORNING, ev.GameStarted(), ()),
    ("out_of_phase", FSM_2026, MORNING, ev.NegotiationBegan(), ()),
    ("out_of_phase", FSM_2026, VOTING, ev.FloorGiven(3, 60), (3,)),
    ("out_of_phase", FSM_2026, QUIET, ev.LiftCast(3), (3,)),
    ("day_not_announced", FSM_2026, [*QUIET, *miss(1)], ev.FloorGiven(2, 60), ()),
    ("night_not_announced", FSM_2026, QUIET, ev.ShootingBegan(1), ()),
    ("night_number_wrong", FSM_2026, QUIET, ev.NightBegan(2), ()),
    ("ended_too_early", FSM_2026, MORNING, ev.GameEnded("red"), ()),
    ("draw_not_declared", DISBORD, THREE_QUIET_DAYS, ev.NightBegan(4), ()),
    ("draw_without_ground", FSM_2026, QUIET, ev.GameEnded("draw"), ()),
    ("dead_player_acts", FSM_2026, DAY_TWO, ev.FloorGiven(10, 60), (10,)),
    ("dead_player_acts", FSM_2026, [*SECOND_ROUND, ev.VoteOpened(1, (3, 4, 5)), ev.VoteCalled(1, 3)], ev.VoteCast(1, 3, 10), (10,)),
    ("dead_player_acts", FSM_2026, [*DAY_TWO, ev.FloorGiven(2, 60)], ev.Nominated(10, 3), (10,)),
    # speeches
    ("wrong_opener", FSM_2026, MORNING, ev.FloorGiven(2, 60), (2,)),
    ("wrong_opener", FSM_2026, DAY_TWO, ev.FloorGiven(1, 60), (1,)),
    ("speaker_order_wrong", FSM_2026, [*MORNING, *minute(1)], ev.FloorGiven(3, 60), (3,)),
    ("spoke_twice", FSM_2026, QUIET, ev.FloorGiven(1, 60), (1,)),
    ("speech_skipped", FSM_2026, [*BEGIN, *speeches(TEN[:9])], ev.NightBegan(1), (10,)),
    ("floor_seconds_wrong", FSM_2026, MORNING, ev.FloorGiven(1, 40), (1,)),
    ("floor_seconds_wrong", FSM_2026, TIED, ev.FloorGiven(5, 60, "revote"), (5,)),
    ("third_foul_not_enforced", FSM_2026, [*MORNING, *fouls(1, 3)], ev.FloorGiven(1, 60), (1,)),
    ("floor_not_held", FSM_2026, [*MORNING, ev.FloorGiven(1, 60)], ev.FloorEnded(2, "pas"), (2,)),
    ("last_word_without_right", FSM_2026, EVENING, ev.FloorGiven(6, 60, "last_word"), (6,)),
    ("last_word_missing", FSM_2026, EVENING, ev.NightBegan(1), (5,)),
    ("protocol_without_right", FSM_2026, MORNING, ev.FloorGiven(1, None, "protocol"), (1,)),
    ("protocol_without_right", DISBORD, EVENING, ev.FloorGiven(5, None, "protocol"), (5,)),
    # nominations
    ("nomination_not_in_own_minute", FSM_2026, [*MORNING, ev.FloorGiven(1, 60)], ev.Nominated(2, 5), (2,)),
    ("nomination_tense", FSM_2026, [*MORNING, ev.FloorGiven(1, 60)], ev.Nominated(1, 5, True, "tense"), (1,)),
    ("nomination_second", FSM_2026, [*MORNING, ev.FloorGiven(1, 60), ev.Nominated(1, 5)], ev.Nominated(1, 6), (1,)),
    ("nomination_repeated", FSM_2026, [*MORNING, *minute(1, ev.Nominated(1, 5)), ev.FloorGiven(2, 60)], ev.Nominated(2, 5), (2,)),
    ("nomination_of_dead", FSM_2026, [*DAY_TWO, ev.FloorGiven(2, 60)], ev.Nominated(2, 10), (2,)),
    ("nomination_refused_wrongly", FSM_2026, [*MORNING, ev.FloorGiven(1, 60)], ev.Nominated(1, 5, False, "already_nominated"), (1,)),
    ("withdrawal_not_allowed", FSM_2026, [*MORNING, ev.FloorGiven(1, 60), ev.Nominated(1, 5)], ev.NominationWithdrawn(1, 5), (1,)),
    ("withdrawal_of_nothing", DISBORD, [*MORNING, ev.FloorGiven(1, 60), ev.Nominated(1, 5)], ev.NominationWithdrawn(1, 6), (1,)),
    # ballots
    ("vote_held_though_cancelled", FSM_2026, [*TWO, *fouls(7, 4), ev.Eliminated((7,), "fouls")], ev.VoteOpened(1, (5, 6)), ()),
    ("vote_held_though_single", FSM_2026, [*BEGIN, *speeches(TEN, {1: 5})], ev.VoteOpened(1, (5,)), (5,)),
    ("vote_not_held_though_due", FSM_2026, TWO, ev.NightBegan(1), (5, 6)),
    ("vote_without_nominations", FSM_2026, QUIET, ev.VoteOpened(1, (5,)), (5,)),
    ("vote_unfinished", FSM_2026, VOTING, ev.NightBegan(1), (5, 6)),
    ("vote_not_opened", FSM_2026, TWO, ev.VoteCalled(1, 5), ()),
    ("vote_round_wrong", FSM_2026, AGAIN, ev.VoteOpened(3, (5, 6)), ()),
    ("candidate_not_nominated", FSM_2026, TWO, ev.VoteOpened(1, (5, 6, 7)), (7,)),
    ("candidate_not_nominated", FSM_2026, VOTING, ev.VoteCalled(1, 7), (7,)),
    ("candidate_missing", FSM_2026, TWO, ev.VoteOpened(1, (5,)), (6,)),
    ("wrong_vote_order", FSM_2026, TWO, ev.VoteOpened(1, (6, 5)), (6, 5)),
    ("wrong_vote_order", FSM_2026, VOTING, ev.VoteCalled(1, 6), (6,)),
    ("called_twice", FSM_2026, [*VOTING, *call(1, 5, (1, 2))], ev.VoteCalled(1, 5), (5,)),
    ("two_candidates", FSM_2026, [*VOTING, *call(1, 5, (1, 2)), ev.VoteCalled(1, 6)], ev.VoteCast(1, 6, 1), (1,)),
    ("remainder_not_to_last", FSM_2026, [*VOTING, ev.VoteCalled(1, 5)], ev.VoteCast(1, 5, 3, remainder=True), (3,)),
    ("vote_count_mismatch", FSM_2026, [*VOTING, *call(1, 5, (1, 2))[:-1]], ev.VoteAnnounced(1, 5, 1), (5,)),
    ("votes_do_not_add_up", FSM_2026, [*VOTING, *call(1, 5, (1, 2)), *call(1, 6, (3, 4))[:-1]], ev.VoteAnnounced(1, 6, 2), ()),
    ("votes_exceed_living", FSM_2026, [*VOTING, ev.VoteCalled(1, 5), ev.VoteClosed(1, 5), ev.VoteAnnounced(1, 5, 7), ev.VoteCalled(1, 6), ev.VoteClosed(1, 6)], ev.VoteAnnounced(1, 6, 5), ()),
    # ties and lifts
    ("revote_without_tie", FSM_2026, [*VOTED], ev.FloorGiven(5, 30, "revote"), (5,)),
    ("revote_not_held", FSM_2026, TIED, ev.NightBegan(1), (5, 6)),
    ("revote_candidates_wrong", FSM_2026, AGAIN, ev.VoteOpened(2, (5, 7)), (5, 7)),
    ("revote_speech_missing", FSM_2026, TIED, ev.VoteOpened(2, (5, 6)), (5, 6)),
    ("revote_speech_missing", FSM_2026, [*TIED, *half_minutes(5)], ev.VoteOpened(2, (5, 6)), (6,)),
    ("revote_after_decision", FSM_2026, TWICE, ev.VoteOpened(3, (5, 6)), (5, 6)),
    ("day_one_tie_voted_on", FSM_2026, [*BEGIN, *speeches(TEN, {1: 5, 2: 6, 3: 7, 4: 8, 5: 9}), *ballot(1, {c: (2 * c - 9, 2 * c - 8) for c in range(5, 10)})], ev.VoteOpened(2, (5, 6, 7, 8, 9)), (5, 6, 7, 8, 9)),
    ("forbidden_split", FSM_2026, THREE_AT_NINE, ev.FloorGiven(3, 30, "revote"), (3, 4, 5)),
    ("forbidden_lift", FSM_2026, TWICE, ev.LiftCalled((5, 6)), (5, 6)),
    ("lift_of_whole_table", DISBORD, [*BEGIN, *speeches(TEN, {s: s for s in TEN}), *ballot(1, {s: (s,) for s in TEN}), *half_minutes(*TEN), *ballot(2, {s: (s,) for s in TEN})], ev.LiftCalled(TEN), TEN),
    ("lift_without_tie", DISBORD, VOTED, ev.LiftCalled((5, 6)), (5, 6)),
    ("lift_not_held_though_due", DISBORD, TWICE, ev.NightBegan(1), (5, 6)),
    ("lift_candidates_wrong", DISBORD, TWICE, ev.LiftCalled((5, 7)), (5, 7)),
    ("lift_votes_do_not_add_up", DISBORD, [*TWICE, ev.LiftCalled((5, 6))], ev.LiftResult(4, 5), ()),
    ("vote_count_mismatch", DISBORD, [*TWICE, ev.LiftCalled((5, 6)), ev.LiftCast(1), ev.LiftCast(2)], ev.LiftResult(1), ()),
    ("two_candidates", DISBORD, [*TWICE, ev.LiftCalled((5, 6)), ev.LiftCast(1)], ev.LiftCast(1, False), (1,)),
    # leaving
    ("wrong_person_left", FSM_2026, VOTED, ev.Eliminated((6,), "vote"), (6,)),
    ("wrong_person_left", FSM_2026, [*QUIET, *kill(1, 10)[:-1]], ev.Eliminated((9,), "shot"), (9,)),
    ("not_left_though_voted", FSM_2026, VOTED, ev.NightBegan(1), (5,)),
    ("not_left_though_voted", DISBORD, [*TWICE, ev.LiftCalled((5, 6)), ev.LiftResult(6, 4)], ev.NightBegan(1), (5, 6)),
    ("left_without_ground", FSM_2026, TWICE, ev.Eliminated((5,), "vote"), (5,)),
    ("left_without_ground", DISBORD, [*TWICE, ev.LiftCalled((5, 6)), ev.LiftResult(5, 5)], ev.Eliminated((5, 6), "lift"), (5, 6)),
    ("left_unannounced", FSM_2026, VOTED, ev.FloorGiven(5, 60, "last_word"), (5,)),
    ("left_twice", FSM_2026, [*SECOND_ROUND[:-2], *fouls(9, 4), ev.Eliminated((9,), "fouls")], ev.Eliminated((9,), "fouls"), (9,)),
    # night
    ("shot_by_dead", FSM_2026, [*DAY_TWO, *speeches((*NINE, 1)), ev.NightBegan(2), ev.ShootingBegan(2)], ev.Shot(2, 10, 5), (10,)),
    ("shot_at_dead", FSM_2026, [*DAY_TWO, *speeches((*NINE, 1)), ev.NightBegan(2), ev.ShootingBegan(2)], ev.Shot(2, 1, 10), (10,)),
    ("shot_twice", FSM_2026, [*NIGHT, ev.Shot(1, 1, 5)], ev.Shot(1, 1, 6), (1,)),
    ("shots_too_many", FSM_2026, [*NIGHT, *(ev.Shot(1, None, 5) for _ in range(3))], ev.Shot(1, None, 5), ()),
    ("wrong_night_result", FSM_2026, [*NIGHT, *(ev.Shot(1, s, 10) for s in (1, 2, 3))], ev.NightResult(1, 9), (9,)),
    ("wrong_night_result", FSM_2026, [*NIGHT, ev.Shot(1, 1, 10), ev.Shot(1, 2, 9)], ev.NightResult(1, 9), (9,)),
    ("two_checks", FSM_2026, [*NIGHT, ev.Check("don", 5, 1)], ev.Check("don", 6, 1), ()),
    ("check_of_dead", FSM_2026, [*DAY_TWO, *speeches((*NINE, 1)), ev.NightBegan(2)], ev.Check("sheriff", 10, 2), (10,)),
    ("night_check_of_own_shot", FSM_2026, [*NIGHT, *(ev.Shot(1, None, 5) for _ in range(3))], ev.Check("don", 5, 1), (5,)),
    # best move
    ("best_move_not_offered", FSM_2026, [*BROKEN_AT_TEN, *last_word(5)], ev.NightBegan(1), (5,)),
    ("best_move_without_right", FSM_2026, QUIET, ev.BestMove(5, (1, 2, 3)), (5,)),
    ("best_move_without_right", DISBORD, KILLED, ev.BestMove(10, (1, 2, 3)), (10,)),
    ("best_move_size", FSM_2026, [*KILLED, ev.FloorGiven(10, 20, "best_move")], ev.BestMove(10, (1, 2)), (10,)),
    ("best_move_target_wrong", FSM_2026, [*KILLED, ev.FloorGiven(10, 20, "best_move")], ev.BestMove(10, (1, 1, 2)), (10,)),
    ("best_move_target_wrong", FSM_2026, [*KILLED, ev.FloorGiven(10, 20, "best_move")], ev.BestMove(10, (1, 2, 11)), (10,)),
    # discipline
    ("foul_to_absent", FSM_2026, [*DAY_TWO, *minute(2)], ev.Foul(10), (10,)),
    ("foul_ordinal_wrong", FSM_2026, MORNING, ev.Foul(3, "foul", 2), (3,)),
    ("foul_ordinal_wrong", FSM_2026, MORNING, ev.Foul(3, "technical", 2), (3,)),
    ("fourth_foul_not_enforced", FSM_2026, [*MORNING, *fouls(5, 4)], ev.FloorGiven(1, 60), (5,)),
    ("removal_not_enforced", FSM_2026, [*MORNING, ev.Foul(5, "removal")], ev.FloorGiven(1, 60), (5,)),
    ("removal_not_enforced", FSM_2026, [*MORNING, ev.Foul(5, "technical"), ev.Foul(5, "technical_big")], ev.FloorGiven(1, 60), (5,)),
    ("hand_foul_not_technical", FSM_2026, [*MORNING, *fouls(5, 3)], ev.Foul(5, "foul", 4, "4.5.9"), (5,)),
    ("removed_without_ground", FSM_2026, [*MORNING, *fouls(5, 3)], ev.Eliminated((5,), "fouls"), (5,)),
    ("technical_unknown", DISBORD, MORNING, ev.Foul(5, "technical"), (5,)),
    ("removal_is_team_defeat", FSM_2026, [*EVENING, ev.FloorGiven(5, 60, "last_word")], BREAKING, (5,)),
    ("seat_impossible", FSM_2026, MORNING, ev.Foul(11), (11,)),
]  # fmt: skip

# With roles known: (kind, rules, roles, before, event, seats).
WITH_ROLES: list[Row] = [
    ("played_after_end", FSM_2026, RED_WON, ev.NightBegan(1), ()),
    ("wrong_winner", FSM_2026, RED_WON, ev.GameEnded("black"), ()),
    ("punished_after_decision", FSM_2026, RED_WON, ev.Foul(5, "removal", None, "6.8.7"), (5,)),
    ("shot_by_red", FSM_2026, NIGHT, ev.Shot(1, 5, 6), (5,)),
    ("check_answer_wrong", FSM_2026, NIGHT, ev.Check("sheriff", 1, 1, False), (1,)),
    ("check_answer_wrong", FSM_2026, NIGHT, ev.Check("don", 5, 1, True), (5,)),
    ("check_by_dead", FSM_2026, [*QUIET, *kill(1, 4), ev.FloorGiven(4, 20, "best_move"), ev.BestMove(4, (1, 2, 3)), ev.FloorEnded(4), ev.DayBegan(), *last_word(4), *speeches((2, 3, *range(5, 11), 1)), ev.NightBegan(2)], ev.Check("sheriff", 1, 2), (4,)),
]  # fmt: skip


def played(rules: Ruleset, before: Events, roles: Mapping[int, str] | None = None) -> Game:
    game, issues = Game.new(rules, roles).play(before)
    assert issues == ()
    return game


@pytest.mark.parametrize(
    ("kind", "rules", "before", "event", "seats"), ROWS, ids=lambda v: v if isinstance(v, str) else ""
)
def test_one_fault_one_issue(
    kind: str, rules: Ruleset, before: Events, event: ev.Event, seats: tuple[int, ...]
) -> None:
    _, issues = played(rules, before).apply(event)
    assert [(i.kind, i.seats) for i in issues] == [(kind, seats)]
    assert rules.clause(TOPICS[kind][0]) == issues[0].clause


@pytest.mark.parametrize(
    ("kind", "rules", "before", "event", "seats"), WITH_ROLES, ids=lambda v: v if isinstance(v, str) else ""
)
def test_faults_that_roles_show(
    kind: str, rules: Ruleset, before: Events, event: ev.Event, seats: tuple[int, ...]
) -> None:
    _, issues = played(rules, before, ROLES).apply(event)
    assert [(i.kind, i.seats) for i in issues] == [(kind, seats)]


def kinds_the_game_names() -> set[str]:
    """Every kind written out in the source of the game (not of the audit)."""
    words: set[str] = set()
    for path in Path(engine_package.__file__).parent.glob("*.py"):
        if path.name in ("kinds.py", "events.py"):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        words |= {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return words & set(TOPICS)


def test_every_kind_of_issue_is_shown() -> None:
    assert kinds_the_game_names() == {row[0] for row in (*ROWS, *WITH_ROLES)}
