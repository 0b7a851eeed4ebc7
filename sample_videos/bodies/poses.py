"""Poses of a person seated at the table, by channel: torso, head, right arm, left arm.

Person's space: the chair under the origin, the table ahead: its edge at y = -EDGE, its top at z = TOP.
A pose of a channel is an array of quaternions for the bones of that channel; channels combine freely,
except that an arm's pose depends on the torso's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mafiavar.sample_videos.bodies.figure import Figure, Placed, Pose, Skin
from mafiavar.sample_videos.bodies.limbs import arm, bend, fingers
from mafiavar.sample_videos.bodies.template import SIDES
from mafiavar.sample_videos.geometry import Array, quaternions, rotation, rotations, unit, vec

TOP = 0.745
EDGE = 0.24
SEAT = 0.46
SKIN_GAP = 0.001  # a resting hand stands this far above the table top, metres
LIFTED = "^"  # suffix: the same form, held above the table
FORMS = ("fist_vertical", "fist_flat", "palm", "finger", "elbow")
BACK = ("spine05", "spine04", "spine03", "spine02", "spine01")
NECK = (("neck01", 0.22), ("neck02", 0.18), ("neck03", 0.15), ("head", 0.45))
X, Y, Z = vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)


@dataclass(frozen=True, slots=True)
class Channel:
    """Quaternions (k, 4) of a channel's bones; root only for the torso."""

    q: Array
    root: Array | None = None


@dataclass(frozen=True, slots=True)
class Grip:
    """One way to hold an arm: finger shape, wrist, elbow hint, finger direction, thumb side."""

    shape: str
    wrist: Array
    elbow: Array
    direction: Array
    thumb: Array
    rests: bool = False


@dataclass(frozen=True, slots=True)
class Manner:
    """A person's own way to sit, degrees and metres."""

    lean: float
    bow: float
    pitch: float
    roll: float
    aside: float
    ahead: float
    inward: float

    @classmethod
    def of(cls, g: np.random.Generator) -> Manner:
        u = g.uniform
        return cls(
            6 + u(-2, 3),
            42 + u(-5, 6),
            8 + u(-3, 3),
            u(-3, 3),
            u(-0.025, 0.025),
            u(-0.01, 0.03),
            u(0.05, 0.35),
        )


