"""A fist over the edge of the table, the elbow perhaps on it: never a vote, never a "no"."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mafiavar.analyzer.span import Span
from mafiavar.analyzer.vision.answer import _seat_hands, _Where
from mafiavar.analyzer.vision.bodies import on_elbow, raised_boxes
from mafiavar.analyzer.vision.contacts import Context, contacts, hand_heads
from mafiavar.analyzer.vision.elbows import elbows, stirred
from mafiavar.analyzer.vision.observe import View
from mafiavar.analyzer.vision.place import USUAL_SPACING
from mafiavar.analyzer.vision.question import Contact
from mafiavar.analyzer.vision.tiles import ABOVE, THUMB, Observations, Sighting
from mafiavar.models.heads import HandReading
from tests.analyzer.vision.test_contacts import FIST, FRAME, N, seen, table, with_looks

SEAT = 6
WINDOW = Span(0, N * FRAME)
ON_ELBOW = HandReading(0.8, 0.1, 0.1, 0.0, 0.0, 0.05, 0.05, 0.9, (0.0,) * 6)


def raised(view: View, first: int = 20, after: int = 70, of: int = SEAT, crop: int = SEAT) -> Observations:
    """A fist on the right elbow of the seat `of`, found in what is looked at for `crop`."""
    centre = np.array(on_elbow(view.table, view.table.place(of), 1.0))
    points = FIST[:, :2] / 0.1 * view.table.place(of).hand
    points += centre - points.mean(axis=0)
    looks = tuple(
        Sighting(i * FRAME, i * FRAME, crop, ABOVE, points.astype(np.float32), FIST, 0.9, 0.9)
        for i in range(first, after, 10)
    )
    k = view.numbers.index(crop)
    x, y, w, _ = view.above[k]
    (x0, y0), (x1, y1) = (
        np.clip((p - [x, y]) / w * THUMB, 0, THUMB).astype(int) for p in (points.min(0), points.max(0))
    )
    above = np.full((N, 10, THUMB, THUMB), 80, np.uint8)
    above[first:after, k, y0:y1, x0:x1] = 190
    bare = seen(view, SEAT, 0.12, 0.08, 0.9)
    empty = np.full_like(bare.thumbs, 80)
    return with_looks(bare, (), thumbs=empty, above=above, raised=looks)


@pytest.fixture
def view(monkeypatch: pytest.MonkeyPatch) -> View:
    monkeypatch.setattr(hand_heads(), "read", lambda worlds, tilt: ON_ELBOW)
    return table()


def doubts(o: Observations, view: View, found: tuple[Contact, ...] = ()) -> tuple[Contact, ...]:
    return elbows(Context(o, view, hand_heads(), 0, (1, 25)), WINDOW, found)


def test_a_fist_that_came_to_stand_over_the_edge_is_a_doubt_and_no_contact(view: View) -> None:
    o = raised(view)
    assert contacts(o, view, WINDOW, time_base=(1, 25)) == ()
    (doubt,) = doubts(o, view)
    assert (doubt.seat, doubt.side, doubt.form) == (SEAT, "right", "elbow")
    assert doubt.span == Span(20 * FRAME, 70 * FRAME)
    assert 0.25 <= doubt.probability < 0.5  # neither makes a vote nor lets one be denied
    assert [f.role for f in doubt.evidence] == ["before", "touch", "rest", "release"]
    answer = _seat_hands(SEAT, _Where(WINDOW, o, view, 0, (1, 25)), (doubt,))
    assert doubt in answer.contacts


def test_a_third_of_a_second_is_enough(view: View) -> None:
    o = raised(view, 40, 49)
    (doubt,) = doubts(o, view)
    assert doubt.span == Span(40 * FRAME, 49 * FRAME)
    assert doubts(raised(view, 40, 45), view) == ()  # on its way


def test_a_fist_at_the_chin_all_along_is_none(view: View) -> None:
    assert doubts(raised(view, 0, N), view) == ()


def test_what_lies_or_is_no_hand_is_none(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    o = raised(view)
    for other in (replace(ON_ELBOW, fist=0.1, none=0.8), replace(ON_ELBOW, raised=0.2, vertical=0.75)):
        monkeypatch.setattr(hand_heads(), "read", lambda worlds, tilt, other=other: other)
        assert doubts(o, view) == ()


def test_a_small_fist_that_is_read_as_an_open_hand_is_a_doubt_at_its_place_only(
    view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_ = replace(ON_ELBOW, fist=0.05, open=0.85)
    monkeypatch.setattr(hand_heads(), "read", lambda worlds, tilt: open_)
    (doubt,) = doubts(raised(view), view)
    assert doubt.form == "unknown" and doubt.probability < 0.5
    monkeypatch.setattr("mafiavar.analyzer.vision.elbows._AT_PLACE", 0.0)
    assert doubts(raised(view), view) == ()


def test_a_neighbours_fist_is_not_this_seats(view: View) -> None:
    assert doubts(raised(view, of=7, crop=6), view) == ()


def test_the_hand_of_a_contact_is_no_second_one(view: View) -> None:
    o = raised(view)
    fist = Contact(SEAT, Span(20 * FRAME, 70 * FRAME), "right", "fist_vertical", 0.9)
    assert doubts(o, view, (fist,)) == ()
    assert doubts(o, view, (replace(fist, seat=7),)) != ()
    assert doubts(o, view, (replace(fist, span=Span(80 * FRAME, 90 * FRAME)),)) != ()
    (doubt,) = doubts(o, view)
    there = replace(fist, evidence=doubt.evidence)
    assert doubts(o, view, (there,)) == ()


def test_a_hand_that_rests_on_the_table_hides_no_fist_over_the_edge(view: View) -> None:
    o = raised(view)
    (doubt,) = doubts(o, view)
    low = tuple(replace(f, landmarks=tuple((x, y + 150.0) for x, y in f.landmarks)) for f in doubt.evidence)
    palm = Contact(SEAT, Span(20 * FRAME, 70 * FRAME), "left", "palm", 0.9, evidence=low)
    assert doubts(o, view, (palm,)) != ()


def test_both_fists_lie_well_inside_what_is_looked_at() -> None:
    view = table()
    for place, above in zip(view.places, view.above, strict=True):
        for sign, closer in zip((-1.0, 1.0), raised_boxes(view.table, place, view.size), strict=True):
            x, y = on_elbow(view.table, place, sign)
            for bx, by, w, h in (above, closer):
                assert bx + 0.5 * place.hand < x < bx + w - 0.5 * place.hand
                assert by + 0.5 * place.hand < y < by + h - 0.5 * place.hand


def test_what_stood_there_and_was_not_found_is_told_as_stirred(view: View) -> None:
    o = replace(raised(view), raised=())
    assert doubts(o, view) == (), "no look found it"
    assert stirred(o, view, SEAT, ()) == [Span(20 * FRAME, 69 * FRAME)]
    assert stirred(o, view, SEAT % 10 + 1, ()) == []
    answer = _seat_hands(SEAT, _Where(WINDOW, o, view, 0, (1, 25)), ())
    (doubt,) = answer.contacts
    assert (doubt.span, doubt.form) == (Span(20 * FRAME, 69 * FRAME), "unknown")
    assert 0.25 <= doubt.probability < 0.5
    assert [f.role for f in doubt.evidence] == ["before", "rest"]


def test_an_arm_that_reaches_for_the_table_and_one_that_sits_otherwise_stirs_nothing(view: View) -> None:
    o = replace(raised(view), raised=())
    contact = Contact(SEAT, Span(25 * FRAME, 70 * FRAME), "right", "fist_vertical", 0.95)
    assert stirred(o, view, SEAT, (contact,)) == []
    assert stirred(replace(raised(view, 40, 45), raised=()), view, SEAT, ()) == [], "on its way"
    assert stirred(replace(raised(view, 0, N), raised=()), view, SEAT, ()) == [], "all along"


def test_a_fist_just_outside_the_edge_is_a_doubt(view: View) -> None:
    o = outside(view, SEAT)
    assert contacts(o, view, WINDOW, time_base=(1, 25)) == ()
    (doubt,) = doubts(o, view)
    assert (doubt.seat, doubt.span) == (SEAT, Span(20 * FRAME, 70 * FRAME))
    assert 0.25 <= doubt.probability < 0.5


def test_an_open_hand_in_the_lap_is_none(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    palm = HandReading(0.1, 0.8, 0.05, 0.05, 0.0, 0.05, 0.05, 0.1, (0.0,) * 6)
    monkeypatch.setattr(hand_heads(), "read", lambda worlds, tilt: palm)
    assert doubts(outside(view, SEAT), view) == ()


def outside(view: View, seat: int) -> Observations:
    """A fist that came to a place just outside the table's edge, seen in the seat's reach."""
    place, k = view.table.place(seat), view.numbers.index(seat)
    points = FIST[:, :2] / 0.1 * place.hand
    at = view.table.to_pixels(place.edge - 0.05 * place.spacing / USUAL_SPACING * place.inward)
    low, high = points.min(axis=0), points.max(axis=0)
    points += at - [(low[0] + high[0]) / 2, low[1] + 0.75 * (high[1] - low[1])]
    looks = tuple(
        Sighting(i * FRAME, i * FRAME, seat, 0, points.astype(np.float32), FIST, 0.9, 0.9)
        for i in range(20, 70, 10)
    )
    x, y, w, _ = view.reach[k]
    (x0, y0), (x1, y1) = (
        np.clip((p - [x, y]) / w * THUMB, 0, THUMB).astype(int) for p in (points.min(0), points.max(0))
    )
    bare = seen(view, seat, 0.12, 0.08, 0.9)
    thumbs = np.full_like(bare.thumbs, 80)
    thumbs[20:70, k, y0:y1, x0:x1] = 190
    return with_looks(bare, looks, thumbs=thumbs, above=np.full((N, 10, THUMB, THUMB), 80, np.uint8))
