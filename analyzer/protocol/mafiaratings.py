"""Reader of a game as mafiaratings.com exports it (JSON). Its round 0 is day 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mafiavar.analyzer.protocol.reading import ROLE_WORDS, SEATS, WINNER_WORDS, Lenient
from mafiavar.engine.record import (
    BallotRecord,
    BestMoveRecord,
    CheckRecord,
    DayRecord,
    FoulRecord,
    LiftRecord,
    NightRecord,
    NominationRecord,
    Record,
    RemovalRecord,
)

SOURCE = "mafiaratings"
PHASES: Mapping[str, tuple[str, str]] = {
    # time in the file -> (day or night, phase)
    "speaking": ("day", "speech"), "voting": ("day", "voting"), "night kill speaking": ("day", "last_word"),
    "day kill speaking": ("day", "last_word"), "voting kill speaking": ("day", "last_word"),
    "start": ("day", "speech"), "end": ("day", "after_result"), "shooting": ("night", "night"),
    "night start": ("night", "night"), "don": ("night", "night"), "sheriff": ("night", "night"),
    "arrangement": ("night", "night"), "relaxed sitting": ("night", "night"),
}  # fmt: skip
REASONS = {
    "warnings": "fouls", "techFouls": "technical", "teamKickOut": "team_defeat", "kickOut": "removal",
    "giveUp": "removal",
}  # fmt: skip
LIFT_BY_MAJORITY: Mapping[str, Any] = {
    "lift_vote": "always", "forbidden_splits": [], "day_one_max_tied": None, "don_first_night_ban": False,
}  # fmt: skip
"""What the site's games show: after the same tie twice any number may be lifted by more than half."""


def recognises(data: Mapping[str, Any]) -> bool:
    players = data.get("players")
    if not isinstance(players, list) or not all(isinstance(p, Mapping) for p in players) or not players:
        return False
    keys = {k for p in players for k in p}
    return "position" not in keys and bool(
        keys & {"voting", "nominating", "shooting", "death", "warnings", "legacy"}
        or data.get("winner") in ("civ", "maf", "tie")
    )


def record_of(data: Mapping[str, Any], lenient: Lenient) -> Record:
    players: dict[int, Mapping[str, Any]] = {}
    for i, (where, player) in enumerate(lenient.objects(data.get("players"), "players")):
        if i < SEATS:
            players[i + 1] = player
        else:
            lenient.note("seat_impossible", where, i + 1, seats=(i + 1,))
    rounds = _rounds(lenient, players)
    deaths = {seat: _death(lenient, seat, p) for seat, p in players.items() if p.get("death") is not None}
    fouls = _fouls(lenient, players)
    shots = _shots(lenient, players)
    checks = _checks(lenient, players)
    last = max(
        [rounds, *(d.round for d in deaths.values() if d), *shots, *checks, *(r for r, _ in fouls)], default=0
    )
    winner = lenient.word(data.get("winner"), "winner", WINNER_WORDS)
    days = [_day(lenient, players, deaths, fouls, r) for r in range(last + 1)]
    nights = [_night(players, deaths, fouls, shots, checks, r) for r in range(1, last + 1)]
    return Record(
        site_options=LIFT_BY_MAJORITY,
        roles={
            s: lenient.word(p.get("role") or "civ", f"players[{s - 1}].role", ROLE_WORDS)
            for s, p in players.items()
        },
        nicknames={s: n if isinstance(n := p.get("name"), str) else None for s, p in players.items()},
        days=tuple(days) if not _ends_at_night(last, days) else tuple(days[:-1]),
        nights=tuple(nights),
        best_moves=_best_moves(lenient, players),
        winner=winner,  # type: ignore[arg-type]
        finished=winner is not None,
        fouls_known=any("warnings" in p for p in players.values()),
        best_move_known=any("legacy" in p for p in players.values()),
        bonus=_bonus(players),
        source=SOURCE,
    )


def _ends_at_night(last: int, days: list[DayRecord]) -> bool:
    """The game ended with the last kill: no day follows that night."""
    final = days[-1]
    return last > 0 and not final.ballots and not final.nominations and not final.left and not final.removed


