"""Nights and masks: what pictures answered about posture, masks and presence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.flags.flag import Flag, Maker
from mafiavar.analyzer.flags.floors import breath_end
from mafiavar.analyzer.flags.night_plan import Departure, Night
from mafiavar.analyzer.span import SECOND, Micros, Span, micros, seconds
from mafiavar.analyzer.transcript import Transcript
from mafiavar.analyzer.vision.question import Answer, Frame, QuestionKind, Tell
from mafiavar.analyzer.votes.count import Votes

Stretch = tuple[int, Span, float, tuple[Frame, ...]]
"""(seat, span, probability, pictures)"""

_JOIN: Micros = 300_000
_TABLE_MASKED = 4
_TOGETHER = 3
_BREATH: Micros = 3 * SECOND
_RISES: Micros = 3 * SECOND
"""A seat that leaves may rise while the judge is still saying so."""


def flags_of_night(
    alignment: Alignment, votes: Votes, transcript: Transcript, answers: Sequence[Answer], make: Maker
) -> Iterator[Flag | None]:
    """`answers` in any order; NO to "is the mask on the eyes" is a mask that is off.

    A chair from which a hand votes is not empty, however still it looks.

    A night is counted from the end of the breath that announces it.
    """
    least = make.thresholds["least_evidence"]
    empty = list(stretches(answers, QuestionKind.PRESENCE, (), least, Tell.NO))
    departures = [d for d in _departures(answers, make) if not _empty(d, empty)]
    for number, announced in alignment.nights:
        whole = Span(min(breath_end(transcript, announced.t0), announced.t1), announced.t1)
        night = Night.of(alignment, whole, make, number)
        yield from _late_masks(number, whole, departures, make)
        for d in night.unlawful([d for d in departures if d.span & whole]):
            shortest = make.thresholds["touch" if d.key == "touch_at_night" else d.key]
            if seconds(d.span.duration) < shortest:
                continue
            yield make.flag(
                d.key,
                d.span,
                number,
                d.probability,
                seats=(d.seat,),
                params={"seat": d.seat, "length": seconds(d.span.duration)},
                doubts=(("posture", {}), *((("called", {}),) if d.maybe_called else ())),
                frames=d.frames,
            )
    yield from _mask_by_day(alignment, answers, make)
    yield from _own_shot(alignment, answers, make)
    cast = [v for b in votes.ballots for v in b.seats.values() if v.vote == "yes" and not v.remainder]
    for seat, span, p, frames in empty:
        if seconds(span.duration) > make.thresholds["gone_for_good"]:
            continue  # no game goes on without a player: he is out, and his leaving was not heard
        at_night = any(n > 0 and span.middle in night for n, night in alignment.nights)
        if at_night and p < make.thresholds["empty_at_night"]:
            continue  # who bows low in the dark looks much like an empty chair
        if any(seat == v.seat and v.contact is not None and v.contact.span & span for v in cast):
            continue
        gone = _gone(alignment, seat)
        # Whose game is over may leave; an empty chair from then on is nobody's fault.
        if gone is not None and span.t1 > gone:
            if span.t0 >= gone - _RISES:
                continue
            span = Span(span.t0, max(gone, span.t0))  # noqa: PLW2901
        if seconds(span.duration) > make.thresholds["left_table"]:
            yield make.flag(
                "left_table", span, _day(alignment, span.t0), p, seats=(seat,),
                params={"seat": seat, "length": seconds(span.duration)}, frames=frames,
            )  # fmt: skip


def as_the_table_woke(alignment: Alignment, answers: Sequence[Answer], make: Maker) -> Alignment:
    """The alignment with nights that end when the table wakes, where nobody heard the morning.

    Three seats do not break the night in the same breath: when so many masks go off together and
    stay off until the morning that was reckoned, «наступает утро» was said and lost.
    """
    masks = [d for d in _departures(answers, make) if d.key == "mask_off_at_night"]
    heard = [e.span for e in alignment.timeline.of_kind("day_began") if e.basis != "inferred"]
    nights = []
    for number, night in alignment.nights:
        woke = None if any(m & night.widened(SECOND) for m in heard) else _woke(night, masks)
        nights.append((number, night if woke is None else Span(night.t0, woke)))
    return replace(alignment, nights=tuple(nights))


def _woke(night: Span, masks: Sequence[Departure]) -> Micros | None:
    """When at least `_TOGETHER` masks went off within `_BREATH` for the rest of the night."""
    off = sorted(d.span.t0 for d in masks if night.t0 + _BREATH < d.span.t0 < night.t1 <= d.span.t1 + SECOND)
    many = (a for a, b in zip(off, off[_TOGETHER - 1 :], strict=False) if b - a <= _BREATH)
    return next(many, None)


def _own_shot(alignment: Alignment, answers: Sequence[Answer], make: Maker) -> Iterator[Flag | None]:
    """In the first shooting night the don checked whom he had just shot at: one seat showed the same
    number while the mafia hunted and again when the don was called (4.6.9)."""
    least = make.thresholds["least_evidence"]
    shown = [
        a
        for a in answers
        if a.kind is QuestionKind.NUMBER and a.tell is Tell.YES and a.value is not None and a.probability >= least
    ]  # fmt: skip
    for number, night in alignment.nights:
        hunt = _between(alignment, night, CueKind.SHOOTING, (CueKind.SHOOTING_END, CueKind.DON_WAKES))
        call = _between(alignment, night, CueKind.DON_WAKES, (CueKind.DON_SLEEPS, CueKind.SHERIFF_WAKES))
        if number != 1 or hunt is None or call is None:
            continue
        for check in (a for a in shown if a.span.middle in call):
            shot = next(
                (
                    a
                    for a in shown
                    if a.seat == check.seat and a.span.middle in hunt and a.value == check.value
                ),
                None,
            )
            if shot is not None:
                yield make.flag(
                    "night_check_of_own_shot", call, number, shot.probability * check.probability,
                    seats=(check.seat,), params={"seat": check.seat, "target": check.value, "seats": [check.value]},
                    doubts=(("numbers_seen", {}),), frames=(*shot.evidence[:2], *check.evidence[:2]),
                )  # fmt: skip
                break


def _between(alignment: Alignment, night: Span, begins: CueKind, ends: tuple[CueKind, ...]) -> Span | None:
    """From the words that open a phase of the night to those that close it; None: not both were heard."""
    inside = [c for c in alignment.cues if c.span.middle in night]
    start = next((c.span for c in inside if c.kind is begins), None)
    if start is None:
        return None
    stop = next((c.span for c in inside if c.kind in ends and c.span.t0 > start.t0), None)
    return Span(start.t0, stop.t1) if stop is not None else None


def _gone(alignment: Alignment, seat: int) -> Micros | None:
    """When the seat's game was over, None while it plays."""
    return next(
        (e.span.t0 for e in alignment.timeline.of_kind("eliminated") if seat in e.fields["seats"]), None
    )


