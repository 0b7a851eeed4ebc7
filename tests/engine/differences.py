"""The points on which the three texts differ, with the values read from the texts by hand.

A row: number, what it is about, and per parameter the value under FSM 2026, DISBORD and Legion. A name
with a colon is an offence and its penalty. `test_differences` compares them with the rule sets;
`rules_doc` prints them.
"""

from __future__ import annotations

from typing import Any

Row = tuple[int, str, list[tuple[str, Any, Any, Any]]]

SPLITS = frozenset({(5, 10), (2, 8), (4, 8), (2, 6), (3, 6), (2, 4)})

POINTS: list[Row] = [
    (1, "who runs the game", [("officials", ("judge", "side_judges"), ("judge", "side_judges"), ("host", "judges"))]),
    (2, "seats", [("seating", "schedule", "draw_or_schedule", "draw"), ("seats", 10, 10, 10)]),
    (3, "mask", [("mask", "mask", "mask", "camera_off"), ("own_mask", "by_leave", "allowed", "none"), ("mask_size_mm", (210, 125), None, None), ("mask_may_be_held", False, True, True)]),
    (4, "negotiation", [("negotiation_seconds", 60, 60, 60), ("first_night_don_gesture", True, True, False)]),
    (5, "the sheriff's first night", [("first_night_sheriff", "gesture", "look", "none"), ("sheriff_look_seconds", None, 20, None)]),
    (6, "time of a check", [("check_seconds", 10, 10, 20)]),
    (7, "free seating", [("free_seating_seconds", 40, None, None)]),
    (8, "posture at night", [("night_posture", "arms_on_shoulders", "arms_on_chest", "camera_off"), ("night_head_degrees", 45, 45, None), ("night_without_hats", True, False, False)]),
    (9, "minute", [("speech_seconds", 60, 60, 60)]),
    (10, "who opens the day", [("opener_rotation", "next_after_opener", "next_after_opener", "next_after_opener")]),
    (11, "address to the judge", [("addresses_to_judge", ("judge",), ("judge", "host"), ())]),
    (12, "end of a speech", [("speech_endings", ("pas", "spasibo"), ("pas", "spasibo"), ("pas", "spasibo", "mic_off"))]),
    (13, "mask by day", [("mask_by_day_forbidden", True, False, False)]),
    (14, "phrase of a nomination", [("nomination_form", "present_or_short", "present_full", "present_full")]),
    (15, "withdrawal", [("withdrawal", False, True, False)]),
    (16, "nominations a day", [("nominations_per_day", 1, 1, 1)]),
    (17, "asking who is nominated", [("may_ask_who_is_nominated", False, False, False)]),
    (18, "how one votes", [("vote_form", "fist", "fist", "plus")]),
    (19, "time for a vote", [("vote_window_seconds", 1.5, 2, 8)]),
    (20, "hand stays until the count", [("hold_until_count", True, True, False)]),
    (21, "who does not vote", [("remainder_to_last", True, True, True)]),
    (22, "hand withdrawn", [("withdrawn_hand_counts", True, True, True), ("withdrawn_hand_is_foul", True, True, True), ("removing_hand_foul_is_technical", True, False, False)]),
    (23, "day one, a single candidate", [("day_one_single_candidate_vote", False, False, False)]),
    (24, "day one, more than two tied", [("day_one_max_tied", 2, None, None)]),
    (25, "tie", [("revote_seconds", 30, 30, 30), ("revote_order", "nomination", "nomination", "nomination")]),
    (26, "tie among fewer: once more", [("revote_seconds", 30, 30, 30)]),
    (27, "the same tie twice", [("lift_vote", "listed", "always", "always"), ("lift_majority", "of_living", "of_living", "of_living")]),
    (28, "splits", [("lift_splits", SPLITS, frozenset(), frozenset()), ("forbidden_splits", frozenset({(3, 9)}), frozenset(), frozenset()), ("reveal_allows_split", True, False, False), ("false_reveal_points", -1.5, None, None)]),
    (29, "a table tied twice", [("twice_tied_penalty", -0.3, None, None)]),
    (30, "lift of the whole table", [("lift_whole_table", False, False, False)]),
    (31, "shooting", [("shooting", "numbers", "called", "text")]),
    (32, "miss", [("miss_gesture", True, False, False)]),
    (33, "don's first check", [("don_first_night_ban", True, False, False)]),
    (34, "answers to checks", [("sheriff_answer_red", "turn_thumb_up", "nod_thumb_up", "thumb_up"), ("sheriff_answer_black", "nod_thumb_down", "nod_thumb_down", "thumb_down"), ("don_answer", ("nod", "denial"), ("nod", "denial"), ("ok", "cross"))]),
    (35, "best move", [("best_move", True, False, True), ("best_move_seconds", 20, 20, 20), ("best_move_size", 3, 3, 3), ("best_move_talk_removes", True, False, True)]),
    (36, "best move lost", [("best_move_lost_when_left", 2, None, None)]),
    (37, "best move of one broken at ten", [("best_move_broken_at_ten", True, False, False)]),
    (38, "points of a best move", [("best_move_points", (0.1, 0.3, 0.6), (0, 0, 0), (0, 0.5, 1)), ("best_move_points_for", "all", "all", "reds")]),
    (39, "last word", [("last_word_seconds", 60, 60, 60)]),
    (40, "testament, opinion, protocol", [("testament", True, False, False), ("protocol_right", True, False, False)]),
    (41, "third foul", [("third_foul", "half", "silent", "silent")]),
    (42, "third foul at three or four players", [("third_foul_small_table_seconds", 30, 30, 30), ("small_table", frozenset({3, 4}), frozenset({3, 4}), frozenset({3, 4}))]),
    (43, "third foul and re-vote", [("third_foul_keeps_revote_word", True, True, True)]),
    (44, "fourth foul", [("fouls_to_leave", 4, 4, 4), ("disobedience_loses_game", False, True, False)]),
    (45, "technical foul", [("technical_fouls", True, False, True), ("technical_points", -0.3, 0, 0), ("technical_big_points", -0.6, 0, 0), ("technical_to_leave", 2, 2, None)]),
    (46, "removal and the vote", [("removal_cancels_vote", True, True, True), ("removal_of_killed_cancels", False, True, False), ("removal_after_result_cancels_next", True, True, True)]),
    (47, "draw", [("draw", "nights", "nights_and_days", "nights"), ("draw_length", 3, 3, 3)]),
    (48, "four players", [("lift_splits", SPLITS, frozenset(), frozenset()), ("four_player_misses_win", None, 3, None)]),
    (49, "points of a win", [("scored", True, False, True), ("win_points", 1, 0, 2.5)]),
    (50, "points of a removal", [("removal_points", -0.6, 0, -0.5), ("removal_points_critical", -1, None, None), ("team_defeat_points", -1.5, 0, 0)]),
    (51, "judge's points", [("bonus_sum_limit", 4, None, 5), ("bonus_players_limit", 7, None, None), ("bonus_step", None, None, 0.25), ("bonus_for_everyone", False, False, True), ("bonus_values", frozenset({0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}), frozenset(), frozenset()), ("bonus_values_agreed", frozenset({1.2, 1.5}), frozenset(), frozenset())]),
    (52, "judge's points in a draw", [("draw_bonus", "no_plus", "no_plus", "none")]),
    (53, "Ci", [("ci", "share_of_games", "none", "kills_minus_one"), ("ci_cap", 0.4, 0.4, 0.4), ("ci_share", 0.4, 0.4, 0.4), ("ci_least_b", 4, 4, 4), ("ci_on_win", 0.5, 0.5, 1), ("ci_step", 0, 0, 0.5)]),
    (54, "equal points", [("ranking", ("bonus", "wins", "don_sheriff_wins", "first_killed", "lot"), (), ("rating",))]),
    (55, "oath, bet", [("offence:oath", "team_defeat", "team_defeat", "removal")]),
    (56, "blackmail", [("offence:blackmail", "team_defeat", "team_defeat", "removal")]),
    (57, "deliberate peeking", [("offence:deliberate_peeking", "removal", "removal", "removal")]),
    (58, "several candidates, two hands", [("offence:several_candidates", "removal", "foul", None), ("offence:two_hands", "technical", None, None)]),
    (59, "palm, finger, elbow", [("offence:vote_form", "removal", "removal", None)]),
    (60, "whisper", [("offence:whisper", "technical", "foul", "foul"), ("offence:whisper_in_ear", "removal", None, None)]),
    (61, "hand too early", [("offence:hand_early", "foul", "foul", None)]),
    (62, "leaving the table", [("offence:leaving", "removal", "removal", "technical")]),
    (63, "foreign language", [("offence:foreign_language", "removal", None, None)]),
    (64, "voting with another's hand", [("offence:hand_of_another", None, "team_defeat", None)]),
    (65, "after the deciding vote or kill", [("punished_after_decision", frozenset({"6.8.1", "6.8.4", "6.8.15"}), None, None)]),
    (66, "appeals", [("appeals_limit", 3, None, None), ("appeal_rounds", 2, None, None), ("appeal_least_difference", 0.1, None, None)]),
]  # fmt: skip

