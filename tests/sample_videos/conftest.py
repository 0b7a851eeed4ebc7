"""Fakes of the studio: utterances without a synthesiser, surroundings without a stage."""

from __future__ import annotations

import random
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


@dataclass(frozen=True)
class Paced:
    """An utterance at somebody's own pace."""

    duration: float
    words: tuple[tuple[float, float], ...]


def paced(script: Script, seed: int) -> Timed:
    """The script on the clock, spoken by people of whom no two have the same pace; no line under 0.4 s."""
    g = random.Random(seed)
    pace = g.uniform(0.25, 0.5)
    spoken = {}
    for line in script.lines:
        end = 0.0
        words = []
        for word in line.text.split():
            begin, end = end, end + pace * g.uniform(0.7, 1.3) * (0.5 + 0.12 * len(word))
            words.append((begin, end))
        spoken[line.id] = Paced(max(end, 0.4), tuple(words))
    return place(script, spoken)


@pytest.fixture
def nowhere() -> Surroundings:
    return Surroundings(lambda _seat, _who: 0, lambda _seat, _side: "fwd", ())
