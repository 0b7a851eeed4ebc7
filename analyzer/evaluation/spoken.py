"""The cues that a game's events would give if every word were heard: for tests, fitting, benches.

Works on events as truth files have them (dicts with kind, t0, t1, day and fields). The speaker is
known where `speakers` is set. With the truth's `speech` the judge's words between the events are
there too: how he answered a nomination, «Дон засыпает», «поровну», hands off the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from mafiavar.analyzer.cue import Cue, CueKind, Speaker
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.speech.numerals import number_of

Record = dict[str, Any]
_LIKELIHOOD = 0.95
_ANSWER_WITHIN = 3.0
"""Seconds within which the judge answers a nomination."""
_BETWEEN: tuple[tuple[CueKind, tuple[str, ...]], ...] = (
    (CueKind.SHOOTING_END, ("мафия удаляется",)),
    (CueKind.DON_SLEEPS, ("дон засыпает",)),
    (CueKind.DON_WAKES, ("просыпается дон", "дон ищет")),
    (CueKind.SHERIFF_SLEEPS, ("шериф засыпает",)),
    (CueKind.SHERIFF_WAKES, ("просыпается шериф", "шериф проверяет")),
    (CueKind.TIE, ("поровну", "автокатастрофа", "поделился")),
    (CueKind.HANDS_DOWN, ("руки",)),
)
"""What the judge says between the events, by words of the studio's phrases."""


def spoken(events: Sequence[Record], *, speech: Sequence[Record] = (), speakers: bool = True) -> list[Cue]:
    """Cues in order of time; several events of one utterance share its span piecewise. `about` names
    the event ("event 17"), so that what was lost on the way can be known."""
    # The numbers of a best move end its speech: no words of their own.
    quiet = {(e["t0"], e["seat"]) for e in events if e["kind"] == "best_move"}
    said = [e for e in events if e["kind"] != "floor_ended" or (e["t0"], e["seat"]) not in quiet]
    judge = [s for s in speech if s["speaker"] == "judge"]
    cues = [
        replace(c, about=f"event {i}")
        for i, e in enumerate(events)
        if e in said and not _within_series(e, said)
        for c in (_answered(e, said, judge, speakers) if e["kind"] == "nominated" else _of(e, speakers))
    ]
    cues += _between(events, judge, speakers)
    return sorted(cues, key=lambda c: (c.span.t0, c.span.t1))


def _cue(
    e: Record, kind: CueKind, numbers: Sequence[int] = (), speaker: Speaker | None = "judge", **detail: Any
) -> Cue:
    return Cue(
        kind,
        Span.of(float(e["t0"]), float(e["t1"])),
        _LIKELIHOOD,
        tuple({n: 0.97} for n in numbers),
        {speaker: 0.9} if speaker is not None else {},
        detail,
    )


def _part(e: Record, i: int, n: int) -> Record:
    """The i-th of n equal parts of an utterance, so that its cues do not overlap."""
    t0, t1 = float(e["t0"]), float(e["t1"])
    step = (t1 - t0) / n
    return {**e, "t0": t0 + i * step, "t1": t0 + (i + 1) * step}


def _of(e: Record, speakers: bool) -> Iterator[Cue]:
    judge: Speaker | None = "judge" if speakers else None
    seat: Speaker | None = e.get("seat") if speakers else None
    match e["kind"]:
        case "game_started":
            yield _cue(_part(e, 0, 2), CueKind.GAME_START, (), judge)
        case "night_began":
            yield _cue(_part(e, 1, 2), CueKind.NIGHT, (), judge)
        case "negotiation_began":
            yield _cue(e, CueKind.NEGOTIATION, (), judge)
        case "negotiation_ended":
            yield _cue(e, CueKind.NEGOTIATION_END, (), judge)
        case "free_seating_began":
            yield _cue(e, CueKind.FREE_SEATING, (), judge)
        case "day_began":
            yield _cue(_part(e, 0, 3), CueKind.DAY, (), judge)
        case "floor_given":
            yield from _floor(e, judge)
        case "floor_ended" if e.get("by") in ("judge", "time"):
            yield _cue(e, CueKind.FLOOR_END, (), judge, by=e["by"])
        case "floor_ended":
            yield _cue(e, CueKind.FLOOR_END, (), seat, by=e.get("by") or "pas")
        case "nominated":
            yield from _nomination(e, judge, seat)
        case "nomination_withdrawn":
            yield _cue(e, CueKind.WITHDRAWAL, [e["target"]], seat)
        case "vote_opened":
            kind = CueKind.VOTE_OPEN if e["round"] == 1 else CueKind.REVOTE
            yield _cue(e, kind, e["candidates"], judge)
        case "vote_called":
            yield _cue(e, CueKind.VOTE_CALL, [e["target"]], judge)
        case "vote_closed":
            yield _cue(e, CueKind.VOTE_STOP, (), judge, by="stop")
        case "vote_announced":
            yield _cue(e, CueKind.VOTE_COUNT, [e["count"]], judge)
        case "lift_called":
            yield _cue(e, CueKind.LIFT_CALL, e["candidates"], judge)
        case "lift_result":
            yield _cue(e, CueKind.VOTE_COUNT, [e["yes"]], judge)
        case "eliminated" if e.get("by") in ("vote", "lift"):
            yield _cue(_part(e, 0, 2), CueKind.LEAVES, e["seats"], judge)
        case "eliminated" if e.get("by") in ("fouls", "technical"):
            yield _cue(e, CueKind.LEAVES, e["seats"], judge)
        case "shooting_began":
            yield _cue(e, CueKind.SHOOTING, (), judge)
        case "night_result" if e.get("killed") is None:
            yield _cue(_part(e, 1, 3), CueKind.MISS, (), judge)
        case "night_result":
            yield _cue(_part(e, 1, 3), CueKind.KILLED, [e["killed"]], judge)
        case "best_move":
            yield _cue(e, CueKind.BEST_MOVE, e["targets"], seat)
        case "foul":
            yield _discipline(e, judge)
        case "game_ended":
            yield _cue(e, CueKind.GAME_END, (), judge, winner=e.get("winner"))


