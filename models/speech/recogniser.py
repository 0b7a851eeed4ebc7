"""What a recogniser is: stretches of 16 kHz mono sound in, words with times and probabilities out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE = 16_000
"""Samples per second that every model of this room expects."""

MAX_PACK = 30.0
"""Seconds a recogniser hears at once."""

GAP = 0.3
"""Silence laid between the clips of a pack, seconds."""

Samples = NDArray[np.float32]
"""Mono sound, shape (n,), values in -1..1, 16 kHz."""


@dataclass(frozen=True, slots=True, order=True)
class Clip:
    """A stretch of sound in seconds from the first sample; `start < end`."""

    start: float
    end: float

    def __post_init__(self) -> None:
        if not self.start < self.end:
            raise ValueError(f"a clip must have a length: {self.start} .. {self.end}")

    @property
    def duration(self) -> float:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Pack:
    """Clips decoded together, one after the other with `GAP` of silence between.

    A recogniser hears half a minute at a time whatever it is given; short commands heard together
    cost a tenth of what they cost alone, and are understood better beside each other.
    """

    clips: tuple[Clip, ...]

    def __post_init__(self) -> None:
        if not self.clips:
            raise ValueError("a pack holds at least one clip")
        if self.duration > MAX_PACK:
            raise ValueError(f"a pack may last {MAX_PACK:.0f} s at most, not {self.duration:.1f}")

    @property
    def duration(self) -> float:
        return sum(clip.duration for clip in self.clips) + GAP * len(self.clips)

    def sound(self, samples: Samples) -> Samples:
        """The clips of `samples` joined; shape (about duration * SAMPLE_RATE,)."""
        silence = np.zeros(round(GAP * SAMPLE_RATE), np.float32)
        parts: list[Samples] = []
        for clip in self.clips:
            part = samples[round(clip.start * SAMPLE_RATE) : round(clip.end * SAMPLE_RATE)]
            parts += [np.asarray(part, dtype=np.float32), silence]
        return np.concatenate(parts)

    def original(self, start: float, end: float) -> tuple[float, float]:
        """Times inside the joined sound -> times of the recording.

        A word lies in the clip that holds its middle, one in the silence between two clips at the
        start of the later; what sticks out is cut off.
        """
        begins = [0.0, *accumulate(clip.duration + GAP for clip in self.clips)]
        i = min(bisect_right(begins, (start + end) / 2) - 1, len(self.clips) - 1)
        if start - begins[i] >= self.clips[i].duration - 0.02 and i + 1 < len(self.clips):
            i += 1
        clip, offset = self.clips[i], begins[i]
        inside = [min(max(t - offset, 0.0), clip.duration) + clip.start for t in (start, end)]
        return inside[0], max(inside)


def pack(clips: Sequence[Clip], longest: float = 28.0) -> tuple[Pack, ...]:
    """Neighbouring clips together, up to `longest` seconds each pack, order kept."""
    packs: list[Pack] = []
    group: list[Clip] = []
    for clip in clips:
        if group and Pack((*group,)).duration + clip.duration + GAP > longest:
            packs.append(Pack(tuple(group)))
            group = []
        group.append(clip)
    if group:
        packs.append(Pack(tuple(group)))
    return tuple(packs)


@dataclass(frozen=True, slots=True)
class HeardWord:
    """One word as written by the model (with its punctuation); seconds from the first sample."""

    text: str
    start: float
    end: float
    probability: float


@dataclass(frozen=True, slots=True)
class Heard:
    """What was heard in one pack.

    `mean_logprob` is the mean log-probability per token (0 is certain, below -1 a guess);
    `no_speech` the model's own probability that nobody spoke. `spared`: this hearing was not asked for,
    the first one was sure enough; it has no words.
    """

    pack: Pack
    words: tuple[HeardWord, ...]
    mean_logprob: float
    no_speech: float
    spared: bool = False

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Prompt:
    """How to listen. `text`, in the style of what is expected, helps and also tempts: words of it
    may be copied into the result. `beam`: hypotheses kept while decoding."""

    text: str = ""
    beam: int = 5


Doubt = Callable[[Heard], bool]
"""Whether a pack ought to be heard once more."""


class Recogniser(Protocol):
    """Turns packs of sound into words. Deterministic: same input, same words."""

    @property
    def name(self) -> str:
        """Model and settings; part of a stage's key, so it changes whenever the output may."""
        ...

    def recognise(
        self,
        samples: Samples,
        packs: Sequence[Pack],
        prompts: Sequence[Prompt] = (Prompt(),),
        again: Doubt | None = None,
    ) -> tuple[tuple[Heard, ...], ...]:
        """For every prompt one result per pack, in the order of `packs`.

        Several prompts at once cost less than several calls: the sound is encoded once. With `again` the
        prompts after the first are spared where it does not doubt the first one's result.
        """
        ...
