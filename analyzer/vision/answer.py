"""HANDS questions answered: windows -> tiles (in worker processes) -> contacts per seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.media.worker import crew
from mafiavar.analyzer.seats.seatmap import SeatMap
from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.vision.bodies import Square
from mafiavar.analyzer.vision.contacts import Context, contacts, hand_heads
from mafiavar.analyzer.vision.elbows import elbows, stirred
from mafiavar.analyzer.vision.observe import View, observe, picture_size, view_of
from mafiavar.analyzer.vision.place import USUAL_SPACING
from mafiavar.analyzer.vision.question import Contact, Frame, Question, QuestionKind, SeatHands
from mafiavar.analyzer.vision.store import TileStore
from mafiavar.analyzer.vision.tiles import TILE, Observations, Tile, join, tiles_of
from mafiavar.analyzer.vision.unexplained import unexplained
from mafiavar.models.hands import HandLandmarker, HandModel
from mafiavar.models.hands.landmarker import MODEL

RUN = 10
"""Tiles a worker decodes in one go: 5 s. Each go begins at the key frame before it, so that short ones decode
twice what long ones do."""
_MARGIN: Micros = TILE
_CLEAR = 0.6
_COVERED = 0.2
_SMALL = 25.0  # pixels
_DARK, _BLURRED = 18.0, 4.0
_FLAT = 0.6
"""Of a hand's length: where the table from the edge to where hands rest is thinner than this in the picture
(a low camera), a fist on the table stands before its owner's chest and may go unnoticed."""
_RESTS = 0.14  # usual spacings of seats
_BRIEFEST: Micros = 200_000
_DOUBT = 0.3  # above what lets a vote be denied, below what makes one

Progress = Callable[[float], None]


def answer_hands(
    recording: Recording,
    seats: SeatMap,
    questions: Sequence[Question],
    *,
    workers: int = 2,
    progress: Progress | None = None,
    model: HandModel | None = None,
    number: int = 0,
    store: TileStore | None = None,
) -> tuple[SeatHands, ...]:
    """For each HANDS question, in order, and each of its seats, in order: the contacts.

    Args:
        workers: processes (spawn); with `model` given, everything runs in this process.
        progress: called with the share done, 0..1.
        number: of the recording in the case, for the evidence.
        store: tiles that were looked at before; new ones are added.

    Raises:
        ModelMissing: the hand model is not there.
        MediaError: the recording has no picture or cannot be read any more.
    """
    asked = [q for q in questions if q.kind is QuestionKind.HANDS]
    if not asked or recording.video is None:
        return ()
    view = view_of(seats, picture_size(recording))
    wanted = sorted({k for q in asked for k in _around(q.window, recording)})
    tiles = _kept(store, wanted)
    missing = [k for k in wanted if k not in tiles]
    for tile in _tiles(recording, seats, missing, workers=workers, progress=progress, model=model):
        tiles[tile.index] = tile
        if store is not None:
            store.save(tile)
    base = recording.video.time_base
    out = []
    for q in asked:
        seen = join(view.numbers, [tiles[k] for k in _around(q.window, recording) if k in tiles])
        unit = (base.numerator, base.denominator)
        found = contacts(seen, view, q.window, recording=number, time_base=unit)
        found += elbows(Context(seen, view, hand_heads(), number, unit), q.window, found)
        where = _Where(q.window, seen, view, number, unit)
        out += [_seat_hands(s, where, found) for s in q.seats]
    return tuple(out)


def _kept(store: TileStore | None, wanted: Sequence[int]) -> dict[int, Tile]:
    found = {k: store.load(k) for k in wanted} if store is not None else {}
    return {k: t for k, t in found.items() if t is not None}


def _around(window: Span, recording: Recording) -> Sequence[int]:
    """The tiles of a window and a little more; none where the recording has no picture."""
    inside = window.widened(_MARGIN) & recording.span
    return () if inside is None or not (window & recording.span) else tiles_of(inside)


def _tiles(
    recording: Recording,
    seats: SeatMap,
    wanted: list[int],
    *,
    workers: int,
    progress: Progress | None,
    model: HandModel | None,
) -> Iterator[Tile]:
    runs = _runs(wanted, RUN if model is None else len(wanted))
    if not runs:
        return
    if model is not None:
        view = view_of(seats, picture_size(recording))
        for i, run in enumerate(runs):
            yield from observe(recording, view, run, model)
            if progress is not None:
                progress((i + 1) / len(runs))
        return
    from mafiavar.models.registry import locate

    path = locate(MODEL)
    with crew(min(workers, len(runs)), _begin, (path, recording, seats)) as pool:
        for i, tiles in enumerate(pool.map(_run, runs)):
            yield from tiles
            if progress is not None:
                progress((i + 1) / len(runs))


def _runs(wanted: list[int], most: int) -> list[list[int]]:
    """Neighbouring tiles in groups of at most so many."""
    runs: list[list[int]] = []
    for k in wanted:
        if runs and runs[-1][-1] == k - 1 and len(runs[-1]) < most:
            runs[-1].append(k)
        else:
            runs.append([k])
    return runs


_worker: tuple[Recording, View, HandModel] | None = None


def _begin(path: Path, recording: Recording, seats: SeatMap) -> None:
    """First thing in a worker: one model for all its runs."""
    global _worker  # noqa: PLW0603 - a worker process has one job
    import atexit

    from mafiavar.models.quiet import mute_stderr

    mute_stderr()
    model = HandLandmarker(path)
    atexit.register(model.close)
    _worker = (recording, view_of(seats, picture_size(recording)), model)


def _run(tiles: list[int]) -> list[Tile]:
    assert _worker is not None
    recording, view, model = _worker
    return list(observe(recording, view, tiles, model))


