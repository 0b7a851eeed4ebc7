"""Legion: the rules of the Legion Mafia club (played by video call) as the value `LEGION`.

A yellow card («жёлтая карточка», 4.5) is kept as a technical foul: it costs points of the rating (value not
given by the text) and never removes by itself.
"""

from __future__ import annotations

from mafiavar.engine.parameters import Ruleset

CLAUSES = {
    "win": "1.4", "negotiation_seconds": "3.2.1", "check_seconds": "3.2.2", "speech": "3.3.1", "opener": "3.3.2",
    "speaker_order": "3.3.2", "nomination": "3.4.2", "nomination_second": "3.4.3", "vote_order": "3.4.4",
    "vote_on_nominated": "3.4.1", "vote_cast": "3.4.5", "vote_twice": "3.4.6", "remainder": "3.4.7",
    "day_one_single": "3.4.9", "vote_result": "3.4.10", "tie": "3.4.11", "tie_order": "3.4.11.1",
    "smaller_tie": "3.4.11.2", "same_tie": "3.4.11.3", "lift": "3.4.11.3", "lift_whole_table": "6.7",
    "night": "3.5.1", "shooting": "3.5.2", "shot": "3.5.4", "miss": "3.5.5", "check": "3.5.8",
    "best_move": "3.5.9", "last_word": "3.4.12", "third_foul": "5.4", "third_foul_small_table": "6.5",
    "third_foul_revote": "6.4", "fourth_foul": "5.5", "vote_cancelled": "6.1", "next_vote_cancelled": "6.2",
    "draw": "6.6", "team_defeat": "5.3", "after_decision": "6.8", "asking": "6.3", "hand": "3.4.8",
    "phases": "3.6.1", "table": "3.1.1", "roles": "1.1", "technical": "4.5",
    # parameters
    "seats": "1.1", "blacks": "1.1", "officials": "1.2", "seating": "3.1.1", "mask": "3.1.2",
    "night_posture": "3.5.1", "speech_endings": "3.3.4", "speech_seconds": "3.3.1", "revote_seconds": "3.4.11",
    "last_word_seconds": "3.4.12", "opener_rotation": "3.3.2", "nomination_form": "3.4.2",
    "nominations_per_day": "3.4.3", "may_ask_who_is_nominated": "6.3", "vote_form": "3.4.5",
    "vote_window_seconds": "3.4.5", "withdrawn_hand_counts": "3.4.8", "withdrawn_hand_is_foul": "4.7",
    "remainder_to_last": "3.4.7", "day_one_single_candidate_vote": "3.4.9", "revote_order": "3.4.11.1",
    "voted_out_by": "3.4.10", "lift_vote": "3.4.11.3", "lift_majority": "3.4.11.3", "sheriff_answer_red": "3.5.7",
    "sheriff_answer_black": "3.5.7", "don_answer": "3.5.6", "best_move_seconds": "3.5.9", "best_move_size": "3.5.9",
    "best_move_talk_removes": "7.3.2", "best_move_points": "7.3.4", "best_move_points_for": "7.3.4",
    "third_foul_small_table_seconds": "6.5", "small_table": "6.5", "third_foul_keeps_revote_word": "6.4",
    "fouls_to_leave": "5.5", "technical_fouls": "4.5", "removal_cancels_vote": "6.1",
    "removal_of_killed_cancels": "6.1", "removal_after_result_cancels_next": "6.2", "draw_length": "6.6",
    "scored": "7.1", "win_points": "7.2.1", "removal_points": "7.2.4", "bonus_sum_limit": "7.4.2",
    "bonus_step": "7.4.2", "bonus_for_everyone": "7.4.1", "draw_bonus": "7.4.5", "ci": "7.5.1", "ci_step": "7.5.1",
    # points
    "win_red": "7.2.1", "win_black": "7.2.2", "loss": "7.2.3", "removal": "7.2.4", "score_best_move": "7.3.4",
    "score_bonus": "7.4.1", "bonus_sum": "7.4.2", "bonus_in_draw": "7.4.5", "ci_loss": "7.5.1", "ci_win": "7.5.1",
    "ci_no_hit": "7.5.2",
    # offences
    "offence:oath": "4.1", "offence:blackmail": "4.2", "offence:insult": "4.3", "offence:night_talk": "4.4",
    "offence:gestures": "4.5", "offence:speech_out_of_turn": "4.6", "offence:whisper": "4.6",
    "offence:hand_withdrawn": "4.7", "offence:gestures_in_vote": "4.8", "offence:not_voting": "4.9",
    "offence:obscene": "4.10", "offence:leaving": "4.13",
    "offence:deliberate_peeking": "4.14",
}  # fmt: skip

LEGION = Ruleset(
    name="legion",
    clauses=CLAUSES,
    officials=("host", "judges"),
    seating="draw",
    mask="camera_off",
    own_mask="none",
    night_posture="camera_off",
    night_head_degrees=None,
    speech_endings=("pas", "spasibo", "mic_off"),
    first_night_don_gesture=False,
    first_night_sheriff="none",
    check_seconds=20,
    vote_form="plus",
    vote_window_seconds=8,
    hold_until_count=False,
    shooting="text",
    sheriff_answer_red="thumb_up",
    sheriff_answer_black="thumb_down",
    don_answer=("ok", "cross"),
    best_move=True,
    best_move_talk_removes=True,
    best_move_points=(0, 0.5, 1),
    best_move_points_for="reds",
    third_foul="silent",
    technical_fouls=True,
    technical_to_leave=None,
    penalties=frozenset({
        ("oath", "removal"), ("blackmail", "removal"), ("insult", "removal"), ("night_talk", "removal"),
        ("gestures", "foul"), ("speech_out_of_turn", "foul"), ("whisper", "foul"), ("hand_withdrawn", "foul"),
        ("gestures_in_vote", "foul"), ("not_voting", "foul"), ("obscene", "removal"), ("leaving", "technical"),
        ("deliberate_peeking", "removal"),
    }),
    scored=True,
    win_points=2.5,
    removal_points=-0.5,
    bonus_sum_limit=5,
    bonus_step=0.25,
    bonus_for_everyone=True,
    draw_bonus="none",
    ci="kills_minus_one",
    ci_on_win=1,
    ci_step=0.5,
    ranking=("rating",),
)  # fmt: skip
