"""The room: table, chairs, walls, floor, number cards. Everything by a few numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from mafiavar.sample_videos.bodies.poses import EDGE, TOP
from mafiavar.sample_videos.bodies.wardrobe import FELT, PLAIN
from mafiavar.sample_videos.geometry import Array, Camera, rotation, vec
from mafiavar.sample_videos.picture.painter import Image, Solid

RADIUS = 1.18
SEATS = 10
JUDGE_SEAT = 11  # the judge's place, between the first seat and the tenth
FELTS = {"green": "#2a6a4c", "red": "#8a2c33", "blue": "#2d4d8a", "wood": "#93663f", "grey": "#5d6066"}


@dataclass(frozen=True, slots=True)
class Room:
    """judge: near or far (from the camera); seat 1 sits at the judge's left, the rest clockwise from above."""

    felt: str = "green"
    wall: str = "#a79f92"
    floor: str = "#6a5646"
    chair: str = "#33343a"
    judge: str = "far"
    cards: bool = True
    judge_chair: bool = field(default=False, repr=False)

    def angle(self, seat: int) -> float:
        """Direction of a seat from the table's middle, radians."""
        start = -90 if self.judge == "near" else 90
        if seat == JUDGE_SEAT:
            return math.radians(start)
        return math.radians(start - 36 * (seat - 0.5))

    def chair_at(self, seat: int) -> tuple[Array, Array]:
        """(3, 3) rotation and (3,) position that take a person's space into the room."""
        a = self.angle(seat)
        r = RADIUS + EDGE + (0.06 if seat == JUDGE_SEAT else 0.0)
        return rotation(vec(0, 0, 1), math.degrees(a) - 90), vec(math.cos(a) * r, math.sin(a) * r, 0)


def _disc(radius: float, z: float, thick: float, colour: str, material: int = PLAIN, n: int = 128) -> Solid:
    a = np.linspace(0, 2 * math.pi, n, endpoint=False)
    ring = np.stack([radius * np.cos(a), radius * np.sin(a)], axis=1)
    v = np.vstack([np.c_[ring, np.full(n, z)], np.c_[ring, np.full(n, z - thick)], [[0, 0, z]]])
    k, m = np.arange(n), (np.arange(n) + 1) % n
    top = np.stack([np.full(n, 2 * n), k, m], axis=1)
    side = np.concatenate([np.stack([k, k + n, m], axis=1), np.stack([m, k + n, m + n], axis=1)])
    return Solid(v, np.concatenate([top, side]), colour, material)


def _box(
    centre: tuple[float, float, float],
    size: tuple[float, float, float],
    colour: str,
    turn: float = 0.0,
    material: int = PLAIN,
    shadow: bool = True,
) -> Solid:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * np.array(size) / 2
    v = corners @ rotation(vec(0, 0, 1), math.degrees(turn)).T + np.array(centre)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    tri = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))], dtype=np.int64)
    return Solid(v, tri, colour, material, shadow)


def furniture(room: Room) -> list[Solid]:
    """Table first: its top is the one the shadows fall on."""
    things = [
        _disc(RADIUS, TOP, 0.03, FELTS[room.felt], FELT),
        _disc(RADIUS + 0.012, TOP - 0.012, 0.05, "#4a3323"),
        _disc(0.20, TOP - 0.06, 0.68, "#3a2a1e"),
        _box((0, 0, -0.05), (9, 9, 0.1), room.floor, 0, FELT, False),
        _box((0, 3.3, 1.5), (9, 0.1, 3.2), room.wall, 0, PLAIN, False),
        _box((-4.2, 0, 1.5), (0.1, 9, 3.2), room.wall, 0, PLAIN, False),
        _box((4.2, 0, 1.5), (0.1, 9, 3.2), room.wall, 0, PLAIN, False),
        _box((-1.9, 3.22, 1.55), (1.1, 0.04, 0.75), "#6b4a35"),
        _box((1.6, 3.22, 1.55), (1.3, 0.04, 0.75), "#3e5a74"),
        _box((0, 3.2, 0.06), (9, 0.06, 0.12), "#3c332c", 0, PLAIN, False),
    ]
    for seat in range(1, (JUDGE_SEAT if room.judge_chair else SEATS) + 1):
        a = room.angle(seat)
        r = RADIUS + EDGE
        x, y = math.cos(a), math.sin(a)
        things.append(
            _box((x * (r + 0.02), y * (r + 0.02), 0.435), (0.44, 0.44, 0.06), room.chair, a + math.pi / 2)
        )
        things.append(
            _box((x * (r + 0.27), y * (r + 0.27), 0.68), (0.40, 0.04, 0.34), room.chair, a + math.pi / 2)
        )
        for dx in (-0.19, 0.19):
            for dr in (-0.17, 0.22):
                px, py = x * (r + dr) - y * dx, y * (r + dr) + x * dx
                things.append(_box((px, py, 0.20), (0.03, 0.03, 0.41), "#202024", a))
    return things


def _card(number: int) -> NDArray[np.uint8]:
    card = np.full((150, 160, 3), 232, np.uint8)
    text, scale, thick = str(number), 4.0, 14
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    cv2.putText(
        card,
        text,
        (80 - w // 2, 75 + h // 2),
        cv2.FONT_HERSHEY_SIMPLEX,
        scale,
        (25, 25, 30),
        thick,
        cv2.LINE_AA,
    )
    return card


def lay_cards(plate: Image, room: Room, camera: Camera) -> Image:
    """The empty room with a number card before every seat, read from the table's middle.

    Cards stand so that judge and camera can read them across the table, as clubs lay them.
    """
    out = plate.astype(np.float32)
    for seat in range(1, SEATS + 1):
        a = room.angle(seat)
        u = np.array([math.cos(a), math.sin(a)])
        v = np.array([-u[1], u[0]])
        near, far, half = 0.62, 0.76, 0.075
        corners = [u * far + v * half, u * far - v * half, u * near - v * half, u * near + v * half]
        world = np.array([[*p, TOP + 0.001] for p in corners])
        pixels = camera.project(world).astype(np.float32)
        source = np.array([[0, 0], [160, 0], [160, 150], [0, 150]], np.float32)
        m = cv2.getPerspectiveTransform(source, pixels)
        size = (camera.width, camera.height)
        image = cv2.warpPerspective(_card(seat), m, size, flags=cv2.INTER_AREA).astype(np.float32)
        cover = cv2.warpPerspective(np.full((150, 160), 255, np.uint8), m, size, flags=cv2.INTER_LINEAR)
        k = cover.astype(np.float32)[..., None] / 255
        x, y = pixels.mean(axis=0).astype(int)
        inside = 0 <= x < camera.width and 0 <= y < camera.height
        light = float(np.clip(plate[y, x].max() / 110, 0.6, 1.0)) if inside else 0.8
        out = out * (1 - k) + image * light * k
    return out.astype(np.uint8)
