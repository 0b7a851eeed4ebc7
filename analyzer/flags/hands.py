"""Hands in a ballot: early, late, withdrawn, released, of the wrong form, two, twice, missing; the
announced count against the hands."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mafiavar.analyzer.align.result import Ballot
from mafiavar.analyzer.flags.flag import Flag, Maker
from mafiavar.analyzer.span import SECOND, Micros, Span, micros, seconds
from mafiavar.analyzer.speech.numerals import number_of
from mafiavar.analyzer.transcript import Transcript
from mafiavar.analyzer.vision.question import Contact
from mafiavar.analyzer.votes.count import BallotVotes, SeatVote, Votes, close_of, over

Doubt = tuple[str, Mapping[str, Any]]
_MANY = 3
_UNSEEN = 0.8  # how far a late hand is believed where the time before the stop could not be seen
_WRONG_FORMS = ("palm", "finger", "elbow")


def flags_of_hands(votes: Votes, transcript: Transcript, make: Maker) -> Iterator[Flag | None]:
    for b in votes.ballots:
        named = named_at(b.ballot, transcript)
        demanded = b.last and (b.ballot.demanded or _demanded(b.ballot, transcript))
        playing = {seat: v for seat, v in b.seats.items() if v.vote != "out"}
        hands = sum(bool(v.contacts) for v in playing.values())
        yield from _by_some(hands, [_early(b, seat, v, named, make) for seat, v in playing.items()])
        yield from _by_some(hands, [_late(b, seat, v, make) for seat, v in playing.items()])
        yield from _by_some(hands, [_withdrawn(b, seat, v, make) for seat, v in playing.items()])
        for seat, v in playing.items():
            yield _released(b, seat, v, make)
            yield _form(b, seat, v, make)
            yield _two_hands(b, seat, v, make)
            yield _missing(votes, b, seat, v, demanded, make)
        yield _count(votes, b, make)
    yield from _two_candidates(votes, make)


def _by_some(hands: int, flags: Sequence[Flag | None]) -> Sequence[Flag | None]:
    """Nothing where three seats and at least half of the hands of a call did the same: then the number
    or the «стоп» they are measured by was said at another time and misheard."""
    count = sum(f is not None for f in flags)
    return () if count >= _MANY and 2 * count >= hands else flags


def named_at(ballot: Ballot, transcript: Transcript) -> Micros:
    """When the candidate's number had been said: the end of its numeral in the words of the call."""
    if ballot.lift:
        return ballot.named
    ends = [
        w.span.t1
        for w in transcript.words
        if w.span & ballot.called and (n := number_of(_bare(w.text))) is not None and n[0] == ballot.target
    ]
    return ends[-1] if ends and ends[-1] <= ballot.named + SECOND // 5 else ballot.named


def _bare(text: str) -> str:
    return text.strip(' .,!?:;«»"—-№').lower()


def _sure_margin(margin: float, border: float) -> float:
    """How sure a difference of times is, when one side is a word border (logistic of the margin)."""
    return 1 / (1 + math.exp(-max(min(margin / (border / 2), 30.0), -30.0)))


def _about(b: BallotVotes, **more: Any) -> dict[str, Any]:
    return {"target": b.ballot.target, "lift": b.ballot.lift, **more}


def _border_doubts(b: BallotVotes, margin: float, make: Maker) -> tuple[Doubt, ...]:
    out: list[Doubt] = []
    if margin < 2 * make.thresholds["word_border"]:
        out.append(("word_border", {"border": make.thresholds["word_border"]}))
    if b.ballot.called_basis != "observed":
        out.append(("call_not_heard", {}))
    return tuple(out)


def _contact_doubts(c: Contact) -> tuple[Doubt, ...]:
    out: list[Doubt] = []
    if c.probability < 0.8:
        out.append(("contact_unsure", {"percent": round(100 * c.probability)}))
    if c.open_start:
        out.append(("open_start", {}))
    return tuple(out)


