"""A body's shape from a few numbers: a weighted sum of the base data's shape targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from mafiavar.sample_videos.bodies import source
from mafiavar.sample_videos.bodies.template import template
from mafiavar.sample_videos.geometry import Array


@dataclass(frozen=True, slots=True)
class Physique:
    """All 0..1. gender 0 female, 1 male; age 0.5 is 25 years, 1 is old; ancestry shares sum to anything > 0.

    details: further targets by name (`head/head-oval`) and their weight.
    """

    gender: float = 0.5
    age: float = 0.6
    muscle: float = 0.5
    weight: float = 0.5
    height: float = 0.5
    african: float = 0.0
    asian: float = 0.0
    caucasian: float = 1.0
    details: tuple[tuple[str, float], ...] = field(default=())


def _mix(x: float, *names: str) -> dict[str, float]:
    """Shares of names laid evenly over 0..1; only those above zero."""
    at = np.linspace(0, 1, len(names))
    shares = {n: float(np.interp(x, at, np.eye(len(names))[i])) for i, n in enumerate(names)}
    return {n: s for n, s in shares.items() if s > 1e-4}


def _recipe(p: Physique) -> Iterator[tuple[str, float]]:
    """Targets and weights that make up the physique (names as in the data's macro targets)."""
    total = p.african + p.asian + p.caucasian
    ancestry = {"african": p.african / total, "asian": p.asian / total, "caucasian": p.caucasian / total}
    heights = _mix(p.height, "minheight", "", "maxheight")
    for g, wg in _mix(p.gender, "female", "male").items():
        for a, wa in _mix(p.age, "child", "young", "old").items():
            for r, wr in ancestry.items():
                yield f"macrodetails/{r}-{g}-{a}", wg * wa * wr
            for m, wm in _mix(p.muscle, "minmuscle", "averagemuscle", "maxmuscle").items():
                for k, wk in _mix(p.weight, "minweight", "averageweight", "maxweight").items():
                    share = wg * wa * wm * wk
                    yield f"macrodetails/universal-{g}-{a}-{m}-{k}", share
                    for h, wh in heights.items():
                        if h:
                            yield f"macrodetails/height/{g}-{a}-{m}-{k}-{h}", share * wh
                    yield f"macrodetails/proportions/{g}-{a}-{m}-{k}-idealproportions", share * 0.25
                    yield f"breast/{g}-{a}-{m}-{k}-averagecup-averagefirmness", share
    yield from p.details


def shaped(p: Physique) -> Array:
    """(n, 3) vertices of the base mesh with the physique applied, soles at z = 0."""
    v = template().vertices.copy()
    for name, weight in _recipe(p):
        if abs(weight) < 1e-4:
            continue
        found = source.target(name)
        if found is not None:
            v[found[0]] += weight * found[1]
    body = template().vertices_of("body")
    v[:, 2] -= v[body, 2].min()
    return v
