"""Two voices at once: parted by what each sounds like alone, found in a floor, read as one announcement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.span import SECOND, Span
from mafiavar.analyzer.speech import cues_of
from mafiavar.analyzer.speech.interjections import interjections, untold
from mafiavar.analyzer.speech.separate import SeparationOptions, learned, part_of
from mafiavar.analyzer.speech.speakers import Floor, Voices
from mafiavar.analyzer.speech.under import heard_under
from mafiavar.analyzer.transcript import Sound, Transcript, Utterance, Word
from mafiavar.models.speech import SAMPLE_RATE, Clip, HeardWord, Samples

OPTIONS = SeparationOptions()


def voice(pitch: float, bright: float, seconds: float, seed: int) -> Samples:
    """Vowel-like sounds: a gliding pitch whose harmonics rise and fall with the formants of a throat."""
    g = np.random.default_rng(seed)
    n = round(seconds * SAMPLE_RATE)
    knots = g.uniform(0.92, 1.08, max(3, round(seconds * 4)))
    f0 = pitch * np.interp(np.linspace(0, 1, n), np.linspace(0, 1, len(knots)), knots)
    phase = 2 * np.pi * np.cumsum(f0) / SAMPLE_RATE
    sound = np.zeros(n)
    for k in range(1, 25):
        f = k * pitch
        shape = np.exp(-((f - 500 * bright) ** 2) / 3e5) + 0.6 * np.exp(-((f - 1700 * bright) ** 2) / 5e5)
        sound += shape * np.sin(k * phase)
    syllables = 0.55 + 0.45 * np.sin(2 * np.pi * 3.3 * np.arange(n) / SAMPLE_RATE + g.uniform(0, 6))
    return (0.1 * sound * syllables / np.sqrt(np.mean(sound**2))).astype(np.float32)


def likeness(a: Samples, b: Samples) -> float:
    """Scale-free signal to distortion ratio, dB."""
    scaled = b * float(a @ b) / float(b @ b)
    return float(10 * np.log10(np.sum(scaled**2) / np.sum((a - scaled) ** 2)))


def test_a_voice_is_parted_from_another() -> None:
    mine, other = voice(110, 1.0, 8, 1), voice(210, 1.25, 8, 2)
    one, two = voice(110, 1.0, 2, 3), voice(210, 1.25, 2, 4)
    known = learned(mine, OPTIONS), learned(other, OPTIONS)
    part = part_of(one + two, *known, OPTIONS)
    assert len(part) == len(one)
    assert likeness(part, one) > likeness(one + two, one) + 6
    assert np.array_equal(part, part_of(one + two, *known, OPTIONS))


def said(text: str, start: float, end: float, who: int | str) -> Utterance:
    words = text.split()
    step = (end - start) / len(words)
    return Utterance(
        tuple(
            Word(w, Span.of(start + i * step, start + (i + 1) * step), 0.9, {who: 0.95})  # type: ignore[dict-item]
            for i, w in enumerate(words)
        )
    )


def table() -> tuple[Samples, Transcript, tuple[Floor, ...]]:
    """The judge speaks for 6 s, seat 4 for 20 s; at 16 s the judge speaks into it for 1.2 s."""
    sound = np.concatenate([voice(110, 1.0, 6, 1), voice(210, 1.25, 20, 2)])
    sound[16 * SAMPLE_RATE : round(17.2 * SAMPLE_RATE)] += voice(110, 1.0, 1.2, 7)
    words = (said("раз " * 12, 0, 6, "judge"), said("два " * 40, 6, 26, 4))
    broke_in = Sound("interjection", Span.of(16.1, 17.1), 0.6, {"judge": 1.0})
    return sound, Transcript(words, sounds=(broke_in,)), (Floor(4, Span.of(6, 26)),)


def test_what_the_judge_says_into_a_floor_is_heard_alone() -> None:
    sound, transcript, floors = table()
    asked: list[Clip] = []

    def listen(parted: Samples, clips: Sequence[Clip]) -> list[list[HeardWord]]:
        assert len(parted) == round(clips[-1].end * SAMPLE_RATE)
        asked.extend(clips)
        return [
            [HeardWord("фол", c.start + 1.2, c.start + 1.5, 0.9) for c in clips],
            [HeardWord("пять", c.start + 1.5, c.start + 1.8, 0.9) for c in clips],
        ]

    under = heard_under(sound, transcript, floors, listen=listen)
    assert len(asked) == 1
    assert any(abs(u.span.t0 / SECOND - 16.3) < 1.2 for u in under)
    assert {u.text for u in under} == {"фол", "пять"}


def test_nothing_is_heard_without_a_place_a_floor_or_a_voice() -> None:
    sound, transcript, floors = table()

    def never(parted: Samples, clips: Sequence[Clip]) -> list[list[HeardWord]]:
        raise AssertionError("nothing to hear")

    assert heard_under(sound, replace(transcript, sounds=()), floors, listen=never) == ()
    assert heard_under(sound, transcript, (), listen=never) == ()
    assert heard_under(sound, Transcript((), sounds=transcript.sounds), floors, listen=never) == ()


def test_the_judge_is_found_in_a_speech_unless_his_words_stand_there() -> None:
    """The rest of a mixed window beside the holder's voice is the judge's."""
    judge, holder = np.eye(192, dtype=np.float32)[:2]

    class Mixed:
        name = "mixed"

        def embed(self, sounds: Sequence[Samples]) -> np.ndarray:
            rows = [holder + (0.6 * judge if float(np.mean(s)) > 0.5 else 0.0 * judge) for s in sounds]
            return np.stack([r / np.linalg.norm(r) for r in rows]).astype(np.float32)

    sound = np.zeros(26 * SAMPLE_RATE, np.float32)
    sound[16 * SAMPLE_RATE : 17 * SAMPLE_RATE] = 1.0
    table = Voices({"judge": judge, 4: holder, 5: np.eye(192, dtype=np.float32)[2]})
    found = interjections(sound, (Floor(4, Span.of(6, 26)),), [Clip(6, 26)], table, embedder=Mixed())
    assert [dict(s.speaker) for s in found] == [{"judge": 1.0}]
    assert found[0].span & Span.of(16, 17) and found[0].span.duration < 2 * SECOND
    assert untold(found, said("ну да", 15, 17, 4).words) == found
    assert untold(found, said("фол", 16, 16.5, "judge").words) == ()


def foul_of(*under: Utterance, words: tuple[Utterance, ...] = ()) -> list[Cue]:
    return [c for c in cues_of(Transcript(words, under=under)) if c.kind is CueKind.FOUL]


def test_two_hearings_of_a_foul_are_one_cue() -> None:
    once = foul_of(said("Номер три, фол.", 10, 11, "judge"))
    twice = foul_of(said("Номер три, фол.", 10, 11, "judge"), said("Фол, три.", 10.1, 11.1, "judge"))
    apart = foul_of(said("Номер три, фол.", 10, 11, "judge"), said("Номер шесть, фол.", 10, 11, "judge"))
    assert [c.number() for c in once] == [c.number() for c in twice] == [3]
    assert once[0].likelihood < twice[0].likelihood
    assert len(apart) == 1 and apart[0].likelihood < twice[0].likelihood
    assert apart[0].numbers[0][3] == pytest.approx(apart[0].numbers[0][6], abs=0.05)


def test_under_a_speech_only_the_judges_penalties_are_read() -> None:
    spoken = said("Номер три, ваша минута.", 10, 11, "judge")
    assert cues_of(Transcript((), under=(spoken,))) == ()


def test_a_foul_heard_in_the_open_is_not_told_again() -> None:
    both = foul_of(
        said("Номер шесть, фол.", 10, 11, "judge"), words=(said("Номер три, фол.", 10, 11, "judge"),)
    )
    assert [c.number() for c in both] == [3]
