"""Small films made on the spot: a counter burnt into flat frames, a click each second."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np

SIZE = (320, 192)


def film(
    path: Path,
    *,
    seconds: float = 3.0,
    codec: str | None = "libx264",
    pix_fmt: str = "yuv420p",
    times: list[float] | None = None,
    start: float = 0.0,
    sound: str | None = "aac",
    sound_start: float = 0.0,
    size: tuple[int, int] = SIZE,
) -> Path:
    """Write a film. `times`: presentation times of its frames (default: 25 a second); each
    frame carries its number (`frame_number` reads it)."""
    rate = 48_000 if sound in ("libopus", "opus") else 16_000
    with av.open(str(path), "w") as out:
        video = None
        if codec:
            video = out.add_stream(codec, rate=25, options={"g": "12"} if codec == "libx264" else {})
            video.width, video.height, video.pix_fmt = size[0], size[1], pix_fmt
            video.codec_context.time_base = video.time_base = Fraction(1, 12800)
        track = out.add_stream(sound, rate=rate, layout="mono") if sound else None
        if video is not None:
            for i, t in enumerate(times or [k / 25 for k in range(round(seconds * 25))]):
                frame = av.VideoFrame.from_ndarray(coded(i, size), format="bgr24")
                frame.pts, frame.time_base = round((t + start) * 12800), Fraction(1, 12800)
                out.mux(video.encode(frame))
            out.mux(video.encode(None))
        if track is not None:
            wave = np.zeros(round(seconds * rate), np.float32)
            for s in range(int(seconds)):
                wave[s * rate + rate // 2 : s * rate + rate // 2 + rate // 50] = 0.8
            fifo = av.AudioFrame.from_ndarray(wave[None, :], format="fltp", layout="mono")
            fifo.sample_rate, fifo.pts, fifo.time_base = rate, round(sound_start * rate), Fraction(1, rate)
            resampler = av.AudioResampler(
                format=track.codec_context.format,
                layout="mono",
                rate=rate,
                frame_size=track.codec_context.frame_size or 1024,
            )
            for piece in [*resampler.resample(fifo), *resampler.resample(None)]:
                out.mux(track.encode(piece))
            out.mux(track.encode(None))
    return path


def coded(i: int, size: tuple[int, int]) -> np.ndarray:
    """A frame that says its number: eight columns, black or white, most significant left."""
    bits = [(i >> (7 - k)) & 1 for k in range(8)]
    row = np.repeat(np.array([30 + 190 * b for b in bits], np.uint8), size[0] // 8)
    return np.repeat(np.tile(row, (size[1], 1))[:, :, None], 3, axis=2)


def frame_number(image: np.ndarray) -> int:
    """Which frame of the film this is (for fewer than 256 frames)."""
    width = image.shape[1] // 8
    middles = [image[:, k * width + width // 4 : (k + 1) * width - width // 4].mean() for k in range(8)]
    return sum((m > 125) << (7 - k) for k, m in enumerate(middles))
