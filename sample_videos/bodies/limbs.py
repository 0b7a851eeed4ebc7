"""Arms by inverse kinematics and fingers by angles."""

from __future__ import annotations

import numpy as np

from mafiavar.sample_videos.bodies.figure import Figure, Pose
from mafiavar.sample_videos.geometry import Array, basis, rotation, twist, unit

Curls = tuple[tuple[float, float, float], ...]
Thumb = tuple[tuple[float, float, float], ...]

# Degrees of the three joints of index, middle, ring, little finger, counted from the straight hand.
STRAIGHT = (2.0, 4.0, 2.0)
CURLED = (74.0, 100.0, 63.0)
# Directions of the thumb's three bones in the hand's frame: (fingers, thumb side, palm).
THUMB_OVER: Thumb = ((0.70, 0.34, 0.63), (0.86, -0.10, 0.52), (0.30, -0.86, 0.42))
THUMB_ALONG: Thumb = ((0.72, 0.50, 0.48), (0.84, 0.30, 0.44), (0.90, 0.10, 0.42))
THUMB_FLAT: Thumb = ((0.75, 0.62, 0.18), (0.80, 0.58, 0.10), (0.86, 0.50, 0.05))
THUMB_IN: Thumb = ((0.62, 0.20, 0.72), (0.72, -0.35, 0.55), (0.60, -0.62, 0.45))
THUMB_OUT: Thumb = ((0.55, 0.80, 0.20), (0.60, 0.78, 0.08), (0.62, 0.78, 0.02))
THUMB_UP: Thumb = ((0.45, 0.88, 0.15), (0.40, 0.90, 0.05), (0.38, 0.92, 0.02))


def _counted(fingers: int) -> Curls:
    return tuple(STRAIGHT if i < min(fingers, 4) else CURLED for i in range(4))


HANDS: dict[str, tuple[Curls, Thumb]] = {
    "flat": ((STRAIGHT,) * 4, THUMB_FLAT),
    "relaxed": (((18, 26, 14), (22, 30, 16), (26, 32, 18), (28, 34, 18)), THUMB_ALONG),
    "half": (((12, 15, 8),) * 4, THUMB_ALONG),
    "cup": (((24, 30, 16),) * 4, THUMB_ALONG),
    "fist": (((70, 98, 62), (74, 100, 64), (76, 100, 64), (78, 98, 64)), THUMB_OVER),
    "point": (((4, 6, 4), (70, 98, 60), (74, 98, 60), (76, 96, 60)), THUMB_OVER),
    "gun": ((STRAIGHT, CURLED, CURLED, CURLED), THUMB_UP),
    "thumb_up": ((CURLED,) * 4, THUMB_UP),
    "sign1": (_counted(1), THUMB_OVER),
    "sign2": (_counted(2), THUMB_OVER),
    "sign3": (_counted(3), THUMB_OVER),
    "sign4": (_counted(4), THUMB_IN),
    "sign5": (_counted(5), THUMB_OUT),
}


def bend(figure: Figure, pose: Pose, bones: tuple[str, ...], axis: Array, degrees: float) -> None:
    """Turn a chain of bones by `degrees` in all, evenly shared."""
    step = rotation(axis, degrees / len(bones))
    for bone in bones:
        i = figure.template.index[bone]
        pose.local[i] = step @ pose.local[i]


def _reach(shoulder: Array, wrist: Array, upper: float, fore: float) -> Array:
    """The wrist, pulled in when it lies beyond the arm's length."""
    way = wrist - shoulder
    longest = (upper + fore) * 0.995
    length = float(np.linalg.norm(way))
    return shoulder + way / length * longest if length > longest else wrist


