"""The judge's voice inside a speech, found by what it adds to the holder's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mafiavar.analyzer.span import SECOND, Span
from mafiavar.analyzer.speech.interjections import interjections, untold
from mafiavar.analyzer.speech.speakers import Floor, Voices
from mafiavar.analyzer.transcript import Word
from mafiavar.models.speech import SAMPLE_RATE, Clip, Samples


def said(text: str, start: float, end: float, who: int | str) -> tuple[Word, ...]:
    return (Word(text, Span.of(start, end), 0.9, {who: 0.95}),)  # type: ignore[dict-item]


def test_the_judge_is_found_in_a_speech_unless_his_words_stand_there() -> None:
    """The rest of a mixed window beside the holder's voice is the judge's."""
    judge, holder = np.eye(192, dtype=np.float32)[:2]

    class Mixed:
        name = "mixed"

        def embed(self, sounds: Sequence[Samples]) -> np.ndarray:
            rows = [holder + (0.6 * judge if float(np.mean(s)) > 0.5 else 0.0 * judge) for s in sounds]
            return np.stack([r / np.linalg.norm(r) for r in rows]).astype(np.float32)

    sound = np.zeros(26 * SAMPLE_RATE, np.float32)
    sound[16 * SAMPLE_RATE : 17 * SAMPLE_RATE] = 1.0
    table = Voices({"judge": judge, 4: holder, 5: np.eye(192, dtype=np.float32)[2]})
    found = interjections(sound, (Floor(4, Span.of(6, 26)),), [Clip(6, 26)], table, embedder=Mixed())
    assert [dict(s.speaker) for s in found] == [{"judge": 1.0}]
    assert found[0].span & Span.of(16, 17) and found[0].span.duration < 2 * SECOND
    assert untold(found, said("ну да", 15, 17, 4)) == found
    assert untold(found, said("фол", 16, 16.5, "judge")) == ()
