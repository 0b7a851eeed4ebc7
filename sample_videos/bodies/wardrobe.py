"""What a body wears: skin, shirt, trousers, hair, eyes, brows, cap, glasses and the night's mask.

Everything is cut from the base mesh and its helper geometry or built on it; colours and patterns are
procedural (picture/shaders.py). One vertex buffer holds all parts of a person.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from mafiavar.sample_videos.bodies.figure import Figure, Skin
from mafiavar.sample_videos.bodies.template import Ints, Template, painted
from mafiavar.sample_videos.geometry import Array, rotation, vec

Faces = Ints  # (m, 4) vertex indices

SKIN, CLOTH, HAIR, EYE, PLAIN, FELT = range(6)
SLEEVES = {"long": 1.93, "half": 1.25, "short": 0.55}  # along the arm: 1 = elbow, 2 = wrist
MASK_FORMS = {"plain": (0.036, 0.011), "wide": (0.044, 0.016), "narrow": (0.030, 0.008)}
MASK_TURN = -37.0  # degrees by which a mask is pushed up on the forehead


@dataclass(frozen=True, slots=True)
class Look:
    """Colours as #rrggbb. pattern: plain, stripes, check; hair_style: crop, short, long, bald."""

    skin: str = "#e0ac8e"
    hair: str = "#2a1c14"
    iris: str = "#4a3524"
    shirt: str = "#3b4f77"
    shirt2: str = "#d8d5cf"
    pattern: str = "plain"
    sleeves: str = "long"
    trousers: str = "#22252c"
    hair_style: str = "short"
    beard: float = 0.0
    glasses: bool = False
    cap: str = ""
    mask: str = "#0b0b0d"
    mask_form: str = "plain"


@dataclass(frozen=True, slots=True)
class Part:
    """Triangles first..first+count of the outfit in one material."""

    name: str
    material: int
    colour: str
    colour2: str
    pattern: int
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Outfit:
    """skin: all vertices bound to bones; triangles (m, 3); attributes (n, 4) for the shaders.

    attributes: hair paint, lip (2 = inside of the mouth), flush, (skin: 1 right hand, 2 left; eye: angle).
    mask_rest: two sets of vertices, on the eyes and on the forehead, rigid with the head bone.
    """

    skin: Skin
    triangles: Ints
    attributes: Array
    parts: tuple[Part, ...]
    head: Ints
    mask_on: Array
    mask_up: Array
    mask_triangles: Ints


