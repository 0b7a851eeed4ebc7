"""A tournament: Ci over every stage, sums, places with the tie-breaks of 8.7."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.record import Record
from mafiavar.engine.roles import SEATS
from mafiavar.engine.scoring.ci import full_ci
from mafiavar.engine.scoring.game import GameScore, score_game


@dataclass(frozen=True, slots=True)
class Played:
    """A game of a tournament: its name, its protocol, its stage (a distance with a fixed field), and who
    sat where (the protocol's nicknames, when not given)."""

    name: str
    record: Record
    stage: str = ""
    players: Mapping[int, str] | None = None

    def player(self, seat: int) -> str | None:
        names = self.players if self.players is not None else self.record.nicknames
        return names.get(seat) or None


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's line. Thousandths: `total`, `additional` (8.7.1). `place` is shared when only the lot
    could decide (`lot`)."""

    player: str
    place: int
    total: int
    additional: int
    games: int
    wins: int
    don_sheriff_wins: int
    first_killed: int
    ci: int
    lot: bool = False


def standings(
    games: Sequence[Played], rules: Ruleset, teams: Mapping[str, str] | None = None
) -> tuple[tuple[Standing, ...], tuple[tuple[Played, GameScore], ...]]:
    """(places, scored games). Ci is reckoned per stage; players of a team share its kills and games
    (`teams`: player -> team). The order of `games` does not matter."""
    plain = [(g, score_game(g.record, rules)) for g in games]
    distance = _distances(plain, teams or {})
    scored = tuple(
        (g, score_game(g.record, rules, _ci_of(g, rules, distance, teams or {}))) for g, _ in plain
    )
    return _ranked(scored), scored


Distance = dict[tuple[str, str], tuple[int, int]]
"""(stage, player or team) -> (first-night kills as red, games)."""


def _distances(scored: Iterable[tuple[Played, GameScore]], teams: Mapping[str, str]) -> Distance:
    out: Distance = {}
    for game, score in scored:
        for seat in SEATS:
            player = game.player(seat)
            if player is None:
                continue
            key = (game.stage, teams.get(player, player))
            kills, count = out.get(key, (0, 0))
            out[key] = (kills + (score.first_killed == seat), count + 1)
    return out


def _ci_of(game: Played, rules: Ruleset, distance: Distance, teams: Mapping[str, str]) -> dict[int, Fraction]:
    out = {}
    for seat in SEATS:
        player = game.player(seat)
        if player is not None:
            kills, count = distance[game.stage, teams.get(player, player)]
            out[seat] = full_ci(rules, kills, count)
    return out


def _ranked(scored: Iterable[tuple[Played, GameScore]]) -> tuple[Standing, ...]:
    rows: dict[str, list[int]] = {}
    for game, score in scored:
        for seat in SEATS:
            player = game.player(seat)
            if player is None:
                continue
            row = rows.setdefault(player, [0] * 7)
            won = score.won(seat) is True
            row[0] += score.total(seat)
            row[1] += score.additional(seat)
            row[2] += won
            row[3] += won and score.roles.get(seat) in ("don", "sheriff")
            row[4] += score.died_first == seat
            row[5] += 1
            row[6] += score.total(seat, ("ci",))
    ordered = sorted(rows.items(), key=lambda item: ([-v for v in item[1][:5]], item[0]))
    out: list[Standing] = []
    for i, (player, row) in enumerate(ordered):
        same = [p for p, r in rows.items() if r[:5] == row[:5]]
        before = next((s.place for s in out if s.player in same), None)
        out.append(
            Standing(
                player, before or i + 1, row[0], row[1], row[5], row[2], row[3], row[4], row[6], len(same) > 1
            )
        )
    return tuple(out)
