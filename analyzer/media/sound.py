"""The sound of a recording as one mono track on the recording's clock."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import av
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.errors import MediaError
from mafiavar.analyzer.media.recording import Recording

RATE = 16_000
_JUMP = RATE // 20
Samples = npt.NDArray[np.float32]
"""Mono, 16 kHz, -1..1; sample i lies at i / RATE seconds on the recording's clock."""


def samples(recording: Recording, track: int = 0) -> Samples:
    """Decode an audio track to 16 kHz mono.

    Gaps and late starts are filled with silence by PTS, so that sample numbers are times.
    A recording without sound gives an empty array.

    Raises:
        MediaError: the sound cannot be decoded at all.
    """
    out = np.zeros(_room(recording), np.float32)
    return out[: _fill(out, recording, track)]


def samples16(recording: Recording, track: int = 0) -> npt.NDArray[np.int16]:
    """The same as 16-bit integers (32768 is 1): half the memory, for hours of sound."""
    out = np.zeros(_room(recording), np.int16)
    return out[: _fill(out, recording, track)]


def _room(recording: Recording) -> int:
    return int(recording.duration * RATE // 1_000_000) + RATE if recording.audio else 0


def _fill(out: npt.NDArray[Any], recording: Recording, track: int) -> int:
    """Lay the track into `out`; where its last sample ends."""
    if not recording.audio:
        return 0
    wanted = recording.audio[min(track, len(recording.audio) - 1)]
    end = 0
    try:
        for position, data in _pieces(recording, wanted.stream):
            # What lies before 0 are an encoder's priming samples.
            start, piece = max(position, 0), data[max(-position, 0) :]
            room = out[start : start + len(piece)]
            piece = piece[: len(room)]
            room[:] = np.clip(np.round(piece * 32768), -32768, 32767) if out.dtype == np.int16 else piece
            end = max(end, start + len(room))
    except (av.error.FFmpegError, IndexError) as error:
        raise MediaError(
            f"Звук записи {recording.path.name} не читается ({error.__class__.__name__}).",
            f"The sound of {recording.path.name} cannot be read ({error.__class__.__name__}).",
        ) from error
    return end


def _pieces(recording: Recording, stream_index: int) -> Iterator[tuple[int, Samples]]:
    """(sample number, samples) in order; the number jumps where PTS jump."""
    position: int | None = None
    container: Any
    with av.open(str(recording.path), metadata_errors="ignore") as container:
        stream = container.streams[stream_index]
        resampler = av.AudioResampler(format="flt", layout="mono", rate=RATE)
        for packet in container.demux(stream):
            try:
                frames = packet.decode()
            except av.error.InvalidDataError:
                position = None
                continue
            for frame in frames:
                if frame.pts is not None:
                    t = float(frame.pts * frame.time_base) - recording.zero / 1_000_000
                    at = round(t * RATE)
                    # Small jitter of PTS is the container's rounding; only real jumps count.
                    if position is None or abs(at - position) > _JUMP:
                        position = at
                frame.pts = None
                for piece in resampler.resample(frame):
                    data = piece.to_ndarray().reshape(-1).astype(np.float32, copy=False)
                    position = position or 0
                    yield position, data
                    position += len(data)
        for piece in resampler.resample(None):
            yield position or 0, piece.to_ndarray().reshape(-1).astype(np.float32, copy=False)