def _departures(answers: Sequence[Answer], make: Maker) -> Iterator[Departure]:
    for kind, values, key in (
        (QuestionKind.MASK, ("off", "forehead", "held"), "mask_off_at_night"),
        (QuestionKind.POSTURE, ("head_up",), "head_up_at_night"),
        (QuestionKind.POSTURE, ("arms_down",), "arms_down_at_night"),
        (QuestionKind.POSTURE, ("touching",), "touch_at_night"),
    ):
        for seat, span, p, frames in stretches(answers, kind, values, make.thresholds["least_evidence"]):
            yield Departure(key, seat, span, p, frames)


def _empty(d: Departure, empty: Sequence[Stretch]) -> bool:
    """Nobody sits there: what a picture takes for a face without a mask is a chair."""
    return any(seat == d.seat and d.span.middle in span for seat, span, _, _ in empty)


def _late_masks(
    number: int, whole: Span, departures: Sequence[Departure], make: Maker
) -> Iterator[Flag | None]:
    """A mask that was still off after the call of the night, and went on late."""
    settled = whole.t0 + micros(make.thresholds["mask_late"])
    for d in departures:
        if d.key == "mask_off_at_night" and d.span.t0 < settled < d.span.t1 and d.span & whole:
            yield _late_mask(d.seat, d.span, whole, number, d.probability, d.frames, make)


def stretches(
    answers: Sequence[Answer],
    kind: QuestionKind,
    values: tuple[str, ...],
    least: float,
    tell: Tell | None = None,
) -> Iterator[Stretch]:
    """Neighbouring answers of one seat that say the same, joined."""
    chosen = [
        a
        for a in answers
        if a.kind is kind
        and a.probability >= least
        and (a.tell is tell if tell else str(a.value) in values)
        and a.tell is not Tell.CANNOT_TELL
    ]
    chosen.sort(key=lambda a: (a.seat, a.span))
    run: list[Answer] = []
    for a in chosen:
        if run and (a.seat != run[-1].seat or a.span.t0 - run[-1].span.t1 > _JOIN):
            yield _joined(run)
            run = []
        run.append(a)
    if run:
        yield _joined(run)


def _joined(run: Sequence[Answer]) -> Stretch:
    p = sum(a.probability for a in run) / len(run)
    frames = tuple(f for a in (run[0], run[len(run) // 2], run[-1]) for f in a.evidence[:1])
    return run[0].seat, Span(run[0].span.t0, max(a.span.t1 for a in run)), p, frames


def _late_mask(
    seat: int,
    span: Span,
    night: Span,
    number: int,
    p: float,
    frames: tuple[Frame, ...],
    make: Maker,
) -> Flag | None:
    late = seconds(span.t1 - night.t0)
    if late <= make.thresholds["mask_late"]:
        return None
    return make.flag(
        "mask_late", Span(night.t0, span.t1), number, p, seats=(seat,), params={"seat": seat, "late": late},
        doubts=(("posture", {}),), frames=frames,
    )  # fmt: skip


def _mask_by_day(alignment: Alignment, answers: Sequence[Answer], make: Maker) -> Iterator[Flag | None]:
    grace = micros(make.thresholds["mask_by_day_grace"])
    mornings = [e.span.t1 + grace for e in alignment.timeline.of_kind("day_began")]
    masked = list(stretches(answers, QuestionKind.MASK, ("eyes",), make.thresholds["least_evidence"]))
    for seat, span, p, frames in masked:
        if len({s for s, other, _, _ in masked if span.middle in other}) > _TABLE_MASKED:
            continue  # half the table masked is a night, whatever was heard of it
        if any(s & span for _, s in alignment.nights) or not mornings:
            continue
        start = max([m for m in mornings if m - grace <= span.t1], default=None)
        if start is None or seconds(span.t1 - max(start, span.t0)) <= make.thresholds["mask_by_day"]:
            continue
        by_day = Span(max(start, span.t0), span.t1)
        yield make.flag(
            "mask_by_day", by_day, _day(alignment, by_day.t0), p, seats=(seat,),
            params={"seat": seat, "length": seconds(by_day.duration)}, doubts=(("posture", {}),), frames=frames,
        )  # fmt: skip


def _day(alignment: Alignment, t: Micros) -> int:
    days = [e.day for e in alignment.timeline.events if e.span.t0 <= t]
    return days[-1] if days else 0