class PoseBook:
    """Every pose of one person, made when first asked for and kept."""

    def __init__(self, figure: Figure, manner: Manner) -> None:
        self.figure, self.manner = figure, manner
        t = figure.template
        arms = {s: t.below(f"clavicle.{s}") for s in SIDES}
        head = t.below("neck01")
        taken = {*arms["R"], *arms["L"], *head}
        rest = tuple(i for i in range(len(t.bones)) if i not in taken)
        self.bones: dict[str, Array] = {
            "T": np.array(rest),
            "H": np.array(head),
            "R": np.array(arms["R"]),
            "L": np.array(arms["L"]),
        }
        self._cache: dict[tuple[str, ...], Channel] = {}
        self.palms: dict[str, Skin] = {}
        for s in SIDES:
            on = np.flatnonzero(t.weight_of("wrist", "finger", "metacarpal", side=s) > 0.6)
            used = on[np.isin(on, t.vertices_of("body"))]
            self.palms[s] = Skin(figure.vertices[used], t.weights[used])

    # ---- channels -------------------------------------------------------------------------------
    def torso(self, name: str) -> Channel:
        """day, night, stand, walk0..walk3, fwd, fwd2 (lean over the table), lean_left, lean_right."""
        key = ("T", name)
        if key not in self._cache:
            pose = self._torso_pose(name)
            self._cache[key] = Channel(quaternions(pose.local[self.bones["T"]]), pose.root)
        return self._cache[key]

    def _torso_pose(self, name: str) -> Pose:
        f, pose = self.figure, self.figure.neutral()
        if name == "stand":
            bend(f, pose, BACK, X, 3)
            pose.root = pose.root + vec(0, 0.05, 0)
            return pose
        if name.startswith("walk"):
            self._stride(pose, int(name[4:]))
            return pose
        lean = {"day": self.manner.lean, "night": 8.0, "fwd": 20.0, "fwd2": 32.0}.get(
            name, self.manner.lean + 3
        )
        ix = f.template.index
        for side, sign in (("L", 1), ("R", -1)):
            thigh = rotation(Z, sign * 7) @ rotation(X, -42)
            pose.local[ix[f"upperleg01.{side}"]] = thigh
            pose.local[ix[f"upperleg02.{side}"]] = rotation(X, -42)
            bend(f, pose, (f"lowerleg01.{side}",), X, 88)
        bend(f, pose, BACK, X, lean)
        if name in ("lean_left", "lean_right"):
            bend(f, pose, BACK, Y, 24 if name == "lean_left" else -24)
        pose.root = vec(0, 0, SEAT + 0.135)
        return pose

    def _stride(self, pose: Pose, phase: int) -> None:
        """One of four phases of a walk: legs apart, passing, apart the other way, passing."""
        f, ix = self.figure, self.figure.template.index
        swing = (24.0, 4.0, -24.0, -4.0)[phase]
        for side, sign in (("L", 1), ("R", -1)):
            pose.local[ix[f"upperleg01.{side}"]] = rotation(X, -sign * swing)
            behind = sign * swing < 0
            bend(
                f, pose, (f"lowerleg01.{side}",), X, (26.0 if behind else 4.0) + (14.0 if phase % 2 else 0.0)
            )
        bend(f, pose, BACK, X, 4)

    def head(self, name: str) -> Channel:
        """yN (looks N steps of 21 degrees to the left), down, bow (night), up (night, head raised)."""
        key = ("H", name)
        if key not in self._cache:
            f, pose, m = self.figure, self.figure.neutral(), self.manner
            pitch, yaw, roll = m.pitch, 0.0, m.roll
            if name == "bow":
                pitch, roll = m.bow, m.roll / 2
            elif name == "up":
                pitch = -4
            elif name == "down":
                pitch = 26
            elif name.startswith("y"):
                yaw = float(name[1:]) * 21
            bend(f, pose, ("neck01", "neck02", "head"), X, -(8.0 if name == "bow" else m.lean) * 0.8)
            for bone, share in NECK:
                i = f.template.index[bone]
                turn = rotation(Z, yaw * share) @ rotation(X, pitch * share) @ rotation(Y, roll * share)
                pose.local[i] = turn @ pose.local[i]
            self._cache[key] = Channel(quaternions(pose.local[self.bones["H"]]))
        return self._cache[key]

    def arm(self, torso: str, side: str, name: str, at: Array | None = None) -> Channel:
        """An arm's pose under a torso; `at` is the point to touch, in the person's space."""
        key = (torso, side, name, "" if at is None else str(np.round(at, 3).tolist()))
        if key not in self._cache:
            pose = self.assemble(self.torso(torso), self.head("bow" if torso == "night" else "y0"))
            self._hold(pose, side, name, at)
            self._cache[key] = Channel(quaternions(pose.local[self.bones[side]]))
        return self._cache[key]

    def assemble(
        self,
        torso: Channel,
        head: Channel | None = None,
        right: Channel | None = None,
        left: Channel | None = None,
    ) -> Pose:
        """A whole pose from its channels; a missing one stays at rest."""
        pose = self.figure.neutral()
        for ch, c in (("T", torso), ("H", head), ("R", right), ("L", left)):
            if c is not None:
                pose.local[self.bones[ch]] = rotations(c.q)
        if torso.root is not None:
            pose.root = torso.root.copy()
        return pose

    # ---- arms -----------------------------------------------------------------------------------
    def _hold(self, pose: Pose, side: str, name: str, at: Array | None) -> None:
        f = self.figure
        lifted = name.endswith(LIFTED)
        form = name.rstrip(LIFTED)
        if form == "cross":
            for s in SIDES:
                sign = 1 if s == "L" else -1
                pose.local[f.template.index[f"clavicle.{s}"]] = rotation(Z, -sign * 14)
        grip = self._grip(f.place(pose), side, form, at)
        fingers(f, pose, side, grip.shape)
        lift = 0.10 if lifted else 0.0
        wrist = grip.wrist + lift * Z
        arm(f, pose, side, wrist, grip.elbow, grip.direction, grip.thumb)
        if grip.rests:  # the lowest point of the hand, not the wrist, stands on the table
            for _ in range(3):
                wrist = wrist + (TOP + SKIN_GAP + lift - self.lowest(pose, side)) * Z
                arm(f, pose, side, wrist, grip.elbow, grip.direction, grip.thumb)

    def lowest(self, pose: Pose, side: str) -> float:
        """Height of the lowest point of a hand, metres."""
        return float(self.figure.skin(self.palms[side], self.figure.place(pose))[:, 2].min())

    def _grip(self, placed: Placed, side: str, name: str, at: Array | None) -> Grip:
        f, m = self.figure, self.manner
        sign = 1.0 if side == "L" else -1.0
        ix = f.template.index

        def mir(x: float, y: float, z: float) -> Array:
            """x is outward for either arm."""
            return vec(sign * x, y, z)

        def here(bone: str) -> Array:
            return np.asarray(placed.position[ix[bone]])

        turn = placed.rotation[ix["head"]]
        eyes = here("head") + turn @ (f.eyes - f.at("head"))
        x, reach = m.aside, EDGE + m.ahead
        out = mir(0.8, 0.35, -0.6)
        table: dict[str, Callable[[], Grip]] = {
            "rest": lambda: Grip("relaxed", mir(0.16 + x, -reach - 0.13, TOP + 0.045), out, mir(-0.45, -1, -0.10), mir(-1, 0.35, 0.12), True),
            "rest_in": lambda: Grip("relaxed", mir(0.10 + x, -reach - 0.07, TOP + 0.045), mir(0.9, 0.2, -0.5), mir(-1.0, -0.75, -0.08), mir(-0.7, 0.6, 0.2), True),
            "rest_flat": lambda: Grip("flat", mir(0.20 + x, -reach - 0.17, TOP + 0.04), out, mir(-0.15, -1, -0.06), mir(-1, 0.1, 0.15), True),
            "hover": lambda: Grip("relaxed", mir(0.19 + x, -EDGE - 0.04, TOP + 0.12), out, mir(-0.2, -1, 0.05), mir(-1, 0.2, 0.3)),
            "round": lambda: Grip(
                "relaxed", mir(0.25, -0.05, TOP + 0.07), mir(0.9, 0.7, -0.4), mir(-0.1, -0.45, 0.9), mir(-0.9, 0.3, 0.2)
            ),
            "lap": lambda: Grip("relaxed", mir(0.13, -0.235, 0.655), mir(0.8, 0.6, 0), mir(-0.35, -1, -0.35), mir(-1, 0.3, 0.3)),
            "face": lambda: Grip("relaxed", eyes + mir(0.055, -0.085, -0.185), mir(0.6, -0.3, -0.9), mir(-0.12, 0.30, 1.0), mir(-0.15, 1.0, -0.3)),
            "gesture": lambda: Grip("half", mir(0.20 + x, -EDGE - 0.17, TOP + 0.22), mir(0.8, 0.3, -0.7), mir(-0.1, -1, 0.35), mir(-0.2, 0.2, 1)),
            "gesture_open": lambda: Grip("flat", mir(0.24 + x, -EDGE - 0.20, TOP + 0.16), mir(0.8, 0.3, -0.7), mir(0.1, -1, 0.15), mir(0.6, 0.2, 0.7)),
            "pointing": lambda: Grip("point", mir(0.20 + x, -0.50, 1.06), mir(0.7, 0.2, -0.8), mir(-0.10, -1, 0.05), mir(-0.75, 0, 0.65)),
            "gun": lambda: Grip("gun", mir(0.17, -0.36, 1.27), mir(0.8, 0.1, -0.6), mir(-0.05, -1, 0.14), mir(-0.15, 0, 1)),
            "reach": lambda: Grip("point", mir(0.02, -0.66, TOP + 0.20), mir(0.8, 0.2, -0.7), mir(-0.05, -1, -0.12), mir(-0.75, 0.1, 0.6)),
            "write": lambda: Grip("cup", mir(0.12 + x, -reach - 0.10, TOP + 0.05), out, mir(-0.35, -1, -0.30), mir(-0.8, 0.2, 0.5), True),
            "thumb_up": lambda: Grip("thumb_up", mir(0.17 + x, -reach - 0.12, TOP + 0.055), mir(0.75, 0.35, -0.7), mir(-0.3, -1, 0), mir(-0.08, 0, 1), True),
            "fist_vertical": lambda: Grip("fist", mir(0.17 + x, -reach - 0.12, TOP + 0.055), mir(0.75, 0.35, -0.7), mir(-m.inward, -1, 0), mir(-0.08, 0, 1), True),
            "fist_flat": lambda: Grip("fist", mir(0.17 + x, -reach - 0.12, TOP + 0.055), out, mir(-0.2, -1, -0.02), mir(-1, 0.2, 0.05), True),
            "palm": lambda: Grip("flat", mir(0.17 + x, -reach - 0.11, TOP + 0.04), out, mir(-0.2, -1, -0.02), mir(-1, 0.2, 0.02), True),
            "finger": lambda: Grip("point", mir(0.17 + x, -reach - 0.12, TOP + 0.06), out, mir(-0.15, -1, -0.22), mir(-0.75, 0.1, 0.55), True),
            "hang": lambda: Grip("relaxed", here(f"upperarm01.{side}") + mir(0.09, -0.03, -0.50), mir(0.3, 1, 0), mir(0, -0.1, -1), mir(0, -1, 0.1)),
            "mask": lambda: Grip("cup", eyes + turn @ mir(0.125, -0.045, -0.125), mir(0.75, -0.1, -0.7), turn @ mir(-0.28, 0.12, 1), turn @ mir(0.25, 1, 0.05)),
            "cross": lambda: Grip(
                "cup",
                here(f"upperarm01.{'R' if side == 'L' else 'L'}") + mir(0.075, -0.100 if side == "R" else -0.140, -0.035),
                mir(0.50, -0.45, -0.9), mir(-0.72, 0.50, 0.55), mir(0.55, 0, 0.80),
            ),
            "elbow": lambda: self._elbow(placed, side),
            "touch": lambda: self._touch(placed, side, at),
        }  # fmt: skip
        if name.startswith("sign"):
            return Grip(
                name, mir(0.235 + x, -0.34, 1.075), mir(0.7, 0.1, -0.9), mir(0.06, -0.12, 1), mir(-1, -0.1, 0)
            )
        return table[name]()

    def _elbow(self, placed: Placed, side: str) -> Grip:
        """The elbow on the table, the fist in the air."""
        f = self.figure
        sign = 1.0 if side == "L" else -1.0
        low, hand = f"lowerarm01.{side}", f"wrist.{side}"
        shoulder = placed.position[f.template.index[f"upperarm01.{side}"]]
        upper = float(np.linalg.norm(f.at(low) - f.at(f"upperarm01.{side}")))
        fore = float(np.linalg.norm(f.at(hand) - f.at(low)))
        drop = shoulder[2] - (TOP + 0.045)
        way = unit(vec(sign * 0.12, -1, 0)) * np.sqrt(max(upper**2 - drop**2, 1e-4))
        elbow = vec(shoulder[0] + way[0], shoulder[1] + way[1], shoulder[2] - min(drop, upper * 0.98))
        wrist = elbow + unit(vec(sign * -0.18, -0.22, 1)) * fore
        return Grip(
            "fist",
            wrist,
            elbow - (shoulder + wrist) / 2,
            vec(sign * -0.12, -0.3, 1),
            vec(sign * -0.75, 0.6, 0.3),
        )

    def _touch(self, placed: Placed, side: str, at: Array | None) -> Grip:
        sign = 1.0 if side == "L" else -1.0
        shoulder = placed.position[self.figure.template.index[f"upperarm01.{side}"]]
        point = shoulder + vec(sign * 0.5, -0.2, 0) if at is None else at
        return Grip(
            "relaxed",
            point,
            vec(sign * 0.5, 0.2, -0.9),
            unit(point - shoulder) + vec(0, 0, 0.1),
            vec(0, -0.5, 0.8),
        )

    def elbow_torso(self, side: str) -> str:
        """The smallest lean that brings the elbow over the table."""
        for torso in ("day", "fwd"):
            placed = self.figure.place(self.assemble(self.torso(torso)))
            shoulder = placed.position[self.figure.template.index[f"upperarm01.{side}"]]
            upper = float(
                np.linalg.norm(self.figure.at(f"lowerarm01.{side}") - self.figure.at(f"upperarm01.{side}"))
            )
            drop = shoulder[2] - (TOP + 0.045)
            if upper > drop and shoulder[1] - np.sqrt(upper**2 - drop**2) < -EDGE:
                return torso
        return "fwd2"
