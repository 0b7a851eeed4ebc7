"""A rule set is a value: every point on which the texts differ is one parameter with its clause.

Nothing in the engine asks which rule set it has; it asks the parameters. A house rule of a site is
`rules.with_options({"day_one_vote": "none"})`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from mafiavar.engine.errors import RuleError

Split = tuple[int, int]
"""(so many tied, so many at the table)"""
Penalty = tuple[str, str]
"""(offence, penalty)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """All parameters of one set of rules. Seconds are upper limits; None means the text has no such rule.

    `clauses` maps a parameter or a topic of an issue to the number of its clause in this text.
    """

    name: str
    clauses: Mapping[str, str] = field(default_factory=dict, hash=False, compare=False)

    # --- who and where (points 1-3, 8, 11-13 of the comparison)
    seats: int = 10
    blacks: int = 3
    officials: tuple[str, ...] = ("judge", "side_judges")
    seating: Literal["schedule", "draw_or_schedule", "draw"] = "schedule"
    mask: Literal["mask", "camera_off"] = "mask"
    own_mask: Literal["by_leave", "allowed", "none"] = "allowed"
    mask_size_mm: tuple[int, int] | None = None
    mask_may_be_held: bool = True
    mask_by_day_forbidden: bool = False
    night_posture: Literal["arms_on_shoulders", "arms_on_chest", "camera_off"] = "arms_on_chest"
    night_head_degrees: int | None = 45
    night_without_hats: bool = False
    addresses_to_judge: tuple[str, ...] = ()
    """Titles by which a player may address the judge; empty: the text does not say."""
    speech_endings: tuple[str, ...] = ("pas", "spasibo")

    # --- first night (4-7)
    negotiation_seconds: float = 60
    first_night_don_gesture: bool = True
    first_night_sheriff: Literal["gesture", "look", "none"] = "gesture"
    sheriff_look_seconds: float | None = None
    check_seconds: float = 10
    free_seating_seconds: float | None = None

    # --- the day (9, 10, 14-17)
    speech_seconds: float = 60
    revote_seconds: float = 30
    last_word_seconds: float = 60
    opener_rotation: Literal["next_after_opener", "next_after_closer"] = "next_after_opener"
    nomination_form: Literal["present_or_short", "present_full"] = "present_full"
    nominations_per_day: int = 1
    withdrawal: bool = False
    """DISBORD: a geographic rule."""
    may_ask_who_is_nominated: bool = False
    """DISBORD: a geographic rule."""

    # --- voting (18-30)
    vote_form: Literal["fist", "plus"] = "fist"
    vote_window_seconds: float = 1.5
    hold_until_count: bool = True
    hand_foul_until: Literal["stop", "count"] = "stop"
    """4.5.6 has the hand stay until the count, 6.6.6 fouls its withdrawal «до подведения итогов (слова
    «Стоп» или «Спасибо»)». Chosen: stop; the foul names its own end, the duty has no penalty."""
    withdrawn_hand_counts: bool = True
    withdrawn_hand_is_foul: bool = True
    removing_hand_foul_is_technical: bool = False
    """4.5.9: of a foul that names this clause (6.6.6 also covers the early hand, which removes as ever)."""
    third_foul_and_technical: Literal["removes", "stays"] = "removes"
    """4.5.9 turns a removing foul into a technical one; when that is the second technical foul, 6.7.2
    removes. Chosen: removes; 4.5.9 speaks of fouls only."""
    remainder_to_last: bool = True
    day_one_vote: Literal["normal", "none", "respeech", "lift_only"] = "normal"
    """House rules of a site for day one. none: no vote. respeech: the vote only gives whoever leads it
    30 seconds more. lift_only: as respeech for a single leader; tied ones are voted on again and may
    leave by a lift vote only."""
    day_one_single_candidate_vote: bool = False
    day_one_max_tied: int | None = None
    """More tied than this on day one: night at once. Chosen: 4.5.10 goes before 7.11.4, so 5/10 is lifted
    only on a later day at ten."""
    voted_out_by: Literal["most", "more_than_half"] = "most"
    """«Большинство голосов»: Chosen: the most; 4.5.12 knows no other case beside it than equal numbers, and
    real protocols have it so. With more_than_half a leader below it stays."""
    revote_order: Literal["nomination", "reversed"] = "nomination"
    """The order of half minutes and re-votes (rules elsewhere reverse it once)."""
    lift_vote: Literal["never", "listed", "always"] = "always"
    """After the same tie twice: is "all of them leave" put to the vote?"""
    lift_splits: frozenset[Split] = frozenset()
    """For "listed": the splits at which it is. Chosen: 2/10 is not named, so nobody is lifted on day one."""
    lift_whole_table: bool = False
    lift_majority: Literal["of_living", "of_cast"] = "of_living"
    """Strictly more than half of the living, or more "yes" than "no". Chosen: of the living («если
    большинство голосует за»; an even split keeps all)."""
    forbidden_splits: frozenset[Split] = frozenset()
    forbidden_split_effect: Literal["no_lift", "night"] = "no_lift"
    """4.5.14 forbids both the split and the lift but names no result of the forbidden split itself:
    the tie is voted on again as always and only the lift is refused (7.11.3 punishes the twice-split
    table, so the second ballot must happen)."""
    twice_tied_penalty_for: Literal["all_reds", "reds_at_table"] = "all_reds"
    """4.5.14 punishes the reds «участвующие в игре». Chosen: all seven; those who left took part too."""
    reveal_allows_split: bool = False
    false_reveal_points: float | None = None
    """7.11.2: a red first killed who revealed himself and did not take it back."""
    twice_tied_penalty: float | None = None
    twice_tied_penalty_day_one: bool = True
    """4.5.14 to the letter also punishes the reds for 2/10 on day one. Chosen: to the letter."""

    # --- the night (31-40)
    shooting: Literal["numbers", "called", "text"] = "numbers"
    miss_gesture: bool = False
    don_first_night_ban: bool = False
    sheriff_answer_red: str = "nod_thumb_up"
    sheriff_answer_black: str = "nod_thumb_down"
    don_answer: tuple[str, str] = ("nod", "denial")
    """(found, not found). The pictures of the appendix are missing from the text: Chosen: what 4.6.6 says in words."""
    best_move: bool = False
    best_move_seconds: float = 20
    best_move_size: int = 3
    best_move_talk_removes: bool = False
    best_move_lost_when_left: int | None = None
    best_move_broken_at_ten: bool = False
    broken_at_ten: Literal["any_vote", "after_tie", "either"] = "either"
    """7.13 «в которого сломали стол»: anyone voted out while ten sat at the table, or only one who
    falls in a re-vote? The clause does not say when a vote is a break. Chosen, either: after a tie the
    best move is due; after a plain vote at ten it may be given and may be left out."""
    best_move_points: tuple[float, float, float] = (0, 0, 0)
    """For one, two, three blacks named."""
    best_move_points_for: Literal["all", "reds"] = "all"
    protocol_right: bool = False
    testament: bool = False

    # --- discipline (41-46, 55-65)
    third_foul: Literal["half", "silent", "nothing"] = "half"
    third_foul_small_table_seconds: float | None = 30
    """7.6 gives 30 s at three or four players; with 6.4 (half of 60 s) it is the same, a leftover."""
    small_table: frozenset[int] = frozenset({3, 4})
    third_foul_hits_last_word: bool = False
    """Is the shortened «ближайшая минута» also a last word? Chosen: no; 6.4 speaks of the minute of a
    round, the last word has its own clause (4.8.1)."""
    third_foul_keeps_revote_word: bool = True
    fouls_to_leave: int = 4
    disobedience_loses_game: bool = False
    technical_fouls: bool = False
    technical_to_leave: int | None = 2
    """None: however many, they remove nobody (Legion's yellow cards)."""
    technical_points: float = 0
    technical_big_points: float = 0
    second_technical: Literal["own_kind", "first_kind", "larger_kind"] = "own_kind"
    """6.7.2: the second technical foul counts twice «соответствующего технического фола»; small and big
    mixed: doubled is the second one's own value. Chosen: own kind."""
    removal_cancels_vote: bool = True
    removal_of_killed_cancels: bool = False
    """A removed player who was killed that night or is leaving by the vote: does the vote still fall?"""
    removal_after_result_cancels_next: bool = True
    penalties: frozenset[Penalty] = frozenset()
    """(offence, penalty): foul, technical, technical_big, removal, team_defeat. Clauses: "offence:NAME"."""
    last_minute_offences: frozenset[str] = frozenset()
    """Clauses whose removal becomes a defeat of the team in a last minute or while leaving (6.9.5)."""
    punished_after_decision: frozenset[str] | None = None
    """Removing clauses still applied after the deciding vote or kill (6.10); None: all of them."""

    # --- the end (47, 48)
    draw: Literal["nights", "nights_and_days", "none"] = "nights"
    draw_length: int = 3
    draw_counts_first_night: bool = False
    """Does the negotiation night count as one of the three? Chosen: no; nobody can leave in it."""
    four_player_misses_win: int | None = None
    """At four players so many misses in a row give red the game. DISBORD has this (l245, a geographic rule)
    beside its draw (l249). Chosen: both stand; the earlier one to come true ends the game."""

    # --- points (49-54, 66)
    scored: bool = False
    win_points: float = 0
    removal_points: float = 0
    removal_points_critical: float | None = None
    critical_margin: int = 2
    """«На критике» is not defined. Chosen: reds at the table are at most this many more than blacks
    before the vote (as a large platform counts it)."""
    team_defeat_points: float = 0
    bonus_sum_limit: float | None = None
    bonus_players_limit: int | None = None
    bonus_step: float | None = None
    bonus_for_everyone: bool = False
    bonus_values: frozenset[float] = frozenset()
    bonus_values_agreed: frozenset[float] = frozenset()
    """Sizes that need the chief judge's consent."""
    draw_bonus: Literal["no_plus", "none"] = "no_plus"
    ci: Literal["share_of_games", "kills_minus_one", "none"] = "none"
    ci_cap: float = 0.4
    ci_share: float = 0.4
    ci_least_b: int = 4
    ci_b_rounding: Literal["half_up", "half_even", "down", "up"] = "half_up"
    """8.6.2 «округлённая до целого» names no way. Chosen: half up."""
    ci_digits: int = 3
    """Digits a published Ci has."""
    ci_on_win: float = 0.5
    """8.6.1 names the defeat only. Chosen: 8.6.6, which gives half on a win."""
    ci_on_draw: float = 0
    """A draw is not named in 8.6. Chosen: nothing, since a draw gives no plus (8.4.8)."""
    ci_step: float = 0
    """For kills_minus_one: points for every first-night kill beyond the first."""
    ranking: tuple[str, ...] = ()
    appeals_limit: int | None = None
    appeal_rounds: int | None = None
    appeal_least_difference: float | None = None

    def __hash__(self) -> int:
        """Cheap, for positions hash their rules; equality still compares every parameter."""
        return hash(self.name)

    def clause(self, topic: str) -> str | None:
        """`fsm-2026:4.5.4` for a parameter or topic; None when this text has no clause for it."""
        number = self.clauses.get(topic)
        return _citation(self.name, number) if number else None

    def spares_hand(self, violation: str | None) -> bool:
        """Is this offence one whose removing foul becomes a technical one (4.5.9)?"""
        hand = self.clauses.get("removing_hand_foul_is_technical")
        return self.removing_hand_foul_is_technical and violation is not None and violation == hand

    def technical_removes(self, count: int, violation: str | None) -> bool:
        """Does the technical foul number `count` of a player remove him (6.7.2)?"""
        stays = self.third_foul_and_technical == "stays" and self.spares_hand(violation)
        return self.technical_to_leave is not None and count >= self.technical_to_leave and not stays

    def penalty(self, offence: str) -> str | None:
        """What an offence costs here (foul, technical, technical_big, removal, team_defeat); None: unknown."""
        return next((p for o, p in self.penalties if o == offence), None)

    def with_options(self, options: Mapping[str, Any]) -> Ruleset:
        """The same rules with single parameters changed (lists become sets or tuples as needed).

        Raises RuleError for an unknown parameter or a value of the wrong type.
        """
        if not options:
            return self
        return replace(self, **{name: _converted(name, value) for name, value in options.items()})


