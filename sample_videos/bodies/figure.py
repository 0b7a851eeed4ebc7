"""A shaped body with its skeleton: forward kinematics and dual-quaternion skinning.

Skinning after Kavan et al., "Geometric Skinning with Approximate Dual Quaternion Blending" (2008):
no candy-wrapper collapse at the wrists, which the fists need.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from mafiavar.sample_videos.bodies.physique import Physique, shaped
from mafiavar.sample_videos.bodies.template import template
from mafiavar.sample_videos.geometry import Array, quaternions, vec


@dataclass(slots=True)
class Pose:
    """local: (bones, 3, 3) rotation of every bone against its parent; root: where the hip is (metres)."""

    local: Array
    root: Array

    def copy(self) -> Pose:
        return Pose(self.local.copy(), self.root.copy())


@dataclass(frozen=True, slots=True)
class Placed:
    """World of the person: rotation (bones, 3, 3) and position (bones, 3) of every bone."""

    rotation: Array
    position: Array


class Skin:
    """Vertices bound to bones: what `Figure.skin` moves. rest (n, 3), weights sparse (n, bones)."""

    def __init__(self, rest: Array, weights: sp.csr_matrix) -> None:
        self.rest = rest
        self.weights = weights.tocsr()
        w = self.weights
        self._rows = np.repeat(np.arange(len(rest)), np.diff(w.indptr))
        # the bone with the largest weight of each vertex: last of its row when sorted by weight
        order = np.lexsort((w.data, self._rows))
        last = w.indptr[1:] - 1
        self._main = np.where(np.diff(w.indptr) > 0, w.indices[order[np.maximum(last, 0)]], 0)

    def signed(self, q: Array) -> sp.csr_matrix:
        """Weights with the sign that keeps each bone's quaternion in the half space of the main one."""
        w = self.weights
        flip = (q[self._main][self._rows] * q[w.indices]).sum(axis=1) < 0
        return sp.csr_matrix((np.where(flip, -w.data, w.data), w.indices, w.indptr), w.shape)


class Figure:
    """One person's body. `neutral()` gives the rest pose to start from."""

    def __init__(self, physique: Physique) -> None:
        t = self.template = template()
        self.vertices = shaped(physique)
        self.head = np.array([self._joint(t.rig[b]["head"]) for b in t.bones])
        self.tail = np.array([self._joint(t.rig[b]["tail"]) for b in t.bones])
        self._offset = np.array(
            [self.head[i] - (self.head[p] if p >= 0 else 0) for i, p in enumerate(t.parent)]
        )

    def _joint(self, spec: dict[str, Any]) -> Array:
        v, how = self.vertices, spec["strategy"]
        if how == "CUBE":
            first, last = self.template.cubes[spec["cube_name"]]
            return np.asarray(v[first : last + 1].mean(axis=0))
        if how == "MEAN":
            return np.asarray(v[spec["vertex_indices"]].mean(axis=0))
        return np.asarray(v[spec["vertex_index"]])

    def at(self, bone: str) -> Array:
        """Rest position of a bone's head."""
        return np.asarray(self.head[self.template.index[bone]])

    def end(self, bone: str) -> Array:
        """Rest position of a bone's tail."""
        return np.asarray(self.tail[self.template.index[bone]])

    @property
    def eyes(self) -> Array:
        """Rest position of the middle between the eyes."""
        return (self.at("eye.L") + self.at("eye.R")) / 2

    def neutral(self) -> Pose:
        n = len(self.template.bones)
        return Pose(np.tile(np.eye(3), (n, 1, 1)), self.at("root").copy())

    def place(self, pose: Pose) -> Placed:
        n = len(self.template.bones)
        r, p = np.empty((n, 3, 3)), np.empty((n, 3))
        for i, parent in enumerate(self.template.parent):
            if parent < 0:
                r[i], p[i] = pose.local[i], pose.root
            else:
                r[i] = r[parent] @ pose.local[i]
                p[i] = p[parent] + r[parent] @ self._offset[i]
        return Placed(r, p)

    def skin(self, skin: Skin, placed: Placed) -> Array:
        """(n, 3) posed positions of the bound vertices."""
        q = quaternions(placed.rotation)
        t = placed.position - np.einsum("nij,nj->ni", placed.rotation, self.head)
        w, xyz = q[:, :1], q[:, 1:]
        dual = 0.5 * np.concatenate([-(t * xyz).sum(axis=1, keepdims=True), t * w + np.cross(t, xyz)], axis=1)
        weights = skin.signed(q)
        real, dual = weights @ q, weights @ dual
        length = np.linalg.norm(real, axis=1, keepdims=True)
        real, dual = real / length, dual / length
        rw, ru, dw, du = real[:, :1], real[:, 1:], dual[:, :1], dual[:, 1:]
        v = skin.rest
        turned = v + 2 * np.cross(ru, np.cross(ru, v) + rw * v)
        return np.asarray(turned + 2 * (rw * du - dw * ru + np.cross(ru, du)))


def forward() -> Array:
    """The direction every person faces in their own space."""
    return vec(0, -1, 0)
