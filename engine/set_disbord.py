"""DISBORD: the club rules as the value `DISBORD`. Clauses are lines of the text (l195)."""

from __future__ import annotations

from mafiavar.engine.parameters import Ruleset

CLAUSES = {
    "win": "l15", "negotiation_seconds": "l45", "first_night": "l49", "check_seconds": "l47", "speech": "l55",
    "opener": "l57", "speaker_order": "l57", "nomination": "l69", "nomination_second": "l73",
    "withdrawal": "l71", "vote_order": "l75", "vote_on_nominated": "l67", "vote_cast": "l77",
    "vote_twice": "l81", "remainder": "l83", "day_one_single": "l87", "vote_result": "l89", "tie": "l91",
    "tie_order": "l93", "smaller_tie": "l95", "same_tie": "l97", "lift": "l97", "lift_whole_table": "l251",
    "night": "l103", "shooting": "l105", "shot": "l109", "miss": "l111", "check": "l117", "last_word": "l99",
    "third_foul": "l179", "third_foul_small_table": "l247", "third_foul_revote": "l243", "fourth_foul": "l181",
    "vote_cancelled": "l237", "draw": "l249", "four_players": "l245", "team_defeat": "l223",
    "after_decision": "l253", "asking": "l241", "hand": "l85", "phases": "l123", "table": "l37", "roles": "l9",
    # parameters
    "seats": "l9", "blacks": "l9", "officials": "l11", "seating": "l37", "mask": "l21", "own_mask": "l31",
    "night_posture": "l119", "night_head_degrees": "l119", "addresses_to_judge": "l61", "speech_endings": "l63",
    "first_night_don_gesture": "l45", "first_night_sheriff": "l49", "sheriff_look_seconds": "l49",
    "speech_seconds": "l55", "revote_seconds": "l91", "last_word_seconds": "l99", "opener_rotation": "l57",
    "nomination_form": "l69", "nominations_per_day": "l73", "may_ask_who_is_nominated": "l241", "vote_form": "l77",
    "vote_window_seconds": "l77", "hold_until_count": "l79", "hand_foul_until": "l195",
    "withdrawn_hand_counts": "l85", "withdrawn_hand_is_foul": "l85", "remainder_to_last": "l83",
    "day_one_single_candidate_vote": "l87", "revote_order": "l93", "voted_out_by": "l89", "lift_vote": "l97", "lift_majority": "l97",
    "sheriff_answer_red": "l115", "sheriff_answer_black": "l115", "don_answer": "l113",
    "third_foul_small_table_seconds": "l247", "small_table": "l247", "third_foul_keeps_revote_word": "l243",
    "fouls_to_leave": "l181", "disobedience_loses_game": "l181", "removal_cancels_vote": "l237",
    "removal_of_killed_cancels": "l237", "removal_after_result_cancels_next": "l237", "draw_length": "l249",
    "four_player_misses_win": "l245",
    # offences
    "offence:speech_out_of_turn": "l185", "offence:whisper": "l185", "offence:gestures": "l187",
    "offence:touch_by_day": "l189", "offence:knocks": "l191", "offence:arguing": "l193",
    "offence:hand_withdrawn": "l195", "offence:hand_early": "l195", "offence:gestures_in_vote": "l197",
    "offence:not_voting": "l199", "offence:several_candidates": "l199", "offence:leaving": "l203",
    "offence:touch_at_night": "l205", "offence:insult": "l209", "offence:obscene": "l209", "offence:peeking": "l211",
    "offence:night_talk": "l213", "offence:tears": "l215", "offence:appeal": "l217", "offence:vote_form": "l219",
    "offence:deliberate_peeking": "l221", "offence:oath": "l225", "offence:blackmail": "l227",
    "offence:audience": "l229", "offence:night_information": "l231", "offence:hand_of_another": "l233",
}  # fmt: skip

DISBORD = Ruleset(
    name="disbord",
    clauses=CLAUSES,
    seating="draw_or_schedule",
    addresses_to_judge=("judge", "host"),
    first_night_sheriff="look",
    sheriff_look_seconds=20,
    withdrawal=True,
    vote_window_seconds=2,
    shooting="called",
    third_foul="silent",
    disobedience_loses_game=True,
    removal_of_killed_cancels=True,
    penalties=frozenset({
        ("speech_out_of_turn", "foul"), ("whisper", "foul"), ("gestures", "foul"), ("touch_by_day", "foul"),
        ("knocks", "foul"), ("arguing", "foul"), ("hand_withdrawn", "foul"), ("hand_early", "foul"),
        ("gestures_in_vote", "foul"), ("not_voting", "foul"), ("several_candidates", "foul"),
        ("leaving", "removal"), ("touch_at_night", "removal"), ("insult", "removal"), ("obscene", "removal"),
        ("peeking", "removal"), ("night_talk", "removal"), ("tears", "removal"), ("appeal", "removal"),
        ("vote_form", "removal"), ("deliberate_peeking", "removal"), ("oath", "team_defeat"),
        ("blackmail", "team_defeat"), ("audience", "team_defeat"), ("night_information", "team_defeat"),
        ("hand_of_another", "team_defeat"),
    }),
    draw="nights_and_days",
    four_player_misses_win=3,
)  # fmt: skip
