"""Whisper through faster-whisper (CTranslate2), offline, from a folder of weights.

The encoder hears every pack once; several decodings (with and without a prompt) share what it
heard. Beam search at temperature 0 without fallback: fallback costs 3-5 times more and throws away
correct but repetitive talk. The language is fixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from mafiavar.models.errors import ModelMissing
from mafiavar.models.speech.recogniser import Doubt, Heard, HeardWord, Pack, Prompt, Samples
from mafiavar.models.speech.vocabulary import Narrowed, NarrowModel, VocabularyError, narrowed

NEEDED_FILES = ("model.bin", "config.json", "tokenizer.json")
_FRAMES_PER_SECOND = 100
_PREPENDED, _APPENDED = "\"'“¿([{-", "\"'.。,，!！?？:：”)]}、"


@dataclass(frozen=True, slots=True)
class WhisperOptions:
    """How to decode. `device` auto takes a GPU when CTranslate2 finds one; `batch_size` packs are
    decoded at once (each takes about 100 MB with `base`), `workers` batches side by side, each on
    `threads` cores. Only `batch_size` may change what is heard (in the last digits of a score)."""

    device: str = "auto"
    compute_type: str = "int8"
    threads: int = 1
    workers: int = 2
    batch_size: int = 4
    language: str = "ru"

    def describe(self) -> str:
        return f"{self.compute_type},{self.language}"


class WhisperRecogniser:
    """The real recogniser. Loads the weights when first used (about a second for `base`)."""

    def __init__(self, folder: Path, options: WhisperOptions | None = None) -> None:
        """`folder`: a faster-whisper model; ModelMissing when a file of it is not there."""
        missing = [name for name in NEEDED_FILES if not (folder / name).is_file()]
        if missing:
            raise ModelMissing(folder.name, f"no {', '.join(missing)} in {folder}")
        self._folder = folder
        self._options = options or WhisperOptions()
        self._model: Any = None
        self._tokenizer: Any = None

    @property
    def name(self) -> str:
        return f"{self._folder.name}[{self._options.describe()}]"

    def recognise(
        self,
        samples: Samples,
        packs: Sequence[Pack],
        prompts: Sequence[Prompt] = (Prompt(),),
        again: Doubt | None = None,
    ) -> tuple[tuple[Heard, ...], ...]:
        self._load()
        size = self._options.batch_size
        batches = [packs[start : start + size] for start in range(0, len(packs), size)]

        def hear(batch: Sequence[Pack]) -> list[list[Heard]]:
            encoded = self._encoded(self._features(samples, batch))
            first, *others = prompts
            found = self._decode(encoded, batch, first)
            return [found, *(self._again(encoded, found, prompt, again) for prompt in others)]

        # CTranslate2 lets go of the interpreter while it works: threads share one copy of the weights.
        with ThreadPoolExecutor(self._options.workers) as pool:
            heard = list(pool.map(hear, batches))
        return tuple(tuple(h for batch in heard for h in batch[k]) for k in range(len(prompts)))

    def _load(self) -> None:
        if self._model is not None:
            return
        from faster_whisper import WhisperModel
        from faster_whisper.tokenizer import Tokenizer

        narrow = self._narrowed()
        self._model = WhisperModel(
            str(self._folder),
            device=self._options.device,
            compute_type=self._options.compute_type,
            cpu_threads=self._options.threads,
            num_workers=self._options.workers,
            local_files_only=True,
            files=dict(narrow.files) if narrow else None,
        )
        if narrow:
            self._model.model = NarrowModel(self._model.model, narrow.kept)
        self._tokenizer = Tokenizer(
            self._model.hf_tokenizer,
            self._model.model.is_multilingual,
            task="transcribe",
            language=self._options.language,
        )

    def _narrowed(self) -> Narrowed | None:
        """The weights with Russian words only, on the processor; on a GPU it would gain nothing."""
        import ctranslate2

        gpu = self._options.device == "cuda" or (
            self._options.device == "auto" and ctranslate2.get_cuda_device_count() > 0
        )
        if gpu or self._options.language != "ru":
            return None
        try:
            return narrowed(self._folder)
        except VocabularyError:  # a model packed in another way works as it is
            return None

    def _encoded(self, features: Any) -> Any:
        """What the encoder makes of a batch. On the processor one pack after the other: what comes out is the
        same to the last bit, a sixth cheaper (one pack's attention stays in the caches) and in a quarter of
        the memory; a card takes the batch whole."""
        if self._model.model.device != "cpu":
            return self._model.encode(features)
        import ctranslate2

        one_by_one = [np.asarray(self._model.encode(features[i : i + 1])) for i in range(len(features))]
        return ctranslate2.StorageView.from_array(np.concatenate(one_by_one))

    def _features(self, samples: Samples, batch: Sequence[Pack]) -> Any:
        """Log-mel spectra of half a minute each, shape (packs, mels, 3000): what the encoder was trained on.
        In spectra only as long as the pack it mishears more words (docs/hearing.md)."""
        from faster_whisper.audio import pad_or_trim

        extract = self._model.feature_extractor
        return np.stack([pad_or_trim(extract(pack.sound(samples))[..., :-1]) for pack in batch])

    def _decode(self, encoded: Any, batch: Sequence[Pack], prompt: Prompt) -> list[Heard]:
        tokens = self._model.get_prompt(
            self._tokenizer, [], without_timestamps=True, hotwords=prompt.text or None
        )
        results = self._model.model.generate(
            encoded,
            [tokens] * len(batch),
            beam_size=prompt.beam,
            max_length=self._model.max_length,
            return_scores=True,
            return_no_speech_prob=True,
        )
        written = [[t for t in r.sequences_ids[0] if t < self._tokenizer.eot] for r in results]
        aligned = self._align(encoded, batch, written)
        return [
            Heard(pack, words, float(result.scores[0]), float(result.no_speech_prob))
            for pack, words, result in zip(batch, aligned, results, strict=True)
        ]

    def _again(
        self, encoded: Any, first: Sequence[Heard], prompt: Prompt, again: Doubt | None
    ) -> list[Heard]:
        """Another decoding of those packs of a batch that `again` doubts."""
        wanted = [i for i, heard in enumerate(first) if again is None or again(heard)]
        if 0 < len(wanted) < len(first):
            if encoded.device != "cpu":
                wanted = list(range(len(first)))  # there the whole batch costs what a part of it does
            else:
                import ctranslate2

                some = np.ascontiguousarray(np.asarray(encoded)[wanted])
                encoded = ctranslate2.StorageView.from_array(some)
        heard = self._decode(encoded, [first[i].pack for i in wanted], prompt) if wanted else []
        found = dict(zip(wanted, heard, strict=True))
        return [found.get(i, Heard(h.pack, (), 0.0, 0.0, spared=True)) for i, h in enumerate(first)]

    def _align(
        self, encoded: Any, batch: Sequence[Pack], written: list[list[int]]
    ) -> list[tuple[HeardWord, ...]]:
        """Times and probabilities of the words, from the cross-attention."""
        from faster_whisper.transcribe import merge_punctuations

        frames = [ceil(pack.duration) * _FRAMES_PER_SECOND for pack in batch]
        found = []
        for pack, words in zip(
            batch, self._model.find_alignment(self._tokenizer, written, encoded, frames), strict=True
        ):
            merge_punctuations(words, _PREPENDED, _APPENDED)
            found.append(tuple(_word(w, pack) for w in words if w["word"].strip()))
        return found


def _word(word: dict[str, Any], pack: Pack) -> HeardWord:
    start, end = pack.original(float(word["start"]), float(word["end"]))
    return HeardWord(word["word"].strip(), start, end, float(word["probability"]))
