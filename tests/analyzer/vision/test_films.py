"""Real decoding with a scripted hand model: unusual recordings give an answer, tiles are kept."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from mafiavar.analyzer.media.recording import Recording, index
from mafiavar.analyzer.seats import Box, Seat, SeatMap
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.vision import answer_hands
from mafiavar.analyzer.vision.night import answer_night
from mafiavar.analyzer.vision.presence import answer_presence
from mafiavar.analyzer.vision.question import Answer, Question, QuestionKind, SeatHands, Tell
from mafiavar.analyzer.vision.signs import answer_signs
from mafiavar.analyzer.vision.store import TileStore
from mafiavar.models.hands import ScriptedHands

SEATS = tuple(range(1, 11))


def film(
    path: Path,
    size: tuple[int, int] = (640, 360),
    *,
    level: int = 110,
    seconds: float = 2.4,
    codec: str = "libx264",
    pix_fmt: str = "yuv420p",
) -> Path:
    """Flat noise at ten frames a second."""
    g = np.random.default_rng(0)
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=10)
        stream.width, stream.height, stream.pix_fmt = *size, pix_fmt
        for _ in range(round(seconds * 10)):
            image = np.clip(level + g.integers(-3, 4, (size[1], size[0], 3)), 0, 255).astype(np.uint8)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="bgr24")))
        out.mux(stream.encode(None))
    return path


def seats(size: tuple[int, int], *, shift: float = 0.0) -> SeatMap:
    """Ten seats around a round table; `shift` moves the first one to the right, in widths."""
    w, h = size
    t = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    table = tuple((w / 2 + 0.25 * w * float(np.cos(a)), h / 2 + 0.25 * h * float(np.sin(a))) for a in t)
    made = []
    for n, a in enumerate(np.linspace(0, 2 * np.pi, 10, endpoint=False)):
        x = w / 2 + 0.3 * w * float(np.cos(a)) - 0.06 * w + (shift * w if n == 0 else 0)
        made.append(Seat(n + 1, Box(x, h / 2 + 0.3 * h * float(np.sin(a)) - 0.15 * h, 0.12 * w, 0.3 * h)))
    return SeatMap("r", size, table, tuple(made))


def asked(
    recording: Recording, places: SeatMap, window: Span
) -> tuple[tuple[SeatHands, ...], tuple[Answer, ...], tuple[Answer, ...]]:
    model = ScriptedHands(lambda _: [])
    hands = answer_hands(recording, places, [Question(QuestionKind.HANDS, SEATS, window)], model=model)
    kinds = (QuestionKind.MASK, QuestionKind.POSTURE)
    night = answer_night(recording, places, [Question(k, SEATS, window) for k in kinds], workers=0)
    signs = answer_signs(recording, places, [Question(QuestionKind.NUMBER, SEATS, window)], model=model)
    seated = answer_presence(recording, places, [Question(QuestionKind.PRESENCE, SEATS, window)], workers=0)
    return hands, night, (*signs, *seated)


@pytest.mark.parametrize(
    ("name", "size", "how"),
    [
        ("4x3.mp4", (640, 480), {}),
        ("portrait.mp4", (360, 640), {}),
        ("ten_bit.mkv", (640, 360), {"codec": "libx265", "pix_fmt": "yuv420p10le"}),
        ("hevc.mp4", (640, 360), {"codec": "libx265"}),
        ("tiny.mp4", (64, 48), {}),
    ],
)
def test_any_shape_and_codec_gives_an_answer_for_every_seat(
    tmp_path: Path, name: str, size: tuple[int, int], how: dict[str, str]
) -> None:
    recording = index(film(tmp_path / name, size, **how))  # type: ignore[arg-type]
    hands, night, signs = asked(recording, seats(size), Span.of(0.3, 1.8))
    assert [h.seat for h in hands] == list(SEATS)
    assert not any(h.contacts for h in hands)
    assert {a.seat for a in night} == {a.seat for a in signs} == set(SEATS)
    # Nothing of a flat picture is a departure or a number.
    assert not any(a.tell is Tell.YES for a in (*night, *signs))


def test_a_black_picture_cannot_be_told(tmp_path: Path) -> None:
    recording = index(film(tmp_path / "black.mp4", level=2))
    hands, night, signs = asked(recording, seats((640, 360)), Span.of(0.3, 1.8))
    assert all(not h.seen and h.reason in ("dark", "too_small") and h.p_missed > 0.9 for h in hands)
    assert all(a.tell is Tell.CANNOT_TELL for a in (*night, *signs))


def test_a_camera_that_died_cannot_be_told_after_its_end(tmp_path: Path) -> None:
    recording = index(film(tmp_path / "short.mp4"))
    hands, night, signs = asked(recording, seats((640, 360)), Span.of(1.0, 60.0))
    assert all(h.p_missed > 0.9 for h in hands)
    assert all(a.tell is not Tell.YES for a in (*night, *signs))
    after, _, nothing = asked(recording, seats((640, 360)), Span.of(30.0, 40.0))
    assert all(h.reason == "no_picture" and not h.seen for h in after)
    assert nothing == ()


def test_a_seat_outside_the_picture_is_answered_with_the_others(tmp_path: Path) -> None:
    recording = index(film(tmp_path / "out.mp4"))
    for shift in (0.15, 3.0, -3.0):
        hands, night, signs = asked(recording, seats((640, 360), shift=shift), Span.of(0.3, 1.8))
        assert len(hands) == 10
        assert {a.seat for a in night} == {a.seat for a in signs} == set(SEATS)


def test_a_recording_that_changes_its_frame_size(tmp_path: Path) -> None:
    whole = tmp_path / "changes.ts"
    parts = [film(tmp_path / "a.ts", (640, 360)), film(tmp_path / "b.ts", (320, 180))]
    whole.write_bytes(b"".join(p.read_bytes() for p in parts))
    recording = index(whole)
    hands, _, signs = asked(recording, seats((640, 360)), Span.of(0.0, 4.0))
    assert len(hands) == 10 and {a.seat for a in signs} == set(SEATS)


def test_tiles_once_looked_at_are_kept(tmp_path: Path) -> None:
    recording = index(film(tmp_path / "kept.mp4", (640, 360), seconds=6))
    places, store = seats((640, 360)), TileStore(tmp_path / "tiles")

    def ask(window: Span, tiles: TileStore | None) -> tuple[tuple[SeatHands, ...], int]:
        model = ScriptedHands(lambda _: [])
        question = [Question(QuestionKind.HANDS, SEATS, window)]
        return answer_hands(recording, places, question, model=model, store=tiles), model.calls

    fresh, calls = ask(Span.of(1.0, 2.9), store)
    again, none = ask(Span.of(1.0, 2.9), store)
    assert calls > 0 and none == 0 and again == fresh
    moved, few = ask(Span.of(1.2, 3.4), store)
    assert few < calls / 2
    assert moved == ask(Span.of(1.2, 3.4), None)[0]


def test_a_damaged_tile_is_looked_at_again(tmp_path: Path) -> None:
    recording = index(film(tmp_path / "damaged.mp4"))
    places, store = seats((640, 360)), TileStore(tmp_path / "tiles")
    question = [Question(QuestionKind.HANDS, SEATS, Span.of(0.5, 1.9))]
    first = answer_hands(recording, places, question, model=ScriptedHands(lambda _: []), store=store)
    for file in store.folder.iterdir():
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 3])
    model = ScriptedHands(lambda _: [])
    assert answer_hands(recording, places, question, model=model, store=store) == first
    assert model.calls > 0


def test_what_a_killed_run_left_half_written_goes(tmp_path: Path) -> None:
    store = TileStore(tmp_path / "tiles")
    store.tidy()
    store.folder.mkdir()
    (store.folder / ".part-7-1234").write_bytes(b"half")
    (store.folder / "0000007.npz").write_bytes(b"whole")
    store.tidy()
    assert [p.name for p in store.folder.iterdir()] == ["0000007.npz"]
