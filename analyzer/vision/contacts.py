"""From observations to contacts: a hand that comes to rest on the table before its seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.vision.observe import View
from mafiavar.analyzer.vision.owner import Owner, at_the_edge, owner, owners
from mafiavar.analyzer.vision.place import Place
from mafiavar.analyzer.vision.question import Contact, Frame, HandForm
from mafiavar.analyzer.vision.rests import Rest, elbow_of, hands_apart, on_table, rest_of, rests
from mafiavar.analyzer.vision.steady import Steady, apart, same, share_changed, steady_runs
from mafiavar.analyzer.vision.tiles import THUMB, Observations, Sighting
from mafiavar.models.heads import HandHeads, HandReading

_LEAST_OWNER, _MAYBE_OWNER, _SURE_OWNER = 0.75, 0.2, 0.95
_SAME_PLACE = 0.6  # of a hand's size
_SURE_FIST, _SURE_FORM = 0.5, 0.75
_SURE_FLAT = 0.85
_MAYBE_FINGER = 0.2  # a finger that points at the camera looks like a fist
_RAISED = 0.5  # a hand in the air: it lies before somebody else in the picture
_NO_HAND = 0.5
DOUBT = 0.35
_ONE_OWNER = 0.75
_PART = 0.45
"""Of a hand's length: less may be a part of a hand whose rest somebody hides, and does not lie where it seems to."""
_SLIVER = 0.35
"""Of a hand's length: so little may be anything that moved with somebody's hand."""
_FROM_BEHIND = -0.35  # inward direction, up the picture
BRIEFEST: Micros = 240_000  # a hand still for less is on its way
_PAUSE: Micros = 350_000
_GLIMPSE: Micros = 700_000
_CLEARLY = 0.8
_FROM_ABOVE, _HOVERS = 0.9, 0.45
"""From a camera that looks down so steeply (radians) an open hand over the table looks like one on it."""
LASTS: Micros = 700_000  # what rests so long is looked at more than once
EDGE: Micros = 60_000
_CLEAR = 0.6
_SHOWN, _MUCH = (
    8.0,
    0.25,
)  # grey levels by which a hand's coming or going changes its patch, and how much of it


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    contact: Contact
    centre: npt.NDArray[np.float64]
    size: float


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """What contacts are read from. `recording`, `time_base`: for the evidence."""

    seen: Observations
    view: View
    heads: HandHeads
    recording: int
    time_base: tuple[int, int]


@cache
def hand_heads() -> HandHeads:
    return HandHeads()


def contacts(
    seen: Observations, view: View, window: Span, *, recording: int = 0, time_base: tuple[int, int]
) -> tuple[Contact, ...]:
    """All contacts that touch the window, by seat and time.

    Args:
        recording, time_base: the recording's number and the unit of its PTS, for the evidence.
    """
    context = Context(seen, view, hand_heads(), recording, time_base)
    found: list[_Found] = []
    for rest in rests(seen.sightings):
        if not on_table(rest, view.table):
            continue
        for f in _contacts_of(rest, context):
            _add(found, f)
    inside = [f.contact for f in _mended(found) if (f.contact.span & window) is not None]
    return tuple(sorted(inside, key=lambda c: (c.seat, c.span, c.form)))


def _contacts_of(rest: Rest, context: Context) -> list[_Found]:
    """The still stretches under one resting place that show a hand."""
    if not owners(rest, context.view.table):
        return []
    seen = context.seen
    patch = _patch(rest, seen, context.view)
    runs = steady_runs(patch, seen.times)
    out = []
    for i, run in enumerate(runs):
        # On the table from its first still frame until the first frame that moves again.
        after = min(run.last + 1, len(seen.times) - 1)
        span = Span(int(seen.times[run.first]), int(seen.times[after]))
        mine = [s for s in rest.sightings if span.t0 <= s.t <= int(seen.times[run.last])]
        if not mine or span.duration < BRIEFEST:
            continue
        if len(mine) < 2 and span.duration >= LASTS:
            continue  # found once, and never again in several looks
        if not came_or_went(runs, i):
            continue  # nothing came and nothing went: a fold of a shirt, or a hand at rest all along
        # One place may have held two people's hands, one after the other.
        here = rest_of(mine)
        for who in owners(here, context.view.table):
            found = _found(here, who, run, mine, span, context) if who.probability >= _MAYBE_OWNER else None
            if found is not None:
                out.append(found)
    return out


def came_or_went(runs: Sequence[Steady], i: int) -> bool:
    """Does the patch look otherwise before or after its i-th rest? Not where it looks as it does most of
    the time, before and after something else lay or moved there: then that came and went."""
    run = runs[i]
    if _usual(runs, i):
        return False
    beside = [runs[j] for j in (i - 1, i + 1) if 0 <= j < len(runs)]
    return any(_changed(run, other) for other in beside)


