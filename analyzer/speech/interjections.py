"""A voice that does not have the floor, found by its likeness even when the words are lost.

Two thirds of real fouls are speech out of turn: the seat and the seconds matter more than the
words. Short windows of each floor are compared with the templates of the table; where another seat
is likelier than the holder for about a second, somebody has spoken over or between.

The judge is looked for more closely, for what he calls into a speech is mostly a foul: what a window has
beside the holder's voice (the mean of the floor) is compared with what the judge's voice has beside it,
so that he is found also where the holder goes on and is louder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mafiavar.analyzer.cue import Speaker
from mafiavar.analyzer.span import SECOND, Micros, Span, micros
from mafiavar.analyzer.speech.speakers import RATE, Floor, Voices, as_float
from mafiavar.analyzer.transcript import Sound, Word
from mafiavar.models.speech import Clip
from mafiavar.models.voices import VoiceEmbedder

_MARGIN = 0.07
"""By how much the other voice must be likelier (cosine, mean of `_RUN` windows); fitted on
dev_game so that it fires wrongly less than once in ten minutes."""
_UNUSUAL = 0.30
"""By how much that margin must exceed its median in the floor: where two templates are alike, or one was
made of too little, the other voice seems nearer all along."""
_CLEAR = 0.15
"""By how much the floor as a whole must be nearer to the holder than to the other; otherwise the floor
was misjudged. Both fitted on g4870, g4875, 20dB-60101 and 15dB-60102 (22 false ones became 6, 4 of the 5 that were
found are)."""
_RUN = 2
_LONGEST = 3.0
"""Longer than this the floor itself was misjudged: not an interjection."""
_LEAST_SHARE = 0.6
_JUDGE_FROM = 0.24
"""Likeness of the rest of a window to the rest of the judge's voice from which he is believed to have
spoken; fitted on g4870 and g4875: 5 of 6 fouls called into speeches, 4 false ones in 25 minutes."""
_LEAST_WINDOWS = 8
_JUDGE_TOLD: Micros = 300_000


@dataclass(frozen=True, slots=True)
class WindowOptions:
    """Windows of `length` seconds every `step` seconds, `edge` away from the ends of the floor."""

    length: float = 0.6
    step: float = 0.4
    edge: float = 0.2


def interjections(
    samples: NDArray[np.generic],
    floors: Sequence[Floor],
    voiced: Sequence[Clip],
    voices: Voices,
    *,
    embedder: VoiceEmbedder,
    options: WindowOptions | None = None,
) -> tuple[Sound, ...]:
    """Interjections of seats during the floors, with a posterior over who it was.

    `samples`: mono 16 kHz float or int16. `voiced`: where anybody speaks, seconds.
    """
    options = options or WindowOptions()
    seats = [s for s in voices.templates if s != "judge"]
    found: list[Sound] = []
    for floor in floors:
        if floor.seat not in voices.templates or len(seats) < 2:
            continue
        starts = _windows(floor, voiced, options)
        if not starts:
            continue
        vectors = embedder.embed([_piece(samples, t, options.length) for t in starts])
        speakers = list(voices.templates)
        likeness = vectors @ np.stack([voices.templates[s] for s in speakers]).T
        found += _runs(
            floor.seat, starts, likeness, speakers, _rivals(floor.seat, likeness, speakers), options
        )
        if "judge" in voices.templates and len(starts) >= _LEAST_WINDOWS:
            found += _judge(vectors, starts, voices.templates["judge"], options)
    return tuple(found)


def untold(sounds: Sequence[Sound], words: Sequence[Word]) -> tuple[Sound, ...]:
    """Without those in which the judge's own words stand in the transcript already."""
    judged = [w.span.widened(_JUDGE_TOLD) for w in words if w.best_speaker()[0] == "judge"]
    return tuple(
        s
        for s in sounds
        if max(s.speaker, key=lambda who: s.speaker[who], default=None) != "judge"
        or not any(s.span & j for j in judged)
    )


