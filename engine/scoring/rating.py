"""The rating of the Legion club: coefficient, penalties, archive and return (its rating rules)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

START = 1000
TOP = 2000
MANY_GAMES = 30
FEW_GAMES = 10
ARCHIVE_BELOW = 900
IN_CALIBRATION = 900
AFTER_GAME_PENALTY = 10
OFFENCES_A_YEAR = 3


def coefficient(rating: float, games: int) -> int:
    """x1 above 2000, x2 for more than 30 games, x4 below (rating-2.2.4). Exactly 30 games is not named:
    it counts as many.

    >>> coefficient(1000, 5), coefficient(1500, 31), coefficient(2001, 5)
    (4, 2, 1)
    """
    if rating > TOP:
        return 1
    return 2 if games >= MANY_GAMES else 4


def penalty(offence: Literal["removal", "team_defeat", "after_game"], rating: float, games: int) -> int:
    """Points of rating lost: 3/5/8 for a removal, 5/10/15 for a defeat of the team (rating-2.2.2-3), 10 for
    an offence found after the game (rating-5.1).

    >>> penalty("removal", 1000, 3), penalty("team_defeat", 1000, 40), penalty("removal", 2100, 3)
    (8, 10, 3)
    """
    if offence == "after_game":
        return AFTER_GAME_PENALTY
    step = {1: 0, 2: 1, 4: 2}[coefficient(rating, games)]
    return {"removal": (3, 5, 8), "team_defeat": (5, 10, 15)}[offence][step]


def expected_result(team: float, opponents: float) -> float:
    """Elo's expected result of a team by the mean ratings. The text names what counts (own team, opponents,
    own rating, games) but no formula: this is the option `elo`.

    >>> expected_result(1000, 1000)
    0.5
    """
    return float(1 / (1 + 10 ** ((opponents - team) / 400)))


def change(
    *, rating: float, games: int, team: float, opponents: float, won: bool | None, additional: float,
    win_weight: float = 2.5,
) -> float:  # fmt: skip
    """Change of rating by one game: coefficient x (win_weight x (result - expected) + additional points),
    a draw counting as half. `additional`: bonus, best move, Ci and yellow cards of the game."""
    result = 0.5 if won is None else float(won)
    return coefficient(rating, games) * (
        win_weight * (result - expected_result(team, opponents)) + additional
    )


@dataclass(frozen=True, slots=True)
class Career:
    """What the archive rules look at."""

    rating: float
    games: int
    games_last_month: int
    asked_to_leave: bool = False
    banned_for_good: bool = False
    offences_this_year: int = 0


def goes_to_archive(career: Career) -> bool:
    """rating-3.2, rating-4.2.3."""
    idle = career.games < FEW_GAMES and career.games_last_month == 0
    return career.rating < ARCHIVE_BELOW or idle or career.asked_to_leave or career.banned_for_good


AWAY_DAYS = 30
CALIBRATION_GAMES = 10


def may_return(days_in_archive: int, *, banned_for_good: bool = False) -> bool:
    """A month after coming to the archive (rating-3.3); one banned for good only by pardon (rating-4.2.3)."""
    return days_in_archive >= AWAY_DAYS and not banned_for_good


def after_calibration(
    games: int, days: int, average: float
) -> tuple[Literal["plays", "archive", "rated"], int | None]:
    """Where one who came back stands after `games` calibration games in `days` days (rating-3.4): still
    playing them (his rating counts as 900 for the others), in the archive again, or rated anew.

    >>> after_calibration(9, 20, 2.6), after_calibration(9, 31, 2.6), after_calibration(10, 20, 2.45)
    (('plays', 900), ('archive', None), ('rated', 950))
    """
    if games < CALIBRATION_GAMES:
        return ("plays", IN_CALIBRATION) if days <= AWAY_DAYS else ("archive", None)
    rating = rating_after_calibration(average)
    return ("archive", None) if rating is None else ("rated", rating)


def is_suspended(career: Career) -> bool:
    """More than three technical offences in a year (rating-5.3)."""
    return career.offences_this_year > OFFENCES_A_YEAR


def rating_after_calibration(average: float) -> int | None:
    """Start rating by the mean additional points of ten calibration games (rating-3.4); None: back to the
    archive. Between 2.6 and 2.7 the text names nothing: taken with the step below.

    >>> [rating_after_calibration(a) for a in (1.9, 2.0, 2.4, 2.5, 2.65, 2.7)]
    [None, 925, 950, 975, 975, 1000]
    """
    for least, rating in ((2.7, 1000), (2.5, 975), (2.4, 950), (2.0, 925)):
        if average >= least:
            return rating
    return None
