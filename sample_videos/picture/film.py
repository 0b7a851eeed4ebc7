"""A timed script becomes a picture: states frame by frame, light, noise; and what the camera can see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from mafiavar.sample_videos.errors import ScriptError
from mafiavar.sample_videos.picture.acting import Acting, Bearing
from mafiavar.sample_videos.picture.bystanders import JudgeActing, Walker, counting, passings, walkers
from mafiavar.sample_videos.picture.damage import Damage, Note
from mafiavar.sample_videos.picture.encode import PIECE_SECONDS
from mafiavar.sample_videos.picture.painter import Image
from mafiavar.sample_videos.picture.room import JUDGE_SEAT
from mafiavar.sample_videos.picture.stage import Stage
from mafiavar.sample_videos.script import JUDGE, Script
from mafiavar.sample_videos.sound.festival import RATE, Signal
from mafiavar.sample_videos.timing import Timed

MOUTH_AT = (0.16, 0.42, 0.75)  # share of a line's loudness at which the mouth opens further
STAGE_CONDITIONS = (
    "camera",
    "size",
    "low_light",
    "cast",
    "judge",
    "judge_seen",
    "passers",
    "cards",
)  # asked by render.stage_of
NICKNAMES = (
    "Comet", "Lynx", "Saffron", "Bishop", "Nova", "Walrus", "Echo", "Tundra", "Pixel", "Marble", "Otter", "Quartz",
    "Falcon", "Mint", "Zephyr", "Onyx",
)  # fmt: skip
BEHIND = 125.0  # degrees of facing away from which no mouth can be seen


@dataclass(frozen=True, slots=True)
class Filming:
    """noise: luma sigma; night: brightness of the night; blur: pixels; numbers: burn frame numbers in.

    bump: [second, dx, dy, degrees]; title_card, overlay: as a stream shows them; drop: share of missing
    frames (variable frame rate); rotation: 90, 180 or 270: the frames lie on their side or head and the file
    says by how many degrees (clockwise) a player must turn them.
    """

    fps: int = 25
    crf: int = 26
    noise: float = 1.2
    night: float = 0.72
    blur: float = 0.0
    numbers: bool = False
    bump: tuple[float, float, float, float] | None = None
    title_card: bool = False
    overlay: bool = False
    drop: float = 0.0
    rotation: int = 0

    @classmethod
    def of(cls, script: Script) -> Filming:
        """The picture's conditions. Raises ScriptError for an unknown one."""
        known = (*cls.__dataclass_fields__, *STAGE_CONDITIONS)
        unknown = [k for k in script.picture if k not in known]
        if unknown:
            names = ", ".join(sorted(known))
            raise ScriptError(
                f"picture.{unknown[0]}",
                f"нет такого условия; есть: {names}",
                f"no such condition; known: {names}",
            )
        given = {k: v for k, v in script.picture.items() if k in cls.__dataclass_fields__}
        if given.get("bump") is not None:
            second, dx, dy, turn = (float(x) for x in given["bump"])
            given["bump"] = (second, dx, dy, turn)
        if given.get("rotation", 0) not in (0, 90, 180, 270):
            raise ScriptError(
                "picture.rotation", "повернуть можно на 90, 180 или 270", "rotation is 90, 180 or 270"
            )
        return cls(**given)


