"""A recording's index: one demux pass without decoding, time by PTS.

Source for what is read: the container's packets through PyAV (FFmpeg). Durations, frame times
and gaps are what the packets say, never a declared frame rate.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.errors import MediaError
from mafiavar.analyzer.span import Micros, Span, seconds

INDEX_VERSION = 1
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class VideoTrack:
    """The picture of a recording. `pts`: presentation order, units of `time_base`;
    `keys`: the subset that can be decoded without others; `origin`: microseconds of PTS 0 minus
    the recording's zero, so that t = round(pts * time_base * 1e6) - origin."""

    stream: int
    codec: str
    pixel_format: str
    size: tuple[int, int]
    rotation: int
    time_base: Fraction
    pts: npt.NDArray[np.int64]
    keys: npt.NDArray[np.int64]
    origin: Micros

    def times(self) -> npt.NDArray[np.int64]:
        """Presentation time of each frame, microseconds on the recording's clock, ascending."""
        return to_micros(self.pts, self.time_base) - self.origin

    @property
    def fps(self) -> float:
        """The median rate, for display only: never used to compute a time."""
        if len(self.pts) < 2:
            return 0.0
        return float(1 / (np.median(np.diff(self.pts)) * float(self.time_base)))

    @property
    def variable_rate(self) -> bool:
        """Whether frame distances vary by more than a rounding step of the time base (and 5 %)."""
        if len(self.pts) < 3:
            return False
        d = np.diff(self.pts)
        m = float(np.median(d))
        return bool(np.mean(np.abs(d - m) > max(1.0, 0.05 * m)) > 0.01)


@dataclass(frozen=True, slots=True)
class AudioTrack:
    stream: int
    codec: str
    rate: int
    channels: int


@dataclass(frozen=True, slots=True)
class Recording:
    """What one demux pass says of a media file."""

    path: Path
    sha256: str
    size_bytes: int
    container: str
    duration: Micros
    zero: Micros
    video: VideoTrack | None
    audio: tuple[AudioTrack, ...]
    warnings: tuple[str, ...]

    @property
    def span(self) -> Span:
        return Span(0, self.duration)

    def to_json(self) -> dict[str, Any]:
        """The part that belongs in case.json: small, no tables."""
        v = self.video
        return {
            "file": self.path.name,
            "sha256": self.sha256,
            "bytes": self.size_bytes,
            "container": self.container,
            "duration": seconds(self.duration),
            "video": None
            if v is None
            else {
                "codec": v.codec,
                "pixel_format": v.pixel_format,
                "size": list(v.size),
                "rotation": v.rotation,
                "frames": len(v.pts),
                "key_frames": len(v.keys),
                "fps": round(v.fps, 3),
                "variable_rate": v.variable_rate,
                "time_base": [v.time_base.numerator, v.time_base.denominator],
            },
            "audio": [{"codec": a.codec, "rate": a.rate, "channels": a.channels} for a in self.audio],
            "warnings": list(self.warnings),
        }


def to_micros(pts: npt.NDArray[np.int64], time_base: Fraction) -> npt.NDArray[np.int64]:
    """PTS array -> microseconds, rounded half up, in exact integer arithmetic."""
    n, d = time_base.numerator * 1_000_000, time_base.denominator
    # pts * n stays far below 2^63: a day at 1/90000 is 7.8e9 ticks times 1e6.
    return (pts * n * 2 + d) // (2 * d)


