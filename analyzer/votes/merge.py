"""Votes join the timeline: `vote_cast` and `lift_cast` events with the confidence of what was seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.span import Span, seconds
from mafiavar.analyzer.timeline import Evidence, TimelineEvent
from mafiavar.analyzer.vision.question import Frame
from mafiavar.analyzer.votes.count import BallotVotes, SeatVote, Votes, close_of

Cast = tuple[str, Span, int, dict[str, Any], float, tuple[Frame, ...]]


def with_votes(alignment: Alignment, votes: Votes) -> Alignment:
    """The alignment whose timeline also holds the votes. Ids are given anew in order of time."""
    cast = [
        TimelineEvent("", kind, span, day, fields, p, "observed", tuple(_evidence(f) for f in frames))
        for b in votes.ballots
        for kind, span, day, fields, p, frames in _casts(b)
    ]
    return alignment.with_events((*_with_lifts(alignment.timeline.events), *cast))


def _with_lifts(events: Sequence[TimelineEvent]) -> list[TimelineEvent]:
    """Who leaves because the table wanted all of them to leave left by the lift, not by a vote."""
    out = []
    lifted: tuple[int, tuple[int, ...]] | None = None  # day, candidates of a lift that found its majority
    called: tuple[int, ...] = ()
    for e in events:
        if e.kind == "lift_called":
            called, lifted = tuple(e.fields["candidates"]), None
        elif e.kind == "lift_result" and int(e.fields["yes"]) > int(e.fields["no"]):
            lifted = (e.day, called)
        elif e.kind == "vote_opened":
            lifted = None
        elif (
            e.kind == "eliminated"
            and e.fields.get("by") == "vote"
            and lifted is not None
            and lifted[0] == e.day
            and set(e.fields["seats"]) <= set(lifted[1])
        ):
            e = replace(e, fields={**e.fields, "by": "lift"})  # noqa: PLW2901
        out.append(e)
    return out


def _casts(b: BallotVotes) -> Iterator[Cast]:
    end = b.ballot.count or b.ballot.stop or Span(close_of(b.ballot), close_of(b.ballot))
    for seat, v in sorted(b.seats.items()):
        if v.vote == "yes" and v.contact is not None:
            yield _hand(b, seat, v)
        elif b.ballot.lift and v.vote == "no":
            yield "lift_cast", end, b.ballot.day, {"seat": seat, "yes": False}, v.probability, v.evidence
        elif v.remainder:
            fields = _fields(b, seat, None, "none", None, remainder=True)
            yield "vote_cast", end, b.ballot.day, fields, v.probability, v.evidence


def _hand(b: BallotVotes, seat: int, v: SeatVote) -> Cast:
    assert v.contact is not None
    span = v.contact.span
    if b.ballot.lift:
        return "lift_cast", span, b.ballot.day, {"seat": seat, "yes": True}, v.probability, v.evidence
    fields = _fields(b, seat, v.hand, v.form, span, remainder=False)
    return "vote_cast", span, b.ballot.day, fields, v.probability, v.evidence


def _fields(
    b: BallotVotes, seat: int, hand: str | None, form: str, contact: Span | None, *, remainder: bool
) -> dict[str, Any]:
    return {
        "round": b.ballot.round,
        "target": b.ballot.target,
        "seat": seat,
        "hand": hand,
        "form": form,
        "contact": [seconds(contact.t0), seconds(contact.t1)] if contact else None,
        "remainder": remainder,
    }


def _evidence(f: Frame) -> Evidence:
    return Evidence(f.recording, f.t, f.pts, f.time_base)
