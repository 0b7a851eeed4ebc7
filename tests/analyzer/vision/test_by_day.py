"""Masks on the eyes by day: which key frames are looked at closer, and the shipped table's first seconds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from mafiavar.analyzer.media.recording import index
from mafiavar.analyzer.seats import SeatMap
from mafiavar.analyzer.span import SECOND, Span
from mafiavar.analyzer.vision.by_day import answer_by_day, stretches
from mafiavar.analyzer.vision.question import Question, QuestionKind, Tell

TABLE = Path(__file__).parents[3] / "sample_videos" / "first_table.mp4"
FACING = (1, 2, 9)
TIMES = np.arange(12, dtype=np.int64) * 2 * SECOND


def test_a_seat_that_looks_otherwise_than_it_does_by_day() -> None:
    told = np.full((12, 10), 0.02)
    told[4, 2] = told[8:10, 2] = 0.97
    told[6, 5] = 0.55  # not even worth a closer look
    told[2, 4] = 0.65  # that it is
    told[:, 7] = 0.95  # the net takes this one's usual look for a mask
    assert list(stretches(told, TIMES)) == [(2, (4, 4)), (2, (8, 9)), (4, (2, 2))]


def test_half_the_table_masked_is_a_night_that_was_not_heard() -> None:
    told = np.full((12, 10), 0.02)
    told[4, :6] = 0.97
    assert list(stretches(told, TIMES)) == []


def test_masks_of_the_shipped_table_come_off_at_six_seconds(table: SeatMap) -> None:
    """All ten begin with the mask on; on a map of three that is three masks by day."""
    some = replace(table, seats=tuple(s for s in table.seats if s.number in FACING))
    question = Question(QuestionKind.DAY, FACING, Span.of(0, 60))
    told = answer_by_day(index(TABLE), some, [question], workers=0)
    assert {a.seat for a in told} == set(FACING)
    for a in told:
        assert (a.kind, a.tell, a.value) == (QuestionKind.MASK, Tell.YES, "eyes")
        assert a.span.t0 < SECOND and abs(a.span.t1 - 6 * SECOND) < 1.5 * SECOND


def test_no_mask_and_nobody_gone_in_the_rest_of_that_day(table: SeatMap) -> None:
    question = Question(QuestionKind.DAY, table.numbers, Span.of(10, 78))
    assert answer_by_day(index(TABLE), table, [question], workers=0) == ()
