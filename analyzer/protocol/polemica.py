"""Reader of a Polemica match: the bare game (API) and the match page that wraps it in `data`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mafiavar.analyzer.protocol.reading import SEATS, Lenient
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

SOURCE = "polemica"
ROLES = {0: "don", 1: "mafia", 2: "red", 3: "sheriff"}
DAY_ONE = {"none": "none", "respeech": "respeech", "liftOnly": "lift_only", None: "normal"}
STAGES: Mapping[str, str] = {
    "speech": "speech", "reSpeech": "revote", "voting": "voting", "reVoting": "voting", "liftVoting": "voting",
    "voted": "last_word", "shooted": "last_word", "shooting": "night", "donCheck": "night", "sheriffCheck": "night",
    "comKillerCheck": "night", "guess": "night", "bestMove": "night", "night": "night", "meeting": "night",
}  # fmt: skip


def recognises(data: Mapping[str, Any]) -> bool:
    game = _game(data)
    players = game.get("players")
    return isinstance(players, list) and any(
        isinstance(p, Mapping) and ("position" in p or "tablePosition" in p) for p in players
    )


def _game(data: Mapping[str, Any]) -> Mapping[str, Any]:
    inner = data.get("data")
    return inner if isinstance(inner, Mapping) and "players" in inner else data


def record_of(data: Mapping[str, Any], lenient: Lenient) -> Record:
    game = _game(data)
    players = _players(lenient, game)
    votes = _votes(lenient, game.get("votes"))
    shots = _shots(lenient, game.get("shots"))
    checks = _checks(lenient, game.get("checks"))
    stage = lenient.mapping(game.get("stage"), "stage")
    fouls = _fouls(lenient, players)
    removed = _removals(lenient, players)
    last = max(
        [1, *(v[0] for v in votes), *(n + 1 for n, _, _ in shots if stage.get("type") != "gameOver")]
        if stage.get("type") == "gameOver"
        else [1, *(v[0] for v in votes)]
    )
    if isinstance(stage.get("day"), int) and 1 <= stage["day"] <= 30:
        last = max(last, stage["day"])
    winner = _winner(lenient, data, game)
    nights = max([0, *(n for n, _, _ in shots), *(n for n, _ in checks), last - 1])
    return Record(
        site_options=_site_options(lenient, game),
        roles={s: _role(lenient, s, p) for s, p in players.items()},
        nicknames={s: n if isinstance(n := p.get("username"), str) else None for s, p in players.items()},
        days=tuple(_day(lenient, d, votes, fouls, removed) for d in range(1, last + 1)),
        nights=tuple(_night(n, shots, checks, fouls, removed, game) for n in range(1, nights + 1)),
        best_moves=_best_moves(lenient, players, shots),
        winner=winner,  # type: ignore[arg-type]
        finished=winner is not None,
        fouls_known=any("fouls" in p for p in players.values()),
        best_move_known=any("guess" in p for p in players.values()),
        bonus=_bonuses(lenient, game),
        published=_points(lenient, data),
        source=SOURCE,
    )


def _players(lenient: Lenient, game: Mapping[str, Any]) -> dict[int, Mapping[str, Any]]:
    out: dict[int, Mapping[str, Any]] = {}
    for where, player in lenient.objects(game.get("players"), "players"):
        seat = lenient.seat(player.get("position", player.get("tablePosition")), f"{where}.position")
        if seat is None:
            continue
        if seat in out:
            lenient.note("duplicate_key", f"{where}.position", seat, seats=(seat,))
        else:
            out[seat] = player
    return out


def _role(lenient: Lenient, seat: int, player: Mapping[str, Any]) -> str | None:
    code = player.get("role", player.get("role_val"))
    if isinstance(code, int) and not isinstance(code, bool) and code in ROLES:
        return ROLES[code]
    if code is not None:
        lenient.note("bad_value", f"players.{seat}.role", code)
    return None


def _site_options(lenient: Lenient, game: Mapping[str, Any]) -> dict[str, Any]:
    """The platform's own rules: any split may be lifted by more than half, the don may check anyone;
    day one as the game's `zeroVoting` says; three at nine as `lift3From9` says."""
    config = lenient.mapping(game.get("config"), "config")
    zero = config.get("zeroVoting", game.get("zeroVoting"))
    if isinstance(zero, (dict, list)) or zero not in DAY_ONE:
        lenient.note("bad_value", "zeroVoting", zero)
        zero = None
    return {
        "day_one_vote": DAY_ONE[zero],
        "lift_vote": "always",
        "forbidden_splits": [[3, 9]] if config.get("lift3From9") is False else [],
        "reveal_allows_split": config.get("lift3From9") is False,
        "day_one_max_tied": None,
        "don_first_night_ban": False,
    }