def arm(
    figure: Figure, pose: Pose, side: str, wrist: Array, elbow: Array, direction: Array, thumb: Array
) -> None:
    """Two-bone inverse kinematics, in place.

    wrist: where it shall be (metres, person's space); elbow: direction in which the elbow points;
    direction: where the fingers point; thumb: from the little finger's knuckle to the index's.
    The forearm carries part of the hand's twist, as radius and ulna do.
    """
    ix = figure.template.index
    up1, up2, low1, low2, hand = (
        f"{b}.{side}" for b in ("upperarm01", "upperarm02", "lowerarm01", "lowerarm02", "wrist")
    )
    s0, e0, w0 = figure.at(up1), figure.at(low1), figure.at(hand)
    placed = figure.place(pose)
    shoulder = placed.position[ix[up1]]
    outer = placed.rotation[figure.template.parent[ix[up1]]]
    upper, fore = float(np.linalg.norm(e0 - s0)), float(np.linalg.norm(w0 - e0))
    w = _reach(shoulder, wrist, upper, fore)
    way = w - shoulder
    length = float(np.linalg.norm(way))
    u = way / length
    along = (upper**2 - fore**2 + length**2) / (2 * length)
    aside = np.sqrt(max(upper**2 - along**2, 1e-8))
    e = shoulder + u * along + unit(elbow - u * (elbow @ u)) * aside
    hinge0, hinge = np.cross(e0 - s0, w0 - e0), np.cross(e - shoulder, w - e)
    r_upper = basis(e - shoulder, hinge) @ basis(e0 - s0, hinge0).T
    r_fore = basis(w - e, hinge) @ basis(w0 - e0, hinge0).T
    axis = unit(e0 - s0)
    local = outer.T @ r_upper
    roll = twist(local, axis)
    pose.local[ix[up1]] = local @ rotation(axis, -roll * 0.5)
    pose.local[ix[up2]] = rotation(axis, roll * 0.5)
    knuckles = figure.at(f"finger2-1.{side}") - figure.at(f"finger5-1.{side}")
    r_hand = basis(direction, thumb) @ basis(figure.at(f"finger3-1.{side}") - w0, knuckles).T
    axis = unit(w0 - e0)
    roll = twist(r_fore.T @ r_hand, axis)
    pose.local[ix[low1]] = (r_upper.T @ r_fore) @ rotation(axis, roll * 0.35)
    pose.local[ix[low2]] = rotation(axis, roll * 0.45)
    pose.local[ix[hand]] = (r_fore @ rotation(axis, roll * 0.8)).T @ r_hand


def fingers(figure: Figure, pose: Pose, side: str, kind: str) -> None:
    """Bend the fingers of one hand into a shape of HANDS, in place."""
    ix = figure.template.index
    curls, thumb = HANDS[kind]
    wrist = figure.at(f"wrist.{side}")
    ahead = unit(figure.at(f"finger3-1.{side}") - wrist)
    frame = basis(ahead, figure.at(f"finger2-1.{side}") - figure.at(f"finger5-1.{side}"))
    aside, palm = frame[:, 1], frame[:, 2]
    if palm @ (figure.end(f"finger3-3.{side}") - figure.at(f"finger3-1.{side}")) < 0:
        palm = -palm  # the palm is where the resting fingers curl to
    hinge = np.cross(ahead, palm)
    for finger, angles in zip((2, 3, 4, 5), curls, strict=True):
        names = [f"finger{finger}-{k}.{side}" for k in (1, 2, 3)]
        points = [figure.at(n) for n in names] + [figure.end(names[-1])]
        before = wanted = 0.0
        for k, name in enumerate(names):
            d = points[k + 1] - points[k]
            resting = float(np.degrees(np.arctan2(d @ palm, d @ ahead)))
            wanted += angles[k]
            pose.local[ix[name]] = rotation(hinge, wanted - resting - before)
            before = wanted - resting
    names = [f"finger1-{k}.{side}" for k in (1, 2, 3)]
    points = [figure.at(n) for n in names] + [figure.end(names[-1])]
    hand = np.stack([ahead, aside, palm], axis=1)
    turned = np.eye(3)
    for k, name in enumerate(names):
        d0, d1 = unit(points[k + 1] - points[k]), unit(hand @ np.array(thumb[k]))
        axis = np.cross(d0, d1)
        angle = float(np.degrees(np.arctan2(np.linalg.norm(axis), d0 @ d1)))
        turn = rotation(axis, angle) if angle > 1e-3 else np.eye(3)
        pose.local[ix[name]] = turned.T @ turn
        turned = turn
