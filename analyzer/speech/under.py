"""What the judge says while somebody else speaks.

A foul is called into a speech: two voices at once, of which the recogniser writes the louder or
neither. Both voices are known by then, the judge's from his set phrases, the speaker's from the rest of
the same minute. Where the judge's voice was found in a floor without any of his words
(`interjections`), the stretch is parted (`separate`) and the judge's part heard alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mafiavar.analyzer.cue import Speaker
from mafiavar.analyzer.span import SECOND, Span, micros
from mafiavar.analyzer.speech.separate import SeparationOptions, Spectra, learned, part_of
from mafiavar.analyzer.speech.speakers import RATE, Floor, as_float, holder_of
from mafiavar.analyzer.transcript import Sound, Transcript, Utterance, Word
from mafiavar.models.speech import Clip, HeardWord, Samples

Listener = Callable[[Samples, Sequence[Clip]], Sequence[Sequence[HeardWord]]]
"""Hears clips of a sound; one or more hearings, each the words of all clips in order of time."""


@dataclass(frozen=True, slots=True)
class UnderOptions:
    """`reach` seconds heard around the middle of a place, `around` beside its ends; `least`, `most` seconds
    of a voice alone to know it by; `sure` how surely the words are the speaker's."""

    reach: float = 1.3
    around: float = 0.9
    least: float = 3.0
    most: float = 25.0
    sure: float = 0.8
    separation: SeparationOptions = field(default_factory=SeparationOptions)


def heard_under(
    samples: NDArray[np.generic],
    transcript: Transcript,
    floors: Sequence[Floor],
    *,
    listen: Listener,
    options: UnderOptions | None = None,
) -> tuple[Utterance, ...]:
    """The judge's words under the speeches, an utterance for every place and hearing.

    `samples`: mono 16 kHz; `transcript`: with speakers, and with the judge's interjections as sounds.
    """
    options = options or UnderOptions()
    windows = _windows(transcript.sounds, floors, options)
    voices = _voices(samples, transcript, {"judge", *(seat for _, seat in windows)}, options)
    windows = [w for w in windows if "judge" in voices and w[1] in voices]
    if not windows:
        return ()
    pieces = [_parted(samples, window, voices, options) for window in windows]
    edges = np.concatenate([[0.0], np.cumsum([len(p) for p in pieces]) / RATE])
    clips = [Clip(float(a), float(b)) for a, b in pairwise(edges)]
    heard = listen(np.concatenate(pieces), clips)
    made = [u for words in heard for u in _placed(words, clips, windows)]
    return tuple(sorted(made, key=lambda u: (u.span, u.text)))


def _voices(
    samples: NDArray[np.generic], transcript: Transcript, wanted: set[Speaker], options: UnderOptions
) -> dict[Speaker, Spectra]:
    """What the wanted speakers sound like alone, where enough of them was heard."""
    sounds: dict[Speaker, list[Samples]] = {}
    length: dict[Speaker, float] = {}
    for who, span in _alone(transcript, options.sure):
        if who not in wanted or length.get(who, 0.0) >= options.most:
            continue
        sounds.setdefault(who, []).append(
            as_float(samples[round(span.t0 * RATE / SECOND) : round(span.t1 * RATE / SECOND)])
        )
        length[who] = length.get(who, 0.0) + span.duration / SECOND
    return {
        who: learned(np.concatenate(many), options.separation)
        for who, many in sorted(sounds.items(), key=lambda kv: str(kv[0]))
        if length[who] >= options.least
    }


def _alone(transcript: Transcript, sure: float) -> Iterator[tuple[Speaker, Span]]:
    """Stretches of words of one sure speaker, without the pauses."""
    for utterance in transcript.utterances:
        run: list[Word] = []
        for word in utterance.words:
            who, p = word.best_speaker()
            if p < sure or who == "unknown":
                who = "unknown"
            if run and (run[-1].best_speaker()[0] != who or word.span.t0 - run[-1].span.t1 > SECOND // 5):
                yield run[0].best_speaker()[0], run[0].span | run[-1].span
                run = []
            if who != "unknown":
                run.append(word)
        if run:
            yield run[0].best_speaker()[0], run[0].span | run[-1].span


def _windows(
    sounds: Sequence[Sound], floors: Sequence[Floor], options: UnderOptions
) -> list[tuple[Clip, int]]:
    """Stretches to hear and who holds the floor there, neighbours of one floor joined."""
    windows: list[tuple[Clip, int]] = []
    for sound in sorted((s for s in sounds if s.speaker.get("judge", 0.0) > 0.5), key=lambda s: s.span):
        seat = holder_of(sound.span, floors)
        if seat is None:
            continue
        middle = sound.span.middle / SECOND
        start = max(0.0, min(middle - options.reach, sound.span.t0 / SECOND - options.around))
        end = max(middle + options.reach, sound.span.t1 / SECOND + options.around)
        if windows and windows[-1][1] == seat and start < windows[-1][0].end:
            start = windows.pop()[0].start
        windows.append((Clip(start, end), seat))
    return windows


def _parted(
    samples: NDArray[np.generic],
    window: tuple[Clip, int],
    voices: dict[Speaker, Spectra],
    options: UnderOptions,
) -> Samples:
    """The judge's part of a window, as loud as speech usually is."""
    clip, seat = window
    sound = as_float(samples[round(clip.start * RATE) : round(clip.end * RATE)])
    part = part_of(sound, voices["judge"], voices[seat], options.separation)
    return np.asarray(part * (0.5 / max(float(np.abs(part).max()), 1e-4)), dtype=np.float32)


def _placed(
    words: Sequence[HeardWord], clips: Sequence[Clip], windows: Sequence[tuple[Clip, int]]
) -> Iterator[Utterance]:
    """The words of one hearing, window by window, on the clock of the recording."""
    for clip, (window, _) in zip(clips, windows, strict=True):
        shift = window.start - clip.start
        inside = [w for w in words if clip.start <= (w.start + w.end) / 2 < clip.end]
        if inside:
            yield Utterance(tuple(_word(w, shift) for w in sorted(inside, key=lambda w: w.start)))


def _word(word: HeardWord, shift: float) -> Word:
    start = micros(word.start + shift)
    span = Span(start, max(start, micros(word.end + shift)))
    return Word(word.text, span, round(word.probability, 4), {"judge": 0.8, "unknown": 0.2})
