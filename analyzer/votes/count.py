"""From contacts of hands with the table to votes.

yes: a contact began before the end of «стоп», even if early or withdrawn. no: the table before the
seat was seen and there was none, or only a later one. unknown: it was not seen well enough. out:
not in play. A hand still resting from the previous call belongs to that call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from mafiavar.analyzer.align.result import Alignment, Ballot
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.vision.question import Contact, Frame, HandForm, SeatHands

VoteWord = Literal["yes", "no", "unknown", "out"]
SEATS = range(1, 11)

YES = 0.5
"""A contact at least this probable is a vote."""
DOUBTFUL = 0.25
"""Between this and YES a contact neither makes a vote nor lets one be denied."""
MISSED = 0.14
"""A seat whose hands may have gone unnoticed with more than this probability is not denied a vote: of those
denied with more (up to .35, fifteen rendered casts) two of 24 had voted, of some 550 with less none."""
SEEN_SHARE = 0.6
"""Share of the time between `named` and the stop in which the table before the seat must be seen."""
JUST_LATE: Micros = 700_000
"""A touch so soon after the stop is late for this call, however long the hand rests."""
NO_COUNT: Micros = 2 * SECOND
"""So long after the close a hand may still be a late vote when no count was heard."""
NO_STOP: Micros = 2 * SECOND
"""Where neither stop nor count was heard: how long after the call hands are taken."""
TOUCHED_BEFORE: Micros = 150_000


@dataclass(frozen=True, slots=True)
class SeatVote:
    """What one hand did in one call.

    `contact` is the contact that makes the vote, or the late one; `contacts` all of this call.
    `remainder`: the vote goes to the last candidate by rule. `reason`: why unknown.
    """

    seat: int
    vote: VoteWord
    probability: float
    contact: Contact | None = None
    contacts: tuple[Contact, ...] = ()
    remainder: bool = False
    reason: str = ""
    evidence: tuple[Frame, ...] = ()

    @property
    def hand(self) -> Literal["left", "right", "both"] | None:
        sides = {c.side for c in self.contacts if c.side and c.probability >= YES}
        if len(sides) == 2 and self.vote == "yes":
            return "both"
        return self.contact.side if self.contact else None

    @property
    def form(self) -> HandForm:
        return self.contact.form if self.contact else "unknown"


@dataclass(frozen=True, slots=True)
class BallotVotes:
    """`counted` counts hands, lowest and highest over the unknown seats; `assigned` the remainder."""

    ballot: Ballot
    seats: Mapping[int, SeatVote]
    counted: tuple[int, int]
    assigned: int

    def of(self, *words: VoteWord) -> tuple[int, ...]:
        return tuple(s for s, v in self.seats.items() if v.vote in words)

    @property
    def last(self) -> bool:
        """Is this the call of the last candidate?"""
        return bool(self.ballot.candidates) and self.ballot.target == self.ballot.candidates[-1]


@dataclass(frozen=True, slots=True)
class Votes:
    """All calls in order of time; lifts have `ballot.lift`. `looked`: whether pictures were asked."""

    ballots: tuple[BallotVotes, ...]
    looked: bool

    def round_of(self, ballot: Ballot) -> tuple[BallotVotes, ...]:
        """All calls of the same vote (day, round), in order."""
        return tuple(
            b
            for b in self.ballots
            if (b.ballot.day, b.ballot.round, b.ballot.lift) == (ballot.day, ballot.round, ballot.lift)
        )


def count(alignment: Alignment, hands: Sequence[SeatHands]) -> Votes:
    """Votes of every ballot. `hands` are the answers to the HANDS questions, in any order."""
    ballots = alignment.ballots
    belonging = [_attributed(seat, ballots, hands) for seat in SEATS]
    counted = [
        {seat: _vote(seat, ballot, belonging[seat - 1][i], hands) for seat in SEATS}
        for i, ballot in enumerate(ballots)
    ]
    out = []
    for i, ballot in enumerate(ballots):
        seats = counted[i]
        if _is_last(ballot):
            earlier = [counted[j] for j, b in enumerate(ballots[:i]) if _same_round(b, ballot)]
            seats = _with_remainder(ballot, seats, earlier)
        low = sum(v.vote == "yes" for v in seats.values())
        high = low + sum(v.vote == "unknown" for v in seats.values())
        out.append(BallotVotes(ballot, seats, (low, high), sum(v.remainder for v in seats.values())))
    return Votes(tuple(out), bool(hands))


def _same_round(a: Ballot, b: Ballot) -> bool:
    return (a.day, a.round, a.lift) == (b.day, b.round, b.lift)


def _is_last(ballot: Ballot) -> bool:
    return not ballot.lift and bool(ballot.candidates) and ballot.target == ballot.candidates[-1]


def close_of(ballot: Ballot) -> Micros:
    """The end of «стоп»; where it was not heard, the begin of the count, or a usual time after the call."""
    if ballot.stop is not None:
        return ballot.stop.t1
    if ballot.count is not None:
        return ballot.count.t0
    return min(ballot.named + NO_STOP, ballot.until)


def over(ballot: Ballot) -> Micros:
    """When hands of this call stop meaning anything: its count was announced, or a usual time after
    the close. What lies on the table later has not been put there to vote."""
    if ballot.count is not None:
        return max(ballot.count.t1, close_of(ballot))
    return min(close_of(ballot) + NO_COUNT, max(ballot.until, close_of(ballot)))


def _attributed(seat: int, ballots: Sequence[Ballot], hands: Sequence[SeatHands]) -> list[list[Contact]]:
    """The contacts of a seat, call by call."""
    out: list[list[Contact]] = [[] for _ in ballots]
    unique: dict[tuple[int, int, str | None], Contact] = {}
    for answer in hands:
        if answer.seat == seat:
            for c in answer.contacts:
                unique.setdefault((c.span.t0, c.span.t1, c.side), c)
    for contact in sorted(unique.values(), key=lambda c: (c.span, c.side or "")):
        i = call_of(contact, ballots)
        if i is not None:
            out[i].append(contact)
    return out


def call_of(contact: Contact, ballots: Sequence[Ballot]) -> int | None:
    """Index of the call a contact belongs to; None when it lies outside all of them."""
    t = contact.span.t0
    chosen: int | None = None
    for i, ballot in enumerate(ballots):
        if t <= ballot.until and contact.span.t1 >= ballot.called.t0 - 3 * SECOND:
            before = ballots[i - 1] if i and ballot.called.t0 - ballots[i - 1].until < SECOND else None
            if before is not None and t < _boundary(before, ballot, contact):
                continue
            if before is None and contact.span.t1 < ballot.called.t0:
                continue  # went down and up again before anything was asked
            chosen = i
            if t < _after(ballot, ballots[i + 1] if i + 1 < len(ballots) else None, contact):
                return i
    return chosen


def _after(ballot: Ballot, following: Ballot | None, contact: Contact) -> Micros:
    if following is None or following.called.t0 - ballot.until >= SECOND:
        return ballot.until + 1
    return _boundary(ballot, following, contact)


def _boundary(before: Ballot, ballot: Ballot, contact: Contact) -> Micros:
    """From when on a touch is for `ballot` and no longer (late) for the call before."""
    close = close_of(before)
    said = before.count.t1 if before.count else (close + ballot.called.t0) // 2
    still_there = contact.span.t1 >= ballot.named
    return close + JUST_LATE if still_there else max(said, close)


def _vote(seat: int, ballot: Ballot, contacts: Sequence[Contact], hands: Sequence[SeatHands]) -> SeatVote:
    if seat not in ballot.voters:
        return SeatVote(seat, "out", 1.0, contacts=tuple(contacts))
    close = close_of(ballot)
    answers = [h for h in hands if h.seat == seat and h.window.t0 <= ballot.named and h.window.t1 >= close]
    if not answers:
        return SeatVote(seat, "unknown", 0.5, reason="not_asked")
    in_time = [c for c in contacts if c.span.t0 < close]
    late = [c for c in contacts if close <= c.span.t0 <= over(ballot)]
    frames = _near(answers, Span(ballot.called.t0, max(close, ballot.called.t0)))
    if in_time:
        best = max(in_time, key=lambda c: (c.probability, -c.span.t0))
        if best.probability >= YES:
            p = _sure(best, ballot)
            word: VoteWord = "yes" if p >= YES else "unknown"
            reason = "" if word == "yes" else "resting"
            return SeatVote(seat, word, p, best, tuple(contacts), False, reason, best.evidence or frames)
        if best.probability >= DOUBTFUL:
            return SeatVote(
                seat, "unknown", best.probability, best, tuple(contacts), False, "doubtful", best.evidence
            )
    answer = min(answers, key=lambda a: a.p_missed)
    if answer.p_missed > MISSED or _seen_share(answer, Span(ballot.called.t0, close)) < SEEN_SHARE:
        reason = answer.reason or "hidden"
        return SeatVote(seat, "unknown", 0.5, None, tuple(contacts), False, reason, frames)
    first_late = next((c for c in late if c.probability >= YES), None)
    return SeatVote(
        seat, "no", round(1 - answer.p_missed, 4), first_late, tuple(contacts), False, "",
        first_late.evidence if first_late else frames,
    )  # fmt: skip


def _sure(contact: Contact, ballot: Ballot) -> float:
    """A hand that lay there before anybody looked may just rest: less sure, unless it rests till the
    stop as a fist does."""
    if not contact.open_start:
        return contact.probability
    votes = contact.form == "fist_vertical" and contact.span.t1 >= close_of(ballot) - SECOND // 2
    return contact.probability * (0.8 if votes else 0.45)


def _seen_share(answer: SeatHands, window: Span) -> float:
    if window.duration <= 0:
        return 1.0 if any(window.t0 in s for s in answer.seen) else 0.0
    seen = sum(common.duration for s in answer.seen if (common := s & window) is not None)
    return min(1.0, seen / window.duration)


def _near(answers: Sequence[SeatHands], window: Span) -> tuple[Frame, ...]:
    """Pictures of the seat from this call, at most two."""
    frames = [f for a in answers for f in a.evidence if f.t in window.widened(SECOND)]
    frames.sort(key=lambda f: abs(f.t - window.t1))
    return tuple(frames[:2])


def _with_remainder(
    ballot: Ballot, seats: Mapping[int, SeatVote], earlier: Sequence[Mapping[int, SeatVote]]
) -> dict[int, SeatVote]:
    """Seats that certainly put no hand in any call of the round are assigned to the last candidate."""
    out = dict(seats)
    for seat in ballot.voters:
        mine = seats[seat]
        if mine.vote == "no" and all(e[seat].vote == "no" for e in earlier):
            out[seat] = SeatVote(
                seat,
                mine.vote,
                mine.probability,
                mine.contact,
                mine.contacts,
                True,
                mine.reason,
                mine.evidence,
            )
    return out
