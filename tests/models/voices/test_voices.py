"""Voices: the converted network says what the original says; embedders keep their contract."""

from __future__ import annotations

import json
import os
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from mafiavar.models.errors import ModelMissing
from mafiavar.models.registry import locate
from mafiavar.models.voices import DIMENSIONS, CamPlusVoices, ToneVoices, VoiceEmbedder
from mafiavar.models.voices.checkpoint import CheckpointError, read_checkpoint
from mafiavar.models.voices.fbank import BANDS, fbank

# The 3D-Speaker network in PyTorch 1.13.1 on the features of `features(seed, frames)`.
ORIGINAL = json.loads(Path(__file__).with_name("original.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def campplus() -> CamPlusVoices:
    try:
        return CamPlusVoices(locate("campplus"))
    except ModelMissing as error:
        pytest.skip(f"missing here: {error} (mafiavar models fetch)")


@pytest.fixture(params=["tone", pytest.param("campplus", marks=pytest.mark.real)])
def embedder(request: pytest.FixtureRequest) -> VoiceEmbedder:
    return ToneVoices() if request.param == "tone" else request.getfixturevalue("campplus")


def features(seed: int, frames: int) -> NDArray[np.float32]:
    wave = np.sin(np.arange(frames * BANDS, dtype=np.float64) * (0.37 + 0.11 * seed))
    return (wave.reshape(1, frames, BANDS).astype(np.float32)) * 3


def sound(seconds: float, pitch: float = 140.0) -> NDArray[np.float32]:
    t = np.arange(round(seconds * 16_000)) / 16_000
    noise = np.random.default_rng(3).normal(0, 0.01, len(t))
    return (0.2 * np.sign(np.sin(2 * np.pi * pitch * t)) + noise).astype(np.float32)


@pytest.mark.real
@pytest.mark.parametrize("case", sorted(ORIGINAL))
def test_the_converted_network_equals_the_original(campplus: CamPlusVoices, case: str) -> None:
    seed, frames = (int(x) for x in case.split(","))
    assert campplus.raw(features(seed, frames))[0] == pytest.approx(ORIGINAL[case], abs=2e-4)


@pytest.mark.parametrize("seconds", [0.1, 0.35, 1.9, 2.1, 7.0])
def test_unit_vectors_of_any_length_of_sound(embedder: VoiceEmbedder, seconds: float) -> None:
    rows = embedder.embed([sound(seconds), sound(seconds)])
    assert rows.shape == (2, DIMENSIONS)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert np.array_equal(rows[0], rows[1])


def test_nothing_in_nothing_out(embedder: VoiceEmbedder) -> None:
    assert embedder.embed([]).shape == (0, DIMENSIONS)


def test_pitches_differ(embedder: VoiceEmbedder) -> None:
    a, b, c = embedder.embed([sound(1.5, 110), sound(1.4, 110), sound(1.5, 260)])
    assert a @ b > a @ c


def test_fbank_shape_and_mean() -> None:
    energies = fbank(sound(1.0))
    assert energies.shape == (98, BANDS)
    assert np.abs(energies.mean(axis=0)).max() < 1e-4


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="campplus"):
        CamPlusVoices(tmp_path)


def test_a_checkpoint_that_wants_more_than_tensors_is_refused(tmp_path: Path) -> None:
    evil = tmp_path / "evil.pt"
    with zipfile.ZipFile(evil, "w") as archive:
        archive.writestr("archive/data.pkl", b"cos\nsystem\n(S'true'\ntR.")
    with pytest.raises(CheckpointError, match=r"os\.system|posix\.system"):
        read_checkpoint(evil)


class _Calls:
    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> tuple[object, ...]:
        return os.system, (self.command,)


def test_of_a_training_checkpoint_only_the_weights_are_read(tmp_path: Path) -> None:
    """What stands beside them is stood in for: nothing it names is called."""
    training, mark = tmp_path / "training.pt", tmp_path / "called"
    content = {"epoch": 3, "state_dict": {}, "callbacks": [_Calls(f"mkdir {mark}")]}
    with zipfile.ZipFile(training, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps(content, protocol=2))
    assert read_checkpoint(training, "state_dict") == {}
    for part in ("weights", "epoch"):
        with pytest.raises(CheckpointError):
            read_checkpoint(training, part)
    with pytest.raises(CheckpointError, match="system"):
        read_checkpoint(training)
    assert not mark.exists()


def test_a_torn_checkpoint_is_a_checkpoint_error(tmp_path: Path) -> None:
    torn = tmp_path / "torn.pt"
    torn.write_bytes(b"PK\x03\x04 half")
    with pytest.raises(CheckpointError):
        read_checkpoint(torn)
