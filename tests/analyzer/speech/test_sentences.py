"""The table of sentences: what a judge or a player says, and the cues that follow from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from speech_helpers import transcript

from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.speech import cues_of

TABLE = Path(__file__).with_name("sentences.txt")


def rows() -> list[tuple[str, str]]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    parted = [line.split("|") for line in lines if line.strip() and not line.startswith("#")]
    return [(said.strip(), wanted.strip()) for said, wanted in parted]


def fits(cue: Cue, wanted: str) -> bool:
    """`wanted`: «kind 1,2 key=value»; what is not written is not compared."""
    kind, *rest = wanted.split()
    if cue.kind != kind:
        return False
    for part in rest:
        if "=" in part:
            key, value = part.split("=")
            if str(cue.detail.get(key)) != value:
                return False
        elif [cue.number(i) for i in range(len(cue.numbers))] != [int(n) for n in part.split(",")]:
            return False
    return True


def test_the_table_is_long_enough() -> None:
    assert len(rows()) >= 400
    assert len({said for said, _ in rows()}) == len(rows())


@pytest.mark.parametrize(("said", "wanted"), rows())
def test_sentence(said: str, wanted: str) -> None:
    cues = [c for c in cues_of(transcript(*said.split("//"))) if c.likelihood >= 0.4]
    expected = [w.strip() for w in wanted.split(";") if w.strip()]
    assert len(cues) == len(expected), [(c.kind.value, c.text, c.about) for c in cues]
    for cue, one in zip(cues, expected, strict=True):
        assert fits(cue, one), (
            one,
            cue.kind.value,
            [cue.number(i) for i in range(len(cue.numbers))],
            cue.detail,
        )
