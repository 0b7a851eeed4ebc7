"""Legion: the rules of the Legion Mafia club (played by video call) as the value `LEGION`."""

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
}  # fmt: skip

LEGION = Ruleset(
    name="legion",
    clauses=CLAUSES,
    first_night_don_gesture=False,
    first_night_sheriff="none",
    check_seconds=20,
    vote_form="plus",
    vote_window_seconds=8,
    shooting="text",
    best_move=True,
    third_foul="silent",
)
