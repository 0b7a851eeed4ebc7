"""Observations of the table in half-second tiles: what the models saw, before any meaning.

A tile depends on the recording, the seat map and the clock only, never on the question that made
it necessary: a window that moves a little finds its tiles in the cache.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.vision.exposure import brightened, gain_of

TILE: Micros = SECOND // 2
THUMB = 48
"""Side of the grey picture that is kept of each seat's reach in each frame, pixels."""

ABOVE = 2
"""`Sighting.scale` of a hand over the table's edge, where the fist of a vote on the elbow stands."""

OBSERVE_VERSION = 6
"""Part of the cache key: raised whenever a tile of the same pixels would come out differently."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A hand in one frame, in pixels of the recording. `crop`: the seat in whose reach it was
    looked for, not yet the seat it belongs to; `scale`: 0 the whole reach, 1 a closer look, 2 (`ABOVE`)
    over the edge of the table."""

    t: Micros
    pts: int
    crop: int
    scale: int
    points: npt.NDArray[np.float32]
    world: npt.NDArray[np.float32]
    right: float
    score: float

    @property
    def centre(self) -> tuple[float, float]:
        x, y = self.points.mean(axis=0)
        return float(x), float(y)

    @property
    def size(self) -> float:
        """Longer side of the landmarks' box, pixels."""
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        return float(max(high - low))


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """Half a second of the table.

    `times`, `pts`: of its frames. `thumbs`, `above`: frames x seats x THUMB x THUMB, grey: each seat's reach,
    and where its fist would stand over the edge in a vote on the elbow. `clear`: seats
    x 2, the part of the places where the (left, right) hand would rest that shows bare table in
    the first frame. `light`, `sharp`: per seat, mean grey 0..255 and variance of the Laplacian.
    """

    index: int
    times: npt.NDArray[np.int64]
    pts: npt.NDArray[np.int64]
    thumbs: npt.NDArray[np.uint8]
    above: npt.NDArray[np.uint8]
    clear: npt.NDArray[np.float32]
    light: npt.NDArray[np.float32]
    sharp: npt.NDArray[np.float32]
    sightings: tuple[Sighting, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Observations:
    """Tiles of one stretch, joined. Seats in the order of `numbers`. `sightings` are those in the seats'
    reaches, `raised` those over the edge of the table, where `above` shows the seats."""

    numbers: tuple[int, ...]
    times: npt.NDArray[np.int64]
    pts: npt.NDArray[np.int64]
    thumbs: npt.NDArray[np.uint8]
    tile_times: npt.NDArray[np.int64]
    clear: npt.NDArray[np.float32]
    light: npt.NDArray[np.float32]
    sharp: npt.NDArray[np.float32]
    sightings: tuple[Sighting, ...]
    above: npt.NDArray[np.uint8]
    raised: tuple[Sighting, ...]

    def column(self, seat: int) -> int:
        return self.numbers.index(seat)


def tiles_of(window: Span) -> range:
    """Numbers of the tiles that cover a window (tile k is [k, k+1) half seconds)."""
    return range(window.t0 // TILE, window.t1 // TILE + 1)


def tile_span(index: int) -> Span:
    return Span(index * TILE, (index + 1) * TILE - 1)


def join(numbers: tuple[int, ...], tiles: list[Tile]) -> Observations:
    """Put tiles in order of time end to end, all of them brightened alike where the hall is dim."""
    tiles = sorted((t for t in tiles if len(t.times)), key=lambda t: t.index)
    n = len(numbers)

    def stack(parts: list[npt.NDArray[np.float32]], shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
        return np.stack(parts) if parts else np.zeros((0, *shape), np.float32)

    def film(parts: list[npt.NDArray[np.uint8]]) -> npt.NDArray[np.uint8]:
        return np.concatenate(parts) if parts else np.zeros((0, n, THUMB, THUMB), np.uint8)

    gain = gain_of(np.concatenate([t.thumbs[0] for t in tiles])) if tiles else 1.0
    return Observations(
        numbers=numbers,
        times=np.concatenate([t.times for t in tiles]) if tiles else np.zeros(0, np.int64),
        pts=np.concatenate([t.pts for t in tiles]) if tiles else np.zeros(0, np.int64),
        thumbs=brightened(film([t.thumbs for t in tiles]), gain),
        tile_times=np.array([t.times[0] for t in tiles], np.int64),
        clear=stack([t.clear for t in tiles], (n, 2)),
        light=stack([t.light for t in tiles], (n,)),
        sharp=stack([t.sharp for t in tiles], (n,)),
        sightings=tuple(s for t in tiles for s in t.sightings if s.scale != ABOVE),
        above=brightened(film([t.above for t in tiles]), gain),
        raised=tuple(s for t in tiles for s in t.sightings if s.scale == ABOVE),
    )
