"""The cost table: sums, ratios, stages that only one way has."""

from __future__ import annotations

from mafiavar.ui.cli.bench_pipeline import Row, rows_of


def test_rows_and_total() -> None:
    rows = rows_of({"index": 0.5, "hands": 1.0}, {"hands": 4.0, "speech": 2.0})
    assert rows == [
        Row("index", 0.5, None),
        Row("hands", 1.0, 4.0),
        Row("speech", 0.0, 2.0),
        Row("total", 1.5, 6.0),
    ]


def test_without_the_naive_way() -> None:
    assert rows_of({"index": 0.5}, {})[-1] == Row("total", 0.5, None)