def _winner(lenient: Lenient, data: Mapping[str, Any], game: Mapping[str, Any]) -> str | None:
    code = game.get("result", data.get("winnerCode"))
    if code is None:
        return None
    if code in (0, 1) and not isinstance(code, bool):
        return "red" if code == 0 else "black"
    lenient.note("bad_value", "result", code)
    return None


# --- days


Votes = list[tuple[int, int | None, int, int]]


def _votes(lenient: Lenient, value: object) -> Votes:
    """(day, round or None for a lift, voter, candidate); 0 is a nomination, candidate 0 only in a lift."""
    out: Votes = []
    for where, item in lenient.objects(value, "votes"):
        day = lenient.day_number(item.get("day"), f"{where}.day")
        voter = lenient.seat(item.get("voter"), f"{where}.voter")
        number = item.get("num")
        round_ = None if number is None else lenient.whole(number, f"{where}.num", low=0, high=30)
        if day is None or voter is None or (number is not None and round_ is None):
            continue
        low = 0 if round_ is None else 1
        candidate = lenient.whole(
            item.get("candidate"), f"{where}.candidate", low=low, high=SEATS, kind="seat_impossible"
        )
        if candidate is not None:
            out.append((day, round_, voter, candidate))
    return out


def _day(
    lenient: Lenient, number: int, votes: Votes, fouls: list[tuple[int, FoulRecord]],
    removed: list[tuple[int, RemovalRecord]],
) -> DayRecord:  # fmt: skip
    lenient.day = number
    mine = [v for v in votes if v[0] == number]
    rounds: dict[int, dict[int, list[int]]] = {}
    for _, round_, voter, candidate in mine:
        if round_:
            rounds.setdefault(round_, {}).setdefault(candidate, []).append(voter)
    lift = [(voter, candidate) for _, round_, voter, candidate in mine if round_ is None]
    day = DayRecord(
        day=number,
        nominations=tuple(NominationRecord(v, c) for _, r, v, c in mine if r == 0),
        ballots=tuple(
            BallotRecord(r, tuple((c, tuple(who)) for c, who in sorted(cast.items())))
            for r, cast in sorted(rounds.items())
        ),
        # Only those "for" are always stored; who is missing abstained.
        lift=LiftRecord(tuple(v for v, c in lift if c == 1), None) if lift else None,
        fouls=tuple(f for d, f in fouls if d == number and f.phase != "night"),
        removed=tuple(r for d, r in removed if d == number and r.phase != "night"),
        ordered=False,
    )
    lenient.day = None
    return day


# --- fouls and removals


def _stage(lenient: Lenient, stage: object, where: str) -> tuple[int, str, int | None] | None:
    data = lenient.mapping(stage, where)
    day = lenient.day_number(data.get("day"), f"{where}.day", low=0)
    if day is None:
        return None
    kind = data.get("type")
    phase = STAGES.get(kind) if isinstance(kind, str) else None
    if phase is None:
        lenient.note("bad_value", f"{where}.type", kind)
        phase = "speech"
    player = data.get("player")
    return max(day, 1), phase, None if player is None else lenient.seat(player, f"{where}.player")


def _fouls(lenient: Lenient, players: Mapping[int, Mapping[str, Any]]) -> list[tuple[int, FoulRecord]]:
    out: list[tuple[int, FoulRecord]] = []
    for seat, player in players.items():
        for key, level in (("fouls", "foul"), ("techs", "technical")):
            entries = lenient.objects(player.get(key), f"players.{seat}.{key}")
            for i, (where, item) in enumerate(entries):
                place = _stage(lenient, item.get("stage"), f"{where}.stage")
                if place is not None:
                    day, phase, during = place
                    out.append((day, FoulRecord(seat, level, i + 1, phase, during)))
    return out


