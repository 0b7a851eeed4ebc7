"""Pictures of a recording by time: only the asked windows are decoded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import av
import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.errors import MediaError
from mafiavar.analyzer.media.recording import Recording, VideoTrack
from mafiavar.analyzer.span import Micros, Span

Image = npt.NDArray[np.uint8]
"""Height x width x 3, BGR, as OpenCV has it."""

_TICK = Fraction(5, 1000)
_TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


@dataclass(frozen=True, slots=True)
class Picture:
    """One decoded frame, upright (rotation flag applied); `t` on the recording's clock."""

    t: Micros
    pts: int
    image: Image


def pictures(recording: Recording, window: Span, *, every: Micros = 0) -> Iterator[Picture]:
    """Decode the frames presented within `window`, in order of time.

    `every`: at least this long between two yielded pictures (0: every frame). Frames that are
    not yielded are still decoded where the codec needs them, but not converted.

    Raises:
        MediaError: the recording has no picture, or the file cannot be opened any more.
    """
    track = _track(recording)
    try:
        with av.open(str(recording.path), metadata_errors="ignore") as container:
            stream: Any = container.streams[track.stream]
            stream.thread_type = "AUTO"
            stream.codec_context.thread_count = 2
            _seek(container, stream, track, window.t0)
            last: Micros | None = None
            for frame in _decode(container, stream):
                if frame.pts is None:
                    continue
                pts = _indexed(track, frame.pts)
                t = _time(track, pts)
                if t > window.t1:
                    return
                if t < window.t0 or (every and last is not None and t - last < every):
                    continue
                last = t
                yield Picture(t, pts, _upright(frame, track.rotation))
    except av.error.FFmpegError as error:
        raise _gone(recording) from error


def key_pictures(recording: Recording, window: Span | None = None, *, every: Micros = 0) -> Iterator[Picture]:
    """Decode only key frames (about 40 times faster than all frames), optionally thinned."""
    track = _track(recording)
    span = window or recording.span
    try:
        with av.open(str(recording.path), metadata_errors="ignore") as container:
            stream: Any = container.streams[track.stream]
            stream.codec_context.skip_frame = "NONKEY"
            _seek(container, stream, track, span.t0)
            last: Micros | None = None
            for frame in _decode(container, stream):
                if frame.pts is None:
                    continue
                pts = _indexed(track, frame.pts)
                t = _time(track, pts)
                if t > span.t1:
                    return
                if t < span.t0 or (every and last is not None and t - last < every):
                    continue
                last = t
                yield Picture(t, pts, _upright(frame, track.rotation))
    except av.error.FFmpegError as error:
        raise _gone(recording) from error


def picture_at(recording: Recording, t: Micros) -> Picture | None:
    """The frame on the screen at `t`: the last one presented at or before it."""
    track = _track(recording)
    times = track.times()
    if not len(times):
        return None
    i = int(np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 1))
    moment = int(times[i])
    return next(iter(pictures(recording, Span(moment, moment))), None)


def _track(recording: Recording) -> VideoTrack:
    if recording.video is None:
        raise MediaError(
            f"В записи {recording.path.name} нет картинки.", f"There is no picture in {recording.path.name}."
        )
    return recording.video


def _time(track: VideoTrack, pts: int) -> Micros:
    n, d = track.time_base.numerator * 1_000_000, track.time_base.denominator
    return int((pts * n * 2 + d) // (2 * d)) - track.origin


def _indexed(track: VideoTrack, pts: int) -> int:
    """The PTS of the index that a decoded frame stands for.

    Some containers (AVI) count a tick differently after a seek than when read from the start; the
    index, read from the start, is the recording's clock.
    """
    i = int(np.searchsorted(track.pts, pts))
    near = track.pts[max(0, i - 1) : i + 1]
    if not len(near):
        return pts
    best = int(near[np.argmin(np.abs(near - pts))])
    return best if abs(best - pts) * track.time_base <= _TICK else pts


def _seek(container: Any, stream: Any, track: VideoTrack, t0: Micros) -> None:
    """To the last key frame presented at or before `t0` (some containers seek a little late)."""
    if not len(track.keys):
        return
    wanted = int((t0 + track.origin) * track.time_base.denominator // (track.time_base.numerator * 1_000_000))
    i = int(np.searchsorted(track.keys, wanted, side="right")) - 1
    if i <= 0:
        return
    container.seek(int(track.keys[i]), stream=stream, backward=True, any_frame=False)


def _decode(container: Any, stream: Any) -> Iterator[Any]:
    """Frames in order; a damaged packet is passed over, not the rest of the recording."""
    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets)
        except StopIteration:
            return
        except av.error.FFmpegError:
            return
        try:
            yield from packet.decode()
        except av.error.InvalidDataError:
            continue


def _upright(frame: Any, rotation: int) -> Image:
    image: Image = frame.to_ndarray(format="bgr24")
    turn = _TURNS.get(rotation)
    return image if turn is None else np.ascontiguousarray(cv2.rotate(image, turn))


def _gone(recording: Recording) -> MediaError:
    return MediaError(
        f"Запись {recording.path.name} перестала читаться. Проверьте диск и запустите команду ещё раз: "
        "готовое сохранено.",
        f"{recording.path.name} can no longer be read. Check the disk and run the command again: "
        "what is done is kept.",
    )
