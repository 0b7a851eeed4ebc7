"""What lies before a seat and is no contact keeps "no hand" from being said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mafiavar.analyzer.seats import Box, Seat, SeatMap
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.vision.answer import _seat_hands, _Where
from mafiavar.analyzer.vision.observe import View, view_of
from mafiavar.analyzer.vision.question import Contact
from mafiavar.analyzer.vision.tiles import THUMB, Observations
from mafiavar.analyzer.vision.unexplained import before_seat, block_centres, unexplained

FRAMES, TILES = 10, 8
SEAT = 6


def view() -> View:
    t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    outline = tuple((960 + 450 * float(np.cos(a)), 560 + 280 * float(np.sin(a))) for a in t)
    seats = []
    for n in range(10):
        a = np.pi / 2 + 2 * np.pi * (n + 0.5) / 10
        x, y = 960 + 500 * float(np.cos(a)), 560 + 310 * float(np.sin(a))
        seats.append(Seat(n + 1, Box(x - 110, y - 0.65 * 320, 220, 320)))
    return view_of(SeatMap("r.mp4", (1920, 1080), outline, tuple(seats)), (1920, 1080))


def table(v: View, laid: range, level: int = 170) -> Observations:
    """A bare grey table; in the tiles `laid` something lies before `SEAT`."""
    g = np.random.default_rng(0)
    k = v.numbers.index(SEAT)
    thumbs = 90 + g.integers(-2, 3, (TILES * FRAMES, 10, THUMB, THUMB))
    mine = before_seat(v, SEAT, block_centres(v, k)).reshape(12, 12)
    rows, columns = np.nonzero(mine)
    y, x = 4 * int(np.median(rows)) - 4, 4 * int(np.median(columns)) - 4
    for i in laid:
        thumbs[i * FRAMES : (i + 1) * FRAMES, k, y : y + 10, x : x + 10] = level
    times = np.arange(TILES * FRAMES, dtype=np.int64) * 50_000
    ones = np.ones((TILES, 10), np.float32)
    return Observations(
        v.numbers, times, times, np.asarray(thumbs, np.uint8), times[::FRAMES], np.ones((TILES, 10, 2), np.float32),
        ones, ones, (), np.full((TILES * FRAMES, 10, THUMB, THUMB), 90, np.uint8), (),
    )  # fmt: skip


def test_a_thing_that_came_and_went_is_told_in_its_tiles() -> None:
    v = view()
    assert unexplained(table(v, range(3, 5)), v, SEAT, ()).nonzero()[0].tolist() == [3, 4]


def test_a_bare_table_and_a_thing_that_lay_there_all_along_are_not() -> None:
    v = view()
    assert not unexplained(table(v, range(0)), v, SEAT, ()).any()
    assert not unexplained(table(v, range(TILES)), v, SEAT, ()).any()


def test_the_seats_own_contact_explains_it_and_only_while_it_lasts() -> None:
    v = view()
    mine = Contact(SEAT, Span.of(1.5, 1.9), "right", "fist_vertical", 0.9)
    assert unexplained(table(v, range(3, 6)), v, SEAT, (mine,)).nonzero()[0].tolist() == [4, 5]


def test_other_seats_and_light_do_not_matter() -> None:
    v = view()
    seen = table(v, range(3, 5))
    assert not unexplained(seen, v, 1, ()).any()
    brighter = table(v, range(0))
    brighter.thumbs[30:50] += 40
    assert not unexplained(brighter, v, SEAT, ()).any()


def test_what_is_unexplained_is_a_doubt_that_neither_votes_nor_denies() -> None:
    v = view()
    where = _Where(Span.of(0, 4), table(v, range(3, 5)), v, 0, (1, 1_000_000))
    answer = _seat_hands(SEAT, where, ())
    (doubt,) = answer.contacts
    assert doubt.form == "unknown" and 0.25 <= doubt.probability < 0.5
    assert doubt.span == Span.of(1.5, 2.5) and len(doubt.evidence) == 2
    assert not any(s & Span.of(1.6, 2.4) for s in answer.seen)
    assert _seat_hands(1, where, ()).contacts == ()


def test_what_lies_there_for_a_third_of_a_second_is_told_and_what_passes_is_not() -> None:
    v = view()
    bare = table(v, range(0))
    k = v.numbers.index(SEAT)
    laid = table(v, range(3, 4)).thumbs[3 * FRAMES, k]
    brief = bare.thumbs.copy()
    brief[38:43, k] = laid  # five frames of a twentieth of a second, the smaller part of two tiles
    seen = Observations(**{f: getattr(bare, f) for f in Observations.__slots__} | {"thumbs": brief})
    assert unexplained(seen, v, SEAT, ()).nonzero()[0].tolist() == [3, 4]
    passing = bare.thumbs.copy()
    for i in range(38, 43):
        passing[i, k] = np.clip(laid.astype(int) + 9 * (i - 38), 0, 255)  # another look in every frame
    seen = Observations(**{f: getattr(bare, f) for f in Observations.__slots__} | {"thumbs": passing})
    assert not unexplained(seen, v, SEAT, ()).any()


def with_thumbs(seen: Observations, thumbs: np.ndarray) -> Observations:
    return Observations(**{f: getattr(seen, f) for f in Observations.__slots__} | {"thumbs": thumbs})


def test_a_sleeve_that_nearly_always_hides_the_table_is_nothing_that_came() -> None:
    v = view()
    bare = Contact(SEAT, Span.of(1.5, 2.0), "right", "fist_vertical", 0.9)  # it leans away while it votes
    sleeve = with_thumbs(table(v, range(0)), table(v, range(TILES)).thumbs.copy())
    sleeve.thumbs[3 * FRAMES : 4 * FRAMES] = table(v, range(0)).thumbs[:FRAMES]
    assert not unexplained(sleeve, v, SEAT, (bare,)).any()


def test_the_arm_on_its_way_to_a_contact_is_no_doubt_but_a_hand_that_stood_there_before_is() -> None:
    v = view()
    k = v.numbers.index(SEAT)
    laid = table(v, range(3, 5)).thumbs
    mine = Contact(SEAT, Span.of(2.05, 2.45), "right", "fist_vertical", 0.9)
    moving = laid.copy()
    for i in range(30, 40):  # the half second before: never the same twice
        lit = laid[i, k] > 130
        moving[i, k][lit] = 140 + 11 * (i % 2) + 3 * (i % 5)
    came = with_thumbs(table(v, range(0)), moving)
    assert not unexplained(came, v, SEAT, (mine,)).any()
    assert unexplained(came, v, SEAT, ()).nonzero()[0].tolist() == [3, 4]
    stood = with_thumbs(table(v, range(0)), table(v, range(2, 5)).thumbs)
    assert 2 in unexplained(stood, v, SEAT, (mine,)).nonzero()[0]


def test_under_a_low_camera_nobody_across_the_table_is_denied_a_vote() -> None:
    def seen_share(height: float) -> int:
        v = view()
        low = replace(v, table=replace(v.table, back=v.table.back * np.array([[1.0], [height]])))
        o = table(v, range(0))
        bright = replace(o, light=o.light * 90, sharp=o.sharp * 90)
        return len(_seat_hands(SEAT, _Where(Span.of(0, 4), bright, low, 0, (1, 1_000_000)), ()).seen)

    assert seen_share(1.0) == 1
    assert seen_share(0.1) == 0
