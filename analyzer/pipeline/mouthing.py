"""Mouths are looked at where the voices leave open who spoke; what they say reaches words and cues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mafiavar.analyzer.case.stages import key_of
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.pipeline import following, listening, moments
from mafiavar.analyzer.pipeline.context import VERSIONS, Context
from mafiavar.analyzer.pipeline.glances import glances
from mafiavar.analyzer.pipeline.table import Placed
from mafiavar.analyzer.seats import SeatMap
from mafiavar.analyzer.speech.witnessed import doubtful, weighed
from mafiavar.analyzer.transcript import Transcript
from mafiavar.analyzer.vision.mouths import MouthWitness
from mafiavar.analyzer.vision.question import Question, QuestionKind


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said and what it means, with the keys of both."""

    transcript: Transcript
    speech_keys: Sequence[str]
    cues: tuple[Cue, ...]
    cues_key: str


def with_mouths(run: Context, table: Sequence[Placed], maps: Mapping[int, SeatMap], heard: Heard) -> Heard:
    """The same, with who spoke weighed again by the moving mouths. Unchanged where nothing is in doubt or
    nothing can be seen."""
    wanted = [
        Question(QuestionKind.MOUTH, tuple(range(1, 11)), span)
        for span in doubtful(heard.transcript, heard.cues)
    ]
    if not wanted or not maps:
        return heard
    places = following.stays(run, table, maps)
    answers, keys = glances(run, table, places, wanted, "mouths", lambda _: (moments.mouths_of, ()))
    witness = MouthWitness(answers)
    key = key_of("witnessed", VERSIONS["mouths"], {}, *heard.speech_keys, *keys)
    transcript = run.value("witnessed", key, 0.1, Transcript, lambda: weighed(heard.transcript, witness))
    cues, cues_key = listening.cues(run, transcript, [key], "witnessed_cues")
    return Heard(transcript, [key], cues, cues_key)
