"""The questions of one kind in turn, each with the part of its window that the recording shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.vision.question import Question, QuestionKind

Progress = Callable[[float], None]


def windows_of(
    recording: Recording, questions: Sequence[Question], kind: QuestionKind, progress: Progress | None
) -> Iterator[tuple[Question, Span]]:
    """In the order of `questions`; those outside the recording, and all of one without a picture, are left
    out. `progress` is told the share done, 0..1, whenever the next one is asked for."""
    asked = [q for q in questions if q.kind is kind] if recording.video is not None else []
    for i, question in enumerate(asked):
        inside = question.window & recording.span
        if inside is not None:
            yield question, inside
        if progress is not None:
            progress((i + 1) / len(asked))
