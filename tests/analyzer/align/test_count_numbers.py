"""Counts weighed together: the sum, the result and the hands say what one number alone cannot."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mafiavar.analyzer.align import Alignment
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.evaluation.spoken import spoken
from mafiavar.analyzer.speech.numerals import distribution

from .test_align import Talk, day_one


def heard(talk: Talk, numbers: dict[int, tuple[int, float] | None]) -> list[Cue]:
    """The cues, with the n-th count heard as (number, confidence); None: not heard."""
    out: list[Cue] = []
    n = -1
    for cue in spoken(talk.events):
        if cue.kind is CueKind.VOTE_COUNT:
            n += 1
            said = numbers.get(n, (cue.number() or 0, 0.95))
            if said is None:
                continue
            cue = replace(cue, numbers=(distribution(said[0], said[1], lowest=0),))
        out.append(cue)
    return out


def counts(alignment: Alignment) -> dict[int, tuple[int, float]]:
    return {
        e.fields["target"]: (e.fields["count"], e.confidence)
        for e in alignment.timeline.of_kind("vote_announced")
    }


def test_a_lone_number_is_as_sure_as_it_was_heard_and_the_sum_makes_it_surer() -> None:
    talk = day_one({3: 2, 5: 6, 8: 2}).leaves(5)
    whole = counts(talk.aligned(cues=heard(talk, {0: (2, 0.8)})))
    alone = counts(talk.aligned(cues=heard(talk, {0: (2, 0.8), 1: None})))
    assert whole[3][0] == alone[3][0] == 2
    assert whole[3][1] > alone[3][1] + 0.02


def test_a_number_that_the_search_did_not_try_still_counts_against_what_was_heard() -> None:
    """One may have been none: the rules let both be, and the search tries only what sounds most alike."""
    talk = day_one({3: 3, 5: 0, 8: 7}).leaves(8)
    found = talk.aligned(cues=heard(talk, {0: None, 1: (1, 0.7)}))
    event = next(e for e in found.timeline.of_kind("vote_announced") if e.fields["target"] == 5)
    assert event.confidence < 0.9
    assert any(fields["count"] == 0 for fields, _ in event.runners_up)


def test_who_leaves_tells_of_the_counts() -> None:
    """Of three who are voted on the one with most votes leaves; five for him cannot be when another has six."""
    talk = day_one({3: 3, 5: 4, 8: 3}).leaves(5)
    known = counts(talk.aligned(cues=heard(talk, {0: (3, 0.75), 1: (4, 0.75), 2: None})))
    unknown = counts(
        Talk.aligned(
            cut_before_result(talk),
            cues=heard(cut_before_result(talk), {0: (3, 0.75), 1: (4, 0.75), 2: None}),
        )
    )
    assert known[5][1] > unknown[5][1]


def cut_before_result(talk: Talk) -> Talk:
    short = Talk()
    short.events = [e for e in talk.events if e["kind"] != "eliminated" and e.get("purpose") != "last_word"]
    last = max(i for i, e in enumerate(short.events) if e["kind"] == "vote_announced")
    short.events = short.events[: last + 1]
    short.t = talk.t
    return short


@pytest.mark.parametrize("miscount", [(4, 5), (3, 5)])
def test_a_clear_miscount_stays_what_was_said(miscount: tuple[int, int]) -> None:
    talk = day_one(dict(zip((3, 5), miscount, strict=True))).leaves(5)
    found = counts(talk.aligned(cues=heard(talk, {0: (miscount[0], 0.97), 1: (miscount[1], 0.97)})))
    assert (found[3][0], found[5][0]) == miscount
