"""Hands held up beside the head: where they are looked for at night, and whose they are.

Each seat has two places where it would hold up a hand; where that part of the picture changes the hand model
looks, closer when something is found, and again while the hand stays up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.media.picture import Image, Picture, fitted, pictures
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.media.worker import crew
from mafiavar.analyzer.seats.seatmap import SeatMap
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.vision.bodies import Square, held_box, held_boxes, held_up
from mafiavar.analyzer.vision.observe import picture_size
from mafiavar.analyzer.vision.place import Table, lay_table
from mafiavar.models.hands import Hand, HandLandmarker, HandModel
from mafiavar.models.hands.landmarker import MODEL
from mafiavar.models.heads.sign import SignHead

Floats = npt.NDArray[np.float64]

EVERY: Micros = 160_000
CHUNK: Micros = 12 * SECOND

_SIDE = 32
_BLOCK = 8
_MOVED = 9.0  # grey levels, block mean: a sleeve that sways makes less, a hand before a wall more
_AFTER_CHANGE = 2  # further looks after the last change
_AGAIN: Micros = 640_000  # a hand that stays up is looked at again after so long
_NEAR = 0.17  # of the box's height: how far from its place a hand may be held up
_SAME = 0.5  # of a hand's size: two sightings of one frame closer than this are one hand


@dataclass(frozen=True, slots=True, eq=False)
class HeldHand:
    """A hand near where a seat holds hands up, in one frame. `side`: -1 left, +1 right."""

    t: Micros
    pts: int
    seat: int
    side: int
    size: float
    points: npt.NDArray[np.float32]
    numbers: Floats
    """P(0), ..., P(5), P(no number)."""


@dataclass(frozen=True, slots=True, eq=False)
class SignLook:
    """One stretch: the hands seen, and each seat's light (median grey) for "too dark"."""

    hands: tuple[HeldHand, ...]
    light: Floats


def observe_held(
    recording: Recording, seats: SeatMap, window: Span, workers: int, model: HandModel | None
) -> SignLook:
    spans = [Span(t, min(t + CHUNK - 1, window.t1)) for t in range(window.t0, window.t1 + 1, CHUNK)]
    if model is not None:
        parts = [look_at(recording, seats, s, model) for s in spans]
    else:
        from mafiavar.models.registry import locate

        path = locate(MODEL)
        with crew(min(workers, len(spans)), _begin, (path,)) as pool:
            parts = list(pool.map(_look, [recording] * len(spans), [seats] * len(spans), spans))
    return SignLook(
        tuple(h for p in parts for h in p.hands),
        np.median(np.stack([p.light for p in parts]), axis=0) if parts else np.zeros(len(seats.seats)),
    )


_worker: HandModel | None = None


def _begin(path: Path) -> None:
    """First thing in a worker: one model for all its stretches."""
    global _worker  # noqa: PLW0603 - a worker process has one job
    import atexit

    from mafiavar.models.quiet import mute_stderr

    mute_stderr()
    model = HandLandmarker(path)
    atexit.register(model.close)
    _worker = model


def _look(recording: Recording, seats: SeatMap, window: Span) -> SignLook:
    assert _worker is not None
    return look_at(recording, seats, window, _worker)


def look_at(recording: Recording, seats: SeatMap, window: Span, model: HandModel) -> SignLook:
    """Hands held up in one stretch; the model looks where the picture changed."""
    size = picture_size(recording)
    table = lay_table(seats)
    head = SignHead()
    squares = [held_box(table, p, size) for p in table.places]
    n = len(squares)
    base: list[npt.NDArray[np.float32] | None] = [None] * n
    due = [0] * n
    looked, up = [window.t0] * n, [False] * n
    found: list[HeldHand] = []
    light: list[list[float]] = []
    for picture in pictures(recording, window, every=EVERY):
        image = fitted(picture.image, size)
        light.append([])
        for k, (x, y, w, h) in enumerate(squares):
            crop = image[y : y + h, x : x + w]
            grey = cv2.resize(
                cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (_SIDE, _SIDE), interpolation=cv2.INTER_AREA
            )
            light[-1].append(float(np.median(grey)))
            now = grey.astype(np.float32)
            if _moved(now, base[k]):
                due[k] = _AFTER_CHANGE + 1
                base[k] = now
            if due[k] == 0 and up[k] and picture.t - looked[k] >= _AGAIN:
                due[k] = 1
            if due[k] == 0:
                continue
            due[k] -= 1
            closer = held_boxes(table, table.places[k], size)
            held = _hands_in(image, (x, y, w, h), picture, table, model, head)
            # A hand from behind, or a small one, is found in a closer look only: tried once a change.
            if held or due[k] == 1:
                for square in closer:
                    held += _hands_in(image, square, picture, table, model, head)
            looked[k], up[k] = picture.t, any(float(s.numbers[-1]) < 0.5 for s in held)
            found += held
    return SignLook(
        tuple(_one_per_hand(found)),
        np.median(np.array(light), axis=0) if light else np.zeros(n),
    )


def _hands_in(
    image: Image, square: Square, picture: Picture, table: Table, model: HandModel, head: SignHead
) -> list[HeldHand]:
    x, y, w, h = square
    seen = model.find(np.ascontiguousarray(image[y : y + h, x : x + w, ::-1]))
    numbers = head.read([s.world for s in seen], table.tilt)
    owned = (_owned(s, p, (x, y), table, picture) for s, p in zip(seen, numbers, strict=True))
    return [s for s in owned if s is not None]


def _moved(now: npt.NDArray[np.float32], before: npt.NDArray[np.float32] | None) -> bool:
    if before is None:
        return True
    m = _SIDE // _BLOCK
    blocks = (now - before).reshape(m, _BLOCK, m, _BLOCK).mean(axis=(1, 3))
    return bool(np.abs(blocks - np.median(blocks)).max() > _MOVED)


def _owned(
    hand: Hand, numbers: Floats, corner: tuple[int, int], table: Table, picture: Picture
) -> HeldHand | None:
    """The hand with its seat, or None if nobody would hold a hand up there."""
    points = hand.points + np.array(corner, np.float32)
    centre = points.mean(axis=0)
    places = [
        (float(np.hypot(*(centre - held_up(table, p, float(side))))) / p.box.h, p.number, side)
        for p in table.places
        for side in (-1, 1)
    ]
    away, seat, side = min(places)
    if away > _NEAR:
        return None
    size = float(np.ptp(points, axis=0).max())
    return HeldHand(picture.t, picture.pts, seat, side, size, points, numbers)


def _one_per_hand(hands: Sequence[HeldHand]) -> list[HeldHand]:
    """Crops overlap: of one hand in one frame the looks are joined, the surest of them stays."""
    kept: list[HeldHand] = []
    for h in sorted(hands, key=lambda h: (h.t, float(h.numbers[-1]), h.seat, h.side)):
        twin = any(
            k.t == h.t
            and float(np.hypot(*(k.points.mean(axis=0) - h.points.mean(axis=0))))
            < _SAME * max(k.size, h.size)
            for k in kept[-24:]
        )
        if not twin:
            kept.append(h)
    return kept
