"""The first light of hearing: a sentence in, its cue out."""

from __future__ import annotations

import pytest

from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.speech import cues_of, to_json, to_vtt
from mafiavar.analyzer.transcript import Transcript, Utterance, Word


def transcript(*sentences: str) -> Transcript:
    """Every sentence an utterance of its own, words of 0.3 s, a second between sentences."""
    t, utterances = 0.0, []
    for sentence in sentences:
        words = []
        for text in sentence.split():
            words.append(Word(text, Span.of(t, t + 0.3), 0.95))
            t += 0.3
        utterances.append(Utterance(tuple(words)))
        t += 1.0
    return Transcript(tuple(utterances))


@pytest.mark.parametrize(
    ("sentence", "kind", "number"),
    [
        ("Игрок номер один, ваша минута.", CueKind.FLOOR, 1),
        ("Выставляю тройку.", CueKind.NOMINATION, 3),
        ("Стол покидает игрок номер 5.", CueKind.LEAVES, 5),
        ("Кто голосует против игрока номер семь?", CueKind.VOTE_CALL, 7),
    ],
)
def test_a_sentence_is_understood(sentence: str, kind: CueKind, number: int) -> None:
    (cue,) = cues_of(transcript(sentence))
    assert (cue.kind, cue.number()) == (kind, number)


def test_pas_does_not_hide_in_spasibo() -> None:
    assert not [c for c in cues_of(transcript("Это опасный и спасительный ход города.")) if c.likelihood]


def test_transcript_files() -> None:
    t = transcript("Доброе утро.")
    assert to_json(t)["words"][0] == {
        "w": "Доброе",
        "t0": 0.0,
        "t1": 0.3,
        "p": 0.95,
        "speaker": "unknown",
        "speaker_p": 0.0,
    }
    assert "00:00:00.000 --> 00:00:00.600\nДоброе утро." in to_vtt(t)
