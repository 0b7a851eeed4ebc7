"""A voice that does not have the floor, found even when its words are lost.

Two thirds of real fouls are speech out of turn: the seat and the seconds matter more than the words. The
segmenter (overlaps.py) tells where somebody else speaks beside the holder of the floor; short windows of
those places tell who: what a window has beside the holder's voice is compared with what every other voice
of the table has beside it. The judge is among them, for what he calls into a speech is mostly a foul.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from mafiavar.analyzer.cue import Cue, CueKind, Speaker
from mafiavar.analyzer.span import SECOND, Micros, Span, micros
from mafiavar.analyzer.speech.overlaps import Activity, activity
from mafiavar.analyzer.speech.pieces import Pieces, as_float
from mafiavar.analyzer.speech.speakers import RATE, Floor, Voices
from mafiavar.analyzer.transcript import Sound, Word
from mafiavar.models.voices import FRAME, Segmenter, VoiceEmbedder

SEATS = range(1, 11)
JUDGE_TOLD: Micros = 300_000
"""Nothing is looked for this near to words that are the judge's: he is heard already."""


@dataclass(frozen=True, slots=True)
class InterjectionOptions:
    """Fitted on g4870, g4875, dev_excerpt and the written games 60100-60103 (docs/hearing.md).

    A place: `other` above `speaks` with gaps up to `gap` seconds, `least` in all (probability x seconds),
    `edge` seconds away from the ends of the floor. The judge needs likeness `judge` and to be the likeliest;
    `apart` seconds on both sides of what is his nobody else is looked for. A seat needs likeness `seat` and
    that both speak at once with probability `at_once`, for `together` in all (probability x seconds), and half
    of that probability and the likeness make `sure` together; it lasts no `longest` seconds.
    """

    speaks: float = 0.25
    gap: float = 0.1
    least: float = 0.08
    edge: float = 0.3
    judge: float = 0.30
    apart: float = 0.2
    seat: float = 0.15
    at_once: float = 0.40
    together: float = 0.20
    sure: float = 0.44
    longest: float = 4.0
    window: float = 0.6
    step: float = 0.2


_CLEAN = 12
"""Windows that make the holder's voice as it sounds in this floor."""
_FEWEST = 3
_ALIKE, _SHARPNESS = (0.70, 0.80), (15.0, 10.0)
"""How fast the posterior over seats falls with the likeness (cosine): by how near (cosine) the nearest other
voice of the table is in the mean. Fitted on two voices laid over each other (docs/hearing.md)."""
_LEAST_FLOOR = 2.0
_BELIEVED = 0.5
_BEFORE, _AFTER = 500_000, 3_000_000
"""A foul begins so soon after what it is given for (microseconds; both may overlap)."""
_CALLED = 20.0
"""How much likelier a foul makes its seat. Not fitted: every foul of the fitting recordings that was called
into a speech was given for the words right before it."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Windows of a place: their starts (seconds), and likeness by speaker, shape (windows, speakers)."""

    starts: NDArray[np.float64]
    likeness: NDArray[np.float32]

    def part(self, windows: Sequence[int]) -> _Place:
        return _Place(self.starts[windows], self.likeness[windows])


@dataclass(frozen=True, slots=True)
class _Rivals:
    """Who may have spoken beside the holder: those whose voice is known, what each has beside the holder's
    (shape (speakers, dimensions)), the seats whose voice is not known, and the posterior's sharpness."""

    speakers: tuple[Speaker, ...]
    rests: NDArray[np.float32]
    voiceless: tuple[int, ...]
    sharpness: float


def interjections(
    samples: Pieces,
    floors: Sequence[Floor],
    words: Sequence[Word],
    voices: Voices,
    *,
    embedder: VoiceEmbedder,
    segmenter: Segmenter,
    options: InterjectionOptions | None = None,
) -> tuple[Sound, ...]:
    """Interjections of seats and of the judge during the floors, with a posterior over who it was.

    `samples`: mono 16 kHz float or int16; `words` with their speakers.
    """
    options = options or InterjectionOptions()
    if len(voices.templates) < 2:
        return ()  # nobody to tell the holder from
    judged = [w.span.widened(JUDGE_TOLD) for w in words if w.best_speaker()[0] == "judge"]
    found: list[Sound] = []
    for floor in floors:
        if floor.seat not in voices.templates or floor.span.duration < _LEAST_FLOOR * SECOND:
            continue
        heard = activity(samples, floor.span, segmenter)
        places = _places(heard, [j for j in judged if j & floor.span], options)
        own = _own(samples, heard, floor, voices, embedder) if places else None
        if own is None:
            continue
        rivals = _rivals(voices, floor.seat, own)
        for start, end in places:
            place = _look(samples, (start, end), own, rivals.rests, embedder, options)
            found += _told(place, heard, rivals, options)
    return tuple(found)


