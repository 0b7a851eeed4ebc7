"""The renderer: moderngl on EGL with Mesa's software rasteriser, one shadow map, 4x multisampling.

Bodies are drawn one at a time into small rectangles with the table and chairs as invisible occluders, so
that a picture can be composed from cached pieces (sprites.py).
"""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from mafiavar.sample_videos.bodies.poses import TOP
from mafiavar.sample_videos.bodies.wardrobe import FELT, PLAIN, SKIN, Outfit, normals
from mafiavar.sample_videos.errors import PictureMissing
from mafiavar.sample_videos.geometry import Array, Camera, vec
from mafiavar.sample_videos.picture import shaders

Image = NDArray[np.uint8]
Rect = tuple[int, int, int, int]  # x0, y0, x1, y1
SAMPLES = 4
BEHIND_LENS = 0.30  # metres before the camera: what is nearer is not drawn
SHADOW_SIZE = 1536
NOTHING: Rect = (0, 0, 0, 0)


def linear(colour: str) -> tuple[float, float, float]:
    """#rrggbb -> linear light, 0..1."""
    c = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    r, g, b = np.where(c > 0.04045, ((c + 0.055) / 1.055) ** 2.4, c / 12.92)
    return float(r), float(g), float(b)


@dataclass(frozen=True, slots=True)
class Light:
    """level 1 = a lit room; warm: colour of the lamps (r, g, b)."""

    level: float = 1.0
    warm: tuple[float, float, float] = (1.0, 0.93, 0.84)


@dataclass(frozen=True, slots=True)
class Solid:
    """A thing of the room: vertices (n, 3), triangles (m, 3)."""

    vertices: Array
    triangles: NDArray[np.int64]
    colour: str
    material: int = PLAIN
    shadow: bool = True


@dataclass(frozen=True, slots=True)
class Cut:
    """A painted piece: where it lies, colour times coverage, and what shines through (255 - coverage)."""

    rect: Rect
    bgr: Image
    through: Image


@dataclass(frozen=True, slots=True)
class Sprite:
    """A body and the shadow it throws on the table: `shade` multiplies the table (255 = none)."""

    cut: Cut
    shade_rect: Rect
    shade: Image


class Model:
    """GPU buffers of one person; `pose` fills them with world coordinates."""

    def __init__(self, painter: Painter, outfit: Outfit, mask_colour: str) -> None:
        self.outfit = outfit
        self.mask: str = "off"
        n, m = len(outfit.skin.rest), len(outfit.mask_on)
        c = painter.context
        self.buffers = (c.buffer(reserve=n * 52), c.buffer(reserve=m * 52))
        tri = outfit.triangles.astype("i4")
        self.parts: list[tuple[int, Any, Any, Any, tuple[float, ...], tuple[float, ...], int]] = []
        self.by_day: list[int] = []  # parts that the rules take off for the night: caps and glasses
        for p in outfit.parts:
            if p.name in ("cap", "glasses"):
                self.by_day.append(len(self.parts))
            index = c.buffer(tri[p.first : p.first + p.count].tobytes())
            self.parts.append(
                (
                    p.material,
                    *painter.arrays(p.material, self.buffers[0], index),
                    linear(p.colour),
                    linear(p.colour2),
                    p.pattern,
                )
            )
        index = c.buffer(outfit.mask_triangles.astype("i4").tobytes())
        tone = linear(mask_colour)
        self.mask_part = (PLAIN, *painter.arrays(PLAIN, self.buffers[1], index), tone, tone, 0)
        self.vertices = np.zeros((n, 3))
        self.mask_vertices = np.zeros((m, 3))

    def pose(self, vertices: Array, mask_vertices: Array, mask: str) -> None:
        """World positions of the outfit and of the mask; mask: off, on, up."""
        self.vertices, self.mask_vertices, self.mask = vertices, mask_vertices, mask
        o = self.outfit
        for k, (v, tri, rest, att) in enumerate((
            (vertices, o.triangles, o.skin.rest, o.attributes),
            (mask_vertices, o.mask_triangles, mask_vertices, np.zeros((len(mask_vertices), 4))),
        )):  # fmt: skip
            self.buffers[k].write(np.hstack([v, normals(v, tri), rest, att]).astype("f4").tobytes())

    def drawn(self) -> list[Any]:
        if self.mask == "on":
            return [*(p for k, p in enumerate(self.parts) if k not in self.by_day), self.mask_part]
        return [*self.parts, self.mask_part] if self.mask != "off" else list(self.parts)

    def cloud(self) -> Array:
        """Some points that span the body, for its rectangle."""
        return np.vstack([self.vertices[::5], self.mask_vertices[::5]])