class _Cloth:
    """Collects parts into one buffer."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.rest: list[Array] = []
        self.weights: list[sp.csr_matrix] = []
        self.attributes: list[Array] = []
        self.triangles: list[Ints] = []
        self.parts: list[Part] = []
        self.head: list[Array] = []
        self._vertices = self._count = 0

    def add(
        self,
        name: str,
        faces: Faces,
        material: int,
        colour: str,
        *,
        colour2: str = "",
        pattern: int = 0,
        offset: Array | float = 0.0,
        attributes: Array | None = None,
        shift: Array | None = None,
    ) -> None:
        """Cut the faces out of the base mesh, moved outwards by `offset` metres along the normals."""
        if not len(faces):
            return
        t = self.figure.template
        used = np.unique(faces)
        place = np.zeros(len(t.vertices), dtype=np.int64)
        place[used] = np.arange(len(used))
        tri = fan(place[faces])
        rest = self.figure.vertices[used]
        off = np.broadcast_to(np.asarray(offset, dtype=np.float64), (len(t.vertices),))[used]
        rest = rest + normals(rest, tri) * off[:, None] + (0 if shift is None else shift)
        a = np.zeros((len(used), 4)) if attributes is None else attributes[used]
        self.insert(name, rest, t.weights[used], tri, a, material, colour, colour2 or colour, pattern)

    def insert(
        self, name: str, rest: Array, weights: sp.csr_matrix, tri: Ints, attributes: Array,
        material: int, colour: str, colour2: str, pattern: int = 0,
    ) -> None:  # fmt: skip
        self.parts.append(Part(name, material, colour, colour2, pattern, self._count, len(tri)))
        self.rest.append(rest)
        self.weights.append(weights)
        self.attributes.append(attributes)
        self.triangles.append(tri + self._vertices)
        self._vertices += len(rest)
        self._count += len(tri)


def within(faces: Faces, keep: NDArray[np.bool_]) -> Faces:
    """The faces all of whose vertices are kept."""
    return np.asarray(faces[keep[faces].all(axis=1)])


def fan(faces: Faces) -> Ints:
    """Quads (m, 4) -> triangles; those of no area are left out."""
    both = np.stack([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]], axis=1).reshape(-1, 3)
    return np.asarray(both[both[:, 1] != both[:, 2]])


def normals(v: Array, tri: Ints) -> Array:
    """(n, 3) vertex normals, weighted by the area of the adjoining triangles."""
    a, b, c = v[tri[:, 0]], v[tri[:, 1]], v[tri[:, 2]]
    face = np.cross(b - a, c - a)
    out = np.zeros_like(v)
    for k in range(3):
        for d in range(3):
            out[:, d] += np.bincount(tri[:, k], face[:, d], len(v))
    return np.asarray(out / (np.linalg.norm(out, axis=1, keepdims=True) + 1e-12))


@dataclass(frozen=True, slots=True)
class _Regions:
    """Per-vertex measures of a figure that all cuts use."""

    hand: Array
    limb: Array
    head: Array
    neck: Array
    legs: Array
    feet: Array
    along: Array  # along the arm: 0 shoulder, 1 elbow, 2 wrist
    collar: float
    waist: float
    radius: Array  # distance from the neck's axis
    ear: NDArray[np.bool_]
    hairline: Array


def _along_arm(f: Figure) -> Array:
    v = f.vertices
    out = np.zeros(len(v))
    for side, sign in (("L", 1), ("R", -1)):
        a, b, c = (f.at(f"{n}.{side}") for n in ("upperarm01", "lowerarm01", "wrist"))
        first = (v - a) @ (b - a) / ((b - a) @ (b - a))
        second = (v - b) @ (c - b) / ((c - b) @ (c - b))
        out = np.where(v[:, 0] * sign > 0, np.where(second > 0, 1 + second, np.minimum(first, 1)), out)
    return out


def _regions(f: Figure, style: str) -> _Regions:
    t, v = f.template, f.vertices
    below = np.asarray(t.weights[:, list(t.below("head"))].sum(axis=1)).ravel()
    neck = f.at("neck01")
    eyes = f.eyes
    rise = {"crop": 0.062, "short": 0.056, "long": 0.056}.get(style, 0.056)
    slope = eyes[2] + rise - 0.80 * np.maximum(0.0, v[:, 1] - eyes[1] - 0.02)
    return _Regions(
        hand=t.weight_of("wrist", "finger", "metacarpal"),
        limb=t.weight_of("wrist", "finger", "metacarpal", "lowerarm", "upperarm"),
        head=below,
        neck=t.weight_of("neck"),
        legs=t.weight_of("upperleg", "lowerleg", "foot", "toe"),
        feet=t.weight_of("foot", "toe"),
        along=_along_arm(f),
        collar=float(f.at("clavicle.L")[2]),
        waist=float(f.at("spine05")[2]) + 0.02,
        radius=np.hypot(v[:, 0] - neck[0], v[:, 1] - neck[1]),
        ear=painted("ears") > 0.5,
        hairline=np.maximum(slope, eyes[2] - 0.105),
    )


def _brows(f: Figure) -> Array:
    """Two painted arcs above the eyes."""
    v, e = f.vertices, f.eyes
    out = np.zeros(len(v))
    front = v[:, 1] < e[1] + 0.03
    for sign in (1, -1):
        for x, rise in ((0.012, 0.0205), (0.020, 0.0240), (0.030, 0.0260), (0.040, 0.0240), (0.048, 0.0185)):
            dx, dz = v[:, 0] - sign * x, v[:, 2] - (e[2] + rise)
            out = np.maximum(out, np.exp(-((dx / 0.0065) ** 2) - (dz / 0.0042) ** 2))
    return np.where(front, out, 0.0)


def _flush(f: Figure, r: _Regions) -> Array:
    """Redder places: cheeks, tip of the nose, ears, knuckles, finger tips."""
    v, e = f.vertices, f.eyes
    out = np.where(r.ear, 0.35, 0.0)
    spots = [(e + vec(s * 0.042, -0.03, -0.04), 0.026, 0.45) for s in (1, -1)]
    front = v[(np.abs(v[:, 0]) < 0.01) & (r.head > 0.5)]
    spots.append((vec(e[0], float(front[:, 1].min()), e[2] - 0.04), 0.018, 0.40))
    for side in ("R", "L"):
        for finger in (2, 3, 4, 5):
            spots += [(f.at(f"finger{finger}-{k}.{side}"), 0.010, 0.4) for k in (1, 2, 3)]
            spots.append((f.end(f"finger{finger}-3.{side}"), 0.008, 0.3))
    for centre, size, amount in spots:
        out = np.maximum(out, amount * np.exp(-(((v - centre) / size) ** 2).sum(axis=1)))
    return out


def _skin_attributes(f: Figure, r: _Regions, look: Look) -> Array:
    v, e = f.vertices, f.eyes
    paint = _brows(f)
    if look.beard:
        lips = painted("lips")
        chin = (v[:, 2] < e[2] - 0.055) & (v[:, 2] > e[2] - 0.14) & (r.head + r.neck > 0.6)
        chin &= (v[:, 1] < e[1] + 0.055) & (lips < 0.25)
        paint = np.where(chin, np.maximum(paint, look.beard * 0.62), paint)
    if look.hair_style != "bald":  # the scalp below the hair is painted, so that the hairline is soft
        scalp = np.clip((v[:, 2] - r.hairline + 0.004) / 0.012, 0, 1) * (r.head + r.neck > 0.6) * ~r.ear
        paint = np.maximum(paint, scalp * 0.8)
    mouth = np.where(painted("inside-mouth") > 0.4, 2.0, np.clip(painted("lips") * 1.3, 0, 0.85))
    mouth = np.where(r.head > 0.5, mouth, 0.0)
    nails = painted("fingernails")
    which = np.where(r.hand > 0.5, np.where(v[:, 0] < 0, 1.0, 2.0), 0.0)
    return np.stack([paint, mouth, np.maximum(_flush(f, r), nails * 0.5), which], axis=1)


def _visible_skin(f: Figure, r: _Regions, look: Look) -> Faces:
    cut = SLEEVES[look.sleeves]
    v = f.vertices
    seen = (r.head > 0.3) | (r.neck > 0.25) | (r.hand > 0.3) | ((r.limb > 0.5) & (r.along > cut - 0.16))
    seen |= (v[:, 2] > r.collar - 0.06) & (r.radius < 0.135)
    seen |= (v[:, 2] > r.collar - 0.09) & (np.abs(v[:, 0]) < 0.07) & (v[:, 1] < f.at("neck01")[1])
    return within(f.template.faces_of("body"), seen)


def _shirt(f: Figure, r: _Regions, look: Look) -> Faces:
    v, cut, limb = f.vertices, SLEEVES[look.sleeves], r.limb > 0.5
    upper = (v[:, 2] > r.waist - 0.06) | limb
    low_neck = (v[:, 2] < r.collar + 0.035) | (r.radius > 0.075)
    keep = upper & low_neck & (~limb | (r.along < cut)) & (r.head < 0.1)
    faces = within(f.template.faces_of("helper-tights"), keep)
    return np.asarray(faces[r.legs[faces].mean(axis=1) < 0.55])


def _trousers(f: Figure, r: _Regions) -> Faces:
    keep = (f.vertices[:, 2] < r.waist + 0.05) & (r.limb < 0.5)
    return within(f.template.faces_of("helper-tights"), keep)


def _scalp(f: Figure, r: _Regions) -> tuple[Faces, Array]:
    v = f.vertices
    on = (r.head + r.neck > 0.6) & (v[:, 2] > r.hairline) & ~r.ear
    depth = np.clip((v[:, 2] - r.hairline) / 0.05, 0, 1)
    return within(f.template.faces_of("body"), on), depth


def _dress_head(c: _Cloth, f: Figure, r: _Regions, look: Look) -> None:
    t: Template = f.template
    v, e = f.vertices, f.eyes
    for side in ("l", "r"):
        faces = t.faces_of(f"helper-{side}-eye")
        ball = np.unique(faces)
        d = v - (v[ball].min(axis=0) + v[ball].max(axis=0)) / 2
        a = np.zeros((len(v), 4))
        a[:, 3] = np.arctan2(np.hypot(d[:, 0], d[:, 2]), -d[:, 1])
        c.add(f"eye_{side}", faces, EYE, look.iris, attributes=a)
    c.add("lashes", t.faces_of(*(g for g in t.faces if "eyelashes" in g)), PLAIN, "#14100e")
    c.add("teeth", t.faces_of("helper-upper-teeth", "helper-lower-teeth"), PLAIN, "#d9d2c4")
    scalp, depth = _scalp(f, r)
    if look.hair_style != "bald":
        thick = {"crop": 0.008, "short": 0.016, "long": 0.017}[look.hair_style] * (0.25 + 0.75 * depth)
        thick = thick * (1 + 0.2 * np.sin(v[:, 0] * 70 + e[2] * 900) * np.sin(v[:, 1] * 60))
        c.add("hair", scalp, HAIR, look.hair, offset=thick)
    if look.hair_style == "long":
        curtain = (v[:, 1] < e[1] + 0.035) & (v[:, 2] < e[2] + 0.07)
        c.add(
            "hair_long",
            within(t.faces_of("helper-hair"), ~curtain),
            HAIR,
            look.hair,
            offset=0.004,
        )
    if look.cap:
        crown = (r.head > 0.6) & (v[:, 2] > np.maximum(r.hairline - 0.004, e[2] + 0.045)) & ~r.ear
        c.add("cap", within(t.faces_of("body"), crown), CLOTH, look.cap, offset=0.021)
    if look.glasses:
        _glasses(c, f)


def _glasses(c: _Cloth, f: Figure) -> None:
    """Two rims and a bridge before the eyes, rigid with the head."""
    t = f.template
    ring = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    rest: list[Array] = []
    tri: list[Ints] = []
    for side in ("L", "R"):
        eye = f.at(f"eye.{side}")
        for _ in range(1):
            shape = [(0.023, 0.018), (0.020, 0.0155)]
            v = np.concatenate([
                np.stack([eye[0] + a * np.cos(ring), np.full(20, eye[1] - 0.030), eye[2] - 0.003 + b * np.sin(ring)], axis=1)
                for a, b in shape
            ])  # fmt: skip
            k = np.arange(20)
            n = (k + 1) % 20
            tri.append(
                np.concatenate([np.stack([k, n, n + 20], 1), np.stack([k, n + 20, k + 20], 1)])
                + 40 * len(rest)
            )
            rest.append(v)
    v = np.concatenate(rest)
    weights = sp.csr_matrix(
        (np.ones(len(v)), (np.arange(len(v)), np.full(len(v), t.index["head"]))), (len(v), len(t.bones))
    )
    c.insert("glasses", v, weights, np.concatenate(tri), np.zeros((len(v), 4)), PLAIN, "#15151a", "#15151a")


def _heights(around: Array, z: Array, far: Array, theta: Array, level: Array) -> Array:
    """Distance of the head's surface from its axis at (theta, level), from its vertices nearby."""
    scale = 0.09  # metres of arc per radian
    wrapped = np.concatenate([around - 2 * np.pi, around, around + 2 * np.pi]) * scale
    tree = cKDTree(np.stack([wrapped, np.tile(z, 3)], axis=1))
    d, k = tree.query(np.stack([theta * scale, level], axis=-1), k=4)
    w = 1 / (d + 1e-4)
    return np.asarray((np.tile(far, 3)[k] * w).sum(axis=-1) / w.sum(axis=-1))