def answered(sounds: Sequence[Sound], cues: Sequence[Cue]) -> tuple[Sound, ...]:
    """Interjections that the judge answered with a foul: mostly its seat's. The voice still has its say."""
    fouls = [c for c in cues if c.kind is CueKind.FOUL and c.likelihood >= _BELIEVED and c.numbers]
    return tuple(_addressed(s, fouls) if s.kind == "interjection" else s for s in sounds)


def _addressed(sound: Sound, fouls: Sequence[Cue]) -> Sound:
    foul = next((f for f in fouls if -_BEFORE <= f.span.t0 - sound.span.t1 <= _AFTER), None)
    if foul is None or "judge" in sound.speaker:
        return sound
    called = foul.numbers[0]
    weights = {
        who: p * (1 + _CALLED * called.get(who, 0.0) if isinstance(who, int) else 1)
        for who, p in sound.speaker.items()
    }
    total = sum(weights.values())
    return replace(sound, speaker={who: round(w / total, 4) for who, w in weights.items()})


def _places(
    heard: Activity, judged: Sequence[Span], options: InterjectionOptions
) -> list[tuple[float, float]]:
    """Where another voice is, seconds, outside what the judge is known to have said."""
    on = heard.other > options.speaks
    ends = heard.frames(heard.start + options.edge, heard.time(len(on)) - options.edge)
    on[: ends.start], on[ends.stop :] = False, False
    for span in judged:
        on[heard.frames(span.t0 / SECOND, span.t1 / SECOND)] = False
    frames = np.flatnonzero(on)
    if not len(frames):
        return []
    cuts = np.flatnonzero(np.diff(frames) * FRAME > options.gap) + 1
    parts = [(int(p[0]), int(p[-1]) + 1) for p in np.split(frames, cuts)]
    return [
        (heard.time(a), heard.time(b))
        for a, b in parts
        if float(heard.other[a:b].sum()) * FRAME >= options.least
    ]


def _own(
    samples: Pieces, heard: Activity, floor: Floor, voices: Voices, embedder: VoiceEmbedder
) -> NDArray[np.float32] | None:
    """The holder's voice in this floor; None when it is somebody else's: then the floor was misjudged."""
    length = InterjectionOptions().window
    end = heard.time(len(heard.other)) - length
    starts = np.arange(heard.start + 0.1, max(end, heard.start + 0.2), length)
    clean = [
        float(t)
        for t in starts
        if (f := heard.frames(t, t + length)).stop > f.start
        and heard.other[f].mean() < 0.1
        and heard.holder[f].mean() > 0.5
    ]
    if len(clean) < _FEWEST:
        return voices.templates[floor.seat]  # talked over all along: then as it sounds elsewhere
    chosen = [clean[i] for i in np.unique(np.linspace(0, len(clean) - 1, _CLEAN).astype(int))]
    own = embedder.embed([_piece(samples, t, length) for t in chosen]).mean(axis=0)
    own = own / max(float(np.linalg.norm(own)), 1e-9)
    nearest = max(voices.templates, key=lambda s: float(voices.templates[s] @ own))
    return np.asarray(own, np.float32) if nearest == floor.seat else None


def _rivals(voices: Voices, holder: int, own: NDArray[np.float32]) -> _Rivals:
    speakers = tuple(s for s in voices.templates if s != holder)
    rests = _beside(np.stack([voices.templates[s] for s in speakers]), own)
    voiceless = tuple(seat for seat in SEATS if seat != holder and seat not in voices.templates)
    return _Rivals(speakers, rests, voiceless, sharpness(voices))


