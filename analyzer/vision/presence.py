"""Is somebody in the seat: a chair that stands empty does not move at all, a person always does.

Only key frames are looked at, some seconds apart (they cost a fortieth of all frames). Between two
of them a head, a shoulder, a shirt shift by more than the sensor's noise even in somebody who
sleeps; the back of an empty chair does not. An empty stretch must last, and must look otherwise
than the seat does while somebody moves in it. Where neighbours pass before the chair nothing is
told: too few absences rather than an invented one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.media.picture import fitted, key_pictures
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.media.worker import one_worker
from mafiavar.analyzer.seats.seatmap import SeatMap
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.vision.bodies import head_box, shows_its_back
from mafiavar.analyzer.vision.observe import picture_size
from mafiavar.analyzer.vision.place import lay_table
from mafiavar.analyzer.vision.question import Answer, Frame, Question, QuestionKind, Tell
from mafiavar.analyzer.vision.sitting import faces_in, looks
from mafiavar.analyzer.vision.windows import Progress, windows_of

Floats = npt.NDArray[np.float64]

EVERY: Micros = 2 * SECOND
_SIDE = 24
_STILL = 4.0
"""Grey levels, mean of the liveliest tenth: an empty chair of a rendered game changes by 1-2 (by 12 when
the lamps do), people by 7 at night and by 10-100 in the day."""
_LEAST: Micros = 10 * SECOND
_LEAST_FRAMES = 3
_OTHERWISE = 15.0  # grey levels, the same measure: how far an empty chair looks from its player
_LIVES = 7.0
_DARK = 16.0
_RARE: Micros = 30 * SECOND
_EMPTY = 0.85
_NOBODY = 0.03
"""The net's least P(nobody) over an empty chair that faces the camera. Over the two of dev_game it says .09, .52
and .89; over those who sit below .02, but for one seat, of whom this keeps nothing from being told."""
_LONG: Micros = 30 * SECOND
_LONG_FRAMES = 5


def answer_presence(
    recording: Recording,
    seats: SeatMap,
    questions: Sequence[Question],
    *,
    workers: int = 2,
    progress: Progress | None = None,
    number: int = 0,
) -> tuple[Answer, ...]:
    """Answers to PRESENCE questions, in the order of questions, seats and time.

    One `no` for each stretch of ten seconds or more in which the chair was empty (its ends are
    good to the distance of two key frames); else one `yes`, or `cannot_tell` where it is too
    dark, key frames are too rare, or a neighbour hides the chair. `workers=0`: this process.
    """
    if recording.video is None:
        return ()
    base = recording.video.time_base
    out: list[Answer] = []
    for q, window in windows_of(recording, questions, QuestionKind.PRESENCE, progress):
        look = one_worker(look_at, recording, seats, window, here=workers <= 0)
        moved = [changes(look.small[:, k]) for k in range(len(seats.seats))]
        frozen = np.max(moved, axis=0) < _STILL if len(look.times) > 1 else None
        for seat in q.seats:
            if seat not in seats.numbers or not len(look.times):
                out.append(Answer(QuestionKind.PRESENCE, seat, Tell.CANNOT_TELL, 0.5, window))
                continue
            mine = look.small[:, seats.numbers.index(seat)]
            for tell, p, (a, b) in told(mine, look.times, frozen):
                if tell is Tell.NO and _sits_still(
                    recording, seats, seat, window, look.times[a : b + 1], workers
                ):
                    out.append(Answer(QuestionKind.PRESENCE, seat, Tell.CANNOT_TELL, 0.5, window))
                    continue
                span = Span(int(look.times[a]), int(look.times[b])) if tell is Tell.NO else window
                box = seats.seat(seat).box.rounded()
                frames = tuple(
                    Frame(
                        number, int(look.pts[k]), (base.numerator, base.denominator), int(look.times[k]), box,
                        role=role,
                    )
                    for role, k in (("before", max(a - 1, 0)), ("rest", (a + b) // 2))
                )  # fmt: skip
                out.append(Answer(QuestionKind.PRESENCE, seat, tell, p, span, evidence=frames))
    return tuple(out)


@dataclass(frozen=True, slots=True, eq=False)
class SeatLook:
    """Key frames x seats: small grey pictures of the head's place."""

    times: npt.NDArray[np.int64]
    pts: npt.NDArray[np.int64]
    small: npt.NDArray[np.uint8]


