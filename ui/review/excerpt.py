"""From what a protest names («стол 3, игра 6, день 2, голосование») to stretches of the recording."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mafiavar.ui.language import say
from mafiavar.ui.review.casefile import Ballot, Case, Window
from mafiavar.ui.review.lanes import count_time
from mafiavar.ui.review.words import event_name, flag_name

BEFORE, AFTER = 2.0, 3.0
LONGEST = 120.0
# word stems -> what is asked for; the first that fits counts
_SUBJECTS: tuple[tuple[str, str], ...] = (
    (r"подъ[её]м|lift", "lift"),
    (r"голос|балот|ballot|vote", "vote"),
    (r"выстав|номин|nominat", "nomination"),
    (r"луч\w* ход|\bлх\b|best move", "best_move"),
    (r"фол|foul", "foul"),
    (r"последн\w* слов|заключ|last word", "last_word"),
    (r"реч|минут|speech", "speech"),
    (r"ноч|night", "night"),
)
# name -> patterns, the surer first: «игрок 2 день 1» names day 1, «2-й день» names day 2
_NUMBERS: dict[str, tuple[str, ...]] = {
    "table": (r"(?:стол\w*|table)\s*№?\s*(\d+)", r"(\d+)\s*(?:-?й)?\s*стол"),
    "game": (r"(?:игр(?!ок)\w*|game)\s*№?\s*(\d+)",),
    "day": (r"(?:день|дня|дне|day|д)\s*№?\s*(\d+)", r"(\d+)\s*(?:-?[йя])?\s*день"),
    "night": (r"(?:ноч\w*|night)\s*№?\s*(\d+)", r"(\d+)\s*(?:-?я)?\s*ночь"),
    "round": (r"(?:круг|раунд|переголосован\w*|round)\s*№?\s*(\d+)",),
    "target": (r"(?:против|against)\s*(?:игрока)?\s*№?\s*(\d+)",),
    "seat": (r"(?:мест\w*|игрок\w*|номер\w*|seat|player|№)\s*№?\s*(\d+)",),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a line names; None: not named. `subject`: vote, lift, nomination, foul, speech, ..."""

    table: int | None = None
    game: int | None = None
    day: int | None = None
    night: int | None = None
    round: int | None = None
    target: int | None = None
    seat: int | None = None
    subject: str | None = None
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Stretch:
    """A clip to be: seconds of the case's clock."""

    label: str
    t0: float
    t1: float
    ballot: str | None = None


def read(text: str) -> Asked:
    """
    >>> a = read("стол 3, игра 6, день 2 голосование против 9")
    >>> a.table, a.game, a.day, a.target, a.subject
    (3, 6, 2, 9, 'vote')
    >>> read("12:34 фол игрок 7").at
    754.0
    """
    low = text.casefold()
    found = {name: _first(patterns, low) for name, patterns in _NUMBERS.items()}
    subject = next((s for stem, s in _SUBJECTS if re.search(stem, low)), None)
    clock = re.search(r"\b(?:(\d+):)?(\d{1,2}):(\d{2})\b", low)
    at = None
    if clock:
        h, m, s = (int(x or 0) for x in clock.groups())
        at = float(h * 3600 + m * 60 + s)
    return Asked(**found, subject=subject, at=at)


def _first(patterns: tuple[str, ...], text: str) -> int | None:
    found = (re.search(rf"(?<!\w){p}", text) for p in patterns)
    return next((int(m.group(1)) for m in found if m), None)


def fits(name: str, asked: Asked) -> bool:
    """Does a case's name agree with the table and the game that were asked for?"""
    own = read(name.replace("~", " ").replace("_", " ").replace("-", " "))
    return all(
        want is None or have is None or want == have
        for want, have in ((asked.table, own.table), (asked.game, own.game))
    ) and (asked.table is None or own.table == asked.table)


def stretches(case: Case, asked: Asked) -> tuple[Stretch, ...]:
    """The clips that answer the question, in order of time."""
    out: list[Stretch] = []
    if asked.at is not None:
        out.append(Stretch(say("названная минута", "the time named"), max(0.0, asked.at - 5), asked.at + 15))
    if asked.subject in {None, "vote"} and (
        asked.day is not None or asked.target is not None or asked.subject
    ):
        out += [
            Stretch(
                say(
                    f"день {b.day}, круг {b.round}, против № {b.target}",
                    f"day {b.day}, round {b.round}, against {b.target}",
                ),
                *_to_the_count(case, b),
                b.key,
            )
            for b in case.ballots
            if asked.day in (None, b.day)
            and asked.round in (None, b.round)
            and asked.target in (None, b.target)
        ]
    kinds = {
        "lift": ("lift_called", "lift_result"), "nomination": ("nominated", "nomination_withdrawn"), "foul": ("foul",),
        "best_move": ("best_move",), "night": ("night_began",),
    }.get(asked.subject or "", ())  # fmt: skip
    out += [
        Stretch(f"{event_name(e.kind)} · {say('день', 'day')} {e.day}", max(0.0, e.t0 - BEFORE), e.t1 + AFTER)
        for e in case.of_kind(*kinds)
        if asked.day in (None, e.day)
        and asked.night in (None, e.get("night", asked.night))
        and asked.seat in (None, e.get("seat"), e.get("target"))
    ]
    if asked.subject in {"speech", "last_word"}:
        out += _speeches(case, asked)
    if asked.subject == "foul":
        out += [
            Stretch(flag_name(f.kind), max(0.0, f.t0 - BEFORE), f.t1 + AFTER)
            for f in case.flags
            if asked.seat is not None and asked.seat in f.seats and asked.day in (None, f.day)
        ]
    return tuple(sorted((s for s in out if s.t1 > s.t0), key=lambda s: s.t0))


def _to_the_count(case: Case, ballot: Ballot) -> Window:
    """The call to the count as the judge said it: a protest about a vote is about that too."""
    a, b = ballot.window
    said = count_time(case, ballot.day, ballot.round, ballot.target)
    return a, max(b, said[1] + 0.5) if said and said[1] < b + 15 else b


def _speeches(case: Case, asked: Asked) -> list[Stretch]:
    purposes = {"speech": {"speech", "revote"}, "last_word": {"last_word"}}[asked.subject or "speech"]
    out = []
    for e in case.of_kind("floor_given"):
        if (
            e.get("purpose") not in purposes
            or asked.day not in (None, e.day)
            or asked.seat not in (None, e.get("seat"))
        ):
            continue
        end = next(
            (x.t1 for x in case.of_kind("floor_ended") if x.t0 >= e.t0 and x.get("seat") == e.get("seat")),
            e.t1 + 60,
        )
        out.append(
            Stretch(f"№ {e.get('seat')} · {say('день', 'day')} {e.day}", e.t0, min(end + 1, e.t0 + LONGEST))
        )
    return out
