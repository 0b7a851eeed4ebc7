"""Who spoke, with voices that are tones."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mafiavar.analyzer.cue import Cue, CueKind, Speaker
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.speech.sounds import music, silence
from mafiavar.analyzer.speech.speakers import Floor, Voices, attribute, floors_of, posterior
from mafiavar.analyzer.transcript import Transcript, Utterance, Word
from mafiavar.models.voices import ToneVoices

RATE = 16_000
EMBEDDER = ToneVoices()


def tone(pitch: float, seconds: float) -> np.ndarray:
    return (0.3 * np.sin(2 * np.pi * pitch * np.arange(round(seconds * RATE)) / RATE)).astype(np.float32)


def voices(**pitches: float) -> Voices:
    names: dict[str, Speaker] = {"judge": "judge"} | {f"s{n}": n for n in range(1, 11)}
    return Voices({names[k]: EMBEDDER.embed([tone(p, 1.0)])[0] for k, p in pitches.items()})


def test_floors_end_where_the_next_thing_begins() -> None:
    def cue(kind: CueKind, t: float, number: int | None = None) -> Cue:
        return Cue(kind, Span.of(t, t + 1), 0.9, ({number: 1.0},) if number else ())

    cues = [cue(CueKind.FLOOR, 0, 3), cue(CueKind.FLOOR_END, 20), cue(CueKind.FLOOR, 25, 4)]
    cues += [cue(CueKind.VOTE_OPEN, 60)]
    assert floors_of(cues, 10**9) == (Floor(3, Span.of(1, 21)), Floor(4, Span.of(26, 60)))


def test_a_voice_without_a_template_is_unknown() -> None:
    prior: dict[Speaker, float] = {1: 0.4, 2: 0.4, "unknown": 0.2}
    found = posterior(EMBEDDER.embed([tone(900, 1.0)])[0], 1.5, voices(s1=200, s2=300), prior, {})
    assert max(found, key=lambda s: found[s]) == "unknown"


def test_a_witness_decides_between_equals() -> None:
    prior: dict[Speaker, float] = {1: 0.5, 2: 0.5}
    vector = EMBEDDER.embed([tone(900, 1.0)])[0]
    found = posterior(vector, 0.5, Voices(), prior, {2: 5.0})
    assert found[2] > 0.8


def test_a_witness_is_asked_with_the_span() -> None:
    asked: list[Span] = []

    class Mouths:
        def likelihoods(self, span: Span) -> Mapping[Speaker, float]:
            asked.append(span)
            return {}

    words = (Word("раз.", Span.of(1, 1.5), 0.9), Word("два", Span.of(1.5, 2), 0.9))
    attribute(tone(200, 3), Transcript((Utterance(words),)), (), embedder=EMBEDDER, witness=Mouths())
    assert asked == [Span.of(1, 1.5), Span.of(1.5, 2)]


def test_music_stands_still_and_noise_does_not() -> None:
    chord = sum(tone(f, 6) for f in (220, 277, 330, 440, 660)) / 5
    hiss = np.random.default_rng(0).normal(0, 0.05, 6 * RATE).astype(np.float32)
    (found,) = music(np.concatenate([hiss, chord, hiss]).astype(np.float32))
    assert 5.0 < found.span.t0 / 1e6 < 7.5 and 10.5 < found.span.t1 / 1e6 < 13.0


def test_silence_is_a_dead_track_not_a_quiet_hall() -> None:
    hall = np.random.default_rng(0).normal(0, 2e-3, 5 * RATE).astype(np.float32)
    (found,) = silence(np.concatenate([hall, np.zeros(5 * RATE, np.float32), hall]))
    assert found.span == Span.of(5, 10)
