"""A second hearing of a few seconds laid over the first."""

from __future__ import annotations

import numpy as np

from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.span import SECOND, Span
from mafiavar.analyzer.speech import cues_of
from mafiavar.analyzer.speech.listen_again import Again, listen_again, merged
from mafiavar.analyzer.transcript import Transcript, Utterance, Variant, Word
from mafiavar.models.speech import HeardWord
from mafiavar.models.speech.scripted import ScriptedRecogniser

RATE = 16_000


def said(*words: tuple[str, float, float]) -> Transcript:
    """Words with their begin (seconds) and probability, half a second each, by the judge."""
    made = [Word(t, Span.of(at, at + 0.5), p, {"judge": 0.9}) for t, at, p in words]
    return Transcript(tuple(Utterance((w,)) for w in made))


def texts(transcript: Transcript) -> list[str]:
    return [w.text for w in transcript.words]


def test_what_only_the_second_hearing_has_stands_and_belongs_to_the_voice_beside_it() -> None:
    first = said(("Стоп.", 1.0, 0.9), ("Пять.", 9.0, 0.9))
    both = merged(
        first, Span.of(1.0, 4.0), [HeardWord("Стоп.", 1.0, 1.5, 0.9), HeardWord("Три.", 1.8, 2.3, 0.8)]
    )
    assert texts(both) == ["Стоп.", "Три.", "Пять."]
    assert both.words[1].speaker == {"judge": 0.9}


def test_agreement_makes_a_word_surer_and_difference_leaves_a_variant() -> None:
    first = said(("Пять.", 2.0, 0.5), ("Спасибо.", 9.0, 0.9))
    agreed = merged(first, Span.of(1.0, 4.0), [HeardWord("Пять.", 2.0, 2.5, 0.6)])
    assert agreed.words[0].probability > 0.5 and not agreed.variants
    differing = merged(first, Span.of(1.0, 4.0), [HeardWord("Девять.", 2.0, 2.5, 0.9)])
    assert texts(differing)[0] == "Девять." and differing.variants[0].words[0].text == "Пять."


def test_variants_beside_the_stretch_keep_their_words() -> None:
    first = said(("Стоп.", 1.0, 0.9), ("Семь.", 9.0, 0.5))
    other = Word("Восемь.", Span.of(9.0, 9.5), 0.4)
    first = Transcript(first.utterances, variants=(Variant(1, 1, (other,), 0.4),))
    both = merged(
        first, Span.of(0.5, 4.0), [HeardWord("Стоп.", 1.0, 1.5, 0.9), HeardWord("Три.", 2.0, 2.5, 0.9)]
    )
    (kept,) = both.variants
    assert both.words[kept.first].text == "Семь." and kept.words == (other,)


def test_hearing_nothing_again_changes_nothing() -> None:
    first = said(("Пять.", 2.0, 0.5))
    assert merged(first, Span.of(1.0, 4.0), []) == first


def test_each_stretch_gets_its_own_words_though_they_are_decoded_together() -> None:
    first = said(("Стоп.", 10.0, 0.9), ("Стоп.", 20.0, 0.9))
    # The stretches lie one after another in what the recogniser gets: 4 s, half a second, 4 s.
    script = [HeardWord("Стоп.", 0.0, 0.5, 0.9), HeardWord("Три.", 1.0, 1.5, 0.9),
              HeardWord("Стоп.", 4.5, 5.0, 0.9), HeardWord("Две.", 5.5, 6.0, 0.9)]  # fmt: skip
    sound = np.zeros(30 * RATE, dtype=np.int16)
    again = [Again(Span.of(t, t + 4.0), CueKind.VOTE_COUNT) for t in (10.0, 20.0)]
    both = listen_again(sound, RATE, first, again, recogniser=ScriptedRecogniser(script))
    assert [(w.text, w.span.t0 / SECOND) for w in both.words] == [
        ("Стоп.", 10.0), ("Три.", 11.0), ("Стоп.", 20.0), ("Две.", 21.0),
    ]  # fmt: skip


def test_a_count_that_was_lost_becomes_a_cue() -> None:
    first = said(("Голосуем.", 1.0, 0.9), ("Пять.", 2.0, 0.9), ("Стоп.", 6.0, 0.9), ("Спасибо.", 30.0, 0.9))
    before = [c.kind for c in cues_of(first)]
    both = merged(
        first, Span.of(6.0, 10.0), [HeardWord("Стоп.", 6.0, 6.5, 0.9), HeardWord("Трое.", 7.2, 7.7, 0.9)]
    )
    assert len([c for c in cues_of(both) if c.numbers and c.number() == 3]) == 1
    assert len(cues_of(both)) > len(before)
