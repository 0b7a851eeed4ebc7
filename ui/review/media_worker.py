"""The process that opens media: recordings are never decoded inside the server.

    python -m mafiavar.ui.review.media_worker

reads one JSON request a line on stdin and answers with one JSON line on stdout. Memory is
limited where the system can; time is limited by the caller, who ends this process and starts
another. Results are files in the review's cache, written whole or not at all.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

from mafiavar.analyzer.errors import MafiavarError, MediaError
from mafiavar.analyzer.media.picture import Image, fitted, pictures
from mafiavar.analyzer.media.recording import Recording, index, load, save
from mafiavar.analyzer.media.sound import RATE, samples
from mafiavar.analyzer.span import Span, micros
from mafiavar.ui.review.media_client import PEAKS_PER_SECOND

MEMORY_BYTES = 4 << 30
LONGEST_CLIP = 180.0
# A key frame every half second: a seek in the review decodes at most this much.
KEY_EVERY = 0.5
Box = tuple[int, int, int, int]


def main() -> int:
    limit_memory()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"ok": COMMANDS[request.pop("do")](**request)}
        except MafiavarError as error:
            answer = {"error": [error.russian, error.english]}
        except (av.error.FFmpegError, OSError, ValueError, MemoryError) as error:
            # A process boundary: whatever foreign media does to the libraries ends here.
            cause = f"{error.__class__.__name__}: {error}"[:300]
            answer = {"error": [f"Запись не удалось обработать ({cause}).", f"Processing failed ({cause})."]}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return 0


def limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, hard))


def do_index(path: str, out: str) -> dict[str, Any]:
    """Index a recording into folder `out` (once) and say what it is."""
    recording = _indexed(path, out)
    v = recording.video
    times = Path(out) / "times.f64"
    if v is not None and not times.exists():
        _whole(times, (v.times() / 1e6).astype("<f8").tobytes())
    return {**recording.to_json(), "has_video": v is not None}


@lru_cache(maxsize=6)
def _loaded(path: str, out: str) -> Recording:
    folder = Path(out)
    if not (folder / "index.json").exists():
        save(index(Path(path)), folder)
    recording = load(folder)
    if recording.path != Path(path):
        # The cache is by content; the file may have moved since.
        from dataclasses import replace

        recording = replace(recording, path=Path(path))
    return recording


def _indexed(path: str, out: str) -> Recording:
    if not Path(path).is_file():
        raise MediaError(f"Запись не найдена: {Path(path).name}.", f"Recording not found: {Path(path).name}.")
    return _loaded(path, out)


def do_crops(path: str, out: str, wanted: list[dict[str, Any]], height: int) -> list[str]:
    """JPEGs of boxes at moments: `wanted` has t (seconds), box [x,y,w,h] or null, file (target path).

    The frame taken is the one on the screen at t. Moments close together share one decoding.
    """
    recording = _indexed(path, out)
    if recording.video is None:
        raise MediaError("В записи нет картинки.", "There is no picture in the recording.")
    times = recording.video.times()
    by_time: dict[int, list[dict[str, Any]]] = {}
    for w in wanted:
        # Files have milliseconds: half of one lies between what is written and the frame meant.
        i = int(np.searchsorted(times, micros(float(w["t"])) + 500, side="right")) - 1
        by_time.setdefault(int(times[max(0, min(i, len(times) - 1))]), []).append(w)
    done = []
    for moment, image in _frames_at(recording, sorted(by_time)):
        for w in by_time[moment]:
            _write_crop(image, w["box"], height, Path(w["file"]))
            done.append(str(w["file"]))
    return done


def _frames_at(recording: Recording, moments: list[int]) -> Iterator[tuple[int, Image]]:
    """Each wanted frame once; neighbours within two seconds in one pass."""
    group: list[int] = []
    for moment in [*moments, None]:
        if group and (moment is None or moment - group[-1] > 2_000_000):
            left = set(group)
            for picture in pictures(recording, Span(group[0], group[-1])):
                if picture.t in left:
                    yield picture.t, picture.image
            group = []
        if moment is not None:
            group.append(moment)


def _write_crop(image: Image, box: list[int] | None, height: int, file: Path) -> None:
    if box is not None:
        h, w = image.shape[:2]
        x0, y0 = max(0, min(box[0], w - 2)), max(0, min(box[1], h - 2))
        image = image[y0 : max(y0 + 2, min(h, box[1] + box[3])), x0 : max(x0 + 2, min(w, box[0] + box[2]))]
    scale = height / image.shape[0]
    if scale != 1:
        kind = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        image = cv2.resize(image, (max(2, round(image.shape[1] * scale)), height), interpolation=kind)
    good, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 88])
    if not good:
        raise ValueError("the picture could not be written as JPEG")
    _whole(file, data.tobytes())


def do_peaks(path: str, out: str) -> str:
    """Loudness for the timeline: one byte per 1/50 s, 255 = the loudest of the recording."""
    recording = _indexed(path, out)
    file = Path(out) / "peaks.u8"
    if not file.exists():
        sound = np.abs(samples(recording))
        step = RATE // PEAKS_PER_SECOND
        whole = sound[: len(sound) // step * step].reshape(-1, step).max(axis=1) if len(sound) else sound
        top = float(whole.max()) if len(whole) else 1.0
        # Square root: whispers stay visible beside shouts.
        _whole(file, (np.sqrt(whole / (top or 1.0)) * 255).astype(np.uint8).tobytes())
    return str(file)


def do_clip(path: str, out: str, *, t0: float, t1: float, file: str, height: int) -> str:
    """A clip of exactly [t0, t1] seconds, H.264 + AAC, that any browser and any chat plays.

    Frames before t0 are decoded but never written: nothing of a neighbouring night slips in.
    """
    if not 0 <= t0 < t1 or t1 - t0 > LONGEST_CLIP:
        raise MediaError("Такой отрезок вырезать нельзя.", "Such a stretch cannot be cut.")
    target = Path(file)
    if not target.exists():
        _encode(_indexed(path, out), target, Span(micros(t0), micros(t1)), height, _untold)
    return file


def _untold(_share: float) -> None:
    """A clip is short: nobody waits for its progress."""


def do_proxy(path: str, out: str, progress: str) -> str:
    """The whole recording as a browser plays it, with every frame at its own PTS."""
    recording = _indexed(path, out)
    target = Path(out) / "proxy.mp4"
    if not target.exists():
        _encode(
            recording,
            target,
            recording.span,
            1080,
            lambda share: _whole(Path(progress), f"{share:.4f}".encode()),
        )
    return str(target)


def _encode(
    recording: Recording, file: Path, window: Span, height: int, told: Callable[[float], None]
) -> None:
    """Encode `window`; writes `<file>.map.json`: output PTS -> original PTS of every frame."""
    part = file.with_suffix(".part.mp4")
    file.parent.mkdir(parents=True, exist_ok=True)
    mapping: list[tuple[int, int]] = []
    with av.open(str(part), "w", options={"movflags": "+faststart"}) as target:
        video = _video_stream(target, recording, height)
        sound = target.add_stream("aac", rate=48_000, layout="mono") if recording.audio else None
        if video is not None:
            for picture in pictures(recording, window):
                t = picture.t - window.t0
                frame = av.VideoFrame.from_ndarray(
                    fitted(picture.image, (video.width, video.height)), format="bgr24"
                )
                frame.pts, frame.time_base = t * 90 // 1000, Fraction(1, 90_000)
                mapping.append((frame.pts, picture.pts))
                for packet in video.encode(frame):
                    target.mux(packet)
                if len(mapping) % 100 == 0:
                    told(t / max(1, window.duration))
            for packet in video.encode(None):
                target.mux(packet)
        if sound is not None:
            _encode_sound(target, sound, recording, window)
    _whole(
        file.with_suffix(".map.json"),
        json.dumps(
            {
                "time_base": [1, 90_000],
                "original_time_base": [
                    recording.video.time_base.numerator,
                    recording.video.time_base.denominator,
                ]
                if recording.video
                else None,
                "start": window.t0 / 1e6,
                "pts": mapping,
            }
        ).encode(),
    )
    part.replace(file)
    told(1.0)


def _video_stream(target: Any, recording: Recording, height: int) -> Any:
    v = recording.video
    if v is None:
        return None
    w, h = v.size if v.rotation % 180 == 0 else v.size[::-1]
    scale = min(1.0, height / h)
    # The rate is only what the encoder plans by; time comes from each frame's PTS.
    stream = target.add_stream("libx264", rate=max(1, round(v.fps or 25)))
    stream.width, stream.height = round(w * scale / 2) * 2, round(h * scale / 2) * 2
    stream.pix_fmt = "yuv420p"
    stream.time_base = stream.codec_context.time_base = Fraction(1, 90_000)
    stream.codec_context.gop_size = max(1, round((v.fps or 25) * KEY_EVERY))
    stream.codec_context.thread_count = 2
    # No B-frames: the first frame then keeps its PTS without an edit list.
    stream.options = {"preset": "veryfast", "crf": "23", "bf": "0"}
    return stream


def _encode_sound(target: Any, stream: Any, recording: Recording, window: Span) -> None:
    data = samples(recording)[window.t0 * RATE // 1_000_000 : window.t1 * RATE // 1_000_000]
    resampler = av.AudioResampler(format="fltp", layout="mono", rate=48_000)
    for start in range(0, len(data), 1024 * 64):
        frame = av.AudioFrame.from_ndarray(data[None, start : start + 1024 * 64], format="flt", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = RATE, start, Fraction(1, RATE)
        for piece in resampler.resample(frame):
            target.mux(stream.encode(piece))
    for piece in resampler.resample(None):
        target.mux(stream.encode(piece))
    target.mux(stream.encode(None))


def _whole(file: Path, data: bytes) -> None:
    """Write all or nothing: a killed worker leaves no half file behind."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(file.name + ".part")
    part.write_bytes(data)
    part.replace(file)


def do_ready() -> bool:
    """Answers at once: asked at the start so that the libraries are loaded before anybody waits."""
    return True


COMMANDS: dict[str, Callable[..., Any]] = {
    "ready": do_ready,
    "index": do_index,
    "crops": do_crops,
    "peaks": do_peaks,
    "clip": do_clip,
    "proxy": do_proxy,
}

if __name__ == "__main__":
    raise SystemExit(main())
