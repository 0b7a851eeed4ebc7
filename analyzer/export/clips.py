"""A clip per disputed incident: with pre- and post-roll, copied where key frames allow, else encoded.

A copied clip holds the camera's own bytes and costs nothing; it begins with the key frame before
the wanted moment. Where none is near, the codec is not what every phone plays, or the bytes would
be too many for a chat, the stretch is encoded small. What was done, and the command that does the
same by hand, stand in `clips.json` beside the clips.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from mafiavar.analyzer.errors import MediaError
from mafiavar.analyzer.flags.incidents import incidents_of
from mafiavar.analyzer.media.picture import fitted, pictures
from mafiavar.analyzer.media.recording import Recording, VideoTrack, to_micros
from mafiavar.analyzer.span import SECOND, Micros, Span, micros, seconds

FOLDER = "evidence/clips"
BEFORE: Micros = 3 * SECOND
AFTER: Micros = 3 * SECOND
LONGEST: Micros = 40 * SECOND
NEAR: Micros = 2_500_000
"""A key frame at most so long before the wanted moment lets the clip be copied."""
LARGEST = 8 << 20
"""Bytes of a copied clip; messengers and phones take that without asking."""
HEIGHT = 540
_PLAYS_ANYWHERE = {("h264", "yuv420p"), ("h264", "yuvj420p")}


@dataclass(frozen=True, slots=True, order=True)
class Wanted:
    """A stretch of the game's clock to be shown, of one recording."""

    t0: Micros
    t1: Micros
    recording: int

    @property
    def path(self) -> str:
        """Where it lies in the case folder: by content, so that the same stretch is stored once."""
        return f"{FOLDER}/r{self.recording}-{self.t0 // 1000}-{self.t1 // 1000}.mp4"


@dataclass(frozen=True, slots=True)
class Cut:
    """How a clip was made: `mode` copy or encode; `starts`: the second of the recording it begins with;
    `command`: what does the same by hand."""

    path: str
    mode: str
    starts: float
    size: int
    command: str


def wanted_clips(flags: Mapping[str, Any]) -> list[Wanted]:
    """A clip for every incident that is more than a note; sets `clip` on its flags (flags.json)."""
    out: set[Wanted] = set()
    for incident in incidents_of(flags["flags"]):
        if incident.first["severity"] == "note":
            continue
        t0 = max(0, min(micros(float(f["t0"])) for f in incident.all) - BEFORE)
        t1 = max(micros(float(f["t1"])) for f in incident.all) + AFTER
        seen = next((e for f in incident.all for e in f["evidence"] if e.get("pts") is not None), None)
        clip = Wanted(t0, min(t1, t0 + LONGEST), int(seen["recording"]) if seen else 0)
        out.add(clip)
        for flag in incident.all:
            if isinstance(flag, dict):
                flag["clip"] = clip.path
    return sorted(out)


def cut_all(
    wanted: Sequence[Wanted], recordings: Sequence[tuple[Recording, Micros]], folder: Path
) -> list[Cut]:
    """Write every clip and `clips.json` below `folder` (which plays the case's root).

    `recordings`: each with the place of its 0 on the game's clock. A stretch that lies outside its
    recording makes no clip.
    """
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    cuts = []
    for clip in wanted:
        recording, shift = recordings[clip.recording]
        window = Span(clip.t0 - shift, clip.t1 - shift) & recording.span
        if window is not None and window.duration > 0:
            cuts.append(cut(recording, window, folder / clip.path, clip.path))
    rows = [
        {"path": c.path, "mode": c.mode, "starts": c.starts, "bytes": c.size, "command": c.command}
        for c in cuts
    ]
    text = json.dumps({"schema": "mafiavar/clips@1", "clips": rows}, ensure_ascii=False, indent=1)
    (folder / FOLDER / "clips.json").write_text(text + "\n", "utf-8")
    return cuts


