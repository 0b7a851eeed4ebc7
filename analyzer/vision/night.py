"""How ten people sit at night: mask on the eyes, head bowed, arms folded, and when that changed.

Everybody is compared with how they themselves sit for most of the night: an absolute angle of a
masked head is not to be had from a camera across the room (docs/seeing.md), a *change* is. A
departure must show twice: the seat's look differs from its own usual one, and the small head
trained on studio tables says what it became. Whoever shows the camera their back is not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.media.picture import Image, fitted, pictures
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.media.worker import crew
from mafiavar.analyzer.seats.seatmap import SeatMap
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.vision.bodies import Square, arms_box, facing, head_box, shows_its_back
from mafiavar.analyzer.vision.observe import picture_size
from mafiavar.analyzer.vision.place import lay_table
from mafiavar.analyzer.vision.question import Answer, Frame, Question, QuestionKind, Tell
from mafiavar.models.heads.look import look_features
from mafiavar.models.heads.softmax import Softmax

Floats = npt.NDArray[np.float64]

EVERY: Micros = 200_000
CHUNK: Micros = 12 * SECOND
_SIDE = 24
_LEAST = {"mask": 500_000, "head_up": 800_000, "arms_down": 800_000}
_JOIN: Micros = 600_000
_CHANGED = 7.0
"""Grey levels (mean over the region, an even change of light apart) beyond a seat's own unrest."""
_SURE = 0.75
_SMALL_HEAD = 36.0  # pixels
_DARK = 16.0
_NEVER_ON = 0.2
_SIDEWAYS = -0.3  # below this the face is turned away too far for the mask


@dataclass(frozen=True, slots=True, eq=False)
class NightLook:
    """Samples x seats: small grey pictures of head and chest and what the small heads say."""

    times: npt.NDArray[np.int64]
    pts: npt.NDArray[np.int64]
    heads: npt.NDArray[np.uint8]
    arms: npt.NDArray[np.uint8]
    eyes: Floats
    """P(the mask is on the eyes)."""
    forehead: Floats
    raised: Floats
    """P(the head is up)."""
    folded: Floats


def answer_night(
    recording: Recording,
    seats: SeatMap,
    questions: Sequence[Question],
    *,
    workers: int = 2,
    progress: Callable[[float], None] | None = None,
    number: int = 0,
) -> tuple[Answer, ...]:
    """Answers to MASK and POSTURE questions, in the order of questions, seats and time.

    For a seat that departed from its usual night look: one `yes` per departure, `value` being
    off | forehead (mask) or head_up | arms_down (posture). For one that did not: a single `no`.
    For one that cannot be judged: `cannot_tell` over the whole window. `workers=0`: this process.
    """
    asked = [q for q in questions if q.kind in (QuestionKind.MASK, QuestionKind.POSTURE)]
    if recording.video is None:
        return ()
    base = recording.video.time_base
    looks: dict[Span, NightLook] = {}
    windows = sorted({w for q in asked if (w := q.window & recording.span) is not None})
    for i, window in enumerate(windows):
        looks[window] = _observe(recording, seats, window, workers)
        if progress is not None:
            progress((i + 1) / len(windows))
    out: list[Answer] = []
    for q in asked:
        inside = q.window & recording.span
        if inside is None:
            continue
        judge = _Judge(
            seats, picture_size(recording), looks[inside], inside, number, (base.numerator, base.denominator)
        )
        for seat in q.seats:
            out += judge.mask(seat) if q.kind is QuestionKind.MASK else judge.posture(seat)
    return tuple(out)


# ---- looking ------------------------------------------------------------------------------------


def _observe(recording: Recording, seats: SeatMap, window: Span, workers: int) -> NightLook:
    spans = [Span(t, min(t + CHUNK - 1, window.t1)) for t in range(window.t0, window.t1 + 1, CHUNK)]
    if workers <= 0:
        parts = [look_at(recording, seats, s) for s in spans]
    else:
        with crew(min(workers, len(spans))) as pool:
            parts = list(pool.map(look_at, [recording] * len(spans), [seats] * len(spans), spans))
    return NightLook(*(np.concatenate([getattr(p, f) for p in parts]) for f in NightLook.__slots__))