class Film:
    """Frames of a recording and the truth about them. start: the second of the script at which it begins."""

    def __init__(
        self, timed: Timed, dry: Mapping[str, Signal], stage: Stage, filming: Filming, start: float = 0.0
    ) -> None:
        self.timed, self.stage, self.filming = timed, stage, filming
        self.first = round(start * filming.fps)
        self.acting = Acting(timed, stage.surroundings(), timed.script.seed)
        self.judge = JudgeActing(timed, timed.script.seed) if stage.scene.judge else None
        self.passing = passings(timed.script.picture.get("passers"), timed.duration, timed.script.seed)
        self.count = round(timed.duration * filming.fps)
        self.damage = Damage(
            filming.bump,
            filming.title_card,
            book_of(timed) if filming.overlay else (),
            filming.blur,
        )
        self.mouths = self._mouths(dry)

    @property
    def length(self) -> int:
        """Frames of the recording, missing ones included."""
        return self.count - self.first

    def _mouths(self, dry: Mapping[str, Signal]) -> np.ndarray[Any, np.dtype[np.int8]]:
        """(frames, 11) mouth levels 0..3 from the loudness of each seat's own lines, the judge's last."""
        out = np.zeros((self.count, 11), np.int8)
        fps = self.filming.fps
        for p in self.timed.lines:
            seat = JUDGE_SEAT if p.line.speaker == JUDGE and self.judge else p.line.speaker
            if not isinstance(seat, int) or self.stage.facing_away(seat) > BEHIND:
                continue
            x = dry[p.line.id]
            first = int(np.ceil(p.t0 * fps))
            levels = []
            for k in range(first, min(self.count, int(p.t1 * fps) + 1)):
                middle = round((k / fps - p.t0) * RATE)
                piece = x[max(0, middle - 440) : middle + 440]
                levels.append(float(np.sqrt((piece.astype(np.float64) ** 2).mean())) if len(piece) else 0.0)
            if levels:
                loud = float(np.percentile(levels, 92)) + 1e-6
                out[first : first + len(levels), seat - 1] = np.digitize(np.array(levels) / loud, MOUTH_AT)
        return out

    def states(self, k: int) -> list[Bearing | None]:
        t = k / self.filming.fps
        k = min(k, self.count - 1)
        seats = [self.acting.bearing(s, t, int(self.mouths[k, s - 1])) for s in range(1, 11)]
        return seats if self.judge is None else [*seats, self.judge.bearing(t, int(self.mouths[k, 10]))]

    def walkers(self, k: int) -> tuple[Walker, ...]:
        return walkers(self.passing, k / self.filming.fps)

    # ---- frames ---------------------------------------------------------------------------------
    def picture(self, k: int) -> Image:
        """One composed frame (bgr) without light changes and noise."""
        return self.stage.compose(self.states(k), self.walkers(k))

    def pieces(self) -> list[range]:
        """The recording's frames in pieces that are painted and encoded by themselves."""
        step = PIECE_SECONDS * self.filming.fps
        return [range(k, min(k + step, self.length)) for k in range(0, self.length, step)]

    def _missing(self, piece: range) -> set[int]:
        """Frames that the camera lost. Three at either end of a piece are always there, so that pieces join."""
        lost = np.random.default_rng([self.timed.script.seed, 5, piece.start])
        return {k for k in piece[3:-3] if lost.random() < self.filming.drop}

    def frames(self, piece: range, progress: Callable[[], None] | None = None) -> Iterator[tuple[int, Image]]:
        """(frame number counted from the piece's first, yuv420p planes). The same for one piece as for all."""
        g = np.random.default_rng([self.timed.script.seed, 4])
        w, h = self.stage.painter.camera.width, self.stage.painter.camera.height
        grain = np.round(g.normal(0, self.filming.noise, (h + 64, w + 64))).astype(np.int8)
        phase = g.uniform(0, 6.28, 2)
        where = np.random.default_rng([self.timed.script.seed, 6, piece.start])
        missing = self._missing(piece)
        before: object = None
        still = np.zeros((h * 3 // 2, w), np.uint8)
        for number in piece:
            k = number + self.first
            t = k / self.filming.fps
            if number in missing:
                continue
            night = self.acting.dark(t)
            states, strangers = self.states(k), self.walkers(k)
            now = states, strangers, self.damage.phase(t, night)
            if now != before:
                image = self.damage.apply(self.stage.compose(states, strangers), t, night)
                still = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420), np.uint8)
                before = now
            planes = self._lit(still, t, phase)
            if self.filming.noise > 0:
                y, x = int(where.integers(0, 64)), int(where.integers(0, 64))
                cv2.add(planes[:h], grain[y : y + h, x : x + w], dst=planes[:h], dtype=cv2.CV_8U)
            if self.filming.numbers:
                _burn(planes[:h], number)
            if progress is not None:
                progress()
            yield number - piece.start, turned(planes, self.filming.rotation)

    def _lit(self, still: Image, t: float, phase: np.ndarray[Any, Any]) -> Image:
        """The hall's light: darker at night, breathing a little."""
        level = 1.0
        for a, b in self.acting.nights:
            level = min(
                level,
                float(np.interp(t, [a, a + 1.6, b, b + 1.2], [1, self.filming.night, self.filming.night, 1])),
            )
        level *= 1 + 0.012 * float(np.sin(t / 5 + phase[0])) + 0.006 * float(np.sin(t / 1.2 + phase[1]))
        h = still.shape[0] * 2 // 3
        u = np.arange(256, dtype=np.float32)
        out = np.empty_like(still)
        cv2.LUT(still[:h], np.clip((u - 16) * level + 16.5, 0, 255).astype(np.uint8), dst=out[:h])
        cv2.LUT(still[h:], np.clip((u - 128) * level + 128.5, 0, 255).astype(np.uint8), dst=out[h:])
        return out

    # ---- truth ----------------------------------------------------------------------------------
    def truth(self, hands: list[dict[str, Any]], signs: list[dict[str, Any]]) -> dict[str, Any]:
        """The `video` part of the truth file."""
        stage, scene = self.stage, self.stage.scene
        return {
            "fps": self.filming.fps,
            "size": [scene.camera.width, scene.camera.height],
            "frames": self.length,
            "camera": self.timed.script.picture.get("camera", "high"),
            "camera_height_m": round(scene.camera.position[2], 2),
            "judge_side": scene.room.judge,
            "seat_order": "clockwise seen from above, seat 1 at the judge's left",
            "number_cards": scene.room.cards,
            "table_colour": scene.room.felt,
            "mask_on_forehead_by_day": list(scene.mask_on_forehead),
            "seats": [stage.seat_boxes(s) for s in range(1, 11)],
            "table_polygon": stage.polygon(),
            **self._bystanders(),
            "hands": [{"index": n, "seat": h["seat"], **self._view(h, h["hand"])} for n, h in enumerate(hands)],
            "signs": [
                {"index": n, "seat": x["seat"], "right": self._view(x, "right"), **({"left": self._view(x, "left")} if x["number"] > 5 else {})}
                for n, x in enumerate(signs)
            ],
        }  # fmt: skip

    def _bystanders(self) -> dict[str, Any]:
        """Where the judge sits and when his arm is over the table; who walks by when."""
        out: dict[str, Any] = {}
        if self.judge is not None:
            box = self.stage.seat_boxes(JUDGE_SEAT)["box"]
            out["judge"] = {"box": box, "arm": [[round(a, 3), round(b, 3)] for a, b in counting(self.timed)]}
        if self.passing:
            out["passers"] = [
                {"t0": round(p.t0, 3), "t1": round(p.t1, 3), "where": p.where} for p in self.passing
            ]
        return out

    def _view(self, item: dict[str, Any], hand: str) -> dict[str, Any]:
        k = min(self.count - 1, round((item["t0"] + item["t1"]) / 2 * self.filming.fps))
        side = "R" if hand == "right" else "L"
        v = self.stage.hand_view(item["seat"], side, self.states(k), self.walkers(k))
        return {"visible": min(1.0, v.visible), "size_px": v.size, "box": list(v.box)}