def cut(recording: Recording, window: Span, target: Path, name: str = "") -> Cut:
    """One clip of `window` (the recording's clock). Raises MediaError when the file is gone."""
    video = recording.video
    key = _key_before(video, window.t0) if video is not None else None
    name = name or target.name
    if key is not None and (video.codec, video.pixel_format) in _PLAYS_ANYWHERE and not video.rotation:  # type: ignore[union-attr]
        size = _copied(recording, key, window, target)
        if size is not None:
            length = window.t1 - key[1]
            command = _command(recording, key[1], length, ["-c", "copy", "-avoid_negative_ts", "make_zero"])
            return Cut(name, "copy", seconds(key[1]), size, command)
    _encoded(recording, window, target)
    how = ["-vf", f"scale=-2:{_height(video)}", "-c:v", "libx264", "-preset", "veryfast", "-crf", "26",
           "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "64k", "-ac", "1"]  # fmt: skip
    command = _command(recording, window.t0, window.duration, how)
    return Cut(name, "encode", seconds(window.t0), target.stat().st_size, command)


def _height(video: VideoTrack | None) -> int:
    if video is None:
        return HEIGHT
    return min(HEIGHT, video.size[1] if video.rotation % 180 == 0 else video.size[0]) // 2 * 2


def _command(recording: Recording, t0: Micros, length: Micros, how: Sequence[str]) -> str:
    start = (t0 + recording.zero) / SECOND
    return shlex.join(
        ["ffmpeg", "-ss", f"{start:.6f}", "-i", recording.path.name, "-t", f"{length / SECOND:.6f}", *how,
         "-movflags", "+faststart", "clip.mp4"]
    )  # fmt: skip


def _key_before(video: VideoTrack | None, t0: Micros) -> tuple[int, Micros] | None:
    """(PTS, time) of the last key frame at or before `t0`, when it is near enough."""
    if video is None or not len(video.keys):
        return None
    times = to_micros(video.keys, video.time_base) - video.origin
    i = int(np.searchsorted(times, t0, side="right")) - 1
    if i < 0 or t0 - int(times[i]) > NEAR:
        return None
    return int(video.keys[i]), int(times[i])


def _copied(recording: Recording, key: tuple[int, Micros], window: Span, target: Path) -> int | None:
    """Packets from the key frame to the end of the window, as they are. None: too many bytes, or the
    container cannot be copied from."""
    video = recording.video
    assert video is not None
    part = target.with_suffix(".part.mp4")
    total = 0
    try:
        with (
            av.open(str(recording.path), metadata_errors="ignore") as source,
            av.open(str(part), "w", options={"movflags": "+faststart"}) as sink,
        ):
            tracks = [source.streams[video.stream]]
            if recording.audio and recording.audio[0].codec == "aac":
                tracks.append(source.streams[recording.audio[0].stream])
            out = {s.index: sink.add_stream_from_template(s) for s in tracks}
            zero = {s.index: _ticks(key[1] + recording.zero, _base(s)) for s in tracks}
            zero[video.stream] = key[0]
            source.seek(key[0], stream=source.streams[video.stream], backward=True)
            open_tracks = {s.index for s in tracks}
            started = False
            for packet in source.demux(tracks):
                if packet.pts is None or packet.dts is None or packet.stream.index not in open_tracks:
                    continue
                index, own = packet.stream.index, packet.stream.index == video.stream
                started = started or (own and packet.pts == key[0])
                if not started or packet.pts < zero[index]:
                    continue
                if _at(packet, recording.zero) > window.t1:
                    open_tracks.discard(index)
                    if not open_tracks:
                        break
                    continue
                total += packet.size
                if total > LARGEST:
                    raise _TooLarge
                packet.pts, packet.dts = packet.pts - zero[index], packet.dts - zero[index]
                packet.stream = out[index]
                sink.mux(packet)
            if not started:
                raise _TooLarge
    except (av.error.FFmpegError, ValueError, _TooLarge):
        part.unlink(missing_ok=True)
        return None
    part.replace(target)
    return target.stat().st_size


class _TooLarge(Exception):
    """The stretch is better encoded small."""


def _base(stream: Any) -> Fraction:
    return Fraction(stream.time_base or Fraction(1, 90_000))


def _ticks(t: Micros, base: Fraction) -> int:
    return round(t / (base * SECOND))


def _at(packet: Any, zero: Micros) -> Micros:
    t: Micros = round(packet.pts * packet.time_base * SECOND) - zero
    return t


def _encoded(recording: Recording, window: Span, target: Path) -> None:
    """The window as H.264 and AAC, at most `HEIGHT` pixels high, every frame at its own time."""
    part = target.with_suffix(".part.mp4")
    with av.open(str(part), "w", options={"movflags": "+faststart"}) as sink:
        stream = _video_stream(sink, recording.video) if recording.video is not None else None
        sound = (
            sink.add_stream("aac", rate=48_000, layout="mono", bit_rate=64_000) if recording.audio else None
        )
        if stream is None and sound is None:
            raise MediaError("В записи нечего вырезать.", "There is nothing to cut in the recording.")
        if stream is not None:
            for picture in pictures(recording, window):
                frame = av.VideoFrame.from_ndarray(
                    fitted(picture.image, (stream.width, stream.height)), format="bgr24"
                )
                frame.pts, frame.time_base = (picture.t - window.t0) * 90 // 1000, Fraction(1, 90_000)
                sink.mux(stream.encode(frame))
            sink.mux(stream.encode(None))
        if sound is not None:
            _encode_sound(sink, sound, recording, window)
    part.replace(target)


def _video_stream(sink: Any, video: VideoTrack) -> Any:
    w, h = video.size if video.rotation % 180 == 0 else video.size[::-1]
    scale = min(1.0, HEIGHT / h)
    stream = sink.add_stream("libx264", rate=max(1, round(video.fps or 25)))
    stream.width, stream.height = round(w * scale / 2) * 2, round(h * scale / 2) * 2
    stream.pix_fmt = "yuv420p"
    stream.time_base = stream.codec_context.time_base = Fraction(1, 90_000)
    stream.codec_context.thread_count = 1  # the same bytes on every machine
    stream.options = {"preset": "veryfast", "crf": "26", "bf": "0"}
    return stream


def _encode_sound(sink: Any, stream: Any, recording: Recording, window: Span) -> None:
    """The sound frames of the window, mono; its edges are true to a frame (about 20 ms)."""
    resampler = av.AudioResampler(format="fltp", layout="mono", rate=48_000)
    done = 0
    with av.open(str(recording.path), metadata_errors="ignore") as source:
        track: Any = source.streams[recording.audio[0].stream]
        base = _base(track)
        source.seek(max(0, _ticks(window.t0 + recording.zero, base)), stream=track, backward=True)
        frame: Any
        for frame in source.decode(track):
            if frame.pts is None:
                continue
            t = round(frame.pts * base * SECOND) - recording.zero
            if t > window.t1:
                break
            if t + round(frame.samples * SECOND / frame.sample_rate) <= window.t0:
                continue
            frame.pts = None
            for piece in resampler.resample(frame):
                piece.pts, piece.time_base = done, Fraction(1, 48_000)
                done += piece.samples
                sink.mux(stream.encode(piece))
    for piece in resampler.resample(None):
        piece.pts, piece.time_base = done, Fraction(1, 48_000)
        done += piece.samples
        sink.mux(stream.encode(piece))
    sink.mux(stream.encode(None))
