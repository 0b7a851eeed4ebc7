"""Transcripts made from sentences."""

from __future__ import annotations

from mafiavar.analyzer.cue import Speaker
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.transcript import Transcript, Utterance, Word


def transcript(*sentences: str, speaker: dict[Speaker, float] | None = None, gap: float = 1.0) -> Transcript:
    """Every sentence an utterance of its own, words of 0.3 s, `gap` seconds between sentences."""
    t, utterances = 0.0, []
    for sentence in sentences:
        words = []
        for text in sentence.split():
            words.append(Word(text, Span.of(t, t + 0.3), 0.95, speaker or {}))
            t += 0.3
        if words:
            utterances.append(Utterance(tuple(words)))
        t += gap
    return Transcript(tuple(utterances))