class Painter:
    """A camera and a lit room. Not thread-safe; one per process."""

    def __init__(self, camera: Camera, light: Light) -> None:
        os.environ.setdefault("EGL_PLATFORM", "surfaceless")
        os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")
        try:
            self.gl: Any = importlib.import_module("moderngl")
            self.context: Any = self.gl.create_context(standalone=True, backend="egl")
        except Exception as error:  # the driver raises bare Exception
            raise PictureMissing(
                f"Не запускается программный рендер ({error}). Нужны: пакет moderngl и системные"
                " libegl1, libegl-mesa0, libgl1-mesa-dri",
                f"the software renderer does not start ({error}). Needed: moderngl and libegl1,"
                " libegl-mesa0, libgl1-mesa-dri",
            ) from error
        c = self.context
        self.camera, self.view = camera, camera.matrix()
        self.programs = {k: c.program(shaders.VERTEX, shaders.fragment(k)) for k in shaders.MATERIAL}
        self.depth = c.program(shaders.DEPTH_VERTEX, shaders.DEPTH_FRAGMENT)
        self.marker = c.program(shaders.MARK_VERTEX, shaders.MARK_FRAGMENT)
        self.shadow_map = c.depth_texture((SHADOW_SIZE, SHADOW_SIZE))
        self.shadow_map.compare_func = "<="
        self.shadow_map.repeat_x = self.shadow_map.repeat_y = False
        self.shadow_buffer = c.framebuffer(depth_attachment=self.shadow_map)
        # a 36 mm sensor and this lens make the cone of the lamp above the table
        sun = Camera((0, -0.5, 2.9), (0, 0.05, 0), 14.0, 1000, 1000)
        self.sun = sun.matrix(1.0, 3.2)
        self._light(light)
        self.solids: list[tuple[int, Any, Any, tuple[float, ...], bool]] = []
        self.felt = -1
        self._targets: dict[tuple[int, int], tuple[Any, Any]] = {}
        c.enable(self.gl.DEPTH_TEST)

    def _uniform(self, name: str, value: Any) -> None:
        for p in (*self.programs.values(), self.depth, self.marker):
            if name in p:
                if isinstance(value, bytes):
                    p[name].write(value)
                else:
                    p[name] = value

    def _light(self, light: Light) -> None:
        warm = np.array(light.warm)
        lamps = np.array([[-1.3, 0.6, 2.75], [1.3, 0.6, 2.75], [0, -2.3, 2.75]])
        power = np.array([2.6, 2.6, 2.6])[:, None] * warm * light.level
        self._uniform("lamps", lamps.astype("f4").tobytes())
        self._uniform("power", power.astype("f4").tobytes())
        self._uniform("sky", tuple(float(x) for x in np.array([0.46, 0.46, 0.48]) * light.level))
        self._uniform("ground", tuple(float(x) for x in np.array([0.24, 0.22, 0.20]) * light.level))
        self._uniform("exposure", 0.85)
        self._uniform("eye", tuple(float(x) for x in self.camera.position))
        self._uniform("sun", self.sun.T.astype("f4").tobytes())
        self._uniform("shade", 0)

    def arrays(self, material: int, buffer: Any, index: Any) -> tuple[Any, Any, Any]:
        """(coloured, depth only, marking) vertex arrays over one buffer of 13 floats a vertex."""
        layout = (("pos", 3), ("nor", 3), ("rest", 3), ("att", 4))

        def array(program: Any) -> Any:
            form = " ".join(f"{n}f" if name in program else f"{4 * n}x" for name, n in layout)
            return self.context.vertex_array(
                program, [(buffer, form, *(name for name, _ in layout if name in program))], index
            )

        return array(self.programs[material]), array(self.depth), array(self.marker)

    def add(self, solid: Solid) -> None:
        """Put a thing into the room; it stays."""
        v = solid.vertices[solid.triangles.ravel()]
        face = np.cross(v[1::3] - v[::3], v[2::3] - v[::3])
        n = np.repeat(face / (np.linalg.norm(face, axis=1, keepdims=True) + 1e-9), 3, axis=0)
        data = np.hstack([v, n, v, np.zeros((len(v), 4))]).astype("f4").tobytes()
        buffer = self.context.buffer(data)
        index = self.context.buffer(np.arange(len(v), dtype="i4").tobytes())
        coloured, depth, _ = self.arrays(solid.material, buffer, index)
        if solid.material == FELT and self.felt < 0:
            self.felt = len(self.solids)
        self.solids.append((solid.material, coloured, depth, linear(solid.colour), solid.shadow))

    # ---- drawing --------------------------------------------------------------------------------
    def _target(self, rect: Rect) -> tuple[Any, Any, int, int]:
        """Framebuffers for a rectangle, and the view that fills them with it."""
        x0, y0, x1, y1 = rect
        w, h = (x1 - x0 + 31) // 32 * 32, (y1 - y0 + 31) // 32 * 32
        if (w, h) not in self._targets:
            c = self.context
            many = c.framebuffer(
                [c.renderbuffer((w, h), 4, samples=SAMPLES)], c.depth_renderbuffer((w, h), samples=SAMPLES)
            )
            one = c.framebuffer([c.renderbuffer((w, h), 4)], c.depth_renderbuffer((w, h)))
            self._targets[(w, h)] = (many, one)
        self._look_at(rect, w, h)
        return (*self._targets[(w, h)], w, h)

    def _look_at(self, rect: Rect, w: int, h: int) -> None:
        x0, y0 = rect[:2]
        full_w, full_h = self.camera.width, self.camera.height
        crop = np.eye(4)
        crop[0, 0], crop[1, 1] = full_w / w, full_h / h
        crop[0, 3] = (full_w - 2 * x0 - w) / w
        crop[1, 3] = -(full_h - 2 * y0 - h) / h
        self._uniform("view", (crop @ self.view).T.astype("f4").tobytes())

    @staticmethod
    def _read(buffer: Any, w: int, h: int, rect: Rect, channels: int) -> Image:
        raw = np.frombuffer(buffer.read(components=channels), np.uint8).reshape(h, w, channels)[::-1]
        return raw[: rect[3] - rect[1], : rect[2] - rect[0]]

    def _draw(self, items: list[Any], program_of: Any) -> None:
        for material, coloured, _, _, c1, c2, pattern in items:
            p = program_of[material]
            for name, value in (("c1", c1), ("c2", c2), ("pattern", pattern)):
                if name in p:
                    p[name] = value
            coloured.render()

    def _draw_solids(self, only: int | None = None) -> None:
        for k, (material, coloured, _, colour, _) in enumerate(self.solids):
            if only is None or k == only:
                p = self.programs[material]
                p["c1"] = colour
                coloured.render()

    def shadows(self, models: list[Model]) -> None:
        self._uniform_depth(self.sun)
        self.shadow_buffer.use()
        self.shadow_buffer.clear(depth=1)
        for *_, depth, _, casts in self.solids:
            if casts:
                depth.render()
        for m in models:
            for part in m.drawn():
                part[2].render()
        self.shadow_map.use(0)

    def _uniform_depth(self, matrix: Array) -> None:
        self.depth["view"].write(matrix.T.astype("f4").tobytes())

    def plate(self, models: list[Model] | None = None) -> Image:
        """The whole room (bgr), with bodies when given: the slow way, for stills and comparisons."""
        models = models or []
        self.shadows(models)
        rect = (0, 0, self.camera.width, self.camera.height)
        many, one, w, h = self._target(rect)
        many.use()
        many.clear(0.02, 0.02, 0.02, 1, depth=1)
        self._draw_solids()
        for m in models:
            self._draw(m.drawn(), self.programs)
        self.context.copy_framebuffer(one, many)
        return np.ascontiguousarray(self._read(one, w, h, rect, 3)[..., ::-1])

    def rect_of(self, points: Array, pad: int = 6) -> Rect:
        """Screen rectangle of world points, cut to the picture; NOTHING when outside."""
        ahead = (points - np.array(self.camera.position)) @ self.camera.axes()[2] > BEHIND_LENS
        if not ahead.any():
            return NOTHING
        q = self.camera.project(points[ahead])
        (x0, y0), (x1, y1) = q.min(axis=0) - pad, q.max(axis=0) + pad
        w, h = self.camera.width, self.camera.height
        rect = (
            int(np.clip(x0, 0, w)),
            int(np.clip(y0, 0, h)),
            int(np.clip(x1 + 1, 0, w)),
            int(np.clip(y1 + 1, 0, h)),
        )
        return rect if rect[2] - rect[0] > 2 and rect[3] - rect[1] > 2 else NOTHING

    def cut(self, model: Model, rect: Rect, trim: bool = True) -> Cut:
        """One body inside `rect`, hidden where the room's things stand before it."""
        if rect == NOTHING:
            return Cut(NOTHING, np.zeros((0, 0, 3), np.uint8), np.zeros((0, 0), np.uint8))
        many, one, w, h = self._target(rect)
        many.use()
        many.clear(0, 0, 0, 0, depth=1)
        many.color_mask = (False,) * 4
        many.use()
        for *_, depth, _, _ in self.solids:
            depth.render()
        for part in model.drawn():  # depth first: hidden triangles are not shaded
            part[2].render()
        many.color_mask = (True,) * 4
        many.use()
        self.context.depth_func = "<="
        self._draw(model.drawn(), self.programs)
        self.context.depth_func = "<"
        self.context.copy_framebuffer(one, many)
        image = self._read(one, w, h, rect, 4)
        inner = trimmed(image[..., 3] > 0) if trim else (0, 0, rect[2] - rect[0], rect[3] - rect[1])
        x0, y0, x1, y1 = inner
        piece = image[y0:y1, x0:x1]
        where = (rect[0] + x0, rect[1] + y0, rect[0] + x1, rect[1] + y1)
        return Cut(where, np.ascontiguousarray(piece[..., 2::-1]), np.ascontiguousarray(255 - piece[..., 3]))

    def sprite(self, model: Model, plate: Image, table: Image) -> Sprite:
        """A body's cut and its shadow; `plate`: the empty room, `table`: mask of the table top."""
        v = model.cloud()
        flat = v.copy()
        flat[:, 2] = np.minimum(flat[:, 2], TOP)
        rect = self.rect_of(np.vstack([v, flat]), 10)
        self.shadows([model])
        where, shade = self._shade(rect, plate, table)
        return Sprite(self.cut(model, rect), where, shade)

    def _shade(self, rect: Rect, plate: Image, table: Image) -> tuple[Rect, Image]:
        nothing = NOTHING, np.zeros((0, 0), np.uint8)
        if rect == NOTHING:
            return nothing
        x0, y0, x1, y1 = rect
        inner = trimmed(table[y0:y1, x0:x1] > 0)
        if inner[2] <= inner[0]:
            return nothing
        box = (x0 + inner[0], y0 + inner[1], x0 + inner[2], y0 + inner[3])
        many, one, w, h = self._target(box)
        many.use()
        many.clear(0, 0, 0, 0, depth=1)
        self._draw_solids(self.felt)
        self.context.copy_framebuffer(one, many)
        area = np.s_[box[1] : box[3], box[0] : box[2]]
        lit = self._read(one, w, h, box, 3).astype(np.float32).sum(axis=2)
        ratio = np.clip((lit + 6) / (plate[area].astype(np.float32).sum(axis=2) + 6) * 255, 0, 255)
        ratio = cv2.GaussianBlur(ratio, (0, 0), 1.2).astype(np.uint8)
        ratio[table[area] == 0] = 255
        a, b, c, d = trimmed(ratio < 250)
        where = (box[0] + a, box[1] + b, box[0] + c, box[1] + d)
        return where, np.ascontiguousarray(ratio[b:d, a:c])

    # ---- measuring ------------------------------------------------------------------------------
    def hand(self, model: Model, rect: Rect, which: int) -> tuple[NDArray[np.bool_], int]:
        """(pixels of hand `which` (1 right, 2 left) not hidden by the room or the own body, all its pixels)."""
        _, one, w, h = self._target(rect)
        p = self.marker

        def marked(alone: bool) -> NDArray[np.bool_]:
            one.use()
            one.clear(0, 0, 0, 1, depth=1)
            if not alone:
                for *_, depth, _, _ in self.solids:
                    depth.render()
            p["only"] = int(alone)
            for part in model.drawn():
                p["hand"] = int(part[0] == SKIN)
                part[3].render()
            red = self._read(one, w, h, rect, 3)[..., 0]
            return np.asarray(red == which)

        seen, whole = marked(False), marked(True)
        return seen, int(whole.sum())

    def gap_below(self, model: Model, palm: Array) -> float:
        """Height above the table top of the lowest skin near a hand, from the depth buffer (metres).

        An orthographic camera looks up from below the table; `palm` are the hand's vertices (n, 3).
        """
        lo, hi = palm.min(axis=0) - 0.01, palm.max(axis=0) + 0.01
        size, near, far = 192, -0.40, 0.40
        m = np.eye(4)
        m[0, 0], m[0, 3] = 2 / (hi[0] - lo[0]), -(hi[0] + lo[0]) / (hi[0] - lo[0])
        m[1, 1], m[1, 3] = 2 / (hi[1] - lo[1]), -(hi[1] + lo[1]) / (hi[1] - lo[1])
        # depth grows upwards from `near` below the table top to `far` above it
        m[2, 2], m[2, 3] = 2 / (far - near), -2 * (TOP + near) / (far - near) - 1
        c = self.context
        if (size, -1) not in self._targets:
            texture = c.depth_texture((size, size))
            self._targets[(size, -1)] = (c.framebuffer(depth_attachment=texture), texture)
        buffer, texture = self._targets[(size, -1)]
        self._uniform_depth(m)
        buffer.use()
        buffer.clear(depth=1)
        for part in model.parts:
            if part[0] == SKIN:
                part[2].render()
        depth = np.frombuffer(texture.read(), np.float32)
        return float(depth.min() * (far - near) + near)


def trimmed(on: NDArray[np.bool_]) -> Rect:
    """The tightest rectangle round the true pixels; NOTHING when there are none."""
    ys, xs = np.flatnonzero(on.any(axis=1)), np.flatnonzero(on.any(axis=0))
    if len(ys) == 0:
        return NOTHING
    return int(xs[0]), int(ys[0]), int(xs[-1]) + 1, int(ys[-1]) + 1


def table_mask(camera: Camera, radius: float) -> Image:
    """Pixels of the table top."""
    a = np.linspace(0, 2 * np.pi, 240)
    ring = np.stack([radius * np.cos(a), radius * np.sin(a), np.full(240, TOP)], axis=1)
    image = np.zeros((camera.height, camera.width), np.uint8)
    return np.asarray(cv2.fillPoly(image, [camera.project(ring).round().astype(np.int32)], 1), np.uint8)


def up() -> Array:
    return vec(0, 0, 1)
