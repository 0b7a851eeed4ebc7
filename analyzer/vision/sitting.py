"""What the two night nets say of everybody at the table, picture by picture.

The nets compare a head with the same head by day (`models/heads/seated.py`): so a few pictures of the
day before the window are looked at first, of the day after it where there is none before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.media.picture import Image, Picture, fitted, key_pictures, pictures
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.media.worker import crew
from mafiavar.analyzer.seats.seatmap import SeatMap
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.vision.bodies import (
    Square,
    arms_box,
    beside,
    head_box,
    pairs_of,
    rising_box,
    shows_its_back,
)
from mafiavar.analyzer.vision.observe import picture_size
from mafiavar.analyzer.vision.place import lay_table
from mafiavar.models.heads.changed import SIDE
from mafiavar.models.heads.net import Net
from mafiavar.models.heads.seated import MASK, NOBODY, POSE, Face, chest_input, face_of, head_input

Floats = npt.NDArray[np.float64]

EVERY: Micros = 200_000
CHUNK: Micros = 12 * SECOND
SMALL = 24  # pixels: side of the small grey pictures in which a change shows
_DAY: Micros = 60 * SECOND
"""So long before a night somebody sits as he does by day."""
_APART: Micros = 6 * SECOND
"""From the night's border: some put their masks on while the judge still speaks."""
_DAY_PICTURES = 8