def _mask(f: Figure, r: _Regions, form: str) -> tuple[Array, Array, Ints]:
    """A sleep mask as a shell round the head: on the eyes and pushed up; triangles."""
    v, e = f.vertices, f.eyes
    body = f.template.vertices_of("body")
    near = body[(r.head[body] > 0.5) & (np.abs(v[body, 2] - e[2]) < 0.08) & ~r.ear[body]]
    band = v[near]
    level = band[np.abs(band[:, 2] - e[2]) < 0.04]
    middle = vec(0, float(level[:, 1].min() + level[:, 1].max()) / 2, 0)
    around = np.arctan2(band[:, 0], -(band[:, 1] - middle[1]))
    far = np.hypot(band[:, 0], band[:, 1] - middle[1])
    n, rows = 96, 9
    theta = np.linspace(-np.pi, np.pi, n, endpoint=False)
    front, strap = MASK_FORMS[form]
    half = np.where(np.abs(theta) < 0.95, front, np.interp(np.abs(theta), [0.95, 1.35], [front, strap]))
    up = np.linspace(-1, 1, rows)[:, None]
    notch = np.where(
        (up < 0) & (np.abs(theta) < 0.22), 1 - 0.62 * np.cos(theta / 0.22 * np.pi / 2), 1.0
    )  # nose
    z = e[2] + 0.004 + up * half * notch
    reach = _heights(around, band[:, 2], far, np.broadcast_to(theta, z.shape), z)
    hull = np.max([np.roll(reach, k, axis=1) for k in range(-3, 4)], axis=0)
    for _ in range(4):
        hull = (np.roll(hull, 1, axis=1) + 2 * hull + np.roll(hull, -1, axis=1)) / 4
    radius = np.maximum(hull, reach) + 0.006
    on = np.stack([np.sin(theta) * radius, middle[1] - np.cos(theta) * radius, z], axis=-1).reshape(-1, 3)
    centre = vec(0, middle[1], e[2])
    raised = (
        centre + (on - centre) * vec(1.06, 1.09, 1.0) @ rotation(vec(1, 0, 0), MASK_TURN).T + vec(0, 0, 0.012)
    )
    quads = [
        (k * n + j, k * n + (j + 1) % n, (k + 1) * n + (j + 1) % n, (k + 1) * n + j)
        for k in range(rows - 1)
        for j in range(n)
    ]
    return on, raised, fan(np.array(quads))