def _early(b: BallotVotes, seat: int, v: SeatVote, named: Micros, make: Maker) -> Flag | None:
    c = v.contact
    if v.vote != "yes" or c is None or b.ballot.lift:
        return None
    first = min((x for x in v.contacts if x.probability >= 0.5), key=lambda x: x.span.t0, default=c)
    early = seconds(named - first.span.t0)
    if early <= make.thresholds["hand_early"]:
        return None
    excess = early - make.thresholds["hand_early"]
    sure = _sure_margin(excess + make.thresholds["word_border"] / 2, make.thresholds["word_border"])
    return make.flag(
        "hand_early",
        Span(first.span.t0, max(named, first.span.t0)),
        b.ballot.day,
        v.probability * sure,
        seats=(seat,),
        params=_about(b, seat=seat, early=early),
        doubts=(*_border_doubts(b, excess, make), *_contact_doubts(first)),
        frames=first.evidence,
    )


def _late(b: BallotVotes, seat: int, v: SeatVote, make: Maker) -> Flag | None:
    c = v.contact if v.vote == "no" else _late_of_unknown(b, v)
    if c is None or b.ballot.stop is None or b.ballot.lift:
        return None
    late = seconds(c.span.t0 - b.ballot.stop.t1)
    if late < 0:
        return None
    unseen: tuple[Doubt, ...] = () if v.vote == "no" else (("earlier_unseen", {}),)
    sure = _sure_margin(late + make.thresholds["word_border"], make.thresholds["word_border"])
    return make.flag(
        "hand_late",
        c.span,
        b.ballot.day,
        c.probability * sure * (_UNSEEN if unseen else 1.0),
        seats=(seat,),
        params=_about(b, seat=seat, late=late),
        doubts=(*_border_doubts(b, late, make), *_contact_doubts(c), *unseen),
        frames=c.evidence,
    )


def _late_of_unknown(b: BallotVotes, v: SeatVote) -> Contact | None:
    """The first sure hand after the close where nobody could see whether one had come before."""
    close, sure = close_of(b.ballot), [c for c in v.contacts if c.probability >= 0.5]
    if v.vote != "unknown" or any(c.span.t0 < close for c in sure):
        return None
    return next((c for c in sure if c.span.t0 <= over(b.ballot)), None)


def _withdrawn(b: BallotVotes, seat: int, v: SeatVote, make: Maker) -> Flag | None:
    stop = b.ballot.stop
    if v.vote != "yes" or stop is None or b.ballot.lift:
        return None
    # A hand that comes to rest after the stop is not the vote that goes on.
    sure = [c for c in v.contacts if c.probability >= 0.5 and c.span.t0 < stop.t1]
    if not sure or any(c.span.t1 >= stop.t0 for c in sure):
        return None
    last = max(sure, key=lambda c: c.span.t1)
    if last.open_end:
        return None
    early = seconds(stop.t0 - last.span.t1)
    if early <= make.thresholds["hand_withdrawn"]:
        return None
    return make.flag(
        "hand_withdrawn",
        last.span,
        b.ballot.day,
        v.probability * _sure_margin(early, make.thresholds["word_border"]),
        seats=(seat,),
        params=_about(b, seat=seat, early=early, held=seconds(last.span.duration)),
        doubts=(*_border_doubts(b, early, make), *_contact_doubts(last)),
        frames=last.evidence,
    )


def _released(b: BallotVotes, seat: int, v: SeatVote, make: Maker) -> Flag | None:
    stop, said = b.ballot.stop, b.ballot.count
    if v.vote != "yes" or stop is None or said is None or v.contact is None or b.ballot.lift:
        return None
    last = max((c for c in v.contacts if c.probability >= 0.5), key=lambda c: c.span.t1, default=v.contact)
    early = seconds(said.t0 - last.span.t1)
    if last.open_end or last.span.t1 < stop.t1 or early <= make.thresholds["hand_released"]:
        return None
    return make.flag(
        "hand_released_before_count",
        Span(last.span.t1, max(said.t0, last.span.t1)),
        b.ballot.day,
        v.probability * _sure_margin(early, make.thresholds["word_border"]),
        seats=(seat,),
        params=_about(b, seat=seat, early=early),
        doubts=(*_border_doubts(b, early, make), *_contact_doubts(last)),
        frames=last.evidence,
    )


