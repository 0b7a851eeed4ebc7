"""Departures from a seat's own usual look, doubts, and what the nets see on the shipped table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mafiavar.analyzer.media.recording import index
from mafiavar.analyzer.seats import find_seats_file, read_seats
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.vision.bodies import hidden_head
from mafiavar.analyzer.vision.night import answer_night, departed, departures, runs, smoothed
from mafiavar.analyzer.vision.place import lay_table
from mafiavar.analyzer.vision.question import Question, QuestionKind, Tell

TIMES = np.arange(50, dtype=np.int64) * 200_000
TABLE = Path(__file__).parents[3] / "sample_videos" / "first_table.mp4"


def test_a_departure_shows_and_a_change_of_light_does_not() -> None:
    g = np.random.default_rng(0)
    usual = g.integers(40, 160, (24, 24))
    shown = np.stack([usual + g.normal(0, 2, usual.shape) for _ in range(50)])
    shown[10:18] = np.roll(usual, 6, axis=0)
    shown[30:40] *= 1.2
    away = departed(np.clip(shown, 0, 255).astype(np.uint8), np.full(50, 0.9))
    assert away[10:18].all()
    assert not away[:10].any() and not away[18:].any()


def test_who_is_awake_for_most_of_a_short_night_departs_from_the_rest_of_it() -> None:
    g = np.random.default_rng(1)
    asleep, awake = g.integers(40, 160, (2, 24, 24))
    shown = np.stack([(awake if 15 <= i < 45 else asleep) + g.normal(0, 2, (24, 24)) for i in range(50)])
    usual = np.full(50, 0.9)
    usual[15:45] = 0.05
    away = departed(np.clip(shown, 0, 255).astype(np.uint8), usual)
    assert away[15:45].all() and not away[:15].any() and not away[45:].any()


def test_a_stretch_that_is_hardly_ever_doubtful_is_one_departure() -> None:
    usual, away = np.full(50, 0.97), np.zeros(50, bool)
    usual[20:30] = [0.04, 0.09, 0.09, 0.29, 0.35, 0.32, 0.33, 0.04, 0.04, 0.02]
    away[20:30] = True
    assert [run for run, _ in departures(usual, away, TIMES, 1_600_000, 0.8)] == [(20, 29)]
    usual[20:30] = 0.3  # the likelier all along, and never sure
    assert not list(departures(usual, away, TIMES, 1_600_000, 0.8))


def test_runs_close_short_gaps_and_drop_short_stretches() -> None:
    flags = np.zeros(50, bool)
    flags[5:10] = flags[12:15] = flags[30] = True
    assert runs(flags, TIMES, 800_000) == [(5, 14)]


def test_one_bad_sample_is_nothing() -> None:
    values = np.full(20, 0.9)
    values[7] = 0.0
    assert (smoothed(values) == 0.9).all()


@pytest.mark.parametrize(
    ("p", "changed", "found"),
    [
        (0.02, True, True),
        (0.02, False, True),  # as sure as that: whoever sits so all night never changes
        (0.12, True, True),
        (0.12, False, False),  # the picture is as usual
        (0.35, True, False),  # not sure
    ],
)
def test_a_departure_is_sure_and_shows(p: float, changed: bool, found: bool) -> None:
    usual, away = np.full(50, 0.97), np.zeros(50, bool)
    usual[20:30], away[20:30] = p, changed
    told = list(departures(usual, away, TIMES, 800_000, 0.85))
    assert [run for run, _ in told] == ([(20, 29)] if found else [])


def test_the_late_mask_of_the_shipped_table_is_found_and_no_other() -> None:
    """Seconds 81 to 87 of the night: everybody but seat 8 has the mask on by 82.7 s, seat 8 at 84.9 s."""
    recording = index(TABLE)
    file = find_seats_file(TABLE)
    assert file is not None and recording.video is not None
    seats = read_seats(file, TABLE.name, recording.video.size)
    question = Question(QuestionKind.MASK, seats.numbers, Span.of(82.8, 88.0))
    told = [a for a in answer_night(recording, seats, [question], workers=0) if a.tell is Tell.YES]
    assert {a.seat for a in told} <= {7, 8}  # the seventh chair is empty
    (late,) = [a for a in told if a.seat == 8]
    assert abs(late.span.t1 / 1e6 - 84.92) < 0.5


def test_a_head_that_is_raised_is_told_from_behind_and_no_other() -> None:
    """Seats 5 and 6 show their backs; only 6 raises the head, from 103.9 to 106.7 s."""
    recording = index(TABLE)
    file = find_seats_file(TABLE)
    assert file is not None and recording.video is not None
    seats = read_seats(file, TABLE.name, recording.video.size)
    question = Question(QuestionKind.POSTURE, (5, 6), Span.of(98.0, 109.8))
    told = [a for a in answer_night(recording, seats, [question], workers=0) if a.tell is Tell.YES]
    (up,) = told
    assert (up.seat, up.value) == (6, "head_up")
    assert abs(up.span.t0 / 1e6 - 103.88) < 0.6 and abs(up.span.t1 / 1e6 - 106.68) < 0.6


def test_of_a_head_behind_another_head_nothing_is_told() -> None:
    file = find_seats_file(TABLE)
    recording = index(TABLE)
    assert file is not None and recording.video is not None
    seats = read_seats(file, TABLE.name, recording.video.size)
    table = lay_table(seats)
    assert not any(hidden_head(table, p, seats.size) for p in table.places)
    far = min(seats.seats, key=lambda s: s.box.y + s.box.h)
    near = next(s for s in seats.seats if s.number != far.number)
    before = replace(near, box=replace(far.box, y=far.box.y + 12))
    moved = replace(seats, seats=tuple(before if s is near else s for s in seats.seats))
    table = lay_table(moved)
    assert hidden_head(table, table.place(far.number), seats.size)
    assert not hidden_head(table, table.place(near.number), seats.size)
    question = Question(QuestionKind.MASK, (far.number,), Span.of(88.0, 90.0))
    (told,) = answer_night(recording, moved, [question], workers=0)
    assert told.tell is Tell.CANNOT_TELL
