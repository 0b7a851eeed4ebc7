"""Nominations that the judge accepted although the rules do not let him, straight from what was heard.

The decoder prefers the lawful reading of doubtful words, so an accepted unlawful nomination often
stands in the timeline as refused. Here the judge's «принято» is taken at its word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.flags.flag import Flag, Maker
from mafiavar.analyzer.flags.floors import Floor, floors_of
from mafiavar.analyzer.flags.moves import bare
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.speech.numerals import distribution, number_of
from mafiavar.analyzer.transcript import Transcript

_ANSWERED: Micros = 4 * SECOND
"""How long after a nomination the judge's answer to it may begin."""
_SAME = 0.3
"""A number of the answer at least this likely to be the nominated one confirms it."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A nomination and the judge's acceptance of it. `tense`: as the grammar read it."""

    seat: int
    target: int
    tense: str
    day: int
    span: Span
    confidence: float
    words: tuple[tuple[Span, str], ...]


def flags_of_nominations(alignment: Alignment, transcript: Transcript, make: Maker) -> Iterator[Flag | None]:
    heard = accepted_of(alignment, transcript)
    for i, one in enumerate(heard):
        earlier = [e for e in heard[:i] if e.day == one.day]
        key, more = _fault(one, earlier, alignment)
        if key is None:
            continue
        yield make.flag(
            key,
            one.span,
            one.day,
            min([one.confidence, *(e.confidence for e in more)]),
            seats=(one.seat,),
            params={"target": one.target, "seat": one.seat},
            doubts=(("numerals", {}),) if key == "nomination_repeated" else (("accepted_heard", {}),),
            words=one.words,
        )


def _fault(
    one: Accepted, earlier: Sequence[Accepted], alignment: Alignment
) -> tuple[str | None, list[Accepted]]:
    """What was wrong with an accepted nomination, and what it was wrong against."""
    if one.tense in ("future", "conditional", "past"):
        return "nomination_tense", []
    before = [e for e in earlier if e.target == one.target]
    if before or _gone(one, alignment) or _stands(one, alignment):
        return "nomination_repeated", before[:1]
    own = [e for e in earlier if e.seat == one.seat]
    return ("nomination_second", own[:1]) if own else (None, [])


def _gone(one: Accepted, alignment: Alignment) -> bool:
    return any(
        one.target in e.fields["seats"] and e.span.t1 < one.span.t0 and e.confidence >= 0.5
        for e in alignment.timeline.of_kind("eliminated")
    )


def _stands(one: Accepted, alignment: Alignment) -> bool:
    """Was the target nominated earlier that day, even if the judge's answer was not heard?"""
    return any(
        e.day == one.day
        and e.fields["target"] == one.target
        and e.fields["accepted"]
        and e.confidence >= 0.6
        and e.span.t1 < one.span.t0
        for e in alignment.timeline.of_kind("nominated")
    )


def accepted_of(alignment: Alignment, transcript: Transcript) -> list[Accepted]:
    """Every nomination that the judge was heard to accept, in order of time."""
    floors = floors_of(alignment)
    out = []
    for answer in alignment.cues:
        if answer.kind is not CueKind.ACCEPTED or answer.likelihood < 0.5 or answer.said_by("judge") < 0.05:
            continue
        asked = _asked(alignment.cues, answer) or _in_words(transcript, answer)
        floor = _speech_at(floors, asked) if asked is not None else None
        if asked is None or floor is None:
            continue
        target = _target(asked, answer)
        if target is not None:
            out.append(
                Accepted(
                    floor.seat, target[0], _tense(asked), floor.given.day, asked.span | answer.span,
                    round(_said(asked) * answer.likelihood * target[1], 4),
                    ((asked.span, asked.text), (answer.span, answer.text)),
                )
            )  # fmt: skip
    return out


_FORMS = (("выставлю", "future"), ("поставлю", "future"), ("выставить", "future"), ("поставить", "future"),
          ("выставил", "past"), ("поставил", "past"))  # fmt: skip


def _in_words(transcript: Transcript, answer: Cue) -> Cue | None:
    """A nomination in another tense that made no cue («собираюсь выставить пятёрку»), in the words
    just before the judge's answer to it."""
    near = [
        w
        for w in transcript.words
        if answer.span.t0 - _ANSWERED <= w.span.t1 <= answer.span.t0 and w.best_speaker()[0] != "judge"
    ]
    for i in range(len(near) - 1, -1, -1):
        tense = next((t for stem, t in _FORMS if bare(near[i].text).startswith(stem)), None)
        number = next((n for w in near[i + 1 :] if (n := number_of(bare(w.text))) is not None), None)
        if tense is not None and number is not None and 1 <= number[0] <= 10:
            words = near[max(0, i - 1) :]
            span = Span(words[0].span.t0, words[-1].span.t1)
            text = " ".join(w.text for w in words)
            p = min(w.probability for w in words)
            return Cue(CueKind.NOMINATION, span, p, (distribution(number[0], p),), {}, {"tense": tense}, text)
    return None


def _tense(cue: Cue) -> str:
    return str(cue.detail.get("tense") or "present")


def _asked(cues: Sequence[Cue], answer: Cue) -> Cue | None:
    """The nomination that an acceptance answers: the last one before it."""
    near = [
        c
        for c in cues
        if c.kind is CueKind.NOMINATION
        and c.detail.get("tense") != "negated"
        and c.likelihood >= (0.3 if _tense(c) == "present" else 0.05)
        and c.span.t0 <= answer.span.t0
        and answer.span.t0 - c.span.t1 <= _ANSWERED
    ]
    return max(near, key=lambda c: c.span.t1, default=None)


def _said(asked: Cue) -> float:
    """How surely it was said. Another tense has a low likelihood because it nominates nobody, not
    because the words are doubtful."""
    return asked.likelihood if _tense(asked) == "present" else max(asked.likelihood, 0.8)


def _target(asked: Cue, answer: Cue) -> tuple[int, float] | None:
    """(target, how sure); of a series the first, or the one the judge names. None: they disagree."""
    if not asked.numbers:
        return None
    if answer.numbers:
        for heard in asked.numbers:
            both = {n: p * answer.numbers[0].get(n, 0.0) for n, p in heard.items()}
            best = max(both, key=lambda n: both[n], default=0)
            if best and answer.numbers[0].get(best, 0.0) >= _SAME and heard[best] >= _SAME:
                return best, max(heard[best], answer.numbers[0][best])
        return None
    number = asked.number()
    return (number, asked.numbers[0][number]) if number is not None else None


def _speech_at(floors: Sequence[Floor], cue: Cue) -> Floor | None:
    """The speech in which it was said; nominations are made in one's own minute only."""
    return next((f for f in floors if f.purpose == "speech" and cue.span.t0 in f.span), None)
