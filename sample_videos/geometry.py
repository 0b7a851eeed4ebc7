"""Small linear algebra of the studio. Metres; x = a person's left, -y = forward, z = up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def vec(*xyz: float) -> Array:
    return np.array(xyz, dtype=np.float64)


def unit(v: Array) -> Array:
    """`v` at length one; the zero vector stays zero."""
    return np.asarray(v / (np.linalg.norm(v) + 1e-12))


def rotation(axis: Array, degrees: float) -> Array:
    """(3, 3) rotation about `axis` through the origin, right-handed (Rodrigues)."""
    x, y, z = unit(np.asarray(axis, dtype=np.float64)).tolist()
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    a = np.radians(degrees)
    return np.asarray(np.eye(3) + np.sin(a) * k + (1 - np.cos(a)) * (k @ k))


def basis(along: Array, towards: Array) -> Array:
    """(3, 3) orthonormal frame: first column `along`, second as near to `towards` as can be."""
    a = unit(along)
    b = unit(towards - a * (towards @ a))
    return np.stack([a, b, np.cross(a, b)], axis=1)


def quaternions(r: Array) -> Array:
    """(n, 3, 3) rotations -> (n, 4) unit quaternions, w first."""
    t = np.stack([r[:, 0, 0], r[:, 1, 1], r[:, 2, 2]], axis=1)
    trace = t.sum(axis=1)
    # |w|, |x|, |y|, |z| by the diagonal, signs by the off-diagonal differences
    mags = np.sqrt(
        np.maximum(0.0, np.stack([1 + trace, *(1 + 2 * t[:, k] - trace for k in range(3))], axis=1))
    )
    signs = np.stack([r[:, 2, 1] - r[:, 1, 2], r[:, 0, 2] - r[:, 2, 0], r[:, 1, 0] - r[:, 0, 1]], axis=1)
    q = mags / 2
    q[:, 1:] = np.copysign(q[:, 1:], signs)
    return np.asarray(q / np.linalg.norm(q, axis=1, keepdims=True))


def rotations(q: Array) -> Array:
    """(n, 4) unit quaternions -> (n, 3, 3) rotations."""
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def blend(a: Array, b: Array, share: float) -> Array:
    """Normalised linear blend of (n, 4) quaternions along the shorter way."""
    sign = np.where((a * b).sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
    q = a * (1 - share) + b * sign * share
    return np.asarray(q / np.linalg.norm(q, axis=1, keepdims=True))


def twist(r: Array, axis: Array) -> float:
    """Degrees by which rotation `r` turns about `axis` (swing-twist decomposition), in -180..180."""
    q = quaternions(r[None])[0]
    a = np.degrees(2 * np.arctan2(float(q[1:] @ unit(axis)), float(q[0])))
    return float((a + 180) % 360 - 180)


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera: where it stands, what it looks at, focal length in mm for a 36 mm sensor."""

    position: tuple[float, float, float]
    target: tuple[float, float, float]
    lens: float
    width: int = 1920
    height: int = 1080
    roll: float = 0.0

    def axes(self) -> tuple[Array, Array, Array]:
        """(right, up, forward) unit vectors of the camera in the world."""
        forward = unit(np.subtract(self.target, self.position))
        right = unit(np.cross(forward, vec(0, 0, 1)))
        up = np.cross(right, forward)
        if self.roll:
            turn = rotation(forward, self.roll)
            right, up = turn @ right, turn @ up
        return right, up, forward

    def project(self, points: Array) -> Array:
        """World points (n, 3) -> pixels (n, 2), y downwards."""
        right, up, forward = self.axes()
        q = np.atleast_2d(points) - np.array(self.position)
        scale = self.width * self.lens / 36 / (q @ forward)
        return np.stack([self.width / 2 + scale * (q @ right), self.height / 2 - scale * (q @ up)], axis=1)

    def matrix(self, near: float = 0.3, far: float = 15.0) -> Array:
        """(4, 4) view-projection matrix for column vectors."""
        right, up, forward = self.axes()
        view = np.eye(4)
        view[0, :3], view[1, :3], view[2, :3] = right, up, -forward
        view[:3, 3] = -view[:3, :3] @ np.array(self.position)
        fx = 2 * self.lens / 36
        lens = np.zeros((4, 4))
        lens[0, 0], lens[1, 1] = fx, fx * self.width / self.height
        lens[2, 2], lens[2, 3] = -(far + near) / (far - near), -2 * far * near / (far - near)
        lens[3, 2] = -1
        return lens @ view
