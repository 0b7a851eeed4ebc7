"""Numbers shown with the fingers at night: who held up a hand, when, and which number it was.

A hand is looked for where a seat would hold it up beside its head, when that part of the picture
changes, and again while it stays up. It belongs to the seat whose place for it is nearest. Two hands held up together are one
number (five and one is six). What is held up and cannot be read is told as such: it may still be
a shot. The other hand of somebody who shows a five may be hidden; then the five is not sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.seats.seatmap import SeatMap
from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.vision.bodies import held_up
from mafiavar.analyzer.vision.held_up import HeldHand, SignLook, observe_held
from mafiavar.analyzer.vision.observe import picture_size
from mafiavar.analyzer.vision.place import Table, lay_table
from mafiavar.analyzer.vision.question import Answer, Frame, Question, QuestionKind, Tell
from mafiavar.analyzer.vision.windows import Progress, windows_of
from mafiavar.models.hands import HandModel

Floats = npt.NDArray[np.float64]

RAISED = "raised"
"""Value of an answer that cannot tell which number a hand shows that was held up."""

_GAP: Micros = 1_300_000
_LEAST: Micros = 250_000
_SHOWN = 0.8  # P(some number) of a hand that is held up
_STILL = 0.4  # of a hand's size: a hand that shows a number stays where it is
_SURE = 0.75
_ALONE = 0.85
"""P(a five is the whole number): the other hand, with the rest of it, may be hidden."""
_WHOLE = 0.12
"""Of the box's height: in the three games of docs/accuracy.md (fitting data) hands that show a number are .15 to .22
of it, pieces of hands .04 to .12."""
_SMALL = 22.0  # pixels
_DARK = 14.0


def answer_signs(
    recording: Recording,
    seats: SeatMap,
    questions: Sequence[Question],
    *,
    workers: int = 2,
    progress: Progress | None = None,
    model: HandModel | None = None,
    number: int = 0,
) -> tuple[Answer, ...]:
    """Answers to NUMBER questions, in the order of questions, seats and time.

    `yes` with the number for each time a seat showed one; `cannot_tell` with
    the value "raised" where a hand was up and the number is not sure; `no` for a seat that held up nothing;
    `cannot_tell` without a value for a fist or a piece of a hand, and over the window for one that could not be judged.

    Raises:
        ModelMissing: the hand model is not there.
        MediaError: the recording cannot be read any more.
    """
    if recording.video is None:
        return ()
    size = picture_size(recording)
    table = lay_table(seats)
    base = recording.video.time_base
    out: list[Answer] = []
    for q, window in windows_of(recording, questions, QuestionKind.NUMBER, progress):
        look = observe_held(recording, seats, window, workers, model)
        judge = _Judge(table, seats, size, look, window, number, (base.numerator, base.denominator))
        for seat in q.seats:
            out += judge.answers(seat)
    return tuple(out)


@dataclass(frozen=True, slots=True, eq=False)
class _Raised:
    """One hand held up for a while."""

    looks: tuple[HeldHand, ...]
    numbers: Floats

    @property
    def span(self) -> Span:
        return Span(self.looks[0].t, self.looks[-1].t)


@dataclass(frozen=True, slots=True, eq=False)
class _Judge:
    table: Table
    seats: SeatMap
    size: tuple[int, int]
    look: SignLook
    window: Span
    recording: int
    time_base: tuple[int, int]

    def answers(self, seat: int) -> list[Answer]:
        if seat not in self.seats.numbers or self._unjudged(seat):
            return [self._cannot(seat)]
        mine = [h for h in self.look.hands if h.seat == seat]
        raised = [r for side in (-1, 1) for r in raised_hands([h for h in mine if h.side == side])]
        out: list[Answer] = []
        used: set[int] = set()
        for i, a in sorted(enumerate(raised), key=lambda x: x[1].span):
            if i in used:
                continue
            used.add(i)
            partner = next(
                (
                    j for j, b in enumerate(raised)
                    if j not in used and b.looks[0].side != a.looks[0].side and _together(a.span, b.span)
                ),
                None,
            )  # fmt: skip
            pair = (a,) if partner is None else (a, raised[partner])
            if partner is not None:
                used.add(partner)
            out.append(self._told(seat, pair))
        if out:
            return sorted(out, key=lambda x: x.span)
        if self._hidden(seat):
            return [self._cannot(seat)]
        return [Answer(QuestionKind.NUMBER, seat, Tell.NO, 0.9, self.window)]

    def _told(self, seat: int, hands: tuple[_Raised, ...]) -> Answer:
        chances = number_of([h.numbers for h in hands])
        best = int(np.argmax(chances))
        span = hands[0].span
        for h in hands[1:]:
            span = span | h.span
        p = float(chances[best])
        if best == 5 and len(hands) == 1:
            p *= 0.0 if self._other_hand(hands[0]) else _ALONE
        frames = self._frames(max(hands, key=lambda h: len(h.looks)))
        # Neither told nor raised: pieces of folded arms look like a small hand or a fist (all five fists in the games
        # of docs/accuracy.md were that).
        piece = best == 0 or self._slight(seat, hands)
        if p < _SURE or piece:
            value = None if piece else RAISED
            return Answer(QuestionKind.NUMBER, seat, Tell.CANNOT_TELL, round(p, 4), span, value, frames)
        return Answer(QuestionKind.NUMBER, seat, Tell.YES, round(min(p, 0.99), 4), span, best, frames)

    def _slight(self, seat: int, hands: tuple[_Raised, ...]) -> bool:
        """Is one of them too small to be this seat's open hand?"""
        least = _WHOLE * self.seats.seat(seat).box.h
        return any(float(np.median([h.size for h in x.looks])) < least for x in hands)

    def _other_hand(self, hand: _Raised) -> bool:
        """Was the other hand of this seat seen to show something meanwhile, if only once?"""
        first = hand.looks[0]
        return any(
            h.seat == first.seat and h.side != first.side and h.t in hand.span
            and float(h.numbers[-1]) <= 1 - _SHOWN
            for h in self.look.hands
        )  # fmt: skip

    def _unjudged(self, seat: int) -> bool:
        k = self.seats.numbers.index(seat)
        return float(self.look.light[k]) < _DARK or 0.2 * self.seats.seat(seat).box.h < _SMALL

    def _hidden(self, seat: int) -> bool:
        """The places for the hands lie outside the picture."""
        place = self.table.place(seat)
        points = np.array([held_up(self.table, place, s) for s in (-1.0, 1.0)])
        return bool((points < 0).any() or (points >= np.array(self.size)).any())

    def _cannot(self, seat: int) -> Answer:
        return Answer(QuestionKind.NUMBER, seat, Tell.CANNOT_TELL, 0.5, self.window)

    def _frames(self, hand: _Raised) -> tuple[Frame, ...]:
        """The surest look and the first."""
        best = min(hand.looks, key=lambda h: (float(h.numbers[-1]), h.t))
        chosen = sorted({(h.t, h.pts): h for h in (hand.looks[0], best)}.values(), key=lambda h: h.t)
        return tuple(
            Frame(
                self.recording, h.pts, self.time_base, h.t, _around(h, self.size),
                tuple((round(float(x), 1), round(float(y), 1)) for x, y in h.points),
                "rest" if h is best else "touch",
            )
            for h in chosen
        )  # fmt: skip