_FACES: Micros = 60 * SECOND
"""One key frame in so long a time is enough to know how somebody usually looks."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """Samples x seats: small grey pictures of head and chest and what the nets say.

    `pairs`: samples x neighbours x SIDE x SIDE x 3 (BGR), in the order of `pairs_of`. `backs`: samples x (head,
    chest) of each seat whose back is seen x SIDE x SIDE x 3; none where chests were not looked at. `shown`: samples x
    seats x SIDE x SIDE x 3, the head where chests are looked at, else the body and what is above it (`rising_box`).
    """

    times: npt.NDArray[np.int64]
    pts: npt.NDArray[np.int64]
    heads: npt.NDArray[np.uint8]
    arms: npt.NDArray[np.uint8]
    on: Floats
    """P(the mask is on the eyes)."""
    forehead: Floats
    bowed: Floats
    nobody: Floats
    folded: Floats
    pairs: npt.NDArray[np.uint8]
    backs: npt.NDArray[np.uint8]
    shown: npt.NDArray[np.uint8]

    @classmethod
    def joined(cls, parts: Sequence[Look]) -> Look:
        return cls(*(np.concatenate([getattr(p, f) for p in parts]) for f in cls.__slots__))


@cache
def net_of(name: str) -> Net:
    """A net of `models.heads`, read once."""
    return Net.load(name)


def faces_in(recording: Recording, seats: SeatMap, day: Span) -> tuple[Face, ...]:
    """How everybody looks in a stretch of the day."""
    return faces_of(recording, seats, list(key_pictures(recording, day, every=_FACES)))


def look_at_window(recording: Recording, seats: SeatMap, window: Span, workers: int) -> Look:
    """The whole window, `EVERY` apart, in stretches that several workers share. `workers=0`: this process."""
    faces = faces_by_day(recording, seats, window)
    spans = [Span(t, min(t + CHUNK - 1, window.t1)) for t in range(window.t0, window.t1 + 1, CHUNK)]
    if workers <= 0:
        return Look.joined([look_at(recording, seats, s, faces) for s in spans])
    n = len(spans)
    with crew(min(workers, n)) as pool:
        return Look.joined(list(pool.map(look_at, [recording] * n, [seats] * n, spans, [faces] * n)))


def look_at(
    recording: Recording, seats: SeatMap, window: Span, faces: Sequence[Face], chests: bool = True
) -> Look:
    """Samples of one stretch, `EVERY` apart."""
    return looks(recording, seats, pictures(recording, window, every=EVERY), faces, chests=chests)


def looks(
    recording: Recording,
    seats: SeatMap,
    shown: Iterable[Picture],
    faces: Sequence[Face],
    *,
    chests: bool = True,
) -> Look:
    """What the nets say of each picture. `faces`: of the seats in the map's order; without `chests`
    nothing is said of arms (one half)."""
    size = picture_size(recording)
    table = lay_table(seats)
    heads = [head_box(table, p, size) for p in table.places]
    arms = [arms_box(table, p, size) for p in table.places]
    n = len(heads)
    neighbours = [beside(table, p, size).square for p in pairs_of(table)]
    turned = [k for k, p in enumerate(table.places) if shows_its_back(p)] if chests else []
    times, pts, small_heads, small_arms = [], [], [], []
    bodies = [rising_box(p, size) for p in table.places]
    pairs, backs, coloured = [], [], []
    said: list[Floats] = []
    for picture in shown:
        image = fitted(picture.image, size)
        crops, folds = [_cut(image, b) for b in heads], [_cut(image, b) for b in arms]
        times.append(picture.t)
        pts.append(picture.pts)
        small_heads.append(np.stack([_small(c) for c in crops]))
        small_arms.append(np.stack([_small(c) for c in folds]))
        said.append(_said(crops, folds if chests else (), faces))
        pairs.append(_coloured([_cut(image, b) for b in neighbours]))
        backs.append(_coloured([crop for k in turned for crop in (crops[k], folds[k])]))
        coloured.append(_coloured(crops if chests else [_cut(image, b) for b in bodies]))
    told = np.stack(said) if said else np.zeros((0, 5, n))
    return Look(
        times=np.array(times, np.int64),
        pts=np.array(pts, np.int64),
        heads=np.stack(small_heads) if said else np.zeros((0, n, SMALL, SMALL), np.uint8),
        arms=np.stack(small_arms) if said else np.zeros((0, n, SMALL, SMALL), np.uint8),
        on=told[:, 0],
        forehead=told[:, 1],
        bowed=told[:, 2],
        nobody=told[:, 3],
        folded=told[:, 4],
        pairs=np.stack(pairs) if said else np.zeros((0, len(neighbours), SIDE, SIDE, 3), np.uint8),
        backs=np.stack(backs) if said else np.zeros((0, 2 * len(turned), SIDE, SIDE, 3), np.uint8),
        shown=np.stack(coloured) if said else np.zeros((0, n, SIDE, SIDE, 3), np.uint8),
    )


def _said(heads: Sequence[Image], chests: Sequence[Image], faces: Sequence[Face]) -> Floats:
    """5 x seats: P(mask on), P(mask on the forehead), P(head bowed), P(nobody there), P(arms folded)."""
    x = np.stack([head_input(c, f) for c, f in zip(heads, faces, strict=True)])
    said = net_of("night_head").probabilities(x)
    p = said[:, :-1].reshape(-1, len(MASK), len(POSE))
    folded = np.full(len(heads), 0.5)
    if chests:
        y = np.stack([chest_input(c, f) for c, f in zip(chests, faces, strict=True)])
        folded = net_of("night_arms").probabilities(y)[:, 0]
    return np.stack([p[:, 0].sum(axis=1), p[:, 1].sum(axis=1), p[:, :, 0].sum(axis=1), said[:, -1], folded])


def faces_by_day(recording: Recording, seats: SeatMap, night: Span) -> tuple[Face, ...]:
    """The usual face of every seat from some key frames of the day before (or after) `night`."""
    return faces_of(recording, seats, _by_day(recording, night))


def faces_of(recording: Recording, seats: SeatMap, shown: Sequence[Picture]) -> tuple[Face, ...]:
    """The usual face of every seat in pictures of the day."""
    size = picture_size(recording)
    table = lay_table(seats)
    boxes = [head_box(table, p, size) for p in table.places]
    if not shown:
        return (NOBODY,) * len(boxes)
    images = [fitted(p.image, size) for p in shown]
    return tuple(face_of([_cut(image, b) for image in images]) for b in boxes)


def _by_day(recording: Recording, night: Span) -> list[Picture]:
    step = _DAY // _DAY_PICTURES
    for day in (
        (night.t0 - _APART - _DAY, night.t0 - _APART),
        (night.t1 + _APART, night.t1 + _APART + _DAY),
    ):
        if day[1] <= day[0] or (span := Span(*day) & recording.span) is None:
            continue
        found = list(key_pictures(recording, span, every=step))
        if not found:  # key frames are rare, or the day is short: the one picture that is there
            found = list(pictures(recording, Span(span.middle, span.t1), every=_DAY))
        if found:
            return found
    return []


def _cut(image: Image, square: Square) -> Image:
    x, y, w, h = square
    return image[y : y + h, x : x + w]


def _small(crop: Image) -> npt.NDArray[np.uint8]:
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, (SMALL, SMALL), interpolation=cv2.INTER_AREA), np.uint8)


def _coloured(crops: Sequence[Image]) -> npt.NDArray[np.uint8]:
    small = [cv2.resize(c, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for c in crops]
    return np.asarray(np.stack(small) if small else np.zeros((0, SIDE, SIDE, 3)), np.uint8)
