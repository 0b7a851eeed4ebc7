"""Two hearings of one sound; loops and inventions; edges of words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.speech import cues_of
from mafiavar.analyzer.speech.guard import believed, is_music, uncovered, without_loops
from mafiavar.analyzer.speech.merge import Slot, in_order, merge
from mafiavar.analyzer.speech.refine import refined
from mafiavar.analyzer.transcript import Transcript, Utterance, Variant, Word
from mafiavar.models.speech import SAMPLE_RATE, Clip, Heard, HeardWord, Pack


def said(text: str, start: float = 0.0, p: float = 0.8) -> list[HeardWord]:
    return [HeardWord(w, start + 0.3 * i, start + 0.3 * (i + 1), p) for i, w in enumerate(text.split())]


def text(slots: object) -> str:
    return " ".join(w.text for s in slots for w in s.words)  # type: ignore[attr-defined]


def test_agreement_makes_surer() -> None:
    (slot,) = merge(said("Стоп."), said("стоп"))
    assert slot.words[0].probability > 0.8 and not slot.other


def test_digits_and_words_agree() -> None:
    assert text(merge(said("номер три"), said("номер 3"))) == "номер три"


def test_the_likelier_stands_and_the_other_is_kept() -> None:
    slots = merge(said("Выставляю двери", p=0.4), said("Выставляю девятку", p=0.9))
    assert text(slots) == "Выставляю девятку"
    assert slots[1].other[0].text == "двери" and 0 < slots[1].weight < 0.5


def test_what_one_hearing_swallowed_comes_from_the_other() -> None:
    free = said("Чёрные не любят версии. Спасибо. Игрок два.")
    prompted = said("Спасибо. Игрок два.", start=1.2)
    assert text(merge(prompted, free)) == "Чёрные не любят версии. Спасибо. Игрок два."


def test_a_weak_invention_of_one_hearing_is_dropped() -> None:
    assert text(merge(said("Стоп."), said("Стоп.") + said("Здравствуйте", 5.0, p=0.1))) == "Стоп."


def test_a_variant_can_carry_the_cue() -> None:
    words = tuple(Word(w, Span.of(i, i + 0.3), 0.6) for i, w in enumerate(("Достаю", "тройку.")))
    plain = Transcript((Utterance(words),))
    assert not cues_of(plain)
    variant = Variant(0, 0, (Word("Выставляю", Span.of(0, 0.3), 0.6),), 0.5)
    (cue,) = cues_of(Transcript((Utterance(words),), (), (variant,)))
    assert (cue.kind, cue.number()) == (CueKind.NOMINATION, 3)
    assert cue.likelihood < 0.5


def test_a_variant_makes_the_number_doubtful() -> None:
    words = tuple(Word(w, Span.of(i, i + 0.3), 0.9) for i, w in enumerate(("Выставляю", "пятого.")))
    variant = Variant(1, 1, (Word("девятого.", Span.of(1, 1.3), 0.9),), 0.4)
    sure = cues_of(Transcript((Utterance(words),)))[0].numbers[0]
    (cue,) = cues_of(Transcript((Utterance(words),), (), (variant,)))
    assert cue.number() == 5
    assert cue.numbers[0][9] > 5 * sure[9]
    assert sum(cue.numbers[0].values()) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize(
    ("heard", "kept"),
    [
        ("два три пятнадцать пятнадцать пятнадцать пятнадцать пятнадцать пас", "два три пятнадцать пас"),
        ("Доброе утро. Доброе утро. Доброе утро. Доброе утро.", "Доброе утро."),
        ("да да нет", "да да нет"),
    ],
)
def test_loops_are_cut(heard: str, kept: str) -> None:
    assert " ".join(w.text for w in without_loops(said(heard))) == kept


def test_known_inventions_are_not_believed() -> None:
    clip = Pack((Clip(0.0, 5.0),))
    assert believed(Heard(clip, tuple(said("Редактор субтитров А.Иванов")), -0.2, 0.1)) == ()
    assert len(believed(Heard(clip, tuple(said("Выставляю редактора")), -0.2, 0.1))) == 2
    assert is_music(HeardWord("МУЗЫКА", 0, 1, 0.9)) and not is_music(HeardWord("музыка", 0, 1, 0.9))


def test_voice_without_words_is_found() -> None:
    clips = [Clip(0.0, 10.0), Clip(20.0, 20.5)]
    assert uncovered(clips, said("раз два три", 1.0), 0.9) == (Clip(0.0, 1.0), Clip(1.9, 10.0))


def test_edges_follow_the_sound() -> None:
    samples = np.random.default_rng(0).normal(0, 1e-4, 3 * SAMPLE_RATE).astype(np.float32)
    a, b = SAMPLE_RATE, round(1.6 * SAMPLE_RATE)
    samples[a:b] += (0.3 * np.sin(np.arange(b - a) * 0.1)).astype(np.float32)
    (word,) = refined(samples, [HeardWord("Пас.", 1.1, 1.3, 0.9)])
    assert word.start == pytest.approx(1.0, abs=0.03)
    assert word.end == pytest.approx(1.6, abs=0.03)


TIMES = st.integers(0, 40).map(lambda tenth: tenth / 10)


@given(st.lists(st.lists(st.tuples(TIMES, TIMES), min_size=1, max_size=4), max_size=6))
def test_words_never_go_back_in_time(stretches: list[list[tuple[float, float]]]) -> None:
    slots = [
        Slot(tuple(HeardWord(f"{i}-{j}", t, t + d, 0.9) for j, (t, d) in enumerate(words)))
        for i, words in enumerate(stretches)
    ]
    ordered = in_order(slots)
    words = [w for s in ordered for w in s.words]
    assert sorted(w.text for w in words) == sorted(w.text for s in slots for w in s.words)
    assert [w.start for w in words] == sorted(w.start for w in words)
    edges = refined(np.zeros(SAMPLE_RATE * 9, np.float32), words)
    assert [w.start for w in edges] == sorted(w.start for w in edges)
    assert all(w.start <= w.end for w in edges)


def test_a_torn_slot_loses_its_other_hearing_and_a_whole_one_keeps_it() -> None:
    torn = Slot(tuple(said("Третья,", 342.8) + said("В", 340.0)), tuple(said("Ветра")), 0.3)
    whole = Slot(tuple(said("номер три", 350.0)), tuple(said("номер два", 350.0)), 0.4)
    assert in_order([whole, torn]) == (*(Slot((w,)) for w in reversed(torn.words)), whole)


def test_an_utterance_refuses_words_that_go_back() -> None:
    with pytest.raises(ValueError, match="in order of time"):
        Utterance((Word("пас", Span.of(5, 6), 0.9), Word("спасибо", Span.of(2, 3), 0.9)))
