"""Two protocols line by line: what the recording gives beside what the judge wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mafiavar.ui.language import say
from mafiavar.ui.review.words import COLOURS_OF_ROLES, WINNERS, word

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """One fact. `ours`/`official`: text, None: not said. `goto`: key of the ballot, if it is one."""

    place: str
    what: str
    ours: str | None
    official: str | None
    goto: str | None = None

    @property
    def differs(self) -> bool:
        return self.ours is not None and self.official is not None and self.ours != self.official


def lines(ours: Json, official: Json | None, *, secrets: bool) -> list[Line]:
    """All facts either has, in the order of the game."""
    theirs: Json = official or {}
    out: list[Line] = []
    days = sorted({int(d["day"]) for p in (ours, theirs) for d in p.get("days") or ()})
    for number in days:
        out += _day(
            number, _part(ours, "days", "day", number), _part(theirs, "days", "day", number), bool(official)
        )
        if secrets:
            out += _night(
                number, _part(ours, "nights", "night", number), _part(theirs, "nights", "night", number)
            )
    if "best_move" in ours or theirs.get("best_move"):
        out.append(
            Line(
                "",
                say("лучший ход", "best move"),
                _best(ours.get("best_move")),
                _best(theirs.get("best_move")),
            )
        )
    if ours.get("winner") or theirs.get("winner"):
        out.append(Line("", say("итог", "result"), _winner(ours), _winner(theirs)))
    return [x for x in out if x.ours is not None or x.official is not None]


def _part(protocol: Json, parts: str, key: str, number: int) -> Json:
    return next((p for p in protocol.get(parts) or () if p.get(key) == number), {})


def _seats(value: Any) -> str | None:
    return None if value is None else (", ".join(str(s) for s in value) or "—")


def _day(number: int, a: Json, b: Json, have: bool) -> Iterator[Line]:
    place = say(f"день {number}", f"day {number}")
    yield Line(place, say("говорили", "speakers"), _seats(a.get("speakers")), _seats(b.get("speakers")))
    yield Line(place, say("выставлены", "nominations"), _nominations(a), _nominations(b))
    yield Line(
        place, say("кандидаты", "candidates"), _seats(a.get("candidates")), _seats(b.get("candidates"))
    )
    rounds = sorted({r.get("round", 1) for p in (a, b) for r in p.get("ballots") or ()})
    for r in rounds:
        ra, rb = _part(a, "ballots", "round", r), _part(b, "ballots", "round", r)
        targets = list(dict.fromkeys([*(ra.get("votes") or {}), *(rb.get("votes") or {})]))
        for target in targets:
            unknown = (ra.get("cannot_tell") or {}).get(target)
            mine = _votes(ra, target)
            if mine is not None and unknown:
                mine += say(f" (не видно: {_seats(unknown)})", f" (cannot tell: {_seats(unknown)})")
            yield Line(
                place,
                say(f"круг {r}, против № {target}", f"round {r}, against {target}"),
                mine,
                _votes(rb, target),
                f"{number}-{r}-{target}",
            )
        rest_a, rest_b = ra.get("remainder"), rb.get("remainder")
        if rest_a or rest_b:
            yield Line(
                place,
                say(f"круг {r}, остаток", f"round {r}, remainder"),
                _seats(sorted(rest_a or [])),
                _seats(sorted(rest_b or [])) if have and rb else None,
            )
    yield Line(
        place, say("подъём: за / против", "lift: yes / no"), _lift(a.get("lift")), _lift(b.get("lift"))
    )
    yield Line(place, say("покинули стол", "left"), _seats(a.get("left")), _seats(b.get("left")))
    if a.get("fouls") or b.get("fouls"):
        yield Line(
            place, say("фолы", "fouls"), _fouls(a.get("fouls")), _fouls(b.get("fouls")) if have else None
        )


def _nominations(day: Json) -> str | None:
    found = day.get("nominations")
    if found is None:
        return None
    return (
        ", ".join(f"{n.get('seat')}→{n.get('target')}" for n in found if n.get("accepted") is not False)
        or "—"
    )


def _votes(entry: Json, target: str) -> str | None:
    votes = (entry.get("votes") or {}).get(target)
    return None if votes is None else f"{len(votes)}: {_seats(sorted(votes))}"


def _lift(lift: Any) -> str | None:
    if not isinstance(lift, Mapping):
        return None
    return f"{_count(lift.get('yes'))} / {_count(lift.get('no'))}"


def _count(value: Any) -> int:
    """A number, or how many seats are listed."""
    return value if isinstance(value, int) else len(value or [])


def _fouls(fouls: Any) -> str:
    by_seat: dict[Any, int] = {}
    for f in fouls or ():
        by_seat[f.get("seat")] = by_seat.get(f.get("seat"), 0) + 1
    return (
        ", ".join(f"№ {s}: {n}" for s, n in sorted(by_seat.items(), key=lambda x: str(x[0]).zfill(2))) or "—"
    )


def _night(number: int, a: Json, b: Json) -> Iterator[Line]:
    place = say(f"ночь {number}", f"night {number}")
    yield Line(place, say("выстрелы", "shots"), _shots(a.get("shots")), _shots(b.get("shots")))
    if "killed" in a or "killed" in b:
        yield Line(place, say("убит", "killed"), _killed(a), _killed(b))
    yield Line(place, say("проверки", "checks"), _checks(a.get("checks")), _checks(b.get("checks")))


def _killed(night: Json) -> str | None:
    if "killed" not in night:
        return None
    return f"№ {night['killed']}" if night["killed"] else say("промах", "miss")


def _shots(shots: Any) -> str | None:
    if not isinstance(shots, Mapping):
        return None
    return (
        ", ".join(f"{s}→{t or '—'}" for s, t in sorted(shots.items(), key=lambda x: str(x[0]).zfill(2)))
        or "—"
    )


def _checks(checks: Any) -> str | None:
    if not checks:
        return None
    return ", ".join(
        f"{word(COLOURS_OF_ROLES, c.get('by'))}→{c.get('target')}"
        for c in sorted(checks, key=lambda c: str(c.get("by")))
    )


def _best(move: Any) -> str | None:
    return (
        f"№ {move.get('seat')}: {_seats(sorted(move.get('targets') or []))}"
        if isinstance(move, Mapping)
        else None
    )


def _winner(protocol: Json) -> str | None:
    return word(WINNERS, protocol["winner"]) if protocol.get("winner") else None
