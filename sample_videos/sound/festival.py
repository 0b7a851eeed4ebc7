"""Speech by Festival's Russian voice (Debian packages `festival`, `festvox-ru`), with word times.

Spoken lines are kept in the studio's cache by their text: the same line is synthesised once.
"""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import subprocess
import tempfile
import wave
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mafiavar.sample_videos.bodies.source import cache_folder
from mafiavar.sample_videos.errors import VoiceMissing

RATE = 16_000
VOICE = "msu_ru_nsh_clunits"
BATCH = 40  # lines of one festival process
Signal = NDArray[np.float32]

_PRINT = """
(set! u (utt.synth (Utterance Text "{text}")))
(utt.save.wave u "{path}" 'riff)
(format t "LINE {number}\\n")
(mapcar (lambda (w) (format t "WORD %f %f\\n" (item.feat w "word_start") (item.feat w "word_end"))) (utt.relation.items u 'Word))
"""


@dataclass(frozen=True, slots=True)
class Spoken:
    """samples at 16 kHz, -1..1, without silence at the ends; words: (start, end) seconds of each word."""

    samples: Signal
    words: tuple[tuple[float, float], ...]

    @property
    def duration(self) -> float:
        return len(self.samples) / RATE


def available() -> bool:
    voice = Path("/usr/share/festival/voices/russian") / VOICE
    return shutil.which("festival") is not None and voice.is_dir()


def _require() -> None:
    if not available():
        raise VoiceMissing(
            "Нет русского голоса. Установите: apt-get install festival festvox-ru sox",
            "the Russian voice is missing. Install: apt-get install festival festvox-ru sox",
        )


def plain(text: str) -> str:
    """What Festival reads: no quotes, dashes as commas, single spaces."""
    text = re.sub(r'[«»"„“()\\]', "", text)
    text = re.sub(r"\s[-–—]\s", ", ", text).replace("№", "номер ")
    return " ".join(text.split())


def _file(text: str) -> Path:
    name = hashlib.sha256(f"{VOICE}|1|{plain(text)}".encode()).hexdigest()[:24]
    return cache_folder() / "spoken" / name[:2] / f"{name}.npz"


def _parse(report: str) -> dict[int, list[tuple[float, float]]]:
    found: dict[int, list[tuple[float, float]]] = {}
    current = -1
    for row in report.splitlines():
        parts = row.strip('"').split()
        if parts[:1] == ["LINE"]:
            current = int(parts[1])
            found[current] = []
        elif parts[:1] == ["WORD"] and current >= 0:
            found[current].append((float(parts[1]), float(parts[2])))
    return found


def _trim(samples: Signal, words: list[tuple[float, float]]) -> Spoken:
    """Cut the silence at both ends; word times move along."""
    loud = np.flatnonzero(np.abs(samples) > 0.012)
    first = max(0, int(loud[0]) - 80) if len(loud) else 0
    last = min(len(samples), int(loud[-1]) + 160) if len(loud) else len(samples)
    length = (last - first) / RATE
    shift = first / RATE
    spans = tuple((max(0.0, a - shift), min(length, max(0.0, b - shift))) for a, b in words)
    return Spoken(samples[first:last], spans)


def _synthesise(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = [f"(voice_{VOICE})"]
        for i, text in enumerate(texts):
            program.append(_PRINT.format(text=plain(text), path=f"{folder}/{i}.wav", number=i))
        script = Path(folder) / "say.scm"
        script.write_text("\n".join(program), encoding="utf-8")
        done = subprocess.run(["festival", "-b", str(script)], capture_output=True, timeout=600, check=False)
        words = _parse(done.stdout.decode("utf-8", "replace"))
        for i, text in enumerate(texts):
            sound = Path(folder) / f"{i}.wav"
            if i not in words or not sound.is_file():
                raise VoiceMissing(
                    f"Festival не смог произнести: {text!r}", f"Festival could not say {text!r}"
                )
            with wave.open(io.BytesIO(sound.read_bytes())) as w:
                raw = np.frombuffer(w.readframes(w.getnframes()), "<i2")
            spoken = _trim((raw / 32768).astype(np.float32), words[i])
            path = _file(text)
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_suffix(".part.npz")
            np.savez_compressed(
                partial, samples=(spoken.samples * 32768).astype(np.int16), words=np.array(spoken.words)
            )
            partial.replace(path)


def speak(texts: Iterable[str]) -> dict[str, Spoken]:
    """Every text spoken, from the cache or by Festival. Raises VoiceMissing."""
    wanted = sorted(set(texts))
    missing = [t for t in wanted if not _file(t).is_file()]
    if missing:
        _require()
    for k in range(0, len(missing), BATCH):
        _synthesise(missing[k : k + BATCH])
    out = {}
    for t in wanted:
        with np.load(_file(t)) as data:
            samples = (data["samples"] / 32768).astype(np.float32)
            words = tuple((float(a), float(b)) for a, b in data["words"].reshape(-1, 2))
        out[t] = Spoken(samples, words)
    return out
