"""Points: what a game, a stage and a tournament are worth under a rule set, every point with its clause.

    score = score_game(record, rules)                 # one game
    table = standings([Played("g1", record), ...], rules)   # a tournament, with Ci and places

Amounts are whole thousandths of a point (`milli`), so that sums are exact.
"""

from mafiavar.engine.scoring.game import GameScore, score_game
from mafiavar.engine.scoring.points import Point, Remark, milli
from mafiavar.engine.scoring.tournament import Played, Standing, standings

__all__ = ["GameScore", "Played", "Point", "Remark", "Standing", "milli", "score_game", "standings"]