def _form(b: BallotVotes, seat: int, v: SeatVote, make: Maker) -> Flag | None:
    c = v.contact
    if v.vote != "yes" or c is None or c.probability < make.thresholds["least_evidence"]:
        return None
    if c.form not in (*_WRONG_FORMS, "fist_flat"):
        return None
    key = "hand_form_flat" if c.form == "fist_flat" else "hand_form"
    return make.flag(
        key,
        c.span,
        b.ballot.day,
        v.probability * 0.8,
        seats=(seat,),
        params=_about(b, seat=seat, form=c.form),
        doubts=(("form_angle", {}), *_contact_doubts(c)),
        frames=c.evidence,
    )


def _two_hands(b: BallotVotes, seat: int, v: SeatVote, make: Maker) -> Flag | None:
    sure = [c for c in v.contacts if c.probability >= make.thresholds["least_evidence"]]
    asked = Span(b.ballot.called.t0, max(over(b.ballot), b.ballot.called.t0))
    for i, a in enumerate(sure):
        for c in sure[i + 1 :]:
            together = a.span & c.span
            common = together & asked if together is not None else None
            if common is None or not a.side or not c.side or a.side == c.side:
                continue
            if seconds(common.duration) >= make.thresholds["two_hands"]:
                return make.flag(
                    "two_hands",
                    common,
                    b.ballot.day,
                    min(a.probability, c.probability),
                    seats=(seat,),
                    params=_about(b, seat=seat, together=seconds(common.duration)),
                    doubts=(("resting_hand", {}),),
                    frames=(*a.evidence[:2], *c.evidence[:2]),
                )
    return None


def _demanded(ballot: Ballot, transcript: Transcript) -> bool:
    """Does the judge ask for the remaining hands between the stop and the count («остальные, руки»)?"""
    if ballot.stop is None or ballot.count is None:
        return False
    said = [
        _bare(w.text)
        for w in transcript.words
        if ballot.stop.t0 <= w.span.t0 <= ballot.count.t0 and w.best_speaker()[0] in ("judge", "unknown")
    ]
    return any(w.startswith(("остав", "остал")) for w in said) and any(w.startswith("рук") for w in said)


def _missing(
    votes: Votes, b: BallotVotes, seat: int, v: SeatVote, demanded: bool, make: Maker
) -> Flag | None:
    if not demanded or v.vote != "no" or not votes.looked:
        return None
    calls = votes.round_of(b.ballot)
    if any(call.seats[seat].vote != "no" for call in calls):
        return None
    p = math.prod(call.seats[seat].probability for call in calls)
    return make.flag(
        "vote_missing",
        Span(b.ballot.called.t0, max(close_of(b.ballot), b.ballot.called.t0)),
        b.ballot.day,
        p,
        seats=(seat,),
        params=_about(b, seat=seat),
        doubts=(("demand_heard", {}),),
        frames=v.evidence,
    )


def _two_candidates(votes: Votes, make: Maker) -> Iterator[Flag | None]:
    for i, b in enumerate(votes.ballots):
        if b.ballot.lift:
            continue
        for seat, v in b.seats.items():
            if v.vote != "yes" or v.contact is None:
                continue
            earlier = [
                e
                for e in votes.ballots[:i]
                if (e.ballot.day, e.ballot.round) == (b.ballot.day, b.ballot.round)
                and not e.ballot.lift
                and e.seats[seat].vote == "yes"
            ]
            if not earlier:
                continue
            first = earlier[0]
            yield make.flag(
                "two_candidates",
                v.contact.span,
                b.ballot.day,
                v.probability * first.seats[seat].probability,
                seats=(seat,),
                params=_about(b, seat=seat, first=first.ballot.target),
                doubts=(("resting_hand", {}),),
                frames=(*first.seats[seat].evidence[:2], *v.evidence[:2]),
            )


