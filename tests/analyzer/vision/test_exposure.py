"""A dim hall is measured as a lit one: brightened before anything is looked at or compared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mafiavar.analyzer.media.picture import Picture
from mafiavar.analyzer.vision.exposure import LIT, brightened, gain_of
from mafiavar.analyzer.vision.observe import observe_tile
from mafiavar.analyzer.vision.tiles import THUMB, Tile, join
from mafiavar.analyzer.vision.unexplained import unexplained
from tests.analyzer.vision.test_contacts import table
from tests.analyzer.vision.test_observe import Fake
from tests.analyzer.vision.test_unexplained import FRAMES, SEAT, TILES, view
from tests.analyzer.vision.test_unexplained import table as laid_table


def test_a_lit_picture_stays_as_it_is() -> None:
    lit = np.full((4, 4), int(LIT) + 20, np.uint8)
    assert gain_of(lit) == 1.0
    assert brightened(lit, 1.0) is lit
    assert gain_of(np.zeros((0, 4), np.uint8)) == 1.0


def test_a_dim_one_is_made_as_light_and_a_black_one_not_without_bound() -> None:
    dim = np.full((4, 4), 40, np.uint8)
    assert abs(int(brightened(dim, gain_of(dim)).max()) - LIT) <= 1
    assert gain_of(np.zeros((4, 4), np.uint8)) == 5.0
    assert int(brightened(np.array([[200]], np.uint8), 5.0)[0, 0]) == 255


def test_what_lies_on_the_table_is_seen_in_a_quarter_of_the_light() -> None:
    v = view()
    lit = laid_table(v, range(3, 5), level=130)
    dark = (lit.thumbs * 0.25).astype(np.uint8)
    as_filmed = replace(lit, thumbs=dark)
    assert not unexplained(as_filmed, v, SEAT, ()).any(), "ten grey levels pass for the table"
    parts = [slice(k * FRAMES, (k + 1) * FRAMES) for k in range(TILES)]
    ones = np.ones(10, np.float32)
    tiles = [
        Tile(k, lit.times[p], lit.pts[p], dark[p], lit.above[p], np.ones((10, 2), np.float32), ones, ones, ())
        for k, p in enumerate(parts)
    ]
    joined = join(v.numbers, tiles)
    assert unexplained(joined, v, SEAT, ()).nonzero()[0].tolist() == [3, 4]


class Exposed(Fake):
    """Remembers how light the crops were."""

    def __init__(self) -> None:
        super().__init__()
        self.lightest = 0

    def find(self, image: np.ndarray) -> list:
        self.lightest = max(self.lightest, int(image.max()))
        return super().find(image)


def test_the_hand_model_is_shown_a_dim_table_brightened_and_the_thumbnails_stay_as_filmed() -> None:
    v, model = table(), Exposed()
    image = np.full((1080, 1920, 3), 30, np.uint8)
    tile = observe_tile(0, [Picture(0, 0, image)], v, model)
    assert abs(model.lightest - LIT) <= 1
    assert tile.thumbs.shape == (1, 10, THUMB, THUMB)
    assert int(tile.thumbs.max()) == 30