def dress(f: Figure, look: Look) -> Outfit:
    """Cut a person's outfit; about half a second."""
    r = _regions(f, look.hair_style)
    c = _Cloth(f)
    c.add(
        "skin",
        _visible_skin(f, r, look),
        SKIN,
        look.skin,
        colour2=look.hair,
        attributes=_skin_attributes(f, r, look),
    )
    pattern = {"plain": 0, "stripes": 1, "check": 2}[look.pattern]
    c.add("shirt", _shirt(f, r, look), CLOTH, look.shirt, colour2=look.shirt2, pattern=pattern, offset=0.009)
    c.add("trousers", _trousers(f, r), CLOTH, look.trousers, offset=0.004)
    shoes = within(f.template.faces_of("body"), r.feet > 0.5)
    c.add("shoes", shoes, PLAIN, "#17171a", offset=0.012)
    _dress_head(c, f, r, look)
    weights = sp.vstack(c.weights).tocsr()
    head = np.flatnonzero(np.asarray(weights[:, list(f.template.below("head"))].sum(axis=1)).ravel() > 0.25)
    on, up, tri = _mask(f, r, look.mask_form)
    assert math.isfinite(float(on.sum()))
    return Outfit(
        Skin(np.concatenate(c.rest), weights),
        np.concatenate(c.triangles),
        np.concatenate(c.attributes),
        tuple(c.parts),
        head,
        on,
        up,
        tri,
    )
