"""Which violation is planted when: dealt over a game so that each kind comes up, none twice at once."""

from __future__ import annotations

import numpy as np

# kinds by the scene that can hold them
VOTE = (
    "hand_early", "hand_withdrawn", "hand_released_before_count", "hand_form", "two_hands", "two_candidates",
    "hand_late", "vote_missing", "vote_count_mismatch", "talk_during_vote",
    "gesture_during_vote", "wrong_vote_order",
)  # fmt: skip
SPEECH = (
    "speech_out_of_turn", "speech_overtime", "nomination_tense", "nomination_second", "nomination_repeated",
    "asked_nominations", "phrase_oath", "phrase_obscene", "phrase_appeal", "phrase_reveal", "phrase_team_defeat",
    "phrase_both_roles", "address_to_judge", "table_knock", "touch_by_day", "mask_by_day", "left_table",
    "time_cut_short", "foul_ordinal_wrong", "dead_player_acts", "fourth_foul_not_enforced", "vote_held_though_cancelled",
)  # fmt: skip
NIGHT = (
    "mask_late", "mask_off_at_night", "head_up_at_night", "arms_down_at_night", "touch_at_night", "talk_at_night",
    "night_check_of_own_shot",
)  # fmt: skip
BEST_MOVE = ("best_move_talk", "best_move_readback")
BROKEN_TABLE = ("shout_before_best_move",)
LAST_WORD = ("protocol_early", "phrase_best_move")
# moves of the judge and the table after which the game goes another way (misrule.py)
OPENING = ("wrong_opener",)
DUE_VOTE = ("vote_not_held_though_due",)
NO_VOTE = ("vote_held_though_cancelled",)
LEAVING = ("wrong_person_left",)
TEN = ("shout_before_best_move", "forbidden_lift")  # ballots at a full table that make room for them
NINE = ("forbidden_split",)
STAYED = ("forbidden_lift",)
LINGERING = ("dead_player_acts",)
KINDS = tuple(dict.fromkeys((
    *VOTE, *SPEECH, *NIGHT, *BEST_MOVE, *BROKEN_TABLE, *LAST_WORD,
    *OPENING, *DUE_VOTE, *NO_VOTE, *LEAVING, *TEN, *NINE, *STAYED, *LINGERING,
)))  # fmt: skip

# Kinds that a rule set does not know are not planted in its games.
FSM_ONLY = {
    "two_hands", "phrase_reveal", "phrase_team_defeat", "phrase_both_roles", "phrase_best_move", "best_move_talk",
    "best_move_readback", "shout_before_best_move", "protocol_early", "night_check_of_own_shot", "mask_by_day", "asked_nominations",
    "forbidden_split", "forbidden_lift",
}  # fmt: skip
LEGION_UNKNOWN = {
    "touch_by_day", "touch_at_night", "hand_form", "two_hands", "two_candidates", "left_table", "table_knock",
}  # fmt: skip


class Deck:
    """Deals violation kinds without repeating one before all of its scene have come up."""

    def __init__(self, seed: int, ruleset: str, rate: float) -> None:
        self.g = np.random.default_rng([seed, 81])
        self.rate = rate
        unknown = (
            set() if ruleset == "fsm-2026" else FSM_ONLY | (LEGION_UNKNOWN if ruleset == "legion" else set())
        )
        self._known = {k for k in KINDS if k not in unknown}
        self._piles: dict[tuple[str, ...], list[str]] = {}

    def draw(self, scene: tuple[str, ...], chance: float, most: int = 1) -> list[str]:
        """0..most kinds for a scene; each drawn with `chance` times the game's rate."""
        out: list[str] = []
        for _ in range(most):
            if self.g.random() >= min(0.95, chance * self.rate):
                continue
            pile = self._piles.setdefault(scene, [])
            if not pile:
                kinds = [k for k in scene if k in self._known]
                pile += [kinds[int(i)] for i in self.g.permutation(len(kinds))]
            if pile and pile[-1] not in out:
                out.append(pile.pop())
        return out
