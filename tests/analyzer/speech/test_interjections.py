"""Voices inside a speech: found by the segmenter, named by what they add to the holder's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from mafiavar.analyzer.cue import Cue, CueKind, Speaker
from mafiavar.analyzer.span import SECOND, Span
from mafiavar.analyzer.speech.interjections import answered, interjections, sharpness
from mafiavar.analyzer.speech.overlaps import activity
from mafiavar.analyzer.speech.speakers import Floor, Voices
from mafiavar.analyzer.transcript import Sound, Word
from mafiavar.models.speech import SAMPLE_RATE, Samples
from mafiavar.models.voices import CHUNK, FIRST, FRAME, LOCAL_SPEAKERS

# A made sound: every sample is a sum of speakers' codes, 1 for the holder and 2, 4, 8 for the others.
_HOLDER, _CODES = 1, {2: "judge", 4: 5, 8: 6}
_AXES: dict[Speaker, int] = {4: 0, "judge": 1, 5: 2, 6: 3}
_TEMPLATES = {s: np.eye(192, dtype=np.float32)[i] for s, i in _AXES.items()}


def _codes(sound: Samples) -> set[int]:
    return {c for c in (1, 2, 4, 8) if np.any(sound.astype(int) & c)}


class MadeVoices:
    name = "made"

    def embed(self, sounds: Sequence[Samples]) -> NDArray[np.float32]:
        """The sum of the voices in the sound, those beside the holder's by their share of its time."""
        rows = []
        for sound in sounds:
            row = np.array(_TEMPLATES[4])
            for code, who in _CODES.items():
                row = row + 0.8 * np.mean(sound.astype(int) & code > 0) * _TEMPLATES[who]
            rows.append(row / np.linalg.norm(row))
        return np.stack(rows).astype(np.float32)


class MadeSegmenter:
    """Local numbers in the order in which voices first sound in the chunk, so that they change with it."""

    name = "made"

    def segment(self, chunks: Sequence[Samples]) -> NDArray[np.float32]:
        out = []
        for chunk in chunks:
            at = np.arange(int((len(chunk) / SAMPLE_RATE - 2 * FIRST) / FRAME) + 1) * FRAME + FIRST
            heard = chunk[(at * SAMPLE_RATE).astype(int)].astype(int)
            order = sorted(_codes(chunk), key=lambda c: int(np.argmax(chunk.astype(int) & c > 0)))
            frames = np.zeros((len(at), LOCAL_SPEAKERS), np.float32)
            for local, code in enumerate(order[:LOCAL_SPEAKERS]):
                frames[:, local] = (heard & code) > 0
            out.append(frames)
        return np.stack(out)


def speech(*others: tuple[int, float, float], alone: bool = False) -> Samples:
    """A speech of seat 4 from 6 to 26 s; `others`: code, start, end; `alone`: the holder stops for them."""
    sound = np.zeros(30 * SAMPLE_RATE, np.float32)
    sound[6 * SAMPLE_RATE : 26 * SAMPLE_RATE] = _HOLDER
    for code, start, end in others:
        part = slice(round(start * SAMPLE_RATE), round(end * SAMPLE_RATE))
        sound[part] = code if alone else sound[part] + code
    return sound


def found(sound: Samples, words: Sequence[Word] = (), seat: int = 4) -> tuple[Sound, ...]:
    return interjections(
        sound,
        (Floor(seat, Span.of(6, 26)),),
        words,
        Voices(_TEMPLATES),
        embedder=MadeVoices(),
        segmenter=MadeSegmenter(),
    )


def best(sound: Sound) -> Speaker:
    return max(sound.speaker, key=lambda s: sound.speaker[s])


def test_nobody_breaks_in() -> None:
    assert found(speech()) == ()


@pytest.mark.parametrize(("code", "who"), [(4, 5), (8, 6), (2, "judge")])
@pytest.mark.parametrize("start", [7.0, 15.3, 24.0])
def test_a_voice_over_the_holders_is_found_and_named(code: int, who: Speaker, start: float) -> None:
    (one,) = found(speech((code, start, start + 0.9)))
    assert best(one) == who and one.span.middle in Span.of(start, start + 0.9)
    assert one.span.duration < 2 * SECOND


