"""Blows that were heard are looked at."""

from __future__ import annotations

from collections.abc import Sequence

from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.pipeline import following, moments
from mafiavar.analyzer.pipeline.context import Context
from mafiavar.analyzer.pipeline.glances import glances
from mafiavar.analyzer.pipeline.table import Placed
from mafiavar.analyzer.vision.gesture_knocks import questions_about
from mafiavar.analyzer.vision.question import Answer, Question


def blows(
    run: Context,
    table: Sequence[Placed],
    places: following.Stays,
    cues: Sequence[Cue],
    others: Sequence[Question],
) -> tuple[tuple[Answer, ...], list[str]]:
    """Whose hand struck the table where a knock was heard, and the keys of the stages. `others`: what is
    asked besides (votes and nights are left out)."""
    wanted = questions_about(cues, others)
    return glances(run, table, places, wanted, "blows", lambda p: (moments.blows_of, (p.number,)))
