"""Pictures as evidence: crops of exactly the frames that were judged.

A picture's name is made of what it shows (recording, PTS, box), so that the same frame is stored
once and a second run writes the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from mafiavar.analyzer.media.picture import Image, pictures
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.span import Micros, Span, micros

_QUALITY = 82
_CROP = 240
"""Longer side of a stored crop, pixels."""
_GAP = 2_000_000
"""Frames closer than this (µs) are read in one go instead of seeking."""


@dataclass(frozen=True, slots=True, order=True)
class Still:
    """One picture to store: a box (x, y, w, h) of the frame with this PTS."""

    recording: int
    pts: int
    t: int
    box: tuple[int, int, int, int]
    landmarks: tuple[tuple[float, float], ...] = ()

    @property
    def path(self) -> str:
        """Where it lies in the case folder."""
        x, y, w, h = self.box
        return f"evidence/r{self.recording}-{self.pts}-{x}-{y}-{w}x{h}.jpg"


def stills_of(value: Any) -> list[Still]:
    """Every evidence entry with a PTS and a box anywhere inside a JSON value; sets its `path`.

    An entry without a box that names a PTS is left alone: it points at the recording only.
    """
    found: list[Still] = []
    if isinstance(value, Mapping):
        for entry in value.get("evidence") or ():
            if isinstance(entry, dict) and entry.get("pts") is not None and entry.get("box"):
                x, y, w, h = (int(v) for v in entry["box"])
                still = Still(
                    int(entry.get("recording", 0)),
                    int(entry["pts"]),
                    micros(entry["t"]),
                    (x, y, w, h),
                    tuple((float(a), float(b)) for a, b in entry.get("landmarks") or ()),
                )
                entry["path"] = still.path
                found.append(still)
        for part in value.values():
            found += stills_of(part)
    elif isinstance(value, list | tuple):
        for part in value:
            found += stills_of(part)
    return found


def store(
    stills: Iterable[Still],
    recordings: Sequence[tuple[Recording, Micros]],
    folder: Path,
    progress: Callable[[float], None] = lambda _: None,
) -> None:
    """Decode and write every still as a JPEG below `folder` (which plays the case's root).

    `recordings`: each with the place of its 0 on the game's clock, on which `Still.t` lies.
    """
    wanted = sorted(set(stills))
    (folder / "evidence").mkdir(parents=True, exist_ok=True)
    done = 0
    for number, (recording, shift) in enumerate(recordings):
        mine = [s for s in wanted if s.recording == number]
        for group in _groups(mine):
            by_pts: dict[int, list[Still]] = {}
            for still in group:
                by_pts.setdefault(still.pts, []).append(still)
            first, last = group[0].t - shift - 1_000, group[-1].t - shift + 1_000
            for picture in pictures(recording, Span(max(0, first), last)):
                for still in by_pts.pop(picture.pts, []):
                    ok, data = cv2.imencode(
                        ".jpg", _crop(picture.image, still), [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]
                    )
                    if ok:
                        (folder / still.path).write_bytes(data.tobytes())
                    done += 1
                    progress(done / len(wanted))
                if not by_pts:
                    break


def _groups(stills: Sequence[Still]) -> list[list[Still]]:
    groups: list[list[Still]] = []
    for still in sorted(stills, key=lambda s: s.t):
        if groups and still.t - groups[-1][-1].t <= _GAP:
            groups[-1].append(still)
        else:
            groups.append([still])
    return groups


def _crop(image: Image, still: Still) -> Image:
    """The box, landmarks drawn as small rings, scaled so that its longer side is _CROP pixels."""
    x, y, w, h = still.box
    height, width = image.shape[:2]
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, width), min(y + h, height)
    if x1 <= x0 or y1 <= y0:
        return np.zeros((8, 8, 3), np.uint8)
    part = image[y0:y1, x0:x1]
    scale = _CROP / max(part.shape[:2])
    size = (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale)))
    out: Image = cv2.resize(part, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    for lx, ly in still.landmarks:
        at = (round((lx - x0) * scale), round((ly - y0) * scale))
        cv2.circle(out, at, 2, (180, 90, 0), 1, cv2.LINE_AA)
    return out
