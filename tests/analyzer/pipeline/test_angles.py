"""Two phones at one table: what one of them has lost in noise is heard from the other."""

from __future__ import annotations

import json
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from mafiavar.analyzer.errors import MediaError, UsageError
from mafiavar.analyzer.media import recording as media
from mafiavar.analyzer.media import sound
from mafiavar.analyzer.pipeline.options import Options, Quiet
from mafiavar.analyzer.pipeline.run import analyze
from mafiavar.models.registry import check, default_names
from mafiavar.ui.cli.demo import sample

pytestmark = [pytest.mark.real, pytest.mark.slow]
LENGTH, LATER = 36, 2


def write(path: Path, samples: sound.Samples) -> Path:
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(sound.RATE)
        out.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    return path


def test_each_utterance_from_the_better_phone(needs: Callable[[bool, str], None], tmp_path: Path) -> None:
    try:
        original = sample()
    except UsageError:
        needs(False, "the sample recording: make samples")
        raise
    needs(all(check(n).state == "ready" for n in default_names()), "models: mafiavar models fetch")
    clean = sound.samples(media.index(original))[: LENGTH * sound.RATE]
    half = len(clean) // 2
    noise = np.random.default_rng(1).normal(0, 0.1, len(clean)).astype(np.float32)
    first, second = clean.copy(), clean.copy()
    first[half:] += noise[half:]
    second[:half] += noise[:half]
    phones = [
        write(tmp_path / "телефон.wav", first),
        write(tmp_path / "камера.wav", second[LATER * sound.RATE :]),
    ]
    analyze(phones, tmp_path / "дело", Options(), Quiet())
    transcript = json.loads((tmp_path / "дело" / "transcript.json").read_text("utf-8"))
    heard = transcript["words"]
    truth = json.loads(original.with_suffix(".truth.json").read_text("utf-8"))["speech"]
    for from_, to in ((LATER, LENGTH / 2 - 1), (LENGTH / 2 + 1, LENGTH)):
        spoken = {w for s in truth if from_ < s["t0"] and s["t1"] < to for w in plain(s["text"])}
        found = {p for w in heard if from_ <= w["t0"] <= to for p in plain(w["w"])}
        assert len(spoken) >= 8
        # The phone that is noisy here hears a fifth of these words alone.
        assert len(spoken & found) / len(spoken) >= 0.35, (spoken, found)


def plain(text: str) -> list[str]:
    return [w for w in ("".join(c for c in word if c.isalpha()) for word in text.lower().split()) if w]


def test_a_folder_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(MediaError) as told:
        analyze([tmp_path], tmp_path / "дело", Options(), Quiet())
    assert "Это папка" in told.value.sentence("ru") and not (tmp_path / "дело").exists()
