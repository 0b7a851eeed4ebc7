"""Every kind of issue at the table: a legal course of play, then one event, and exactly that issue."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest
from course import (
    AGAIN,
    BEGIN,
    BROKEN_AT_TEN,
    DAY_TWO,
    EVENING,
    KILLED,
    MORNING,
    NIGHT,
    NINE,
    QUIET,
    RED_WON,
    ROLES,
    SECOND_ROUND,
    TEN,
    THREE_AT_NINE,
    THREE_QUIET_DAYS,
    TIED,
    TWICE,
    TWO,
    VOTED,
    VOTING,
    Events,
    ballot,
    call,
    fouls,
    half_minutes,
    kill,
    last_word,
    minute,
    miss,
    speeches,
)

import mafiavar.engine as engine_package
from mafiavar.engine import events as ev
from mafiavar.engine.game import Game
from mafiavar.engine.kinds import TOPICS
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.ruleset import DISBORD, FSM_2026

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
