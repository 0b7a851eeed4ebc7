"""Compensation for the first killed (FSM 8.6; Legion 7.5)."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from mafiavar.engine.parameters import Ruleset


def least_games(rules: Ruleset, games: int) -> int:
    """B: the share of the games played, rounded as the option says, at least `ci_least_b`.

    >>> from mafiavar.engine.ruleset import FSM_2026
    >>> least_games(FSM_2026, 120), least_games(FSM_2026, 7), least_games(FSM_2026, 12)
    (48, 4, 5)
    """
    exact = Fraction(str(rules.ci_share)) * games
    rounded = {
        "half_up": floor(exact + Fraction(1, 2)),
        "half_even": round(exact),
        "down": floor(exact),
        "up": ceil(exact),
    }[rules.ci_b_rounding]
    return max(rounded, rules.ci_least_b)


def full_ci(rules: Ruleset, kills: int, games: int) -> Fraction:
    """Ci of a player killed `kills` times in the first night as red over `games` games, before halving.

    FSM: i * 0.4 / B up to 0.4. Legion: 0.5 for every kill beyond the first.
    """
    if rules.ci == "none" or kills <= 0:
        return Fraction(0)
    if rules.ci == "kills_minus_one":
        return Fraction(str(rules.ci_step)) * (kills - 1)
    cap = Fraction(str(rules.ci_cap))
    least = least_games(rules, games)
    return cap if kills > least else cap * kills / least


def ci_in_game(rules: Ruleset, full: Fraction, *, won: bool | None, hits: int) -> Fraction:
    """What of the full Ci a game brings: all of it on a loss, half on a win, nothing without a black in
    the best move (8.6.5-8.6.7). `won` None: a draw."""
    if hits < 1:
        return Fraction(0)
    if won is None:
        return full * Fraction(str(rules.ci_on_draw))
    return full * Fraction(str(rules.ci_on_win)) if won else full
