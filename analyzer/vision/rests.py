"""Hands at rest: sightings become tracks, tracks become stretches without movement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.span import Micros
from mafiavar.analyzer.vision.place import Table
from mafiavar.analyzer.vision.tiles import Sighting
from mafiavar.models.hands.base import KNUCKLES, WRIST

_SAME = 0.5  # of a hand's size: two sightings of one frame closer than this are one hand
_LINK = 0.45  # of a hand's size: how far a resting hand may seem to jump between two looks
_GAP: Micros = 1_600_000
_FOREARM = 1.5  # of a hand's size


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """A hand that stays where it is. `base`: the pixel where it touches what it lies on."""

    t0: Micros
    t1: Micros
    sightings: tuple[Sighting, ...]
    centre: npt.NDArray[np.float64]
    base: npt.NDArray[np.float64]
    size: float
    right: float
    wrist: npt.NDArray[np.float64]
    direction: npt.NDArray[np.float64]
    """Unit vector in the picture from the wrist to the middle of the knuckles."""


def rests(sightings: Sequence[Sighting]) -> list[Rest]:
    """All stretches in which a hand stayed within a fraction of its size from look to look; of a hand
    that rests briefly there may be one look only."""
    tracks: list[list[Sighting]] = []
    for s in _one_per_hand(sightings):
        best, least = None, _LINK
        for track in tracks:
            last = track[-1]
            if s.t - last.t > _GAP or s.t == last.t:
                continue
            d = hands_apart(s, last)
            if d < least:
                best, least = track, d
        if best is None:
            tracks.append([s])
        else:
            best.append(s)
    return [rest_of(t) for t in tracks]


def base_of(s: Sighting) -> npt.NDArray[np.float64]:
    """The pixel under the hand: the middle of its box, most of the way down."""
    low, high = s.points.min(axis=0), s.points.max(axis=0)
    return np.array([(low[0] + high[0]) / 2, low[1] + 0.75 * (high[1] - low[1])], float)


def elbow_of(rest: Rest) -> npt.NDArray[np.float64]:
    """The pixel where the elbow is, if the forearm goes on as the hand points."""
    return np.asarray(rest.wrist - _FOREARM * rest.size * rest.direction, float)


def on_table(rest: Rest, table: Table, least: float = 0.0) -> bool:
    return table.depth(rest.base) > least


def rest_of(track: Sequence[Sighting]) -> Rest:
    """What some looks at one resting hand have in common."""
    points = np.stack([s.points for s in track]).astype(float)
    wrist = np.median(points[:, WRIST], axis=0)
    knuckles = np.median(points[:, list(KNUCKLES)].mean(axis=1), axis=0)
    d = knuckles - wrist
    return Rest(
        t0=track[0].t,
        t1=track[-1].t,
        sightings=tuple(track),
        centre=np.median(points.mean(axis=1), axis=0),
        base=np.median(np.stack([base_of(s) for s in track]), axis=0),
        size=float(np.median([s.size for s in track])),
        right=float(np.mean([s.right for s in track])),
        wrist=wrist,
        direction=d / max(float(np.hypot(*d)), 1e-6),
    )


def hands_apart(a: Sighting, b: Sighting) -> float:
    """Distance of two hands in sizes of the larger."""
    (ax, ay), (bx, by) = a.centre, b.centre
    return float(np.hypot(ax - bx, ay - by)) / max(a.size, b.size, 1.0)


def _one_per_hand(sightings: Sequence[Sighting]) -> list[Sighting]:
    """One sighting per hand and frame: crops overlap. The closest look, then the surest, stays."""
    ordered = sorted(sightings, key=lambda s: (s.t, -s.scale, -s.score, s.crop, s.centre))
    kept: list[Sighting] = []
    frame: list[Sighting] = []
    for s in ordered:
        if frame and frame[0].t != s.t:
            frame = []
        if all(hands_apart(s, other) > _SAME for other in frame):
            frame.append(s)
            kept.append(s)
    return kept
