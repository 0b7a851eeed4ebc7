"""What happens to pictures on their way: bumped cameras, title cards, overlays, dropped frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from mafiavar.sample_videos.picture.painter import Image


@dataclass(frozen=True, slots=True)
class Note:
    """What an overlay shows from a moment on: fouls per seat, nominated seats, seats out of play."""

    t: float
    fouls: tuple[int, ...] = (0,) * 10
    nominated: tuple[int, ...] = ()
    out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Damage:
    """bump: (second, dx, dy, degrees), from then on the camera has moved; title_card: nights show a card
    instead of the table; notes: an overlay of the judge's book; drop: share of frames that are missing
    (the others keep their times: a variable frame rate); soft: pixels of blur."""

    bump: tuple[float, float, float, float] | None = None
    title_card: bool = False
    notes: Sequence[Note] = field(default=())
    drop: float = 0.0
    soft: float = 0.0

    def phase(self, t: float, night: bool) -> tuple[int, bool, bool]:
        """What the damage of a picture depends on: while it is the same, the same still can be shown."""
        book = sum(1 for n in self.notes if n.t <= t)
        return book, self.bump is not None and t >= self.bump[0], night and self.title_card

    def apply(self, image: Image, t: float, night: bool) -> Image:
        out = image
        if self.soft > 0:
            out = np.asarray(cv2.GaussianBlur(out, (0, 0), self.soft), np.uint8)
        if self.bump is not None and t >= self.bump[0]:
            _, dx, dy, turn = self.bump
            h, w = out.shape[:2]
            m = cv2.getRotationMatrix2D((w / 2, h / 2), turn, 1.0)
            m[:, 2] += (dx, dy)
            out = np.asarray(cv2.warpAffine(out, m, (w, h), borderMode=cv2.BORDER_REPLICATE), np.uint8)
        if night and self.title_card:
            out = _card(out)
        shown = [n for n in self.notes if n.t <= t]
        return _overlay(out, shown[-1]) if shown else out

    def dropped(self, g: np.random.Generator, k: int) -> bool:
        """Is frame `k` missing? The first frame never is."""
        return bool(k and self.drop and g.random() < self.drop)


def _card(image: Image) -> Image:
    """A streamer's card over the night."""
    h, w = image.shape[:2]
    out = np.full_like(image, 18)
    for y in range(0, h, 4):
        out[y : y + 2] += 6
    cv2.circle(out, (w // 2, h // 2 - 60), h // 9, (196, 206, 210), -1, cv2.LINE_AA)
    cv2.circle(out, (w // 2 + h // 18, h // 2 - 80), h // 10, (18, 18, 18), -1, cv2.LINE_AA)
    cv2.putText(
        out,
        "NIGHT",
        (w // 2 - 150, h // 2 + 170),
        cv2.FONT_HERSHEY_DUPLEX,
        2.6,
        (196, 206, 210),
        4,
        cv2.LINE_AA,
    )
    return out


def _overlay(image: Image, note: Note) -> Image:
    """A strip of ten cells: seat, its fouls as bars, nominated seats framed, those out of play dimmed."""
    out = image.copy()
    h, w = out.shape[:2]
    cell, top = w // 10, h - 64
    strip = out[top:h]
    strip[:] = (strip * 0.35).astype(np.uint8)
    for seat in range(1, 11):
        x = (seat - 1) * cell
        tone = (90, 90, 90) if seat in note.out else (235, 235, 235)
        cv2.putText(out, str(seat), (x + 14, h - 18), cv2.FONT_HERSHEY_DUPLEX, 1.3, tone, 2, cv2.LINE_AA)
        for f in range(note.fouls[seat - 1]):
            cv2.rectangle(out, (x + 76 + 18 * f, h - 46), (x + 86 + 18 * f, h - 16), (60, 60, 220), -1)
        if seat in note.nominated:
            cv2.rectangle(out, (x + 4, top + 4), (x + cell - 5, h - 5), (60, 200, 240), 3)
    return out
