"""The transcript: words with times, probabilities and speakers (`mafiavar/transcript@1`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from mafiavar.analyzer.cue import Speaker
from mafiavar.analyzer.span import Span


@dataclass(frozen=True, slots=True)
class Word:
    """One recognised word. `probability` in 0..1; `speaker` a posterior, empty when unknown."""

    text: str
    span: Span
    probability: float
    speaker: Mapping[Speaker, float] = field(default_factory=dict)

    def best_speaker(self) -> tuple[Speaker, float]:
        """The likeliest speaker and its probability; ("unknown", 0.0) when nothing is known."""
        if not self.speaker:
            return "unknown", 0.0
        return max(self.speaker.items(), key=lambda kv: kv[1])


@dataclass(frozen=True, slots=True)
class Utterance:
    """Words of one breath (no pause longer than the speech stage's `utterance_gap`).

    At least one word, starts ascending; ValueError otherwise.
    """

    words: tuple[Word, ...]

    def __post_init__(self) -> None:
        if not self.words:
            raise ValueError("an utterance has at least one word")
        for a, b in pairwise(self.words):
            if b.span.t0 < a.span.t0:
                raise ValueError(f"words must be in order of time: {a.text} {a.span}, {b.text} {b.span}")

    @property
    def span(self) -> Span:
        return Span(self.words[0].span.t0, max(w.span.t1 for w in self.words))

    @property
    def text(self) -> str:
        return " ".join(w.text for w in self.words)


@dataclass(frozen=True, slots=True)
class Variant:
    """Another hearing of the words `first`..`last` (inclusive indices into `Transcript.words`).

    `weight` in 0..1: its probability against the words that stand there.
    """

    first: int
    last: int
    words: tuple[Word, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Sound:
    """What was heard besides words: `kind` is interjection, knock, applause, music or silence.

    `speaker` is a posterior over who made it (interjections), else empty.
    """

    kind: str
    span: Span
    likelihood: float
    speaker: Mapping[Speaker, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Transcript:
    """All utterances of a recording in order of time, other hearings, music and other sounds."""

    utterances: tuple[Utterance, ...]
    music: tuple[Span, ...] = ()
    variants: tuple[Variant, ...] = ()
    sounds: tuple[Sound, ...] = ()

    @property
    def words(self) -> tuple[Word, ...]:
        return tuple(w for u in self.utterances for w in u.words)


def shifted(transcript: Transcript, by: int) -> Transcript:
    """The same transcript `by` microseconds later (from a recording's clock to the game's)."""
    if by == 0:
        return transcript

    def later(s: Span) -> Span:
        return Span(s.t0 + by, s.t1 + by)

    def moved(words: tuple[Word, ...]) -> tuple[Word, ...]:
        return tuple(Word(w.text, later(w.span), w.probability, w.speaker) for w in words)

    return Transcript(
        tuple(Utterance(moved(u.words)) for u in transcript.utterances),
        tuple(later(m) for m in transcript.music),
        tuple(Variant(v.first, v.last, moved(v.words), v.weight) for v in transcript.variants),
        tuple(Sound(s.kind, later(s.span), s.likelihood, s.speaker) for s in transcript.sounds),
    )


def joined(transcripts: list[Transcript]) -> Transcript:
    """Transcripts on one clock as one, in order of time."""
    tagged = [(u, i, j) for i, t in enumerate(transcripts) for j, u in enumerate(t.utterances)]
    tagged.sort(key=lambda item: (item[0].span.t0, item[0].span.t1))
    return Transcript(
        tuple(u for u, _, _ in tagged),
        tuple(sorted(m for t in transcripts for m in t.music)),
        _moved_variants(transcripts, [(i, j) for _, i, j in tagged]),
        tuple(sorted((s for t in transcripts for s in t.sounds), key=lambda s: (s.span, s.kind))),
    )


def within(transcript: Transcript, span: Span) -> Transcript:
    """What was said and played within `span`, by the middle of each utterance."""
    kept = [(0, j) for j, u in enumerate(transcript.utterances) if u.span.middle in span]
    return Transcript(
        tuple(transcript.utterances[j] for _, j in kept),
        tuple(m for m in transcript.music if m.middle in span),
        _moved_variants([transcript], kept),
        tuple(s for s in transcript.sounds if s.span.middle in span),
    )


def _moved_variants(transcripts: list[Transcript], order: list[tuple[int, int]]) -> tuple[Variant, ...]:
    """Variants after the utterances were put in `order` (transcript, utterance); those that reach
    over utterances that no longer stand side by side are dropped."""
    old = [
        [(i, j, k) for j, u in enumerate(t.utterances) for k in range(len(u.words))]
        for i, t in enumerate(transcripts)
    ]
    new = {
        place: index
        for index, place in enumerate(
            (i, j, k) for i, j in order for k in range(len(transcripts[i].utterances[j].words))
        )
    }
    moved: list[Variant] = []
    for i, t in enumerate(transcripts):
        for v in t.variants:
            first, last = new.get(old[i][v.first]), new.get(old[i][v.last])
            if first is not None and last is not None and last - first == v.last - v.first:
                moved.append(Variant(first, last, v.words, v.weight))
    return tuple(sorted(moved, key=lambda v: (v.first, v.last)))