def _floor(e: Record, judge: Speaker | None) -> Iterator[Cue]:
    purpose, seconds = e["purpose"], e.get("seconds")
    if purpose == "protocol":
        yield _cue(e, CueKind.PROTOCOL_RIGHT, (), judge)
        return
    detail: Record = {"seconds": seconds} if seconds is not None else {}
    if purpose != "speech":
        detail["purpose"] = purpose
    yield _cue(
        _part(e, 2, 3) if purpose in ("last_word", "best_move") else e,
        CueKind.FLOOR,
        [e["seat"]],
        judge,
        **detail,
    )


def _nomination(e: Record, judge: Speaker | None, seat: Speaker | None) -> Iterator[Cue]:
    tense = "future" if e.get("reason") == "tense" else "present"
    yield _cue(e, CueKind.NOMINATION, [e["target"]], seat, tense=tense)
    answer = {**e, "t0": float(e["t1"]) + 0.3, "t1": float(e["t1"]) + 0.7}
    if e["accepted"]:
        yield _cue(answer, CueKind.ACCEPTED, (), judge)
    elif e.get("reason") == "already_nominated":
        yield _cue(answer, CueKind.REFUSED, (), judge, reason="already_nominated")


def _series(e: Record, said: Sequence[Record]) -> list[Record]:
    """Nominations of one breath («выставляю два, три, четыре»)."""
    return [x for x in said if x["kind"] == "nominated" and (x["t0"], x["seat"]) == (e["t0"], e["seat"])]


def _within_series(e: Record, said: Sequence[Record]) -> bool:
    """Is this nomination told by the cue of another one: of the accepted, or of the first?"""
    if e["kind"] != "nominated":
        return False
    series = _series(e, said)
    return e is not next((x for x in series if x["accepted"]), series[0])


def _answered(e: Record, said: Sequence[Record], judge: Sequence[Record], speakers: bool) -> Iterator[Cue]:
    """A nomination with the answer the judge really gave: with or without the number, or none."""
    cues = _nomination(e, "judge" if speakers else None, e.get("seat") if speakers else None)
    series = _series(e, said)
    yield replace(next(cues), numbers=tuple({x["target"]: 0.97} for x in series))
    if not judge:
        yield from cues
        return
    t = float(e["t1"])
    answer = next((s for s in judge if t - 0.2 <= float(s["t0"]) <= t + _ANSWER_WITHIN), None)
    if answer is None:
        return
    text = str(answer["text"]).lower()
    numbers = _numbers(text) if e["accepted"] else ()
    reason: Record = {"reason": "already_nominated"} if "уже" in text else {}
    kind = CueKind.ACCEPTED if e["accepted"] else CueKind.REFUSED
    yield _cue(answer, kind, numbers, "judge" if speakers else None, **({} if e["accepted"] else reason))


def _between(events: Sequence[Record], judge: Sequence[Record], speakers: bool) -> Iterator[Cue]:
    """Words of the judge that are no event of the vocabulary."""
    taken = [(float(e["t0"]), float(e["t1"])) for e in events]
    for s in judge:
        t0, t1 = float(s["t0"]), float(s["t1"])
        if any(a < t1 - 0.05 and b > t0 + 0.05 for a, b in taken):
            continue
        text = str(s["text"]).lower()
        for kind, words in _BETWEEN:
            if any(w in text for w in words):
                numbers = _numbers(text) if kind is CueKind.TIE else ()
                yield _cue(s, kind, numbers, "judge" if speakers else None)
                break


def _numbers(text: str) -> tuple[int, ...]:
    found = [number_of(w.strip(".,!?")) for w in text.split()]
    return tuple(n[0] for n in found if n is not None and 1 <= n[0] <= 10)


def _discipline(e: Record, judge: Speaker | None) -> Cue:
    level, ordinal = e["level"], e.get("ordinal")
    kinds = {
        "warning": CueKind.WARNING, "foul": CueKind.FOUL, "technical": CueKind.TECHNICAL,
        "technical_big": CueKind.TECHNICAL, "removal": CueKind.REMOVAL, "team_defeat": CueKind.TEAM_DEFEAT,
    }  # fmt: skip
    detail: Record = {"big": True} if level == "technical_big" else {}
    # The first two fouls are given without their number.
    if level == "foul" and ordinal is not None and ordinal > 2:
        detail["ordinal"] = ordinal
    return _cue(e, kinds[level], [e["seat"]], judge, **detail)
