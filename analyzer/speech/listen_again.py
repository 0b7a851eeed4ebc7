"""A second, closer listening to a few seconds: another prompt, a wider beam; then one transcript of both.

Only what the alignment is in doubt about is heard again (`analyzer.align.doubts`). Where both hearings
agree the words become surer; where they differ the other one is kept as a variant; what only the second
heard stands if nothing contradicts it (`merge`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np

from mafiavar.analyzer.cue import CueKind, Speaker
from mafiavar.analyzer.span import SECOND, Micros, Span, micros
from mafiavar.analyzer.speech.guard import believed, without_loops
from mafiavar.analyzer.speech.hear import _at_16k as at_16k
from mafiavar.analyzer.speech.hear import _utterances as utterances
from mafiavar.analyzer.speech.merge import in_order, merge
from mafiavar.analyzer.speech.pieces import Pieces
from mafiavar.analyzer.transcript import Transcript, Variant, Word
from mafiavar.models.speech import SAMPLE_RATE, Clip, HeardWord, Prompt, Recogniser, Samples, pack

BEAM = 8
PROMPTS: Mapping[CueKind, str] = {
    CueKind.VOTE_COUNT: "Стоп. Ноль. Один. Два. Три. Четыре. Пять. Шесть. Семь.",
    CueKind.NOMINATION: "Выставляю номер два. Принято. Выставляю номер девять. Принято.",
    CueKind.LEAVES: "Стол покидает игрок номер пять. Ваша минута.",
    CueKind.KILLED: "Доброе утро. Убит игрок номер восемь. Ваша минута.",
    CueKind.BEST_MOVE: "Лучший ход: один, шесть, десять.",
    CueKind.GAME_END: "Игра окончена. Победа красных. Победа мафии.",
}
_HUSH = 0.5
"""Seconds of silence between stretches that are decoded together."""
_NEAR: Micros = 500_000
"""A new word has the speaker of an old one at most so far away."""


@dataclass(frozen=True, slots=True)
class Again:
    """A stretch to be heard again, and what is expected there."""

    span: Span
    expected: CueKind


def listen_again(
    samples: Pieces,
    rate: int,
    transcript: Transcript,
    again: Sequence[Again],
    *,
    recogniser: Recogniser,
) -> Transcript:
    """The transcript with every stretch of `again` heard a second time.

    `samples`: mono, shape (n,), float in -1..1 or int16, at `rate` Hz. Stretches must not overlap. Costs
    what the recogniser takes for their sum, filled up to its window of half a minute for each prompt.
    """
    heard: list[tuple[Span, list[HeardWord]]] = []
    ordered = sorted(again, key=lambda a: (PROMPTS.get(a.expected, ""), a.span))
    for prompt, group in groupby(ordered, key=lambda a: PROMPTS.get(a.expected, "")):
        heard += _heard(samples, rate, [a.span for a in group], Prompt(prompt, BEAM), recogniser)
    for span, words in sorted(heard, key=lambda h: h[0]):
        transcript = merged(transcript, span, words)
    return transcript


def _heard(
    samples: Pieces, rate: int, spans: Sequence[Span], prompt: Prompt, recogniser: Recogniser
) -> list[tuple[Span, list[HeardWord]]]:
    """The words of each stretch, seconds on the recording's clock."""
    hush = np.zeros(round(_HUSH * SAMPLE_RATE), dtype=np.float32)
    pieces: list[Samples] = []
    clips: list[Clip] = []
    at = 0
    for span in spans:
        a, b = (max(0, t * rate // SECOND) for t in (span.t0, span.t1))
        piece = at_16k(samples[a:b], rate)
        clips.append(Clip(at / SAMPLE_RATE, (at + len(piece)) / SAMPLE_RATE))
        pieces += [piece, hush]
        at += len(piece) + len(hush)
    if not pieces:
        return []
    (results,) = recogniser.recognise(np.concatenate(pieces), pack(clips), (prompt,))
    words = [w for result in results for w in without_loops(believed(result))]
    out = []
    for span, clip in zip(spans, clips, strict=True):
        shift = span.t0 / SECOND - clip.start
        mine = [w for w in words if clip.start <= (w.start + w.end) / 2 < clip.end]
        out.append((span, [HeardWord(w.text, w.start + shift, w.end + shift, w.probability) for w in mine]))
    return out


def merged(transcript: Transcript, span: Span, heard: Sequence[HeardWord]) -> Transcript:
    """The transcript with a second hearing of one stretch laid over it. A second hearing of nothing
    changes nothing: silence is no evidence against words."""
    words = list(transcript.words)
    inside = [i for i, w in enumerate(words) if w.span.middle in span]
    if not heard or (inside and inside != list(range(inside[0], inside[-1] + 1))):
        return transcript
    first = inside[0] if inside else sum(w.span.t0 < span.t0 for w in words)
    after = inside[-1] + 1 if inside else first
    old = [
        HeardWord(w.text, w.span.t0 / SECOND, w.span.t1 / SECOND, w.probability) for w in words[first:after]
    ]
    new: list[Word] = []
    variants: list[Variant] = []
    for slot in in_order(merge(old, heard)):
        place = first + len(new)
        new += [_word(w, words) for w in slot.words]
        if slot.other:
            other = tuple(_word(w, words) for w in slot.other)
            variants.append(Variant(place, first + len(new) - 1, other, round(slot.weight, 4)))
    moved = len(new) - (after - first)
    for variant in transcript.variants:
        if variant.last < first:
            variants.append(variant)
        elif variant.first >= after:
            variants.append(replace(variant, first=variant.first + moved, last=variant.last + moved))
    whole = _in_order([*words[:first], *new, *words[after:]])
    if whole is None:
        return transcript
    return replace(
        transcript, utterances=utterances(whole), variants=tuple(sorted(variants, key=lambda v: v.first))
    )


def _in_order(words: list[Word]) -> list[Word] | None:
    """None when a word would begin before the one that stands ahead of it."""
    ascending = all(a.span.t0 <= b.span.t0 for a, b in pairwise(words))
    return words if ascending else None


def _word(word: HeardWord, known: Sequence[Word]) -> Word:
    t0 = micros(word.start)
    span = Span(t0, max(t0, micros(word.end)))
    return Word(word.text, span, round(word.probability, 4), _speaker(span, known))


def _speaker(span: Span, known: Sequence[Word]) -> Mapping[Speaker, float]:
    """Whose word the nearest old one is; nobody's when none is near."""
    near = min(known, key=lambda w: _away(w.span, span), default=None)
    return near.speaker if near is not None and _away(near.span, span) <= _NEAR else {}


def _away(a: Span, b: Span) -> Micros:
    return max(a.t0 - b.t1, b.t0 - a.t1, 0)