def _sits_still(
    recording: Recording,
    seats: SeatMap,
    seat: int,
    day: Span,
    times: npt.NDArray[np.int64],
    workers: int,
) -> bool:
    """May somebody sit there who does not move? Of those who face the camera the night's net knows, for the
    others only a long time tells: nobody sits like a picture for half a minute."""
    span = Span(int(times[0]), int(times[-1]))
    if shows_its_back(lay_table(seats).place(seat)):
        return span.duration < _LONG or len(times) < _LONG_FRAMES
    nobody = one_worker(_nobody, recording, seats, seat, day, span, here=workers <= 0)
    return nobody < _NOBODY


def _nobody(recording: Recording, seats: SeatMap, seat: int, day: Span, span: Span) -> float:
    """The net's median P(nobody is there) over a stretch, in at most eight pictures; 1 where it has none."""
    faces = faces_in(recording, seats, day)
    every = max(span.duration // 8, EVERY)
    said = looks(recording, seats, key_pictures(recording, span, every=every), faces, chests=False)
    return float(np.median(said.nobody[:, seats.numbers.index(seat)])) if len(said.times) else 1.0


def look_at(recording: Recording, seats: SeatMap, window: Span) -> SeatLook:
    """Key frames at least `EVERY` apart."""
    size = picture_size(recording)
    table = lay_table(seats)
    boxes = [head_box(table, p, size) for p in table.places]
    times: list[Micros] = []
    pts: list[int] = []
    shown: list[npt.NDArray[np.uint8]] = []
    for picture in key_pictures(recording, window, every=EVERY):
        grey = cv2.cvtColor(fitted(picture.image, size), cv2.COLOR_BGR2GRAY)
        small = [
            cv2.resize(grey[y : y + h, x : x + w], (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
            for x, y, w, h in boxes
        ]
        times.append(picture.t)
        pts.append(picture.pts)
        shown.append(np.asarray(np.stack(small), np.uint8))
    return SeatLook(
        np.array(times, np.int64),
        np.array(pts, np.int64),
        np.stack(shown) if shown else np.zeros((0, len(boxes), _SIDE, _SIDE), np.uint8),
    )


def told(
    small: npt.NDArray[np.uint8],
    times: npt.NDArray[np.int64],
    frozen: npt.NDArray[np.bool_] | None = None,
) -> list[tuple[Tell, float, tuple[int, int]]]:
    """What a seat's small pictures say: (tell, probability, first and last index) for each stretch.

    `frozen`: between which pictures nobody at the table moved: the recording stands, not the chair.
    """
    whole = (0, len(times) - 1)
    rare = len(times) < 2 or float(np.median(np.diff(times))) > _RARE
    if rare or float(np.median(small)) < _DARK:
        return [(Tell.CANNOT_TELL, 0.5, whole)]
    p = small.astype(np.float64)
    change = changes(small)
    still = (change < _STILL) & ~(np.zeros(len(change), bool) if frozen is None else frozen)
    stretches = [
        (a, b) for a, b in runs_of(still) if b - a + 1 >= _LEAST_FRAMES and times[b] - times[a] >= _LEAST
    ]
    lives = [int(i) for i in np.flatnonzero(change >= _LIVES) if not any(a <= i <= b for a, b in stretches)]
    if not lives:
        return [(Tell.CANNOT_TELL, 0.5, whole)]  # nobody was seen here, or nothing can be

    def otherwise(a: int, b: int) -> bool:
        """Unlike the seat in every picture in which somebody moved there."""
        looks = np.median(p[a : b + 1], axis=0)
        return min(liveliest(looks - p[i]) for i in lives) >= _OTHERWISE

    empty = [(a, b) for a, b in stretches if otherwise(a, b)]
    if empty:
        return [(Tell.NO, _EMPTY, s) for s in empty]
    if float(np.median(change)) >= _LIVES:
        return [(Tell.YES, 0.95, whole)]
    return [(Tell.CANNOT_TELL, 0.5, whole)]


def changes(small: npt.NDArray[np.uint8]) -> Floats:
    """How much each picture of a seat differs from the one before."""
    return np.array([liveliest(d) for d in np.diff(small.astype(np.float64), axis=0)])


def liveliest(difference: Floats) -> float:
    """Mean of the tenth that changed most, an even change of light apart."""
    d = np.sort(np.abs(difference - np.median(difference)).ravel())
    return float(d[-max(d.size // 10, 1) :].mean())


def runs_of(still: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last *picture* of each stretch in which no neighbouring two differ."""
    out: list[tuple[int, int]] = []
    for i in np.flatnonzero(still):
        if out and out[-1][1] == i:
            out[-1] = (out[-1][0], int(i) + 1)
        else:
            out.append((int(i), int(i) + 1))
    return out
