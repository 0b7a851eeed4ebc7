"""The stage: ten people in a room before a camera; any state of the table as a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from mafiavar.sample_videos.bodies import source
from mafiavar.sample_videos.bodies.figure import Figure, Placed, Pose
from mafiavar.sample_videos.bodies.poses import FORMS, LIFTED, TOP, Manner, PoseBook
from mafiavar.sample_videos.bodies.poses import Channel as Posed
from mafiavar.sample_videos.bodies.wardrobe import dress
from mafiavar.sample_videos.geometry import Array, Camera, blend, rotation, unit, vec
from mafiavar.sample_videos.picture.acting import STEPS, Bearing, Move, Surroundings
from mafiavar.sample_videos.picture.bystanders import Walker
from mafiavar.sample_videos.picture.cast import Scene
from mafiavar.sample_videos.picture.painter import (
    NOTHING,
    Cut,
    Image,
    Model,
    Painter,
    Rect,
    Sprite,
    table_mask,
)
from mafiavar.sample_videos.picture.room import RADIUS, furniture, lay_cards
from mafiavar.sample_videos.picture.sprites import SpriteStore

VERSION = "1"  # raise it when pictures change: sprites are kept under it
JAW = (0.0, 6.0, 12.0, 18.0)  # degrees by mouth level
BELOW = ("lap", "hang")
X, Z = vec(1, 0, 0), vec(0, 0, 1)


@dataclass(frozen=True, slots=True)
class HandView:
    """visible: share of the hand's area that the camera sees; box in pixels; size: its longer side."""

    visible: float
    box: tuple[float, float, float, float]
    size: float


