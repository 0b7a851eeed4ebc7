"""What the judge says while somebody else speaks.

A foul is called into a speech: two voices at once, of which the recogniser writes the louder or
neither. Both voices are known by then, the judge's from his set phrases, the speaker's from the rest of
the same minute. Where the judge's spectra explain an unusual share of a floor, that stretch is parted
(`separate`) and the judge's part heard alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mafiavar.analyzer.cue import Cue, Speaker
from mafiavar.analyzer.span import SECOND, Span, micros
from mafiavar.analyzer.speech.separate import (
    HOP,
    SeparationOptions,
    Spectra,
    learned,
    part_of,
    shares,
)
from mafiavar.analyzer.speech.speakers import RATE, Floor, as_float
from mafiavar.analyzer.transcript import Transcript, Utterance, Word
from mafiavar.models.speech import Clip, HeardWord, Samples

_CHUNK = 20.0
"""Seconds of a floor scanned at a time."""

Listener = Callable[[Samples, Sequence[Clip]], Sequence[Sequence[HeardWord]]]
"""Hears clips of a sound; one or more hearings, each the words of all clips in order of time."""


@dataclass(frozen=True, slots=True)
class UnderOptions:
    """`share` of the judge from which a place is looked at; `per_minute` places of a floor at most;
    `reach` seconds heard on either side; `least`, `most` seconds of a voice alone to know it by;
    `sure` how surely the words are the speaker's."""

    share: float = 0.38
    per_minute: float = 6.0
    apart: float = 1.2
    reach: float = 1.3
    least: float = 3.0
    most: float = 25.0
    sure: float = 0.8
    level: float = 0.1
    separation: SeparationOptions = field(default_factory=SeparationOptions)


@dataclass(frozen=True, slots=True)
class Place:
    """Seconds at which the judge seems to speak into a floor, and how much of the sound is his."""

    at: float
    share: float
    seat: int


def heard_under(
    samples: NDArray[np.generic],
    transcript: Transcript,
    floors: Sequence[Floor],
    cues: Sequence[Cue],
    *,
    listen: Listener,
    options: UnderOptions | None = None,
) -> tuple[Utterance, ...]:
    """The judge's words under the speeches, an utterance for every place and hearing.

    `samples`: mono 16 kHz; `transcript`: with speakers; places where `cues` already tell what the judge
    said are not heard again.
    """
    options = options or UnderOptions()
    voices = _voices(samples, transcript, floors, options)
    places = [p for p in found(samples, floors, voices, options) if not _told(p, cues)]
    windows = _windows(places, options)
    if not windows:
        return ()
    pieces = [_parted(samples, window, voices, options) for window in windows]
    edges = np.concatenate([[0.0], np.cumsum([len(p) for p in pieces]) / RATE])
    clips = [Clip(float(a), float(b)) for a, b in pairwise(edges)]
    heard = listen(np.concatenate(pieces), clips)
    made = [u for words in heard for u in _placed(words, clips, windows)]
    return tuple(sorted(made, key=lambda u: (u.span, u.text)))


def found(
    samples: NDArray[np.generic],
    floors: Sequence[Floor],
    voices: dict[Speaker, Spectra],
    options: UnderOptions,
) -> list[Place]:
    """Places in the floors where the judge's voice explains an unusual share, in order of time."""
    places: list[Place] = []
    judge = voices.get("judge")
    for floor in floors:
        own = voices.get(floor.seat)
        if judge is None or own is None:
            continue
        curve = list(_curve(samples, floor, judge, own, options))
        loud = np.percentile([mine + other for _, mine, other in curve], 80) if curve else 0.0
        peaks = sorted(
            (
                Place(t, float(mine / (mine + other)), floor.seat)
                for t, mine, other in curve
                if mine > options.level * loud and mine > options.share * (mine + other)
            ),
            key=lambda p: (-p.share, p.at),
        )
        most = max(2, round(options.per_minute * floor.span.duration / (60 * SECOND)))
        kept: list[Place] = []
        for peak in peaks:
            if len(kept) < most and all(abs(peak.at - k.at) >= options.apart for k in kept):
                kept.append(peak)
        places += kept
    return sorted(places, key=lambda p: (p.at, p.seat))


def _curve(
    samples: NDArray[np.generic], floor: Floor, judge: Spectra, own: Spectra, options: UnderOptions
) -> Iterator[tuple[float, float, float]]:
    """(seconds, energy of the judge, energy of the speaker) along a floor, every 0.1 s."""
    start, end = floor.span.t0 / SECOND, floor.span.t1 / SECOND
    step = round(0.1 * RATE / HOP)
    while end - start >= 0.5:
        stop = min(start + _CHUNK, end)
        sound = as_float(samples[round(start * RATE) : round(stop * RATE)])
        mine, other = shares(sound, judge, own, options.separation)
        first = round(1024 / HOP)  # the frame of silence before
        for i in range(first, len(mine) - first, step):
            yield start + (i - first) * HOP / RATE, float(mine[i]), float(other[i])
        start = stop


def _voices(
    samples: NDArray[np.generic], transcript: Transcript, floors: Sequence[Floor], options: UnderOptions
) -> dict[Speaker, Spectra]:
    """What the judge and every seat sound like alone, where enough of them was heard."""
    sounds: dict[Speaker, list[Samples]] = {}
    length: dict[Speaker, float] = {}
    for who, span in _alone(transcript, options.sure):
        if length.get(who, 0.0) >= options.most:
            continue
        sounds.setdefault(who, []).append(
            as_float(samples[round(span.t0 * RATE / SECOND) : round(span.t1 * RATE / SECOND)])
        )
        length[who] = length.get(who, 0.0) + span.duration / SECOND
    wanted = {f.seat for f in floors} | {"judge"}
    return {
        who: learned(np.concatenate(many), options.separation)
        for who, many in sorted(sounds.items(), key=lambda kv: str(kv[0]))
        if who in wanted and length[who] >= options.least
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


def _told(place: Place, cues: Sequence[Cue]) -> bool:
    """Whether a phrase of the judge was understood there."""
    at = Span(micros(place.at - 0.3), micros(place.at + 0.3))
    return any(c.likelihood >= 0.5 and c.said_by("judge") >= 0.5 and c.span & at for c in cues)


def _windows(places: Sequence[Place], options: UnderOptions) -> list[tuple[Clip, int]]:
    """Stretches to hear, neighbours of one floor joined."""
    windows: list[tuple[Clip, int]] = []
    for place in places:
        start, end = max(0.0, place.at - options.reach), place.at + options.reach
        if windows and windows[-1][1] == place.seat and start < windows[-1][0].end:
            start = windows.pop()[0].start
        windows.append((Clip(start, end), place.seat))
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
