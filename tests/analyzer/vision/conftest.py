"""What the tests of seeing share."""

from __future__ import annotations

from pathlib import Path

import pytest

from mafiavar.analyzer.media.recording import index
from mafiavar.analyzer.seats import SeatMap, find_seats_file, read_seats

TABLE = Path(__file__).parents[3] / "sample_videos" / "first_table.mp4"


@pytest.fixture(scope="session")
def table() -> SeatMap:
    """The map of the shipped table."""
    file = find_seats_file(TABLE)
    recording = index(TABLE)
    assert file is not None and recording.video is not None
    return read_seats(file, TABLE.name, recording.video.size)
