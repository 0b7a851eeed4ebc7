"""Two voices at once: how surely somebody beside the holder of the floor speaks, frame by frame.

The segmenter numbers speakers anew in every chunk of five seconds. Within a floor that needs no stitching
together: who speaks most in a chunk's share of the floor is its holder, everybody else is another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mafiavar.analyzer.span import SECOND, Span
from mafiavar.analyzer.speech.pieces import Pieces, as_float
from mafiavar.analyzer.speech.speakers import RATE
from mafiavar.models.voices import CHUNK, FIRST, FRAME, Segmenter

_STEP = CHUNK // 4
"""Samples between chunks: every frame is judged four times, where nobody else seems to speak twice."""
_HINT = 0.2
"""Probability of another voice anywhere in a chunk from which on those between are looked at too. Fitted: from
.1 to .3 nothing that was told of the fitting recordings changed (docs/hearing.md)."""
_LEAST = 1.0
"""Seconds of the floor a chunk must hold for its loudest speaker to be taken for the holder."""

Track = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Activity:
    """Probabilities by frame from `start` (seconds) on: that the holder speaks, that another does, and
    that both do at once. Shape (frames,) each."""

    start: float
    holder: Track
    other: Track
    both: Track

    def time(self, frame: int) -> float:
        """Seconds of the frame's beginning."""
        return self.start + frame * FRAME

    def frames(self, start: float, end: float) -> slice:
        """The frames between two times, seconds."""
        a, b = (min(max(round((t - self.start) / FRAME), 0), len(self.other)) for t in (start, end))
        return slice(a, max(a, b))


def activity(samples: Pieces, span: Span, segmenter: Segmenter) -> Activity:
    """Who speaks in a floor. `samples`: mono 16 kHz, float or int16, the sound of the whole recording."""
    start, end = span.t0 / SECOND, min(span.t1 / SECOND, len(samples) / RATE)
    count = max(0, int((end - start) / FRAME))
    holder, other, both, seen = (np.zeros(count) for _ in range(4))
    chunks = _chunks(len(samples), start, end)

    def look(at_chunks: Sequence[int]) -> list[float]:
        """Adds what is seen in these chunks; how surely another voice is in each."""
        told = segmenter.segment([_piece(samples, chunks[i]) for i in at_chunks])
        others = []
        for i, speakers in zip(at_chunks, told, strict=True):
            at = np.round((chunks[i] / RATE + FIRST - start) / FRAME + np.arange(len(speakers))).astype(int)
            inside = (at >= 0) & (at < count)
            if inside.sum() * FRAME < _LEAST:
                others.append(0.0)
                continue
            at, heard = at[inside], speakers[inside].astype(np.float64)
            most = int(heard.sum(axis=0).argmax())
            rest = np.delete(heard, most, axis=1).max(axis=1)
            holder[at] += heard[:, most]
            other[at] += rest
            both[at] += np.minimum(heard[:, most], rest)
            seen[at] += 1
            others.append(float(rest.max()))
        return others

    hints = look(range(0, len(chunks), 2))
    if between := [i for i in range(1, len(chunks), 2) if max(hints[i // 2 : i // 2 + 2]) > _HINT]:
        look(between)
    seen = np.maximum(seen, 1)
    return Activity(start, holder / seen, other / seen, both / seen)


def _chunks(length: int, start: float, end: float) -> list[int]:
    """First samples of the chunks that see at least `_LEAST` seconds of the floor."""
    reach = CHUNK - round(_LEAST * RATE)
    first = max(0, round(start * RATE) - reach)
    last = max(first, round(end * RATE) - round(_LEAST * RATE))
    return [c for c in range(first, last + 1, _STEP) if c < length]


def _piece(samples: Pieces, start: int) -> NDArray[np.float32]:
    piece = as_float(samples[start : start + CHUNK])
    return np.pad(piece, (0, CHUNK - len(piece)))
