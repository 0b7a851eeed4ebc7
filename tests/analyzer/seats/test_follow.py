"""A bumped camera: the map goes along, a hand before the lens does not count."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

from mafiavar.analyzer.media.recording import Recording, index
from mafiavar.analyzer.seats import Box, Seat, SeatMap
from mafiavar.analyzer.seats.follow import carried, follow
from mafiavar.analyzer.span import SECOND

W, H, FPS = 640, 360, 4
SEATS = SeatMap(
    "r.mp4",
    (W, H),
    ((200, 150), (440, 150), (440, 300), (200, 300)),
    tuple(Seat(n + 1, Box(100 + 40 * n, 100, 60, 80)) for n in range(10)),
)


def room() -> np.ndarray:
    g = np.random.default_rng(3)
    image = np.full((H, W, 3), 90, np.uint8)
    for _ in range(160):
        x, y = int(g.integers(0, W)), int(g.integers(0, H))
        colour = tuple(int(v) for v in g.integers(20, 235, 3))
        cv2.rectangle(image, (x, y), (x + int(g.integers(8, 50)), y + int(g.integers(8, 40))), colour, -1)
    return image


def film(path: Path, seconds: int, bump: float | None, hidden: tuple[float, float] = (0, 0)) -> Recording:
    still, m = room(), cv2.getRotationMatrix2D((W / 2, H / 2), 2.0, 1.0)
    m[:, 2] += (18, -9)
    moved = cv2.warpAffine(still, m, (W, H), borderMode=cv2.BORDER_REPLICATE)
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=FPS, options={"g": "8", "preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt = W, H, "yuv420p"
        stream.time_base = Fraction(1, FPS)
        for k in range(seconds * FPS):
            t = k / FPS
            image = moved if bump is not None and t >= bump else still
            if hidden[0] <= t < hidden[1]:
                image = np.full_like(still, 60)
            frame = av.VideoFrame.from_ndarray(image, format="bgr24")
            frame.pts, frame.time_base = k, Fraction(1, FPS)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return index(path)


def test_a_camera_that_stands_still_keeps_its_map(tmp_path: Path) -> None:
    stays = follow(film(tmp_path / "r.mp4", 24, None, (10, 14)), SEATS, every=2 * SECOND)
    assert [s.seats for s in stays] == [SEATS] and stays[0].moved == 0


def test_a_bump_is_found_to_half_a_second_and_the_map_goes_along(tmp_path: Path) -> None:
    stays = follow(film(tmp_path / "r.mp4", 24, 12.5), SEATS, every=2 * SECOND)
    assert len(stays) == 2
    assert abs(stays[1].span.t0 / 1e6 - 12.5) <= 0.5
    m = cv2.getRotationMatrix2D((W / 2, H / 2), 2.0, 1.0)
    m[:, 2] += (18, -9)
    for found, true in zip(stays[1].seats.seats, carried(SEATS, m).seats, strict=True):
        assert abs(found.box.x - true.box.x) < 1.5 and abs(found.box.y - true.box.y) < 1.5
    assert stays[1].moved > 10 and stays[0].seats == SEATS


def test_darkness_tells_nothing(tmp_path: Path) -> None:
    stays = follow(film(tmp_path / "r.mp4", 12, None, (0, 12)), SEATS, every=2 * SECOND)
    assert len(stays) == 1
