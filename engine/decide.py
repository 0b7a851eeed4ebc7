"""The decisions of the rules as plain functions: who leaves after a ballot, who was killed, who won.

The game (`engine.game`) asks them while it follows a table, the audit (`engine.audit`) while it
follows a protocol. None keeps state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from mafiavar.engine.parameters import Ruleset

VerdictKind = Literal["leave", "revote", "lift", "stay", "night", "respeech"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What follows from a ballot. `seats`: who leaves, who is voted on again, who is put to the lift
    vote, or between whom the votes were split for the last time (stay, night). `forbidden`: the split
    is one the rules forbid."""

    kind: VerdictKind
    seats: tuple[int, ...]
    forbidden: bool = False


def top(tally: Mapping[int, int], order: Sequence[int]) -> tuple[int, ...]:
    """The candidates with most votes, in the order of nomination.

    >>> top({1: 4, 3: 4, 5: 1}, (3, 1, 5))
    (3, 1)
    """
    most = max(tally.values(), default=0)
    return tuple(c for c in order if tally.get(c, 0) == most)


def after_ballot(
    rules: Ruleset,
    *,
    day: int,
    at_table: int,
    candidates: tuple[int, ...],
    tally: Mapping[int, int],
    previous_tie: tuple[int, ...] | None = None,
    revealed: bool = False,
) -> Verdict:
    """What the rules require after a ballot among `candidates`.

    `previous_tie`: who were tied in the round before (None in round 1). `at_table`: players who may
    vote. `revealed`: somebody has revealed himself so that 7.11.1-2 permit a split.
    """
    leaders = top(tally, candidates)
    tied = len(leaders)
    if tied <= 1:
        votes = max(tally.values(), default=0)
        if rules.voted_out_by == "more_than_half" and 2 * votes <= at_table:
            return Verdict("stay", leaders)
        spared = day == 1 and rules.day_one_vote in ("respeech", "lift_only")
        return Verdict("respeech" if spared else "leave", leaders)
    forbidden = (tied, at_table) in rules.forbidden_splits and not (rules.reveal_allows_split and revealed)
    if day == 1 and rules.day_one_vote == "respeech":
        return Verdict("respeech", leaders, forbidden)
    if day == 1 and rules.day_one_max_tied is not None and tied > rules.day_one_max_tied:
        return Verdict("night", leaders, forbidden)
    if forbidden and rules.forbidden_split_effect == "night":
        return Verdict("night", leaders, forbidden)
    if previous_tie is None or set(leaders) != set(previous_tie):
        turned = previous_tie is None and rules.revote_order == "reversed"
        return Verdict("revote", leaders[::-1] if turned else leaders, forbidden)
    if lift_is_put(rules, tied=tied, at_table=at_table, revealed=revealed):
        return Verdict("lift", leaders, forbidden)
    return Verdict("stay", leaders, forbidden)


def lift_is_put(rules: Ruleset, *, tied: int, at_table: int, revealed: bool = False) -> bool:
    """Do the rules put the question whether all the tied shall leave?"""
    if tied >= at_table and not rules.lift_whole_table:
        return False
    if rules.lift_vote == "never":
        return False
    if (tied, at_table) in rules.forbidden_splits:
        return rules.reveal_allows_split and revealed
    return rules.lift_vote == "always" or (tied, at_table) in rules.lift_splits


def lift_passes(rules: Ruleset, *, yes: int, at_table: int, no: int | None = None) -> bool:
    """A strict majority; an even split keeps all at the table."""
    if rules.lift_majority == "of_cast" and no is not None:
        return yes > no
    return 2 * yes > at_table


def vote_is_due(rules: Ruleset, *, day: int, candidates: int, cancelled: bool) -> bool:
    """Must the judge open a vote this day?"""
    if cancelled or candidates == 0:
        return False
    if day == 1:
        if rules.day_one_vote == "none":
            return False
        return candidates > 1 or rules.day_one_single_candidate_vote
    return True


def vote_not_due_reason(rules: Ruleset, *, day: int, candidates: int, cancelled: bool) -> str | None:
    """Why no vote is due: cancelled, nobody, single, house_rule; None when it is due."""
    if vote_is_due(rules, day=day, candidates=candidates, cancelled=cancelled):
        return None
    if cancelled:
        return "cancelled"
    if candidates == 0:
        return "nobody"
    return "house_rule" if rules.day_one_vote == "none" else "single"


