"""By day: who sits with the mask on the eyes, stands up, is not in the seat for a short while, or touches a neighbour.

Only key frames are looked at (they cost a fortieth of all frames). Where one shows a seat otherwise than
that seat is by day, the pictures around it are looked at five times a second: that makes sure, and gives
the time. What begins and ends between two key frames is not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.media.picture import key_pictures
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.media.worker import one_worker
from mafiavar.analyzer.seats.seatmap import SeatMap
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.vision.bodies import hidden_head, shows_its_back
from mafiavar.analyzer.vision.night import Run, frames_of, reached_in, runs, smoothed
from mafiavar.analyzer.vision.observe import picture_size
from mafiavar.analyzer.vision.otherwise import otherwise, usual_of
from mafiavar.analyzer.vision.place import lay_table
from mafiavar.analyzer.vision.question import Answer, Question, QuestionKind, Tell
from mafiavar.analyzer.vision.sitting import Look, faces_in, look_at, looks
from mafiavar.analyzer.vision.touching import SURE_BY_DAY, reaches, reaching
from mafiavar.analyzer.vision.windows import Progress, windows_of
from mafiavar.models.heads.seated import NOBODY

Floats = npt.NDArray[np.float64]

EVERY: Micros = 19 * SECOND // 10  # phones and cameras write a key frame every one or two seconds
AROUND: Micros = 6 * SECOND
"""So far around a key frame the pictures are looked at: longer stretches are told from several."""
_SURE = 0.9
_GATE = 0.6
"""From which P a key frame is reason enough to look closer; what is told must be surer there."""
_USUAL = 0.3
"""Whose usual look the net takes for a mask that much cannot be judged."""
_MOST = 4
"""More seats than that with a mask, or gone, at one time: a night that was not heard, or a break."""
_NEAR: Micros = 2 * SECOND
"""So far around a key frame that shows a touch: nobody holds a neighbour for long."""
_LEAST: Micros = SECOND
_LONG: Micros = 10 * SECOND
_AT_ONCE = 2
"""More who touch somebody at one time: a break, or a night that was not heard, in which all look otherwise."""
_FEW = 8
"""Key frames from which a usual look is made."""
_LOOKS = 30
"""Closer looks in one day at most: what a hall may show that no table of the studio did must not take an hour."""


def answer_by_day(
    recording: Recording,
    seats: SeatMap,
    questions: Sequence[Question],
    *,
    workers: int = 2,
    progress: Progress | None = None,
    number: int = 0,
) -> tuple[Answer, ...]:
    """Answers to DAY questions, in the order of questions, seats and time.

    MASK `yes` with value "eyes" for each stretch with the mask on; PRESENCE `no` for each stretch of a
    second or longer in which nobody was in the seat; POSTURE `yes` with value "standing" for each of a second or
    longer in which the player stood there, with value "touching" for each of half a second or longer in which a seat
    touched a neighbour; for a seat with none of them, nothing: a key frame now and then does not prove that nothing
    was. `workers=0`: this process.
    """
    out: list[Answer] = []
    for q, window in windows_of(recording, questions, QuestionKind.DAY, progress):
        out += one_worker(_told, recording, seats, q.seats, window, number, here=workers <= 0)
    return tuple(out)


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A look, and of each sample and seat P that somebody stands there and that the seat is empty."""

    look: Look
    stands: Floats
    empty: Floats

    @classmethod
    def of(cls, look: Look, usual: npt.NDArray[np.uint8]) -> _Seen:
        risen = otherwise("risen", look.shown, usual)
        return cls(look, risen[..., 0], np.maximum(risen[..., 1], look.nobody))

    @property
    def masked(self) -> Floats:
        return self.look.on

    @property
    def times(self) -> npt.NDArray[np.int64]:
        return self.look.times


@dataclass(frozen=True, slots=True)
class _Kind:
    """What is looked for: which probability tells it, and what it makes."""

    kind: QuestionKind
    tell: Tell
    value: str | None
    says: str
    sure: float = _SURE

    def of(self, seen: _Seen) -> Floats:
        return np.asarray(getattr(seen, self.says), float)


_MASKED = _Kind(QuestionKind.MASK, Tell.YES, "eyes", "masked")
_GONE = _Kind(QuestionKind.PRESENCE, Tell.NO, None, "empty")
_STANDS = _Kind(QuestionKind.POSTURE, Tell.YES, "standing", "stands", 0.8)
"""On the validation casts of models/heads/card.md 29 of 31 such stills are right from .8 on; here they last a second."""