def sharpness(voices: Voices) -> float:
    """The posterior's sharpness at this table: flat where the seats' voices are alike."""
    known = np.stack([v for s, v in voices.templates.items() if s != "judge"])
    if len(known) < 2:
        return _SHARPNESS[0]
    likeness = known @ known.T
    np.fill_diagonal(likeness, -1.0)
    return float(np.interp(likeness.max(axis=1).mean(), _ALIKE, _SHARPNESS))


def _beside(vectors: NDArray[np.float32], own: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the rows have beside a voice, of unit length."""
    rest = vectors - (vectors @ own)[:, None] * own
    return np.asarray(rest / np.maximum(np.linalg.norm(rest, axis=1, keepdims=True), 1e-9), np.float32)


def _look(
    samples: Pieces,
    place: tuple[float, float],
    own: NDArray[np.float32],
    rests: NDArray[np.float32],
    embedder: VoiceEmbedder,
    options: InterjectionOptions,
) -> _Place:
    start, end = place
    count = 1 + max(0, round((end - start - options.window + options.step) / options.step))
    first = max(0.0, round((start + end - options.window - (count - 1) * options.step) / 2, 1))
    starts = np.asarray(first + options.step * np.arange(count), np.float64)
    vectors = embedder.embed([_piece(samples, t, options.window) for t in starts])
    likeness = (vectors - (vectors @ own)[:, None] * own) @ rests.T
    return _Place(starts, np.asarray(likeness, np.float32))


def _told(place: _Place, heard: Activity, rivals: _Rivals, options: InterjectionOptions) -> Iterator[Sound]:
    """Who spoke over the holder in a place, as far as that can be told: the judge where he is the likeliest,
    and in every part that is left the likeliest seat."""
    best = place.likeness.max(axis=1)
    judge = [
        rivals.speakers[who] == "judge" and score >= options.judge
        for who, score in zip(place.likeness.argmax(axis=1), best, strict=True)
    ]
    for his, run in groupby(range(len(judge)), key=judge.__getitem__):
        windows = list(run)
        score = float(best[windows].max())
        start, end = float(place.starts[windows[0]]), float(place.starts[windows[-1]]) + options.window
        if his:
            likelihood = round(min(0.9, 0.5 + 2 * (score - options.judge)), 3)
            yield Sound("interjection", Span(micros(start), micros(end)), likelihood, {"judge": 1.0})
            continue
        left = [
            i
            for i in windows
            if not any(
                abs(place.starts[i] - place.starts[j]) < options.window + options.apart
                for j in range(len(judge))
                if judge[j]
            )
        ]
        if left:
            yield from _seat(place.part(left), heard, rivals, options)


def _seat(place: _Place, heard: Activity, rivals: _Rivals, options: InterjectionOptions) -> Iterator[Sound]:
    """The likeliest seat of a place, with a posterior over all of them."""
    start, end = float(place.starts[0]), float(place.starts[-1]) + options.window
    both = heard.both[heard.frames(start, end)]
    both = both[both > options.speaks]
    seats = [i for i, s in enumerate(rivals.speakers) if s != "judge"]
    scores = place.likeness[:, seats].max(axis=0)
    score, most = float(scores.max(initial=-1.0)), float(both.max(initial=0.0))
    if (
        score < options.seat
        or most < options.at_once
        or most / 2 + score < options.sure
        or float(both.sum()) * FRAME < options.together
        or end - start > options.longest
    ):
        return
    weights = np.exp(rivals.sharpness * (scores - score))
    # A seat whose voice is not known yet is as likely as the others are in the mean.
    others = dict.fromkeys(rivals.voiceless, float(weights.mean()))
    raised = {rivals.speakers[i]: float(w) for i, w in zip(seats, weights, strict=True)} | others
    posterior = {who: round(w / sum(raised.values()), 4) for who, w in raised.items()}
    likelihood = round(min(0.95, 0.3 + 0.5 * most + score), 3)
    yield Sound("interjection", Span(micros(start), micros(end)), likelihood, posterior)


def _piece(samples: Pieces, start: float, length: float) -> NDArray[np.float32]:
    piece = as_float(samples[round(start * RATE) : round((start + length) * RATE)])
    return np.pad(piece, (0, max(0, RATE // 8 - len(piece))))
