"""Which found place is seat 1: by who moves while the judge has given the floor to whom.

Ten places around a table leave twenty ways to number them: ten beginnings, two directions. During
a speech the speaker's mouth, head and hands move more than at other times, and more than those of
the others. Each speech says little; together they tell the twenty ways apart, or they do not, and
then the numbering is a question to the user and not a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.media.picture import Image, pictures
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.seats.file import number_around
from mafiavar.analyzer.seats.find import renumbered
from mafiavar.analyzer.seats.seatmap import SEATS, Direction, SeatMap
from mafiavar.analyzer.span import SECOND, Micros, Span

Floats = npt.NDArray[np.float64]

EVERY: Micros = 120_000
LISTENED: Micros = 60 * SECOND
"""So much is looked at in all, evenly shared by the speeches."""
MOST: Micros = 10 * SECOND
TURNS = 14
"""At most so many speeches; the longest ones."""
LEAST_TURNS = 3
SURE = 0.95

_LEAST_SPEECH: Micros = 2 * SECOND
_LONGEST: Micros = 60 * SECOND
_SIDE = 32
_SPEAKS, _SPREAD = 1.0, 0.9
"""Rise of the speaker's movement (natural log) and its spread: wide, since one loud laugh is one turn."""
_CLOCKWISE = 0.9
"""Players are numbered clockwise as seen from above; some front cameras mirror the picture."""
_ENDS = (
    CueKind.FLOOR, CueKind.FLOOR_END, CueKind.VOTE_OPEN, CueKind.VOTE_CALL, CueKind.NIGHT, CueKind.GAME_END,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Turn:
    """One speech: who was given the floor (probabilities of the seats), and when he had it."""

    seats: tuple[tuple[int, float], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Numbering:
    """The most likely numbering and how sure it is, 0..1. `turns`: speeches it rests on."""

    seats: SeatMap
    probability: float
    turns: int

    @property
    def sure(self) -> bool:
        return self.probability >= SURE and self.turns >= LEAST_TURNS


def turns_of(cues: Sequence[Cue]) -> tuple[Turn, ...]:
    """Speeches by the judge's words alone, before any alignment; in order of time."""
    ordered = sorted(cues, key=lambda c: c.span)
    out = []
    for i, cue in enumerate(ordered):
        if cue.kind is not CueKind.FLOOR or cue.likelihood < 0.5 or not cue.numbers:
            continue
        seats = tuple(sorted((n, p) for n, p in cue.numbers[0].items() if 1 <= n <= SEATS and p >= 0.05))
        end = next(
            (c.span.t0 for c in ordered[i + 1 :] if c.kind in _ENDS and c.span.t0 > cue.span.t1 + SECOND),
            cue.span.t1 + _LONGEST,
        )
        span = Span(cue.span.t1, min(end, cue.span.t1 + _LONGEST))
        if seats and span.duration >= _LEAST_SPEECH:
            out.append(Turn(seats, span))
    longest = sorted(out, key=lambda t: (-min(t.span.duration, MOST), t.span))[:TURNS]
    return tuple(sorted(longest, key=lambda t: t.span))


def number_by_speech(recording: Recording, seats: SeatMap, turns: Sequence[Turn]) -> Numbering:
    """The found places with the numbers that explain best who moved in which speech.

    `turns`: on the recording's own clock; those outside it are left out.

    Raises:
        MediaError: the recording cannot be read.
    """
    heard = [t for t in turns if (s := t.span & recording.span) is not None and s.duration >= _LEAST_SPEECH]
    if not heard:
        return Numbering(seats, 0.0, 0)
    long = min(MOST, LISTENED // len(heard))
    moved = np.stack([movement(recording, seats, t.span & recording.span or t.span, long) for t in heard])
    return numbered(seats, heard, rises(moved))


def movement(recording: Recording, seats: SeatMap, span: Span, long: Micros) -> Floats:
    """How much each place moves in the middle of a speech, grey levels a sample."""
    middle, half = span.middle, min(long, span.duration) // 2
    before: list[npt.NDArray[np.float32]] = []
    changes: list[Floats] = []
    for picture in pictures(recording, Span(middle - half, middle + half), every=EVERY):
        now = [_small(picture.image, seats, k) for k in range(len(seats.seats))]
        if before:
            changes.append(np.array([_change(a, b) for a, b in zip(now, before, strict=True)]))
        before = now
    return np.median(np.stack(changes), axis=0) if changes else np.zeros(len(seats.seats))


def rises(moved: Floats) -> Floats:
    """Speeches x places: log movement over the place's usual and over the speech's usual."""
    x = np.log(np.maximum(moved, 0.05))
    x = x - np.median(x, axis=0)
    return np.asarray(x - np.median(x, axis=1, keepdims=True), float)


def numbered(seats: SeatMap, turns: Sequence[Turn], rise: Floats) -> Numbering:
    """The best of the twenty numberings.

    Args:
        rise: speeches x places (in the order of `seats.seats`), from `rises`.
    """
    gain = np.clip((_SPEAKS * rise - 0.5 * _SPEAKS**2) / _SPREAD**2, -1.5, 2.5)
    boxes = [s.box for s in seats.seats]
    told: list[tuple[float, SeatMap]] = []
    directions: tuple[tuple[Direction, float], ...] = (
        ("clockwise", _CLOCKWISE), ("counterclockwise", 1 - _CLOCKWISE),
    )  # fmt: skip
    for direction, prior in directions:
        for first in range(1, SEATS + 1):
            column = {n: k for k, n in enumerate(number_around(boxes, first, direction))}
            score = float(np.log(prior))
            for t, turn in enumerate(turns):
                p = sum(q * float(np.exp(gain[t, column[n]])) for n, q in turn.seats)
                score += float(np.log(p + max(1 - sum(q for _, q in turn.seats), 0.0)))
            told.append((score, renumbered(seats, first, direction)))
    scores = np.array([s for s, _ in told])
    weights = np.exp(scores - scores.max())
    best = int(np.argmax(weights))
    different = len({max(t.seats, key=lambda s: s[1])[0] for t in turns})
    sure = float(weights[best] / weights.sum())
    chosen = replace(told[best][1], numbered=sure >= SURE and different >= LEAST_TURNS)
    return Numbering(chosen, round(sure, 4), different)


def _small(image: Image, seats: SeatMap, k: int) -> npt.NDArray[np.float32]:
    x, y, w, h = seats.seats[k].box.rounded()
    crop = image[max(y, 0) : y + h, max(x, 0) : x + w]
    if min(crop.shape[:2], default=0) < 2:
        return np.zeros((_SIDE, _SIDE), np.float32)
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _change(now: npt.NDArray[np.float32], before: npt.NDArray[np.float32]) -> float:
    """Mean of the liveliest tenth: a mouth is small, a lamp changes everything."""
    d = now - before
    d = np.abs(d - np.median(d)).ravel()
    return float(np.sort(d)[-d.size // 10 :].mean())
