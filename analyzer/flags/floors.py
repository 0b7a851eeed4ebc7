"""Who has the floor, who speaks, when votes are held: what several families of flags look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.timeline import TimelineEvent
from mafiavar.analyzer.transcript import Transcript, Word

PAUSE: Micros = 600_000
"""A longer silence ends a stretch of speech."""

_SOMEBODY_ELSES: Micros = 10_000_000
"""Who talks for so long, and longer than the floor's seat, has the floor."""


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
        if run and (run[-1].best_speaker()[0] != who or word.span.t0 - run[-1].span.t1 > PAUSE):
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


def held_by_owner(floor: Floor, turns: Iterable[tuple[int, Span, float, str]]) -> bool:
    """Is it mostly the floor's own seat that is heard in it? Where somebody else talks longer, the
    announcement was misheard, and the floor's times accuse nobody."""
    own = others = 0
    for seat, span, _, _ in turns:
        common = span & floor.span
        if common is not None and seat == floor.seat:
            own += common.duration
        elif common is not None:
            others += common.duration
    return own >= others or others < _SOMEBODY_ELSES


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


def breath_end(transcript: Transcript, t: Micros) -> Micros:
    """Where the judge's breath that goes on at `t` ends: an announcement is over with its last word."""
    end = t
    for word in transcript.words:
        who, _ = word.best_speaker()
        if word.span.t1 > end and word.span.t0 - end <= PAUSE and who in ("judge", "unknown"):
            end = word.span.t1
        elif word.span.t0 - end > PAUSE:
            break
    return end
