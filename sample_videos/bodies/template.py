"""The base mesh before shaping: vertices, faces by group, skeleton, weights."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from mafiavar.sample_videos.bodies import source
from mafiavar.sample_videos.geometry import Array

SIDES = ("R", "L")
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Template:
    """vertices (n, 3) in metres; faces: by group, (m, 4) vertex indices (a triangle repeats its last).

    bones are ordered parents first; parent: index or -1; weights: sparse (n, bones), rows sum to one.
    """

    vertices: Array
    faces: dict[str, Ints]
    uv: Array
    bones: tuple[str, ...]
    index: dict[str, int]
    parent: tuple[int, ...]
    rig: dict[str, dict[str, Any]]
    cubes: dict[str, tuple[int, int]]
    weights: sp.csr_matrix

    def weight_of(self, *prefixes: str, side: str | None = None) -> Array:
        """(n,) share of each vertex that hangs on bones with these name beginnings."""
        cols = [
            i
            for b, i in self.index.items()
            if b.startswith(prefixes) and (side is None or b.endswith("." + side))
        ]
        return np.asarray(self.weights[:, cols].sum(axis=1)).ravel()

    def below(self, bone: str) -> tuple[int, ...]:
        """Indices of `bone` and everything that hangs on it."""
        found = {self.index[bone]}
        for i, p in enumerate(self.parent):
            if p in found:
                found.add(i)
        return tuple(sorted(found))

    def faces_of(self, *groups: str) -> Ints:
        return np.concatenate([self.faces[g] for g in groups])

    def vertices_of(self, *groups: str) -> Ints:
        """The vertices that these groups use, in order."""
        return np.unique(self.faces_of(*groups))


def _obj() -> tuple[Array, Array, dict[str, Ints]]:
    vertices: list[list[float]] = []
    uvs: list[list[float]] = []
    faces: dict[str, list[list[int]]] = {}
    corner: dict[int, int] = {}
    current = ""
    for line in source.read("3dobjs/base.obj").decode("utf-8").splitlines():
        head, *rest = line.split() or [""]
        if head == "v":
            vertices.append([float(x) for x in rest[:3]])
        elif head == "vt":
            uvs.append([float(x) for x in rest[:2]])
        elif head == "g":
            current = rest[0]
        elif head == "f":
            corners = [c.split("/") for c in rest]
            corner.update((int(c[0]) - 1, int(c[1]) - 1) for c in corners)
            face = [int(c[0]) - 1 for c in corners]
            faces.setdefault(current, []).append((face + face[-1:])[:4])
    uv = np.zeros((len(vertices), 2))
    for v, t in corner.items():
        uv[v] = uvs[t]
    return source.to_metres(np.array(vertices)), uv, {g: np.array(f) for g, f in faces.items()}


@cache
def template() -> Template:
    """The one base mesh; parsed once per process."""
    vertices, uv, faces = _obj()
    rig = json.loads(source.read("rigs/standard/rig.default.json"))
    order: list[str] = []
    while len(order) < len(rig):
        order += [b for b in rig if b not in order and (not rig[b]["parent"] or rig[b]["parent"] in order)]
    index = {b: i for i, b in enumerate(order)}
    cubes = json.loads(source.read("mesh_metadata/basemesh_vertex_groups.json"))
    rows, cols, data = [], [], []
    for bone, pairs in json.loads(source.read("rigs/standard/weights.default.json"))["weights"].items():
        for vertex, weight in pairs:
            rows.append(vertex)
            cols.append(index[bone])
            data.append(weight)
    weights = sp.csr_matrix((data, (rows, cols)), (len(vertices), len(order)))
    total = np.asarray(weights.sum(axis=1)).ravel()
    weights = sp.diags(1 / np.where(total > 0, total, 1)) @ weights
    return Template(
        vertices,
        faces,
        uv,
        tuple(order),
        index,
        tuple(index.get(rig[b]["parent"], -1) for b in order),
        rig,
        {k: (v[0][0], v[0][1]) for k, v in cubes.items() if v},
        weights.tocsr(),
    )


@cache
def painted(name: str) -> NDArray[np.float64]:
    """(n,) value 0..1 of the mask image `textures/mpfb_<name>.jpg` at every vertex."""
    raw = np.frombuffer(source.read(f"textures/mpfb_{name}.jpg"), dtype=np.uint8)
    image = cv2.GaussianBlur(cv2.imdecode(raw, cv2.IMREAD_GRAYSCALE), (0, 0), 3)
    h, w = image.shape
    uv = template().uv
    x = np.clip((uv[:, 0] * w).astype(int), 0, w - 1)
    y = np.clip(((1 - uv[:, 1]) * h).astype(int), 0, h - 1)
    return np.asarray(image[y, x] / 255.0, dtype=np.float64)
