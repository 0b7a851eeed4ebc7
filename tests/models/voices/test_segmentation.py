"""Segmentation: the converted network says what the original says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from mafiavar.models.errors import ModelMissing
from mafiavar.models.registry import locate
from mafiavar.models.voices import CHUNK, FIRST, FRAME, LOCAL_SPEAKERS, PyanNet
from mafiavar.models.voices.segmentation import RATE, sinc_filters

# SincNet of pyannote.audio 3.3.2 and PyTorch 1.13.1's LSTM with the same weights on `talk(seed, seconds)`,
# every eighth frame.
ORIGINAL = json.loads(Path(__file__).with_name("segmentation.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def network() -> PyanNet:
    try:
        return PyanNet(locate("segmentation"), threads=1)
    except ModelMissing as error:
        pytest.skip(f"missing here: {error} (mafiavar models fetch)")


def talk(seed: int, seconds: float) -> NDArray[np.float32]:
    """Two made voices that take turns and talk at once."""
    t = np.arange(round(seconds * RATE), dtype=np.float64) / RATE
    out = np.zeros_like(t)
    for who in range(2):
        pitch = 105 + 70 * who + 9 * seed
        phase = 2 * np.pi * (pitch * t + 3 * np.sin(2 * np.pi * (0.6 + 0.1 * who) * t))
        voice = sum(np.sin(h * phase) / (1 + abs(h * pitch - 600 - 500 * who) / 300) for h in range(1, 24))
        gate = np.sin(2 * np.pi * 0.31 * t + 2.2 * who + seed) > -0.2
        out += voice * gate * (0.6 + 0.4 * np.sin(2 * np.pi * 4 * t + who))
    return (0.05 * out).astype(np.float32)


@pytest.mark.real
@pytest.mark.parametrize("case", sorted(ORIGINAL))
def test_the_converted_network_equals_the_original(network: PyanNet, case: str) -> None:
    seed, seconds = case.split(",")
    (told,) = network.segment([talk(int(seed), float(seconds))])
    assert told[::8] == pytest.approx(np.array(ORIGINAL[case]), abs=5e-4)


@pytest.mark.real
def test_frames_of_a_chunk(network: PyanNet) -> None:
    chunks = [talk(0, CHUNK / RATE), talk(1, CHUNK / RATE)]
    told = network.segment(chunks)
    assert told.shape == (2, 293, LOCAL_SPEAKERS) and told.min() >= 0.0 and told.max() <= 1.0
    assert pytest.approx(CHUNK / RATE, abs=FRAME) == FIRST + 292 * FRAME + FIRST
    assert np.allclose(told[1], network.segment(chunks[1:])[0], atol=1e-5)


@pytest.mark.real
def test_nothing_in_nothing_out(network: PyanNet) -> None:
    assert network.segment([]).shape[0] == 0


def test_a_sinc_filter_passes_its_band_and_no_other() -> None:
    """A kernel's answer to a tone inside its band is far above that to tones outside."""
    times = 2 * np.pi * np.arange(-125, 0.0)[None, :] / RATE
    window = np.hamming(251)[:125]
    kernels = sinc_filters(np.array([[950.0]]), np.array([[450.0]]), window, times)  # 1000 to 1500 Hz
    assert kernels.shape == (2, 1, 251)

    def answer(kernel: NDArray[np.float32], hertz: float) -> float:
        tone = np.sin(2 * np.pi * hertz * np.arange(RATE // 4) / RATE)
        return float(np.abs(np.convolve(tone, kernel, mode="valid")).max())

    for kernel in kernels[:, 0]:
        assert answer(kernel, 1250) > 10 * max(answer(kernel, 500), answer(kernel, 2500))


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="segmentation"):
        PyanNet(tmp_path)