def _changed(a: Steady, b: Steady) -> bool:
    """Did a hand come or go between two rests? What passes at the border of a hand that lies there all
    along changes little of its patch, a hand changes much of it, if only a little where skin is as dark
    as the table."""
    return apart(a.looks, b.looks) >= _SHOWN + 2 * a.noise and share_changed(a, b) >= _MUCH


def _usual(runs: Sequence[Steady], i: int) -> bool:
    """Does the patch show what it shows for most of the time, both before and after something else?"""
    alike = [j for j in range(len(runs)) if j == i or same(runs[j], runs[i])]
    if len(alike) < 2 or alike[-1] - alike[0] < len(alike):
        return False  # never interrupted by anything else
    shown = sum(runs[j].last - runs[j].first + 1 for j in alike)
    return 2 * shown > runs[-1].last - runs[0].first + 1


def _found(
    rest: Rest, who: Owner, run: Steady, mine: list[Sighting], span: Span, context: Context
) -> _Found | None:
    seen, view = context.seen, context.view
    first, last = int(seen.times[0]), int(seen.times[-1])
    reading = context.heads.read([s.world for s in _best_looks(mine, who.seat, span, seen)], view.table.tilt)
    if reading.none > _NO_HAND and who.probability < 0.9:
        return None
    stands = _standing(rest, who, reading, view)
    steady = min(1.0, len(mine) / 3)
    p = who.probability * (0.6 + 0.39 * steady)
    # Something came to rest there: if it hardly looks like a hand that is a doubt, not a "no"; as is one
    # that may be a neighbour's, for both of them.
    p = max(p * (1 - reading.none), min(p, DOUBT))
    place = view.table.place(who.seat)
    least = _SURE_OWNER if rest.size < _PART * place.hand else _LEAST_OWNER
    sliver = rest.size < _SLIVER * place.hand
    if sliver or who.probability < least or at_the_edge(rest, view.table, place):
        p = min(p, DOUBT)
    if stands is not who:
        who, p = stands, min(p, DOUBT)
    away = view.table.place(who.seat).inward[1] < _FROM_BEHIND
    if away and span.duration < _GLIMPSE and len(mine) < 3 and not _open_view(seen, who.seat):
        sure = len(mine) > 1 and min(reading.fist + reading.thumb, who.probability) >= _CLEARLY
        p = p if sure else min(p, DOUBT)  # a glimpse past somebody's back
    form = form_of(reading, from_behind=away)
    if form == "palm" and view.table.tilt > _FROM_ABOVE:
        p = min(p, _HOVERS)
    contact = Contact(
        seat=who.seat,
        span=span,
        side="right" if who.right >= 0.5 else "left",
        form=form,
        probability=round(float(p), 4),
        open_start=span.t0 - first < EDGE,
        open_end=last - span.t1 < EDGE,
        evidence=evidence_of(mine, run, view.table.place(who.seat), context),
    )
    return _Found(contact, np.median([s.centre for s in mine], axis=0), rest.size)


def _open_view(seen: Observations, seat: int) -> bool:
    """Do both resting places of a seat show the table most of the time?"""
    clear = seen.clear[:, seen.column(seat)].min(axis=1)
    return len(clear) > 0 and float(np.percentile(clear, 75)) >= _CLEAR


