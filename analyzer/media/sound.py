"""The sound of a recording as one mono track on the recording's clock."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from typing import IO, Any

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

    def lay(start: int, piece: Samples) -> None:
        out[start : start + len(piece)] = piece

    return out[: _fill(lay, recording, track)]


class Track:
    """Sound in a file, mono 16-bit integers (32768 is 1), read slice by slice: hours of it take no memory.

    Sliced like an array of shape (n,); every slice is a new array.
    """

    dtype = np.dtype(np.int16)

    def __init__(self, file: IO[bytes], length: int) -> None:
        """`file`: open for reading as long as the track is used; `length` in samples."""
        self._file = file
        self.shape = (length,)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, part: slice) -> npt.NDArray[np.int16]:
        start, stop, _ = slice(part.start, part.stop).indices(len(self))
        self._file.seek(start * self.dtype.itemsize)
        read = self._file.read(max(stop - start, 0) * self.dtype.itemsize)
        return np.frombuffer(read, self.dtype)[:: part.step]


def on_disk(recording: Recording, track: int = 0) -> Track:
    """The same as `samples`, in a temporary file that goes with the track: 115 MB an hour.

    Raises:
        MediaError: the sound cannot be decoded at all, or the file not be written.
    """
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the track reads it as long as it lives

    def lay(start: int, piece: Samples) -> None:
        whole = np.clip(np.round(piece * 32768), -32768, 32767).astype(np.int16)
        try:
            file.seek(start * 2)
            file.write(whole.tobytes())
        except OSError as error:
            raise MediaError(
                f"Звук записи {recording.path.name} не помещается во временную папку {tempfile.gettempdir()} "
                f"({error.strerror}): освободите место, нужно около {_room(recording) // 500_000} МБ.",
                f"The sound of {recording.path.name} does not fit into the temporary folder "
                f"{tempfile.gettempdir()} ({error.strerror}): free about {_room(recording) // 500_000} MB.",
            ) from error

    return Track(file, _fill(lay, recording, track))


def _room(recording: Recording) -> int:
    return int(recording.duration * RATE // 1_000_000) + RATE if recording.audio else 0


def _fill(lay: Callable[[int, Samples], None], recording: Recording, track: int) -> int:
    """Hands the track to `lay` piece by piece (first sample, samples); where its last sample ends."""
    if not recording.audio:
        return 0
    wanted = recording.audio[min(track, len(recording.audio) - 1)]
    end, room = 0, _room(recording)
    try:
        for position, data in _pieces(recording, wanted.stream):
            # What lies before 0 are an encoder's priming samples.
            start, piece = max(position, 0), data[max(-position, 0) :]
            piece = piece[: max(room - start, 0)]
            lay(start, piece)
            end = max(end, start + len(piece)) if len(piece) else end
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
