"""What the alignment wants to hear again, and that a pin resumes where the search meets its old self."""

from __future__ import annotations

import itertools
from dataclasses import replace

from mafiavar.analyzer.align import Aligner, align
from mafiavar.analyzer.align.doubts import WINDOW, doubts_of
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.evaluation.noise import Noise, noisy
from mafiavar.analyzer.evaluation.spoken import spoken
from mafiavar.analyzer.span import SECOND, micros
from mafiavar.analyzer.timeline import Pin
from mafiavar.engine.ruleset import FSM_2026, ruleset
from mafiavar.ui.cli.written import written
from tests.analyzer.align.test_align import Talk


def voted(talk: Talk) -> list[Cue]:
    talk.first_night().morning(1).speeches(range(1, 11), {2: 5, 4: 7}).ballot(1, {5: 6, 7: 4}).leaves(5)
    return spoken(talk.events)


def test_a_count_that_nobody_heard_is_asked_for_after_its_stop_and_first() -> None:
    talk = Talk()
    cues = voted(talk)
    lost = next(c for c in cues if c.kind is CueKind.VOTE_COUNT)
    found = align([c for c in cues if c is not lost], FSM_2026, duration=micros(talk.t + 5))
    doubts = doubts_of(found, 60 * SECOND)
    assert doubts and doubts[0].expected is CueKind.VOTE_COUNT
    assert lost.span & doubts[0].span


def test_the_budget_holds_and_stretches_do_not_overlap() -> None:
    talk = Talk()
    cues = [replace(c, likelihood=0.6, numbers=tuple({n: 0.6, n % 10 + 1: 0.4} for n in map(max, c.numbers)))
            for c in voted(talk)]  # fmt: skip
    found = align(cues, FSM_2026, duration=micros(talk.t + 5))
    many, few = doubts_of(found, 120 * SECOND), doubts_of(found, 2 * WINDOW)
    assert len(many) > len(few) == 2
    assert sum(d.span.duration for d in few) <= 2 * WINDOW
    assert few == many[:2], "the most valuable first"
    spans = sorted(d.span for d in many)
    assert all(a.t1 <= b.t0 for a, b in itertools.pairwise(spans))


def test_what_is_sure_is_not_asked_again() -> None:
    talk = Talk()
    found = align(voted(talk), FSM_2026, duration=micros(talk.t + 5))
    sure = [e for e in found.timeline.events if e.confidence >= 0.995]
    assert all(
        not (d.span & e.span) for d in doubts_of(found, 600 * SECOND) for e in sure if e.kind == "eliminated"
    )


def test_a_pin_gives_the_same_game_whether_resumed_or_decoded_from_nothing() -> None:
    truth = written("fsm-2026", 41_200, condensed=True)
    duration = micros(truth["duration"])
    cues = noisy(spoken(truth["events"], speech=truth["speech"]), Noise(), duration, 41_200)
    aligner = Aligner(ruleset("fsm-2026"))
    found = aligner.align(cues, duration=duration)
    floors = [e for e in found.timeline.events if e.kind == "floor_given"]
    event = floors[len(floors) // 4]
    pin = Pin("floor_given", event.span, {"seat": event.fields["seat"]})
    again = aligner.align(cues, duration=duration, pins=[pin])
    fresh = Aligner(ruleset("fsm-2026")).align(cues, duration=duration, pins=[pin])
    assert again.timeline.to_json() == fresh.timeline.to_json()
    assert aligner.align(cues, duration=duration).timeline.to_json() == found.timeline.to_json()