@dataclass(frozen=True, slots=True, eq=False)
class _Where:
    window: Span
    seen: Observations
    view: View
    recording: int
    time_base: tuple[int, int]


def _seat_hands(seat: int, where: _Where, found: tuple[Contact, ...]) -> SeatHands:
    seen, view, window = where.seen, where.view, where.window
    if seat not in view.numbers:
        return SeatHands(seat, window, (), (), 1.0, "no_seat")
    mine = tuple(c for c in found if c.seat == seat)
    strange = unexplained(seen, view, seat, found)
    spans, reason = _seen_spans(seat, window, seen, view, mine, strange)
    doubts = _doubts(seat, strange, where, found)
    covered = sum(s.duration for s in spans) / max(window.duration, 1)
    clear = float(seen.clear[:, seen.column(seat)].min(axis=1).mean()) if len(seen.clear) else 0.0
    missed = 1.0 - covered * (0.97 if clear > 0.8 else 0.9)
    return SeatHands(
        seat=seat,
        window=window,
        contacts=tuple(sorted((*mine, *doubts), key=lambda c: (c.span, c.form))),
        seen=spans,
        p_missed=round(float(np.clip(missed, 0.01, 1.0)), 4),
        reason=reason,
        evidence=_looks(seat, where),
    )


def _doubts(
    seat: int, strange: npt.NDArray[np.bool_], where: _Where, found: tuple[Contact, ...]
) -> list[Contact]:
    """What came to lie before the seat or to stand over the table's edge and is no hand that was found: less
    likely than not a contact, so that it makes no vote and lets none be denied."""
    seen, view = where.seen, where.view
    k = seen.column(seat)
    lay = [Span(int(seen.tile_times[a]), int(seen.tile_times[b]) + TILE) for a, b in _stretches(strange)]
    stood = stirred(seen, view, seat, found)
    out = []
    for box, least, spans in ((view.reach[k], TILE // 2, lay), (view.above[k], _BRIEFEST, stood)):
        for whole in spans:
            span = whole & where.window
            if span is not None and span.duration >= least:
                out.append(Contact(seat, span, None, "unknown", _DOUBT, evidence=_came(span, box, where)))
    return out


def _came(span: Span, box: Square, where: _Where) -> tuple[Frame, ...]:
    """A picture from before and one from the middle."""
    seen = where.seen
    first = int(np.searchsorted(seen.times, span.t0))
    middle = min(int(np.searchsorted(seen.times, span.middle)), len(seen.times) - 1)
    return tuple(
        Frame(where.recording, int(seen.pts[i]), where.time_base, int(seen.times[i]), box, role=role)
        for role, i in (("before", max(first - 3, 0)), ("rest", middle))
    )


def _stretches(flags: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last index of each stretch of true."""
    out: list[tuple[int, int]] = []
    for i in np.flatnonzero(flags):
        if out and out[-1][1] == i - 1:
            out[-1] = (out[-1][0], int(i))
        else:
            out.append((int(i), int(i)))
    return out


def _seen_spans(
    seat: int,
    window: Span,
    seen: Observations,
    view: View,
    mine: Sequence[Contact],
    strange: npt.NDArray[np.bool_],
) -> tuple[tuple[Span, ...], str]:
    """Tiles in which both places where this seat's hands rest show bare table, and nothing has come
    to lie before the seat that was not told as a contact (`strange`)."""
    if not len(seen.tile_times):
        return (), "no_picture"
    k = seen.column(seat)
    if view.table.place(seat).hand < _SMALL * 0.9:
        return (), "too_small"
    if _flatness(view, seat) < _FLAT:
        return (), "hidden"
    light = float(np.median(seen.light[:, k]))
    if light < _DARK:
        return (), "dark"
    if float(np.median(seen.sharp[:, k])) < _BLURRED:
        return (), "blur"
    clear = seen.clear[:, k].min(axis=1)
    # A hand at rest covers its own place: what counts is how the place looks most of the time.
    usual = float(np.percentile(clear, 75))
    spans: list[Span] = []
    for t, c, odd in zip(seen.tile_times, clear, strange, strict=True):
        span = Span(int(t) // TILE * TILE, int(t) // TILE * TILE + TILE) & window
        if span is None or usual < _CLEAR or odd:
            continue
        explained = any((x.span & span) is not None for x in mine)
        if c < usual - _COVERED and not explained:
            continue  # something lies there that was not recognised as a hand
        if spans and spans[-1].t1 >= span.t0:
            spans[-1] = spans[-1] | span
        else:
            spans.append(span)
    return tuple(spans), "" if spans else "hidden"


def _flatness(view: View, seat: int) -> float:
    """How much of the table shows between the edge and where this seat's hands rest, in hands."""
    place = view.table.place(seat)
    rests = place.edge + _RESTS * place.spacing / USUAL_SPACING * place.inward
    away = view.table.to_pixels(rests) - view.table.to_pixels(place.edge)
    return float(np.hypot(*away)) / place.hand


def _looks(seat: int, where: _Where) -> tuple[Frame, ...]:
    """Three pictures over the window: what was looked at when nothing was found."""
    seen, window = where.seen, where.window
    if not len(seen.times):
        return ()
    box = where.view.reach[seen.column(seat)]
    at = [window.t0 + window.duration * f // 4 for f in (1, 2, 3)]
    idx = sorted({int(np.clip(np.searchsorted(seen.times, t), 0, len(seen.times) - 1)) for t in at})
    return tuple(
        Frame(where.recording, int(seen.pts[i]), where.time_base, int(seen.times[i]), box, role="seen")
        for i in idx
    )
