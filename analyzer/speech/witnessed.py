"""Who spoke, weighed again by a witness that is asked only where the voices leave it open.

The posterior over speakers is a product (`speakers.posterior`), so that a witness who comes later can be
multiplied in without embedding a single voice again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mafiavar.analyzer.cue import Cue, CueKind, Speaker
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.speech.speakers import Witness
from mafiavar.analyzer.transcript import Sound, Transcript, Word

MOST = 150
"""So many moments of a recording are asked about; the most doubtful."""
LONGEST: Micros = 6 * SECOND
_SURE = 0.95
_LEAST: Micros = 280_000
_PAUSE: Micros = 600_000
_FAINT = 0.005
_LIKELY = 0.5


def doubtful(transcript: Transcript, cues: Sequence[Cue]) -> tuple[Span, ...]:
    """The moments in which it is open who spoke, by day, in order of time: stretches of one voice, and
    sounds of somebody who broke in."""
    nights = _nights(cues)
    open_: list[tuple[float, Span]] = []
    for words in _stretches(transcript.words):
        sure = max(words[0].speaker.values(), default=1.0)
        if sure < _SURE:
            open_.append((sure, _asked(words[0].span | words[-1].span)))
    for sound in transcript.sounds:
        if _of_a_seat(sound):
            open_.append((sound.likelihood, _asked(sound.span)))
    chosen = sorted(
        (x for x in open_ if x[1].duration >= _LEAST and not any(x[1] & n for n in nights)),
        key=lambda x: (x[0], x[1]),
    )[:MOST]
    return tuple(sorted({span for _, span in chosen}))


def weighed(transcript: Transcript, witness: Witness) -> Transcript:
    """The transcript with what the witness says of its doubtful moments. Where he says nothing it stays."""
    told: dict[int, Mapping[Speaker, float]] = {}
    i = 0
    for words in _stretches(transcript.words):
        said = witness.likelihoods(_asked(words[0].span | words[-1].span)) if words[0].speaker else {}
        for _ in words:
            if said:
                told[i] = said
            i += 1
    i = 0
    utterances = []
    for utterance in transcript.utterances:
        words_now = []
        for word in utterance.words:
            words_now.append(replace(word, speaker=_times(word.speaker, told[i])) if i in told else word)
            i += 1
        utterances.append(replace(utterance, words=tuple(words_now)))
    sounds = tuple(_sound(s, witness) for s in transcript.sounds)
    return replace(transcript, utterances=tuple(utterances), sounds=sounds)


def _sound(sound: Sound, witness: Witness) -> Sound:
    """Somebody who broke in: who it was, and whether anybody did at all."""
    said = witness.likelihoods(_asked(sound.span)) if _of_a_seat(sound) else {}
    if not said:
        return sound
    rise = sum(p * said.get(who, 1.0) for who, p in sound.speaker.items())
    rise += max(0.0, 1 - sum(sound.speaker.values()))
    p = sound.likelihood
    likely = p * rise / (p * rise + 1 - p)
    return replace(sound, likelihood=round(likely, 3), speaker=_times(sound.speaker, said))


def _of_a_seat(sound: Sound) -> bool:
    return sound.kind == "interjection" and any(isinstance(who, int) for who in sound.speaker)


def _times(before: Mapping[Speaker, float], said: Mapping[Speaker, float]) -> dict[Speaker, float]:
    weights = {who: p * said.get(who, 1.0) for who, p in before.items()}
    total = sum(weights.values())
    return {who: round(w / total, 4) for who, w in weights.items() if w / total >= _FAINT}


def _stretches(words: Sequence[Word]) -> list[list[Word]]:
    """Neighbouring words that were told apart together: they share one posterior, and no pause parts them."""
    out: list[list[Word]] = []
    for word in words:
        near = out and word.span.t0 - out[-1][-1].span.t1 <= _PAUSE
        if near and word.speaker == out[-1][-1].speaker:
            out[-1].append(word)
        else:
            out.append([word])
    return out


def _asked(span: Span) -> Span:
    """The middle of a long one: who speaks for ten seconds is seen speaking in six."""
    half = min(span.duration, LONGEST) // 2
    return Span(span.middle - half, span.middle + half)


def _nights(cues: Sequence[Cue]) -> list[Span]:
    """From the words that announce a night to those of the morning: heads are bowed then."""
    out: list[Span] = []
    begun: Micros | None = None
    for cue in sorted(cues, key=lambda c: c.span):
        if cue.likelihood < _LIKELY:
            continue
        if cue.kind is CueKind.NIGHT:
            begun = cue.span.t0 if begun is None else begun
        elif cue.kind in (CueKind.DAY, CueKind.FLOOR) and begun is not None:
            out.append(Span(begun, max(begun, cue.span.t1)))
            begun = None
    if begun is not None:
        out.append(Span(begun, begun + 3600 * SECOND))
    return out