UNCLEAR: list[tuple[str, str, tuple[str, ...]]] = [
    ("1", "6.4 (half of the minute) leaves 7.6 (30 s at three or four players) without effect", ("third_foul_small_table_seconds",)),
    ("2", "4.5.9 makes of a removing foul a technical one, and a second technical one removes too", ("removing_hand_foul_is_technical", "third_foul_and_technical")),
    ("3", "6.7.2: which value is doubled when a small and a big technical foul meet", ("second_technical",)),
    ("4", "7.11.4 lists 5/10, while 4.5.10 sends more than two tied on day one into the night; 2/10 is not listed", ("day_one_max_tied", "lift_splits")),
    ("5", "4.5.14 to the letter punishes the reds for 2/10 twice on day one, where no lift may be put", ("twice_tied_penalty_day_one", "twice_tied_penalty_for")),
    ("6", "8.6.1 speaks of a defeat, 8.6.6 gives half on a win; a draw and the rounding of B are not named", ("ci_on_win", "ci_on_draw", "ci_b_rounding")),
    ("7", "«на критике» is not defined", ("critical_margin",)),
    ("8", "the pictures of the judge's gestures are missing", ("don_answer",)),
    ("9", "three at nine on the first ballot: is the split itself forbidden, and what follows", ("forbidden_split_effect",)),
    ("10", "DISBORD has two rules for a game that stands still (l245, l249)", ("draw", "four_player_misses_win")),
    ("11", "the text of Legion stands twice in its source", ()),
    ("12", "«большинство голосов»: the most, or more than half", ("voted_out_by", "lift_majority")),
    ("+", "4.5.6 keeps the hand on the table until the count, 6.6.6 punishes until «стоп»", ("hand_foul_until", "hold_until_count")),
    ("+", "7.13 «сломали»: any vote at ten, or one after a tie", ("broken_at_ten",)),
    ("+", "7.7: whether the negotiation night counts", ("draw_counts_first_night",)),
    ("+", "6.4: whether a last word is a «ближайшая минута»", ("third_foul_hits_last_word",)),
]  # fmt: skip
"""(number among the twelve of the comparison, or + for one met later; the question; the options that answer it)"""
