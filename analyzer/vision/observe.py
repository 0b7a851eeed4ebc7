"""From pictures to tiles: runs in worker processes, one hand model each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.media.picture import Image, Picture, fitted, pictures
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.seats.seatmap import SeatMap
from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.vision.bare import clear_places, resting_points
from mafiavar.analyzer.vision.bodies import Square, above_box, raised_boxes
from mafiavar.analyzer.vision.exposure import brightened, gain_of
from mafiavar.analyzer.vision.place import Place, Table, lay_table, reach_box
from mafiavar.analyzer.vision.tiles import ABOVE, THUMB, Sighting, Tile, tile_span
from mafiavar.models.hands import HandModel

LOOK_EVERY: Micros = 180_000
"""Least time between two looks of the hand model at a seat that moves."""
_MOVED = 5.0  # grey levels, block mean: less is noise
_BLOCK = 6
_AWAY = -0.35  # a seat whose inward direction points so far up the picture shows its back

_WORTH, _COVERED = 0.1, 0.9


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What is looked at for each seat; the same in parent and workers. `reach`: where its hands rest,
    `close`: closer looks at its left and right; `above`: over the edge of the table, `raised`: the looks there."""

    table: Table
    places: tuple[Place, ...]
    size: tuple[int, int]
    reach: tuple[Square, ...]
    close: tuple[tuple[Square, ...], ...]
    above: tuple[Square, ...]
    raised: tuple[tuple[Square, ...], ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(p.number for p in self.places)


def picture_size(recording: Recording) -> tuple[int, int]:
    """Width and height of the upright picture."""
    assert recording.video is not None
    w, h = recording.video.size
    return (h, w) if recording.video.rotation in (90, 270) else (w, h)


def view_of(seats: SeatMap, size: tuple[int, int]) -> View:
    table = lay_table(seats)
    reach = tuple(reach_box(table, p, seats.seat(p.number).hands, size) for p in table.places)
    close = tuple(_close_boxes(table, p, size) for p in table.places)
    above = tuple(above_box(table, p, size) for p in table.places)
    raised = tuple(raised_boxes(table, p, size) for p in table.places)
    return View(table, table.places, size, reach, close, above, raised)


def _close_boxes(table: Table, place: Place, size: tuple[int, int]) -> tuple[Square, ...]:
    """Two closer looks, where the left and the right hand rest: a fist seen from behind its owner
    is found at 3 hand widths, not at 5."""
    boxes = []
    for sign in (-1.0, 1.0):
        cx, cy = resting_points(table, place, sign).mean(axis=0)
        side = min(int(3.2 * place.hand), *size)
        x = int(np.clip(cx - side / 2, 0, size[0] - side))
        y = int(np.clip(cy - side / 2, 0, size[1] - side))
        boxes.append((x, y, side, side))
    return tuple(boxes)


def observe(recording: Recording, view: View, tiles: Iterable[int], model: HandModel) -> Iterator[Tile]:
    """Tiles of one unbroken run, ascending; each is judged from its own frames alone."""
    indices = sorted(tiles)
    if not indices:
        return
    window = Span(tile_span(indices[0]).t0, tile_span(indices[-1]).t1)
    shown: list[Picture] = []
    current = indices[0]
    for picture in pictures(recording, window):
        k = picture.t // (tile_span(0).duration + 1)
        if k != current:
            yield observe_tile(current, shown, view, model)
            shown, current = [], k
        shown.append(replace(picture, image=fitted(picture.image, view.size)))
    yield observe_tile(current, shown, view, model)


def observe_tile(index: int, shown: list[Picture], view: View, model: HandModel) -> Tile:
    """What one tile shows.

    Every tile looks at each seat's reach in its first frame, moved or not (a hand may have come to rest
    in the last frame of the tile before), and again when the reach no longer looks as it did. A dim tile
    is looked at brightened; its thumbnails are kept as they were filmed. Over the edge of the table every
    second tile does so, and again only when what moved there has come to rest.
    """
    n = len(view.places)
    squares = (*view.reach, *view.above)
    thumbs = np.zeros((len(shown), 2 * n, THUMB, THUMB), np.uint8)
    sightings: list[Sighting] = []
    looked: list[Micros] = [shown[0].t - LOOK_EVERY if shown else 0] * (2 * n)
    base = last = np.zeros((2 * n, THUMB, THUMB), np.uint8)
    gain, clear = 1.0, np.zeros((n, 2), np.float32)
    for i, picture in enumerate(shown):
        grey = cv2.cvtColor(picture.image, cv2.COLOR_BGR2GRAY)
        for j, square in enumerate(squares):
            thumbs[i, j] = cv2.resize(_cut(grey, square), (THUMB, THUMB), interpolation=cv2.INTER_AREA)
        if i == 0:
            gain = gain_of(thumbs[0, :n])
            clear = clear_places(brightened(picture.image, gain), view.table, view.places)
        now = brightened(thumbs[i], gain)
        if i == 0:
            base = now.copy()
        lit: Picture | None = None
        for j in range(2 * n):
            over_edge = j >= n
            if i == 0:
                wanted = not over_edge or index % 2 == 0
            else:
                due = i == len(shown) - 1 or picture.t - looked[j] >= LOOK_EVERY
                wanted = due and _moved(now[j], base[j]) and not (over_edge and _moved(now[j], last[j]))
            if wanted:
                looked[j], base[j] = picture.t, now[j]
                lit = lit or replace(picture, image=brightened(picture.image, gain))
                if over_edge:
                    for part in view.raised[j - n]:
                        sightings += _found(lit, part, view.places[j - n].number, ABOVE, model)
                else:
                    sightings += look(lit, view, j, model, clear[j])
        last = now
    light, sharp = _quality(shown[0].image if shown else None, view)
    return Tile(
        index=index,
        times=np.array([p.t for p in shown], np.int64),
        pts=np.array([p.pts for p in shown], np.int64),
        thumbs=thumbs[:, :n],
        above=thumbs[:, n:],
        clear=clear,
        light=light,
        sharp=sharp,
        sightings=tuple(sightings),
    )


def look(
    picture: Picture, view: View, k: int, model: HandModel, clear: npt.NDArray[np.float32]
) -> list[Sighting]:
    """All hands in the reach of the k-th seat in one picture.

    `clear`: how much of the (left, right) resting place shows; a closer look at one that is
    hidden altogether is not worth its time. Those who do not turn their back get one only where something
    lies on the table that was not found from further off.
    """
    place = view.places[k]
    found = _found(picture, view.reach[k], place.number, 0, model)
    back = place.inward[1] < _AWAY
    for sign, square, c in zip((-1.0, 1.0), view.close[k], clear, strict=True):
        if c >= _WORTH and (back or (c < _COVERED and not _lies_there(found, view.table, place, sign))):
            found = found + _found(picture, square, place.number, 1, model)
    return found


def _lies_there(found: list[Sighting], table: Table, place: Place, sign: float) -> bool:
    """Is one of the hands at the (left -1, right 1) resting place?"""
    at = resting_points(table, place, sign).mean(axis=0)
    return any(float(np.hypot(*(np.array(s.centre) - at))) < place.hand for s in found)


def _found(picture: Picture, square: Square, seat: int, scale: int, model: HandModel) -> list[Sighting]:
    """The hands the model finds in one square of a picture."""
    x, y = square[:2]
    crop = np.ascontiguousarray(_cut(picture.image, square)[..., ::-1])
    return [
        Sighting(
            t=picture.t,
            pts=picture.pts,
            crop=seat,
            scale=scale,
            points=hand.points + np.array([x, y], np.float32),
            world=hand.world,
            right=hand.right,
            score=hand.score,
        )
        for hand in model.find(crop)
    ]


def _cut(image: npt.NDArray[np.uint8], square: Square) -> npt.NDArray[np.uint8]:
    x, y, w, h = square
    return image[y : y + h, x : x + w]


def _moved(now: npt.NDArray[np.uint8], before: npt.NDArray[np.uint8]) -> bool:
    n = THUMB // _BLOCK
    d = now.astype(np.float32) - before
    blocks = d.reshape(n, _BLOCK, n, _BLOCK).mean(axis=(1, 3))
    blocks -= np.median(blocks)  # a lamp or the camera's gain changes all of them
    return bool(np.abs(blocks).max() > _MOVED)


def _quality(image: Image | None, view: View) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    n = len(view.reach)
    light, sharp = np.zeros(n, np.float32), np.zeros(n, np.float32)
    if image is not None:
        for k, square in enumerate(view.reach):
            grey = cv2.cvtColor(_cut(image, square), cv2.COLOR_BGR2GRAY)
            light[k] = float(grey.mean())
            sharp[k] = float(cv2.Laplacian(grey, cv2.CV_32F).var())
    return light, sharp
