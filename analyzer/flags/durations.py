"""Speeches that went on too long or were ended too early (4.4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.flags.flag import Flag, Maker
from mafiavar.analyzer.flags.floors import PAUSE, Floor, breath_end, floors_of, held_by_owner, voices_of
from mafiavar.analyzer.flags.moves import bare
from mafiavar.analyzer.span import SECOND, Micros, Span, micros, seconds
from mafiavar.analyzer.transcript import Transcript, Word

_OWN_ENDING: Micros = 10 * SECOND
_SOON: Micros = 2 * SECOND
"""Who goes on after «время» does so at once; later it is somebody else's affair."""


def flags_of_durations(alignment: Alignment, transcript: Transcript, make: Maker) -> Iterator[Flag | None]:
    floors = floors_of(alignment)
    cut = condensed(floors, make.thresholds["condensed"])
    turns = list(voices_of(transcript, make.thresholds["least_evidence"]))
    for i, floor in enumerate(floors):
        until = _until(alignment, floors, i)
        if not held_by_owner(floor, turns):
            continue
        yield _over_limit(floor, make)
        if floor.purpose == "best_move":
            continue  # ends with its numbers; what follows them is judged elsewhere
        stopped = _stopped(transcript, floor, until)
        if stopped is None:
            continue
        late = _after_time(transcript, floor, stopped, until, make)
        yield late
        if late is None and not cut:
            yield _cut_short(alignment, floor, stopped, until, make)


def _until(alignment: Alignment, floors: Sequence[Floor], i: int) -> Micros:
    """Where the floor's time cannot last beyond: the next floor, vote or night."""
    start = floors[i].span.t0
    borders = [
        e.span.t0 for e in alignment.timeline.of_kind("vote_opened", "night_began") if e.span.t0 > start
    ]
    following = floors[i + 1].given.span.t0 if i + 1 < len(floors) else alignment.duration
    return max(start, min([following, *borders]))


def condensed(floors: Sequence[Floor], share: float) -> bool:
    """Are speeches cut out of this recording? Then their lengths prove nothing."""
    lengths = [
        f.span.duration / (SECOND * float(f.given.fields["seconds"]))
        for f in floors
        if f.end is not None and f.purpose == "speech" and f.given.fields.get("seconds")
    ]
    return len(lengths) >= 3 and median(lengths) < share


def _over_limit(floor: Floor, make: Maker) -> Flag | None:
    limit = floor.given.fields.get("seconds")
    if floor.end is None or not isinstance(limit, int | float):
        return None
    over = seconds(floor.end.span.t0 - floor.given.span.t1) - float(limit)
    if over <= make.thresholds["speech_overtime"]:
        return None
    return make.flag(
        "speech_overtime",
        Span(floor.given.span.t1 + micros(float(limit)), floor.end.span.t1),
        floor.given.day,
        min(floor.given.confidence, floor.end.confidence),
        seats=(floor.seat,),
        params={"seat": floor.seat, "over": round(over, 1), "limit": limit, "after": "limit"},
    )


def _stopped(transcript: Transcript, floor: Floor, until: Micros) -> tuple[Span, float] | None:
    """The judge's word that ends the speech, and how surely it was heard: as the timeline has it, or
    «время» among the judge's words while the floor lasts."""
    if floor.end is not None and floor.end.fields.get("by") in ("time", "judge"):
        return floor.end.span, floor.end.confidence
    for word in transcript.words:
        if not floor.given.span.t1 < word.span.t0 < until:
            continue
        who, p = word.best_speaker()
        if who == "judge" and bare(word.text) == "время":
            end = min(breath_end(transcript, word.span.t1), until)
            return Span(word.span.t0, max(word.span.t1, end)), p * word.probability
    return None


def _after_time(
    transcript: Transcript, floor: Floor, stopped: tuple[Span, float], until: Micros, make: Maker
) -> Flag | None:
    """Words that go on after the judge's «время», not the judge's own."""
    start, least = stopped[0].t1, make.thresholds["least_evidence"]
    words: list[Word] = []
    for w in transcript.words:
        if not start <= w.span.t0 < until:
            continue
        who, p = w.best_speaker()
        if who == "judge" and p >= least:
            break
        if isinstance(who, int) and who != floor.seat and p >= least:
            continue
        if words and w.span.t0 - words[-1].span.t1 > 2 * PAUSE:
            break
        words.append(w)
    if len(words) < 3 or words[0].span.t0 - start > _SOON:
        return None
    span = Span(words[0].span.t0, words[-1].span.t1)
    over = seconds(span.t1 - start)
    if over <= make.thresholds["speech_after_time"]:
        return None
    sure = 0.9 if all(w.best_speaker()[0] == floor.seat for w in words) else 0.6
    return make.flag(
        "speech_overtime",
        span,
        floor.given.day,
        sure * stopped[1],
        seats=(floor.seat,),
        params={
            "seat": floor.seat,
            "over": round(over, 1),
            "limit": floor.given.fields.get("seconds"),
            "after": "time",
        },
        doubts=() if sure > 0.8 else (("who_spoke", {"percent": 60}),),
        words=((span, " ".join(w.text for w in words)),),
    )


def _cut_short(
    alignment: Alignment, floor: Floor, stopped: tuple[Span, float], until: Micros, make: Maker
) -> Flag | None:
    limit = floor.given.fields.get("seconds")
    if floor.purpose != "speech" or not isinstance(limit, int | float):
        return None
    if _ended_himself(alignment, stopped[0], until):
        return None
    short = float(limit) - seconds(stopped[0].t0 - floor.given.span.t1)
    if short <= make.thresholds["time_cut_short"]:
        return None
    return make.flag(
        "time_cut_short",
        stopped[0],
        floor.given.day,
        min(floor.given.confidence, stopped[1]) * 0.8,
        seats=(floor.seat,),
        params={"seat": floor.seat, "short": round(short, 1), "limit": limit},
        doubts=(("ending_unheard", {}),),
    )


def _ended_himself(alignment: Alignment, stopped: Span, until: Micros) -> bool:
    """Is the player's own «пас» or «спасибо» heard just before or after the judge's word? Who goes on
    after it and ends the speech himself has not been cut short."""
    near = Span(stopped.t0 - SECOND, max(stopped.t1, min(stopped.t1 + _OWN_ENDING, until)))
    return any(
        cue.kind is CueKind.FLOOR_END
        and cue.detail.get("by") in ("pas", "spasibo")
        and cue.said_by("judge") < 0.5
        and cue.span & near
        for cue in alignment.cues
    )
