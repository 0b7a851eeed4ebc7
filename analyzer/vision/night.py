"""How ten people sit at night: mask on the eyes, head bowed, arms folded, and when that changed.

Two small nets trained on studio tables say of every picture how a seat sits (`sitting.py`); what they
say is believed only where they are sure, and a departure must show in the picture too: the seat's look
differs from its own usual one. Where the nets are not sure for a while, that while is "cannot tell".
Nobody's absolute head angle is reported (docs/seeing.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.seats.seatmap import Seat, SeatMap
from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.vision.backs import look_from_behind
from mafiavar.analyzer.vision.bodies import hidden_head, shows_its_back
from mafiavar.analyzer.vision.observe import picture_size
from mafiavar.analyzer.vision.otherwise import otherwise, usual_of
from mafiavar.analyzer.vision.place import lay_table
from mafiavar.analyzer.vision.question import Answer, Frame, Question, QuestionKind, Tell
from mafiavar.analyzer.vision.sitting import EVERY, Look, look_at_window
from mafiavar.analyzer.vision.touching import LEANS, LEAST, SURE, Reach, reaches, reaching

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Run = tuple[int, int]
"""First and last sample of a stretch."""

_LEAST = {"mask": 500_000, "held": 500_000, "head_up": 800_000, "arms_down": 800_000, "leaning": 600_000}
_JOIN: Micros = 600_000
_CHANGED = 7.0
"""Grey levels (mean over the region, an even change of light apart) beyond a seat's own unrest."""
_PROPER = 8
"""Samples from which a picture of somebody who sits as he should is made."""
_USUAL = 0.7
"""From which P somebody sits as the night asks (the nets learnt on stills half of which have the mask on and the arms
folded; at night nearly all have); below it and above what a departure needs nothing is told."""
_AGAINST_USUAL = {"mask": 0.7, "head_up": 0.7, "arms_down": 0.7}
"""From which P of the contrary it is a departure of a seat that usually (median of the night) sits as it should
from `_USUAL` on. On the validation casts of models/heads/card.md .97 to 1.00 of such stills are right."""
_SURE = {"mask": 0.9, "head_up": 0.85, "arms_down": 0.8}
_SURE_ASIDE = {"mask": 0.95, "head_up": 0.9, "arms_down": 0.8}
"""The same of a seat whose usual look says nothing; of those turned away from the camera more is asked. Chosen
there too: .96 to .98 are right."""
_CERTAIN = 0.95
"""From which no change needs to be seen: whoever sits so all night never changes."""
_BACK = 0.9
"""From which P a back sits otherwise than it usually does. On the validation casts of models/heads/card.md all of
82 such stills but one are right from .9 on."""
_HELD = 0.9
"""From which P a hand holds the mask."""
_LEANS = 0.9
_OVER = 0.5
"""From which P of leaning over nothing else is told of a seat: in the three games and on the casts 720 and 722
(fitting data) who leans has .7 to 1.0, but for one, and whoever departs otherwise below .25."""
_TURNED = -0.3
"""Inward direction up the picture beyond which a face is turned away."""
_UNSURE: Micros = 1_000_000
"""A stretch in which nothing is sure must last so long to be called so; a shorter one is a movement."""
_SMALL_HEAD = 36.0  # pixels
_DARK = 16.0
_FLAT = 4.0
"""Grey levels: a picture of a head has more contrast than that."""


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

    For each departure a `yes`, `value` being off | forehead | held (mask) or head_up | arms_down | touching | leaning (posture); for
    each stretch that cannot be judged a `cannot_tell`; for a seat with neither a single `no` over the
    window. A seat that cannot be judged at all: `cannot_tell` over the window. `workers=0`: this process.
    """
    asked = [q for q in questions if q.kind in (QuestionKind.MASK, QuestionKind.POSTURE)]
    if recording.video is None:
        return ()
    base = recording.video.time_base
    judges: dict[Span, _Judge] = {}
    who = reaches(lay_table(seats), picture_size(recording))
    windows = sorted({w for q in asked if (w := q.window & recording.span) is not None})
    for i, window in enumerate(windows):
        look = look_at_window(recording, seats, window, workers)
        reached = reached_in(look, usual_of(look.pairs), who)
        held = otherwise("held", look.shown)[..., 0]
        judges[window] = _Judge(
            seats, look, window, number, (base.numerator, base.denominator), reached, held
        )
        if progress is not None:
            progress((i + 1) / len(windows))
    out: list[Answer] = []
    for q in asked:
        inside = q.window & recording.span
        if inside is None:
            continue
        judge = judges[inside]
        for seat in q.seats:
            out += judge.mask(seat) if q.kind is QuestionKind.MASK else judge.posture(seat)
    return tuple(out)


@dataclass(frozen=True, slots=True)
class _Judge:
    seats: SeatMap
    look: Look
    window: Span
    recording: int
    time_base: tuple[int, int]
    reached: Reached
    held: Floats
    """Samples x seats: P that a hand holds the mask."""

    def mask(self, seat: int) -> list[Answer]:
        k = self._index(seat)
        if k < 0:
            return [self._cannot(QuestionKind.MASK, seat, self.window)]
        on, found = smoothed(self._there(self.look.on, k)), []
        for run, p in self._departures("mask", seat, on, self.look.heads[:, k]):
            up = float(self.look.forehead[run[0] : run[1] + 1, k].mean())
            found.append(self._yes(QuestionKind.MASK, seat, run, "forehead" if up > 0.5 else "off", p))
        off = [a.span for a in found]
        for run, p in self._holds(k):
            if not any(self._span(run) & span for span in off):
                found.append(self._yes(QuestionKind.MASK, seat, run, "held", p))
        return self._with_doubts(QuestionKind.MASK, seat, found, on, self._sure("mask", seat, on))

    def posture(self, seat: int) -> list[Answer]:
        k = self._index(seat)
        found = [
            self._yes(QuestionKind.POSTURE, seat, run, what, p)
            for what, told in (("touching", self.reached.touches), ("leaning", self.reached.leans))
            for who, run, p in told
            if who == seat
        ]
        if k < 0:
            found += self._from_behind(seat, bool(found))
            return [self._cannot(QuestionKind.POSTURE, seat, self.window), *found]
        bowed, folded = (smoothed(self._there(p, k)) for p in (self.look.bowed, self.look.folded))
        found += [
            self._yes(QuestionKind.POSTURE, seat, run, what, p)
            for what, usual, small in (
                ("head_up", bowed, self.look.heads[:, k]),
                ("arms_down", folded, self.look.arms[:, k]),
            )
            for run, p in self._departures(what, seat, usual, small)
            if what != "arms_down" or not self._holds_in(k, run)
        ]
        sure = self._sure("arms_down", seat, folded)
        return self._with_doubts(QuestionKind.POSTURE, seat, found, folded, sure)

    def _holds(self, k: int) -> Iterator[tuple[Run, float]]:
        """Stretches in which the k-th seat holds the mask on its eyes with a hand."""
        held = smoothed(self.held[:, k])
        for run in runs(held >= _HELD, self.look.times, _LEAST["held"]):
            if not self._leans(self.seats.seats[k].number, run):
                yield run, _mean(held, run)

    def _holds_in(self, k: int, run: Run) -> bool:
        """Is an arm that is down at the mask for most of the time? Then that is told, not the arm."""
        return float((smoothed(self.held[run[0] : run[1] + 1, k]) >= 0.5).mean()) > 0.5

    def _from_behind(self, seat: int, reaches_over: bool) -> list[Answer]:
        """Departures of somebody whose back is seen, against its own usual look; of the rest nothing is told.

        `reaches_over`: leaning was told already.
        """
        table = lay_table(self.seats)
        turned = [p.number for p in table.places if shows_its_back(p)]
        if seat not in turned or not len(self.look.times) or self._too_little(seat):
            return []
        k, j = self.seats.numbers.index(seat), 2 * turned.index(seat)
        if runs(self.look.nobody[:, k] > 0.5, self.look.times, _UNSURE):
            return []
        back = look_from_behind(self.look.backs[:, j], self.look.backs[:, j + 1])
        leans = runs(back.leans, self.look.times, _LEAST["leaning"])
        leaning = [self._span(run).widened(_JOIN) for run in leans]
        found = [
            self._yes(QuestionKind.POSTURE, seat, r, "leaning", _LEANS) for r in leans if not reaches_over
        ]
        for what, p, small in (
            ("head_up", back.bowed, self.look.heads[:, k]),
            ("arms_down", back.folded, self.look.arms[:, k]),
        ):
            usual = smoothed(p)
            for run, sure in departures(usual, departed(small, usual), self.look.times, _LEAST[what], _BACK):
                if not any(self._span(run) & span for span in leaning) and not self._leans(seat, run):
                    found.append(self._yes(QuestionKind.POSTURE, seat, run, what, sure))
        return found

    def _departures(
        self, what: str, seat: int, usual: Floats, small: npt.NDArray[np.uint8]
    ) -> Iterator[tuple[Run, float]]:
        sure = self._sure(what, seat, usual)
        for run, p in departures(usual, departed(small, usual), self.look.times, _LEAST[what], sure):
            if not self._leans(seat, run):
                yield run, p

    def _leans(self, seat: int, run: Run) -> bool:
        """Then the head is not where it is looked at, and whoever sits behind is seen there."""
        over = self.reached.over.get(seat)
        return over is not None and float(over[run[0] : run[1] + 1].mean()) >= _OVER

    def _there(self, p: Floats, k: int) -> Floats:
        """P of the k-th seat, one half where nobody is likely to sit: of an empty chair nothing is told."""
        nobody = self.look.nobody[:, k]
        return np.asarray((1 - nobody) * p[:, k] + nobody * 0.5, float)

    def _sure(self, what: str, seat: int, p: Floats) -> float:
        if float(np.median(p)) >= _USUAL:
            return _AGAINST_USUAL[what]
        turned = float(lay_table(self.seats).place(seat).inward[1]) < _TURNED
        return (_SURE_ASIDE if turned else _SURE)[what]

    def _with_doubts(
        self, kind: QuestionKind, seat: int, found: list[Answer], p: Floats, sure: float
    ) -> list[Answer]:
        """`found`, and what can be said of the rest of the window."""
        unsure = (p > 1 - sure) & (p < _USUAL)
        if seat in self.reached.over:
            unsure |= self.reached.over[seat] >= _OVER
        doubts = runs(unsure, self.look.times, _UNSURE)
        out = found + [self._cannot(kind, seat, self._span(r)) for r in doubts]
        if out:
            return sorted(out, key=lambda x: (x.span, x.tell, str(x.value)))
        return [self._no(kind, seat, float(np.median(p)))]

    def _index(self, seat: int) -> int:
        """Of the seat among those on the map; -1: it cannot be judged, as those who turn their back."""
        if seat not in self.seats.numbers or len(self.look.times) == 0:
            return -1
        if shows_its_back(lay_table(self.seats).place(seat)):
            return -1
        return -1 if self._too_little(seat) else self.seats.numbers.index(seat)

    def _too_little(self, seat: int) -> bool:
        """Is it too dark or too small there to see anything, or does a neighbour's head hide this one?"""
        k = self.seats.numbers.index(seat)
        table = lay_table(self.seats)
        if hidden_head(table, table.place(seat), self.seats.size):
            return True
        usual = np.median(self.look.heads[:, k], axis=0)
        nothing = float(np.median(usual)) < _DARK or float(usual.std()) < _FLAT
        return nothing or 0.29 * self.seats.seats[k].box.h < _SMALL_HEAD

    def _span(self, run: Run) -> Span:
        return Span(int(self.look.times[run[0]]), int(self.look.times[run[1]]))

    def _cannot(self, kind: QuestionKind, seat: int, span: Span) -> Answer:
        return Answer(kind, seat, Tell.CANNOT_TELL, 0.5, span)

    def _no(self, kind: QuestionKind, seat: int, p: float) -> Answer:
        frames = self._frames(seat, (0, len(self.look.times) - 1))
        return Answer(kind, seat, Tell.NO, round(p, 4), self.window, evidence=frames)

    def _yes(self, kind: QuestionKind, seat: int, run: Run, value: str, p: float) -> Answer:
        return Answer(kind, seat, Tell.YES, round(p, 4), self._span(run), value, self._frames(seat, run))

    def _frames(self, seat: int, run: Run) -> tuple[Frame, ...]:
        return frames_of(self.look, self.seats.seat(seat), run, self.recording, self.time_base)


