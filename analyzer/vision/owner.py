"""Whose hand it is.

Boxes of neighbours overlap, so the box a hand lies in says little. A hand at rest on the table
lies before its owner: where, relative to the seat's place at the edge and to which side of it for
a right or a left hand, is a narrow distribution; the forearm points back at the owner. A fist on its
elbow stands in the air: in the picture it lies before somebody else, where its owner's fist on the elbow
would be seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mafiavar.analyzer.vision.bodies import on_elbow
from mafiavar.analyzer.vision.place import Place, Table
from mafiavar.analyzer.vision.rests import Rest

# Where hands rest (to the owner's right for a right hand, inwards), usual spacings, and how widely.
_SIDE, _SIDE_SPREAD = 0.11, 0.11
_DEEP_SPREAD = 0.09
_LEAST_DEEP = 0.4  # of the usual depth: hands in the lap show at the very edge, as some fists do
_TURN_SPREAD = 0.8  # radians: forearm against the line from the owner's chest to the hand
_BODY = -0.35  # where the chest is, inwards
_SIDE_TRUST = 0.85
"""How much the model's left/right is believed at most: fists seen from the front are confused."""
_NOBODY = -6.0
_ON_ELBOW, _ELBOW_SPREAD = -4.0, 0.35
"""A fist on the elbow: log of how rare it is beside one on the table, and how widely it stands, in hands."""


@dataclass(frozen=True, slots=True)
class Owner:
    seat: int
    probability: float
    right: float
    """Probability that it is this seat's right hand."""


def owner(rest: Rest, table: Table) -> Owner | None:
    """The likeliest seat of a resting hand, or None when no seat explains it."""
    return next(iter(owners(rest, table)), None)


def owners(rest: Rest, table: Table) -> tuple[Owner, ...]:
    """The seats whose hand it may be, likeliest first; none when no seat explains it."""
    fits = [_fit(rest, table, p) for p in table.places]
    raised = [_fit_elbow(rest, table, p) for p in table.places]
    some = []
    for k, (place, (score, right)) in enumerate(zip(table.places, fits, strict=True)):
        others = [score, _NOBODY, *(s for s, _ in fits[:k] + fits[k + 1 :]), *raised[:k], *raised[k + 1 :]]
        if score > _NOBODY:
            p = float(np.exp(score - np.logaddexp.reduce(others)))
            some.append(Owner(place.number, p, right))
    return tuple(sorted(some, key=lambda o: (-o.probability, -o.seat)))


def at_the_edge(rest: Rest, table: Table, place: Place) -> bool:
    """Does it show so near the edge that it may as well lie in this seat's lap?"""
    return table.offset(place, rest.base)[1] < _LEAST_DEEP * usual_depth(place)


def usual_depth(place: Place) -> float:
    """How far inside the edge a resting hand's lower part appears, usual spacings: less for those
    who face the camera (their hands stand before the edge), more for those who turn their backs."""
    return 0.14 - 0.07 * float(place.inward[1])


def _fit(rest: Rest, table: Table, place: Place) -> tuple[float, float]:
    """Log-likelihood that this seat's hand rests there, and the share of it that is a right hand."""
    u, v = table.offset(place, rest.base)
    says_right = float(np.clip(rest.right, 1 - _SIDE_TRUST, _SIDE_TRUST))
    if v < 0:
        return -np.inf, 0.5
    deep = -0.5 * ((v - usual_depth(place)) / _DEEP_SPREAD) ** 2
    sides = [
        np.log(q) - 0.5 * ((u - s * _SIDE) / _SIDE_SPREAD) ** 2
        for s, q in ((1.0, says_right), (-1.0, 1 - says_right))
    ]
    chest = table.to_pixels(place.edge + _BODY * place.inward * place.spacing / (2 * np.pi / 11))
    forearm = table.forward @ rest.direction
    line = table.to_disc(rest.wrist) - table.to_disc(chest)
    cosine = float(forearm @ line / max(np.hypot(*forearm) * np.hypot(*line), 1e-9))
    turn = float(np.arccos(np.clip(cosine, -1, 1)))
    both = float(np.logaddexp(*sides))
    right = float(np.exp(sides[0] - both))
    return deep + both - 0.5 * (turn / _TURN_SPREAD) ** 2, right


def _fit_elbow(rest: Rest, table: Table, place: Place) -> float:
    """Log-likelihood that it is this seat's fist, standing on the elbow."""
    away = min(float(np.hypot(*(rest.centre - on_elbow(table, place, sign)))) for sign in (-1.0, 1.0))
    return _ON_ELBOW - 0.5 * (away / (_ELBOW_SPREAD * place.hand)) ** 2