class _Death:
    """`round`, `kind` and where in the round."""

    __slots__ = ("kind", "phase", "round")

    def __init__(self, round_: int, kind: str, phase: tuple[str, str] | None) -> None:
        self.round, self.kind, self.phase = round_, kind, phase


def _death(lenient: Lenient, seat: int, player: Mapping[str, Any]) -> _Death | None:
    where = f"players[{seat - 1}].death"
    data = lenient.mapping(player["death"], where)
    round_ = lenient.day_number(data.get("round"), f"{where}.round", low=0)
    kind = data.get("type")
    if round_ is None:
        return None
    if kind not in ("day", "night", *REASONS):
        lenient.note("bad_value", f"{where}.type", kind)
        kind = "kickOut"
    time = data.get("time")
    return _Death(round_, kind, _phase(lenient, time, where) if time is not None else None)


def _phase(lenient: Lenient, time: object, where: str) -> tuple[str, str]:
    word = time.get("time") if isinstance(time, Mapping) else time
    if isinstance(word, str) and word in PHASES:
        kind, phase = PHASES[word]
        again = isinstance(time, Mapping) and bool(time.get("votingRound"))
        return kind, "revote" if phase == "voting" and again and "speaker" in time else phase  # type: ignore[operator]
    lenient.note("bad_value", f"{where}.time", word)
    return "day", "speech"


def _rounds(lenient: Lenient, players: Mapping[int, Mapping[str, Any]]) -> int:
    """The last round with a vote or a nomination."""
    last = 0
    for seat, player in players.items():
        for key in ("voting", "nominating"):
            last = max(last, len(lenient.items(player.get(key), f"players[{seat - 1}].{key}")) - 1)
    return min(last, 29)


# --- days


def _day(
    lenient: Lenient, players: Mapping[int, Mapping[str, Any]], deaths: Mapping[int, _Death | None],
    fouls: list[tuple[int, tuple[str, FoulRecord]]], round_: int,
) -> DayRecord:  # fmt: skip
    lenient.day = round_ + 1
    ballots, lift = _votes(lenient, players, round_)
    voted = any("voting" in p for p in players.values())
    nominated = any("nominating" in p for p in players.values())
    left = tuple(s for s, d in deaths.items() if d and d.kind == "day" and d.round == round_)
    removed = tuple(
        RemovalRecord(s, REASONS[d.kind], d.phase[1] if d.phase else None)
        for s, d in deaths.items()
        if d
        and d.kind in REASONS
        and d.round == round_
        and (d.phase is None or d.phase[0] == "day" or round_ == 0)
    )
    day = DayRecord(
        day=round_ + 1,
        nominations=_nominations(lenient, players, round_) if nominated else None,
        ballots=ballots if voted else None,
        lift=lift,
        left=left,
        fouls=tuple(f for r, (kind, f) in fouls if r == round_ and (kind == "day" or r == 0)),
        removed=removed,
        ordered=False,
    )
    lenient.day = None
    return day


def _nominations(
    lenient: Lenient, players: Mapping[int, Mapping[str, Any]], round_: int
) -> tuple[NominationRecord, ...]:
    out = []
    for seat, player in players.items():
        where = f"players[{seat - 1}].nominating"
        row = lenient.items(player.get("nominating"), where)
        if round_ < len(row) and row[round_] is not None:
            target = lenient.seat(row[round_], f"{where}[{round_}]")
            if target is not None:
                out.append(NominationRecord(seat, target))
    return tuple(out)


def _votes(
    lenient: Lenient, players: Mapping[int, Mapping[str, Any]], round_: int
) -> tuple[tuple[BallotRecord, ...], LiftRecord | None]:
    by_round: dict[int, dict[int, list[int]]] = {}
    yes: list[int] = []
    no: list[int] = []
    for seat, player in players.items():
        where = f"players[{seat - 1}].voting[{round_}]"
        row = lenient.items(player.get("voting"), f"players[{seat - 1}].voting")
        entry = row[round_] if round_ < len(row) else None
        if entry is None:
            continue
        for i, vote in enumerate(entry if isinstance(entry, list) else [entry]):
            if isinstance(vote, bool):
                (yes if vote else no).append(seat)
            elif vote is not None and (target := lenient.seat(vote, f"{where}[{i}]")) is not None:
                by_round.setdefault(i + 1, {}).setdefault(target, []).append(seat)
    ballots = tuple(
        BallotRecord(r, tuple((t, tuple(who)) for t, who in sorted(votes.items())))
        for r, votes in sorted(by_round.items())
    )
    return ballots, LiftRecord(tuple(yes), tuple(no)) if yes or no else None


