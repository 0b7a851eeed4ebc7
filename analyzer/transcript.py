"""The transcript: words with times, probabilities and speakers (`mafiavar/transcript@1`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    """Words of one breath (no pause longer than the speech stage's `utterance_gap`)."""

    words: tuple[Word, ...]

    @property
    def span(self) -> Span:
        return Span(self.words[0].span.t0, self.words[-1].span.t1)

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
class Transcript:
    """All utterances of a recording in order of time, other hearings, and stretches of music."""

    utterances: tuple[Utterance, ...]
    music: tuple[Span, ...] = ()
    variants: tuple[Variant, ...] = ()

    @property
    def words(self) -> tuple[Word, ...]:
        return tuple(w for u in self.utterances for w in u.words)


def shifted(transcript: Transcript, by: int) -> Transcript:
    """The same transcript `by` microseconds later (from a recording's clock to the game's)."""
    if by == 0:
        return transcript

    def later(s: Span) -> Span:
        return Span(s.t0 + by, s.t1 + by)

    return Transcript(
        tuple(
            Utterance(tuple(Word(w.text, later(w.span), w.probability, w.speaker) for w in u.words))
            for u in transcript.utterances
        ),
        tuple(later(m) for m in transcript.music),
    )


def joined(transcripts: list[Transcript]) -> Transcript:
    """Transcripts on one clock as one, in order of time."""
    return Transcript(
        tuple(sorted((u for t in transcripts for u in t.utterances), key=lambda u: (u.span.t0, u.span.t1))),
        tuple(sorted(m for t in transcripts for m in t.music)),
    )


def within(transcript: Transcript, span: Span) -> Transcript:
    """What was said and played within `span`, by the middle of each utterance."""
    return Transcript(
        tuple(u for u in transcript.utterances if u.span.middle in span),
        tuple(m for m in transcript.music if m.middle in span),
    )