def killed(shots: Mapping[int, int | None], shooters: Iterable[int]) -> int | None:
    """The seat all living blacks shot at; None is a miss (4.6.4-4.6.5)."""
    targets = {shots.get(s) for s in shooters}
    return targets.pop() if len(targets) == 1 else None


def winner(reds: int, blacks: int) -> Literal["red", "black"] | None:
    """Who has won with so many of each colour at the table.

    >>> winner(3, 0), winner(2, 2), winner(3, 2)
    ('red', 'black', None)
    """
    if blacks == 0:
        return "red"
    return "black" if blacks >= reds else None


def floor_seconds(rules: Ruleset, purpose: str, *, third_foul: bool, at_table: int) -> float | None:
    """The limit of a speech; 0 when the player is silent. None: the rules give no limit.

    `third_foul`: a third foul is still to be paid for in the nearest minute.
    """
    if purpose == "best_move":
        return rules.best_move_seconds
    if purpose == "revote":
        return rules.revote_seconds if rules.third_foul_keeps_revote_word or not third_foul else 0
    if purpose == "last_word" and not (third_foul and rules.third_foul_hits_last_word):
        return rules.last_word_seconds
    if purpose == "protocol":
        return None
    full = rules.last_word_seconds if purpose == "last_word" else rules.speech_seconds
    if not third_foul or rules.third_foul == "nothing":
        return full
    if at_table in rules.small_table and rules.third_foul_small_table_seconds is not None:
        return rules.third_foul_small_table_seconds
    return full / 2 if rules.third_foul == "half" else 0


def speaking_order(alive: Sequence[int], opener: int, seats: int = 10) -> tuple[int, ...]:
    """The living in the order they speak, beginning with `opener` (or the next living seat).

    >>> speaking_order((1, 3, 4, 9), 4)
    (4, 9, 1, 3)
    """
    return _order(tuple(alive), opener, seats)


@lru_cache(maxsize=8192)
def still_to_speak(
    alive: tuple[int, ...], opener: int, spoken: tuple[int, ...], seats: int = 10
) -> tuple[int, ...]:
    """Those of the speaking order who have not spoken."""
    return tuple(s for s in _order(alive, opener, seats) if s not in spoken)


@lru_cache(maxsize=4096)
def _order(alive: tuple[int, ...], opener: int, seats: int) -> tuple[int, ...]:
    return tuple(sorted(alive, key=lambda s: (s - opener) % seats))


def next_opener(rules: Ruleset, alive: Sequence[int], opener: int, closer: int | None) -> int:
    """Who opens the next day: the next living seat after the previous opener (4.4.2)."""
    after = closer if rules.opener_rotation == "next_after_closer" and closer else opener
    return min(alive, key=lambda s: (s - after - 1) % rules.seats)


def best_move_right(
    rules: Ruleset,
    *,
    night: int | None,
    at_table_before: int,
    left_by_vote_day_one: int,
    after_tie: bool = False,
    doubtful: bool = False,
) -> bool:
    """Has a player who just left the right to a best move? `night`: of his death, None when he left
    by a vote while `at_table_before` sat at the table (7.13). `doubtful`: count a right the text
    leaves open."""
    if not rules.best_move:
        return False
    if night is None:
        if not rules.best_move_broken_at_ten or at_table_before != rules.seats:
            return False
        reading = rules.broken_at_ten
        return after_tie or reading == "any_vote" or (doubtful and reading == "either")
    lost = rules.best_move_lost_when_left
    return night == 1 and (lost is None or left_by_vote_day_one < lost)


def is_draw(rules: Ruleset, quiet_nights: int, quiet_days: int, *, at_end_of_day: bool) -> bool:
    """Three nights in a row and nobody left (7.7); or three nights and days beginning with a night.

    `quiet_nights`/`quiet_days`: how many nights / following days in a row nobody has left.
    """
    if rules.draw == "none" or quiet_nights < rules.draw_length:
        return False
    return rules.draw == "nights" or (at_end_of_day and quiet_days >= rules.draw_length)