def _best_looks(mine: list[Sighting], seat: int, span: Span, seen: Observations) -> list[Sighting]:
    """The looks at this hand from its owner's own reach: in a neighbour's it lies at the border."""
    middle = mine[len(mine) // 2]
    own = [
        s
        for s in seen.sightings
        if s.crop == seat and span.t0 <= s.t < span.t1 and hands_apart(s, middle) < _SAME_PLACE / 2
    ]
    closest = max((s.scale for s in own), default=0)
    return [s for s in own if s.scale == closest] or mine


def _standing(rest: Rest, who: Owner, reading: HandReading, view: View) -> Owner:
    """Whose hand it is when it stands on its elbow: then it is the elbow that lies before its owner.
    How a hand stands is not seen past its owner's back."""
    if reading.raised < _RAISED or view.table.place(who.seat).inward[1] < _FROM_BEHIND:
        return who
    stands = owner(replace(rest, base=elbow_of(rest)), view.table)
    return who if stands is None or stands.seat == who.seat else stands


def form_of(reading: HandReading, *, from_behind: bool = False) -> HandForm:
    """The form a reading is sure enough of; a wrong one would accuse a player, so most doubt is
    "unknown". `from_behind`: the owner's back is to the camera; how the fist stands is not seen."""
    if reading.finger >= _SURE_FORM:
        return "finger"
    if reading.open >= _SURE_FORM:
        return "palm"
    if reading.fist + reading.thumb < _SURE_FIST or reading.thumb > reading.fist:
        return "unknown"
    if reading.finger >= _MAYBE_FINGER:
        return "unknown"
    if from_behind:
        return "fist_vertical" if reading.vertical >= _SURE_FORM else "unknown"
    if reading.raised >= _SURE_FORM:
        return "elbow"
    if reading.flat >= _SURE_FLAT:
        return "fist_flat"
    return "fist_vertical" if reading.vertical >= _SURE_FIST else "unknown"


def evidence_of(mine: list[Sighting], run: Steady, place: Place, context: Context) -> tuple[Frame, ...]:
    """Before, touch, rest, release: the frames that show when the hand came and went."""
    seen = context.seen
    middle = min(mine, key=lambda s: abs(s.t - (seen.times[run.first] + seen.times[run.last]) // 2))
    side = round(4 * max(middle.size, place.hand))
    cx, cy = middle.centre
    box = (round(cx - side / 2), round(cy - side / 2), side, side)
    marks = tuple((round(float(x), 1), round(float(y), 1)) for x, y in middle.points)
    at = {
        "before": max(run.first - 3, 0),
        "touch": run.first,
        "rest": int(np.searchsorted(seen.times, middle.t)),
        "release": min(run.last + 1, len(seen.times) - 1),
    }
    return tuple(
        Frame(
            recording=context.recording,
            pts=int(seen.pts[i]),
            time_base=context.time_base,
            t=int(seen.times[i]),
            box=box,
            landmarks=marks if role == "rest" else (),
            role=role,
        )
        for role, i in at.items()
    )


def _best_crop(rest: Rest, view: View) -> int:
    """The seat in whose reach the hand lies most in the middle: its thumbnails show it best."""
    x, y = (float(v) for v in rest.centre)

    def off(k: int) -> float:
        bx, by, w, h = view.reach[k]
        return max(abs(x - bx - w / 2) / w, abs(y - by - h / 2) / h)

    return min(range(len(view.reach)), key=off)


def _patch(rest: Rest, seen: Observations, view: View) -> npt.NDArray[np.uint8]:
    """The thumbnails' pixels under the hand, all frames."""
    k = _best_crop(rest, view)
    return patch_under(rest, seen.thumbs[:, k], view.reach[k])


def patch_under(
    rest: Rest, thumbs: npt.NDArray[np.uint8], square: tuple[int, int, int, int]
) -> npt.NDArray[np.uint8]:
    """The pixels under a hand in the thumbnails (frames x THUMB x THUMB) of a square of the picture."""
    bx, by, w, _ = square
    points = np.stack([s.points for s in rest.sightings]).reshape(-1, 2)
    low, high = np.percentile(points, 5, axis=0), np.percentile(points, 95, axis=0)
    a = np.clip(np.floor((low - (bx, by)) / w * THUMB) - 1, 0, THUMB - 3).astype(int)
    b = np.clip(np.ceil((high - (bx, by)) / w * THUMB) + 1, a + 3, THUMB).astype(int)
    return thumbs[:, a[1] : b[1], a[0] : b[0]]


def _mended(found: list[_Found]) -> list[_Found]:
    """Join contacts of one hand at one place that something else's passing had parted."""
    out: list[_Found] = []
    for f in sorted(found, key=lambda f: (f.contact.seat, f.contact.span)):
        for i, before in enumerate(out):
            if _one_hand(before, f):
                out[i] = _joined(before, f)
                break
        else:
            out.append(f)
    return out


def _one_hand(a: _Found, b: _Found) -> bool:
    gap = b.contact.span.t0 - a.contact.span.t1
    return (
        a.contact.seat == b.contact.seat
        and 0 <= gap <= _PAUSE
        and a.contact.form == b.contact.form
        and float(np.hypot(*(a.centre - b.centre))) < 0.25 * max(a.size, b.size)
    )


def _joined(a: _Found, b: _Found) -> _Found:
    first, last = a.contact, b.contact
    surer = first if first.probability >= last.probability else last
    contact = replace(
        surer,
        span=first.span | last.span,
        open_start=first.open_start,
        open_end=last.open_end,
        evidence=first.evidence[:3] + last.evidence[3:],
    )
    return _Found(contact, a.centre, a.size)


def _add(found: list[_Found], new: _Found) -> None:
    """Keep one of two descriptions of the same contact: the surer. Where they name two seats and neither
    is sure, the less likely one stays as a doubt: one hand is not two people's."""
    for i, old in enumerate(found):
        overlap = old.contact.span & new.contact.span
        near = float(np.hypot(*(old.centre - new.centre))) < _SAME_PLACE * max(old.size, new.size)
        if overlap is None or not near or overlap.duration <= 0:
            continue
        surer, other = sorted((old, new), key=lambda f: f.contact.probability, reverse=True)
        if surer.contact.seat == other.contact.seat or surer.contact.probability >= _ONE_OWNER:
            found[i] = surer
            return
        if other.contact.probability > DOUBT:
            other = replace(other, contact=replace(other.contact, probability=DOUBT))
        found[i], new = surer, other
    found.append(new)
