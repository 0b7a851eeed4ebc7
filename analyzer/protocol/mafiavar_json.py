"""Reader of `mafiavar/protocol@1`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mafiavar.analyzer.protocol.reading import (
    CLAIM_WORDS,
    LEVEL_WORDS,
    PHASE_WORDS,
    REASON_WORDS,
    ROLE_WORDS,
    WINNER_WORDS,
    Lenient,
)
from mafiavar.engine.errors import RuleError
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
    RevealRecord,
)
from mafiavar.engine.ruleset import FSM_2026, RULESETS

SOURCE = "mafiavar"
SCHEMA = "mafiavar/protocol@1"


def recognises(data: Mapping[str, Any]) -> bool:
    schema = data.get("schema")
    if isinstance(schema, str):
        return schema.startswith("mafiavar/protocol")
    return "players" not in data and ("days" in data or "nights" in data or "seats" in data)


def record_of(data: Mapping[str, Any], lenient: Lenient) -> Record:
    days = tuple(filter(None, (_day(lenient, o, w) for w, o in lenient.objects(data.get("days"), "days"))))
    nights = tuple(
        filter(None, (_night(lenient, o, w) for w, o in lenient.objects(data.get("nights"), "nights")))
    )
    lenient.day = lenient.night = None
    roles, nicknames = _seats(lenient, data.get("seats"))
    winner = lenient.word(data.get("winner"), "winner", WINNER_WORDS)
    return Record(
        ruleset=_ruleset(lenient, data.get("ruleset")),
        options=options(lenient, data.get("options")),
        roles=roles,
        nicknames=nicknames,
        days=days,
        nights=nights,
        best_moves=_best_moves(lenient, data.get("best_move")),
        winner=winner,  # type: ignore[arg-type]
        finished=winner is not None,
        fouls_known=any("fouls" in o for _, o in lenient.objects(data.get("days"), "days")),
        best_move_known="best_move" in data,
        bonus=_bonus(lenient, data.get("bonus")),
        source=SOURCE,
    )


def _ruleset(lenient: Lenient, value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, str) and value in RULESETS:
        return value
    lenient.note("unknown_ruleset", "ruleset", value)
    return None


def options(lenient: Lenient, value: object) -> dict[str, Any]:
    """Only options the rule sets know with values they take; the others are noted."""
    good: dict[str, Any] = {}
    for name, setting in lenient.mapping(value, "options").items():
        try:
            FSM_2026.with_options({name: setting})
        except RuleError:
            lenient.note("unknown_option", f"options.{name}", setting)
        else:
            good[name] = setting
    return good


def _seats(lenient: Lenient, value: object) -> tuple[dict[int, str | None], dict[int, str | None]]:
    roles: dict[int, str | None] = {}
    nicknames: dict[int, str | None] = {}
    for key, item in lenient.mapping(value, "seats").items():
        where = f"seats.{key}"
        seat = lenient.seat(key, where)
        if seat is None:
            continue
        person = lenient.mapping(item, where)
        roles[seat] = lenient.word(person.get("role"), f"{where}.role", ROLE_WORDS)
        name = person.get("nickname")
        nicknames[seat] = name if isinstance(name, str) else None
    return roles, nicknames


# --- days


def _day(lenient: Lenient, data: Mapping[str, Any], where: str) -> DayRecord | None:
    number = lenient.day_number(data.get("day"), f"{where}.day")
    if number is None:
        return None
    lenient.day, lenient.night = number, None

    def optional(key: str) -> tuple[int, ...] | None:
        return None if data.get(key) is None else lenient.seats(data[key], f"{where}.{key}")

    return DayRecord(
        day=number,
        speakers=optional("speakers"),
        nominations=None if data.get("nominations") is None else _nominations(lenient, data, where),
        candidates=optional("candidates"),
        ballots=None if data.get("ballots") is None else _ballots(lenient, data, where),
        lift=_lift(lenient, data.get("lift"), f"{where}.lift"),
        lift_known="lift" in data,
        left=optional("left"),
        fouls=fouls(lenient, data.get("fouls"), f"{where}.fouls"),
        removed=removed(lenient, data.get("removed"), f"{where}.removed"),
        reveals=_reveals(lenient, data.get("reveals"), f"{where}.reveals"),
        testament=data.get("testament"),
        protocol=data.get("protocol"),
    )


def _nominations(lenient: Lenient, data: Mapping[str, Any], where: str) -> tuple[NominationRecord, ...]:
    out = []
    for place, item in lenient.objects(data["nominations"], f"{where}.nominations"):
        seat = lenient.seat(item.get("seat"), f"{place}.seat")
        target = lenient.seat(item.get("target"), f"{place}.target")
        accepted = lenient.truth(item.get("accepted"), f"{place}.accepted")
        if seat is not None and target is not None:
            out.append(NominationRecord(seat, target, accepted is not False))
    return tuple(out)


def _ballots(lenient: Lenient, data: Mapping[str, Any], where: str) -> tuple[BallotRecord, ...]:
    out = []
    for i, (place, item) in enumerate(lenient.objects(data["ballots"], f"{where}.ballots")):
        number = lenient.whole(item.get("round", i + 1), f"{place}.round", low=1, high=30)
        votes = []
        for key, who in lenient.mapping(item.get("votes"), f"{place}.votes").items():
            target = lenient.seat(key, f"{place}.votes.{key}")
            if target is not None:
                votes.append((target, lenient.seats(who, f"{place}.votes.{key}")))
        remainder = lenient.seats(item.get("remainder"), f"{place}.remainder")
        called = (
            None
            if item.get("candidates") is None
            else lenient.seats(item["candidates"], f"{place}.candidates")
        )
        unseen = lenient.seats(item.get("unseen"), f"{place}.unseen")
        number = number if number is not None else i + 1
        out.append(BallotRecord(number, tuple(votes), remainder, called, unseen))
    return tuple(out)


def _lift(lenient: Lenient, value: object, where: str) -> LiftRecord | None:
    if value is None:
        return None
    data = lenient.mapping(value, where)
    if not data:
        return None
    yes = None if data.get("yes") is None else lenient.seats(data["yes"], f"{where}.yes")
    no = None if data.get("no") is None else lenient.seats(data["no"], f"{where}.no")
    return LiftRecord(yes, no, lenient.truth(data.get("passed"), f"{where}.passed"))


def fouls(lenient: Lenient, value: object, where: str) -> tuple[FoulRecord, ...]:
    out = []
    for place, item in lenient.objects(value, where):
        seat = lenient.seat(item.get("seat"), f"{place}.seat")
        if seat is None:
            continue
        ordinal = item.get("ordinal")
        out.append(
            FoulRecord(
                seat,
                lenient.word(item.get("level"), f"{place}.level", LEVEL_WORDS) or "foul",
                None if ordinal is None else lenient.whole(ordinal, f"{place}.ordinal", low=1, high=99),
                lenient.word(item.get("phase"), f"{place}.phase", PHASE_WORDS),
                None if item.get("during") is None else _during(lenient, item["during"], f"{place}.during"),
                _violation(lenient, item.get("violation"), f"{place}.violation"),
            )
        )
    return tuple(out)


def _violation(lenient: Lenient, value: object, where: str) -> str | None:
    """The number of a clause, with or without its text's name."""
    if value is None or value == "":
        return None
    if isinstance(value, (str, float, int)) and not isinstance(value, bool) and len(str(value)) < 40:
        return str(value).strip().rsplit(":", 1)[-1].lstrip("пp. ")
    lenient.note("bad_type", where, value)
    return None


