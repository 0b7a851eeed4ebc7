"""Who spoke: the judge by the set phrases, the seats by their own minutes, everybody else by likeness.

Nobody is enrolled beforehand. The judge's voice is the mean of what only judges say; a seat's voice
the mean of what was said while that seat had the floor. Every stretch of words then gets a
posterior: likeness of voices times turn order (and what other witnesses say, such as moving
mouths). Templates live as long as the call; they are never written anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mafiavar.analyzer.cue import Cue, CueKind, Speaker
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.speech.pieces import Pieces, as_float
from mafiavar.analyzer.transcript import Transcript, Utterance, Word
from mafiavar.models.voices import VoiceEmbedder

RATE = 16_000
UNIT_GAP: Micros = 220_000
_BEFORE, _AFTER = 40_000, 90_000
_SHORTEST: Micros = 180_000
_ENROL: Micros = 700_000
_TOGETHER = 256
"""Units whose sound is held at once: of hours of talk it would be a gigabyte."""
_STRAY = 0.35

# Cosine of a stretch to the right voice and to another one, by the length of the stretch in
# seconds: means measured on the fitting game (15 dB with murmur; docs/hearing.md), one deviation.
_LENGTHS = (0.4, 0.8, 1.5, 2.5)
_SAME = (0.47, 0.65, 0.745, 0.85)
_OTHER = (0.23, 0.31, 0.345, 0.40)
_DEVIATION = 0.11

_JUDGE_SAYS = frozenset(
    {
        CueKind.NIGHT, CueKind.DAY, CueKind.NEGOTIATION, CueKind.NEGOTIATION_END, CueKind.FREE_SEATING,
        CueKind.FLOOR, CueKind.VOTE_OPEN, CueKind.HANDS_DOWN, CueKind.VOTE_CALL, CueKind.VOTE_STOP,
        CueKind.VOTE_COUNT, CueKind.VOTE_REMAINDER, CueKind.LEAVES, CueKind.SHOOTING, CueKind.SHOOTING_END,
        CueKind.SHOOTING_NUMBER, CueKind.DON_WAKES, CueKind.DON_SLEEPS, CueKind.SHERIFF_WAKES,
        CueKind.SHERIFF_SLEEPS, CueKind.DON_SHOWS, CueKind.SHERIFF_SHOWS, CueKind.KILLED, CueKind.MISS,
        CueKind.ACCEPTED, CueKind.REFUSED, CueKind.FOUL, CueKind.TECHNICAL, CueKind.REMOVAL,
        CueKind.TIE, CueKind.REVOTE, CueKind.LIFT_CALL, CueKind.GAME_END, CueKind.PROTOCOL_RIGHT,
        CueKind.TIME_WARNING,
    }
)  # fmt: skip
_ENDS_FLOOR = frozenset(
    {CueKind.FLOOR, CueKind.VOTE_OPEN, CueKind.NIGHT, CueKind.LEAVES, CueKind.KILLED, CueKind.DAY,
     CueKind.GAME_END, CueKind.REVOTE, CueKind.VOTE_CALL}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Floor:
    """A seat had the floor: from the end of the judge's words to the end of its own."""

    seat: int
    span: Span


class Witness(Protocol):
    """Somebody else who may know who spoke: mouths that moved, a microphone of one's own."""

    def likelihoods(self, span: Span) -> Mapping[Speaker, float]:
        """How much likelier (a factor, 1 for no opinion) each speaker is in `span`; may be empty."""
        ...


