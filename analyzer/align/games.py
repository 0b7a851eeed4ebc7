"""A day's recording cut into games by what only a game's beginning and end have.

A game begins with its first night: negotiation, the don's and the sheriff's gestures, free
seating are said there and nowhere else. It ends with the announced winner. What lies between an
end and the next beginning (breaks, titles, interviews) belongs to no game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.span import SECOND, Micros, Span

_FIRST_NIGHT = frozenset(
    {
        CueKind.GAME_START,
        CueKind.NEGOTIATION,
        CueKind.NEGOTIATION_END,
        CueKind.DON_SHOWS,
        CueKind.SHERIFF_SHOWS,
        CueKind.FREE_SEATING,
    }
)
_PLAY = frozenset({CueKind.FLOOR, CueKind.VOTE_CALL, CueKind.NOMINATION, CueKind.ACCEPTED, CueKind.SHOOTING})

_FIRST_NIGHT_LASTS: Micros = 300 * SECOND
"""Dealing cards, a minute of negotiation, gestures and 40 s of seating take less than this."""
_ENOUGH = 1.2
"""Sum of likelihoods of different first-night kinds that makes a beginning: two that were heard well."""
_LEAD: Micros = 30 * SECOND
"""The game's opening words come before the first cue that proves it."""
_AFTER_END: Micros = 90 * SECOND
"""A last word may follow the announced winner."""
_SHORTEST: Micros = 300 * SECOND
"""Two beginnings closer than this are one (a night begun again)."""
_PLAYED = 4
"""So many cues of play make a game that began before the recording did."""


def games(cues: Sequence[Cue], whole: Span) -> tuple[Span, ...]:
    """The spans of the games in a recording, in order; `whole` when nothing says there are several."""
    ordered = sorted(cues, key=lambda c: c.span.t0)
    starts = _beginnings(ordered)
    ends = [c.span.t1 for c in ordered if c.kind == CueKind.GAME_END and c.likelihood >= 0.5]
    if len(starts) + bool(starts and _played(ordered, whole.t0, starts[0])) < 2:
        return (whole,)
    borders = [max(whole.t0, s - _LEAD) for s in starts]
    spans = []
    if _played(ordered, whole.t0, borders[0]):
        spans.append(_until_end(whole.t0, borders[0], ends))
    for begin, following in zip(borders, [*borders[1:], whole.t1], strict=True):
        spans.append(_until_end(begin, following, ends))
    return tuple(spans)


@dataclass(slots=True)
class _Night:
    """First-night cues close together: the best likelihood of each kind."""

    t0: Micros
    kinds: dict[CueKind, float]


def _beginnings(cues: Sequence[Cue]) -> list[Micros]:
    nights: list[_Night] = []
    for cue in cues:
        if cue.kind not in _FIRST_NIGHT:
            continue
        if not nights or cue.span.t0 - nights[-1].t0 > _FIRST_NIGHT_LASTS:
            nights.append(_Night(cue.span.t0, {}))
        kinds = nights[-1].kinds
        kinds[cue.kind] = max(kinds.get(cue.kind, 0.0), cue.likelihood)
    found: list[Micros] = []
    for night in nights:
        if sum(night.kinds.values()) >= _ENOUGH and (not found or night.t0 - found[-1] >= _SHORTEST):
            found.append(night.t0)
    return found


def _played(cues: Sequence[Cue], t0: Micros, t1: Micros) -> bool:
    return sum(c.kind in _PLAY and t0 <= c.span.t0 < t1 for c in cues) >= _PLAYED


def _until_end(begin: Micros, following: Micros, ends: Sequence[Micros]) -> Span:
    """To the last announced end within, and the last word after it; else to the next game."""
    mine = [e for e in ends if begin < e < following]
    return Span(begin, min(following, mine[-1] + _AFTER_END) if mine else following)
