"""Recorded phrases instead of synthesis: `--voice-bank DIR` with an `index.json`.

index.json is a list of {"file", "voice", "text", "t0", "t1"}: the phrase sounds from t0 to t1 seconds of
the file. The voice "judge" is the judge's; the other voices are dealt to the seats by the script's seed.
A line that its speaker's voice has not recorded is left to synthesis.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import numpy as np

from mafiavar.sample_videos.errors import VoiceMissing
from mafiavar.sample_videos.script import JUDGE, Line, Script
from mafiavar.sample_videos.sound.festival import RATE, Signal, Spoken
from mafiavar.sample_videos.sound.voices import level


def normal(text: str) -> str:
    """Letters and digits only, lower case, ё as е."""
    kept = "".join(c if c.isalnum() else " " for c in text.lower().replace("ё", "е"))
    return " ".join(kept.split())


def _decode(path: Path) -> Signal:
    with av.open(str(path)) as file:
        resample = av.AudioResampler(format="flt", layout="mono", rate=RATE)
        blocks = [r.to_ndarray()[0] for f in file.decode(audio=0) for r in resample.resample(f)]
        blocks += [r.to_ndarray()[0] for r in resample.resample(None)]
    return np.concatenate(blocks).astype(np.float32) if blocks else np.zeros(0, np.float32)


def _index(folder: Path) -> list[dict[str, Any]]:
    path = folder / "index.json"
    try:
        items = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise VoiceMissing(
            f"Банк голосов не читается: {path}: {error}", f"the voice bank cannot be read: {path}: {error}"
        ) from error
    keys = {"file", "voice", "text", "t0", "t1"}
    for i, x in enumerate(items if isinstance(items, list) else [None]):
        if not isinstance(x, dict) or not keys <= set(x):
            raise VoiceMissing(
                f"{path}[{i}]: нужны поля {', '.join(sorted(keys))}",
                f"{path}[{i}]: fields needed: {', '.join(sorted(keys))}",
            )
    return list(items)


def open_bank(folder: Path, script: Script) -> Callable[[Line], Spoken | None]:
    """A function from a line to its recording. Raises VoiceMissing when the folder is no voice bank."""
    items = _index(folder)
    voices = sorted({str(x["voice"]) for x in items} - {JUDGE})
    order = np.random.default_rng([script.seed, 33]).permutation(len(voices))
    owner: dict[str, str] = {JUDGE: JUDGE}
    for k, i in enumerate(order[:10]):
        owner[str(k + 1)] = voices[int(i)]
    table = {(str(x["voice"]), normal(str(x["text"]))): x for x in items}

    def find(line: Line) -> Spoken | None:
        found = table.get((owner.get(str(line.speaker), ""), normal(line.text)))
        inner = line.named and line.named < len(line.text.split())
        if found is None or inner:  # where a word ends inside a recorded phrase is not known
            return None
        samples = _decode(folder / str(found["file"]))
        piece = samples[round(float(found["t0"]) * RATE) : round(float(found["t1"]) * RATE)]
        return Spoken(level(piece, 0.0), ((0.0, len(piece) / RATE),))

    return find
