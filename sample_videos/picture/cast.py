"""Ten people and their room from a seed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mafiavar.sample_videos.bodies.physique import Physique
from mafiavar.sample_videos.bodies.wardrobe import MASK_FORMS, Look
from mafiavar.sample_videos.geometry import Camera
from mafiavar.sample_videos.picture.painter import Light
from mafiavar.sample_videos.picture.room import FELTS, Room

TONES = ("#f1d3bb", "#e8bd9f", "#dba98a", "#c98f6b", "#a8714f", "#7d4f35", "#5a3826")
HAIR = ("#17110e", "#2a1c14", "#3d2a1b", "#5a4028", "#7f6138", "#b08d58", "#6e3a22", "#8f8a86")
IRIS = ("#4a3524", "#31537a", "#4f6a45", "#5b5b5b")
SHIRTS = (
    "#31456b", "#8c2f3b", "#d8d5cf", "#2f6b57", "#b98a36", "#24262c", "#4b3a6b", "#6f2f35", "#55606b",
    "#e6e3de", "#9c5b2e", "#5b7fa3", "#a99cc4", "#3a3a3a", "#7c8f5a", "#c48d96",
)  # fmt: skip
MASKS = ("#0b0b0d", "#0b0b0d", "#0b0b0d", "#0b0b0d", "#1d2a4d", "#5a1420", "#6b4d7a", "#3b3d42")
WALLS = ("#a79f92", "#8d99a6", "#77695c", "#bdb7ac", "#7a5048", "#56646f")
FLOORS = ("#6a5646", "#6a6a6a", "#8a6f50", "#44444a")

# position, target, lens: how clubs put their camera
CAMERAS: dict[str, tuple[tuple[float, float, float], tuple[float, float, float], float]] = {
    "high": ((0.0, -2.95, 3.25), (0.0, 0.02, 0.64), 26.0),
    "std": ((0.0, -3.70, 2.55), (0.0, 0.10, 0.74), 29.0),
    "left": ((-1.75, -2.90, 2.75), (0.04, 0.06, 0.70), 26.0),
    "right": ((1.70, -2.85, 2.95), (-0.04, 0.06, 0.70), 26.0),
    "near": ((0.0, -2.45, 2.85), (0.0, 0.06, 0.68), 24.0),
    "low": ((0.3, -4.10, 1.70), (0.0, 0.20, 0.85), 31.0),
    "top": ((0.0, -1.55, 3.60), (0.0, -0.05, 0.70), 22.0),
}


@dataclass(frozen=True, slots=True)
class Person:
    physique: Physique
    look: Look


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything of a picture that does not move."""

    cast: tuple[Person, ...]
    room: Room
    light: Light
    camera: Camera
    mask_on_forehead: tuple[int, ...]  # seats that wear the pushed-up mask by day
    # people beside the ten; kept out of the representation under which sprites are stored
    judge: Person | None = field(default=None, repr=False)
    passers: tuple[Person, ...] = field(default=(), repr=False)


def _pick(g: np.random.Generator, options: tuple[str, ...]) -> str:
    return options[int(g.integers(len(options)))]


