"""When a best move is being said, as far as the timeline or the judge's words tell (4.8.2, 7.13)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.flags.floors import Floor, day_at
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.speech.numerals import number_of
from mafiavar.analyzer.transcript import Transcript

_LONGEST: Micros = 25 * SECOND
BORDERS = (CueKind.FLOOR, CueKind.DAY, CueKind.NIGHT, CueKind.PROTOCOL_RIGHT, CueKind.KILLED)
"""Announcements that end a best move."""


def bare(text: str) -> str:
    """A word as it is compared: small letters, no marks, е for ё."""
    return text.strip(' .,!?:;«»"—-–…№()').lower().replace("ё", "е")


@dataclass(frozen=True, slots=True)
class Move:
    """A best move being said: whose, from when, until when at most, how sure it is that it was one."""

    seat: int
    start: Micros
    until: Micros
    day: int
    confidence: float


def moves_of(alignment: Alignment, transcript: Transcript, floors: Sequence[Floor]) -> list[Move]:
    """The floors of best moves; best moves whose floor was not heard being given; and the judge's
    «номер восемь, лучший ход» where neither stands in the timeline."""
    out = [
        Move(f.seat, f.given.span.t1, _said_until(alignment, f), f.given.day, f.given.confidence)
        for f in floors
        if f.purpose == "best_move"
    ]
    for said in alignment.timeline.of_kind("best_move"):
        if not any(m.start - SECOND <= said.span.t0 <= m.until for m in out):
            until = _next_border(alignment, said.span.t1)
            out.append(Move(int(said.fields["seat"]), said.span.t0, until, said.day, said.confidence))
    for seat, span, p in _offers(transcript):
        if not any(m.start - 5 * SECOND <= span.t1 <= m.until for m in out):
            until = min(_next_border(alignment, span.t1), span.t1 + _LONGEST)
            out.append(Move(seat, span.t1, until, day_at(alignment, span.t0), p))
    return sorted(out, key=lambda m: m.start)


def _said_until(alignment: Alignment, floor: Floor) -> Micros:
    """The timeline ends the floor of a best move with its numbers; what follows them belongs to it."""
    start = floor.given.span.t1
    return max(floor.span.t1, min(_next_border(alignment, start), start + _LONGEST))


def _next_border(alignment: Alignment, t: Micros) -> Micros:
    return min(
        (c.span.t0 for c in alignment.cues if c.kind in BORDERS and c.span.t0 > t),
        default=alignment.duration,
    )


def _offers(transcript: Transcript) -> Iterator[tuple[int, Span, float]]:
    """(seat, span, probability) of every «... номер восемь ... лучший ход» of the judge."""
    words = [w for w in transcript.words if w.best_speaker()[0] == "judge"]
    for i in range(1, len(words)):
        if not bare(words[i].text).startswith("ход") or not bare(words[i - 1].text).startswith("лучш"):
            continue
        near = [w for w in words[max(0, i - 9) : i] if words[i].span.t0 - w.span.t1 <= 6 * SECOND]
        named = [(n[0], w) for w in near if (n := number_of(bare(w.text))) is not None and 1 <= n[0] <= 10]
        if named:
            # «Игрок номер десять, у вас двадцать секунд ...»: the first number is the seat.
            seat, word = named[0]
            yield seat, Span(word.span.t0, words[i].span.t1), word.probability * words[i].best_speaker()[1]
