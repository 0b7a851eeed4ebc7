"""Whose hand knocked on the table: the picture as second witness of a blow that was heard.

A hand that knocks comes, stands still on the table at the moment of the blow, and goes again, all within
a second. Every frame around the moment is looked at, as the grey thumbnails of the seats' reaches that
votes are judged by; no model is asked. Where no seat shows this, or two do, nobody is accused: the blow
stays a sound. A hand that was already resting where it knocks, or is hidden, is not found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.media.picture import fitted, pictures
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.seats.seatmap import SeatMap
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.vision.observe import View, picture_size, view_of
from mafiavar.analyzer.vision.question import Answer, Frame, Question, QuestionKind, Tell
from mafiavar.analyzer.vision.tiles import THUMB

Floats = npt.NDArray[np.float32]

AROUND: Micros = 650_000
"""A question's window reaches so far to either side of the blow's first sound."""
MOST = 60
"""Blows of a game that are looked at; the likeliest. A window costs about half a CPU-second."""

_BLOCK = 6  # pixels of a thumbnail: its parts move or stand still
_BLOCKS = 6  # so many parts of 64 a hand covers
_MOVES, _STANDS = 5.0, 4.0  # grey levels from frame to frame
_SHOWS = 12.0
"""Grey levels: how far the hand at the moment looks from what is there before and after. On the fitting
clip (knock_clips.py, 701) knocks that can be seen have 19-56, seats that are hidden below 3."""
_ALONE = 0.5
"""Of the best seat's showing: a second one above it, and nobody can say which."""
_SURE = 0.85
_LEAST_FRAMES = 8
# Seconds from the blow: arriving, the last movement before the stop, standing, leaving; the pictures of before and after.
_COMES, _STOPS, _REST, _GOES = (-0.24, 0.0), (-0.12, 0.02), (0.02, 0.11), (0.11, 0.5)
_BEFORE, _AFTER = (-0.6, -0.35), (0.4, 0.65)


def questions_about(cues: Sequence[Cue], others: Sequence[Question]) -> tuple[Question, ...]:
    """A GESTURE question for each blow that was heard by day and outside votes.

    `others`: what is asked already; the windows of hands and masks are votes and nights.
    """
    busy = [q.window for q in others if q.kind in (QuestionKind.HANDS, QuestionKind.MASK)]
    heard = [c for c in cues if c.kind is CueKind.KNOCK and not any(c.span & b for b in busy)]
    chosen = sorted(heard, key=lambda c: (-c.likelihood, c.span))[:MOST]
    everybody = tuple(range(1, 11))
    return tuple(
        Question(QuestionKind.GESTURE, everybody, Span(c.span.t0 - AROUND, c.span.t0 + AROUND))
        for c in sorted(chosen, key=lambda c: c.span)
        if c.span.t0 >= AROUND
    )


