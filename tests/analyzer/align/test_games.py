"""A day's recording cut into its games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mafiavar.analyzer.align.games import games
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.evaluation.spoken import spoken
from mafiavar.analyzer.span import SECOND, Span, micros
from mafiavar.ui.cli.written import written

MINUTE = 60 * SECOND


def moved(cues: Sequence[Cue], by: int) -> list[Cue]:
    return [replace(c, span=Span(c.span.t0 + by, c.span.t1 + by)) for c in cues]


def game(seed: int) -> tuple[list[Cue], int]:
    truth = written("fsm-2026", seed, condensed=True)
    return spoken(truth["events"], speech=truth["speech"]), micros(truth["duration"])


def test_games_with_breaks_are_cut_and_every_cue_of_a_game_stays_in_it() -> None:
    cues: list[Cue] = []
    spans, t = [], 5 * MINUTE
    for seed in (101, 102, 103):
        mine, duration = game(seed)
        cues += moved(mine, t)
        spans.append(Span(t, t + duration))
        t += duration + 12 * MINUTE
    found = games(cues, Span(0, t))
    assert len(found) == 3
    for true, cut in zip(spans, found, strict=True):
        assert cut.t0 <= true.t0 + 5 * SECOND
        # The break after the announced end is left out, last words after it are not.
        assert true.t1 - 30 * SECOND <= cut.t1 <= true.t1 + 2 * MINUTE


def test_one_game_is_the_whole_recording() -> None:
    cues, duration = game(101)
    assert games(cues, Span(0, duration)) == (Span(0, duration),)
    assert games([], Span(0, duration)) == (Span(0, duration),)


def test_a_recording_that_begins_in_mid_game_keeps_that_half() -> None:
    first, length = game(101)
    second, more = game(102)
    half = length // 2
    cues = [c for c in moved(first, -half) if c.span.t0 >= 0] + moved(second, length - half + 10 * MINUTE)
    found = games(cues, Span(0, length - half + 10 * MINUTE + more))
    assert len(found) == 2
    assert found[0].t0 == 0 and found[0].t1 <= length - half + 2 * MINUTE


def test_a_single_invented_phrase_begins_no_game() -> None:
    cues, duration = game(101)
    stray = Cue(CueKind.NEGOTIATION, Span(duration // 2, duration // 2 + SECOND), 0.5)
    assert len(games(sorted([*cues, stray], key=lambda c: c.span.t0), Span(0, duration))) == 1
