"""Voices: out of turn, during a vote, at night; over time, cut short; words that are hints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.flags.flag import Flag, Maker
from mafiavar.analyzer.span import SECOND, Micros, Span, micros, seconds
from mafiavar.analyzer.timeline import TimelineEvent
from mafiavar.analyzer.transcript import Transcript, Word

PHRASES = {
    "oath": "phrase_oath", "obscene": "phrase_obscene", "appeal": "phrase_appeal", "reveal": "phrase_reveal",
    "team_defeat": "phrase_team_defeat", "best_move": "phrase_best_move", "both_roles": "phrase_both_roles",
}  # fmt: skip
_PAUSE: Micros = 600_000
_SLACK: Micros = 400_000
"""A voice so soon after its floor ended, or before it was given, still belongs to it."""
_BEST_MOVE: Micros = 5 * SECOND
"""Around the numbers of a best move its owner may speak (what he says is judged elsewhere)."""
_OWN_ENDING: Micros = 10 * SECOND


def flags_of_speech(alignment: Alignment, transcript: Transcript, make: Maker) -> Iterator[Flag | None]:
    floors = floors_of(alignment)
    turns = list(voices_of(transcript, make.thresholds["least_evidence"]))
    yield from _interjections(alignment, turns, floors, make)
    yield from _overtime(alignment, transcript, floors, make)
    yield from _cut_short(alignment, floors, make)
    yield from _hints(alignment, make)


class Floor:
    """A speech from its gift to its end, as the timeline has it."""

    __slots__ = ("end", "given", "seat", "span")

    def __init__(self, given: TimelineEvent, end: TimelineEvent | None, until: Micros) -> None:
        self.given = given
        self.end = end
        self.seat = int(given.fields["seat"])
        stop = end.span.t1 if end is not None else until
        self.span = Span(given.span.t0, max(given.span.t0, stop))

    @property
    def purpose(self) -> str:
        return str(self.given.fields["purpose"])


def floors_of(alignment: Alignment) -> list[Floor]:
    """Every floor of the timeline; an end that was not heard is the next announcement."""
    events = alignment.timeline.events
    floors = []
    borders = ("floor_given", "vote_opened", "night_began", "day_began", "game_ended")
    for i, event in enumerate(events):
        if event.kind != "floor_given":
            continue
        following = [e for e in events[i + 1 :] if e.span.t0 >= event.span.t0]
        end = next(
            (e for e in following if e.kind == "floor_ended" and e.fields["seat"] == event.fields["seat"]),
            None,
        )
        border = next((e for e in following if e.kind in borders and e.span.t0 > event.span.t0), None)
        if end is not None and border is not None and end.span.t0 > border.span.t0:
            end = None
        floors.append(Floor(event, end, border.span.t0 if border else event.span.t1))
    return floors


def voices_of(transcript: Transcript, least: float) -> Iterator[tuple[int, Span, float, str]]:
    """Stretches in which one seat is known to speak: (seat, span, probability, words)."""
    run: list[Word] = []
    for word in transcript.words:
        who, p = word.best_speaker()
        if not isinstance(who, int) or p < least:
            continue
        if run and (run[-1].best_speaker()[0] != who or word.span.t0 - run[-1].span.t1 > _PAUSE):
            yield _run(run)
            run = []
        run.append(word)
    if run:
        yield _run(run)


def _run(words: Sequence[Word]) -> tuple[int, Span, float, str]:
    seat, _ = words[0].best_speaker()
    assert isinstance(seat, int)
    p = sum(w.best_speaker()[1] for w in words) / len(words)
    return seat, Span(words[0].span.t0, words[-1].span.t1), p, " ".join(w.text for w in words)


def _interjections(
    alignment: Alignment, turns: Sequence[tuple[int, Span, float, str]], floors: Sequence[Floor], make: Maker
) -> Iterator[Flag | None]:
    heard: list[tuple[int, Span, float, str]] = list(turns)
    for cue in alignment.cues:
        if cue.kind is CueKind.INTERJECTION and cue.speaker:
            who, p = max(cue.speaker.items(), key=lambda kv: kv[1])
            if isinstance(who, int) and p >= make.thresholds["least_evidence"]:
                heard.append((who, cue.span, min(p, cue.likelihood), cue.text))
    done: list[tuple[str, int, Span]] = []
    for seat, span, p, text in sorted(heard, key=lambda x: x[1]):
        key = _kind_at(alignment, seat, span, floors, make)
        if key is None or any(k == key and s == seat and sp & span for k, s, sp in done):
            continue
        done.append((key, seat, span))
        yield make.flag(
            key,
            span,
            day_at(alignment, span.t0),
            p,
            seats=(seat,),
            params={"seat": seat, "length": seconds(span.duration), "words": text},
            doubts=(("who_spoke", {"percent": round(100 * p)}),),
            words=((span, text),),
        )


def _kind_at(alignment: Alignment, seat: int, span: Span, floors: Sequence[Floor], make: Maker) -> str | None:
    """What a voice of a seat at this moment is; None when it may speak."""
    length = seconds(span.duration)
    mine = [f for f in floors if f.seat == seat and f.span.widened(_SLACK) & span]
    if mine or any(
        e.fields["seat"] == seat and e.span.widened(_BEST_MOVE) & span
        for e in alignment.timeline.of_kind("best_move")
    ):
        return None
    night = next((s for n, s in alignment.nights if n > 0 and span.t0 in s), None)
    if night is not None:
        return "talk_at_night" if length >= make.thresholds["talk_at_night"] else None
    if any(span.t0 in vote for vote in votes_of(alignment)):
        return "talk_during_vote" if length >= make.thresholds["talk_during_vote"] else None
    other = any(f.seat != seat and f.span & span for f in floors)
    return "speech_out_of_turn" if other and length >= make.thresholds["speech_out_of_turn"] else None


def votes_of(alignment: Alignment) -> list[Span]:
    """From the end of `vote_opened` to the last announced count of each round."""
    out = []
    for opened in alignment.timeline.of_kind("vote_opened"):
        counts = [
            e.span.t1
            for e in alignment.timeline.of_kind("vote_announced", "vote_closed")
            if (e.day, e.fields["round"]) == (opened.day, opened.fields["round"])
        ]
        if counts and max(counts) > opened.span.t1:
            out.append(Span(opened.span.t1, max(counts)))
    return out


def day_at(alignment: Alignment, t: Micros) -> int:
    """The day a moment belongs to: until the night's end it is the day before."""
    day = 0
    for event in alignment.timeline.events:
        if event.span.t0 > t:
            break
        if event.kind in ("day_began", "night_began", "floor_given", "vote_opened"):
            day = event.day
    return day or next((e.day for e in alignment.timeline.events), 0)


