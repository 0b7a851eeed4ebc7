"""A fist that stands over the edge of the table: perhaps a vote on the elbow.

The elbow leans on the table, the fist stands in the air, in the picture before the chest or beside the head
of its owner: outside the table, where no contact is looked for. Whether the elbow touches the table, or
somebody holds a fist to the chin, a picture does not tell: what is found here is a doubt. It makes no vote
and lets none be denied.

The hand model misses such fists, too. What it cannot miss is that something came to stand where they would
and looked otherwise than before and after (`stirred`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.span import SECOND, Micros, Span
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
from mafiavar.analyzer.vision.observe import View
from mafiavar.analyzer.vision.question import Contact
from mafiavar.analyzer.vision.rests import Rest, rest_of, rests
from mafiavar.analyzer.vision.steady import Steady, same, steady_runs
from mafiavar.analyzer.vision.tiles import THUMB, Observations
from mafiavar.models.heads import HandReading

_NEAR = 1.4  # hands: how far from where it is expected a fist may stand
_FIST, _RAISED = 0.15, 0.5
_AT_PLACE, _MAYBE_RAISED, _NO_HAND = 0.9, 0.3, 0.5
"""Nearer than this to where it is expected it may look like anything but no hand at all."""
_SURE_FIST, _SURE_RAISED = 0.5, 0.75
_ASIDE, _OUTSIDE = 0.35, 0.12  # usual spacings of seats
_AROUND = 0.6  # hands: the part of the picture around the fist's place that must change
_LEAST_PIXELS = 3  # of a thumbnail: a patch at the picture's border may be next to nothing
_STANDS: Micros = 300_000
_STAYS: Micros = 4 * SECOND
"""What stands there longer than a call lasts is somebody who sits otherwise now."""


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
                patch = patch_under(rest, seen.above[:, k], view.above[k])
                out += _standing(rest, k, context, patch, partial(_raised, near=away < _AT_PLACE))
    for rest in rests(seen.sightings):
        at = _just_outside(rest, context)
        if at is not None:
            patch = patch_under(rest, seen.thumbs[:, at], view.reach[at])
            out += _standing(rest, at, context, patch, _a_fist)
    inside = [c for c in out if (c.span & window) is not None and not _told(c, found)]
    return tuple(sorted(inside, key=lambda c: (c.seat, c.span)))


def stirred(seen: Observations, view: View, seat: int, found: Sequence[Contact]) -> list[Span]:
    """When something that no contact of the seat explains stood for a while where a fist on one of its
    elbows would, having come or going again. Ascending; both sides together."""
    k = seen.column(seat)
    place, (x, y, w, h) = view.table.place(seat), view.above[k]
    own = [c.span for c in found if c.seat == seat]
    spans: list[Span] = []
    for sign in (-1.0, 1.0):
        cx, cy = on_elbow(view.table, place, sign)
        r = _AROUND * place.hand
        x0, y0, x1, y1 = (
            int(np.clip((at - low) / side * THUMB, 0, THUMB))
            for at, low, side in ((cx - r, x, w), (cy - r, y, h), (cx + r, x, w), (cy + r, y, h))
        )
        if min(x1 - x0, y1 - y0) < _LEAST_PIXELS:
            continue
        runs = steady_runs(seen.above[:, k, y0:y1, x0:x1], seen.times)
        for i, run in enumerate(runs):
            span = Span(int(seen.times[run.first]), int(seen.times[run.last]))
            if _STANDS <= span.duration <= _STAYS and _came(runs, i) and not _covered(span, own):
                spans.append(span)
    return sorted(spans)


def _came(runs: Sequence[Steady], i: int) -> bool:
    """Did what stands there in the i-th rest come? Not what the first one shows: that was there; nor what
    the last one shows if it was there before: that is what is usually there."""
    before = [j for j in range(i) if same(runs[j], runs[i])]
    return i > 0 and not (i == len(runs) - 1 and before) and came_or_went(runs, i)


def _covered(span: Span, contacts: Sequence[Span]) -> bool:
    """Is it for the most part the time of one of the seat's contacts, whose arm shows over the edge?"""
    return any(
        both is not None and 2 * both.duration >= span.duration for both in (span & c for c in contacts)
    )


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


def _just_outside(rest: Rest, context: Context) -> int | None:
    """The place before which a hand shows just outside the edge: a low camera sees a fist on the table
    there when its lower part is hidden, and a fist in the lap as well."""
    table = context.view.table
    near = []
    for k, place in enumerate(context.view.places):
        aside, deep = table.offset(place, rest.base)
        if abs(aside) < _ASIDE and -_OUTSIDE < deep <= 0:
            near.append((abs(aside), k))
    return min(near)[1] if near else None


def _raised(reading: HandReading, near: bool) -> bool:
    """May it be a fist on its elbow? `near`: it stands where this seat's would."""
    if near:
        return reading.none < _NO_HAND and reading.raised >= _MAYBE_RAISED
    return reading.fist + reading.thumb >= _FIST and reading.raised >= _RAISED


def _a_fist(reading: HandReading) -> bool:
    return reading.fist >= _SURE_FIST


def _standing(
    rest: Rest,
    k: int,
    context: Context,
    patch: npt.NDArray[np.uint8],
    doubtful: Callable[[HandReading], bool],
) -> list[Contact]:
    """The still stretches of a hand over the edge that came or went and reads as a vote might."""
    seen, view = context.seen, context.view
    runs = steady_runs(patch, seen.times)
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
        if not doubtful(reading):
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