def person(g: np.random.Generator) -> Person:
    male = bool(g.random() < 0.6)
    africa, asia, europe = (float(x) for x in g.dirichlet([0.25, 0.5, 2.6]))
    head = _pick(g, ("oval", "round", "square", "rectangular", "triangular"))
    details = (
        (f"head/head-{head}", float(g.uniform(0, 0.7))),
        (f"nose/nose-scale-horiz-{_pick(g, ('incr', 'decr'))}", float(g.uniform(0, 0.5))),
        (f"nose/nose-scale-vert-{_pick(g, ('incr', 'decr'))}", float(g.uniform(0, 0.5))),
        (f"chin/chin-width-{_pick(g, ('incr', 'decr'))}", float(g.uniform(0, 0.6))),
    )
    u = g.uniform
    physique = Physique(
        gender=float(np.clip(male + g.normal(0, 0.1), 0, 1)),
        age=float(u(0.44, 0.80)),
        muscle=float(u(0.3, 0.75)),
        weight=float(u(0.3, 0.85)),
        height=float(u(0.35, 0.7)),
        african=africa,
        asian=asia,
        caucasian=europe,
        details=details,
    )
    tone = TONES[int(np.clip(africa * 6 + u(0, 2.4), 0, 6))]
    styles = ("short", "crop", "crop", "short", "bald") if male else ("long", "long", "short", "long")
    style = _pick(g, styles)
    look = Look(
        skin=tone,
        hair=_pick(g, HAIR[:7] if physique.age < 0.66 else HAIR),
        iris=_pick(g, IRIS),
        shirt=_pick(g, SHIRTS),
        shirt2=_pick(g, SHIRTS),
        pattern=_pick(g, ("plain", "plain", "plain", "stripes", "check")),
        sleeves=_pick(g, ("long", "long", "short", "half")),
        trousers=_pick(g, ("#22252c", "#2b3448", "#3a342d", "#1a1a1c")),
        hair_style=style,
        beard=float(male and g.random() < 0.35) * 0.7,
        glasses=bool(g.random() < 0.25),
        cap=_pick(g, ("#26324a", "#6b1f24", "#2d2d2f")) if g.random() < 0.12 and style != "long" else "",
        mask=_pick(g, MASKS),
        mask_form=_pick(g, tuple(MASK_FORMS)),
    )
    return Person(physique, look)


def scene(
    seed: int,
    camera: str = "high",
    size: tuple[int, int] = (1920, 1080),
    low_light: bool = False,
    judge: str | None = None,
    cards: bool | None = None,
    judge_seen: bool = False,
    passers: int = 0,
) -> Scene:
    """The cast, room, light and camera of a seed. Same seed, same scene, whatever the camera.

    judge: near or far; judge_seen: he sits at the table in the picture; passers: how many strangers there are.
    """
    g = np.random.default_rng([seed, 77])
    people = [person(g) for _ in range(10)]
    for i in range(1, 10):  # neighbours wear different shirts
        if people[i].look.shirt == people[i - 1].look.shirt:
            k = SHIRTS.index(people[i].look.shirt)
            look = people[i].look
            people[i] = Person(people[i].physique, _with_shirt(look, SHIRTS[(k + 5) % len(SHIRTS)]))
    room = Room(
        felt=_pick(g, tuple(FELTS)),
        wall=_pick(g, WALLS),
        floor=_pick(g, FLOORS),
        judge=judge or ("far" if g.random() < 0.5 else "near"),
        cards=bool(g.random() < 0.8) if cards is None else cards,
        judge_chair=judge_seen,
    )
    warm = g.uniform([0.96, 0.90, 0.76], [1.0, 0.97, 1.0])
    light = Light(
        float(g.uniform(0.85, 1.2)) * (0.30 if low_light else 1.0),
        (float(warm[0]), float(warm[1]), float(warm[2])),
    )
    forehead = tuple(i + 1 for i in range(10) if g.random() < 0.35)
    at, to, lens = CAMERAS[camera]
    move = np.random.default_rng([seed, 78]).uniform(-1, 1, 7)
    place = (at[0] + 0.10 * float(move[0]), at[1] + 0.06 * float(move[1]), at[2] + 0.05 * float(move[2]))
    aim = (to[0] + 0.02 * float(move[3]), to[1] + 0.02 * float(move[4]), to[2])
    view = Camera(place, aim, lens * (1 + 0.015 * float(move[5])), size[0], size[1], 0.6 * float(move[6]))
    others = np.random.default_rng([seed, 79])
    host = person(others)
    walking = tuple(person(others) for _ in range(passers))
    return Scene(tuple(people), room, light, view, forehead, host if judge_seen else None, walking)


def _with_shirt(look: Look, shirt: str) -> Look:
    values = {f: getattr(look, f) for f in Look.__dataclass_fields__}
    return Look(**{**values, "shirt": shirt})