@cache
def _head(name: str) -> Softmax:
    return Softmax.load(name)


def look_at(recording: Recording, seats: SeatMap, window: Span) -> NightLook:
    """Samples of one stretch, `EVERY` apart."""
    size = picture_size(recording)
    table = lay_table(seats)
    heads = [head_box(table, p, size) for p in table.places]
    arms = [arms_box(table, p, size) for p in table.places]
    n = len(heads)
    times, pts, small_heads, small_arms = [], [], [], []
    features: list[Floats] = []
    chests: list[Floats] = []
    for picture in pictures(recording, window, every=EVERY):
        times.append(picture.t)
        pts.append(picture.pts)
        image = fitted(picture.image, size)
        crops = [_cut(image, b) for b in heads]
        folds = [_cut(image, b) for b in arms]
        small_heads.append(np.stack([_small(c) for c in crops]))
        small_arms.append(np.stack([_small(c) for c in folds]))
        features.append(np.stack([look_features(c) for c in crops]))
        chests.append(np.stack([look_features(c) for c in folds]))
    m = len(times)
    x = np.stack(features).reshape(m * n, -1) if m else np.zeros((0, 176))
    y = np.stack(chests).reshape(m * n, -1) if m else np.zeros((0, 176))

    def says(name: str, what: str, values: Floats) -> Floats:
        head = _head(name)
        if not len(values):
            return np.zeros((0, n))
        return head.probabilities(values)[:, head.classes.index(what)].reshape(m, n)

    return NightLook(
        times=np.array(times, np.int64),
        pts=np.array(pts, np.int64),
        heads=np.stack(small_heads) if m else np.zeros((0, n, _SIDE, _SIDE), np.uint8),
        arms=np.stack(small_arms) if m else np.zeros((0, n, _SIDE, _SIDE), np.uint8),
        eyes=says("mask", "on", x),
        forehead=says("mask", "up", x),
        raised=says("head", "up", x),
        folded=says("arms", "cross", y),
    )


def _cut(image: Image, square: Square) -> Image:
    x, y, w, h = square
    return image[y : y + h, x : x + w]


def _small(crop: Image) -> npt.NDArray[np.uint8]:
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA), np.uint8)