def _judge(
    vectors: NDArray[np.float32], starts: Sequence[float], judge: NDArray[np.float32], options: WindowOptions
) -> list[Sound]:
    """Where the judge speaks into a floor, whoever else does."""
    own = vectors.mean(axis=0)
    own /= max(float(np.linalg.norm(own)), 1e-9)
    rest = judge - float(judge @ own) * own
    rest /= max(float(np.linalg.norm(rest)), 1e-9)
    scores = (vectors - (vectors @ own)[:, None] * own) @ rest
    spans: list[tuple[float, float, float]] = []
    for start, score in zip(starts, scores, strict=True):
        if score <= _JUDGE_FROM:
            continue
        if spans and start <= spans[-1][1] + options.step:
            spans[-1] = (spans[-1][0], start + options.length, max(spans[-1][2], float(score)))
        else:
            spans.append((start, start + options.length, float(score)))
    return [
        Sound(
            "interjection",
            Span(micros(a), micros(b)),
            round(min(0.9, 0.5 + 2 * (score - _JUDGE_FROM)), 3),
            {"judge": 1.0},
        )
        for a, b, score in spans
    ]


def _windows(floor: Floor, voiced: Sequence[Clip], options: WindowOptions) -> list[float]:
    first = floor.span.t0 / SECOND + options.edge
    last = floor.span.t1 / SECOND - options.edge - options.length
    count = max(0, int((last - first) / options.step) + 1)
    return [
        t
        for t in (first + k * options.step for k in range(count))
        if _voice_share(t, options.length, voiced) >= _LEAST_SHARE
    ]


def _voice_share(start: float, length: float, voiced: Sequence[Clip]) -> float:
    inside = sum(max(0.0, min(c.end, start + length) - max(c.start, start)) for c in voiced)
    return inside / length


def _piece(samples: NDArray[np.generic], start: float, length: float) -> NDArray[np.float32]:
    return as_float(samples[round(start * RATE) : round((start + length) * RATE)])


def _runs(
    holder: int,
    starts: Sequence[float],
    likeness: NDArray[np.float32],
    speakers: Sequence[Speaker],
    rivals: Sequence[float | None],
    options: WindowOptions,
) -> list[Sound]:
    """Runs of windows in which one other seat is likelier than the holder and than the judge. `rivals`:
    the margin every speaker needs, None for those who cannot be told from the holder here."""
    own = speakers.index(holder)
    spans: list[tuple[float, float, list[NDArray[np.float32]]]] = []
    for i in range(len(starts) - _RUN + 1):
        if starts[i + _RUN - 1] - starts[i] > options.step * (_RUN - 1) + 0.01:
            continue
        mean = np.asarray(likeness[i : i + _RUN].mean(axis=0), np.float32)
        best = int(np.argmax(mean))
        needed = rivals[best]
        if best == own or speakers[best] == "judge" or needed is None or mean[best] - mean[own] <= needed:
            continue
        end = starts[i + _RUN - 1] + options.length
        if spans and starts[i] <= spans[-1][1] + options.step:
            spans[-1] = (spans[-1][0], end, [*spans[-1][2], mean])
        else:
            spans.append((starts[i], end, [mean]))
    return [_sound(a, b, np.mean(means, axis=0), own, speakers) for a, b, means in spans if b - a <= _LONGEST]


def _rivals(holder: int, likeness: NDArray[np.float32], speakers: Sequence[Speaker]) -> list[float | None]:
    """The margin over the holder that each speaker needs in this floor."""
    margins = likeness - likeness[:, [speakers.index(holder)]]
    usual = np.median(margins, axis=0)
    return [
        None if float(np.mean(margins[:, i])) > -_CLEAR else max(_MARGIN, float(usual[i]) + _UNUSUAL)
        for i in range(len(speakers))
    ]


def _sound(
    start: float, end: float, mean: NDArray[np.float32], own: int, speakers: Sequence[Speaker]
) -> Sound:
    others = [i for i, s in enumerate(speakers) if i != own and s != "judge"]
    weights = np.exp(20.0 * (mean[others] - mean[others].max()))
    posterior = {
        speakers[i]: round(float(w), 4) for i, w in zip(others, weights / weights.sum(), strict=True)
    }
    margin = float(mean[others].max() - mean[own])
    return Sound(
        "interjection", Span(micros(start), micros(end)), round(min(0.9, 0.5 + margin), 3), posterior
    )
