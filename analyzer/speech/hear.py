"""Sound -> transcript: voice activity, recognition, guards against what recognisers make up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from math import gcd
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mafiavar.analyzer.span import SECOND, Micros, Span, micros
from mafiavar.analyzer.speech.grammar import cues_of
from mafiavar.analyzer.speech.guard import believed, is_music, uncovered, without_loops
from mafiavar.analyzer.speech.interjections import answered, interjections
from mafiavar.analyzer.speech.knocks import knocks
from mafiavar.analyzer.speech.merge import Slot, in_order, merge
from mafiavar.analyzer.speech.numerals import number_of
from mafiavar.analyzer.speech.pieces import Pieces, as_float
from mafiavar.analyzer.speech.refine import refined
from mafiavar.analyzer.speech.sounds import applause, music, silence
from mafiavar.analyzer.speech.speakers import Floor, Witness, attribute, floors_of
from mafiavar.analyzer.transcript import Sound, Transcript, Utterance, Variant, Word
from mafiavar.models.speech import (
    HOP,
    SAMPLE_RATE,
    Clip,
    Heard,
    HeardWord,
    Pack,
    Probabilities,
    Prompt,
    Recogniser,
    Samples,
    SileroActivity,
    VoiceActivity,
    pack,
    stretches,
)
from mafiavar.models.voices import Segmenter, VoiceEmbedder

UTTERANCE_GAP: Micros = 600_000
"""A longer silence than this ends an utterance."""

_BLOCK = 300.0
"""Seconds decoded at a time, so that memory does not grow with the recording."""

_PROMPT = "Игрок номер один, ваша минута. Выставляю номер два. Принято. Пас."
_MOST_NICKNAMES = 4
_MUSIC_BONUS = 0.10
_MUSIC_PAD = 0.10
_SECOND_CHANCE = 0.35
"""Mean probability that words of a stretch passed over at first must have."""


@dataclass(frozen=True, slots=True)
class HearOptions:
    """Parameters of the stage; all of them go into its key.

    `beam` for the decoding with the prompt, `free_beam` for the one without; voice longer than
    `unheard` seconds without a word is decoded once more, alone. The decoding without the prompt is
    spared where the first one is `sure` (mean log-probability per token), left no `gap` of seconds
    without words, did not loop and doubts no numeral (`numeral`: least probability of one).
    """

    prompt: str = _PROMPT
    block: float = _BLOCK
    beam: int = 2
    free_beam: int = 1
    unheard: float = 0.9
    sure: float = -0.3
    gap: float = 1.2
    numeral: float = 0.6


@dataclass(slots=True)
class _Ear:
    """What the stage listens with."""

    recogniser: Recogniser
    activity: VoiceActivity
    prompts: tuple[Prompt, Prompt]
    options: HearOptions


@dataclass(slots=True)
class _Found:
    """What was heard so far."""

    slots: list[Slot] = field(default_factory=list)
    sounds: list[Sound] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Listened:
    """What was said, by nobody in particular yet."""

    transcript: Transcript


def hear(
    samples: Pieces,
    rate: int,
    *,
    recogniser: Recogniser,
    nicknames: Sequence[str] = (),
    activity: VoiceActivity | None = None,
    voices: VoiceEmbedder | None = None,
    segmenter: Segmenter | None = None,
    lexicon: Path | None = None,
    options: HearOptions | None = None,
) -> Transcript:
    """What was said, by whom, and what else was heard, in order of time: `listen`, then `told_apart`.

    Without `voices` nobody is told from anybody; without `segmenter` nobody breaks in. `lexicon`: a club's own lexicon.toml.
    """
    listened = listen(
        samples, rate, recogniser=recogniser, nicknames=nicknames, activity=activity, options=options
    )
    if voices is None:
        return listened.transcript
    sound = samples if rate == SAMPLE_RATE else _at_16k(samples[:], rate)
    return told_apart(
        sound,
        listened.transcript,
        embedder=voices,
        segmenter=segmenter,
        lexicon=lexicon,
    )


def listen(
    samples: Pieces,
    rate: int,
    *,
    recogniser: Recogniser,
    nicknames: Sequence[str] = (),
    activity: VoiceActivity | None = None,
    options: HearOptions | None = None,
    progress: Callable[[float], None] = lambda _: None,
) -> Listened:
    """What was said and what else was heard, in order of time; the dear part, and free of the lexicon.

    `samples`: mono, shape (n,), float in -1..1 or int16; a track on the disk is fine, it is
    read in blocks. `rate` in Hz. `nicknames` help the recogniser to spell them. `progress` is told the share
    that has been heard (0..1), block by block. Pure: the same sound and the same models give the same
    words. Times start with the first sample at 0.
    """
    options = options or HearOptions()
    if len(samples.shape) != 1:
        raise ValueError(f"sound must be mono, shape (n,), not {samples.shape}")
    prompts = (Prompt(_prompt(options, nicknames), options.beam), Prompt("", options.free_beam))
    ear = _Ear(recogniser, activity or SileroActivity(), prompts, options)
    found = _Found()
    for offset, block in _blocks(samples, rate, options.block):
        _listen(block, offset, ear, found)
        progress((offset + len(block) / SAMPLE_RATE) * rate / len(samples))
    return Listened(_transcript(found))


def told_apart(
    samples: Pieces,
    transcript: Transcript,
    *,
    embedder: VoiceEmbedder,
    segmenter: Segmenter | None = None,
    floors: Sequence[Floor] | None = None,
    witness: Witness | None = None,
    lexicon: Path | None = None,
) -> Transcript:
    """The transcript with speakers and, with a `segmenter`, interjections. `samples` mono 16 kHz; `floors`
    from the timeline when there is one (a second look is surer), else from the cues."""
    cues = cues_of(transcript, lexicon=lexicon)
    end = micros(len(samples) / SAMPLE_RATE)
    held = tuple(floors) if floors is not None else floors_of(cues, end)
    told, templates = attribute(samples, transcript, cues, embedder=embedder, floors=held, witness=witness)
    if segmenter is None:
        return told
    spoken_over = answered(
        interjections(samples, held, told.words, templates, embedder=embedder, segmenter=segmenter), cues
    )
    return replace(told, sounds=tuple(sorted((*told.sounds, *spoken_over), key=lambda s: (s.span, s.kind))))


def _listen(block: Samples, offset: float, ear: _Ear, found: _Found) -> None:
    """Everything about one block of sound."""
    musical = music(block)
    clips = _voiced(ear.activity.probabilities(block), musical)
    slots = [s for s in _heard(block, clips, ear) if s.words]
    spoken = [Span(micros(c.start), micros(c.end)) for c in clips]
    others = (*musical, *silence(block), *knocks(block), *applause(block, spoken))
    by = micros(offset)
    found.sounds += [replace(s, span=Span(s.span.t0 + by, s.span.t1 + by)) for s in others]
    for slot in slots:
        if is_music(slot.words[0]):
            span = _word(slot.words[0], offset).span
            found.sounds.append(Sound("music", span, round(slot.words[0].probability, 3)))
        else:
            found.slots.append(_shifted(slot, offset))


def _voiced(probabilities: Probabilities, musical: Sequence[Sound]) -> tuple[Clip, ...]:
    """Stretches of speech. Loud music hides the beginnings and ends of what the judge says: there
    less is asked of the detector and more is left around what it finds."""
    raised = probabilities.copy()
    for sound in musical:
        a, b = (round(t / SECOND * SAMPLE_RATE / HOP) for t in (sound.span.t0, sound.span.t1))
        raised[a:b] += _MUSIC_BONUS
    clips = stretches(raised)
    wide: list[Clip] = []
    for i, clip in enumerate(clips):
        if not any(s.span.t0 / SECOND < clip.end and s.span.t1 / SECOND > clip.start for s in musical):
            wide.append(clip)
            continue
        before = (clips[i - 1].end + clip.start) / 2 if i else 0.0
        after = (clip.end + clips[i + 1].start) / 2 if i + 1 < len(clips) else clip.end + _MUSIC_PAD
        wide.append(Clip(max(clip.start - _MUSIC_PAD, before), min(clip.end + _MUSIC_PAD, after)))
    return tuple(wide)


def _prompt(options: HearOptions, nicknames: Sequence[str]) -> str:
    """Longer prompts tempt the recogniser to repeat them: only a few nicknames fit."""
    names = [n.strip() for n in nicknames if n.strip()][:_MOST_NICKNAMES]
    return f"{options.prompt} {', '.join(names)}." if names else options.prompt


def _blocks(samples: Pieces, rate: int, length: float) -> Iterator[tuple[float, Samples]]:
    """Pieces of about `length` seconds at 16 kHz with their offset, cut at the quietest place."""
    start = 0
    while start < len(samples):
        end = min(start + round(length * rate), len(samples))
        if end < len(samples):
            end = _quietest(samples, end - 10 * rate, end, rate)
        yield start / rate, _at_16k(samples[start:end], rate)
        start = end


def _quietest(samples: Pieces, start: int, end: int, rate: int) -> int:
    """The middle of the quietest 0.4 s between two samples."""
    hop = rate // 10
    tail = as_float(samples[start:end])
    level = np.add.reduceat(tail**2, np.arange(0, len(tail), hop))
    four = np.convolve(level, np.ones(4), mode="valid")
    return start + (int(np.argmin(four)) + 2) * hop


def _at_16k(samples: NDArray[np.generic], rate: int) -> Samples:
    sound = as_float(samples)
    if rate == SAMPLE_RATE:
        return sound
    from scipy.signal import resample_poly  # takes seconds to load

    common = gcd(rate, SAMPLE_RATE)
    return np.asarray(resample_poly(sound, SAMPLE_RATE // common, rate // common), dtype=np.float32)


def _heard(block: Samples, clips: Sequence[Clip], ear: _Ear) -> list[Slot]:
    """Two hearings merged; then once more what both passed over in silence; then the edges."""
    slots = _both(block, pack(clips), ear)
    passed_over = uncovered(clips, [w for slot in slots for w in slot.words], ear.options.unheard)
    slots += [
        slot
        for slot in _both(block, pack(passed_over), ear)
        if sum(w.probability for w in slot.words) / len(slot.words) >= _SECOND_CHANCE
    ]
    slots = list(in_order(slots))
    words = refined(block, [w for slot in slots for w in slot.words])
    edges = [0, *accumulate(len(slot.words) for slot in slots)]
    return [replace(slot, words=words[a:b]) for slot, (a, b) in zip(slots, pairwise(edges), strict=True)]


def _both(block: Samples, packs: Sequence[Pack], ear: _Ear) -> list[Slot]:
    prompted, free = ear.recogniser.recognise(
        block, packs, ear.prompts, lambda heard: _doubtful(heard, ear.options)
    )
    slots: list[Slot] = []
    for a, b in zip(prompted, free, strict=True):
        words = without_loops(believed(a))
        slots += [Slot((w,)) for w in words] if b.spared else merge(words, without_loops(believed(b)))
    return slots


def _doubtful(heard: Heard, options: HearOptions) -> bool:
    """Whether a pack deserves the second hearing: unsure, silent, looping, or with a doubtful numeral."""
    words = believed(heard)
    return (
        not words
        or heard.mean_logprob < options.sure
        or len(without_loops(words)) < len(words)
        or bool(uncovered(heard.pack.clips, words, options.gap))
        or any(w.probability < options.numeral and number_of(w.text) is not None for w in words)
    )


def _shifted(slot: Slot, offset: float) -> Slot:
    def shift(words: Sequence[HeardWord]) -> tuple[HeardWord, ...]:
        return tuple(HeardWord(w.text, w.start + offset, w.end + offset, w.probability) for w in words)

    return Slot(shift(slot.words), shift(slot.other), slot.weight)


def _transcript(found: _Found) -> Transcript:
    """Words in order of time, and for every slot with another hearing its variant."""
    words: list[Word] = []
    variants: list[Variant] = []
    for slot in found.slots:
        if slot.other:
            other = tuple(_word(w, 0.0) for w in slot.other)
            first = len(words)
            variants.append(Variant(first, first + len(slot.words) - 1, other, round(slot.weight, 4)))
        words += [_word(w, 0.0) for w in slot.words]
    sounds = sorted(found.sounds, key=lambda s: (s.span, s.kind))
    played = tuple(s.span for s in sounds if s.kind == "music")
    return Transcript(_utterances(words), played, tuple(variants), tuple(sounds))


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