def book_of(timed: Timed) -> list[Note]:
    """What a streamer's overlay would show when: fouls, nominees, who is out."""
    fouls, nominated, out = [0] * 10, list[int](), list[int]()
    g = np.random.default_rng([timed.script.seed, 62])
    names = tuple(NICKNAMES[int(i)] for i in g.permutation(len(NICKNAMES))[:10])
    notes = [Note(0.0, names)]
    for p in sorted(timed.lines, key=lambda p: p.t1):
        for e in p.line.events:
            if e["kind"] == "foul" and e.get("level") == "foul":
                fouls[e["seat"] - 1] += 1
            elif e["kind"] == "nominated" and e.get("accepted"):
                nominated.append(e["target"])
            elif e["kind"] == "eliminated":
                out += e["seats"]
            elif e["kind"] == "night_began":
                nominated = []
            else:
                continue
            notes.append(Note(p.t1 + 1.5, names, tuple(fouls), tuple(nominated), tuple(out)))
    return notes


def turned(planes: Image, rotation: int) -> Image:
    """The planes as a camera that lies on its side records them: upright again after `rotation` clockwise."""
    if not rotation:
        return planes
    how = {90: cv2.ROTATE_90_COUNTERCLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_CLOCKWISE}[rotation]
    h, w = planes.shape[0] * 2 // 3, planes.shape[1]
    luma = cv2.rotate(planes[:h], how)
    chroma = [cv2.rotate(c, how) for c in planes[h:].reshape(2, h // 2, w // 2)]
    return np.concatenate([luma, *(c.reshape(-1, luma.shape[1]) for c in chroma)]).astype(np.uint8)


def _burn(luma: Image, k: int) -> None:
    """The frame's number, in digits and as twelve squares (most significant left): to prove what is shown."""
    cv2.rectangle(luma, (0, 0), (420, 44), 16, -1)
    cv2.putText(luma, f"{k:06d}", (8, 34), cv2.FONT_HERSHEY_SIMPLEX, 1.0, 235, 2)
    for bit in range(16):
        if k >> (15 - bit) & 1:
            x = 150 + bit * 16
            cv2.rectangle(luma, (x, 10), (x + 11, 33), 235, -1)
