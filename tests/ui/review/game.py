"""A small game with known facts: what the review's tests look at. Written by hand, no measurement."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

FPS = 25
SECONDS = 60
SIZE = (640, 360)
BITS = 16
SECRET_WORD = "ШИФРОВКАНОЧИ"
NIGHT_1 = (43.0, 53.0)


def number_frame(number: int, size: tuple[int, int] = SIZE) -> np.ndarray:
    """A picture that carries its number as sixteen black or white squares along the bottom."""
    w, h = size
    image = np.full((h, w, 3), 90, np.uint8)
    image[:, :, 1] = (number * 3) % 120 + 60
    side = w // (BITS + 2)
    for bit in range(BITS):
        x, y = side + bit * side, h - 2 * side
        image[y : y + side, x : x + side] = 255 if number >> bit & 1 else 0
    return image


def write_video(
    path: Path,
    *,
    seconds: float = SECONDS,
    codec: str = "libx264",
    pixel_format: str = "yuv420p",
    times: list[float] | None = None,
    sound: bool = True,
    options: dict[str, str] | None = None,
) -> list[float]:
    """Write numbered frames; returns the presentation time of each in seconds."""
    moments = times or [i / FPS for i in range(round(seconds * FPS))]
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream(codec, rate=FPS)
        stream.width, stream.height, stream.pix_fmt = *SIZE, pixel_format
        stream.time_base = stream.codec_context.time_base = Fraction(1, 12_800)
        stream.codec_context.gop_size = FPS * 2
        stream.options = options or {"preset": "ultrafast", "crf": "24"}
        audio: Any = container.add_stream("aac", rate=16_000, layout="mono") if sound else None
        for i, t in enumerate(moments):
            frame = av.VideoFrame.from_ndarray(number_frame(i), format="rgb24")
            frame.pts, frame.time_base = round(t * 12_800), Fraction(1, 12_800)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
        if audio is not None:
            wave = (0.2 * np.sin(np.arange(round(moments[-1] * 16_000)) * 0.05)).astype(np.float32)
            for start in range(0, len(wave) - 1024, 1024):
                piece = av.AudioFrame.from_ndarray(
                    wave[None, start : start + 1024], format="fltp", layout="mono"
                )
                piece.sample_rate, piece.pts, piece.time_base = 16_000, start, Fraction(1, 16_000)
                container.mux(audio.encode(piece))
            container.mux(audio.encode(None))
    return moments


def _cast(seat: int, target: int, t0: float, t1: float) -> dict[str, Any]:
    return {"kind": "vote_cast", "t0": t0, "t1": t1, "day": 1, "round": 1, "target": target, "seat": seat, "hand": "right",
            "form": "fist_vertical", "contact": [t0, t1], "remainder": False}  # fmt: skip


def _e(kind: str, t0: float, t1: float, day: int, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "t0": t0, "t1": t1, "day": day, **fields}


def truth() -> dict[str, Any]:
    """One day with a vote of ten, one night, one morning."""
    votes = [_cast(s, 5, 33.9 + s / 20, 35.9) for s in (1, 2, 3, 4)] + [
        _cast(s, 7, 37.9 + s / 40, 40.0) for s in (5, 6, 7, 8, 9)
    ]
    rest = {**_cast(10, 7, 40.2, 40.6), "remainder": True, "hand": None, "form": "none", "contact": None}
    events = [
        _e("game_started", 0.5, 1.0, 0), _e("night_began", 0.5, 1.0, 0, night=0),
        _e("negotiation_began", 2.0, 2.5, 0), _e("negotiation_ended", 6.0, 6.5, 0), _e("day_began", 10.0, 10.8, 1),
        _e("floor_given", 11.0, 11.6, 1, seat=1, seconds=60, purpose="speech"), _e("nominated", 20.0, 20.8, 1, seat=1, target=5, accepted=True),
        _e("floor_ended", 24.0, 24.4, 1, seat=1, by="pas"), _e("floor_given", 25.0, 25.6, 1, seat=2, seconds=60, purpose="speech"),
        _e("foul", 26.5, 27.2, 1, seat=9, level="foul", ordinal=1), _e("nominated", 28.0, 28.8, 1, seat=2, target=7, accepted=True),
        _e("floor_ended", 30.0, 30.4, 1, seat=2, by="spasibo"), _e("vote_opened", 31.0, 32.5, 1, round=1, candidates=[5, 7]),
        _e("vote_called", 33.0, 33.6, 1, round=1, target=5), *votes[:4], _e("vote_closed", 35.0, 35.5, 1, round=1, target=5),
        _e("vote_announced", 36.2, 36.6, 1, round=1, target=5, count=5), _e("vote_called", 37.0, 37.6, 1, round=1, target=7), *votes[4:],
        _e("vote_closed", 39.0, 39.5, 1, round=1, target=7), _e("vote_announced", 40.2, 40.6, 1, round=1, target=7, count=6), rest,
        _e("eliminated", 41.0, 41.8, 1, seats=[7], by="vote"), _e("night_began", 42.0, 43.0, 1, night=1),
        _e("shooting_began", 44.0, 44.6, 1, night=1), _e("shot", 45.0, 45.5, 1, night=1, shooter=3, target=2),
        _e("shot", 45.1, 45.6, 1, night=1, shooter=8, target=2), _e("check", 47.0, 48.0, 1, night=1, by="don", target=4, found=True),
        _e("check", 49.0, 50.0, 1, night=1, by="sheriff", target=3, found=True), _e("night_result", 53.0, 54.0, 1, night=1, killed=2),
        _e("day_began", 53.0, 54.0, 2), _e("eliminated", 53.0, 54.0, 1, seats=[2], by="shot", night=1), _e("game_ended", 58.0, 58.8, 2, winner="black"),
    ]  # fmt: skip
    flags = [
        {"kind": "hand_early", "seat": 3, "t0": 33.2, "t1": 33.6, "day": 1, "clause": "fsm-2026:6.6.6", "expected": "после номера", "seen": "за 0,4 с до конца номера"},
        {"kind": "vote_count_mismatch", "seats": [], "t0": 33.0, "t1": 36.6, "day": 1, "clause": "fsm-2026:4.5.11", "seen": "4 руки, объявлено 5"},
        {"kind": "speech_out_of_turn", "seat": 9, "t0": 26.0, "t1": 26.5, "day": 1, "clause": "fsm-2026:6.6.1"},
        {"kind": "speech_overtime", "seat": 2, "t0": 29.0, "t1": 30.0, "day": 1, "clause": "fsm-2026:4.4.1"},
        {"kind": "head_up_at_night", "seat": 6, "t0": 46.0, "t1": 48.0, "day": 1, "clause": "fsm-2026:4.6.10"},
    ]  # fmt: skip
    speech = [
        {"t0": 0.5, "t1": 1.0, "speaker": "judge", "text": "Наступает ночь."}, {"t0": 3.0, "t1": 5.0, "speaker": "judge", "text": f"Дон {SECRET_WORD} договорка"},
        {"t0": 10.0, "t1": 10.8, "speaker": "judge", "text": "Доброе утро."}, {"t0": 11.0, "t1": 11.6, "speaker": "judge", "text": "Первый, ваша минута."},
        {"t0": 12.0, "t1": 19.0, "speaker": 1, "text": "Мне кажется седьмой чёрный игрок и я это покажу"}, {"t0": 20.0, "t1": 20.8, "speaker": 1, "text": "Выставляю пятого."},
        {"t0": 26.0, "t1": 26.5, "speaker": 9, "text": "Неправда!"}, {"t0": 33.0, "t1": 33.6, "speaker": "judge", "text": "Против пятого?"},
        {"t0": 35.0, "t1": 35.5, "speaker": "judge", "text": "Стоп."}, {"t0": 36.2, "t1": 36.6, "speaker": "judge", "text": "Пять."},
        {"t0": 47.0, "t1": 48.0, "speaker": "judge", "text": f"Шериф {SECRET_WORD} тройка"}, {"t0": 53.0, "t1": 54.0, "speaker": "judge", "text": "Доброе утро, убит второй."},
    ]  # fmt: skip
    return {
        "schema": "mafiavar/truth@1", "duration": float(SECONDS), "ruleset": "fsm-2026", "roles": {"3": "don", "8": "mafia", "10": "mafia", "4": "sheriff"},
        "speech": speech, "events": events, "flags": flags, "video": {"fps": FPS, "size": list(SIZE)},
    }  # fmt: skip


def seats_head() -> dict[str, Any]:
    """Ten boxes round the picture and the roles, as the head of the case has them."""
    seats = [
        {"number": n, "box": [20 + (n - 1) % 5 * 120, 20 + (n - 1) // 5 * 150, 110, 130]}
        for n in range(1, 11)
    ]
    return {"seats": {"camera": [{"recording": "numbers.mp4", "seat": seats}]}, "roles": truth()["roles"]}
