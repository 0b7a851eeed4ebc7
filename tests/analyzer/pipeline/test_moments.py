"""Single moments in a run: mouths where the voices leave it open, hands where a knock was heard."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mafiavar.analyzer.case.folder import CaseFolder
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.media import recording as media
from mafiavar.analyzer.pipeline import blows, following, mouthing
from mafiavar.analyzer.pipeline.context import Context
from mafiavar.analyzer.pipeline.options import Options, Quiet
from mafiavar.analyzer.pipeline.table import Placed
from mafiavar.analyzer.seats import SeatMap, read_seats
from mafiavar.analyzer.span import SECOND, Span, micros
from mafiavar.analyzer.transcript import Transcript, Utterance, Word
from mafiavar.analyzer.vision.observe import picture_size

SAMPLE = Path(__file__).parents[3] / "sample_videos" / "first_table.mp4"
LATER = 7 * SECOND
"""Where the recording begins on the game's clock: answers must come back on it."""


class Here(Context):
    """A run that does its work in this process."""

    __slots__ = ()

    def worker(self, work: Callable[..., Any], *args: Any, limit: float, memory: int = 0) -> Any:
        return work(*args)


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Placed, SeatMap]:
    folder = tmp_path_factory.mktemp("index")
    recording = media.index(SAMPLE)
    media.save(recording, folder)
    seats = read_seats(SAMPLE.with_name("first_table.seats.toml"), SAMPLE.name, picture_size(recording))
    return Placed(0, recording, folder, "key", LATER), seats


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, placed: tuple[Placed, SeatMap]) -> Here:
    whole = [following.Stay(Span(0, placed[0].recording.duration), placed[1], 0.0)]
    monkeypatch.setattr(following, "stays", lambda *_: {0: whole})
    folder = CaseFolder(tmp_path)
    folder.stages.mkdir(parents=True, exist_ok=True)
    return Here(folder, Options(), Quiet())


def test_a_moving_mouth_turns_what_the_voices_left_open(run: Here, placed: tuple[Placed, SeatMap]) -> None:
    truth = json.loads(SAMPLE.with_name("first_table.truth.json").read_text("utf-8"))
    said = max(
        (x for x in truth["speech"] if x["speaker"] == 3 and not x["overlaps"]),
        key=lambda x: x["t1"] - x["t0"],
    )
    span = Span(micros(said["t0"]) + LATER, micros(said["t1"]) + LATER)
    open_ = Transcript((Utterance((Word("выставляю", span, 0.9, {8: 0.6, 3: 0.4}),)),))
    heard = mouthing.Heard(open_, ["words"], (), "cues")
    after = mouthing.with_mouths(run, [placed[0]], {0: placed[1]}, heard)
    assert after.transcript.words[0].best_speaker()[0] == 3
    assert after.cues_key != heard.cues_key and after.speech_keys != heard.speech_keys
    assert {r.name for r in run.stages.runs} >= {"mouths", "witnessed", "witnessed_cues"}


def test_what_is_sure_is_not_looked_at(run: Here, placed: tuple[Placed, SeatMap]) -> None:
    sure = Transcript((Utterance((Word("раз", Span.of(20, 21), 0.9, {3: 0.99}),)),))
    heard = mouthing.Heard(sure, ["words"], (), "cues")
    assert mouthing.with_mouths(run, [placed[0]], {0: placed[1]}, heard) is heard
    assert mouthing.with_mouths(run, [placed[0]], {}, heard) is heard
    assert not run.stages.runs


def test_a_knock_that_was_heard_is_looked_at_once(run: Here, placed: tuple[Placed, SeatMap]) -> None:
    places = {0: [following.Stay(Span(0, placed[0].recording.duration), placed[1], 0.0)]}
    cue = Cue(CueKind.KNOCK, Span.of(27, 27.1), 0.4)
    for _ in range(2):
        answers, keys = blows.blows(run, [placed[0]], places, [cue], ())
    assert answers == () and len(keys) == 1, "nobody knocks in this sample"
    assert [r.cached for r in run.stages.runs if r.name == "blows"] == [False, True]
    assert blows.blows(run, [placed[0]], places, [], ()) == ((), [])