def _told(
    recording: Recording, seats: SeatMap, wanted: Sequence[int], window: Span, number: int
) -> list[Answer]:
    faces = faces_in(recording, seats, window)
    look = looks(recording, seats, key_pictures(recording, window, every=EVERY), faces, chests=False)
    if not len(look.times):
        return []
    usual = usual_of(look.shown)
    keys = _Seen.of(look, usual)
    table = lay_table(seats)
    hidden = {
        p.number for p in table.places if shows_its_back(p) or hidden_head(table, p, picture_size(recording))
    }
    out: list[Answer] = []
    closer: dict[Span, _Seen] = {}
    for what in (_MASKED, _GONE, _STANDS):
        for k, run in stretches(what.of(keys), keys.times):
            seat = seats.numbers[k]
            if seat not in wanted or (what is _MASKED and seat in hidden):
                continue
            first, last = (int(keys.times[i]) for i in run)
            if last - first >= _LONG:  # key frames alone tell, and looking closer would take for ever
                if float(np.median(what.of(keys)[run[0] : run[1] + 1, k])) >= what.sure:
                    out.append(_answer(what, recording, seats, keys, (seat, k), run, number))
                continue
            around = Span(max(window.t0, first - AROUND), min(window.t1, last + AROUND))
            if around not in closer:
                if len(closer) >= _LOOKS:
                    continue
                closer[around] = _Seen.of(look_at(recording, seats, around, faces, chests=False), usual)
            near = _around(what.of(closer[around])[:, k], closer[around].times, Span(first, last), what.sure)
            if near is not None:
                out.append(_answer(what, recording, seats, closer[around], (seat, k), near, number))
    out += _touches(recording, seats, wanted, keys.look, closer, window, number)
    return sorted(out, key=lambda a: (a.kind, a.seat, a.span))


def _touches(
    recording: Recording,
    seats: SeatMap,
    wanted: Sequence[int],
    keys: Look,
    closer: dict[Span, _Seen],
    day: Span,
    number: int,
) -> list[Answer]:
    """Key frames that show a touch, and the pictures around them that make sure."""
    assert recording.video is not None
    if len(keys.times) < _FEW:
        return []
    base = recording.video.time_base
    who, usual = reaches(lay_table(seats), picture_size(recording)), usual_of(keys.pairs)
    told = reaching(keys.pairs, usual, who)[..., 0]
    odd = ((told >= SURE_BY_DAY).sum(axis=1) > _AT_ONCE) | ((keys.on >= _SURE).sum(axis=1) > _MOST)
    told[odd] = 0.0
    out: list[Answer] = []
    for i, j in np.argwhere(told >= SURE_BY_DAY):
        seat, t = who[j].seat, int(keys.times[i])
        if seat not in wanted or any(a.seat == seat and t in a.span.widened(_NEAR) for a in out):
            continue
        around = Span(max(day.t0, t - _NEAR), min(day.t1, t + _NEAR))
        if around not in closer:
            if len(closer) >= _LOOKS:
                break
            look = look_at(recording, seats, around, (NOBODY,) * len(seats.seats), chests=False)
            closer[around] = _Seen.of(look, usual_of(keys.shown))
        look = closer[around].look
        for who_, run, p in reached_in(look, usual, (who[j],), SURE_BY_DAY).touches:
            span = Span(int(look.times[run[0]]), int(look.times[run[1]]))
            if t in span.widened(SECOND // 2):
                frames = frames_of(look, seats.seat(seat), run, number, (base.numerator, base.denominator))
                out.append(
                    Answer(QuestionKind.POSTURE, who_, Tell.YES, round(p, 4), span, "touching", frames)
                )
    return out


def stretches(told: Floats, times: npt.NDArray[np.int64]) -> Iterator[tuple[int, Run]]:
    """(column of the seat, first and last key frame) of every stretch of key frames that show a seat
    otherwise than it is by day.

    `told`: key frames x seats, P of what is looked for.
    """
    if not len(times):
        return
    usual = np.median(told, axis=0)
    shown = (told >= _GATE) & (usual < _USUAL)[None, :]
    shown &= (shown.sum(axis=1) <= _MOST)[:, None]
    for k in range(told.shape[1]):
        edges = np.flatnonzero(np.diff(np.r_[False, shown[:, k], False].astype(np.int8)))
        for a, b in zip(edges[::2], edges[1::2], strict=True):
            yield k, (int(a), int(b) - 1)


def _around(told: Floats, times: npt.NDArray[np.int64], keys: Span, sure: float) -> Run | None:
    """The sure stretch that meets the key frames, when it is long enough."""
    if not len(times):
        return None
    for a, b in runs(smoothed(told) >= sure, times, _LEAST):
        if times[a] - SECOND // 2 <= keys.t1 and keys.t0 <= times[b] + SECOND // 2:
            return a, b
    return None


def _answer(
    what: _Kind,
    recording: Recording,
    seats: SeatMap,
    seen: _Seen,
    where: tuple[int, int],
    run: Run,
    number: int,
) -> Answer:
    assert recording.video is not None
    base = recording.video.time_base
    seat, k = where
    p = float(what.of(seen)[run[0] : run[1] + 1, k].mean())
    span = Span(int(seen.times[run[0]]), int(seen.times[run[1]]))
    frames = frames_of(seen.look, seats.seat(seat), run, number, (base.numerator, base.denominator))
    return Answer(what.kind, seat, what.tell, round(min(p, 0.99), 4), span, what.value, frames)
