"""Something lies before a seat that no contact explains: then "no hand" may not be said.

The hand model misses hands that anybody can see. What it cannot miss is that the table looks
otherwise than when it is bare: a block of the seat's grey thumbnail that often shows the table, and
something else in one half second, or for a fifth of a second without moving. Where such blocks
cluster on the table before the seat, and no contact that was found lies there, the half second
is not "seen". A block that hardly ever shows the table shows a sleeve or a back: whether anything can be
seen there at all is asked elsewhere (`bare.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.vision.observe import View
from mafiavar.analyzer.vision.place import USUAL_SPACING
from mafiavar.analyzer.vision.question import Contact
from mafiavar.analyzer.vision.tiles import THUMB, TILE, Observations

Floats = npt.NDArray[np.float64]

_BLOCK = 4
_OTHER = 14.0  # grey levels from the table's own: something lies there
_BARE = 7.0
_OFTEN = 0.25  # share of the half seconds without a contact in which a block must show the table
_LEAST_BLOCKS = 2
_STANDS = 4.0  # grey levels from frame to frame: less is no movement
_BRIEFEST: Micros = 200_000
_BESIDE, _DEEP = 0.5, (0.02, 0.42)  # usual spacings of seats: the table before one seat
_NEAR = 1.5  # of a hand's size: how far from a contact its blocks may lie
_ON_ITS_WAY: Micros = 300_000
"""So long before and after a contact its hand and sleeve pass over the table. What stands still then is told."""


def unexplained(seen: Observations, view: View, seat: int, found: Sequence[Contact]) -> npt.NDArray[np.bool_]:
    """Per tile of `seen`: does something lie before the seat that is none of the contacts `found`
    (of all seats)?"""
    k = seen.column(seat)
    centres = block_centres(view, k)
    mine = before_seat(view, seat, centres)
    out = np.zeros(len(seen.tile_times), bool)
    if mine.sum() < _LEAST_BLOCKS or len(out) < 2:
        return out
    looks = tile_looks(seen, k)
    grey = np.median(looks[:, mine], axis=1, keepdims=True)
    off = np.abs(looks[:, mine] - grey)
    own = [c.span for c in found if c.seat == seat]
    usual = _usually_bare(off, seen.tile_times, own)
    brief = _briefly(seen, k, mine, usual, own)
    other = ((off > _OTHER) & usual & ~_passing(seen.tile_times, own)[:, None]) | brief
    places = centres[mine]
    for i, t in enumerate(seen.tile_times):
        blocks = places[other[i]]
        for c in found:
            if c.span.t1 < int(t) or c.span.t0 > int(t) + TILE or not len(blocks):
                continue
            if c.seat == seat:
                blocks = blocks[:0]  # its hand and the sleeve behind it
                break
            if c.marks:
                hand = np.array(c.marks)
                size = max(float(np.ptp(hand, axis=0).max()), 1.0)
                away = np.hypot(*(blocks - hand.mean(axis=0)).T)
                blocks = blocks[away > _NEAR * size]
        out[i] = len(blocks) >= _LEAST_BLOCKS
    return out


def _usually_bare(
    off: Floats, tile_times: npt.NDArray[np.int64], contacts: Sequence[Span]
) -> npt.NDArray[np.bool_]:
    """Which blocks show the table in enough of the half seconds in which no hand of the seat was found."""
    free = np.array([all(c.t1 < t or c.t0 > t + TILE for c in contacts) for t in tile_times], bool)
    some = off[free] if free.any() else off
    return np.asarray((some < _BARE).mean(axis=0) >= _OFTEN, bool)


def _passing(tile_times: npt.NDArray[np.int64], contacts: Sequence[Span]) -> npt.NDArray[np.bool_]:
    """Half seconds just before or after a contact of the seat."""
    near = [c.widened(_ON_ITS_WAY) for c in contacts]
    return np.array([any(c.t0 <= t + TILE and c.t1 >= t for c in near) for t in tile_times], bool)


def _briefly(
    seen: Observations,
    k: int,
    mine: npt.NDArray[np.bool_],
    usual: npt.NDArray[np.bool_],
    contacts: Sequence[Span],
) -> npt.NDArray[np.bool_]:
    """Tiles x blocks of `mine`: shows something else than the table that stands still, if only briefly, and
    is not for the most part a contact. What passes over the table changes from frame to frame."""
    shown = frame_looks(seen, k)[:, mine]
    off = np.abs(shown - np.median(shown, axis=1, keepdims=True))
    other = (off > _OTHER) & usual
    change = np.r_[np.full((1, shown.shape[1]), np.inf), np.abs(np.diff(shown, axis=0))]
    still = (change < _STANDS) & other
    there = still.sum(axis=1) >= _LEAST_BLOCKS
    ends = np.flatnonzero(np.diff(np.r_[0, there.astype(np.int8), 0]))
    out = np.zeros((len(seen.tile_times), shown.shape[1]), bool)
    for a, b in zip(ends[::2], ends[1::2], strict=True):
        begun = max(int(a) - 1, 0)  # it was there in the frame that the first one resembles
        span = Span(int(seen.times[begun]), int(seen.times[b - 1]))
        if span.duration < _BRIEFEST:
            continue
        if any(c is not None and 2 * c.duration >= span.duration for c in (span & own for own in contacts)):
            continue
        blocks = still[a:b].mean(axis=0) >= 0.6
        first = int(np.searchsorted(seen.tile_times, seen.times[begun], side="right")) - 1
        last = int(np.searchsorted(seen.tile_times, seen.times[b - 1], side="right")) - 1
        out[max(first, 0) : last + 1] |= blocks
    return out


def block_centres(view: View, k: int) -> Floats:
    """Pixels of the middles of a reach's blocks, row by row."""
    x, y, w, h = view.reach[k]
    n = THUMB // _BLOCK
    at = (np.arange(n) + 0.5) / n
    return np.array([(x + w * u, y + h * v) for v in at for u in at])


def before_seat(view: View, seat: int, points: Floats) -> npt.NDArray[np.bool_]:
    """Which pixels lie on the table where this seat's hands would."""
    place = view.table.place(seat)
    d = (view.table.to_disc(points) - place.edge) / (place.spacing / USUAL_SPACING)
    aside, deep = d @ place.right, d @ place.inward
    return np.asarray((np.abs(aside) < _BESIDE * USUAL_SPACING) & (deep > _DEEP[0]) & (deep < _DEEP[1]), bool)


def frame_looks(seen: Observations, k: int) -> Floats:
    """Frames x blocks: mean grey, row by row."""
    n = THUMB // _BLOCK
    looks: Floats = seen.thumbs[:, k].reshape(-1, n, _BLOCK, n, _BLOCK).mean(axis=(2, 4)).reshape(-1, n * n)
    return looks


def tile_looks(seen: Observations, k: int) -> Floats:
    """Tiles x blocks: median grey over the tile's frames, row by row."""
    thumbs = frame_looks(seen, k)
    starts = np.searchsorted(seen.times, seen.tile_times)
    ends = np.r_[starts[1:], len(seen.times)]
    return np.stack([np.median(thumbs[a:b], axis=0) for a, b in zip(starts, ends, strict=True)])
