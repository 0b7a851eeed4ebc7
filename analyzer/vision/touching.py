"""Who reaches over and touches a neighbour, an arm across the gap between two seats that is not there usually, and who
only leans over.

A small net sees the heads and shoulders of two neighbours now and as they usually look. It is asked only where
the picture changed, of neighbours who sit side by side in the picture (one behind the other nothing can be told),
and believed when it is sure for half a second. It misses most touches; nothing is said of them, nor that nobody
touched anybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.span import Micros
from mafiavar.analyzer.vision.bodies import Beside, beside, pairs_of
from mafiavar.analyzer.vision.otherwise import CHANGED
from mafiavar.analyzer.vision.place import Table
from mafiavar.analyzer.vision.sitting import net_of
from mafiavar.models.heads.changed import reach_input

Floats = npt.NDArray[np.float64]
Crops = npt.NDArray[np.uint8]

SURE, SURE_BY_DAY = 0.9, 0.95
"""Of such stills of casts no net has seen (models/heads/card.md: four for validation, three for proof) by night 52 of
56 show a touch, by day 36 of 39, though one in nine shows somebody who only leans over; the others nearly all do that."""
LEANS = 0.7
"""From which sum of both P somebody leans over, touching or not: 148 of 154 such stills do."""
LEAST: Micros = 500_000
_ASIDE = 0.6
"""Of the way between two neighbours: less of it to the side, and one hides the other."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Who may touch whom: `pair` is the column of `Look.pairs`, `mirrored`: the one who reaches sits on the right."""

    seat: int
    pair: int
    mirrored: bool


def reaches(table: Table, size: tuple[int, int]) -> tuple[Reach, ...]:
    """Every seat and neighbour that can be judged, by pair."""
    out = []
    for k, pair in enumerate(pairs_of(table)):
        where = beside(table, pair, size)
        if abs(where.along[0]) >= _ASIDE:
            out += [Reach(seat, k, mirrored) for seat, mirrored in _sides(where)]
    return tuple(out)


def _sides(where: Beside) -> Iterator[tuple[int, bool]]:
    leftmost = where.along[0] > 0
    yield where.first, not leftmost
    yield where.second, leftmost


def reaching(pairs: Crops, usual: Crops, who: Sequence[Reach]) -> Floats:
    """Samples x `who` x 2: P that the seat touches its neighbour, and that it only leans over to it; 0 where the
    picture is as usual.

    Args:
        pairs: samples x neighbours x SIDE x SIDE x 3, BGR.
        usual: neighbours x SIDE x SIDE x 3.
    """
    out = np.zeros((len(pairs), len(who), 2))
    if not len(pairs):
        return out
    away = np.abs(pairs.astype(np.float32) - usual.astype(np.float32)).mean(axis=(2, 3, 4))
    for j, reach in enumerate(who):
        asked = np.flatnonzero(away[:, reach.pair] >= CHANGED)
        if not len(asked):
            continue
        before = _turned(usual[reach.pair], reach.mirrored)
        x = [reach_input(_turned(pairs[i, reach.pair], reach.mirrored), before) for i in asked]
        out[asked, j] = net_of("reach").probabilities(np.stack(x))[:, 1:]
    return out


def _turned(crop: Crops, mirrored: bool) -> Crops:
    return crop[:, ::-1] if mirrored else crop
