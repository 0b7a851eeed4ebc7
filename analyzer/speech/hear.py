"""Sound -> transcript: voice activity, recognition, guards against what recognisers make up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from mafiavar.analyzer.span import Micros, Span, micros
from mafiavar.analyzer.speech.guard import believed, is_music, uncovered, without_loops
from mafiavar.analyzer.speech.merge import Slot, merge
from mafiavar.analyzer.transcript import Transcript, Utterance, Variant, Word
from mafiavar.models.speech import (
    SAMPLE_RATE,
    Clip,
    HeardWord,
    Pack,
    Prompt,
    Recogniser,
    Samples,
    SileroActivity,
    VoiceActivity,
    pack,
    stretches,
)

UTTERANCE_GAP: Micros = 600_000
"""A longer silence than this ends an utterance."""

_BLOCK = 300.0
"""Seconds decoded at a time, so that memory does not grow with the recording."""

_PROMPT = "Игрок номер один, ваша минута. Выставляю номер два. Принято. Пас."
_MOST_NICKNAMES = 4


@dataclass(frozen=True, slots=True)
class HearOptions:
    """Parameters of the stage; all of them go into its key.

    `beam` for the decoding with the prompt, `free_beam` for the one without; voice longer than
    `unheard` seconds without a word is decoded once more, alone.
    """

    prompt: str = _PROMPT
    block: float = _BLOCK
    beam: int = 5
    free_beam: int = 2
    unheard: float = 0.9


def hear(
    samples: NDArray[np.generic],
    rate: int,
    *,
    recogniser: Recogniser,
    nicknames: Sequence[str] = (),
    activity: VoiceActivity | None = None,
    options: HearOptions | None = None,
) -> Transcript:
    """What was said, in order of time.

    `samples`: mono, shape (n,), float in -1..1 or int16; a memory map is fine, it is read in
    blocks. `rate` in Hz. `nicknames` help the recogniser to spell them. Pure: the same sound and
    the same recogniser give the same transcript. Times start with the first sample at 0.
    """
    options = options or HearOptions()
    if samples.ndim != 1:
        raise ValueError(f"sound must be mono, shape (n,), not {samples.shape}")
    prompts = (Prompt(_prompt(options, nicknames), options.beam), Prompt("", options.free_beam))
    slots: list[Slot] = []
    music: list[Span] = []
    for offset, block in _blocks(samples, rate, options.block):
        clips = stretches((activity or SileroActivity()).probabilities(block))
        heard = _heard(block, clips, recogniser, prompts, options)
        slots += [_shifted(slot, offset) for slot in heard if not is_music(slot.words[0])]
        music += [_word(s.words[0], offset).span for s in heard if is_music(s.words[0])]
    return _transcript(slots, music)


def _prompt(options: HearOptions, nicknames: Sequence[str]) -> str:
    """Longer prompts tempt the recogniser to repeat them: only a few nicknames fit."""
    names = [n.strip() for n in nicknames if n.strip()][:_MOST_NICKNAMES]
    return f"{options.prompt} {', '.join(names)}." if names else options.prompt


def _blocks(samples: NDArray[np.generic], rate: int, length: float) -> Iterator[tuple[float, Samples]]:
    """Pieces of about `length` seconds at 16 kHz with their offset, cut at the quietest place."""
    start = 0
    while start < len(samples):
        end = min(start + round(length * rate), len(samples))
        if end < len(samples):
            end = _quietest(samples, end - 10 * rate, end, rate)
        yield start / rate, _at_16k(samples[start:end], rate)
        start = end


def _quietest(samples: NDArray[np.generic], start: int, end: int, rate: int) -> int:
    """The middle of the quietest 0.4 s between two samples."""
    hop = rate // 10
    tail = _float(samples[start:end])
    level = np.add.reduceat(tail**2, np.arange(0, len(tail), hop))
    four = np.convolve(level, np.ones(4), mode="valid")
    return start + (int(np.argmin(four)) + 2) * hop


def _float(samples: NDArray[np.generic]) -> Samples:
    if samples.dtype == np.int16:
        return samples.astype(np.float32) / np.float32(32768)
    return samples.astype(np.float32)


def _at_16k(samples: NDArray[np.generic], rate: int) -> Samples:
    sound = _float(samples)
    if rate == SAMPLE_RATE:
        return sound
    from scipy.signal import resample_poly  # takes seconds to load, and is hardly ever needed

    common = gcd(rate, SAMPLE_RATE)
    return np.asarray(resample_poly(sound, SAMPLE_RATE // common, rate // common), dtype=np.float32)


def _heard(
    block: Samples,
    clips: Sequence[Clip],
    recogniser: Recogniser,
    prompts: tuple[Prompt, Prompt],
    options: HearOptions,
) -> list[Slot]:
    """Two hearings merged; then once more what both passed over in silence."""
    slots = _both(block, pack(clips), recogniser, prompts)
    words = [w for slot in slots for w in slot.words]
    passed_over = uncovered(clips, words, options.unheard)
    slots += [
        slot
        for slot in _both(block, pack(passed_over), recogniser, prompts)
        if sum(w.probability for w in slot.words) / len(slot.words) >= 0.35
    ]
    return sorted(slots, key=lambda s: s.words[0].start)


def _both(
    block: Samples, packs: Sequence[Pack], recogniser: Recogniser, prompts: tuple[Prompt, Prompt]
) -> list[Slot]:
    prompted, free = recogniser.recognise(block, packs, prompts)
    return [
        slot
        for a, b in zip(prompted, free, strict=True)
        for slot in merge(without_loops(believed(a)), without_loops(believed(b)))
    ]


def _shifted(slot: Slot, offset: float) -> Slot:
    def shift(words: Sequence[HeardWord]) -> tuple[HeardWord, ...]:
        return tuple(HeardWord(w.text, w.start + offset, w.end + offset, w.probability) for w in words)

    return Slot(shift(slot.words), shift(slot.other), slot.weight)


def _transcript(slots: Sequence[Slot], music: Sequence[Span]) -> Transcript:
    """Words in order of time, and for every slot with another hearing its variant."""
    words: list[Word] = []
    variants: list[Variant] = []
    for slot in slots:
        if slot.other:
            other = tuple(_word(w, 0.0) for w in slot.other)
            first = len(words)
            variants.append(Variant(first, first + len(slot.words) - 1, other, round(slot.weight, 4)))
        words += [_word(w, 0.0) for w in slot.words]
    return Transcript(_utterances(words), tuple(music), tuple(variants))


def _word(word: HeardWord, offset: float) -> Word:
    start = micros(word.start + offset)
    return Word(word.text, Span(start, max(start, micros(word.end + offset))), round(word.probability, 4))


def _utterances(words: Sequence[Word]) -> tuple[Utterance, ...]:
    groups: list[list[Word]] = []
    for word in words:
        if groups and word.span.t0 - groups[-1][-1].span.t1 <= UTTERANCE_GAP:
            groups[-1].append(word)
        else:
            groups.append([word])
    return tuple(Utterance(tuple(group)) for group in groups)