def condensed(floors: Sequence[Floor], share: float) -> bool:
    """Are speeches cut out of this recording? Then their lengths prove nothing."""
    lengths = [
        f.span.duration / (SECOND * float(f.given.fields["seconds"]))
        for f in floors
        if f.end is not None and f.purpose == "speech" and f.given.fields.get("seconds")
    ]
    return len(lengths) >= 3 and median(lengths) < share


def _overtime(
    alignment: Alignment, transcript: Transcript, floors: Sequence[Floor], make: Maker
) -> Iterator[Flag | None]:
    for i, floor in enumerate(floors):
        limit = floor.given.fields.get("seconds")
        until = floors[i + 1].given.span.t0 if i + 1 < len(floors) else alignment.duration
        border = [
            e.span.t0
            for e in alignment.timeline.of_kind("vote_opened", "night_began")
            if e.span.t0 > floor.span.t0
        ]
        until = min([until, *border])
        if floor.end is None:
            continue
        by_judge = floor.end.fields.get("by") in ("time", "judge")
        if by_judge and floor.end.fields.get("by") == "time":
            yield _after_time(transcript, floor, until, make)
        if isinstance(limit, int | float):
            over = seconds(floor.end.span.t0 - floor.given.span.t1) - float(limit)
            if over > make.thresholds["speech_overtime"]:
                yield make.flag(
                    "speech_overtime",
                    Span(floor.given.span.t1 + micros(float(limit)), floor.end.span.t1),
                    floor.given.day,
                    min(floor.given.confidence, floor.end.confidence),
                    seats=(floor.seat,),
                    params={"seat": floor.seat, "over": round(over, 1), "limit": limit, "after": "limit"},
                )


