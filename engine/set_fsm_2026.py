"""FSM 2026: the rules of the Federation of Sport Mafia as the value `FSM_2026`."""

from __future__ import annotations

from mafiavar.engine.parameters import Ruleset

CLAUSES = {
    # topics of issues and parameters -> clause
    "win": "1.5", "negotiation_seconds": "4.2.1", "first_night": "4.2.2", "check_seconds": "4.2.2",
    "free_seating_seconds": "4.3.1", "speech": "4.4.1", "opener": "4.4.2", "speaker_order": "4.4.2",
    "nomination": "4.5.2", "nomination_second": "4.5.3", "vote_order": "4.5.4", "vote_on_nominated": "4.5.1",
    "vote_cast": "4.5.5", "vote_twice": "4.5.7", "remainder": "4.5.8", "day_one_single": "4.5.10",
    "day_one_tie": "4.5.10", "vote_result": "4.5.11", "tie": "4.5.12", "tie_order": "4.5.12.1",
    "smaller_tie": "4.5.12.2", "same_tie": "4.5.12.3", "split": "4.5.14", "lift": "7.11.4", "reveal": "7.11.1",
    "lift_whole_table": "7.8", "night": "4.6.1", "shooting": "4.6.2", "shot": "4.6.4", "miss": "4.6.5",
    "check": "4.6.8", "don_ban": "4.6.9", "best_move": "4.8.2", "best_move_lost": "7.10",
    "best_move_broken": "7.13", "last_word": "4.8.1", "protocol": "4.8.4", "third_foul": "6.4",
    "third_foul_small_table": "7.6", "third_foul_revote": "7.5", "fourth_foul": "6.5", "technical": "6.7.1",
    "second_technical": "6.7.2", "vote_cancelled": "7.1", "next_vote_cancelled": "7.2", "draw": "7.7",
    "team_defeat": "6.9", "last_minute": "6.9.5", "after_decision": "6.10", "asking": "7.4", "hand": "4.5.9",
    "no_checks": "8.5.8.2", "no_shots": "8.5.8.4", "phases": "4.7.1", "table": "4.1.1", "roles": "1.1",
}  # fmt: skip

FSM_2026 = Ruleset(
    name="fsm-2026",
    clauses=CLAUSES,
    free_seating_seconds=40,
    day_one_max_tied=2,
    lift_vote="listed",
    lift_splits=frozenset({(5, 10), (2, 8), (4, 8), (2, 6), (3, 6), (2, 4)}),
    forbidden_splits=frozenset({(3, 9)}),
    reveal_allows_split=True,
    twice_tied_penalty=-0.3,
    don_first_night_ban=True,
    best_move=True,
    best_move_lost_when_left=2,
    best_move_broken_at_ten=True,
    protocol_right=True,
    technical_fouls=True,
    last_minute_offences=frozenset({"6.8.4", "6.8.7", "6.8.8", "6.8.12", "6.8.13", "6.8.14"}),
    punished_after_decision=frozenset({"6.8.1", "6.8.4", "6.8.15"}),
)
