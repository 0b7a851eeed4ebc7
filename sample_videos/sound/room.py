"""The hall: reverberation, background, music, and what bad recorders do to sound."""

from __future__ import annotations

import numpy as np
import scipy.signal

from mafiavar.sample_videos.sound.festival import RATE, Signal

SPEECH_DBFS = -24.0


def decibels(x: float) -> float:
    """dB -> factor."""
    return float(10 ** (x / 20))


def impulse(g: np.random.Generator, rt60: float, distance: float) -> Signal:
    """A room's answer: the direct sound at sample 0 (no added delay), a few reflections, a dying tail.

    distance in metres moves energy from the direct sound to the tail.
    """
    n = int(RATE * rt60)
    t = np.arange(n) / RATE
    tail = g.normal(0, 1, n) * 10 ** (-3 * t / rt60)
    tail[: int(0.006 * RATE)] = 0
    tail *= 0.10 * distance / (np.sqrt((tail**2).sum()) + 1e-9)
    h = tail
    for _ in range(5):
        h[int(RATE * g.uniform(0.004, 0.035))] += g.uniform(-0.18, 0.18) * min(distance, 3) / 2
    h[0] = 1.0
    return h.astype(np.float32)


def reverberate(samples: Signal, h: Signal) -> Signal:
    return np.asarray(scipy.signal.fftconvolve(samples, h), dtype=np.float32)


def scaled(x: Signal, dbfs: float) -> Signal:
    """`x` at this RMS level."""
    rms = float(np.sqrt((x.astype(np.float64) ** 2).mean())) + 1e-12
    return (x * (decibels(dbfs) / rms)).astype(np.float32)


def hiss(g: np.random.Generator, n: int) -> Signal:
    """Pink-like noise of a hall: ventilation and a microphone."""
    settle = RATE  # the filters' own beginning is thrown away
    white = g.normal(0, 1, n + settle).astype(np.float32)
    pink = scipy.signal.lfilter([0.05, -0.096, 0.051, -0.0044], [1, -2.495, 2.017, -0.522], white)
    sos = scipy.signal.butter(2, 70 / (RATE / 2), "high", output="sos")  # below that no microphone hears
    return np.asarray(scipy.signal.sosfilt(sos, pink + 0.05 * white)[settle:], dtype=np.float32)


def babble(g: np.random.Generator, voices: list[Signal], n: int) -> Signal:
    """A murmuring hall: spoken lines laid over each other at random, none of them to be understood."""
    out = np.zeros(n, np.float32)
    if not voices:
        return hiss(g, n)
    for _ in range(int(n / RATE * 2.2) + 4):
        v = voices[int(g.integers(len(voices)))][:: int(g.choice([1, -1]))]
        at = int(g.integers(0, max(1, n - 1)))
        piece = v[: n - at]
        out[at : at + len(piece)] += piece * float(g.uniform(0.3, 1))
    return out


def clatter(g: np.random.Generator, n: int, every: float = 7.0) -> Signal:
    """Cups, chairs, doors: short decaying bursts."""
    out = np.zeros(n, np.float32)
    for _ in range(int(n / RATE / every) + 1):
        m = int(RATE * g.uniform(0.03, 0.18))
        burst = g.normal(0, 1, m) * np.exp(-np.linspace(0, 7, m))
        low = float(g.uniform(300, 2500))
        burst = scipy.signal.lfilter(
            *scipy.signal.butter(2, [low / 8000, min(0.95, low * 2.5 / 8000)], "band"), burst
        )
        at = int(g.integers(0, max(1, n - m)))
        piece = burst[: n - at]
        out[at : at + len(piece)] += (piece / (np.abs(piece).max() + 1e-9) * float(g.uniform(0.3, 1))).astype(
            np.float32
        )
    return out


def knock(g: np.random.Generator) -> Signal:
    """A knuckle on a wooden table."""
    t = np.arange(int(RATE * 0.12)) / RATE
    f = float(g.uniform(150, 240))
    wave = np.sin(2 * np.pi * f * t) * np.exp(-t * 60) + 0.5 * g.normal(0, 1, len(t)) * np.exp(-t * 220)
    return (wave * 0.35).astype(np.float32)


def music(g: np.random.Generator, n: int) -> Signal:
    """Slow night music of our own: pads over four chords with a soft pulse; fades in and out."""
    t = np.arange(n) / RATE
    out = np.zeros(n)
    root = float(g.choice([110.0, 98.0, 123.5]))
    chords = ((0, 3, 7), (-4, 0, 3), (5, 8, 12), (-2, 2, 5))
    bar = 3.2
    for k, chord in enumerate(chords * (int(n / RATE / (4 * bar)) + 1)):
        a, b = int(k * bar * RATE), min(n, int((k + 1) * bar * RATE))
        if a >= n:
            break
        x = t[a:b]
        shape = np.sin(np.pi * np.linspace(0, 1, b - a)) ** 0.5
        for step in chord:
            f = root * 2 ** (step / 12)
            for h, w in ((1, 1.0), (2, 0.5), (3, 0.25), (4.01, 0.12)):
                out[a:b] += w * shape * np.sin(2 * np.pi * f * h * x + float(g.uniform(0, 6)))
    pulse = (np.sin(2 * np.pi * 55 * t) * np.exp(-((t % 0.8) * 9))) * 2.0
    out += pulse
    fade = np.minimum(1, np.minimum(t / 1.0, (n / RATE - t) / 1.0))
    return np.asarray(out * np.clip(fade, 0, 1), dtype=np.float32)


def clipped(x: Signal, over_db: float) -> Signal:
    """A recorder driven `over_db` too hard."""
    driven = np.clip(x * decibels(over_db) * 4, -1, 1)
    return np.asarray(driven / 4 * decibels(-0.2 * over_db), dtype=np.float32)


def telephone(x: Signal) -> Signal:
    """Band of a phone call and eight logarithmic bits."""
    sos = scipy.signal.butter(4, [300 / 8000, 3400 / 8000], "band", output="sos")
    y = np.clip(scipy.signal.sosfilt(sos, x), -1, 1)
    mu = 255.0
    coded = np.round(np.sign(y) * np.log1p(mu * np.abs(y)) / np.log1p(mu) * 127) / 127
    return np.asarray(np.sign(coded) * np.expm1(np.abs(coded) * np.log1p(mu)) / mu, dtype=np.float32)


def dropouts(
    x: Signal, g: np.random.Generator, per_minute: float
) -> tuple[Signal, list[tuple[float, float]]]:
    """Holes of 60-400 ms; where they are, seconds."""
    out, holes = x.copy(), []
    for _ in range(round(len(x) / RATE / 60 * per_minute)):
        a = round(float(g.uniform(0, len(x) / RATE)), 3)
        b = round(min(a + float(g.uniform(0.06, 0.4)), len(x) / RATE), 3)
        out[round(a * RATE) : round(b * RATE)] = 0
        holes.append((a, b))
    return out, sorted(holes)