# ---- judging ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Judge:
    seats: SeatMap
    size: tuple[int, int]
    look: NightLook
    window: Span
    recording: int
    time_base: tuple[int, int]

    def mask(self, seat: int) -> list[Answer]:
        table = lay_table(self.seats)
        k = self.seats.numbers.index(seat) if seat in self.seats.numbers else -1
        place = table.place(seat) if k >= 0 else None
        if place is None or self._unjudged(k) or facing(table, place)[1] < _SIDEWAYS:
            return [self._cannot(QuestionKind.MASK, seat)]
        eyes = smoothed(self.look.eyes[:, k])
        changed = departed(self.look.heads[:, k])
        usual = float(np.median(eyes))
        if usual < _NEVER_ON:
            return [self._cannot(QuestionKind.MASK, seat)]  # never seen with the mask on: no measure
        away = changed & (eyes < 0.5 * usual) & (eyes < 0.4)
        out = []
        for a, b in runs(away, self.look.times, _LEAST["mask"]):
            up = float(self.look.forehead[a : b + 1, k].mean())
            value = "forehead" if up > 0.6 else "off"
            p = float(np.clip(1 - eyes[a : b + 1].mean() / usual, 0.5, 0.98))
            if p >= _SURE:
                out.append(self._yes(QuestionKind.MASK, seat, (a, b), value, p))
        return out or [self._no(QuestionKind.MASK, seat, usual)]

    def posture(self, seat: int) -> list[Answer]:
        k = self.seats.numbers.index(seat) if seat in self.seats.numbers else -1
        if k < 0 or self._unjudged(k):
            return [self._cannot(QuestionKind.POSTURE, seat)]
        place = lay_table(self.seats).place(seat)
        out = []
        if not shows_its_back(place):
            raised = smoothed(self.look.raised[:, k])
            away = departed(self.look.heads[:, k]) & (raised > _SURE)
            for a, b in runs(away, self.look.times, _LEAST["head_up"]):
                out.append(
                    self._yes(QuestionKind.POSTURE, seat, (a, b), "head_up", float(raised[a : b + 1].mean()))
                )
        folded = smoothed(self.look.folded[:, k])
        usual = float(np.median(folded))
        away = departed(self.look.arms[:, k]) & (folded < max(0.5, usual - 0.2)) & (folded < usual - 0.15)
        for a, b in runs(away, self.look.times, _LEAST["arms_down"]):
            p = float(np.clip(1 - folded[a : b + 1].mean(), 0.5, 0.99))
            out.append(self._yes(QuestionKind.POSTURE, seat, (a, b), "arms_down", p))
        if out:
            return sorted(out, key=lambda x: (x.span, str(x.value)))
        if shows_its_back(place):
            return [self._cannot(QuestionKind.POSTURE, seat)]
        return [self._no(QuestionKind.POSTURE, seat, 0.9)]

    def _unjudged(self, k: int) -> bool:
        box = self.seats.seats[k].box
        dark = len(self.look.times) == 0 or float(np.median(self.look.heads[:, k])) < _DARK
        return dark or 0.29 * box.h < _SMALL_HEAD

    def _cannot(self, kind: QuestionKind, seat: int) -> Answer:
        return Answer(kind, seat, Tell.CANNOT_TELL, 0.5, self.window)

    def _no(self, kind: QuestionKind, seat: int, p: float) -> Answer:
        return Answer(
            kind,
            seat,
            Tell.NO,
            round(p, 4),
            self.window,
            evidence=self._frames(seat, (0, len(self.look.times) - 1)),
        )

    def _yes(self, kind: QuestionKind, seat: int, run: tuple[int, int], value: str, p: float) -> Answer:
        span = Span(int(self.look.times[run[0]]), int(self.look.times[run[1]]))
        return Answer(kind, seat, Tell.YES, round(p, 4), span, value, self._frames(seat, run))

    def _frames(self, seat: int, run: tuple[int, int]) -> tuple[Frame, ...]:
        a, b = run
        box = self.seats.seat(seat).box.rounded()
        wanted = (
            ("before", max(a - 2, 0)),
            ("rest", (a + b) // 2),
            ("release", min(b + 2, len(self.look.times) - 1)),
        )
        return tuple(
            Frame(
                self.recording, int(self.look.pts[i]), self.time_base, int(self.look.times[i]), box, role=role
            )
            for role, i in wanted
        )


def smoothed(values: Floats, width: int = 3) -> Floats:
    """Running median: one bad sample is nothing."""
    half = width // 2
    padded = np.pad(values, half, mode="edge")
    return np.median(np.lib.stride_tricks.sliding_window_view(padded, width), axis=1)


def departed(small: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Samples whose picture differs from the usual one by more than the seat's own unrest."""
    p = small.astype(np.float64)
    usual = np.median(p, axis=0)
    gain = np.median(p.reshape(len(p), -1), axis=1) / max(float(np.median(usual)), 1.0)
    d = p / np.maximum(gain, 0.2)[:, None, None] - usual
    away = np.abs(d).mean(axis=(1, 2))
    return np.asarray(away > float(np.percentile(away, 40)) + _CHANGED, bool)


def runs(flags: npt.NDArray[np.bool_], times: npt.NDArray[np.int64], least: Micros) -> list[tuple[int, int]]:
    """First and last index of each stretch of true, short gaps closed, short stretches dropped."""
    out: list[tuple[int, int]] = []
    for i in np.flatnonzero(flags):
        if out and times[i] - times[out[-1][1]] <= _JOIN:
            out[-1] = (out[-1][0], int(i))
        else:
            out.append((int(i), int(i)))
    return [(a, b) for a, b in out if times[b] - times[a] >= least]
