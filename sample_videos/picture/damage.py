"""What happens to pictures on their way: bumped cameras, title cards, overlays, dropped frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from mafiavar.sample_videos.picture.painter import Image


@dataclass(frozen=True, slots=True)
class Note:
    """What an overlay shows from a moment on: nicknames, fouls per seat, nominated seats, seats out of play."""

    t: float
    names: tuple[str, ...] = ("",) * 10
    fouls: tuple[int, ...] = (0,) * 10
    nominated: tuple[int, ...] = ()
    out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Damage:
    """bump: (second, dx, dy, degrees), from then on the camera has moved; title_card: nights show a card
    instead of the table; notes: an overlay of the judge's book;
    soft: pixels of blur."""

    bump: tuple[float, float, float, float] | None = None
    title_card: bool = False
    notes: Sequence[Note] = field(default=())
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


def _card(image: Image) -> Image:
    """A streamer's card over the night: a moon and a word."""
    h, w = int(image.shape[0]), int(image.shape[1])
    unit, font, pale = h / 1080, cv2.FONT_HERSHEY_DUPLEX, (196, 206, 210)
    out = np.full_like(image, 18)
    for y in range(0, h, 4):
        out[y : y + 2] += 6
    middle, sky = w // 2, h // 2 - round(60 * unit)
    cv2.circle(out, (middle, sky), h // 9, pale, -1, cv2.LINE_AA)
    cv2.circle(out, (middle + h // 18, sky - round(20 * unit)), h // 10, (18, 18, 18), -1, cv2.LINE_AA)
    (width, _), _ = cv2.getTextSize("NIGHT", font, 2.6 * unit, max(1, round(4 * unit)))
    where = (middle - width // 2, h // 2 + round(170 * unit))
    cv2.putText(out, "NIGHT", where, font, 2.6 * unit, pale, max(1, round(4 * unit)), cv2.LINE_AA)
    return out


def _overlay(image: Image, note: Note) -> Image:
    """A strip of ten cells: seat, nickname, fouls as bars, nominated seats framed, those out of play dimmed."""
    out = image.copy()
    h, w = int(out.shape[0]), int(out.shape[1])
    unit, font = h / 1080, cv2.FONT_HERSHEY_DUPLEX

    def px(x: float) -> int:
        return round(x * unit)

    cell, top = w // 10, h - px(92)
    strip = out[top:h]
    strip[:] = (strip * 0.35).astype(np.uint8)
    thick = max(1, px(2))
    for seat in range(1, 11):
        x = (seat - 1) * cell
        tone = (90, 90, 90) if seat in note.out else (235, 235, 235)
        cv2.putText(out, str(seat), (x + px(14), h - px(18)), font, 1.3 * unit, tone, thick, cv2.LINE_AA)
        name = note.names[seat - 1]
        cv2.putText(
            out, name, (x + px(14), top + px(26)), font, 0.62 * unit, tone, max(1, px(1)), cv2.LINE_AA
        )
        for f in range(note.fouls[seat - 1]):
            left = x + px(76 + 18 * f)
            cv2.rectangle(out, (left, h - px(46)), (left + px(10), h - px(16)), (60, 60, 220), -1)
        if seat in note.nominated:
            cv2.rectangle(
                out, (x + px(4), top + px(4)), (x + cell - px(5), h - px(5)), (60, 200, 240), max(1, px(3))
            )
    return out