def test_a_seat_whose_voice_is_unknown_is_as_likely_as_the_others_in_the_mean() -> None:
    (one,) = found(speech((8, 15.0, 15.9)))
    assert set(one.speaker) == {1, 2, 3, 5, 6, 7, 8, 9, 10}
    mean = (one.speaker[5] + one.speaker[6]) / 2
    assert one.speaker[9] == pytest.approx(mean, abs=1e-3)
    assert sum(one.speaker.values()) == pytest.approx(1.0, abs=1e-3)


def test_the_posterior_is_flat_where_voices_are_alike() -> None:
    def table(likeness: float) -> Voices:
        """Seats whose voices have this cosine to each other; the judge's is nobody's."""
        rows = np.eye(192)[:10] * np.sqrt(1 - likeness) + np.eye(192)[11] * np.sqrt(likeness)
        seats: dict[Speaker, NDArray[np.float32]] = {i + 1: r.astype(np.float32) for i, r in enumerate(rows)}
        return Voices(seats | {"judge": np.eye(192, dtype=np.float32)[12]})

    steps = [sharpness(table(c)) for c in (0.3, 0.7, 0.75, 0.8, 0.95)]
    assert steps == pytest.approx([15.0, 15.0, 12.5, 10.0, 10.0], abs=0.01)
    assert sharpness(Voices({4: np.eye(192, dtype=np.float32)[0]})) == 15.0


def test_nobody_is_told_where_only_one_voice_is_known() -> None:
    sound, floor = speech((8, 15.0, 15.9)), Floor(4, Span.of(6, 26))
    voices = Voices({4: _TEMPLATES[4]})
    assert interjections(sound, [floor], (), voices, embedder=MadeVoices(), segmenter=MadeSegmenter()) == ()


def test_the_judges_answer_is_parted_from_what_it_answers() -> None:
    told = found(speech((8, 12.0, 12.8), (2, 12.9, 14.4)))
    assert [best(t) for t in told] == [6, "judge"]


def test_what_the_judge_is_known_to_have_said_is_not_told_again() -> None:
    said = Word("фол", Span.of(12.0, 12.8), 0.9, {"judge": 0.95})
    assert found(speech((2, 12.0, 12.8)), [said]) == ()
    assert [best(t) for t in found(speech((2, 12.0, 12.8), (8, 18.0, 18.8)), [said])] == [6]


def test_a_seat_alone_in_a_pause_is_left_to_its_words() -> None:
    """Where the holder is silent the recogniser hears the other: who it was is told at the words."""
    assert found(speech((8, 12.0, 12.8), alone=True)) == ()


def test_a_floor_that_is_not_its_holders_tells_nothing() -> None:
    assert found(speech((8, 12.0, 12.8)), seat=5) == ()


def test_activity_follows_the_holder_through_changing_local_numbers() -> None:
    heard = activity(speech((8, 12.0, 13.0)), Span.of(6, 26), MadeSegmenter())
    inside = heard.frames(12.1, 12.9)
    assert heard.both[inside].min() == heard.other[inside].min() == 1.0
    assert heard.holder[5:-5].min() == 1.0
    assert heard.other[heard.frames(7, 11.9)].max() == heard.other[heard.frames(13.1, 25)].max() == 0.0


def test_a_floor_that_ends_with_the_recording() -> None:
    sound = speech((8, 12.0, 12.8))[: 14 * SAMPLE_RATE]
    assert len(sound) % CHUNK and [best(t) for t in found(sound)] == [6]


def test_a_foul_tells_for_whom_it_was_unless_the_voice_is_clear() -> None:
    def told(*cues: Cue, **speaker: float) -> Speaker:
        posterior: dict[Speaker, float] = {int(k[1:]): p for k, p in speaker.items()}
        return best(answered((Sound("interjection", Span.of(12, 13), 0.9, posterior),), cues)[0])

    foul = Cue(CueKind.FOUL, Span.of(13.5, 14.5), 0.9, ({6: 0.9},))
    late = Cue(CueKind.FOUL, Span.of(18, 19), 0.9, ({6: 0.9},))
    assert told(s5=0.5, s6=0.2) == 5 and told(late, s5=0.5, s6=0.2) == 5
    assert told(foul, s5=0.5, s6=0.2) == 6
    assert told(foul, s5=0.99, s6=0.01) == 5
    judge = Sound("interjection", Span.of(12, 13), 0.9, {"judge": 1.0})
    assert answered((judge,), (foul,)) == (judge,)
