"""The recordings of one game on one clock: which is where, and who sees which seat best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.vision.question import Answer, Contact, Frame, Question, SeatHands, Tell


@dataclass(frozen=True, slots=True)
class Placed:
    """A recording with its place on the game's clock: game time = recording time + `shift`."""

    number: int
    recording: Recording
    index: Path
    key: str
    shift: Micros

    @property
    def span(self) -> Span:
        return Span(self.shift, self.shift + self.recording.duration)


def questions_on(placed: Placed, questions: Sequence[Question]) -> tuple[Question, ...]:
    """The questions this recording can say something about, on its own clock."""
    mine = []
    for question in questions:
        window = question.window & placed.span
        if window is not None and window.duration > 0:
            mine.append(replace(question, window=Span(window.t0 - placed.shift, window.t1 - placed.shift)))
    return tuple(mine)


def on_game_clock(placed: Placed, hands: SeatHands) -> SeatHands:
    """An answer of this recording, moved to the game's clock; frames keep their own PTS."""

    def later(span: Span) -> Span:
        return Span(span.t0 + placed.shift, span.t1 + placed.shift)

    def frames(evidence: tuple[Frame, ...]) -> tuple[Frame, ...]:
        return tuple(replace(f, recording=placed.number, t=f.t + placed.shift) for f in evidence)

    def contact(c: Contact) -> Contact:
        return replace(c, span=later(c.span), evidence=frames(c.evidence))

    return replace(
        hands,
        window=later(hands.window),
        contacts=tuple(contact(c) for c in hands.contacts),
        seen=tuple(later(s) for s in hands.seen),
        evidence=frames(hands.evidence),
    )


def answer_on_game_clock(placed: Placed, answer: Answer) -> Answer:
    """An answer of this recording on the game's clock."""
    return replace(
        answer,
        span=Span(answer.span.t0 + placed.shift, answer.span.t1 + placed.shift),
        evidence=tuple(replace(f, recording=placed.number, t=f.t + placed.shift) for f in answer.evidence),
    )


def best_answers(answers: Sequence[Answer]) -> tuple[Answer, ...]:
    """Answers of all cameras in order of time; `cannot_tell` only where no camera could tell."""
    told = [a for a in answers if a.tell is not Tell.CANNOT_TELL]

    def known(a: Answer) -> bool:
        return any(b.kind == a.kind and b.seat == a.seat and _meet(b.span, a.span) for b in told)

    kept = [a for a in answers if a.tell is not Tell.CANNOT_TELL or not known(a)]
    return tuple(sorted(kept, key=lambda a: (a.span, a.kind, a.seat)))


def best_views(answers: Sequence[SeatHands]) -> tuple[SeatHands, ...]:
    """One answer per seat and window: the camera that saw most of the window, then the surest.

    Windows are taken as the same when they overlap: pieces of one question seen by two cameras.
    """
    chosen: list[SeatHands] = []
    for answer in sorted(answers, key=lambda a: (a.seat, a.window.t0, -_seen(a), a.p_missed)):
        rival = next(
            (i for i, c in enumerate(chosen) if c.seat == answer.seat and _meet(c.window, answer.window)),
            None,
        )
        if rival is None:
            chosen.append(answer)
        elif (_seen(answer), -answer.p_missed) > (_seen(chosen[rival]), -chosen[rival].p_missed):
            chosen[rival] = answer
    return tuple(sorted(chosen, key=lambda a: (a.window.t0, a.seat)))


def _seen(answer: SeatHands) -> Micros:
    return sum(s.duration for s in answer.seen)


def _meet(a: Span, b: Span) -> bool:
    overlap = a & b
    return overlap is not None and overlap.duration > 0