def raised_hands(hands: Sequence[HeldHand]) -> list[_Raised]:
    """Looks at one side of one seat -> stretches in which a hand showed something."""
    out: list[_Raised] = []
    run: list[HeldHand] = []

    def close() -> None:
        if len(run) >= 2 and run[-1].t - run[0].t >= _LEAST:
            p = np.exp(np.log(np.maximum(np.stack([h.numbers for h in run]), 0.02)).mean(axis=0))
            out.append(_Raised(tuple(run), np.asarray(p / p.sum(), float)))

    for h in sorted(hands, key=lambda h: h.t):
        if float(h.numbers[-1]) > 1 - _SHOWN:
            continue
        if run and (h.t - run[-1].t > _GAP or _apart(h, run[-1]) > _STILL):
            close()
            run = []
        run.append(h)
    close()
    return out


def _apart(a: HeldHand, b: HeldHand) -> float:
    """Between two looks, in sizes of the larger hand."""
    d = a.points.mean(axis=0) - b.points.mean(axis=0)
    return float(np.hypot(*d)) / max(a.size, b.size, 1.0)


def number_of(hands: Sequence[Floats]) -> Floats:
    """P(0), ..., P(10) of what one or two hands show together; the rest: no number.

    Two hands are read as five and the rest (so people count to ten); other sums are possible and
    rare. A single hand is the whole number (of a five see `_ALONE`).
    """
    if len(hands) == 1:
        return np.concatenate([hands[0][:6], np.zeros(5)])
    a, b = hands[0][:-1], hands[1][:-1]
    both = np.outer(a, b)
    prior = np.full((6, 6), 0.1)
    prior[5, 1:], prior[1:, 5] = 1.0, 1.0
    prior[0, :], prior[:, 0] = 0.3, 0.3
    both = both * prior
    out = np.zeros(11)
    for i in range(6):
        for j in range(6):
            out[i + j] += both[i, j]
    shown = float((1 - hands[0][-1]) * (1 - hands[1][-1]))
    return np.asarray(out / max(float(out.sum()), 1e-9) * shown, float)


def _together(a: Span, b: Span) -> bool:
    common = a & b
    return common is not None and common.duration >= 0.4 * min(a.duration, b.duration)


def _around(h: HeldHand, size: tuple[int, int]) -> tuple[int, int, int, int]:
    cx, cy = h.points.mean(axis=0)
    side = min(int(3 * h.size), *size)
    x = int(np.clip(float(cx) - side / 2, 0, size[0] - side))
    y = int(np.clip(float(cy) - side / 2, 0, size[1] - side))
    return x, y, side, side
