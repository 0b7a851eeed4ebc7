"""Whisper through faster-whisper (CTranslate2), offline, from a folder of weights.

Settings follow the project's measurements: batched decoding, beam 5, temperature 0 without
fallback (fallback costs 3-5 times more and throws away correct but repetitive talk), language
fixed to Russian.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from mafiavar.models.errors import ModelMissing
from mafiavar.models.speech.recogniser import SAMPLE_RATE, Heard, HeardWord, Pack, Samples

NEEDED_FILES = ("model.bin", "config.json", "tokenizer.json")


@dataclass(frozen=True, slots=True)
class WhisperOptions:
    """How to decode. `threads` 0 means: as many as CTranslate2 likes."""

    device: str = "auto"
    compute_type: str = "int8"
    threads: int = 2
    beam_size: int = 5
    batch_size: int = 8
    language: str = "ru"

    def describe(self) -> str:
        return f"{self.compute_type},beam{self.beam_size},{self.language}"


class WhisperRecogniser:
    """The real recogniser. Loads the weights when first used (about a second for `base`)."""

    def __init__(self, folder: Path, options: WhisperOptions | None = None) -> None:
        """`folder`: a faster-whisper model; ModelMissing when a file of it is not there."""
        missing = [name for name in NEEDED_FILES if not (folder / name).is_file()]
        if missing:
            raise ModelMissing(folder.name, f"no {', '.join(missing)} in {folder}")
        self._folder = folder
        self._options = options or WhisperOptions()
        self._pipeline: Any = None

    @property
    def name(self) -> str:
        return f"{self._folder.name}[{self._options.describe()}]"

    def recognise(
        self, samples: Samples, packs: Sequence[Pack], *, prompt: str | None = None
    ) -> tuple[Heard, ...]:
        if not packs:
            return ()
        sounds = [pack.sound(samples) for pack in packs]
        edges = [0, *accumulate(len(sound) for sound in sounds)]
        segments, _ = self._loaded().transcribe(
            np.concatenate(sounds),
            language=self._options.language,
            beam_size=self._options.beam_size,
            batch_size=self._options.batch_size,
            temperature=0.0,
            without_timestamps=True,
            word_timestamps=True,
            vad_filter=False,
            clip_timestamps=[{"start": a / SAMPLE_RATE, "end": b / SAMPLE_RATE} for a, b in pairwise(edges)],
            hotwords=prompt,
        )
        return _by_pack(segments, packs, [a / SAMPLE_RATE for a in edges[:-1]])

    def _loaded(self) -> Any:
        if self._pipeline is None:
            from faster_whisper import BatchedInferencePipeline, WhisperModel

            model = WhisperModel(
                str(self._folder),
                device=self._options.device,
                compute_type=self._options.compute_type,
                cpu_threads=self._options.threads,
                local_files_only=True,
            )
            self._pipeline = BatchedInferencePipeline(model)
        return self._pipeline


def _by_pack(segments: Iterable[Any], packs: Sequence[Pack], offsets: Sequence[float]) -> tuple[Heard, ...]:
    """Groups the library's segments under the packs they were decoded from, times made original.

    The library gives no link between them: `seek` is the pack's offset in hundredths, rounded
    down (sometimes by one too many, the library computes in floats).
    """
    words: list[list[HeardWord]] = [[] for _ in packs]
    logprob = [0.0] * len(packs)
    no_speech = [1.0] * len(packs)
    for segment in segments:
        i = bisect_right(offsets, segment.seek / 100 + 0.05) - 1
        logprob[i] = float(segment.avg_logprob)
        no_speech[i] = float(segment.no_speech_prob)
        for word in segment.words or ():
            start, end = packs[i].original(float(word.start) - offsets[i], float(word.end) - offsets[i])
            words[i].append(HeardWord(word.word.strip(), start, end, float(word.probability)))
    return tuple(Heard(pack, tuple(words[i]), logprob[i], no_speech[i]) for i, pack in enumerate(packs))
