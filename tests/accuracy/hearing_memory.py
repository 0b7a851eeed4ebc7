"""Peak memory of hearing a long recording: four hours, four minutes of each of them speech.

    python tests/accuracy/hearing_memory.py GAME.ogg [--hours 4] [--folder FOLDER]

The game's sound is laid into a file of so many hours, four minutes of it at the beginning of each (as much
as is decoded at once), with the hall's hiss between; the file is heard as a recording's track is. Prints the peak in MB of the
process (of what it holds in memory, and of what of that is its own, where the system tells) when a quarter
of an hour, one hour and all of it had been heard, and after the voices.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from mafiavar.analyzer.media import recording, sound
from mafiavar.analyzer.speech import listen, told_apart
from mafiavar.analyzer.speech.pieces import as_float
from mafiavar.models import registry
from mafiavar.models.speech import SAMPLE_RATE, WhisperRecogniser
from mafiavar.models.voices import CamPlusVoices, PyanNet

MARKS = (0.25, 1.0)
MINUTE = 60 * SAMPLE_RATE
SPOKEN = 4
"""Minutes of every hour in which somebody speaks."""


def peak_mb() -> int:
    return round(
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    )


class Own:
    """The peak of the process's own (anonymous) memory, looked at ten times a second; 0 where nobody tells."""

    def __init__(self) -> None:
        self.peak = 0
        self._done = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        status = Path("/proc/self/status")
        while status.is_file() and not self._done.wait(0.1):
            told = dict(line.split(":", 1) for line in status.read_text("ascii").splitlines())
            self.peak = max(self.peak, int(told["RssAnon"].split()[0]) >> 10)

    def stop(self) -> None:
        self._done.set()


def laid_out(game: Path, file: Path, hours: int) -> sound.Track:
    """The long recording in `file`, written minute by minute, so as not to raise the peak."""
    said = np.round(32767 * as_float(sound.samples(recording.index(game)))).astype(np.int16)
    dice = np.random.default_rng(7)
    said = np.resize(said, (SPOKEN, MINUTE))
    with file.open("wb") as out:
        for minute in range(60 * hours):
            piece = np.round(dice.normal(0, 12, MINUTE)).astype(np.int16)
            if minute % 60 < SPOKEN:
                piece += said[minute % 60]
            piece.tofile(out)
    return sound.Track(file.open("rb"), 60 * hours * MINUTE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", type=Path)
    parser.add_argument("--hours", type=int, default=4)
    parser.add_argument("--folder", type=Path)
    told = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=told.folder) as folder:
        samples = laid_out(told.game, Path(folder) / "long.pcm", told.hours)
        own = Own()
        report: dict[str, Any] = {"before": [peak_mb(), own.peak]}

        def progress(share: float) -> None:
            for hours in MARKS:
                if share * told.hours >= hours:
                    report.setdefault(f"{hours:g} h", [peak_mb(), own.peak])

        began = time.process_time()
        recogniser = WhisperRecogniser(registry.locate_recogniser("base"))
        listened = listen(samples, SAMPLE_RATE, recogniser=recogniser, progress=progress)
        report[f"{told.hours} h"] = [peak_mb(), own.peak]
        embedder = CamPlusVoices(registry.locate("campplus"))
        segmenter = PyanNet(registry.locate("segmentation"))
        told_apart(samples, listened.transcript, embedder=embedder, segmenter=segmenter)
        report["with voices"] = [peak_mb(), own.peak]
        own.stop()
        report["cpu_s"] = round(time.process_time() - began, 1)
        sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main()
