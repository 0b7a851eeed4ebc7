"""Doubtful seconds are heard again: who hears them, and that the whole case agrees with what was heard."""

from __future__ import annotations

import json
import wave
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

from mafiavar.analyzer.align.doubts import Doubt
from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.media import recording as media
from mafiavar.analyzer.media import sound
from mafiavar.analyzer.pipeline import closer
from mafiavar.analyzer.pipeline.again import align_again
from mafiavar.analyzer.pipeline.options import Options, Quiet
from mafiavar.analyzer.pipeline.run import analyze
from mafiavar.analyzer.span import seconds
from mafiavar.models import registry
from mafiavar.models.errors import ModelMissing
from mafiavar.models.registry import Check, check, default_names
from mafiavar.ui.cli.demo import sample

LENGTH = 50


def ready(*names: str) -> Callable[[str], Check]:
    return lambda name: Check(name, "ready" if name in names else "absent")


def test_by_itself_only_a_larger_model_hears_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "check", ready("whisper-base", "whisper-small", "whisper-medium"))
    assert closer.recogniser("base", "auto") == "medium"
    assert closer.recogniser("medium", "auto") is None
    assert closer.recogniser("/some/folder", "auto") is None
    assert closer.recogniser("base", "off") is None
    assert closer.recogniser("base", "base") == "base"


def test_without_a_larger_model_nothing_is_heard_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "check", ready("whisper-base"))
    assert closer.recogniser("base", "auto") is None


@pytest.mark.real
@pytest.mark.slow
def test_a_case_heard_again_is_one_piece(needs: Callable[[bool, str], None], tmp_path: Path) -> None:
    """The sample's first seconds under noise: what is in doubt is heard again, and the case, also when it
    is aligned once more with a person's pins, rests on that hearing alone."""
    try:
        original = sample()
    except UsageError:
        needs(False, "the sample recording: make samples")
        raise
    needs(all(check(n).state == "ready" for n in default_names()), "models: mafiavar models fetch")
    samples = sound.samples(media.index(original))[: LENGTH * sound.RATE].copy()
    samples += np.random.default_rng(2).normal(0, 0.01, len(samples)).astype(np.float32)
    clip = _written(tmp_path / "запись.wav", samples)
    case = tmp_path / "дело"
    (summary,) = analyze([clip], case, Options(closer="base"), Quiet())
    assert {r.name for r in summary.costs} >= {"doubts", "closer", "closer_cues"}
    first = _words(case)
    again = align_again(case, [])
    assert again["timeline"] == json.loads((case / "timeline.json").read_text("utf-8"))
    # Without the closer hearing the words beside the doubtful stretches are the same.
    analyze([clip], tmp_path / "другое", Options(closer="off"), Quiet())
    (value,) = case.glob("stages/doubts/*/value.msgpack")
    doubts = msgspec.msgpack.decode(value.read_bytes(), type=tuple[Doubt, ...])
    assert 0 < sum(d.span.duration for d in doubts) <= closer.BUDGET

    def beside(words: set[tuple[str, float, float]]) -> set[tuple[str, float, float]]:
        spans = [(seconds(d.span.t0) - 1, seconds(d.span.t1) + 1) for d in doubts]
        return {w for w in words if not any(w[2] > a and w[1] < b for a, b in spans)}

    assert beside(first) == beside(_words(tmp_path / "другое"))
    with pytest.raises(ModelMissing):
        analyze([clip], case, Options(closer="no-such-model"), Quiet())


def test_a_name_that_does_not_exist_is_told_before_anything_is_heard(tmp_path: Path) -> None:
    clip = _written(tmp_path / "речь.wav", np.zeros(sound.RATE, np.float32))
    with pytest.raises(ModelMissing):
        analyze([clip], tmp_path / "дело", Options(closer="no-such-model"), Quiet())
    assert not (tmp_path / "дело").exists()


def _written(path: Path, samples: sound.Samples) -> Path:
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(sound.RATE)
        out.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    return path


def _words(case: Path) -> set[tuple[str, float, float]]:
    words = json.loads((case / "transcript.json").read_text("utf-8"))["words"]
    return {(w["w"], w["t0"], w["t1"]) for w in words}
