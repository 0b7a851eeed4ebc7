"""Frames and sound into an MP4: H.264 and AAC by PyAV, times as PTS."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from mafiavar.sample_videos.picture.painter import Image
from mafiavar.sample_videos.sound.festival import RATE, Signal


def write_video(
    path: Path, frames: Iterator[tuple[int, Image]], sound: Signal, size: tuple[int, int], *, time_base: Fraction, rate: Fraction,
    crf: int, preset: str = "veryfast", rotation: int = 0,
) -> None:  # fmt: skip
    """frames: (pts in `time_base`, yuv420p planes as (3 h / 2, w)). The sound begins at 0."""
    partial = path.with_name(path.name + ".part")
    with av.open(str(partial), "w", format="mp4", options={"movflags": "faststart"}) as out:
        video = out.add_stream(
            "libx264",
            rate=rate,
            options={"crf": str(crf), "preset": preset, "g": str(int(rate * 8)), "threads": "1"},
        )
        video.width, video.height = size
        video.pix_fmt = "yuv420p"
        video.time_base = video.codec_context.time_base = time_base
        if rotation:
            video.metadata["rotate"] = str(rotation)
        audio = out.add_stream("aac", rate=RATE, options={"b": "64000"})
        audio.codec_context.layout = "mono"
        pcm = (np.clip(sound, -1, 1) * 32767).astype(np.int16)
        said = 0

        def speak(until: int) -> None:
            nonlocal said
            while said < min(until, len(pcm)):
                block = pcm[said : said + 1024]
                f = av.AudioFrame.from_ndarray(block.reshape(1, -1), format="s16", layout="mono")
                f.sample_rate, f.pts, f.time_base = RATE, said, Fraction(1, RATE)
                for p in audio.encode(f):
                    out.mux(p)
                said += len(block)

        for pts, planes in frames:
            f = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            f.pts, f.time_base = pts, time_base
            for p in video.encode(f):
                out.mux(p)
            speak(round(float(pts * time_base) * RATE) + RATE)
        speak(len(pcm))
        for p in video.encode(None):
            out.mux(p)
        for p in audio.encode(None):
            out.mux(p)
    partial.replace(path)


def write_sound(path: Path, sound: Signal) -> None:
    """Sound alone: .wav as PCM, .ogg or .opus as Opus, .m4a as AAC, .flac."""
    pcm = (np.clip(sound, -1, 1) * 32767).astype(np.int16)
    codec = {".wav": "pcm_s16le", ".ogg": "libopus", ".opus": "libopus", ".m4a": "aac", ".flac": "flac"}.get(
        path.suffix.lower(), "libopus"
    )
    container = {".wav": "wav", ".m4a": "mp4", ".flac": "flac"}.get(path.suffix.lower(), "ogg")
    partial = path.with_name(path.name + ".part")
    with av.open(str(partial), "w", format=container) as out:
        stream: Any = out.add_stream(codec, rate=RATE)
        stream.codec_context.layout = "mono"
        if codec == "libopus":
            stream.codec_context.bit_rate = 32_000
        resample = av.AudioResampler(
            format=stream.codec_context.format, layout="mono", rate=stream.codec_context.sample_rate or RATE
        )
        for k in range(0, len(pcm), 4096):
            f = av.AudioFrame.from_ndarray(pcm[k : k + 4096].reshape(1, -1), format="s16", layout="mono")
            f.sample_rate, f.pts, f.time_base = RATE, k, Fraction(1, RATE)
            for r in resample.resample(f):
                for p in stream.encode(r):
                    out.mux(p)
        for r in resample.resample(None):
            for p in stream.encode(r):
                out.mux(p)
        for p in stream.encode(None):
            out.mux(p)
    partial.replace(path)
