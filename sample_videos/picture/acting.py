"""Who moves how and when: from the acts of a script to the pose of every seat at every moment.

Four channels a person: torso T, head H, right arm R, left arm L. A channel is a list of segments; between
two segments the body moves. A hand that the truth calls on the table from t0 to t1 is down in exactly the
frames with t0 <= t < t1: it arrives in the frame of t0 and is off the table in the frame of t1.
"""

from __future__ import annotations

import bisect
import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from mafiavar.sample_videos.bodies.poses import FORMS, LIFTED
from mafiavar.sample_videos.script import JUDGE
from mafiavar.sample_videos.timing import PlacedAct, Timed

GESTURES = {"shot": "gun", "point": "pointing", "wave": "gesture_open", "write": "write"}  # arm poses
STEPS = 6  # pictures of one movement
EVER = 1e6
IDLE, ACT, CONTACT = "idle", "act", "contact"


@dataclass(frozen=True, slots=True)
class Move:
    """A channel between two poses: `step` of STEPS from `a` to `b`; step == STEPS: in `b`, at rest."""

    a: str
    b: str
    step: int


@dataclass(frozen=True, slots=True)
class Bearing:
    """Everything a picture of one seat depends on. mask: off, on, up; shown: share of the body that is there."""

    torso: Move
    head: Move
    right: Move
    left: Move
    mouth: int = 0
    mask: str = "off"
    sway: int = 0
    shown: float = 1.0


@dataclass(frozen=True, slots=True)
class Segment:
    t0: float
    t1: float
    pose: str
    kind: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A movement on the clock."""

    t0: float
    t1: float
    a: str
    b: str
    holds: str  # "", "arrives" (contact begins at t1), "leaves" (contact ends at t0)


def lay(segments: list[Segment], t0: float, t1: float, pose: str, kind: str) -> list[Segment]:
    """Put a segment over the others."""
    if t1 <= t0:
        return segments
    out: list[Segment] = []
    for s in segments:
        if s.t1 <= t0 or s.t0 >= t1:
            out.append(s)
            continue
        if s.t0 < t0:
            out.append(replace(s, t1=t0))
        if s.t1 > t1:
            out.append(replace(s, t0=t1))
    out.append(Segment(t0, t1, pose, kind))
    return sorted(out, key=lambda s: s.t0)


def fused(segments: list[Segment]) -> list[Segment]:
    """Neighbours in the same pose become one; a contact stays its own."""
    out: list[Segment] = []
    for s in segments:
        if out and out[-1].pose == s.pose and CONTACT not in (out[-1].kind, s.kind):
            out[-1] = replace(out[-1], t1=s.t1)
        else:
            out.append(s)
    return out


def passages(segments: list[Segment], seed: str, fast: tuple[float, float], slow: float) -> list[Passage]:
    """The movements between segments: into a contact or an act before its time, out of it after."""
    out: list[Passage] = []
    for a, b in pairwise(segments):
        if a.pose == b.pose and CONTACT not in (a.kind, b.kind):
            continue
        share = zlib.crc32(f"{seed} {a.t1:.2f}".encode()) % 1000 / 1000
        d = fast[0] + (fast[1] - fast[0]) * share
        if b.kind == CONTACT:
            p = Passage(b.t0 - d, b.t0, a.pose, b.pose, "arrives")
        elif a.kind == CONTACT:
            p = Passage(b.t0, b.t0 + d, a.pose, b.pose, "leaves")
        elif b.kind == ACT:
            p = Passage(b.t0 - d, b.t0, a.pose, b.pose, "")
        elif a.kind == ACT:
            p = Passage(b.t0, b.t0 + d, a.pose, b.pose, "")
        else:
            p = Passage(b.t0, b.t0 + d * slow, a.pose, b.pose, "")
        out.append(p)
    return _untangled(out)


def _untangled(moves: list[Passage]) -> list[Passage]:
    """No movement begins before the one before it has ended; contacts keep their times."""
    out: list[Passage] = []
    for move in moves:
        p = move
        if out and p.t0 < out[-1].t1:
            before = out[-1]
            if before.holds == "arrives":  # the contact is shorter than two movements: leave at once
                p = replace(p, t0=before.t1, t1=max(p.t1, before.t1 + 0.08))
            elif p.holds == "arrives":
                middle = max(before.t0, min(before.t1, (before.t0 + p.t1) / 2))
                out[-1] = replace(before, t1=middle)
                p = replace(p, t0=middle)
            else:
                p = replace(p, t0=before.t1, t1=max(p.t1, before.t1 + 0.12))
        out.append(p)
    return out


class Channel:
    """One channel of one seat on the clock."""

    def __init__(
        self, segments: list[Segment], seed: str, fast: tuple[float, float], slow: float = 1.5
    ) -> None:
        self.segments = segments
        self.moves = passages(segments, seed, fast, slow)
        self._starts = [m.t0 for m in self.moves]
        self._first = segments[0].pose

    def at(self, t: float) -> Move:
        k = bisect.bisect_right(self._starts, t + 1e-6) - 1
        if k < 0:
            return Move(self._first, self._first, STEPS)
        m = self.moves[k]
        if t >= m.t1 - 1e-6:
            return Move(m.b, m.b, STEPS)
        step = int((t - m.t0) / (m.t1 - m.t0) * STEPS)
        if m.holds == "leaves":
            step = max(1, step)  # off the table in the very frame in which the contact ends
        return Move(m.a, m.b, min(step, STEPS - 1))


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What acting must know of the stage."""

    yaw_to: Callable[[int, int | str], int]  # from a seat to a speaker: steps of 21 degrees to the left
    elbow_torso: Callable[[int, str], str]
    forehead: tuple[int, ...]