def frames_of(
    look: Look, seat: Seat, run: Run, recording: int, time_base: tuple[int, int]
) -> tuple[Frame, ...]:
    """Evidence of a stretch: before it, in its middle, after it."""
    a, b = run
    box = seat.box.rounded()
    wanted = (("before", max(a - 2, 0)), ("rest", (a + b) // 2), ("release", min(b + 2, len(look.times) - 1)))
    return tuple(
        Frame(recording, int(look.pts[i]), time_base, int(look.times[i]), box, role=role)
        for role, i in wanted
    )


Reaching = tuple[int, Run, float]
"""(seat that touches its neighbour or leans over, samples, probability)"""


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """`over`: of each seat that can be judged, P in every sample that it leans over, touching or not."""

    touches: tuple[Reaching, ...] = ()
    leans: tuple[Reaching, ...] = ()
    over: Mapping[int, Floats] = field(default_factory=dict)


def reached_in(look: Look, usual: npt.NDArray[np.uint8], who: Sequence[Reach], sure: float = SURE) -> Reached:
    """Who touches a neighbour with P `sure` or more, and who leans over without that. `usual`: neighbours as they
    usually look."""
    told = reaching(look.pairs, usual, who)
    touches: list[Reaching] = []
    leans: list[Reaching] = []
    over: dict[int, Floats] = {}
    for j, reach in enumerate(who if len(told) else ()):
        touch, both = smoothed(told[:, j, 0]), smoothed(told[:, j].sum(axis=1))
        over[reach.seat] = np.maximum(over.get(reach.seat, 0.0), both)
        mine = runs(touch >= sure, look.times, LEAST)
        touches += [(reach.seat, r, _mean(touch, r)) for r in mine]
        leans += [
            (reach.seat, r, _mean(both, r))
            for r in runs(both >= LEANS, look.times, _LEAST["leaning"])
            if not any(r[0] <= b and a <= r[1] for a, b in mine)
        ]
    return Reached(tuple(sorted(touches)), tuple(sorted(leans)), over)


def _mean(p: Floats, run: Run) -> float:
    return min(float(p[run[0] : run[1] + 1].mean()), 0.95)


def departures(
    usual: Floats, changed: Bools, times: npt.NDArray[np.int64], least: Micros, sure: float
) -> Iterator[tuple[Run, float]]:
    """Stretches in which a seat was not as the night asks. `usual`: P that it was; `changed`: its picture is
    not as usual; `sure`: P of the contrary that is asked for: in every sample, or on average over a stretch in
    all of which the contrary is the likelier and some of it sure. Yields (run, probability)."""
    sure_of = usual <= 1 - sure
    certain = runs(sure_of, times, least)
    wider = [
        (a, b)
        for a, b in runs(usual < 0.5, times, least)
        if sure_of[a : b + 1].any() and 1 - float(usual[a : b + 1].mean()) >= sure
    ]
    wider = [(a, b) for a, b in wider if not any(a <= c <= b for c, _ in certain)]
    for a, b in sorted(certain + wider):
        p = float(1 - usual[a : b + 1].mean())
        if changed[a : b + 1].mean() >= 0.5 or p >= _CERTAIN:
            yield (a, b), min(p, 0.99)


def smoothed(values: Floats, width: int = 3) -> Floats:
    """Running median: one bad sample is nothing."""
    half = width // 2
    padded = np.pad(values, half, mode="edge")
    return np.median(np.lib.stride_tricks.sliding_window_view(padded, width), axis=1)


def departed(small: npt.NDArray[np.uint8], usual: Floats) -> Bools:
    """Samples whose picture differs from the usual one by more than the seat's own unrest.

    The usual picture is that of the samples in which the seat sits as it should (`usual`, from `_USUAL` on);
    where there are hardly any, that of most of the night. Who was awake for most of a short night has no
    usual picture otherwise.
    """
    p = small.astype(np.float64)
    proper = usual >= _USUAL
    if int(proper.sum()) < _PROPER:
        proper = np.ones(len(p), bool)
    picture = np.median(p[proper], axis=0)
    gain = np.median(p.reshape(len(p), -1), axis=1) / max(float(np.median(picture)), 1.0)
    away = np.abs(p / np.maximum(gain, 0.2)[:, None, None] - picture).mean(axis=(1, 2))
    return np.asarray(away > float(np.percentile(away[proper], 40)) + _CHANGED, bool)


def runs(flags: npt.NDArray[np.bool_], times: npt.NDArray[np.int64], least: Micros) -> list[Run]:
    """First and last index of each stretch of true, short gaps closed, short stretches dropped.

    A sample stands for `EVERY`: a stretch of one lasts so long.
    """
    out: list[Run] = []
    for i in np.flatnonzero(flags):
        if out and times[i] - times[out[-1][1]] <= _JOIN:
            out[-1] = (out[-1][0], int(i))
        else:
            out.append((int(i), int(i)))
    return [(a, b) for a, b in out if times[b] - times[a] + EVERY > least]
