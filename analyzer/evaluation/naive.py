"""The naive way, only to be measured beside the pipeline: every frame, every seat, default Whisper.

What somebody would write in an evening: the hand model on the crop of each seat in each frame, and
Whisper over the whole sound with the library's defaults. Nothing of the program uses it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from mafiavar.analyzer.case.stages import cpu_seconds
from mafiavar.analyzer.media.picture import pictures
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.seats.seatmap import SeatMap
from mafiavar.analyzer.span import Micros, Span, seconds
from mafiavar.models.hands import HandLandmarker


@dataclass(frozen=True, slots=True)
class Naive:
    """What a part of the recording cost: seconds of CPU and of the clock for `measured` seconds."""

    name: str
    measured: float
    cpu: float
    wall: float


def decode_and_look(recording: Recording, seats: SeatMap, model: Path, length: Micros) -> Naive:
    """Every frame of the middle `length` of the recording, every seat's box, the hand model."""
    middle = recording.duration // 2
    window = Span(max(0, middle - length // 2), min(recording.duration, middle + length // 2))
    hands = HandLandmarker(model)
    try:
        cpu, wall = cpu_seconds(), time.perf_counter()
        for picture in pictures(recording, window):
            for seat in seats.seats:
                x, y, w, h = seat.box.rounded()
                crop = picture.image[max(0, y) : y + h, max(0, x) : x + w]
                hands.find(np.ascontiguousarray(cv2.cvtColor(crop, cv2.COLOR_BGR2RGB)))
        return Naive("hands", seconds(window.t1 - window.t0), cpu_seconds() - cpu, time.perf_counter() - wall)
    finally:
        hands.close()


def listen(path: Path, recogniser: Path, length: float) -> Naive:
    """The library's defaults over the whole file, word times asked for as the pipeline needs them."""
    from faster_whisper import WhisperModel

    model = WhisperModel(str(recogniser), device="cpu", local_files_only=True)
    cpu, wall = cpu_seconds(), time.perf_counter()
    found, _ = model.transcribe(str(path), word_timestamps=True)
    for _segment in found:
        pass
    return Naive("speech", length, cpu_seconds() - cpu, time.perf_counter() - wall)
