"""Is this camera good enough, and what should be changed before the game.

Looks at a few pictures over the recording; says nothing about what happens in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.media.picture import Image, key_pictures
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.seats.seatmap import SeatMap
from mafiavar.analyzer.vision.bare import clear_places
from mafiavar.analyzer.vision.observe import View, picture_size, view_of

Advice = Literal[
    "no_picture",
    "closer",
    "higher",
    "more_light",
    "focus",
    "frame_rate",
    "seat_outside",
    "cuts",
    "black",
    "steady",
]

SAMPLES = 9
HAND_GOOD, HAND_LEAST = 30.0, 25.0  # pixels: below the first recall falls, below the second no answer
LIGHT_LEAST, LIGHT_GOOD = 25.0, 45.0  # mean grey of the table's surroundings
SHARP_LEAST = 8.0
RATE_LEAST = 14.0
CLEAR_GOOD = 0.6
_BLACK = 8.0
_JUMP = 0.01  # of the picture's width


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as this camera sees it. `hand`: expected hand length, pixels; `left`, `right`: share
    of the place where that hand rests that can be seen (median); `inside`: of the seat's box."""

    seat: int
    hand: float
    left: float
    right: float
    inside: float
    light: float
    sharp: float

    @property
    def judged(self) -> bool:
        """Can a vote of this seat be denied or only found?"""
        return min(self.left, self.right) >= CLEAR_GOOD and self.hand >= HAND_LEAST


@dataclass(frozen=True, slots=True)
class CameraReport:
    """`advice`: what to change, the most useful first; empty when all is well. `rate`: median
    frames a second; `variable`: whether it varies; `moved`: share of samples in which the table
    had moved since the first, `black`: share of black pictures."""

    size: tuple[int, int]
    rate: float
    variable: bool
    seats: tuple[SeatView, ...]
    light: float
    black: float
    moved: float
    advice: tuple[Advice, ...]

    def seats_unseen(self) -> tuple[int, ...]:
        return tuple(s.seat for s in self.seats if not s.judged)


def camera_report(recording: Recording, seats: SeatMap) -> CameraReport:
    """Figures of this camera for this seat map, from up to `SAMPLES` key frames.

    Raises:
        MediaError: the recording has no picture or cannot be read.
    """
    size = picture_size(recording)
    view = view_of(seats, size)
    step = max(recording.duration // (SAMPLES + 1), 1)
    images = [p.image for p in key_pictures(recording, every=step)][:SAMPLES]
    assert recording.video is not None
    black = float(np.mean([float(i.mean()) < _BLACK for i in images])) if images else 1.0
    lit = [i for i in images if float(i.mean()) >= _BLACK]
    views = tuple(_seat_views(lit, view, size)) if lit else ()
    light = float(np.median([s.light for s in views])) if views else 0.0
    moved = _moved(lit)
    rate = recording.video.fps
    return CameraReport(
        size=size,
        rate=round(rate, 2),
        variable=recording.video.variable_rate,
        seats=views,
        light=round(light, 1),
        black=round(black, 3),
        moved=round(moved, 3),
        advice=tuple(_advice(views, rate, light, black, moved)),
    )


def _seat_views(images: Sequence[Image], view: View, size: tuple[int, int]) -> list[SeatView]:
    clear = np.stack([clear_places(i, view.table, view.places) for i in images])
    out = []
    for k, place in enumerate(view.places):
        x, y, w, h = view.reach[k]
        greys = [cv2.cvtColor(i[y : y + h, x : x + w], cv2.COLOR_BGR2GRAY) for i in images]
        b = place.box
        shown = max(0.0, min(b.x + b.w, size[0]) - max(b.x, 0.0)) * max(
            0.0, min(b.y + b.h, size[1]) - max(b.y, 0.0)
        )
        # Half the pictures may be of a night or of hands on the table: a good picture counts.
        left, right = np.percentile(clear[:, k], 75, axis=0)
        out.append(
            SeatView(
                seat=place.number,
                hand=round(place.hand, 1),
                left=round(float(left), 2),
                right=round(float(right), 2),
                inside=round(shown / (b.w * b.h), 2),
                light=round(float(np.median([g.mean() for g in greys])), 1),
                sharp=round(float(np.median([cv2.Laplacian(g, cv2.CV_32F).var() for g in greys])), 1),
            )
        )
    return out


def _moved(images: Sequence[Image]) -> float:
    """Share of pictures that are shifted against the first by more than a hundredth of its width."""
    if len(images) < 2:
        return 0.0
    width = 480

    def small(image: Image) -> npt.NDArray[np.float32]:
        height = round(image.shape[0] * width / image.shape[1])
        grey = cv2.cvtColor(
            cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
        )
        return np.asarray(grey, np.float32)

    first = small(images[0])
    window = cv2.createHanningWindow((first.shape[1], first.shape[0]), cv2.CV_32F)
    away = 0
    for image in images[1:]:
        if image.shape != images[0].shape:
            away += 1
            continue
        (dx, dy), _ = cv2.phaseCorrelate(first, small(image), window)
        away += float(np.hypot(dx, dy)) > _JUMP * width
    return away / (len(images) - 1)


def _advice(views: Sequence[SeatView], rate: float, light: float, black: float, moved: float) -> list[Advice]:
    if not views:
        return ["black"]
    out: list[Advice] = []
    if black > 0.3:
        out.append("black")
    if any(v.inside < 0.8 for v in views):
        out.append("seat_outside")
    if float(np.median([v.hand for v in views])) < HAND_GOOD:
        out.append("closer")
    if sum(min(v.left, v.right) < CLEAR_GOOD for v in views) >= 2:
        out.append("higher")
    if light < LIGHT_GOOD:
        out.append("more_light")
    if float(np.median([v.sharp for v in views])) < SHARP_LEAST:
        out.append("focus")
    if rate < RATE_LEAST:
        out.append("frame_rate")
    if moved > 0.3:
        out.append("steady")
    return out
