"""Recordings as people have them: containers, codecs, broken files; time is PTS in all of them."""

from __future__ import annotations

from errno import ENOSPC
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from mafiavar.analyzer.errors import MediaError
from mafiavar.analyzer.media import recording as media
from mafiavar.analyzer.media import sound
from mafiavar.analyzer.media.picture import key_pictures, picture_at, pictures
from mafiavar.analyzer.media.worker import in_worker
from mafiavar.analyzer.span import SECOND, Span

from .films import film, frame_number


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("a.mp4", {}),
        ("b.mkv", {}),
        ("c.mov", {"codec": "libx265"}),
        ("d.mkv", {"codec": "libx265", "pix_fmt": "yuv420p10le"}),
        ("e.ts", {}),
        ("f.webm", {"codec": "libvpx", "sound": "libopus"}),
        ("g.avi", {"codec": "mjpeg", "pix_fmt": "yuvj420p", "sound": "pcm_s16le"}),
    ],
)
def test_every_frame_has_its_time(tmp_path: Path, name: str, how: dict) -> None:
    recording = media.index(film(tmp_path / name, **how))
    assert recording.video is not None and len(recording.video.pts) == 75
    assert abs(recording.duration - 3 * SECOND) < 0.08 * SECOND
    window = Span.of(1.0, 1.6)
    shown = [(p.t, frame_number(p.image)) for p in pictures(recording, window)]
    expected = [i for i, t in enumerate(recording.video.times()) if t in window]
    assert [n for _, n in shown] == expected
    assert [t for t, _ in shown] == [int(recording.video.times()[i]) for i in expected]


def test_variable_rate_keeps_pts(tmp_path: Path) -> None:
    times = list(np.cumsum([0.0] + [0.04, 0.04, 0.12, 0.02] * 12))
    recording = media.index(film(tmp_path / "v.mp4", times=times, sound=None))
    assert recording.video is not None and recording.video.variable_rate
    assert np.allclose(recording.video.times() / 1e6, times, atol=1e-4)
    shown = picture_at(recording, round(times[20] * 1e6) + 100)
    assert shown is not None and frame_number(shown.image) == 20


def test_zero_is_the_earliest_presented_moment(tmp_path: Path) -> None:
    """Picture starts 0.2 s after the sound: times count from the sound's first sample."""
    recording = media.index(film(tmp_path / "late.mkv", start=1.2, sound_start=1.0))
    assert recording.video is not None
    assert recording.video.times()[0] == pytest.approx(0.2 * SECOND, abs=2000)
    wave = sound.samples(recording)
    first_click = int(np.argmax(np.abs(wave) > 0.4)) / sound.RATE
    assert first_click == pytest.approx(0.5, abs=0.03)


def test_sound_and_click_agree_in_mp4_with_priming(tmp_path: Path) -> None:
    recording = media.index(film(tmp_path / "a.mp4"))
    wave = sound.samples(recording)
    clicks = np.flatnonzero((np.abs(wave[1:]) > 0.4) & (np.abs(wave[:-1]) <= 0.4)) / sound.RATE
    assert clicks[0] == pytest.approx(0.5, abs=0.01)


def test_key_pictures_and_thinning(tmp_path: Path) -> None:
    recording = media.index(film(tmp_path / "a.mp4"))
    assert recording.video is not None
    assert [p.pts for p in key_pictures(recording)] == recording.video.keys.tolist()
    thin = list(pictures(recording, recording.span, every=SECOND // 2))
    assert all(b.t - a.t >= SECOND // 2 for a, b in pairwise(thin))


def test_index_survives_the_disk(tmp_path: Path) -> None:
    recording = media.index(film(tmp_path / "a.mp4"))
    media.save(recording, tmp_path / "index")
    again = media.load(tmp_path / "index")
    assert recording.video is not None and again.video is not None
    assert np.array_equal(again.video.pts, recording.video.pts)
    assert again.to_json() == recording.to_json()


def test_sound_only_and_picture_only(tmp_path: Path) -> None:
    only_sound = media.index(film(tmp_path / "s.ogg", codec=None, sound="libopus"))
    assert only_sound.video is None and only_sound.audio
    with pytest.raises(MediaError, match="нет картинки"):
        list(pictures(only_sound, only_sound.span))
    only_picture = media.index(film(tmp_path / "p.mp4", sound=None))
    assert len(sound.samples(only_picture)) == len(sound.on_disk(only_picture)) == 0


def test_sixteen_bits_are_the_same_sound(tmp_path: Path) -> None:
    recording = media.index(film(tmp_path / "s.ogg", codec=None, sound="libopus"))
    wave, track = sound.samples(recording), sound.on_disk(recording)
    whole = track[:]
    assert whole.dtype == np.int16 and track.shape == (len(track),) == wave.shape and np.abs(wave).max() > 0.1
    assert np.abs(whole / 32768 - np.clip(wave, -1, 1)).max() <= 1 / 32768
    for part in (slice(100, 300), slice(-50, None), slice(None, 10), slice(300, 100), slice(0, 10**9)):
        assert np.array_equal(track[part], whole[part])


def test_sound_that_does_not_fit_the_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(BytesIO):
        def write(self, _: object) -> int:
            raise OSError(ENOSPC, "No space left on device")

    recording = media.index(film(tmp_path / "s.ogg", codec=None, sound="libopus"))
    monkeypatch.setattr(sound.tempfile, "TemporaryFile", Full)
    with pytest.raises(MediaError, match="освободите место"):
        sound.on_disk(recording)


def broken(tmp_path: Path, how: str) -> Path:
    whole = film(tmp_path / "whole.mp4").read_bytes()
    path = tmp_path / "broken.mp4"
    path.write_bytes(
        {
            "empty": b"",
            "text": "это не видео".encode(),
            "noise": np.random.default_rng(1).bytes(20_000),
            "no index": whole[: len(whole) // 2],
            "zeros": bytes(10_000),
        }[how]
    )
    return path


@pytest.mark.parametrize("how", ["empty", "text", "noise", "no index", "zeros"])
def test_broken_files_are_refused_with_a_sentence(tmp_path: Path, how: str) -> None:
    with pytest.raises(MediaError) as caught:
        media.index(broken(tmp_path, how))
    assert "broken.mp4" in caught.value.russian and "broken.mp4" in caught.value.english


def test_missing_and_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "нет.mp4", tmp_path):
        with pytest.raises(MediaError):
            media.index(path)


def test_truncated_stream_is_used_as_far_as_it_goes(tmp_path: Path) -> None:
    whole = film(tmp_path / "whole.mkv", seconds=3).read_bytes()
    path = tmp_path / "cut.mkv"
    path.write_bytes(whole[: int(len(whole) * 0.6)])
    recording = media.index(path)
    assert recording.video is not None and 5 < len(recording.video.pts) < 75
    assert list(pictures(recording, recording.span))


def test_errors_cross_the_worker(tmp_path: Path) -> None:
    with pytest.raises(MediaError, match="пуст"):
        in_worker(media.index, broken(tmp_path, "empty"), limit_seconds=60)
