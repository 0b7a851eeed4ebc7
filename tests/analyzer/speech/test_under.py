"""Two voices at once: parted by what each sounds like alone, found in a floor, read as one announcement."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.span import SECOND, Span
from mafiavar.analyzer.speech import cues_of
from mafiavar.analyzer.speech.separate import SeparationOptions, learned, part_of, shares
from mafiavar.analyzer.speech.speakers import Floor
from mafiavar.analyzer.speech.under import heard_under
from mafiavar.analyzer.transcript import Transcript, Utterance, Word
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


def test_the_share_tells_where_the_other_voice_speaks() -> None:
    known = learned(voice(110, 1.0, 8, 1), OPTIONS), learned(voice(210, 1.25, 8, 2), OPTIONS)
    sound = voice(210, 1.25, 4, 5)
    sound[2 * SAMPLE_RATE : 3 * SAMPLE_RATE] += voice(110, 1.0, 1, 6)
    mine, other = shares(sound, *known, OPTIONS)
    share = mine / (mine + other)
    middle = len(share) * 5 // 8
    assert share[middle] > 2 * np.median(share[: len(share) // 3])


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
    return sound, Transcript(words), (Floor(4, Span.of(6, 26)),)


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

    under = heard_under(sound, transcript, floors, (), listen=listen)
    assert asked and len(asked) <= 2
    assert any(abs(u.span.t0 / SECOND - 16.3) < 1.2 for u in under)
    assert {u.text for u in under} == {"фол", "пять"}


def test_nothing_is_heard_twice_nor_without_a_floor() -> None:
    sound, transcript, floors = table()

    def never(parted: Samples, clips: Sequence[Clip]) -> list[list[HeardWord]]:
        raise AssertionError("nothing to hear")

    told = Cue(CueKind.FOUL, Span.of(5, 27), 0.9, speaker={"judge": 0.9})
    assert heard_under(sound, transcript, floors, (told,), listen=never) == ()
    assert heard_under(sound, transcript, (), (), listen=never) == ()
    assert heard_under(sound, Transcript(()), floors, (), listen=never) == ()


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