def _during(lenient: Lenient, value: object, where: str) -> int | None:
    """Who had the floor; words such as "judge" are allowed and mean nobody's."""
    return None if isinstance(value, str) and not value.isdecimal() else lenient.seat(value, where)


def removed(lenient: Lenient, value: object, where: str) -> tuple[RemovalRecord, ...]:
    out = []
    for place, item in lenient.objects(value, where):
        seat = lenient.seat(item.get("seat"), f"{place}.seat")
        if seat is None:
            continue
        reason, violation = reason_of(lenient, item.get("reason"), f"{place}.reason")
        phase = lenient.word(item.get("phase"), f"{place}.phase", PHASE_WORDS)
        out.append(RemovalRecord(seat, reason, phase, violation))
    return tuple(out)


def reason_of(lenient: Lenient, value: object, where: str) -> tuple[str, str | None]:
    """(fouls | technical | removal | team_defeat, clause): a reason may be a word or a clause's number."""
    if value is None:
        return "removal", None
    text = str(value).strip() if isinstance(value, (str, int, float)) else ""
    number = text.rsplit(":", 1)[-1].lstrip("пp. ")
    if number[:1].isdigit() and "." in number:
        reason = (
            "team_defeat"
            if number.startswith("6.9")
            else "technical"
            if number.startswith("6.7")
            else "removal"
        )
        return "fouls" if number in ("6.5", "5.5") else reason, number
    return lenient.word(text or value, where, REASON_WORDS) or "removal", None


