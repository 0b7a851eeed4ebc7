"""What hands do by day besides voting: strong gestures in a vote, blows on the table, touches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.flags.flag import Flag, Maker
from mafiavar.analyzer.flags.floors import day_at, votes_of
from mafiavar.analyzer.flags.night import stretches
from mafiavar.analyzer.span import SECOND, Span, seconds
from mafiavar.analyzer.vision.question import Answer, QuestionKind

_ONE_BLOW = SECOND // 2


def flags_of_gestures(alignment: Alignment, answers: Sequence[Answer], make: Maker) -> Iterator[Flag | None]:
    """`answers`: GESTURE (value "strong" or "knock") and POSTURE "touching", at any time of the game."""
    least = make.thresholds["least_evidence"]
    for seat, span, p, frames in stretches(answers, QuestionKind.GESTURE, ("strong",), least):
        if any(span & vote for vote in votes_of(alignment)):
            yield make.flag(
                "gesture_during_vote", span, day_at(alignment, span.t0), p, seats=(seat,),
                params={"seat": seat, "length": seconds(span.duration)}, doubts=(("gesture_meaning", {}),),
                frames=frames,
            )  # fmt: skip
    for seat, span, p, frames in stretches(answers, QuestionKind.POSTURE, ("touching",), least):
        by_day = not any(night & span for _, night in alignment.nights)
        if by_day and seconds(span.duration) >= make.thresholds["touch"]:
            yield make.flag(
                "touch_by_day", span, day_at(alignment, span.t0), p, seats=(seat,),
                params={"seat": seat, "length": seconds(span.duration)}, doubts=(("posture", {}),), frames=frames,
            )  # fmt: skip
    yield from _knocks(alignment, answers, make)


def _knocks(alignment: Alignment, answers: Sequence[Answer], make: Maker) -> Iterator[Flag | None]:
    """A blow that was seen; one that was only heard may be a cup, and accuses nobody unless it was
    heard surely. Fists put down to vote are no knocks."""
    seen: list[Span] = []
    heard = [c for c in alignment.cues if c.kind is CueKind.KNOCK]
    for seat, span, p, frames in stretches(
        answers, QuestionKind.GESTURE, ("knock",), make.thresholds["least_evidence"]
    ):
        sound = next((c for c in heard if c.span.widened(_ONE_BLOW) & span), None)
        if any(span.t0 in b.called | Span(b.called.t0, b.until) for b in alignment.ballots):
            continue
        seen.append(span)
        yield make.flag(
            "table_knock", span, day_at(alignment, span.t0), p if sound else 0.8 * p, seats=(seat,),
            params={"seat": seat}, doubts=() if sound else (("knock_unheard", {}),), frames=frames,
        )  # fmt: skip
    for cue in heard:
        if cue.likelihood < make.thresholds["knock_heard"] or any(
            cue.span.widened(_ONE_BLOW) & s for s in seen
        ):
            continue
        if any(cue.span & Span(b.called.t0, b.until) for b in alignment.ballots):
            continue
        if any(cue.span & night for _, night in alignment.nights):
            continue
        who = max(cue.speaker.items(), key=lambda kv: kv[1], default=("unknown", 0.0))
        known = isinstance(who[0], int) and who[1] >= make.thresholds["least_evidence"]
        seats = (who[0],) if known and isinstance(who[0], int) else ()
        yield make.flag(
            "table_knock", cue.span, day_at(alignment, cue.span.t0), cue.likelihood * (1.0 if known else 0.8),
            seats=seats, params={"seat": seats[0] if seats else None}, doubts=(("knock_unseen", {}),),
        )  # fmt: skip
