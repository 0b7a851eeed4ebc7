"""Fouls, technical fouls, removals."""

from __future__ import annotations

from collections.abc import Iterator

from mafiavar.analyzer.align.hypothesis import Move
from mafiavar.analyzer.align.reading import Reading, Sight
from mafiavar.analyzer.cue import CueKind
from mafiavar.engine import events as ev


def foul(s: Sight) -> Iterator[Reading]:
    """«Фол игроку номер семь», «третий фол»."""
    game = s.h.game
    heard = s.cue.detail.get("ordinal")
    for seat, p in s.numerals():
        count = game.ledger.fouls_of(seat) + 1 if 1 <= seat <= game.rules.seats else 1
        ordinal = int(heard) if isinstance(heard, int | float) else count
        event = ev.Foul(seat, "foul", ordinal)
        weight = p + s.said_by("judge")
        yield Reading((s.move(event),), weight)
        if ordinal >= game.rules.fouls_to_leave and seat in game.alive:
            gone = s.move(ev.Eliminated((seat,), "fouls"))
            yield Reading((s.move(event), gone), weight + s.p.table["removed_at_once"])


def warning(s: Sight) -> Iterator[Reading]:
    for seat, p in s.numerals():
        count = s.h.game.ledger.warnings[seat - 1] + 1 if 1 <= seat <= 10 else 1
        yield Reading((s.move(ev.Foul(seat, "warning", count)),), p + s.said_by("judge"))


def technical(s: Sight) -> Iterator[Reading]:
    level: ev.FoulLevel = "technical_big" if s.cue.detail.get("big") else "technical"
    for seat, p in s.numerals():
        if not 1 <= seat <= 10:
            continue
        count = len(s.h.game.ledger.technical_of(seat)) + 1
        event = s.move(ev.Foul(seat, level, count))
        yield Reading((event,), p + s.said_by("judge"))
        most = s.h.game.rules.technical_to_leave
        if most is not None and count >= most and seat in s.h.game.alive:
            gone = s.move(ev.Eliminated((seat,), "technical"))
            yield Reading((event, gone), p + s.said_by("judge") + s.p.table["removed_at_once"])


def removal(s: Sight) -> Iterator[Reading]:
    """«Удаление игроку номер два»; after a fourth foul the same words carry it out."""
    game = s.h.game
    due = dict(game.must_leave)
    for seat, p in s.numerals(favoured=list(due)):
        weight = p + s.said_by("judge")
        if seat in due:
            gone = ev.Eliminated((seat,), due[seat])  # type: ignore[arg-type]
            yield Reading((s.move(gone),), weight)
        elif any(seat in x.seats for x in game.left):
            yield Reading(weight=weight + s.p.echo)
        else:
            yield Reading(_out(s, seat, "removal", "removal"), weight)


def team_defeat(s: Sight) -> Iterator[Reading]:
    for seat, p in s.numerals():
        yield Reading(_out(s, seat, "team_defeat", "team_defeat"), p + s.said_by("judge"))


def _out(s: Sight, seat: int, level: ev.FoulLevel, by: ev.LeftBy) -> tuple[Move, ...]:
    return s.move(ev.Foul(seat, level, 1)), s.move(ev.Eliminated((seat,), by))


READERS = {
    CueKind.FOUL: foul,
    CueKind.WARNING: warning,
    CueKind.TECHNICAL: technical,
    CueKind.REMOVAL: removal,
    CueKind.TEAM_DEFEAT: team_defeat,
}
