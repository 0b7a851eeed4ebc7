"""Eleven and more distinguishable speakers out of one synthetic voice, by sox."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mafiavar.sample_videos.errors import VoiceMissing
from mafiavar.sample_videos.sound.festival import RATE, Signal, Spoken


@dataclass(frozen=True, slots=True)
class Voice:
    """speed moves pitch and formants together (another throat), pitch (cents) the pitch alone, tempo the pace.

    low and high: tone controls in dB; gain_db: how loud the person speaks.
    """

    speed: float = 1.0
    pitch: float = 0.0
    tempo: float = 1.0
    low: float = 0.0
    high: float = 0.0
    gain_db: float = 0.0

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Voice:
        return cls(**{k: float(v) for k, v in fields.items() if k in cls.__dataclass_fields__})

    def as_json(self) -> dict[str, float]:
        return {k: round(float(getattr(self, k)), 3) for k in self.__dataclass_fields__}


JUDGE_VOICES = (Voice(1.0, 0, 1.06), Voice(0.96, -40, 1.10), Voice(1.04, 40, 1.02), Voice(0.98, 60, 1.16))
# Chosen for distance between speakers, not for beauty; the measured embedding distances are in docs/studio.md.
TABLE_VOICES = (
    Voice(0.87, -60, 1.20, 3, -2),
    Voice(1.16, 200, 0.98, -3, 3),
    Voice(0.93, 240, 1.12, -2, 0),
    Voice(1.10, -240, 1.00, 2, 2),
    Voice(1.22, 60, 0.92, -4, 4),
    Voice(0.90, -260, 1.18, 4, -3),
    Voice(1.05, 300, 1.04, -3, 1),
    Voice(1.19, 330, 0.96, -2, -2),
    Voice(0.97, -150, 1.20, 1, 4),
    Voice(1.13, 30, 1.06, 4, -4),
)  # fmt: skip


def voices_of(seed: int) -> dict[str, Voice]:
    """A judge and ten players: the table's voices dealt out by the seed, each a little moved."""
    g = np.random.default_rng([seed, 31])
    deal = g.permutation(len(TABLE_VOICES))
    out = {"judge": JUDGE_VOICES[int(g.integers(len(JUDGE_VOICES)))]}
    for seat in range(1, 11):
        v = TABLE_VOICES[int(deal[seat - 1])]
        u = g.uniform(-1, 1, 4)
        out[str(seat)] = Voice(
            round(v.speed * (1 + 0.012 * float(u[0])), 3),
            round(v.pitch + 20 * float(u[1])),
            round(v.tempo * (1 + 0.04 * float(u[2])), 3),
            v.low,
            v.high,
            round(3.5 * float(u[3]), 1),
        )
    return out


def change(spoken: Spoken, voice: Voice) -> Spoken:
    """The line in another voice; word times scale with its length. Raises VoiceMissing without sox."""
    if shutil.which("sox") is None:
        raise VoiceMissing(
            "Нет программы sox. Установите: apt-get install sox",
            "sox is missing. Install: apt-get install sox",
        )
    effects: list[str] = []
    if voice.speed != 1:
        effects += ["speed", f"{voice.speed:.4f}", "rate", str(RATE)]
    if voice.pitch:
        effects += ["pitch", f"{voice.pitch:.1f}"]
    if voice.tempo != 1:
        effects += ["tempo", "-s", f"{voice.tempo:.4f}"]
    if voice.low:
        effects += ["bass", f"{voice.low:.1f}"]
    if voice.high:
        effects += ["treble", f"{voice.high:.1f}", "3000"]
    samples = spoken.samples
    if effects:
        raw = (np.clip(samples * 0.6, -1, 1) * 32767).astype("<i2").tobytes()
        form = ["-t", "raw", "-r", str(RATE), "-e", "signed", "-b", "16", "-c", "1", "-"]
        command = ["sox", "-D", "-V1", *form, *form, *effects]
        done = subprocess.run(command, input=raw, capture_output=True, timeout=60, check=False)
        if done.returncode != 0:
            text = done.stderr.decode("utf-8", "replace").strip()
            raise VoiceMissing(f"sox не справился: {text}", f"sox failed: {text}")
        samples = (np.frombuffer(done.stdout, "<i2") / 32767 / 0.6).astype(np.float32)
    scale = len(samples) / max(1, len(spoken.samples))
    return Spoken(level(samples, voice.gain_db), tuple((a * scale, b * scale) for a, b in spoken.words))


def level(samples: Signal, gain_db: float) -> Signal:
    """Speech at -24 dBFS plus the person's own gain, measured over its louder half."""
    power = samples.astype(np.float64) ** 2
    if not len(power):
        return samples
    loud = power[power >= np.median(power)]
    rms = float(np.sqrt(loud.mean())) + 1e-9
    return (samples * (10 ** ((-21 + gain_db) / 20) / rms)).astype(np.float32)
