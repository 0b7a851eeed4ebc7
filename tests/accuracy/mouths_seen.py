"""Who spoke, by the voices alone and with the mouths as second witness.

    python tests/accuracy/mouths_seen.py REC.mp4 [...] --keep FOLDER [--snr DB]

Hears each recording (words and voices are kept in FOLDER), asks the mouths about the moments in doubt, and
counts the truth's utterances whose likeliest speaker is right before and after, interjections likewise.
`--snr` adds white noise to the sound, so many dB below the speech. Fitting: dev_excerpt, dev_game; proof: first_table and clips of knock_clips.py from seed 711 on.
"""

from __future__ import annotations

import argparse
import json
import time
import wave
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mafiavar.analyzer.evaluation.aggregate import wilson
from mafiavar.analyzer.media import recording as media
from mafiavar.analyzer.media import sound
from mafiavar.analyzer.seats import read_seats
from mafiavar.analyzer.span import SECOND, Span, micros, seconds
from mafiavar.analyzer.speech import cues_of
from mafiavar.analyzer.speech.witnessed import doubtful, weighed
from mafiavar.analyzer.transcript import Transcript
from mafiavar.analyzer.vision.mouths import MouthWitness, answer_mouths
from mafiavar.analyzer.vision.observe import picture_size
from mafiavar.analyzer.vision.question import Question, QuestionKind, Tell
from mafiavar.ui.cli.bench_hearing import heard


def likeliest(transcript: Transcript, said: Mapping[str, Any]) -> str | None:
    """By the words of an utterance of the truth; None when none was heard."""
    span = Span(micros(said["t0"]), micros(said["t1"]))
    votes: Counter[str] = Counter()
    for w in transcript.words:
        if w.span.middle in span:
            for who, p in w.speaker.items():
                votes[str(who)] += p * max(1, w.span.duration) / SECOND
    return votes.most_common(1)[0][0] if votes else None


def interjections(transcript: Transcript, truth: Mapping[str, Any]) -> str:
    """Told with likelihood .5: how many, right in time, right in seat."""
    told = [s for s in transcript.sounds if s.kind == "interjection" and s.likelihood >= 0.5]
    told = [s for s in told if max(s.speaker, key=lambda w: s.speaker[w], default=None) != "judge"]
    over = [x for x in truth["speech"] if x.get("overlaps") and isinstance(x["speaker"], int)]
    near = seat = 0
    for s in told:
        meets = [
            x["speaker"] for x in over
            if Span(micros(x["t0"]), micros(x["t1"])).widened(300_000) & s.span and x["t1"] - x["t0"] < 2
        ]  # fmt: skip
        near += bool(meets)
        seat += bool(meets) and max(s.speaker, key=lambda w: s.speaker[w]) in meets
    return f"{len(told)} told, {near} where somebody broke in, {seat} with the right seat"


def in_noise(path: Path, snr: float, folder: Path) -> Path:
    """The sound alone with white noise; the level of speech is that of the louder half."""
    out = folder / f"{path.stem}-{snr:.0f}dB.wav"
    if not out.is_file():
        clean = sound.samples(media.index(path))
        power = np.mean(np.sort(clean**2)[len(clean) // 2 :])
        noise = np.random.default_rng(1).normal(0, np.sqrt(power / 10 ** (snr / 10)), len(clean))
        with wave.open(str(out), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(sound.RATE)
            file.writeframes(((clean + noise).clip(-1, 1) * 32767).astype("<i2").tobytes())
    return out


def show(path: Path, keep: Path, snr: float | None) -> None:
    truth = json.loads(path.with_name(path.stem + ".truth.json").read_text("utf-8"))
    before, _ = heard(path if snr is None else in_noise(path, snr, keep), "base", keep)
    recording = media.index(path)
    seats = read_seats(path.with_name(path.stem + ".seats.toml"), path.name, picture_size(recording))
    spans = doubtful(before, cues_of(before))
    began = time.process_time()
    answers = answer_mouths(
        recording, seats, [Question(QuestionKind.MOUTH, tuple(range(1, 11)), s) for s in spans]
    )
    cost = time.process_time() - began
    after = weighed(before, MouthWitness(answers))
    told = sum(a.tell is not Tell.CANNOT_TELL for a in answers)
    print(
        f"{path.name}: {len(spans)} moments, {sum(seconds(s.duration) for s in spans):.0f} s, {cost:.1f} CPU-s, {told} of {len(answers)} seats told"
    )
    rows = [(likeliest(before, x), likeliest(after, x), str(x["speaker"]), x) for x in truth["speech"]]
    rows = [r for r in rows if r[0] is not None]
    for title, index in (("voices", 0), ("with mouths", 1)):
        right = sum(r[index] == r[2] for r in rows)
        low, high = wilson(right, len(rows)) or (0.0, 1.0)
        print(
            f"  {title}: {right}/{len(rows)} = {right / len(rows):.3f} [{low:.3f}, {high:.3f}]; interjections: {interjections((before, after)[index], truth)}"
        )
    for a, b, true, x in rows:
        if a != b:
            print(f"    {x['t0']:.1f} s, seat {true}: {a} -> {b}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("recordings", type=Path, nargs="+")
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--snr", type=float)
    given = parser.parse_args()
    given.keep.mkdir(parents=True, exist_ok=True)
    for path in given.recordings:
        show(path, given.keep, given.snr)


if __name__ == "__main__":
    main()
