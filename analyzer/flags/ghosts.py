"""A hand of somebody whose game is over, put down in a vote as if he still played (4.5.11).

Seats out of play are asked like the others: their hands cost nothing more. One such hand in a game is told.
Several in one call, a seat that votes again and again, a hand that the judge's count needs: they speak
against the course of the game that was decoded and not against the seats. A chair in which nobody sits has
no hand: a neighbour's lies there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.flags.flag import Flag, Maker
from mafiavar.analyzer.span import SECOND, Micros
from mafiavar.analyzer.vision.question import Answer, Contact, QuestionKind, Tell
from mafiavar.analyzer.votes.count import BallotVotes, Votes, close_of

ISSUE = "hand_of_the_dead"
"""The line of the calibration of a fist that a player out of the game puts down."""

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


def _left_surely(alignment: Alignment, seat: int, t: Micros) -> float:
    """How sure it is that the seat had left: its last leaving, or the night that killed it."""
    known = [
        e.confidence
        for e in alignment.timeline.events
        if e.span.t0 <= t
        and ((e.kind == "eliminated" and seat in e.fields["seats"]) or e.fields.get("killed") == seat)
    ]
    return known[-1] if known else 0.5
