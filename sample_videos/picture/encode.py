"""Frames and sound into an MP4: H.264 and AAC by PyAV, times as PTS.

A recording is painted in pieces of 16 seconds, each encoded by itself: any number of workers can paint them,
and the file is the same whatever their number. `join` puts the pieces and the sound together.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from mafiavar.sample_videos.picture.painter import Image
from mafiavar.sample_videos.sound.festival import RATE, Signal

PIECE_SECONDS = 16
GROUP_SECONDS = 8  # a key frame at least so often
# The display matrix of `tkhd` by the degrees by which a player turns the picture clockwise (ISO 14496-12, 8.3.2).
MATRICES = {
    90: (0, 1, -1, 0),
    180: (-1, 0, 0, -1),
    270: (0, -1, 1, 0),
}  # fmt: skip


def write_piece(
    path: Path, frames: Iterator[tuple[int, Image]], size: tuple[int, int], fps: int, crf: int, preset: str = "veryfast"
) -> None:  # fmt: skip
    """One piece without sound. frames: (frame number counted from the piece's first, yuv420p planes (3 h / 2, w))."""
    base = Fraction(1, fps)
    with av.open(str(path), "w", format="mp4") as out:
        video = out.add_stream(
            "libx264",
            rate=Fraction(fps),
            options={"crf": str(crf), "preset": preset, "g": str(fps * GROUP_SECONDS), "threads": "1"},
        )
        video.width, video.height = size
        video.pix_fmt = "yuv420p"
        video.time_base = video.codec_context.time_base = base
        for pts, planes in frames:
            f = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            f.pts, f.time_base = pts, base
            for p in video.encode(f):
                out.mux(p)
        for p in video.encode(None):
            out.mux(p)


def join(path: Path, pieces: Sequence[tuple[int, Path]], sound: Signal, fps: int, rotation: int = 0) -> None:
    """pieces: (first frame, file) in order. The sound begins at 0. rotation: degrees that a player must turn."""
    partial = path.with_name(path.name + ".part")
    with av.open(str(partial), "w", format="mp4", options={"movflags": "faststart"}) as out:
        with av.open(str(pieces[0][1])) as first:
            video = out.add_stream_from_template(first.streams.video[0])
        audio = out.add_stream("aac", rate=RATE, options={"b": "64000"})
        audio.codec_context.layout = "mono"
        speaker = _Speaker(out, audio, sound)
        for begins, file in pieces:
            with av.open(str(file)) as piece:
                for packet in piece.demux(piece.streams.video[0]):
                    if packet.dts is None or packet.pts is None:
                        continue
                    base = packet.time_base
                    assert base is not None
                    shift = round(Fraction(begins, fps) / base)
                    packet.pts += shift
                    packet.dts += shift
                    packet.stream = video
                    speaker.until(float(packet.pts * base) + 1.0)
                    out.mux(packet)
        speaker.finish()
    if rotation:
        turn(partial, rotation)
    partial.replace(path)


class _Speaker:
    """Writes the sound along with the pictures."""

    def __init__(self, out: Any, stream: Any, sound: Signal) -> None:
        self.out, self.stream = out, stream
        self.pcm = (np.clip(sound, -1, 1) * 32767).astype(np.int16)
        self.said = 0

    def until(self, second: float) -> None:
        end = min(round(second * RATE), len(self.pcm))
        while self.said < end:
            block = self.pcm[self.said : self.said + 1024]
            f = av.AudioFrame.from_ndarray(block.reshape(1, -1), format="s16", layout="mono")
            f.sample_rate, f.pts, f.time_base = RATE, self.said, Fraction(1, RATE)
            for p in self.stream.encode(f):
                self.out.mux(p)
            self.said += len(block)

    def finish(self) -> None:
        self.until(len(self.pcm) / RATE + 1)
        for p in self.stream.encode(None):
            self.out.mux(p)


def turn(path: Path, degrees: int) -> None:
    """Write into an MP4 that a player must turn its picture clockwise by `degrees` (90, 180, 270), as phones do."""
    data = bytearray(path.read_bytes())
    at = data.find(b"tkhd")
    while at >= 0:
        version = data[at + 4]
        fields = at + 4 + (84 if version == 0 else 96)  # width and height end the box
        matrix = fields - 44
        if struct.unpack_from(">I", data, fields - 8)[0]:  # a track with a width: the picture
            a, b, c, d = MATRICES[degrees]
            struct.pack_into(">9i", data, matrix, a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30)
            path.write_bytes(data)
            return
        at = data.find(b"tkhd", at + 4)


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