def _count(votes: Votes, b: BallotVotes, make: Maker) -> Flag | None:
    """The announced number against the hands; the last candidate also gets what is left over."""
    announced, span = b.ballot.announced, b.ballot.count
    if announced is None or span is None:
        return None
    low, high = b.counted
    if b.last:
        low, high = _with_rest(votes, b)
    if low <= announced <= high or not votes.looked:
        return None
    away = max(low - announced, announced - high)
    sure = [v.probability for v in b.seats.values() if v.vote in ("yes", "no")]
    confidence = _count_confidence(sure, away)
    frames = tuple(f for v in b.seats.values() if v.vote == "yes" for f in v.evidence[:1])
    return make.flag(
        "vote_count_mismatch",
        Span(b.ballot.called.t0, max(span.t1, b.ballot.called.t0)),
        b.ballot.day,
        confidence,
        params=_about(
            b,
            announced=announced,
            low=low,
            high=high,
            yes=list(b.of("yes")),
            unknown=list(b.of("unknown")),
            decides=decides(votes, b, low, high),
        ),
        doubts=(
            ("count_heard", {}),
            *((("unseen_seats", {"seats": list(b.of("unknown"))}),) if b.of("unknown") else ()),
        ),
        frames=frames,
    )


def _with_rest(votes: Votes, b: BallotVotes) -> tuple[int, int]:
    """(least, most) votes of the last candidate: all living minus what the others got."""
    others = [e for e in votes.round_of(b.ballot) if e.ballot.target != b.ballot.target]
    voters = len(b.ballot.voters)
    if len(others) != len(b.ballot.candidates) - 1:
        return 0, voters
    low = voters - sum(e.counted[1] for e in others)
    high = voters - sum(e.counted[0] for e in others)
    # Who voted twice is counted twice: the hands of this call stand all the same.
    low = max(low, b.counted[0])
    return low, max(low, high) + len(voted_twice(votes, b))


def decides(votes: Votes, b: BallotVotes, low: int, high: int) -> bool | None:
    """Would the hands send somebody else away than the announced numbers? None: a number is missing."""
    announced = {c.ballot.target: c.ballot.announced for c in votes.round_of(b.ballot)}
    if b.ballot.lift:
        return None if b.ballot.announced is None else any(
            (2 * n > len(b.ballot.voters)) != (2 * b.ballot.announced > len(b.ballot.voters)) for n in (low, high)
        )  # fmt: skip
    if len(announced) != len(b.ballot.candidates) or any(n is None for n in announced.values()):
        return None
    told = {t: n for t, n in announced.items() if n is not None}
    return any(_leaders({**told, b.ballot.target: n}) != _leaders(told) for n in range(low, high + 1))


def _leaders(counts: Mapping[int, int]) -> frozenset[int]:
    most = max(counts.values(), default=0)
    return frozenset(t for t, n in counts.items() if n == most)


def voted_twice(votes: Votes, b: BallotVotes) -> tuple[int, ...]:
    """Seats whose hand was on the table in more than one call of the round: the judge may have
    counted them in each."""
    calls = [set(call.of("yes")) for call in votes.round_of(b.ballot)]
    return tuple(s for s in range(1, 11) if sum(s in call for call in calls) > 1)


def _count_confidence(probabilities: list[float], away: int) -> float:
    """Probability that at most `away - 1` of the judged seats were judged wrongly (Poisson)."""
    expected = sum(1 - p for p in probabilities)
    return sum(math.exp(-expected) * expected**k / math.factorial(k) for k in range(away))


__all__ = ["flags_of_hands", "micros", "named_at"]