def _removals(lenient: Lenient, players: Mapping[int, Mapping[str, Any]]) -> list[tuple[int, RemovalRecord]]:
    out: list[tuple[int, RemovalRecord]] = []
    for seat, player in players.items():
        stage = player.get("disqual")
        if not isinstance(stage, Mapping):
            if stage not in (None, False):
                lenient.note("bad_type", f"players.{seat}.disqual", stage)
            continue
        place = _stage(lenient, stage.get("stage", stage), f"players.{seat}.disqual")
        if place is None:
            continue
        fouls = lenient.items(player.get("fouls"), f"players.{seat}.fouls")
        techs = lenient.items(player.get("techs"), f"players.{seat}.techs")
        reason = "fouls" if len(fouls) >= 4 else "technical" if len(techs) >= 2 else "removal"
        out.append((place[0], RemovalRecord(seat, reason, place[1])))
    return out


# --- nights


def _shots(lenient: Lenient, value: object) -> list[tuple[int, int, int | None]]:
    out = []
    for where, item in lenient.objects(value, "shots"):
        night = lenient.day_number(item.get("night"), f"{where}.night")
        shooter = lenient.seat(item.get("shooter"), f"{where}.shooter")
        victim = item.get("victim")
        target = None if victim in (None, 0) else lenient.seat(victim, f"{where}.victim")
        if night is not None and shooter is not None:
            out.append((night, shooter, target))
    return out


def _checks(lenient: Lenient, value: object) -> list[tuple[int, CheckRecord]]:
    out = []
    for where, item in lenient.objects(value, "checks"):
        night = lenient.day_number(item.get("night"), f"{where}.night")
        target = lenient.seat(item.get("player"), f"{where}.player")
        code = item.get("role")
        by = {0: "don", 3: "sheriff"}.get(code) if isinstance(code, int) else None
        if by is None:
            lenient.note("bad_value", f"{where}.role", code)
        elif night is not None and target is not None:
            out.append((night, CheckRecord(by, target)))
    return out


def _night(
    number: int, shots: list[tuple[int, int, int | None]], checks: list[tuple[int, CheckRecord]],
    fouls: list[tuple[int, FoulRecord]], removed: list[tuple[int, RemovalRecord]], game: Mapping[str, Any],
) -> NightRecord:  # fmt: skip
    return NightRecord(
        night=number,
        shots=tuple((s, t) for n, s, t in shots if n == number) if game.get("shots") else None,
        checks=tuple(c for n, c in checks if n == number) if checks else None,
        fouls=tuple(f for d, f in fouls if d == number and f.phase == "night"),
        removed=tuple(r for d, r in removed if d == number and r.phase == "night"),
    )


def _best_moves(
    lenient: Lenient, players: Mapping[int, Mapping[str, Any]], shots: list[tuple[int, int, int | None]]
) -> tuple[BestMoveRecord, ...]:
    """The `guess` of the first killed holds his three numbers, by the colour he gave them; later leavers'
    guesses are their protocols and no best moves."""
    first = {t for n, _, t in shots if n == 1}
    killed = next(iter(first)) if len(first) == 1 else None
    guess = players.get(killed, {}).get("guess") if killed is not None else None
    if killed is None or not isinstance(guess, Mapping):
        return ()
    where = f"players.{killed}.guess"
    blacks = lenient.seats(guess.get("mafs"), f"{where}.mafs")
    reds = lenient.seats(guess.get("civs"), f"{where}.civs")
    return (BestMoveRecord(killed, blacks + reds, None, reds),) if blacks or reds else ()


def _bonuses(lenient: Lenient, game: Mapping[str, Any]) -> dict[int, float]:
    """The judge's points by seat. What the platform marks as `basic` it has counted itself."""
    out: dict[int, float] = {}
    for where, item in lenient.objects(game.get("bonuses"), "bonuses"):
        seat = lenient.seat(item.get("position"), f"{where}.position")
        scores = lenient.number(item.get("scores"), f"{where}.scores")
        if seat is not None and scores is not None and item.get("basic") is not True:
            out[seat] = round(out.get(seat, 0.0) + scores, 3)
    return out


def _points(lenient: Lenient, data: Mapping[str, Any]) -> dict[int, float]:
    """Points the match page publishes (only the wrapping shape has them)."""
    out = {}
    if _game(data) is data:
        return {}
    for where, player in lenient.objects(data.get("players"), "players"):
        seat = lenient.seat(player.get("tablePosition"), f"{where}.tablePosition")
        points = player.get("points")
        if seat is not None and isinstance(points, (int, float)) and not isinstance(points, bool):
            out[seat] = float(points)
    return out