class Acting:
    """All seats of a timed script. `bearing(seat, t, mouth)` is the state at a moment."""

    def __init__(self, timed: Timed, around: Surroundings, seed: int) -> None:
        self.timed, self.around, self.seed = timed, around, seed
        self.duration = timed.duration
        self.nights = self._nights()
        self.votes = self._votes()
        self.by_seat: dict[int, list[PlacedAct]] = {s: [] for s in range(1, 11)}
        for a in timed.acts:
            if a.act.seat in self.by_seat:
                self.by_seat[a.act.seat].append(a)
        self.channels = {s: self._build(s) for s in range(1, 11)}

    # ---- what the script says of time -----------------------------------------------------------
    def _event_times(self, *kinds: str) -> list[tuple[str, float, float]]:
        out = []
        for p in self.timed.lines:
            out += [(e["kind"], p.t0, p.t1) for e in p.line.events if e["kind"] in kinds]
        return sorted(out, key=lambda x: x[1])

    def _nights(self) -> list[tuple[float, float]]:
        """From the judge's «ночь» to the morning; a recording may begin in one."""
        out: list[tuple[float, float]] = []
        start: float | None = None
        for kind, _, t1 in self._event_times("night_began", "day_began", "free_seating_began"):
            if kind == "night_began":
                start = t1
            else:
                out.append((-EVER if start is None and not out else start or 0.0, t1))
                start = None
        if start is not None:
            out.append((start, EVER))
        return [n for n in out if n[1] > 0]

    def _votes(self) -> list[tuple[float, float]]:
        """Windows in which the hands are under the table unless they vote."""
        out: list[tuple[float, float]] = []
        ends = self._event_times("vote_announced", "lift_result")
        others = self._event_times("eliminated", "night_began", "floor_given", "vote_opened")
        for _, t0, t1 in self._event_times("vote_opened", "lift_called"):
            limit = min((x[1] for x in others if x[1] > t0 + 0.5), default=EVER)
            last = max((x[2] for x in ends if t1 < x[2] <= limit + 1), default=t1)
            out.append((t1 - 0.6, last + 0.9))
        return out

    def _floors(self, seat: int) -> list[tuple[float, float]]:
        out = []
        for p in self.timed.lines:
            for e in p.line.events:
                if e["kind"] == "floor_given" and e["seat"] == seat:
                    ends = [
                        q.t1
                        for q in self.timed.lines
                        for x in q.line.events
                        if x["kind"] == "floor_ended" and x["seat"] == seat and q.t1 > p.t1
                    ]
                    out.append((p.t1, min(ends, default=p.t1 + 5)))
        return out

    # ---- one seat -------------------------------------------------------------------------------
    def _build(self, seat: int) -> dict[str, Channel]:
        g = np.random.default_rng([self.seed, seat, 99])
        acts = self.by_seat[seat]
        right, left = self._idle_arms(seat, g)
        torso = [Segment(-EVER, EVER, "day", IDLE)]
        head = self._gaze(seat, g)
        for a in acts:
            if a.act.kind == "mask":
                right, left, torso, head = self._masked(a, right, left, torso, head)
        for a in acts:
            right, left, torso, head = self._act(a, right, left, torso, head, g)
        for a in acts:
            if a.act.kind == "away":
                right, left, torso, head = self._gone(a, right, left, torso, head)
        right, left = (self._kept_up(fused(x)) for x in (right, left))
        torso = fused(torso)
        name = f"{self.seed} {seat}"
        return {
            "T": Channel(torso, name, (0.45, 0.75), 1.2),
            "H": Channel(fused(head), name, (0.28, 0.50), 1.2),
            "R": Channel(self._under(right, torso), name, (0.28, 0.46)),
            "L": Channel(self._under(left, torso), name, (0.28, 0.46)),
        }

    def _idle_arms(self, seat: int, g: np.random.Generator) -> tuple[list[Segment], list[Segment]]:
        pairs = (("rest", "rest"), ("rest_in", "rest_in"), ("rest_flat", "rest"), ("lap", "lap"), ("rest", "lap"), ("lap", "rest_in"), ("face", "rest_in"), ("rest_in", "face"))  # fmt: skip
        taste = g.dirichlet(np.array([0.26, 0.18, 0.12, 0.14, 0.09, 0.09, 0.06, 0.06]) * 12)
        talk = (("gesture", "rest"), ("rest", "rest"), ("gesture_open", "rest_in"), ("rest", "gesture"), ("pointing", "rest"), ("rest_flat", "rest_flat"), ("rest_in", "rest_in"))  # fmt: skip
        floors = self._floors(seat)
        cuts = sorted([x for v in self.votes for x in v] + [x for f in floors for x in f])
        right: list[Segment] = []
        left: list[Segment] = []
        t = -60.0
        while t < self.duration + 60:
            vote = next((v for v in self.votes if v[0] <= t < v[1]), None)
            speaking = any(a <= t < b for a, b in floors)
            if vote:
                pair, end = ("lap", "lap"), vote[1]
            elif speaking:
                pair = talk[int(g.choice(7, p=[0.22, 0.18, 0.15, 0.12, 0.08, 0.10, 0.15]))]
                end = t + float(g.uniform(1.8, 4.5))
            else:
                pair = pairs[int(g.choice(8, p=taste))]
                end = t + (float(g.uniform(6, 22)) if t > -30 else 55.0)
            end = min([end, self.duration + 60, *[c for c in cuts if c > t + 1e-6][:1]])
            late = float(g.uniform(0, 0.5)) if right else 0.0
            right.append(Segment(t + late if right else -EVER, end, pair[0], IDLE))
            left.append(Segment(t + late if left else -EVER, end, pair[1], IDLE))
            for x in (right, left):
                if len(x) > 1:
                    x[-2] = replace(x[-2], t1=x[-1].t0)
            t = end
        for x in (right, left):
            x[-1] = replace(x[-1], t1=EVER)
        return right, left

    def _gaze(self, seat: int, g: np.random.Generator) -> list[Segment]:
        head = [Segment(-EVER, EVER, "y0", IDLE)]
        last = -9.0
        for p in sorted(self.timed.lines, key=lambda p: p.t0):
            if p.t1 - p.t0 < 1.0 or p.t0 - last < 2.6:
                continue
            who = p.line.speaker
            if who == seat:
                pose = f"y{int(g.integers(-2, 3))}"
            elif g.random() < 0.6 and (isinstance(who, int) or who == JUDGE):
                pose = "down" if g.random() < 0.1 else f"y{self.around.yaw_to(seat, who)}"
            else:
                continue
            last = p.t0
            head = lay(head, p.t0 + float(g.uniform(0.1, 1.2)), EVER, pose, IDLE)
        for a, b in self.votes:
            head = lay(head, a + float(g.uniform(0, 1.5)), b, "y0", IDLE)
        return head

    def _masked(
        self,
        a: PlacedAct,
        right: list[Segment],
        left: list[Segment],
        torso: list[Segment],
        head: list[Segment],
    ) -> tuple[list[Segment], ...]:
        """Hands put the mask on; at night the night posture; hands take it off."""
        t0 = -EVER if a.t0 <= 0.05 else a.t0
        night = self.dark((a.t0 + a.t1) / 2)
        if night:
            torso = lay(torso, t0 + 0.3, a.t1 + 0.3, "night", ACT)
            head = lay(head, t0 + 0.3, a.t1, "bow", ACT)
        arms = []
        for arm in (right, left):
            if night:
                arm = lay(arm, t0 + 0.35, a.t1 - 0.30, "cross", ACT)  # noqa: PLW2901
            if a.t0 > 0.3:
                arm = lay(arm, a.t0 - 0.25, a.t0 + 0.35, "mask", ACT)  # noqa: PLW2901
            if a.t1 < self.duration - 0.3:
                arm = lay(arm, a.t1 - 0.30, a.t1 + 0.25, "mask", ACT)  # noqa: PLW2901
            arms.append(arm)
        return arms[0], arms[1], torso, head

    def _act(
        self,
        a: PlacedAct,
        right: list[Segment],
        left: list[Segment],
        torso: list[Segment],
        head: list[Segment],
        g: np.random.Generator,
    ) -> tuple[list[Segment], ...]:
        f, kind = a.act.fields, a.act.kind
        if kind == "hand":
            form, side = str(f["form"]), "R" if f["hand"] == "right" else "L"
            down = bool(f.get("on_table", True))
            pose = form if down else form + LIFTED
            if form == "elbow":
                torso = lay(torso, a.t0 - 0.2, a.t1 + 0.2, self.around.elbow_torso(a.act.seat, side), ACT)
            if side == "R":
                right = lay(right, a.t0, a.t1, pose, CONTACT if down else ACT)
            else:
                left = lay(left, a.t0, a.t1, pose, CONTACT if down else ACT)
        elif kind == "sign":
            n = int(f["number"])
            right = lay(right, a.t0, a.t1, f"sign{min(n, 5)}", ACT)
            if n > 5:
                left = lay(left, a.t0, a.t1, f"sign{n - 5}", ACT)
        elif kind == "gesture":
            right = lay(right, a.t0, a.t1, GESTURES[str(f["form"])], ACT)
        elif kind == "knock":
            right = lay(right, a.t0 - 0.04, a.t0 + 0.16, "fist_flat", CONTACT)
        elif kind == "posture":
            state = str(f["state"])
            if state == "head_up":
                head = lay(
                    head,
                    a.t0,
                    a.t1,
                    "up" if self.mask_at(a.act.seat, (a.t0 + a.t1) / 2) == "on" else "y0",
                    ACT,
                )
            elif state == "arms_down":
                rest = "lap" if g.random() < 0.5 else "rest"
                right, left = lay(right, a.t0, a.t1, rest, ACT), lay(left, a.t0, a.t1, rest, ACT)
            elif state in ("mask_off", "mask_held"):
                if state == "mask_off":
                    head = lay(head, a.t0, a.t1, "up", ACT)
                    for b0, b1 in ((a.t0 - 0.2, a.t0 + 0.35), (a.t1 - 0.35, a.t1 + 0.2)):
                        right = lay(right, b0, b1, "mask", ACT)
                else:
                    right = lay(right, a.t0, a.t1, "mask", ACT)
            elif state == "leaning":
                torso = lay(torso, a.t0, a.t1, "lean_left" if g.random() < 0.5 else "lean_right", ACT)
            elif state == "standing":
                torso, head = lay(torso, a.t0, a.t1, "stand", ACT), lay(head, a.t0, a.t1, "y0", ACT)
                right, left = lay(right, a.t0, a.t1, "hang", ACT), lay(left, a.t0, a.t1, "hang", ACT)
            elif state == "touching":
                to_left = int(f.get("target", a.act.seat % 10 + 1)) == a.act.seat % 10 + 1
                torso = lay(torso, a.t0, a.t1, "lean_left" if to_left else "lean_right", ACT)
                if to_left:
                    left = lay(left, a.t0, a.t1, "touch", ACT)
                else:
                    right = lay(right, a.t0, a.t1, "touch", ACT)
        return right, left, torso, head

    def _gone(
        self,
        a: PlacedAct,
        right: list[Segment],
        left: list[Segment],
        torso: list[Segment],
        head: list[Segment],
    ) -> tuple[list[Segment], ...]:
        for t0, t1 in ((a.t0 - 1.0, a.t0 + 0.6), (a.t1 - 0.6, a.t1 + 0.8)):
            if t0 > 0 and t0 < self.duration - 0.5:
                torso, head = lay(torso, t0, t1, "stand", ACT), lay(head, t0, t1, "y0", ACT)
                right, left = lay(right, t0, t1, "hang", ACT), lay(left, t0, t1, "hang", ACT)
        return right, left, torso, head

    @staticmethod
    def _kept_up(segments: list[Segment]) -> list[Segment]:
        """Between two contacts close together the hand only rises, it does not go away."""
        out = list(segments)
        for k in range(1, len(out) - 1):
            a, s, b = out[k - 1], out[k], out[k + 1]
            if a.kind == CONTACT == b.kind and s.t1 - s.t0 < 0.9:
                out[k] = replace(s, pose=b.pose + LIFTED)
        return out

    @staticmethod
    def _under(segments: list[Segment], torso: list[Segment]) -> list[Segment]:
        """Arm poses are named with the torso they hang on: `torso/pose`; arms move when the torso does."""
        out: list[Segment] = []
        for s in segments:
            cuts = [s.t0, *[x.t0 for x in torso if s.t0 < x.t0 < s.t1], s.t1]
            for t0, t1 in pairwise(cuts):
                middle = (max(t0, -EVER / 2) + min(t1, EVER / 2)) / 2
                under = next((x.pose for x in torso if x.t0 <= middle < x.t1), "day")
                kind = s.kind if (t0, t1) == (s.t0, s.t1) or s.kind != CONTACT else CONTACT
                out.append(Segment(t0, t1, f"{under}/{s.pose}", kind))
        return fused(out)

    # ---- at a moment ----------------------------------------------------------------------------
    def mask_at(self, seat: int, t: float) -> str:
        off = any(
            a.act.kind == "posture" and a.act.fields.get("state") == "mask_off" and a.t0 <= t < a.t1
            for a in self.by_seat[seat]
        )
        if off:
            return "up"
        if any(a.act.kind == "mask" and (a.t0 <= t or a.t0 <= 0.05) and t < a.t1 for a in self.by_seat[seat]):
            return "on"
        return "up" if seat in self.around.forehead else "off"

    def shown(self, seat: int, t: float) -> float:
        for a in self.by_seat[seat]:
            if a.act.kind != "away":
                continue
            if a.t0 <= t < a.t1:
                return 0.0
            if a.t0 > 1.2 and a.t0 - 0.4 < t < a.t0:
                return (a.t0 - t) / 0.4
            if a.t1 <= t < a.t1 + 0.4 and a.t1 < self.duration:
                return max(0.05, (t - a.t1) / 0.4)
        return 1.0

    def bearing(self, seat: int, t: float, mouth: int = 0) -> Bearing | None:
        """The seat's state, None when nobody sits there."""
        shown = self.shown(seat, t)
        if shown <= 0:
            return None
        c = self.channels[seat]
        sway = math.floor(t / 1.4 + seat * 0.37) % 4
        return Bearing(
            c["T"].at(t), c["H"].at(t), c["R"].at(t), c["L"].at(t), mouth, self.mask_at(seat, t), sway, shown
        )

    def dark(self, t: float) -> bool:
        return any(a <= t < b for a, b in self.nights)


def is_contact(move: Move) -> bool:
    """Whether an arm is at rest in a hand form on the table."""
    pose = move.b.split("/")[-1]
    return move.step == STEPS and pose in FORMS