def _reveals(lenient: Lenient, value: object, where: str) -> tuple[RevealRecord, ...]:
    out = []
    for place, item in lenient.objects(value, where):
        seat = lenient.seat(item.get("seat"), f"{place}.seat")
        claims = lenient.word(item.get("as"), f"{place}.as", CLAIM_WORDS)
        withdrawn = lenient.truth(item.get("withdrawn"), f"{place}.withdrawn")
        if seat is not None:
            out.append(RevealRecord(seat, claims or "sheriff", bool(withdrawn)))
    return tuple(out)


# --- nights


def _night(lenient: Lenient, data: Mapping[str, Any], where: str) -> NightRecord | None:
    number = lenient.day_number(data.get("night"), f"{where}.night", low=0)
    if number is None:
        return None
    lenient.day, lenient.night = None, number
    killed = data.get("killed")
    seat = None if killed is None else lenient.seat(killed, f"{where}.killed")
    return NightRecord(
        night=number,
        shots=None if data.get("shots") is None else _shots(lenient, data["shots"], f"{where}.shots"),
        killed=seat,
        killed_known="killed" in data and (killed is None or seat is not None),
        checks=None if data.get("checks") is None else _checks(lenient, data["checks"], f"{where}.checks"),
        fouls=fouls(lenient, data.get("fouls"), f"{where}.fouls"),
        removed=removed(lenient, data.get("removed"), f"{where}.removed"),
    )


def _shots(lenient: Lenient, value: object, where: str) -> tuple[tuple[int, int | None], ...]:
    out: list[tuple[int, int | None]] = []
    for key, target in lenient.mapping(value, where).items():
        shooter = lenient.seat(key, f"{where}.{key}")
        if shooter is None:
            continue
        # One who shot at several has a list; that is a miss.
        targets = target if isinstance(target, list) and target else [target]
        for one in targets:
            seat = None if one is None else lenient.seat(one, f"{where}.{key}")
            out.append((shooter, seat))
    return tuple(out)


def _checks(lenient: Lenient, value: object, where: str) -> tuple[CheckRecord, ...]:
    out = []
    for place, item in lenient.objects(value, where):
        target = lenient.seat(item.get("target"), f"{place}.target")
        if target is None:
            continue
        found = lenient.truth(item.get("found"), f"{place}.found")
        by = item.get("by")
        if isinstance(by, str) and by.strip().lower() in ("don", "sheriff", "дон", "шериф"):
            out.append(CheckRecord(ROLE_WORDS[by.strip().lower()], target, found))
        else:
            seat = lenient.seat(by, f"{place}.by")
            out.append(CheckRecord("seat", target, found, seat))
    return tuple(out)


# --- the rest


def _best_moves(lenient: Lenient, value: object) -> tuple[BestMoveRecord, ...]:
    if value is None:
        return ()
    listed = value if isinstance(value, list) else [value]
    out = []
    for i, item in enumerate(listed):
        where = f"best_move[{i}]" if isinstance(value, list) else "best_move"
        data = lenient.mapping(item, where)
        seat = lenient.seat(data.get("seat"), f"{where}.seat")
        if seat is None:
            continue
        readback = data.get("readback")
        out.append(
            BestMoveRecord(
                seat,
                lenient.seats(data.get("targets"), f"{where}.targets"),
                None if readback is None else lenient.seats(readback, f"{where}.readback"),
                lenient.seats(data.get("as_red"), f"{where}.as_red"),
            )
        )
    return tuple(out)


def _bonus(lenient: Lenient, value: object) -> dict[int, float]:
    out = {}
    for key, points in lenient.mapping(value, "bonus").items():
        seat = lenient.seat(key, f"bonus.{key}")
        number = lenient.number(points, f"bonus.{key}")
        if seat is not None and number is not None:
            out[seat] = number
    return out