@dataclass(frozen=True, slots=True)
class Voices:
    """Templates of one recording; shape (dimensions,) each, unit length."""

    templates: Mapping[Speaker, NDArray[np.float32]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Unit:
    """Words said in one breath, and their place in `Transcript.words`."""

    first: int
    last: int
    span: Span

    @property
    def length(self) -> float:
        return self.span.duration / SECOND


def floors_of(cues: Sequence[Cue], end: Micros) -> tuple[Floor, ...]:
    """Who had the floor when, as far as the cues tell; `end` closes the last one."""
    given = [c for c in cues if c.kind is CueKind.FLOOR and c.likelihood >= 0.5 and c.number()]
    stops = sorted(
        (c.span.t0 if c.kind is not CueKind.FLOOR_END else c.span.t1)
        for c in cues
        if c.likelihood >= 0.5 and (c.kind in _ENDS_FLOOR or c.kind is CueKind.FLOOR_END)
    )
    floors = []
    for cue in given:
        start = cue.span.t1
        stop = next((t for t in stops if t > start + SECOND), end)
        floors.append(Floor(cue.number() or 0, Span(start, max(stop, start))))
    return tuple(floors)


def attribute(
    samples: Pieces,
    transcript: Transcript,
    cues: Sequence[Cue],
    *,
    embedder: VoiceEmbedder,
    floors: Sequence[Floor] | None = None,
    witness: Witness | None = None,
) -> tuple[Transcript, Voices]:
    """The transcript with a posterior over speakers at every word, and the templates used.

    `samples`: mono 16 kHz (float or int16), the sound of the whole transcript. `floors`: from the timeline when there
    is one, else from the cues.
    """
    words = transcript.words
    units = _units(words)
    if not units:
        return transcript, Voices()
    end = max(w.span.t1 for w in words)
    held = tuple(floors) if floors is not None else floors_of(cues, end)
    vectors = np.concatenate(
        [
            embedder.embed([_sound(samples, unit) for unit in units[i : i + _TOGETHER]])
            for i in range(0, len(units), _TOGETHER)
        ]
    )
    judged = [_judge_words(unit, cues) for unit in units]
    voices = _enrol(units, vectors, judged, held)
    posteriors = [
        posterior(vector, unit.length, voices, _prior(unit, judge, held, cues), _asked(witness, unit.span))
        for unit, vector, judge in zip(units, vectors, judged, strict=True)
    ]
    return _told(transcript, units, posteriors), voices


def _units(words: Sequence[Word]) -> list[_Unit]:
    """Stretches between pauses and full stops: short, because speakers change without a pause."""
    starts = [0] + [
        i + 1
        for i, (a, b) in enumerate(pairwise(words))
        if b.span.t0 - a.span.t1 >= UNIT_GAP or a.text[-1:] in ".!?"
    ]
    ends = [s - 1 for s in starts[1:]] + [len(words) - 1]
    return [_Unit(a, b, words[a].span | words[b].span) for a, b in zip(starts, ends, strict=True) if words]


def _sound(samples: Pieces, unit: _Unit) -> NDArray[np.float32]:
    """The unit's sound with a little before and after; never shorter than the embedder needs."""
    span = unit.span.widened(_BEFORE, _AFTER)
    middle = unit.span.middle
    half = max(span.duration // 2, _SHORTEST)
    a = max(0, round((middle - half) * RATE / SECOND))
    b = round((middle + half) * RATE / SECOND)
    piece = as_float(samples[a:b])
    return np.pad(piece, (0, max(0, RATE // 8 - len(piece))))


def _judge_words(unit: _Unit, cues: Sequence[Cue]) -> float:
    """The best likelihood of a judge's phrase that fills the unit (or nearly)."""
    return max(
        (
            c.likelihood
            for c in cues
            if c.kind in _JUDGE_SAYS
            and (both := c.span & unit.span)
            and both.duration * 3 >= 2 * unit.span.duration
        ),
        default=0.0,
    )


def _enrol(
    units: Sequence[_Unit],
    vectors: NDArray[np.float32],
    judged: Sequence[float],
    floors: Sequence[Floor],
) -> Voices:
    """Templates, made twice: the second time without the strays of the first."""
    samples: dict[Speaker, list[tuple[float, int]]] = {}
    for i, unit in enumerate(units):
        holder = holder_of(unit.span, floors)
        if judged[i] >= 0.7:
            samples.setdefault("judge", []).append((unit.length, i))
        elif holder is not None and unit.span.duration >= _ENROL:
            samples.setdefault(holder, []).append((unit.length, i))
    templates: dict[Speaker, NDArray[np.float32]] = {}
    for speaker, many in samples.items():
        weights = np.array([min(w, 3.0) for w, _ in many])
        mine = vectors[[i for _, i in many]]
        centre = _centre(mine, weights)
        near = mine @ centre >= _STRAY
        if near.any():
            centre = _centre(mine[near], weights[near])
        templates[speaker] = centre
    return Voices(templates)


def _centre(vectors: NDArray[np.float32], weights: NDArray[np.float64]) -> NDArray[np.float32]:
    mean = weights @ vectors
    return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-9), dtype=np.float32)


def holder_of(span: Span, floors: Sequence[Floor]) -> int | None:
    """The seat that has the floor in the middle of `span`."""
    return next((f.seat for f in floors if span.middle in f.span), None)


def posterior(
    vector: NDArray[np.float32],
    length: float,
    voices: Voices,
    prior: Mapping[Speaker, float],
    witnessed: Mapping[Speaker, float],
) -> dict[Speaker, float]:
    """Likeness times prior, normalised. "unknown" stands for a voice without a template."""
    same = float(np.interp(length, _LENGTHS, _SAME))
    other = float(np.interp(length, _LENGTHS, _OTHER))
    slope = (same - other) / _DEVIATION**2
    weights: dict[Speaker, float] = {}
    for speaker, p in prior.items():
        template = voices.templates.get(speaker)
        likeness = 0.0 if template is None else slope * (float(vector @ template) - (same + other) / 2)
        factor = witnessed.get(speaker, 1.0)
        weights[speaker] = math.log(max(p * factor, 1e-9)) + min(max(likeness, -12.0), 12.0)
    top = max(weights.values())
    raised = {s: math.exp(w - top) for s, w in weights.items()}
    total = sum(raised.values())
    return {s: round(r / total, 4) for s, r in raised.items() if r / total >= 0.005}


def _prior(unit: _Unit, judge: float, floors: Sequence[Floor], cues: Sequence[Cue]) -> dict[Speaker, float]:
    """Turn order: whoever has the floor, then the judge, then anybody."""
    holder = holder_of(unit.span, floors)
    base: dict[Speaker, float] = dict.fromkeys(range(1, 11), 0.012)
    base["judge"] = 0.12 if holder is not None else 0.75
    base["unknown"] = 0.02
    if holder is not None:
        base[holder] = 0.70
    if judge >= 0.5:
        base["judge"] *= 4
    elif holder is not None and _ends_floor(unit, cues):
        base[holder] *= 2
    return base


def _ends_floor(unit: _Unit, cues: Sequence[Cue]) -> bool:
    return any(
        c.kind in (CueKind.FLOOR_END, CueKind.NOMINATION)
        and c.detail.get("by") not in ("judge", "time")
        and (c.span & unit.span)
        for c in cues
    )


def _asked(witness: Witness | None, span: Span) -> Mapping[Speaker, float]:
    return witness.likelihoods(span) if witness else {}


def _told(
    transcript: Transcript, units: Sequence[_Unit], posteriors: Sequence[Mapping[Speaker, float]]
) -> Transcript:
    """The same transcript with the posteriors at the words (variants keep their own words)."""
    by_word = {
        i: posterior
        for unit, posterior in zip(units, posteriors, strict=True)
        for i in range(unit.first, unit.last + 1)
    }
    utterances: list[Utterance] = []
    i = 0
    for utterance in transcript.utterances:
        words = []
        for word in utterance.words:
            words.append(Word(word.text, word.span, word.probability, by_word.get(i, {})))
            i += 1
        utterances.append(Utterance(tuple(words)))
    return replace(transcript, utterances=tuple(utterances))
