"""Sightings and thumbnails become contacts of the right seat: no model, a table drawn by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mafiavar.analyzer.seats import Box, Seat, SeatMap
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.vision.bodies import on_elbow
from mafiavar.analyzer.vision.contacts import _best_looks, _standing, came_or_went, contacts, hand_heads
from mafiavar.analyzer.vision.observe import View, view_of
from mafiavar.analyzer.vision.owner import Owner, owner
from mafiavar.analyzer.vision.rests import rests
from mafiavar.analyzer.vision.steady import Steady
from mafiavar.analyzer.vision.tiles import THUMB, Observations, Sighting
from mafiavar.models.heads import HandReading

FRAME = 40_000
N = 100


def table() -> View:
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    outline = tuple((960 + 450 * np.cos(a), 560 + 280 * np.sin(a)) for a in angles)
    seats = []
    for n in range(10):
        a = np.pi / 2 + 2 * np.pi * (n + 0.5) / 10
        x, y = 960 + 500 * np.cos(a), 560 + 310 * np.sin(a)
        seats.append(Seat(n + 1, Box(x - 110, y - 0.65 * 320, 220, 320)))
    return view_of(SeatMap("r.mp4", (1920, 1080), outline, tuple(seats)), (1920, 1080))


# A vertical fist as the hand model describes one (metres; a studio hand, rounded).
FIST = np.array(
    [
        [-0.06, 0.03, 0.02], [-0.03, 0.00, 0.01], [-0.01, -0.02, 0.00], [0.01, -0.03, 0.00], [0.02, -0.03, 0.01],
        [0.02, -0.02, 0.00], [0.04, -0.01, -0.01], [0.03, 0.00, 0.01], [0.01, 0.00, 0.02],
        [0.02, 0.00, -0.01], [0.04, 0.01, -0.01], [0.03, 0.02, 0.01], [0.01, 0.01, 0.02],
        [0.02, 0.02, 0.00], [0.03, 0.03, 0.00], [0.02, 0.03, 0.02], [0.01, 0.03, 0.02],
        [0.01, 0.03, 0.01], [0.02, 0.04, 0.01], [0.02, 0.04, 0.02], [0.01, 0.04, 0.03],
    ],
    np.float32,
)  # fmt: skip


def sighting(view: View, seat: int, t: int, u: float, v: float, right: float, size: float = 40.0) -> Sighting:
    place = view.table.place(seat)
    unit = place.spacing / (2 * np.pi / 11)
    base = view.table.to_pixels(place.edge + unit * (u * place.right + v * place.inward))
    ahead = view.table.back @ place.inward
    ahead /= np.hypot(*ahead)
    across = np.array([-ahead[1], ahead[0]])
    flat = FIST[:, :2] / 0.1 * size
    points = flat[:, :1] * ahead + flat[:, 1:] * across
    low, high = points.min(axis=0), points.max(axis=0)
    points += base - [(low[0] + high[0]) / 2, low[1] + 0.75 * (high[1] - low[1])]
    return Sighting(t, t, seat, 0, points.astype(np.float32), FIST, right, 0.9)


def film(view: View, seat: int, hand: Sighting, first: int, after: int) -> np.ndarray:
    """Thumbnails in which a bright hand lies in the reach of every seat that sees it."""
    thumbs = np.full((N, 10, THUMB, THUMB), 80, np.uint8)
    for k, (x, y, w, _) in enumerate(view.reach):
        q = ((hand.points - [x, y]) / w * THUMB).astype(int)
        (x0, y0), (x1, y1) = q.min(axis=0), q.max(axis=0) + 1
        if x1 > 0 and y1 > 0 and x0 < THUMB and y0 < THUMB:
            thumbs[first:after, k, max(y0, 0) : y1, max(x0, 0) : x1] = 190
    return thumbs


def seen(
    view: View, seat: int, u: float, v: float, right: float, first: int = 20, after: int = 70
) -> Observations:
    times = np.arange(N, dtype=np.int64) * FRAME
    looks = tuple(sighting(view, seat, int(times[i]), u, v, right) for i in range(first, after, 10))
    tiles = np.arange(0, N * FRAME, 500_000, dtype=np.int64)
    ones = np.ones((len(tiles), 10), np.float32)
    return Observations(
        view.numbers, times, times, film(view, seat, looks[0], first, after), tiles,
        np.ones((len(tiles), 10, 2), np.float32), ones * 90, ones * 90, looks,
        np.full((N, 10, THUMB, THUMB), 80, np.uint8), (),
    )  # fmt: skip


@pytest.mark.parametrize("seat", range(1, 11))
@pytest.mark.parametrize(("u", "right"), [(0.12, 0.9), (-0.12, 0.1)])
def test_a_fist_belongs_to_the_seat_before_which_it_lies(seat: int, u: float, right: float) -> None:
    view = table()
    depth = 0.14 - 0.07 * float(view.table.place(seat).inward[1])
    (rest,) = rests(seen(view, seat, u, depth, right).sightings)
    who = owner(rest, view.table)
    assert who is not None and who.seat == seat and who.probability > 0.9
    assert (who.right > 0.5) == (u > 0)


def test_contact_begins_with_the_first_still_frame_and_ends_with_the_first_that_moves() -> None:
    view = table()
    (c,) = contacts(seen(view, 6, 0.12, 0.08, 0.9), view, Span(0, N * FRAME), time_base=(1, 25))
    assert (c.seat, c.side, c.span) == (6, "right", Span(20 * FRAME, 70 * FRAME))
    assert not c.open_start and not c.open_end
    assert [f.role for f in c.evidence] == ["before", "touch", "rest", "release"]


def test_what_never_came_and_never_went_is_no_contact() -> None:
    view = table()
    assert contacts(seen(view, 6, 0.12, 0.08, 0.9, 0, N), view, Span(0, N * FRAME), time_base=(1, 25)) == ()


def test_a_hand_over_the_edge_is_no_contact() -> None:
    view = table()
    assert contacts(seen(view, 3, 0.12, -0.05, 0.9), view, Span(0, N * FRAME), time_base=(1, 25)) == ()


def test_a_hand_on_its_way_is_no_contact() -> None:
    view = table()
    brief = seen(view, 6, 0.12, 0.08, 0.9, 20, 25)
    looks = tuple(sighting(view, 6, i * FRAME, 0.12, 0.08, 0.9) for i in (20, 22, 24))
    brief = Observations(**{f: getattr(brief, f) for f in Observations.__slots__} | {"sightings": looks})
    assert contacts(brief, view, Span(0, N * FRAME), time_base=(1, 25)) == ()


def with_looks(o: Observations, looks: tuple[Sighting, ...], **more: object) -> Observations:
    return Observations(**{f: getattr(o, f) for f in Observations.__slots__} | {"sightings": looks} | more)


def test_one_look_is_enough_for_a_hand_that_rests_a_third_of_a_second() -> None:
    view = table()
    brief = seen(view, 6, 0.12, 0.08, 0.9, 20, 29)
    looks = (sighting(view, 6, 22 * FRAME, 0.12, 0.08, 0.9),)
    (c,) = contacts(with_looks(brief, looks), view, Span(0, N * FRAME), time_base=(1, 25))
    assert c.span == Span(20 * FRAME, 29 * FRAME) and c.probability >= 0.5


def test_what_was_found_once_in_two_seconds_is_no_contact() -> None:
    view = table()
    looks = (sighting(view, 6, 22 * FRAME, 0.12, 0.08, 0.9),)
    long = with_looks(seen(view, 6, 0.12, 0.08, 0.9), looks)
    assert contacts(long, view, Span(0, N * FRAME), time_base=(1, 25)) == ()


def test_a_hand_that_stands_on_its_elbow_is_not_the_neighbours() -> None:
    view = table()
    o = seen(view, 6, 0.12, 0.08, 0.9)
    (rest,) = rests(o.sightings)
    who = owner(rest, view.table)
    raised = HandReading(0.5, 0.4, 0.1, 0.0, 0.0, 0.1, 0.1, 0.8, (0.0,) * 6)
    lying = HandReading(0.9, 0.1, 0.0, 0.0, 0.0, 0.9, 0.1, 0.0, (0.0,) * 6)
    assert who is not None
    # The forearm comes up from the place of a neighbour.
    elbow = view.table.to_pixels(view.table.place(7).edge * 0.9)
    there = rest.wrist - elbow
    leaning = replace(rest, direction=there / np.hypot(*there), size=float(np.hypot(*there)) / 1.5)
    assert _standing(leaning, who, lying, view) is who
    assert _standing(leaning, who, raised, view).seat == 7


def test_how_a_fist_stands_is_read_in_its_owners_own_reach() -> None:
    view = table()
    o = seen(view, 6, 0.12, 0.08, 0.9)
    mine = [sighting(view, 5, t * FRAME, 0.12, 0.08, 0.9) for t in (30, 40)]
    own = [replace(s, crop=6) for s in mine]
    others = [replace(s, crop=5, scale=1) for s in mine]
    seen_both = with_looks(o, (*own, *others))
    assert _best_looks(others, 6, Span(20 * FRAME, 70 * FRAME), seen_both) == own
    assert _best_looks(others, 6, Span(20 * FRAME, 70 * FRAME), with_looks(o, tuple(others))) == others


def test_an_open_hand_seen_from_above_may_hover(monkeypatch: pytest.MonkeyPatch) -> None:
    view = table()
    o = seen(view, 6, 0.12, 0.08, 0.9)
    palm = HandReading(0.0, 0.98, 0.01, 0.0, 0.01, 0.1, 0.9, 0.0, (0.0,) * 6)
    monkeypatch.setattr(hand_heads(), "read", lambda worlds, tilt: palm)

    def sure(tilt: float) -> float:
        steep = replace(view, table=replace(view.table, tilt=tilt))
        (c,) = contacts(o, steep, Span(0, N * FRAME), time_base=(1, 25))
        assert c.form == "palm"
        return c.probability

    assert sure(0.7) > 0.9
    assert 0.25 < sure(1.1) < 0.5


def test_what_is_there_most_of_the_time_did_not_come_when_something_else_went() -> None:
    def rest(first: int, last: int, grey: float) -> Steady:
        return Steady(first, last, np.full((6, 6), grey) + np.arange(6) * (10 if grey > 100 else 0), 0.2)

    neck, passing = rest(0, 30, 60.0), rest(32, 38, 150.0)
    again = rest(40, 90, 60.0)
    assert not came_or_went([neck, passing, again], 0) and not came_or_went([neck, passing, again], 2)
    assert came_or_went([neck, passing, again], 1)
    assert came_or_went([passing, replace(again, looks=again.looks)], 1)  # came and stayed


def test_what_passes_at_its_border_does_not_make_a_resting_hand_come() -> None:
    there, beside = np.full((10, 10), 60.0), np.full((10, 10), 60.0)
    beside[:, 0] = 220.0
    dark = there - np.arange(10) * 4.0
    runs = [Steady(0, 10, there, 0.2), Steady(12, 20, beside, 0.2)]
    assert not came_or_went(runs, 1)
    assert came_or_went([runs[0], Steady(12, 20, dark, 0.2)], 1)  # a hand as dark as the table


def test_an_ambiguous_hand_is_a_doubt_for_both(monkeypatch: pytest.MonkeyPatch) -> None:
    view = table()
    o = seen(view, 6, 0.12, 0.08, 0.9)
    two = (Owner(6, 0.55, 0.9), Owner(7, 0.4, 0.1))
    monkeypatch.setattr("mafiavar.analyzer.vision.contacts.owners", lambda rest, table: two)
    found = contacts(o, view, Span(0, N * FRAME), time_base=(1, 25))
    assert {c.seat for c in found} == {6, 7}
    assert all(0.25 < c.probability < 0.5 for c in found)


def test_a_small_part_of_a_hand_is_nobodys_unless_it_is_clear_whose(monkeypatch: pytest.MonkeyPatch) -> None:
    view = table()
    o = seen(view, 6, 0.12, 0.08, 0.9)
    monkeypatch.setattr("mafiavar.analyzer.vision.contacts._PART", 2.0)
    for owner_, most in ((Owner(6, 0.85, 0.9), 0.5), (Owner(6, 0.99, 0.9), 1.0)):
        monkeypatch.setattr("mafiavar.analyzer.vision.contacts.owners", lambda rest, table, o=owner_: (o,))
        (c,) = contacts(o, view, Span(0, N * FRAME), time_base=(1, 25))
        assert most - 0.5 < c.probability <= most


def test_a_sliver_of_a_hand_makes_no_vote_however_clear_whose(monkeypatch: pytest.MonkeyPatch) -> None:
    view = table()
    sliver = 0.3 * view.table.place(6).hand
    looks = tuple(sighting(view, 6, i * FRAME, 0.12, 0.08, 0.9, sliver) for i in range(20, 70, 10))
    whole = seen(view, 6, 0.12, 0.08, 0.9)
    o = replace(with_looks(whole, looks), thumbs=film(view, 6, looks[0], 20, 70))
    monkeypatch.setattr(
        "mafiavar.analyzer.vision.contacts.owners", lambda rest, table: (Owner(6, 0.99, 0.9),)
    )
    (c,) = contacts(o, view, Span(0, N * FRAME), time_base=(1, 25))
    assert 0.25 < c.probability < 0.5


def test_a_fist_where_a_neighbours_elbow_would_hold_it_is_less_surely_this_seats() -> None:
    view = table()
    (rest,) = rests(seen(view, 6, 0.12, 0.08, 0.9).sightings)
    mine = owner(rest, view.table)
    assert mine is not None and mine.seat == 6 and mine.probability > 0.9
    ahead = replace(rest, centre=np.array(on_elbow(view.table, view.table.place(7), 1.0)))
    beside = owner(ahead, view.table)
    assert beside is not None and beside.probability < mine.probability


def test_a_fist_at_the_very_edge_is_a_doubt_and_no_neighbours() -> None:
    view = table()
    (c,) = contacts(seen(view, 6, 0.12, 0.01, 0.9), view, Span(0, N * FRAME), time_base=(1, 25))
    assert c.seat == 6 and 0.25 < c.probability < 0.5