class Stage:
    """Builds the cast (about a second a person) and paints it. One per process."""

    def __init__(self, scene: Scene, seed: int, cache: Path) -> None:
        self.scene, self.seed = scene, seed
        self.painter = Painter(scene.camera, scene.light)
        for solid in furniture(scene.room):
            self.painter.add(solid)
        self.books: list[PoseBook] = []
        self.models: list[Model] = []
        self.chairs: list[tuple[Array, Array]] = []
        self.seated = len(scene.cast) + (
            scene.judge is not None
        )  # the judge sits behind the tenth seat's index
        for i, p in enumerate((*scene.cast, *((scene.judge,) if scene.judge else ()), *scene.passers)):
            figure = Figure(p.physique)
            outfit = dress(figure, p.look)
            self.books.append(PoseBook(figure, Manner.of(np.random.default_rng([seed, i, 5]))))
            self.models.append(Model(self.painter, outfit, p.look.mask))
            if i < self.seated:
                self.chairs.append(scene.room.chair_at(i + 1))
        self.bare = self.painter.plate()
        self.plate = lay_cards(self.bare, scene.room, scene.camera) if scene.room.cards else self.bare
        self.table = table_mask(scene.camera, RADIUS)
        eye = np.array(scene.camera.position)
        self.far = [float(np.linalg.norm(t - eye)) for _, t in self.chairs]
        chair = " with the judge's chair" if scene.judge else ""  # it may hide a part of its neighbours
        self.store = SpriteStore(cache, f"{VERSION} {source.fingerprint()} {seed} {scene}{chair}")
        self._blends: dict[tuple[int, str, Move, str], Posed] = {}
        self._heads: dict[str, Rect] = {}

    # ---- poses ----------------------------------------------------------------------------------
    def _named(self, i: int, ch: str, name: str) -> Posed:
        book = self.books[i]
        if ch == "T":
            return book.torso(name)
        if ch == "H":
            return book.head(name)
        torso, pose = name.split("/")
        at = self._neighbour(i, ch) if pose == "touch" else None
        return book.arm(torso, ch, pose, at)

    def _neighbour(self, i: int, side: str) -> Array:
        """The near shoulder of the seat at this side, in the person's own space."""
        j = (i + 1) % 10 if side == "L" else (i - 1) % 10
        other = self.books[j]
        placed = other.figure.place(other.assemble(other.torso("day")))
        point = placed.position[other.figure.template.index[f"upperarm01.{'R' if side == 'L' else 'L'}"]]
        r, t = self.chairs[j]
        r0, t0 = self.chairs[i]
        return np.asarray((r @ point + t - t0) @ r0 + vec(0, -0.02, 0.05))

    @staticmethod
    def _way(a: str, b: str) -> tuple[tuple[float, str], ...]:
        """Poses that an arm passes from `a` to `b`, with the share of time at which it is there.

        A hand comes from under the table round its edge, and on to the table from above.
        """
        (ta, pa), (tb, pb) = a.split("/"), b.split("/")
        if pb in FORMS:
            lifted = f"{tb}/{pb}{LIFTED}"
            if pa in BELOW:
                return (0.42, f"{tb}/round"), (0.74, lifted)
            return ((0.60, lifted),)
        if pa in FORMS:
            lifted = f"{ta}/{pa}{LIFTED}"
            if pb in BELOW:
                return (0.28, lifted), (0.60, f"{ta}/round")
            return ((0.40, lifted),)
        if (pa in BELOW) != (pb in BELOW):
            return ((0.5, f"{tb if pa in BELOW else ta}/round"),)
        return ()

    def _blended(self, i: int, ch: str, m: Move) -> Posed:
        if m.step >= STEPS or m.a == m.b:
            if m.a == m.b and m.step < STEPS and ch in "RL" and m.b.split("/")[1] in FORMS:
                return self._hop(i, ch, m)
            return self._named(i, ch, m.b)
        key = (i, ch, m, "")
        if key not in self._blends:
            self._blends[key] = self._between(i, ch, m)
        return self._blends[key]

    def _hop(self, i: int, ch: str, m: Move) -> Posed:
        """From one contact straight into the next: the hand leaves the table in between."""
        up, down = self._named(i, ch, m.b + LIFTED), self._named(i, ch, m.b)
        share = 0.25 + 0.6 * math.sin(math.pi * m.step / STEPS)
        return Posed(blend(down.q, up.q, share))

    def _between(self, i: int, ch: str, m: Move) -> Posed:
        a, b = self._named(i, ch, m.a), self._named(i, ch, m.b)
        x = m.step / STEPS
        smooth = x * x * (3 - 2 * x)
        if ch in "RL":
            stops = [(0.0, a), *((t, self._named(i, ch, n)) for t, n in self._way(m.a, m.b)), (1.0, b)]
            down, rises = m.b.split("/")[1] in FORMS, m.a.split("/")[1] in FORMS
            p = x**1.2 if down else 1 - (1 - x) ** 1.2 if rises else smooth
            for (t0, q0), (t1, q1) in pairwise(stops):
                if p <= t1:
                    return Posed(blend(q0.q, q1.q, (p - t0) / (t1 - t0)))
        root = None if a.root is None or b.root is None else a.root * (1 - smooth) + b.root * smooth
        return Posed(blend(a.q, b.q, smooth), root)

    def pose(self, seat: int, s: Bearing) -> Pose:
        i = seat - 1
        book = self.books[i]
        pose = book.assemble(
            self._blended(i, "T", s.torso),
            self._blended(i, "H", s.head),
            self._blended(i, "R", s.right),
            self._blended(i, "L", s.left),
        )
        ix = book.figure.template.index
        if s.sway:
            a = np.pi / 2 * s.sway + i
            turn = rotation(Z, 1.3 * float(np.sin(a))) @ rotation(X, 0.9 * float(np.cos(a)))
            pose.local[ix["head"]] = turn @ pose.local[ix["head"]]
        if s.mouth:
            pose.local[ix["jaw"]] = rotation(X, JAW[s.mouth]) @ pose.local[ix["jaw"]]
        return pose

    def put(self, seat: int, s: Bearing) -> tuple[Model, Placed]:
        """Pose a person and fill the GPU buffers; the model and the placed bones (person's space)."""
        return self._stand(seat - 1, self.pose(seat, s), s.mask, *self.chairs[seat - 1])

    def _stand(self, i: int, pose: Pose, mask_at: str, r: Array, t: Array) -> tuple[Model, Placed]:
        """Put a posed person where rotation `r` and position `t` say."""
        figure, model = self.books[i].figure, self.models[i]
        placed = figure.place(pose)
        head = figure.template.index["head"]
        mask = model.outfit.mask_up if mask_at == "up" else model.outfit.mask_on
        mask = (mask - figure.head[head]) @ placed.rotation[head].T + placed.position[head]
        model.pose(figure.skin(model.outfit.skin, placed) @ r.T + t, mask @ r.T + t, mask_at)
        return model, placed

    def palm(self, seat: int, placed: Placed, side: str) -> Array:
        """World positions of the hand's vertices."""
        book = self.books[seat - 1]
        r, t = self.chairs[seat - 1]
        return np.asarray(book.figure.skin(book.palms[side], placed) @ r.T + t)

    # ---- pictures -------------------------------------------------------------------------------
    @staticmethod
    def _head_under(torso: Move) -> Move:
        """The head's reference for a torso: bowed at night."""

        def of(name: str) -> str:
            return "bow" if name == "night" else "y0"

        a, b = of(torso.a), of(torso.b)
        return Move(b, b, STEPS) if a == b or torso.step >= STEPS else Move(a, b, torso.step)

    def look(self, seat: int, s: Bearing) -> Sprite:
        """The sprite of a seat in a state: a body with a reference head, and a patch for the real one."""
        if any(m.step < STEPS for m in (s.torso, s.right, s.left)):  # seen once: drawn whole
            whole = replace(s, mouth=s.mouth & 2, sway=0, shown=1.0)

            def draw() -> Sprite:
                model, _ = self.put(seat, whole)
                return self.painter.sprite(model, self.bare, self.table)

            return self.store.sprite(f"{seat} whole {_key(whole)}", draw)
        base = replace(s, head=self._head_under(s.torso), mouth=0, mask="off", sway=0, shown=1.0)
        key = f"{seat} {_key(base)}"

        def make() -> Sprite:
            model, _ = self.put(seat, base)
            return self.painter.sprite(model, self.bare, self.table)

        sprite = self.store.sprite(key, make)
        full = replace(s, shown=1.0)
        if full == base:
            return sprite

        def patch() -> Cut:
            if key not in self._heads:
                self._heads[key] = self._head_rect(seat, base)
            before = self._heads[key]
            model, _ = self.put(seat, full)
            rect = _union(before, self._head_rect_now(seat))
            self.painter.shadows([model])
            return (
                self.painter.cut(model, rect, trim=False)
                if rect != NOTHING
                else Cut(NOTHING, np.zeros((0, 0, 3), np.uint8), np.zeros((0, 0), np.uint8))
            )

        return replace(sprite, cut=_merged(sprite.cut, self.store.cut(f"{key} | {_key(full)}", patch)))

    def _head_rect(self, seat: int, s: Bearing) -> Rect:
        self.put(seat, s)
        return self._head_rect_now(seat)

    def _head_rect_now(self, seat: int) -> Rect:
        m = self.models[seat - 1]
        return self.painter.rect_of(np.vstack([m.vertices[m.outfit.head], m.mask_vertices]), 4)

    def passer(self, w: Walker) -> Cut:
        """A stranger walking by: painted at the nearest of some places, shifted from there."""
        i = self.seated + w.who
        book = self.books[i]
        turn, near = rotation(Z, w.heading), vec(w.drawn, w.y, 0)

        def make() -> Cut:
            torso = f"walk{w.gait}"
            pose = book.assemble(
                book.torso(torso), book.head("y0"), book.arm(torso, "R", "hang"), book.arm(torso, "L", "hang")
            )
            model, _ = self._stand(i, pose, "off", turn, near)
            self.painter.shadows([model])
            return self.painter.cut(model, self.painter.rect_of(model.cloud(), 4))

        cut = self.store.cut(f"passer {w.who} {w.y} {w.drawn} {w.heading} {w.gait}", make)
        if cut.rect == NOTHING:
            return cut
        waist = np.array([[w.drawn, w.y, 1.0], [w.x, w.y, 1.0]])
        a, b = self.painter.camera.project(waist)
        return _shifted(cut, round(float(b[0] - a[0])), round(float(b[1] - a[1])), self.painter.camera)

    def _nearer(
        self, distance: float, states: Sequence[Bearing | None], walkers: Sequence[Walker]
    ) -> list[Cut]:
        """Cuts of everybody nearer to the camera than `distance`."""
        cuts = [
            self.look(j + 1, s).cut
            for j, s in enumerate(states)
            if s is not None and self.far[j] < distance - 1e-6
        ]
        return cuts + [self.passer(w) for w in walkers if self._distance(w) < distance]

    def _distance(self, w: Walker) -> float:
        return float(np.linalg.norm(vec(w.x, w.y, 0) - np.array(self.scene.camera.position)))

    def compose(self, states: Sequence[Bearing | None], walkers: Sequence[Walker] = ()) -> Image:
        """The whole frame (bgr) from sprites, what is far first. states: ten seats, and the judge when he is seen."""
        frame = self.plate.copy()
        looks = [None if s is None else self.look(i + 1, s) for i, s in enumerate(states)]
        for look, s in zip(looks, states, strict=True):
            if look is not None and s is not None:
                x0, y0, x1, y1 = look.shade_rect
                if x1 > x0:
                    shade = (
                        look.shade
                        if s.shown >= 1
                        else (255 - (255 - look.shade.astype(np.float32)) * s.shown).astype(np.uint8)
                    )
                    area = frame[y0:y1, x0:x1]
                    cv2.multiply(area, cv2.merge([shade] * 3), dst=area, scale=1 / 255)
        pieces = [
            (self.far[i], i, look.cut, s.shown)
            for i, (look, s) in enumerate(zip(looks, states, strict=True))
            if look is not None and s is not None
        ]
        pieces += [(self._distance(w), -1, self.passer(w), 1.0) for w in walkers]
        for _, _, cut, shown in sorted(pieces, key=lambda p: (-p[0], p[1])):
            x0, y0, x1, y1 = cut.rect
            if x1 <= x0 or y1 <= y0:
                continue
            area = frame[y0:y1, x0:x1]
            new = cv2.add(cv2.multiply(area, cv2.merge([cut.through] * 3), scale=1 / 255), cut.bgr)
            area[:] = new if shown >= 1 else cv2.addWeighted(area, 1 - shown, new, shown, 0)
        return frame

    # ---- measures -------------------------------------------------------------------------------
    def hand_view(
        self, seat: int, side: str, states: Sequence[Bearing | None], walkers: Sequence[Walker] = ()
    ) -> HandView:
        """How much of a hand the camera sees in this frame."""
        s = states[seat - 1]
        if s is None:
            return HandView(0.0, (0, 0, 0, 0), 0.0)
        model, placed = self.put(seat, replace(s, shown=1.0))
        q = self.painter.camera.project(self.palm(seat, placed, side))
        (x0, y0), (x1, y1) = q.min(axis=0), q.max(axis=0)
        box = (round(float(x0), 1), round(float(y0), 1), round(float(x1), 1), round(float(y1), 1))
        size = round(float(max(x1 - x0, y1 - y0)), 1)
        w, h = self.painter.camera.width, self.painter.camera.height
        rect = (max(0, int(x0) - 2), max(0, int(y0) - 2), min(w, int(x1) + 3), min(h, int(y1) + 3))
        if rect[2] - rect[0] < 3 or rect[3] - rect[1] < 3:
            return HandView(0.0, box, size)
        inside = float(((q[:, 0] >= 0) & (q[:, 0] < w) & (q[:, 1] >= 0) & (q[:, 1] < h)).mean())
        seen, whole = self.painter.hand(model, rect, 1 if side == "R" else 2)
        seen = seen.copy()
        for cut in self._nearer(self.far[seat - 1], states, walkers):
            self._cover(seen, rect, cut)
        return HandView(round(float(seen.sum() / whole * inside), 3) if whole else 0.0, box, size)

    @staticmethod
    def _cover(seen: NDArray[np.bool_], rect: Rect, cut: Cut) -> None:
        x0, y0, x1, y1 = (
            max(rect[0], cut.rect[0]),
            max(rect[1], cut.rect[1]),
            min(rect[2], cut.rect[2]),
            min(rect[3], cut.rect[3]),
        )
        if x1 > x0 and y1 > y0:
            hidden = (
                cut.through[y0 - cut.rect[1] : y1 - cut.rect[1], x0 - cut.rect[0] : x1 - cut.rect[0]] < 128
            )
            seen[y0 - rect[1] : y1 - rect[1], x0 - rect[0] : x1 - rect[0]] &= ~hidden

    def resting(self, pose: str = "rest") -> Bearing:
        arm = Move(f"day/{pose}", f"day/{pose}", STEPS)
        return Bearing(Move("day", "day", STEPS), Move("y0", "y0", STEPS), arm, arm)

    def seat_boxes(self, seat: int) -> dict[str, object]:
        """Boxes in pixels of the sitting upper body, the head, where the hands reach the table; joints."""
        camera = self.painter.camera
        model, placed = self.put(seat, self.resting())
        upper = model.vertices[model.vertices[:, 2] > 0.55]
        hands = []
        for pose in ("rest", "fist_vertical"):
            _, p = self.put(seat, self.resting(pose))
            hands += [self.palm(seat, p, side) for side in "RL"]
        around = np.vstack(hands)
        raised = around + vec(0, 0, 0.12)
        return {
            "seat": seat,
            "box": _box(camera.project(upper), camera.width, camera.height),
            "head_box": _box(camera.project(model.vertices[model.outfit.head]), camera.width, camera.height),
            "hands_box": _box(camera.project(np.vstack([around, raised])), camera.width, camera.height, 12),
            "facing_away_deg": round(self.facing_away(seat), 1),
            "joints": self.joints(seat, placed),
        }

    def joints(self, seat: int, placed: Placed) -> dict[str, list[float]]:
        """Pixels of shoulders, elbows, wrists, head."""
        figure = self.books[seat - 1].figure
        r, t = self.chairs[seat - 1]
        names = {
            f"{n}_{s}": f"{b}.{s}"
            for s in "RL"
            for n, b in (("shoulder", "upperarm01"), ("elbow", "lowerarm01"), ("wrist", "wrist"))
        }
        names["head"] = "head"
        points = np.array([placed.position[figure.template.index[b]] for b in names.values()]) @ r.T + t
        q = self.painter.camera.project(points)
        return {k: [round(float(x), 1), round(float(y), 1)] for k, (x, y) in zip(names, q, strict=True)}

    def facing_away(self, seat: int) -> float:
        """Degrees between where the person faces and the camera, seen from above."""
        _, t = self.chairs[seat - 1]
        to_camera = unit(np.array([*self.scene.camera.position[:2], 0.0]) - t * vec(1, 1, 0))
        faces = unit(-t * vec(1, 1, 0))
        return float(np.degrees(np.arccos(np.clip(to_camera @ faces, -1, 1))))

    def lower_left(self) -> int:
        """The seat nearest the picture's lower left corner."""
        q = self.painter.camera.project(np.array([t for _, t in self.chairs]))
        return int(np.argmin(np.hypot(q[:, 0], q[:, 1] - self.painter.camera.height))) + 1

    def surroundings(self) -> Surroundings:
        def yaw(seat: int, who: int | str) -> int:
            r, t = self.chairs[seat - 1]
            if isinstance(who, int):
                point = self.chairs[who - 1][1]
            else:
                point = vec(0, -1.9 if self.scene.room.judge == "near" else 1.9, 0)
            q = (point - t) @ r
            return int(np.clip(round(math.degrees(math.atan2(q[0], -q[1])) / 24), -2, 2))

        def elbow(seat: int, side: str) -> str:
            return self.books[seat - 1].elbow_torso(side)

        return Surroundings(yaw, elbow, self.scene.mask_on_forehead)

    def polygon(self) -> list[list[float]]:
        """The table's edge in pixels."""
        a = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        ring = np.stack([RADIUS * np.cos(a), RADIUS * np.sin(a), np.full(32, TOP)], axis=1)
        return [[round(float(x), 1), round(float(y), 1)] for x, y in self.painter.camera.project(ring)]


