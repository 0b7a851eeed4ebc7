"""A fist that stands over the edge of the table: perhaps a vote on the elbow.

The elbow leans on the table, the fist stands in the air, in the picture before the chest or beside the head
of its owner: outside the table, where no contact is looked for. Whether the elbow touches the table, or
somebody holds a fist to the chin, a picture does not tell: what is found here is a doubt. It makes no vote
and lets none be denied.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mafiavar.analyzer.span import Span
from mafiavar.analyzer.vision.bodies import on_elbow
from mafiavar.analyzer.vision.contacts import (
    BRIEFEST,
    DOUBT,
    EDGE,
    LASTS,
    Context,
    came_or_went,
    evidence_of,
    patch_under,
)
from mafiavar.analyzer.vision.question import Contact
from mafiavar.analyzer.vision.rests import Rest, rest_of, rests
from mafiavar.analyzer.vision.steady import steady_runs
from mafiavar.models.heads import HandReading

_NEAR = 1.4  # hands: how far from where it is expected a fist may stand
_FIST, _RAISED = 0.15, 0.5
_AT_PLACE, _MAYBE_RAISED, _NO_HAND = 0.9, 0.3, 0.5
"""Nearer than this to where it is expected it may look like anything but no hand at all."""
_SURE_FIST, _SURE_RAISED = 0.5, 0.75


def elbows(context: Context, window: Span, found: Sequence[Contact]) -> tuple[Contact, ...]:
    """Fists that came to stand over the edge before a seat and touch the window, by seat and time.

    `found`: the contacts. A fist on the table before somebody's back is seen over the edge, too: while its
    owner has a contact it is no second hand.
    """
    seen, view = context.seen, context.view
    out: list[Contact] = []
    for k, place in enumerate(view.places):
        mine = [s for s in seen.raised if s.crop == place.number]
        for rest in rests(mine):
            away, seat = _before(rest, context)
            if seat == place.number and away < _NEAR:
                out += _standing(rest, k, context, away)
    inside = [c for c in out if (c.span & window) is not None and not _told(c, found)]
    return tuple(sorted(inside, key=lambda c: (c.seat, c.span)))


def _told(doubt: Contact, found: Sequence[Contact]) -> bool:
    """Is it the hand of one of the seat's contacts?"""
    hand = np.array(doubt.marks)
    size = float(np.ptp(hand, axis=0).max())
    for c in found:
        both = doubt.span & c.span
        if c.seat != doubt.seat or both is None or 2 * both.duration < doubt.span.duration:
            continue
        if not c.marks or float(np.hypot(*(hand.mean(axis=0) - np.array(c.marks).mean(axis=0)))) < size:
            return True
    return False


def _before(rest: Rest, context: Context) -> tuple[float, int]:
    """How far, in hands, from the nearest place of a fist on the elbow, and whose place that is."""
    table = context.view.table
    return min(
        (float(np.hypot(*(rest.centre - on_elbow(table, p, sign)))) / p.hand, p.number)
        for p in context.view.places
        for sign in (-1.0, 1.0)
    )


def _standing(rest: Rest, k: int, context: Context, away: float) -> list[Contact]:
    """The still stretches of a raised hand that came or went and looks like a fist."""
    seen, view = context.seen, context.view
    runs = steady_runs(patch_under(rest, seen.above[:, k], view.above[k]), seen.times)
    out = []
    for i, run in enumerate(runs):
        after = min(run.last + 1, len(seen.times) - 1)
        span = Span(int(seen.times[run.first]), int(seen.times[after]))
        mine = [s for s in rest.sightings if span.t0 <= s.t <= int(seen.times[run.last])]
        if not mine or span.duration < BRIEFEST or not came_or_went(runs, i):
            continue
        if len(mine) < 2 and span.duration >= 2 * LASTS:
            continue  # found once, and never again in several looks
        reading = context.heads.read([s.world for s in mine], view.table.tilt)
        if away < _AT_PLACE:
            doubtful = reading.none < _NO_HAND and reading.raised >= _MAYBE_RAISED
        else:
            doubtful = reading.fist + reading.thumb >= _FIST and reading.raised >= _RAISED
        if not doubtful:
            continue
        out.append(
            Contact(
                seat=view.places[k].number,
                span=span,
                side="right" if rest_of(mine).right >= 0.5 else "left",
                form="elbow" if _sure(reading) else "unknown",
                probability=DOUBT,
                open_start=span.t0 - int(seen.times[0]) < EDGE,
                open_end=int(seen.times[-1]) - span.t1 < EDGE,
                evidence=evidence_of(mine, run, view.places[k], context),
            )
        )
    return out


def _sure(reading: HandReading) -> bool:
    return reading.fist >= _SURE_FIST and reading.raised >= _SURE_RAISED
