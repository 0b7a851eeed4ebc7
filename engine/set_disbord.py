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
}  # fmt: skip

DISBORD = Ruleset(
    name="disbord",
    clauses=CLAUSES,
    first_night_sheriff="look",
    sheriff_look_seconds=20,
    withdrawal=True,
    vote_window_seconds=2,
    shooting="called",
    third_foul="silent",
    removal_of_killed_cancels=True,
    removal_after_result_cancels_next=True,
    draw="nights_and_days",
    four_player_misses_win=3,
)