@cache
def _citation(name: str, number: str) -> str:
    return f"{name}:{number}"


_HINTS = get_type_hints(Ruleset)
OPTIONS = frozenset(f.name for f in fields(Ruleset)) - {"name", "clauses"}
"""Names that `with_options` accepts."""


def _converted(name: str, value: Any) -> Any:
    if name not in OPTIONS:
        raise RuleError(f"unknown parameter {name!r}")
    converted = _as_type(_HINTS[name], value)
    if converted is _BAD:
        raise RuleError(f"parameter {name!r} cannot be {value!r}")
    return converted


class _Bad:
    pass


_BAD = _Bad()


def _as_type(hint: Any, value: Any) -> Any:
    """`value` as a member of the annotation, or _BAD."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return value if isinstance(value, (str, int)) and value in args else _BAD
    if origin in (frozenset, tuple):
        if not isinstance(value, (list, tuple, set, frozenset)):
            return _BAD
        inner = args if origin is tuple and args[-1] is not Ellipsis else (args[0],) * len(value)
        if len(inner) != len(value):
            return _BAD
        items = [_as_type(t, v) for t, v in zip(inner, value, strict=True)]
        return _BAD if any(v is _BAD for v in items) else origin(items)
    if args:  # a union
        for option in args:
            converted = _as_type(option, value)
            if converted is not _BAD:
                return converted
        return _BAD
    if hint is type(None):
        return None if value is None else _BAD
    if hint is bool:
        return value if isinstance(value, bool) else _BAD
    if isinstance(value, bool):
        return _BAD
    if hint is float:
        return value if isinstance(value, (int, float)) else _BAD
    return value if isinstance(value, hint) else _BAD