def answer_knocks(
    recording: Recording, seats: SeatMap, questions: Sequence[Question], number: int = 0
) -> tuple[Answer, ...]:
    """GESTURE `yes` with value "knock" for each window in whose middle exactly one seat's hand knocked.

    Windows that were cut (at the recording's ends, by a moved camera) are left out. Nothing is said of the
    others: that no hand was seen does not mean that none knocked.

    Raises:
        MediaError: the recording cannot be read.
    """
    if recording.video is None:
        return ()
    view = view_of(seats, picture_size(recording))
    base = recording.video.time_base
    out = []
    for q in questions:
        if q.kind is not QuestionKind.GESTURE or q.window.duration != 2 * AROUND:
            continue
        film = _film(recording, view, q.window)
        k = whose(film.shown, (film.times - q.window.middle) / SECOND)
        if k is not None and view.numbers[k] in q.seats:
            frames = _evidence(
                film, view.reach[k], q.window.middle, number, (base.numerator, base.denominator)
            )
            span = Span(q.window.middle, q.window.middle + SECOND // 10)
            out.append(Answer(QuestionKind.GESTURE, view.numbers[k], Tell.YES, _SURE, span, "knock", frames))
    return tuple(out)


def whose(shown: npt.NDArray[np.uint8], seconds: npt.NDArray[np.float64]) -> int | None:
    """Which column's hand came, stood still at second 0 and went again; None when it was none or several.

    Args:
        shown: frames x seats x THUMB x THUMB, grey.
        seconds: of the frames, counted from the blow.
    """
    if len(shown) < _LEAST_FRAMES:
        return None
    n = THUMB // _BLOCK
    frames, seats = shown.shape[:2]
    blocks = shown.astype(np.float32).reshape(frames, seats, n, _BLOCK, n, _BLOCK).mean(axis=(3, 5))
    moved = np.zeros_like(blocks)
    moved[1:] = blocks[1:] - blocks[:-1]
    moved = np.abs(moved - np.median(moved, axis=(2, 3), keepdims=True))  # lamps change all of a thumbnail
    blocks, moved = (x.reshape(frames, seats, n * n) for x in (blocks, moved))

    def within(film: Floats, span: tuple[float, float]) -> Floats:
        return film[(seconds >= span[0] - 1e-3) & (seconds < span[1] - 1e-3)]

    times = (_COMES, _STOPS, _REST, _GOES, _BEFORE, _AFTER)
    if any(not len(within(moved, span)) for span in times):
        return None
    at_rest = within(blocks, _REST).mean(axis=0)
    differs = np.minimum(
        np.abs(at_rest - within(blocks, _BEFORE).mean(axis=0)),
        np.abs(at_rest - within(blocks, _AFTER).mean(axis=0)),
    )
    hand = np.argsort(-differs, axis=1)[:, :_BLOCKS]

    def of_hand(film: Floats) -> Floats:
        return np.asarray(np.take_along_axis(film, hand, axis=1).mean(axis=1))

    shows = of_hand(differs)
    comes, stops, stands, goes = (
        of_hand(within(moved, s).max(axis=0)) for s in (_COMES, _STOPS, _REST, _GOES)
    )
    knocks = (
        (shows >= _SHOWS) & (comes >= _MOVES) & (stops >= _MOVES) & (goes >= _MOVES)
        & (stands <= np.minimum(_STANDS, 0.25 * shows))
    )  # fmt: skip
    if not knocks.any():
        return None
    best = int(np.argmax(np.where(knocks, shows, -1.0)))
    rivals = np.delete(np.where(knocks, shows, 0.0), best)
    return None if len(rivals) and rivals.max() >= _ALONE * shows[best] else best


@dataclass(frozen=True, slots=True, eq=False)
class _Film:
    """Every frame of a window: microseconds, PTS, and each seat's reach as `whose` wants it."""

    times: npt.NDArray[np.int64]
    pts: npt.NDArray[np.int64]
    shown: npt.NDArray[np.uint8]


def _film(recording: Recording, view: View, window: Span) -> _Film:
    times, pts, shown = [], [], []
    for picture in pictures(recording, window):
        grey = cv2.cvtColor(fitted(picture.image, view.size), cv2.COLOR_BGR2GRAY)
        small = np.zeros((len(view.reach), THUMB, THUMB), np.uint8)
        for k, (x, y, w, h) in enumerate(view.reach):
            small[k] = cv2.resize(grey[y : y + h, x : x + w], (THUMB, THUMB), interpolation=cv2.INTER_AREA)
        times.append(picture.t)
        pts.append(picture.pts)
        shown.append(small)
    films = np.stack(shown) if shown else np.zeros((0, len(view.reach), THUMB, THUMB), np.uint8)
    return _Film(np.array(times, np.int64), np.array(pts, np.int64), films)


def _evidence(
    film: _Film, box: tuple[int, int, int, int], moment: Micros, number: int, base: tuple[int, int]
) -> tuple[Frame, ...]:
    out = []
    for role, at in (("before", -0.4), ("touch", 0.06), ("release", 0.4)):
        i = int(np.argmin(np.abs(film.times - (moment + at * SECOND))))
        out.append(Frame(number, int(film.pts[i]), base, int(film.times[i]), box, role=role))
    return tuple(out)