# --- fouls


def _fouls(
    lenient: Lenient, players: Mapping[int, Mapping[str, Any]]
) -> list[tuple[int, tuple[str, FoulRecord]]]:
    """(round, (day or night, foul)) of every warning; a bare number of warnings has no places."""
    out: list[tuple[int, tuple[str, FoulRecord]]] = []
    for seat, player in players.items():
        where = f"players[{seat - 1}].warnings"
        warnings = player.get("warnings")
        if isinstance(warnings, int) and not isinstance(warnings, bool):
            continue
        for i, (place, item) in enumerate(lenient.objects(warnings, where)):
            round_ = lenient.day_number(item.get("round"), f"{place}.round", low=0)
            if round_ is None:
                continue
            kind, phase = _phase(lenient, item, place)
            speaker = item.get("speaker")
            during = None if speaker is None else lenient.seat(speaker, f"{place}.speaker")
            out.append((round_, (kind, FoulRecord(seat, "foul", i + 1, phase, during))))
    return out


# --- nights


def _shots(
    lenient: Lenient, players: Mapping[int, Mapping[str, Any]]
) -> dict[int, list[tuple[int, int | None]]]:
    out: dict[int, list[tuple[int, int | None]]] = {}
    for seat, player in players.items():
        where = f"players[{seat - 1}].shooting"
        for i, target in enumerate(lenient.items(player.get("shooting"), where)):
            if i >= 30:
                break
            victim = None if target is None else lenient.seat(target, f"{where}[{i}]")
            out.setdefault(i + 1, []).append((seat, victim))
    return out


def _checks(lenient: Lenient, players: Mapping[int, Mapping[str, Any]]) -> dict[int, list[CheckRecord]]:
    """`don` and `sheriff` hold the round in which this player was checked."""
    out: dict[int, list[CheckRecord]] = {}
    for seat, player in players.items():
        for by in ("don", "sheriff"):
            if player.get(by) is None:
                continue
            night = lenient.day_number(player[by], f"players[{seat - 1}].{by}")
            if night is not None:
                out.setdefault(night, []).append(CheckRecord(by, seat))
    return out


def _night(
    players: Mapping[int, Mapping[str, Any]], deaths: Mapping[int, _Death | None],
    fouls: list[tuple[int, tuple[str, FoulRecord]]], shots: Mapping[int, list[tuple[int, int | None]]],
    checks: Mapping[int, list[CheckRecord]], number: int,
) -> NightRecord:  # fmt: skip
    killed = [s for s, d in deaths.items() if d and d.kind == "night" and d.round == number]
    kept = any("shooting" in p for p in players.values())
    checked = any(p.get(by) is not None for p in players.values() for by in ("don", "sheriff"))
    return NightRecord(
        night=number,
        shots=tuple(shots.get(number, ())) if kept else None,
        killed=killed[0] if killed else None,
        killed_known=True,
        checks=tuple(checks.get(number, ())) if checked else None,
        fouls=tuple(f for r, (kind, f) in fouls if r == number and kind == "night"),
        removed=tuple(
            RemovalRecord(s, REASONS[d.kind], "night")
            for s, d in deaths.items()
            if d and d.kind in REASONS and d.round == number and d.phase is not None and d.phase[0] == "night"
        ),
    )


def _best_moves(lenient: Lenient, players: Mapping[int, Mapping[str, Any]]) -> tuple[BestMoveRecord, ...]:
    return tuple(
        BestMoveRecord(seat, lenient.seats(p["legacy"], f"players[{seat - 1}].legacy"))
        for seat, p in players.items()
        if p.get("legacy") is not None
    )


def _bonus(players: Mapping[int, Mapping[str, Any]]) -> dict[int, float]:
    """Only numbers are points; words such as bestPlayer are awards of the site."""
    out = {}
    for seat, player in players.items():
        bonus = player.get("bonus")
        if isinstance(bonus, (int, float)) and not isinstance(bonus, bool):
            out[seat] = float(bonus)
    return out
