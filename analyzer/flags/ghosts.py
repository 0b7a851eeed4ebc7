"""Somebody whose game is over acts in it, or is called to act: a hand put down in a vote as if he still
played (4.5.11), the word given to an empty chair.

Hands: seats out of play are asked like the others: their hands cost nothing more. One such hand in a game is told.
Several in one call, a seat that votes again and again, a hand that the judge's count needs: they speak
against the course of the game that was decoded and not against the seats. A chair in which nobody sits has
no hand: a neighbour's lies there.

Words: the decoder takes a number that cannot be for a misheard one. Where the judge gives the word to a seat
that left and at once to another, and that other one speaks, he had named the first and corrected himself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.flags.flag import Flag, Maker
from mafiavar.analyzer.flags.floors import floors_of
from mafiavar.analyzer.span import SECOND, Micros
from mafiavar.analyzer.timeline import TimelineEvent
from mafiavar.analyzer.vision.question import Answer, Contact, QuestionKind, Tell
from mafiavar.analyzer.votes.count import BallotVotes, Votes, close_of

ISSUE = "hand_of_the_dead"
"""The line of the calibration of a fist that a player out of the game puts down."""

WORD_ISSUE = "word_to_the_dead"
"""The line of the calibration of a word that is given to a seat out of the game and taken back."""

_TAKEN_BACK: Micros = 6 * SECOND
"""So soon after the wrong call the right one is over."""
_GONE: Micros = 5 * SECOND
"""A seat that leaves is called for its last words and its best move; this long after the last of them it is out."""

_CLEARLY = 0.7
"""A number less sure than that is taken for a misheard one, as the decoder takes it."""

_BEFORE: Micros = SECOND // 2
_LEAST: Micros = 300_000
_FORMS = ("fist_vertical", "fist_flat", "unknown")


def flags_of_ghosts(
    alignment: Alignment, votes: Votes, answers: Sequence[Answer], make: Maker
) -> Iterator[Flag | None]:
    found = [
        (b, [(seat, hand) for seat in b.of("out") if (hand := _hand(b, seat, answers, make)) is not None])
        for b in votes.ballots
    ]
    times = Counter(seat for _, hands in found for seat, _ in hands)
    for b, hands in found:
        if len(hands) != 1 or _counted(b) or times[hands[0][0]] > 1:
            continue
        seat, hand = hands[0]
        yield make.flag(
            "dead_player_acts", hand.span, b.ballot.day,
            hand.probability * _left_surely(alignment, seat, hand.span.t0),
            seats=(seat,), params={"issue": ISSUE, "seats": [seat], "target": b.ballot.target},
            doubts=(("decoded", {}),), frames=hand.evidence,
        )  # fmt: skip


def _hand(b: BallotVotes, seat: int, answers: Sequence[Answer], make: Maker) -> Contact | None:
    """The contact of a seat out of play that would have been its vote."""
    mine = [
        c
        for c in b.seats[seat].contacts
        if c.probability >= make.thresholds["least_evidence"]
        and c.form in _FORMS
        and not c.open_start
        and b.ballot.named - _BEFORE <= c.span.t0 < close_of(b.ballot)
        and c.span.duration >= _LEAST
    ]
    empty = [
        a.span for a in answers if a.kind is QuestionKind.PRESENCE and a.seat == seat and a.tell is Tell.NO
    ]
    return next((c for c in mine if not any(c.span & e for e in empty)), None)


def _counted(b: BallotVotes) -> bool:
    """Did the judge count more hands than those who play can have put down?"""
    announced = b.ballot.announced
    return announced is not None and announced > b.counted[1] + b.assigned


def flags_of_calls(alignment: Alignment, make: Maker) -> Iterator[Flag | None]:
    """Words given to seats out of the game that the judge took back at once."""
    calls = [c for c in alignment.cues if c.kind is CueKind.FLOOR and c.number() is not None]
    floors = floors_of(alignment)
    for wrong, right in pairwise(calls):
        seat, other = wrong.number(), right.number()
        t = wrong.span.t0
        if seat is None or seat == other or right.span.t1 - wrong.span.t1 > _TAKEN_BACK:
            continue
        if max(wrong.numbers[0].values()) < _CLEARLY:
            continue
        taken = [f for f in floors if t <= f.given.span.t1 and f.given.span.t0 <= right.span.t1]
        last = [f.span.t1 for f in floors if f.seat == seat and f not in taken and f.span.t0 < t]
        given = next((f.given for f in taken if f.seat == other), None)
        if given is None:
            continue
        left = _left_at(alignment, seat, t)
        if left is None or max([left.span.t1, *last]) > t - _GONE:
            continue
        yield make.flag(
            "word_to_the_dead", wrong.span, given.day,
            _named(wrong) * given.confidence * left.confidence,
            seats=(seat,), params={"issue": WORD_ISSUE, "seats": [seat], "target": other},
            doubts=(("numerals", {}),), words=((wrong.span, wrong.text), (right.span, right.text)),
        )  # fmt: skip


def _named(call: Cue) -> float:
    """How surely the call was uttered with the number it seems to have."""
    return call.likelihood * max(call.numbers[0].values())


def _left_surely(alignment: Alignment, seat: int, t: Micros) -> float:
    """How sure it is that the seat had left: its last leaving, or the night that killed it."""
    left = _left_at(alignment, seat, t)
    return left.confidence if left is not None else 0.5


def _left_at(alignment: Alignment, seat: int, t: Micros) -> TimelineEvent | None:
    """The event, before `t`, by which a seat left last."""
    known = [
        e
        for e in alignment.timeline.events
        if e.span.t0 <= t
        and ((e.kind == "eliminated" and seat in e.fields["seats"]) or e.fields.get("killed") == seat)
    ]
    return known[-1] if known else None
