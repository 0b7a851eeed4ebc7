"""`hear` with a recogniser that knows its lines and voices that are tones."""

from __future__ import annotations

import numpy as np
import pytest

from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.span import SECOND
from mafiavar.analyzer.speech import HearOptions, cues_of, hear, listen
from mafiavar.models.speech import SAMPLE_RATE, EnergyActivity, Heard, HeardWord, Samples, ScriptedRecogniser
from mafiavar.models.voices import ToneVoices

JUDGE, FIRST, SECOND_SEAT = 150.0, 300.0, 450.0
# (sentence, start, pitch of the speaker); every word lasts 0.4 s
GAME = (
    ("Доброе утро.", 1.0, JUDGE),
    ("Игрок номер один, ваша минута.", 3.0, JUDGE),
    ("Мне нравится сидеть тут рядом.", 7.0, FIRST),
    ("Выставляю двойку.", 12.0, FIRST),
    ("Принято.", 14.0, JUDGE),
    ("Спасибо, пас.", 16.0, FIRST),
    ("Игрок номер два, ваша минута.", 20.0, JUDGE),
    ("Ещё одна речь ни о чём.", 24.0, SECOND_SEAT),
    ("Пас.", 29.0, SECOND_SEAT),
)


def recording() -> tuple[Samples, list[HeardWord]]:
    samples = np.random.default_rng(0).normal(0, 1e-4, 32 * SAMPLE_RATE).astype(np.float32)
    words = []
    for sentence, start, pitch in GAME:
        for i, text in enumerate(sentence.split()):
            words.append(HeardWord(text, start + 0.4 * i, start + 0.4 * (i + 1), 0.9))
        n = round(0.4 * len(sentence.split()) * SAMPLE_RATE)
        t = np.arange(n) / SAMPLE_RATE
        a = round(start * SAMPLE_RATE)
        samples[a : a + n] += (0.3 * np.sin(2 * np.pi * pitch * t)).astype(np.float32)
    return samples, words


SAMPLES, WORDS = recording()


def heard(samples: np.ndarray, rate: int = SAMPLE_RATE, options: HearOptions | None = None):
    return hear(
        samples,
        rate,
        recogniser=ScriptedRecogniser(WORDS),
        activity=EnergyActivity(),
        voices=ToneVoices(),
        options=options,
    )


def test_words_speakers_and_cues() -> None:
    transcript = heard(SAMPLES)
    assert len(transcript.words) == len(WORDS)
    speakers = [u.words[0].best_speaker()[0] for u in transcript.utterances]
    assert speakers == ["judge", "judge", 1, 1, "judge", 1, "judge", 2, 2]
    found = [(c.kind, c.number()) for c in cues_of(transcript) if c.about != "sound"]
    assert found == [
        (CueKind.DAY, None),
        (CueKind.FLOOR, 1),
        (CueKind.NOMINATION, 2),
        (CueKind.ACCEPTED, None),
        (CueKind.FLOOR_END, None),
        (CueKind.FLOOR, 2),
        (CueKind.FLOOR_END, None),
    ]


def test_whole_numbers_and_floats_give_the_same() -> None:
    whole = (SAMPLES * 32767).astype(np.int16)
    assert heard(whole).utterances == heard(whole.astype(np.float32) / np.float32(32768)).utterances


def test_the_same_twice() -> None:
    assert heard(SAMPLES) == heard(SAMPLES)


def test_another_rate() -> None:
    slow = SAMPLES[::2]
    assert [w.text for w in heard(slow, SAMPLE_RATE // 2).words] == [w.text for w in WORDS]


@pytest.mark.parametrize("channels", [1, 2])
def test_only_one_row_of_samples(channels: int) -> None:
    with pytest.raises(ValueError, match="mono"):
        hear(np.zeros((channels, 10)), SAMPLE_RATE, recogniser=ScriptedRecogniser(()))


def test_no_sound_no_words() -> None:
    assert heard(np.zeros(0, np.float32)).utterances == ()


def test_blocks_keep_the_clock() -> None:
    """Words of a later block have the recording's time, not the block's."""

    class Echo(ScriptedRecogniser):
        def recognise(self, samples, packs, prompts=(), again=None):
            self._words = tuple(HeardWord("Стоп.", c.start, c.end, 0.9) for p in packs for c in p.clips)
            return super().recognise(samples, packs, prompts, again)

    quiet = np.random.default_rng(0).normal(0, 1e-4, 100 * SAMPLE_RATE).astype(np.float32)
    beep = (0.3 * np.sin(np.arange(SAMPLE_RATE) * 0.1)).astype(np.float32)
    for at in (5, 50, 90):
        quiet[at * SAMPLE_RATE : (at + 1) * SAMPLE_RATE] += beep
    told: list[float] = []
    said = listen(
        quiet,
        SAMPLE_RATE,
        recogniser=Echo(()),
        activity=EnergyActivity(),
        options=HearOptions(block=30.0),
        progress=told.append,
    ).transcript
    assert len(told) == 4 and told == sorted(told) and told[-1] <= 1.0
    assert [round(w.span.t0 / SECOND) for w in said.words] == [5, 50, 90]


def test_a_sure_pack_is_heard_once_and_a_doubtful_one_twice() -> None:
    """The second hearing, which costs as much again, is kept for packs that need it."""

    def heard_with(probability: float, logprob: float) -> list[bool]:
        asked: list[bool] = []

        class Twice(ScriptedRecogniser):
            def recognise(self, samples, packs, prompts=(), again=None):
                first = [
                    Heard(p, (HeardWord("три", c.start, c.end, probability),), logprob, 0.0)
                    for p in packs
                    for c in p.clips
                ]
                asked.extend(again(h) for h in first)
                return tuple(first), tuple(Heard(h.pack, (), 0.0, 0.0, spared=True) for h in first)

        said = listen(beeping(), SAMPLE_RATE, recogniser=Twice(()), activity=EnergyActivity()).transcript
        assert [w.text for w in said.words] == ["три"]
        return asked

    assert heard_with(0.95, -0.1) == [False]
    assert heard_with(0.95, -0.6) == [True]
    assert heard_with(0.4, -0.1) == [True]


def beeping() -> np.ndarray:
    quiet = np.random.default_rng(0).normal(0, 1e-4, 10 * SAMPLE_RATE).astype(np.float32)
    quiet[3 * SAMPLE_RATE : 4 * SAMPLE_RATE] += (0.3 * np.sin(np.arange(SAMPLE_RATE) * 0.1)).astype(
        np.float32
    )
    return quiet