def index(path: Path) -> Recording:
    """Read a media file's index.

    Raises:
        MediaError: missing, empty, not a media file, or neither picture nor sound in it.
    """
    try:
        size = path.stat().st_size
    except OSError as error:
        raise MediaError(
            f"Запись не найдена: {path}. Проверьте имя файла и диск.",
            f"Recording not found: {path}. Check the name and the disk.",
        ) from error
    if path.is_dir():
        raise MediaError(f"{path} — папка, а нужна запись (файл).", f"{path} is a folder, not a recording.")
    if size == 0:
        raise MediaError(
            f"Файл {path.name} пуст (0 байт). Скопируйте запись заново.",
            f"{path.name} is empty (0 bytes). Copy the recording again.",
        )
    sha256 = _sha256(path)
    try:
        with av.open(str(path), metadata_errors="ignore") as container:
            return _demux(path, size, sha256, container)
    except (av.error.FFmpegError, UnicodeDecodeError) as error:
        raise MediaError(
            f"{path.name} не читается как видео или звук. "
            "Если файл скачивался или копировался, сделайте это заново; если запись оборвалась, "
            "попробуйте открыть её в проигрывателе и пересохранить.",
            f"{path.name} cannot be read as video or sound. "
            "Copy or download it again; if the recording broke off, open it in a player and save it anew.",
        ) from error


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as f:
        while chunk := f.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _demux(path: Path, size: int, sha256: str, container: Any) -> Recording:
    """One pass over the packets: PTS, key frames, first and last moments of every track."""
    video = next((s for s in container.streams.video if not _is_cover(s)), None)
    audio = list(container.streams.audio)
    if video is None and not audio:
        raise MediaError(
            f"В файле {path.name} нет ни картинки, ни звука.",
            f"There is neither picture nor sound in {path.name}.",
        )
    wanted = ([video] if video is not None else []) + audio
    pts: dict[int, list[int]] = {s.index: [] for s in wanted}
    ends: dict[int, int] = {}
    keys: list[int] = []
    warnings: list[str] = []
    try:
        for packet in container.demux(*wanted):
            if packet.pts is None:
                continue
            i = packet.stream.index
            pts[i].append(packet.pts)
            ends[i] = max(ends.get(i, packet.pts), packet.pts + (packet.duration or 0))
            if video is not None and i == video.index and packet.is_keyframe:
                keys.append(packet.pts)
    except av.error.FFmpegError as error:
        # A recording that breaks off is used as far as it goes.
        warnings.append(f"truncated:{error.__class__.__name__}")
    present = [s for s in wanted if pts[s.index]]
    if not present:
        raise MediaError(
            f"В файле {path.name} нет ни одного кадра или отсчёта звука: запись, видимо, оборвалась до начала.",
            f"{path.name} holds no frame and no sound sample: the recording seems to have broken off at once.",
        )
    starts = {s.index: int(_one(_first_presented(s, pts[s.index]), s.time_base)) for s in present}
    zero = min(starts.values())
    duration = max(int(_one(ends[s.index], s.time_base)) for s in present) - zero
    declared = container.duration or 0
    if declared and duration < 0.98 * declared - 500_000:
        warnings.append("truncated:shorter-than-declared")
    track = None
    if video is not None and pts[video.index]:
        track = VideoTrack(
            stream=video.index,
            codec=video.codec_context.name,
            pixel_format=str(video.codec_context.pix_fmt or ""),
            size=(int(video.codec_context.width), int(video.codec_context.height)),
            rotation=_rotation(path),
            time_base=video.time_base,
            pts=np.array(sorted(set(pts[video.index])), np.int64),
            keys=np.array(sorted(set(keys)), np.int64),
            origin=zero,
        )
    return Recording(
        path=path,
        sha256=sha256,
        size_bytes=size,
        container=container.format.name,
        duration=duration,
        zero=zero,
        video=track,
        audio=tuple(
            AudioTrack(
                s.index, s.codec_context.name, int(s.codec_context.sample_rate or 0), int(s.channels or 0)
            )
            for s in audio
            if pts[s.index]
        ),
        warnings=tuple(warnings),
    )


def _one(pts: int, time_base: Fraction) -> int:
    return int(to_micros(np.array([pts], np.int64), time_base)[0])


def _first_presented(stream: Any, pts: list[int]) -> int:
    """The first PTS that is heard or seen: an encoder's priming samples lie before it."""
    first = min(pts)
    if stream.type == "audio" and stream.start_time is not None:
        return max(first, int(stream.start_time))
    return first


def _is_cover(stream: Any) -> bool:
    """An attached picture (cover art) is no recording of a table."""
    return bool(int(stream.disposition) & int(av.stream.Disposition.attached_pic))


def _rotation(path: Path) -> int:
    """Clockwise degrees a player turns the picture by (0, 90, 180, 270), from the first frame."""
    try:
        with av.open(str(path), metadata_errors="ignore") as container:
            frame = next(container.decode(video=0), None)
            return int(-frame.rotation) % 360 if frame is not None else 0
    except (av.error.FFmpegError, StopIteration):
        return 0


def save(recording: Recording, folder: Path) -> None:
    """Write the index with its PTS tables (index.json, pts.npy, keys.npy) into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    v = recording.video
    (folder / "index.json").write_text(
        json.dumps(
            {
                "path": str(recording.path),
                "sha256": recording.sha256,
                "size_bytes": recording.size_bytes,
                "container": recording.container,
                "duration": recording.duration,
                "zero": recording.zero,
                "warnings": list(recording.warnings),
                "audio": [[a.stream, a.codec, a.rate, a.channels] for a in recording.audio],
                "video": None
                if v is None
                else {
                    "stream": v.stream,
                    "codec": v.codec,
                    "pixel_format": v.pixel_format,
                    "size": list(v.size),
                    "rotation": v.rotation,
                    "time_base": [v.time_base.numerator, v.time_base.denominator],
                    "origin": v.origin,
                },
            },
            ensure_ascii=False,
            indent=1,
        ),
        encoding="utf-8",
    )
    if v is not None:
        np.save(folder / "pts.npy", v.pts)
        np.save(folder / "keys.npy", v.keys)


def load(folder: Path) -> Recording:
    """Read back what `save` wrote."""
    d = json.loads((folder / "index.json").read_text("utf-8"))
    v = d["video"]
    return Recording(
        path=Path(d["path"]),
        sha256=d["sha256"],
        size_bytes=d["size_bytes"],
        container=d["container"],
        duration=d["duration"],
        zero=d["zero"],
        video=None
        if v is None
        else VideoTrack(
            v["stream"],
            v["codec"],
            v["pixel_format"],
            (v["size"][0], v["size"][1]),
            v["rotation"],
            Fraction(*v["time_base"]),
            np.load(folder / "pts.npy"),
            np.load(folder / "keys.npy"),
            v["origin"],
        ),
        audio=tuple(AudioTrack(*a) for a in d["audio"]),
        warnings=tuple(d["warnings"]),
    )