def _key(s: Bearing) -> str:
    def one(m: Move) -> str:
        return m.b if m.step >= STEPS else f"{m.a}>{m.b}:{m.step}"

    return f"{one(s.torso)} {one(s.right)} {one(s.left)} {one(s.head)} {s.mouth} {s.mask} {s.sway}"


def _shifted(cut: Cut, dx: int, dy: int, camera: Camera) -> Cut:
    """The piece moved by whole pixels, cut to the picture."""
    x0, y0, x1, y1 = cut.rect[0] + dx, cut.rect[1] + dy, cut.rect[2] + dx, cut.rect[3] + dy
    a, b, c, d = max(0, x0), max(0, y0), min(camera.width, x1), min(camera.height, y1)
    if c <= a or d <= b:
        return Cut(NOTHING, np.zeros((0, 0, 3), np.uint8), np.zeros((0, 0), np.uint8))
    area = np.s_[b - y0 : d - y0, a - x0 : c - x0]
    return Cut((a, b, c, d), cut.bgr[area], cut.through[area])


def _box(q: Array, w: int, h: int, pad: float = 0.0) -> list[float]:
    (x0, y0), (x1, y1) = q.min(axis=0) - pad, q.max(axis=0) + pad
    return [round(float(np.clip(v, 0, m)), 1) for v, m in ((x0, w), (y0, h), (x1, w), (y1, h))]


def _union(a: Rect, b: Rect) -> Rect:
    if NOTHING in (a, b):
        return b if a == NOTHING else a
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _merged(body: Cut, patch: Cut) -> Cut:
    """The patch replaces what the body shows in its rectangle."""
    if patch.rect == NOTHING:
        return body
    rect = _union(body.rect, patch.rect)
    w, h = rect[2] - rect[0], rect[3] - rect[1]
    bgr, through = np.zeros((h, w, 3), np.uint8), np.full((h, w), 255, np.uint8)
    for c in (body, patch):
        if c.rect != NOTHING:
            area = np.s_[c.rect[1] - rect[1] : c.rect[3] - rect[1], c.rect[0] - rect[0] : c.rect[2] - rect[0]]
            bgr[area], through[area] = c.bgr, c.through
    return Cut(rect, bgr, through)
