"""What the rules call for speaks for a phrase; what was lost whole still has its place in the order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from mafiavar.analyzer.align.parameters import default
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.evaluation import fitting
from mafiavar.analyzer.evaluation.noise import RIGHT, WRONG
from mafiavar.analyzer.evaluation.spoken import spoken
from mafiavar.analyzer.span import micros
from mafiavar.analyzer.speech.numerals import distribution

from .test_align import Talk, day_one, facts

FIRST_NIGHT = frozenset(
    {
        CueKind.GAME_START, CueKind.NEGOTIATION, CueKind.NEGOTIATION_END, CueKind.DON_SHOWS,
        CueKind.SHERIFF_SHOWS, CueKind.FREE_SEATING,
    }
)  # fmt: skip


def doubtful(cues: Sequence[Cue], kind: CueKind, n: int, likelihood: float) -> list[Cue]:
    """The cues with the n-th of a kind heard so badly."""
    one = [c for c in cues if c.kind is kind][n]
    return [replace(c, likelihood=likelihood) if c is one else c for c in cues]


def test_a_rest_that_adds_up_is_no_invention() -> None:
    talk = day_one({3: 4, 5: 6}).leaves(5)
    alignment = talk.aligned(cues=doubtful(spoken(talk.events), CueKind.VOTE_COUNT, 1, 0.5))
    counts = {e.fields["target"]: e.confidence for e in alignment.timeline.of_kind("vote_announced")}
    assert counts[5] > 0.99


def test_who_is_called_first_though_nobody_listed_him_was_named_first() -> None:
    talk = day_one({3: 2, 5: 6, 8: 2}).leaves(5)
    first = min(c.span.t0 for c in spoken(talk.events) if c.kind is CueKind.NOMINATION)
    lost = [
        c
        for c in spoken(talk.events)
        if c.kind is not CueKind.VOTE_OPEN
        and not (c.kind in (CueKind.NOMINATION, CueKind.ACCEPTED) and abs(c.span.t0 - first) < micros(3))
    ]
    alignment = talk.aligned(cues=lost)
    assert [e.fields["target"] for e in alignment.timeline.of_kind("vote_called")] == [3, 5, 8]
    opened = alignment.timeline.of_kind("vote_opened")[0]
    assert [*opened.fields["candidates"]] == [3, 5, 8]
    assert "wrong_vote_order" not in {m.issue.kind for m in alignment.issues}


def test_a_voice_after_a_lost_minute_passes_over_whole_speeches() -> None:
    talk = Talk().first_night().morning(1).speeches(range(1, 11), {3: 7, 6: 9}).ballot(1, {7: 6, 9: 4})
    cues = spoken(talk.events)
    given = next(c.span.t1 for c in cues if c.kind is CueKind.FLOOR)
    named = next(c.span.t0 for c in cues if c.kind is CueKind.NOMINATION)
    alignment = talk.aligned(cues=[c for c in cues if not given < c.span.t0 < named])
    assert [(e[2], e[3]) for e in facts(alignment, "nominated")] == [(3, 7), (6, 9)]
    assert not {"speaker_order_wrong", "speech_skipped"} & {m.issue.kind for m in alignment.issues}


@pytest.mark.parametrize("opener", [4, 7])
def test_ten_at_the_table_after_the_first_night_begin_a_game_whoever_opens(opener: int) -> None:
    """The judge gives the first word to a wrong seat, and of the first night only «ночь» was heard."""
    order = [(opener - 1 + i) % 10 + 1 for i in range(10)]
    talk = Talk().first_night().morning(1).speeches(order, {order[1]: 3, order[4]: 5})
    talk.ballot(1, {3: 4, 5: 6}).leaves(5).night(1).morning(2).speeches([2, 3, 4])
    cues = [c for c in spoken(talk.events) if c.kind not in FIRST_NIGHT]
    alignment = talk.aligned(cues=doubtful(cues, CueKind.NIGHT, 0, 0.8))
    assert facts(alignment, "eliminated")[0] == ("eliminated", 1, (5,), "vote")
    assert not alignment.game.excerpted
    assert "wrong_opener" in {m.issue.kind for m in alignment.issues}


@pytest.mark.parametrize("spoke", [range(5, 11), [7, 8, 9, 10, 1, 2, 3]])
def test_a_recording_from_the_middle_of_a_day_is_still_an_excerpt(spoke: Sequence[int]) -> None:
    talk = Talk().speeches([*spoke], {8: 5}).ballot(1, {5: 3, 8: 4}).leaves(8).night(1)
    assert talk.aligned().game.excerpted


def test_a_recording_from_a_later_morning_is_still_an_excerpt() -> None:
    talk = Talk().add("night_began", night=1).morning(2).speeches([3, 4, 6, 7, 8, 9, 10, 1], {4: 6, 8: 9})
    assert talk.ballot(1, {6: 3, 9: 5}).leaves(9).aligned().game.excerpted


def test_confidences_of_numerals_come_true_at_both_ends() -> None:
    """Sure and unsure hearings err differently: what no straight line in the logit can follow."""
    dice = random.Random(7)
    pairs = []
    for _ in range(30_000):
        wrong = dice.random() < 0.06
        pairs.append((dice.betavariate(*(WRONG if wrong else RIGHT)), not wrong))
    sure, unsure, shift = fitting.curved(pairs)
    p = replace(default(), numeral_sure=sure, numeral_unsure=unsure, numeral_shift=shift)
    for low, high in ((0.6, 0.8), (0.8, 0.9), (0.9, 0.97), (0.97, 1.0)):
        mine = [(c, hit) for c, hit in pairs if low <= c < high]
        told = sum(1 - max(p.believed(distribution(5, min(c, 0.9999))).values()) for c, _ in mine) / len(mine)
        true = sum(not hit for _, hit in mine) / len(mine)
        assert told == pytest.approx(true, rel=0.35, abs=2e-4)
