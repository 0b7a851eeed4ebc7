"""Frames into files: pieces that join, a rotation flag, lost frames, bystanders; without bodies or voices."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from mafiavar.sample_videos.errors import ScriptError
from mafiavar.sample_videos.picture.acting import STEPS
from mafiavar.sample_videos.picture.bystanders import (
    HALF,
    SPEED,
    JudgeActing,
    counting,
    passings,
    walkers,
)
from mafiavar.sample_videos.picture.cast import scene
from mafiavar.sample_videos.picture.damage import Damage, Note
from mafiavar.sample_videos.picture.encode import join, write_piece
from mafiavar.sample_videos.picture.film import Filming, book_of, turned
from mafiavar.sample_videos.picture.painter import Image
from mafiavar.sample_videos.samples import SAMPLES
from mafiavar.sample_videos.truth import since, truth_of
from tests.sample_videos.conftest import timed

SIZE = (128, 96)


def bright(k: int) -> int:
    return 40 + k * 2


def frames(numbers: range, missing: tuple[int, ...] = ()) -> Iterator[tuple[int, Image]]:
    """Frame k is a plain grey of its own, dark in the upper left quarter."""
    w, h = SIZE
    for k in numbers:
        planes = np.full((h * 3 // 2, w), 128, np.uint8)
        planes[:h] = bright(k)
        planes[: h // 2, : w // 2] = 16
        if k not in missing:
            yield k - numbers.start, planes


def joined(folder: Path, rotation: int = 0, missing: tuple[int, ...] = ()) -> Path:
    pieces = []
    for begin in (0, 30, 60):
        piece = folder / f"{begin}.mp4"
        write_piece(piece, frames(range(begin, begin + 30), missing), SIZE, 25, 12)
        pieces.append((begin, piece))
    out = folder / f"whole{rotation}.mp4"
    join(out, pieces, np.zeros(round(3.6 * 16_000), np.float32), 25, rotation)
    return out


def test_pieces_join_without_a_seam(tmp_path: Path) -> None:
    lost = (7, 8, 20, 41, 70)
    for missing in ((), lost):
        with av.open(str(joined(tmp_path, missing=missing))) as file:
            video, audio = file.streams.video[0], file.streams.audio[0]
            assert video.start_time == 0 and audio.start_time == 0
            assert float(audio.duration * audio.time_base) == pytest.approx(3.6, abs=0.07)
            shown = [(round(f.time * 25), f.to_ndarray(format="gray")) for f in file.decode(video)]
        assert [k for k, _ in shown] == [k for k in range(90) if k not in missing]
        for k, image in shown:
            assert abs(int(np.median(image)) - (bright(k) - 16) * 255 / 219) < 4  # video range to full


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_player_turns_the_picture_as_the_file_says(tmp_path: Path, rotation: int) -> None:
    from mafiavar.analyzer.media.recording import _rotation

    with av.open(str(joined(tmp_path))) as plain:
        assert next(plain.decode(video=0)).rotation == 0
    path = joined(tmp_path, rotation)
    assert _rotation(path) == rotation
    with av.open(str(path)) as file:  # only the flag differs
        assert sum(1 for _ in file.decode(video=0)) == 90


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_turned_planes_are_upright_again_after_the_turn(rotation: int) -> None:
    _, planes = next(frames(range(1)))
    h, w = SIZE[1], SIZE[0]
    coded = turned(planes, rotation)
    ch = coded.shape[0] * 2 // 3
    upright = np.rot90(coded[:ch], -rotation // 90)
    assert np.array_equal(upright, planes[:h])
    assert coded.size == planes.size and (coded[ch:] == 128).all() and upright.shape == (h, w)


def test_the_matrix_is_the_standards(tmp_path: Path) -> None:
    data = joined(tmp_path, 90).read_bytes()
    at = data.find(b"tkhd")
    matrix = struct.unpack_from(">9i", data, at + 4 + 84 - 44)
    assert matrix == (0, 1 << 16, 0, -(1 << 16), 0, 0, 0, 0, 1 << 30)


def test_unknown_rotations_and_passers_are_refused() -> None:
    script = SAMPLES["dim_vote"]()
    for bad in ({"rotation": 45}, {"fog": 1}):
        with pytest.raises(ScriptError):
            Filming.of(script.with_conditions(picture=bad))
    for bad_passers in ("two", [[1.0, "above"]], [3.0], True, 5000):
        with pytest.raises(ScriptError):
            passings(bad_passers, 60.0, 1)


def test_strangers_walk_through_and_the_picture_moves_with_them() -> None:
    given = passings([[2.0, "far"], [3.0, "near"]], 60.0, 4)
    assert passings(3, 60.0, 4) == passings(3, 60.0, 4) and len(passings(3, 60.0, 4)) == 3
    assert not walkers(given, 1.9) and len(walkers(given, 5.0)) == 2
    first = given[0]
    path = [w for k in range(300) if (w := first.at(2 + k / 25)) is not None]
    assert len(path) == pytest.approx(2 * HALF / SPEED * 25, abs=2)
    steps = np.diff([w.x for w in path])
    assert np.allclose(np.abs(steps), SPEED / 25) and len({w.gait for w in path}) == 4
    assert max(abs(w.x - w.drawn) for w in path) < 0.09
    assert len({w.drawn for w in path}) < len(path) / 2  # fewer pictures than frames


def test_the_judges_arm_is_over_the_table_while_he_counts() -> None:
    t = timed(SAMPLES["first_table"]())
    judge = JudgeActing(t, 20)
    spans = counting(t)
    assert len(spans) == sum(e["kind"] == "vote_called" for x in t.script.lines for e in x.events)
    for a, b in spans:
        over = judge.bearing((a + b) / 2, 0)
        assert over.right.b == "fwd2/reach" and over.right.step == STEPS
        assert "reach" not in judge.bearing(a - 1.2, 0).right.b
    assert scene(5, judge_seen=True, passers=2).cast == scene(5).cast
    assert repr(scene(5, passers=2)) == repr(scene(5))  # sprites of the ten stay good


def test_an_overlay_follows_the_book_at_any_size() -> None:
    notes = book_of(timed(SAMPLES["first_table"]()))
    assert len(set(notes[0].names)) == 10
    assert any(n.nominated for n in notes) and any(n.out for n in notes)
    damage = Damage(notes=notes)
    for h, w in ((1080, 1920), (360, 640)):
        grey = np.full((h, w, 3), 128, np.uint8)
        out = damage.apply(grey, 10.0, False)
        assert (out[: h * 9 // 10] == 128).all() and (out[-h // 20 :] != 128).any()
    one = Note(0.0, fouls=(3, *[0] * 9))
    many = Damage(notes=[one]).apply(np.full((1080, 1920, 3), 128, np.uint8), 1.0, False)
    bars = (many == (60, 60, 220)).all(axis=2)
    assert bars[:, :192].any() and not bars[:, 192:].any()


def test_a_later_camera_has_the_truth_on_its_own_clock() -> None:
    t = timed(SAMPLES["first_table"]())
    truth = truth_of(t, "a.mp4", {})
    truth["video"] = {"judge": {"box": [0, 0, 1, 1], "arm": [[10.0, 12.0]]}}
    later = since(truth, 0.32)
    assert later["began"] == 0.32 and later["duration"] == pytest.approx(truth["duration"] - 0.32)
    for a, b in zip(truth["hands"], later["hands"], strict=True):
        assert b["t0"] == pytest.approx(a["t0"] - 0.32)
    cast = next(e for e in later["events"] if e["kind"] == "vote_cast" and e.get("contact"))
    assert cast["contact"] == [cast["t0"], cast["t1"]]
    assert later["video"]["judge"]["arm"] == [[9.68, 11.68]]
    assert since(truth, 0.0) is truth
    assert later["masks"][0]["t0"] == 0.0  # what lasted already lasts from the beginning


def test_errors_of_workers_keep_their_sentences() -> None:
    error: Any = pickle.loads(pickle.dumps(ScriptError("lines[3]", "плохо", "bad")))
    assert isinstance(error, ScriptError)
    assert (error.where, error.ru, error.en, str(error)) == (
        "lines[3]",
        "lines[3]: плохо",
        "lines[3]: bad",
        "lines[3]: bad",
    )
