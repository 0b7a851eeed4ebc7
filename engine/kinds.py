"""Every kind of issue: the topic whose clause it cites, and how grave it is by default."""

from __future__ import annotations

from collections.abc import Mapping

from mafiavar.engine.issue import Severity

TOPICS: Mapping[str, tuple[str, Severity]] = {
    # the course of the game
    "out_of_phase": ("phases", "error"),
    "day_not_announced": ("phases", "warning"),
    "night_not_announced": ("night", "warning"),
    "night_number_wrong": ("night", "warning"),
    "played_after_end": ("win", "error"),
    "wrong_winner": ("win", "error"),
    "ended_too_early": ("win", "error"),
    "draw_without_ground": ("draw", "error"),
    "draw_not_declared": ("draw", "error"),
    "dead_player_acts": ("vote_result", "error"),
    # speeches
    "wrong_opener": ("opener", "error"),
    "speaker_order_wrong": ("speaker_order", "error"),
    "spoke_twice": ("speech", "error"),
    "speech_skipped": ("speech", "error"),
    "floor_seconds_wrong": ("speech", "warning"),
    "third_foul_not_enforced": ("third_foul", "error"),
    "floor_not_held": ("speech", "warning"),
    "last_word_without_right": ("last_word", "error"),
    "last_word_missing": ("last_word", "warning"),
    "protocol_without_right": ("protocol", "warning"),
    # nominations
    "nomination_not_in_own_minute": ("nomination", "error"),
    "nomination_tense": ("nomination", "error"),
    "nomination_second": ("nomination_second", "error"),
    "nomination_repeated": ("nomination", "error"),
    "nomination_of_dead": ("nomination", "error"),
    "nomination_refused_wrongly": ("nomination", "warning"),
    "withdrawal_not_allowed": ("nomination", "error"),
    "withdrawal_of_nothing": ("nomination", "error"),
    # ballots
    "vote_held_though_cancelled": ("vote_cancelled", "error"),
    "vote_held_though_single": ("day_one_single", "error"),
    "vote_not_held_though_due": ("vote_on_nominated", "error"),
    "vote_without_nominations": ("vote_on_nominated", "error"),
    "vote_unfinished": ("vote_result", "error"),
    "vote_not_opened": ("vote_order", "warning"),
    "vote_round_wrong": ("tie", "warning"),
    "candidate_not_nominated": ("vote_on_nominated", "error"),
    "candidate_missing": ("vote_on_nominated", "error"),
    "wrong_vote_order": ("vote_order", "error"),
    "called_twice": ("vote_order", "warning"),
    "voted_twice": ("vote_twice", "error"),
    "remainder_not_to_last": ("remainder", "error"),
    "vote_count_mismatch": ("vote_result", "error"),
    "votes_exceed_living": ("remainder", "error"),
    "votes_do_not_add_up": ("remainder", "error"),
    # ties and lifts
    "revote_without_tie": ("tie", "error"),
    "revote_not_held": ("tie", "error"),
    "revote_candidates_wrong": ("tie", "error"),
    "revote_speech_missing": ("tie", "warning"),
    "revote_after_decision": ("same_tie", "error"),
    "day_one_tie_voted_on": ("day_one_tie", "error"),
    "forbidden_split": ("split", "error"),
    "forbidden_lift": ("lift", "error"),
    "lift_of_whole_table": ("lift_whole_table", "error"),
    "lift_without_tie": ("same_tie", "error"),
    "lift_not_held_though_due": ("lift", "error"),
    "lift_candidates_wrong": ("lift", "error"),
    "lift_votes_do_not_add_up": ("lift", "error"),
    # leaving
    "wrong_person_left": ("vote_result", "error"),
    "not_left_though_voted": ("vote_result", "error"),
    "left_without_ground": ("vote_result", "error"),
    "left_unannounced": ("vote_result", "warning"),
    "left_twice": ("vote_result", "error"),
    # night
    "shot_by_dead": ("shot", "error"),
    "shot_at_dead": ("shot", "warning"),
    "shot_by_red": ("shot", "error"),
    "shots_too_many": ("miss", "error"),
    "shot_twice": ("miss", "warning"),
    "wrong_night_result": ("shot", "error"),
    "two_checks": ("check", "error"),
    "check_of_dead": ("check", "warning"),
    "check_by_dead": ("check", "error"),
    "check_answer_wrong": ("check", "error"),
    "night_check_of_own_shot": ("don_ban", "error"),
    # best move
    "best_move_without_right": ("best_move", "error"),
    "best_move_not_offered": ("best_move", "warning"),
    "best_move_size": ("best_move", "warning"),
    "best_move_target_wrong": ("best_move", "error"),
    # discipline
    "foul_to_absent": ("fourth_foul", "error"),
    "foul_ordinal_wrong": ("fourth_foul", "error"),
    "fourth_foul_not_enforced": ("fourth_foul", "error"),
    "removal_not_enforced": ("fourth_foul", "error"),
    "removed_without_ground": ("fourth_foul", "error"),
    "technical_unknown": ("technical", "error"),
    "removal_is_team_defeat": ("last_minute", "error"),
    "punished_after_decision": ("after_decision", "error"),
    # the table
    "seat_impossible": ("table", "error"),
}
"""kind -> (topic of `Ruleset.clauses`, default severity)."""