def _after_time(transcript: Transcript, floor: Floor, until: Micros, make: Maker) -> Flag | None:
    """Words that go on after the judge's «время», not the judge's own."""
    assert floor.end is not None
    start = floor.end.span.t1
    words: list[Word] = []
    for w in transcript.words:
        if not start <= w.span.t0 < until:
            continue
        who, p = w.best_speaker()
        if who == "judge" and p >= make.thresholds["least_evidence"]:
            break
        if isinstance(who, int) and who != floor.seat and p >= make.thresholds["least_evidence"]:
            continue
        if words and w.span.t0 - words[-1].span.t1 > 2 * _PAUSE:
            break
        words.append(w)
    if len(words) < 3 or words[0].span.t0 - start > 2 * SECOND:
        return None
    span = Span(words[0].span.t0, words[-1].span.t1)
    over = seconds(span.t1 - start)
    if over <= make.thresholds["speech_after_time"]:
        return None
    known = [w.best_speaker() for w in words]
    sure = 0.9 if all(k[0] == floor.seat for k in known) else 0.6
    return make.flag(
        "speech_overtime",
        span,
        floor.given.day,
        sure * floor.end.confidence,
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


def _cut_short(alignment: Alignment, floors: Sequence[Floor], make: Maker) -> Iterator[Flag | None]:
    if condensed(floors, make.thresholds["condensed"]):
        return
    for floor in floors:
        limit = floor.given.fields.get("seconds")
        if (
            floor.end is None
            or floor.end.fields.get("by") not in ("judge", "time")
            or floor.purpose != "speech"
        ):
            continue
        if not isinstance(limit, int | float) or _ended_himself(alignment, floor):
            continue
        short = float(limit) - seconds(floor.end.span.t0 - floor.given.span.t1)
        if short > make.thresholds["time_cut_short"]:
            yield make.flag(
                "time_cut_short",
                floor.end.span,
                floor.given.day,
                min(floor.given.confidence, floor.end.confidence) * 0.8,
                seats=(floor.seat,),
                params={"seat": floor.seat, "short": round(short, 1), "limit": limit},
                doubts=(("ending_unheard", {}),),
            )


def _ended_himself(alignment: Alignment, floor: Floor) -> bool:
    """Is the player's own «пас» or «спасибо» heard just before or after the judge's word? Who goes on
    after it and ends the speech himself has not been cut short."""
    assert floor.end is not None
    near = floor.end.span.widened(_OWN_ENDING)
    return any(
        cue.kind is CueKind.FLOOR_END
        and cue.detail.get("by") in ("pas", "spasibo")
        and cue.said_by("judge") < 0.5
        and cue.span & near
        for cue in alignment.cues
    )


def _hints(alignment: Alignment, make: Maker) -> Iterator[Flag | None]:
    for cue in alignment.cues:
        if cue.kind is CueKind.HINT:
            key = PHRASES.get(str(cue.detail.get("phrase")))
        elif cue.kind is CueKind.ASKED_NOMINATIONS:
            key = "asked_nominations"
        elif cue.kind is CueKind.ADDRESS_TO_JUDGE and cue.detail.get("proper") is False:
            key = "address_to_judge"
        else:
            key = None
        if key is None:
            continue
        seat, sure = _who(alignment, cue)
        yield make.flag(
            key,
            cue.span,
            day_at(alignment, cue.span.t0),
            cue.likelihood * (0.6 + 0.4 * sure),
            seats=(seat,) if seat else (),
            params={"seat": seat, "words": cue.text},
            doubts=(("hint", {}), *((("who_spoke", {"percent": round(100 * sure)}),) if sure < 0.8 else ())),
            words=((cue.span, cue.text),),
        )


def _who(alignment: Alignment, cue: Cue) -> tuple[int | None, float]:
    """Who said it: by voice, else the owner of the floor."""
    if cue.speaker:
        who, p = max(cue.speaker.items(), key=lambda kv: kv[1])
        if isinstance(who, int) and p >= 0.5:
            return who, p
    owner = next((f.seat for f in floors_of(alignment) if cue.span.t0 in f.span), None)
    return owner, 0.6 if owner else 0.3
