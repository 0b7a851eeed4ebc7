"""Fakes of the studio: utterances without a synthesiser, surroundings without a stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from mafiavar.sample_videos.picture.acting import Surroundings
from mafiavar.sample_videos.script import Script
from mafiavar.sample_videos.timing import Timed, place

WORD = 0.35


@dataclass(frozen=True)
class Said:
    """Every word lasts 0.35 s."""

    count: int

    @property
    def duration(self) -> float:
        return self.count * WORD

    @property
    def words(self) -> tuple[tuple[float, float], ...]:
        return tuple((k * WORD, (k + 1) * WORD) for k in range(self.count))


def said(script: Script) -> Mapping[str, Said]:
    return {x.id: Said(len(x.text.split())) for x in script.lines}


def timed(script: Script) -> Timed:
    return place(script, said(script))


@pytest.fixture
def nowhere() -> Surroundings:
    return Surroundings(lambda _seat, _who: 0, lambda _seat, _side: "fwd", ())
