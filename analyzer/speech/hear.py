"""Sound -> transcript: voice activity, recognition, guards against what recognisers make up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray
from scipy.signal import resample_poly

from mafiavar.analyzer.span import Micros, Span, micros
from mafiavar.analyzer.speech.guard import is_phantom, looks_made_up, music_words
from mafiavar.analyzer.transcript import Transcript, Utterance, Word
from mafiavar.models.speech import (
    SAMPLE_RATE,
    Heard,
    HeardWord,
    Pack,
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
    """Parameters of the stage; all of them go into its key."""

    prompt: str = _PROMPT
    block: float = _BLOCK


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
    prompt = _prompt(options, nicknames)
    heard: list[tuple[float, Heard]] = []
    for offset, block in _blocks(samples, rate, options.block):
        clips = stretches((activity or SileroActivity()).probabilities(block))
        heard += [(offset, h) for h in _recognised(block, pack(clips), recogniser, prompt)]
    words = [_word(w, offset) for offset, h in heard for w in h.words if not is_phantom(w, h)]
    music = [_word(w, offset).span for offset, h in heard for w in music_words(h)]
    return Transcript(_utterances(sorted(words, key=lambda w: w.span)), tuple(music))


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
    common = gcd(rate, SAMPLE_RATE)
    return np.asarray(resample_poly(sound, SAMPLE_RATE // common, rate // common), dtype=np.float32)


def _recognised(block: Samples, packs: Sequence[Pack], recogniser: Recogniser, prompt: str) -> list[Heard]:
    """With the prompt first; without it where the prompt seems to have spoken instead of the table."""
    first = list(recogniser.recognise(block, packs, prompt=prompt))
    doubtful = [i for i, h in enumerate(first) if looks_made_up(h, prompt)]
    again = recogniser.recognise(block, [packs[i] for i in doubtful])
    for i, second in zip(doubtful, again, strict=True):
        if not looks_made_up(second, prompt) or len(second.words) > len(first[i].words):
            first[i] = second
    return first


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
