"""The decoder on games whose every word is known, on what goes wrong at tables, and under pins."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mafiavar.analyzer.align import Aligner, Alignment, align
from mafiavar.analyzer.align.picture import svg
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.evaluation import evaluate_parts
from mafiavar.analyzer.evaluation.noise import Noise, noisy
from mafiavar.analyzer.evaluation.observed import MEASURED, Observer
from mafiavar.analyzer.evaluation.spoken import spoken
from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.timeline import Pin
from mafiavar.analyzer.vision.question import QuestionKind
from mafiavar.engine.ruleset import DISBORD, FSM_2026, ruleset
from mafiavar.ui.cli.written import written

Record = dict[str, Any]


class Talk:
    """Writes events on a clock, one after another, as a truth file has them."""

    def __init__(self, day: int = 1) -> None:
        self.t, self.day, self.events = 1.0, day, list[Record]()

    def add(self, kind: str, length: float = 1.0, gap: float = 0.6, **fields: Any) -> Talk:
        t0 = self.t + gap
        self.t = t0 + length
        self.events.append({"kind": kind, "t0": t0, "t1": self.t, "day": self.day, **fields})
        return self

    def first_night(self) -> Talk:
        self.day = 0
        self.add("game_started", 2.0)
        self.events.append({**self.events[-1], "kind": "night_began", "night": 0})
        self.add("negotiation_began").add("negotiation_ended", gap=20).add("free_seating_began", gap=10)
        return self

    def morning(self, day: int) -> Talk:
        self.day = day
        return self.add("day_began", gap=20)

    def speeches(
        self, seats: Sequence[int], nominations: dict[int, int] | None = None, answer: bool = True
    ) -> Talk:
        for seat in seats:
            self.add("floor_given", seat=seat, seconds=60, purpose="speech")
            if nominations and seat in nominations:
                self.t += 5
                self.add("nominated", seat=seat, target=nominations[seat], accepted=answer)
                self.t += 1
            self.t += 10
            self.add("floor_ended", 0.6, seat=seat, by="pas")
        return self

    def ballot(self, round_: int, counts: dict[int, int]) -> Talk:
        self.add("vote_opened", 3.0, round=round_, candidates=list(counts))
        for target, count in counts.items():
            self.add("vote_called", round=round_, target=target)
            self.add("vote_closed", 0.5, gap=1.5, round=round_, target=target)
            self.add("vote_announced", round=round_, target=target, count=count)
        return self

    def leaves(self, *seats: int, words: bool = True) -> Talk:
        self.add("eliminated", 2.0, seats=list(seats), by="vote")
        for seat in seats if words else ():
            self.add("floor_given", seat=seat, seconds=60, purpose="last_word")
            self.add("floor_ended", 0.6, gap=8, seat=seat, by="pas")
        return self

    def night(self, number: int) -> Talk:
        return self.add("night_began", night=number).add("shooting_began", gap=3, night=number)

    def aligned(self, rules: Any = FSM_2026, cues: Sequence[Cue] | None = None, **more: Any) -> Alignment:
        return align(cues or spoken(self.events), rules, duration=micros(self.t + 5), **more)


def facts(alignment: Alignment, *kinds: str) -> list[tuple[Any, ...]]:
    return [
        (
            e.kind,
            e.day,
            *(tuple(v) if isinstance(v, list) else v for k, v in e.fields.items() if k != "reason"),
        )
        for e in alignment.timeline.of_kind(*kinds)
    ]


def day_one(counts: dict[int, int]) -> Talk:
    nominations = dict(zip((1, 4, 6), counts, strict=False))
    return Talk().first_night().morning(1).speeches(range(1, 11), nominations).ballot(1, counts)


def test_without_cues_nothing_is_known() -> None:
    empty = align([], FSM_2026, duration=micros(60))
    assert empty.timeline.events == () and empty.ballots == () and empty.questions == ()


@pytest.mark.parametrize("rules", ["fsm-2026", "disbord", "legion"])
def test_a_whole_written_game_heard_clearly_comes_out_exactly(rules: str) -> None:
    truth = written(rules, 7, condensed=True)
    alignment = align(spoken(truth["events"]), ruleset(rules), duration=micros(truth["duration"]))
    result = evaluate_parts(truth, timeline=alignment.timeline.to_json())
    assert result["protocol"]["differences"] == []
    assert result["totals"]["heard"]["f1"] >= 0.97
    borders = [
        v
        for k, v in result["events"].items()
        if k in ("night_began", "day_began", "vote_opened", "night_result")
    ]
    assert all(v["f1"] == 1.0 for v in borders)


def test_it_is_deterministic() -> None:
    truth = written("disbord", 11, condensed=True)
    cues = noisy(spoken(truth["events"]), Noise(), micros(truth["duration"]), 3)
    one, two = (align(cues, DISBORD, duration=micros(truth["duration"])).timeline.to_json() for _ in range(2))
    assert one == two


def test_a_lift_vote_on_day_one() -> None:
    talk = day_one({3: 5, 5: 5})
    for seat in (3, 5):
        talk.add("floor_given", seat=seat, seconds=30, purpose="revote").add(
            "floor_ended", 0.6, gap=6, seat=seat, by="pas"
        )
    talk.ballot(2, {3: 5, 5: 5}).add("lift_called", candidates=[3, 5])
    talk.add("lift_result", gap=2, yes=6, no=4).leaves(3, 5)
    alignment = talk.aligned(DISBORD)
    assert facts(alignment, "lift_called", "lift_result", "eliminated") == [
        ("lift_called", 1, (3, 5)), ("lift_result", 1, 6, 4), ("eliminated", 1, (3, 5), "vote"),
    ]  # fmt: skip
    assert [b.target for b in alignment.ballots if not b.lift] == [3, 5, 3, 5]
    assert [b.announced for b in alignment.ballots if b.lift] == [6]


def test_a_vote_held_though_cancelled_is_decoded_and_marked() -> None:
    talk = Talk().first_night().morning(1).speeches(range(1, 10), {1: 3, 4: 5})
    talk.add("foul", seat=7, level="removal", ordinal=1).add("eliminated", seats=[7], by="removal")
    talk.speeches([10]).ballot(1, {3: 4, 5: 5}).leaves(5)
    alignment = talk.aligned()
    assert ("eliminated", 1, (5,), "vote") in facts(alignment, "eliminated")
    assert "vote_held_though_cancelled" in {m.issue.kind for m in alignment.issues}


def test_a_removal_during_last_words() -> None:
    talk = day_one({3: 4, 5: 6}).add("eliminated", 2.0, seats=[5], by="vote")
    talk.add("floor_given", seat=5, seconds=60, purpose="last_word")
    talk.add("foul", gap=5, seat=9, level="removal", ordinal=1)
    talk.events.append({**talk.events[-1], "kind": "eliminated", "seats": [9], "by": "removal"})
    talk.add("floor_ended", 0.6, gap=5, seat=5, by="pas").night(1)
    alignment = talk.aligned()
    assert facts(alignment, "eliminated") == [
        ("eliminated", 1, (5,), "vote"),
        ("eliminated", 1, (9,), "removal"),
    ]


def test_a_judges_miscount_is_decoded_as_said_and_marked() -> None:
    alignment = day_one({3: 4, 5: 5}).leaves(5).night(1).aligned()
    assert [e[-1] for e in facts(alignment, "vote_announced")] == [4, 5]
    assert "votes_do_not_add_up" in {m.issue.kind for m in alignment.issues}


def test_an_excerpt_begins_in_the_middle() -> None:
    talk = Talk().speeches([4, 5]).ballot(1, {5: 3, 8: 7}).leaves(8).night(1)
    alignment = talk.aligned()
    assert facts(alignment, "eliminated") == [("eliminated", 1, (8,), "vote")]
    assert [e.fields["seat"] for e in alignment.timeline.of_kind("floor_given")] == [4, 5, 8]


def test_pictures_are_asked_about_every_ballot() -> None:
    alignment = day_one({3: 4, 5: 6}).leaves(5).aligned()
    hands = [q for q in alignment.questions if q.kind is QuestionKind.HANDS]
    assert len(hands) == 1 and hands[0].seats == tuple(range(1, 11))
    for ballot in alignment.ballots:
        assert ballot.called.t0 in hands[0].window and (ballot.count or ballot.called).t1 in hands[0].window


# --- what nobody heard, told by what must follow


def without(cues: Sequence[Cue], *lost: tuple[CueKind, int]) -> list[Cue]:
    """The cues less the n-th of a kind, for each (kind, n)."""
    gone = []
    for kind, n in lost:
        gone.append([c for c in cues if c.kind is kind][n])
    return [c for c in cues if not any(c is g for g in gone)]


def test_a_call_to_shoot_lost_under_the_music_is_known_from_what_follows() -> None:
    talk = day_one({3: 4, 5: 6}).leaves(5).night(1)
    cues = [c for c in spoken(talk.events) if c.kind is not CueKind.SHOOTING]
    t = micros(talk.t + 4)
    for i, kind in enumerate((CueKind.SHOOTING_END, CueKind.DON_WAKES, CueKind.DON_SLEEPS)):
        begin = t + i * 6_000_000
        cues.append(Cue(kind, Span(begin, begin + 1_000_000), 0.9, speaker={"judge": 0.9}))
    talk.t += 25
    alignment = talk.aligned(cues=cues)
    assert facts(alignment, "shooting_began") == [("shooting_began", 1, 1)]
    assert alignment.timeline.of_kind("shooting_began")[0].basis == "inferred"


def test_who_was_killed_is_known_from_the_order_of_speeches() -> None:
    talk = day_one({3: 4, 5: 6}).leaves(5).night(1).morning(2)
    # Seat 2 was due to open; nobody was heard to say that he was killed, nor his last word.
    talk.speeches([3, 4, 6, 7, 8, 9, 10, 1])
    alignment = talk.aligned()
    assert facts(alignment, "night_result") == [("night_result", 1, 1, 2)]
    assert [e.basis for e in alignment.timeline.of_kind("night_result")] == ["inferred"]


def test_a_count_after_a_lost_count_and_a_lost_call_is_the_next_candidates() -> None:
    talk = day_one({3: 2, 5: 6, 8: 2}).leaves(5)
    cues = without(spoken(talk.events), (CueKind.VOTE_COUNT, 0), (CueKind.VOTE_CALL, 1))
    counts = {e[3]: e[4] for e in facts(talk.aligned(cues=cues), "vote_announced")}
    assert counts == {5: 6, 8: 2}


def test_a_change_of_speakers_nobody_heard_is_known_by_the_voice() -> None:
    talk = day_one({3: 4, 5: 6}).leaves(5)
    cues = without(spoken(talk.events), (CueKind.FLOOR_END, 2), (CueKind.FLOOR, 3))
    assert [(e[2], e[3]) for e in facts(talk.aligned(cues=cues), "nominated")] == [(1, 3), (4, 5)]


# --- pins


def test_pins_are_hard() -> None:
    talk = day_one({3: 4, 5: 6}).leaves(5)
    aligner, cues, duration = Aligner(FSM_2026), spoken(talk.events), micros(talk.t + 5)
    first = aligner.align(cues, duration=duration)
    announced = first.timeline.of_kind("vote_announced")[0]
    pin = Pin("vote_announced", announced.span, {"target": 3, "count": 3})
    again = aligner.align(cues, duration=duration, pins=[pin])
    event = again.timeline.of_kind("vote_announced")[0]
    assert event.fields["count"] == 3 and event.basis == "pinned" and event.confidence == 1.0
    assert not again.unsatisfied
    # Taken back, the result is what it was before.
    assert aligner.align(cues, duration=duration).timeline == first.timeline


def test_a_pin_can_say_not_that() -> None:
    talk = day_one({3: 4, 5: 6}).leaves(5)
    nomination = talk.aligned().timeline.of_kind("nominated")[1]
    pin = Pin("nominated", nomination.span, {"seat": 4, "target": 5, "accepted": True}, negated=True)
    assert (4, 5, True) not in [e[2:] for e in facts(talk.aligned(pins=[pin]), "nominated")]


def test_a_pin_adds_what_nobody_heard() -> None:
    talk = day_one({3: 4, 5: 6}).leaves(5)
    pin = Pin("foul", Span.of(60.0, 61.0), {"seat": 9, "level": "foul", "ordinal": 1})
    assert ("foul", 1, 9, "foul", 1) in facts(talk.aligned(pins=[pin]), "foul")


def test_what_puts_the_past_right_leaves_a_pin_alone() -> None:
    """A seven may have been a six: a pinned six is met by the words themselves, and the list of
    candidates, which says seven, must not correct them."""

    def heard(kind: CueKind, t0: float, t1: float, *numbers: int, who: Any = "judge", **detail: Any) -> Cue:
        mixed = tuple({n: 0.9705, n - 1: 0.0077, **({3: 0.0013} if n != 3 else {})} for n in numbers)
        return Cue(kind, Span.of(t0, t1), 0.93, mixed, {who: 0.99}, detail, "слова")

    speech = {"purpose": "speech", "seconds": 60}
    cues = [
        heard(CueKind.DAY, 1.3, 5.5),
        heard(CueKind.FLOOR, 6.0, 8.3, 1, **speech),
        heard(CueKind.NOMINATION, 12.0, 13.5, 3, who=1, tense="present"),
        heard(CueKind.ACCEPTED, 14.0, 15.2, 3),
        heard(CueKind.FLOOR_END, 15.7, 17.4, who=1, by="spasibo"),
        heard(CueKind.FLOOR, 17.9, 20.1, 2, **speech),
        heard(CueKind.NOMINATION, 23.5, 25.8, 7, who=2, tense="present"),
        heard(CueKind.ACCEPTED, 26.3, 27.5, 7),
        heard(CueKind.FLOOR_END, 27.9, 28.5, who=2, by="pas"),
        heard(CueKind.FLOOR, 29.0, 31.3, 3, **speech),
        heard(CueKind.NOMINATION, 31.7, 33.1, 7, who=3, tense="present"),
        heard(CueKind.REFUSED, 33.5, 36.4, reason="already_nominated"),
        heard(CueKind.FLOOR_END, 36.8, 38.0, who=3, by="pas"),
        heard(CueKind.VOTE_OPEN, 40.2, 46.2, 3, 7),
        heard(CueKind.VOTE_CALL, 50.2, 53.4, 3),
        heard(CueKind.VOTE_STOP, 55.4, 55.8, by="stop"),
        heard(CueKind.VOTE_COUNT, 56.3, 57.4, 4),
        heard(CueKind.VOTE_CALL, 58.3, 61.7, 7),
        heard(CueKind.VOTE_STOP, 63.7, 64.1, by="stop"),
        heard(CueKind.VOTE_COUNT, 64.5, 65.5, 6),
        heard(CueKind.LEAVES, 66.5, 68.8, 7),
    ]
    pin = Pin("nominated", Span.of(23.5, 25.8), {"seat": 2, "target": 6, "accepted": True})
    pinned = align(cues, FSM_2026, duration=micros(90), pins=[pin])
    assert not pinned.unsatisfied
    assert (2, 6, True) in [e[2:] for e in facts(pinned, "nominated")]


def test_pins_that_contradict_each_other_are_named() -> None:
    talk = day_one({3: 4, 5: 6})
    span = talk.aligned().timeline.of_kind("vote_announced")[0].span
    pins = [Pin("vote_announced", span, {"count": n}) for n in (3, 4)]
    assert talk.aligned(pins=pins).conflicts == ((pins[0], pins[1]),)


# --- properties


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10_000), drop=st.floats(0, 0.9), invent=st.floats(0, 0.5))
def test_any_cues_give_a_timeline_and_nothing_illegal_goes_unmarked(
    seed: int, drop: float, invent: float
) -> None:
    talk = day_one({3: 4, 5: 6}).leaves(5).night(1)
    cues = noisy(spoken(talk.events), Noise(drop, invent, 0.2, 0.3), micros(talk.t), seed)
    random.Random(seed).shuffle(cues)
    alignment = talk.aligned(cues=cues)
    times = [e.span.t0 for e in alignment.timeline.events]
    assert times == sorted(times) and all(0.0 <= e.confidence <= 1.0 for e in alignment.timeline.events)
    dead: set[int] = set()
    marked = {(m.issue.kind, s) for m in alignment.issues for s in m.issue.seats}
    for e in alignment.timeline.events:
        if e.kind == "floor_given" and e.fields["purpose"] == "speech" and e.fields["seat"] in dead:
            assert ("dead_player_acts", e.fields["seat"]) in marked
        if e.kind == "eliminated":
            dead |= set(e.fields["seats"])


def test_the_picture_is_well_formed() -> None:
    import xml.etree.ElementTree as ET

    alignment = day_one({3: 4, 5: 6}).leaves(5).aligned()
    for lang in ("ru", "en"):
        text = svg(alignment.timeline.to_json(), {"rounds": []}, {"flags": []}, lang=lang)
        assert ET.fromstring(text).tag.endswith("svg")
    assert "игрок 5" in svg(alignment.timeline.to_json(), {}, {})


def test_a_word_given_to_somebody_out_and_corrected_at_once_is_decoded_as_said() -> None:
    talk = day_one({3: 4, 5: 6}).leaves(5).night(1).morning(2)
    talk.add("night_result", 1.0, night=1, killed=None).speeches([2, 3, 4])
    talk.add("floor_given", seat=5, seconds=60, purpose="speech")
    talk.add("floor_given", seat=6, seconds=60, purpose="speech").add(
        "floor_ended", 0.6, gap=20, seat=6, by="pas"
    )
    talk.speeches([7, 8])
    alignment = talk.aligned()
    assert "dead_player_acts" in {m.issue.kind for m in alignment.issues}
    given = [e.fields["seat"] for e in alignment.timeline.of_kind("floor_given") if e.day == 2]
    assert given == [2, 3, 4, 5, 6, 7, 8]


def test_a_misheard_number_gives_nobody_out_the_word() -> None:
    """Heard once, with a number that may be another: no correction follows, so nobody was called."""
    talk = day_one({3: 4, 5: 6}).leaves(5).night(1).morning(2)
    talk.add("night_result", 1.0, night=1, killed=None).speeches([2, 3, 4, 6, 7])
    cues = [
        replace(c, numbers=({5: 0.8, 6: 0.15},)) if c.kind is CueKind.FLOOR and c.number() == 6 else c
        for c in spoken(talk.events)
    ]
    alignment = talk.aligned(cues=cues)
    assert "dead_player_acts" not in {m.issue.kind for m in alignment.issues}
    given = [e.fields["seat"] for e in alignment.timeline.of_kind("floor_given") if e.day == 2]
    assert given == [2, 3, 4, 6, 7]


def test_hands_seen_later_give_what_hands_seen_at_once_give() -> None:
    """Only what follows the first ballot is decoded again; the result must not show it."""
    truth = written("fsm-2026", 41_207, condensed=True)
    duration = micros(truth["duration"])
    cues = noisy(spoken(truth["events"], speech=truth["speech"]), Noise(), duration, 41_207)
    aligner = Aligner(FSM_2026)
    asked = aligner.align(cues, duration=duration).questions
    answers = Observer(truth, MEASURED, 1).hands(asked)
    again = aligner.align(cues, duration=duration, answers=answers)
    fresh = Aligner(FSM_2026).align(cues, duration=duration, answers=answers)
    assert answers and again.timeline.to_json() == fresh.timeline.to_json()


def test_a_night_of_which_only_the_music_was_heard_is_known() -> None:
    """A stream shows a card and plays music: neither dusk nor morning nor the killed are heard."""
    talk = day_one({3: 4, 5: 6}).leaves(5)
    dusk = talk.t + 4
    talk.t += 50
    talk.day = 2
    talk.speeches([3, 4, 6, 7, 8])
    music = Cue(CueKind.MUSIC, Span.of(dusk, dusk + 40), 0.9, about="sound")
    alignment = talk.aligned(cues=sorted([*spoken(talk.events), music], key=lambda c: c.span))
    (night,) = [e for e in alignment.timeline.of_kind("night_began") if e.fields["night"] == 1]
    assert night.basis == "inferred" and abs(night.span.t0 - micros(dusk)) < 2_000_000
    given = alignment.timeline.of_kind("floor_given")
    assert [e.fields["seat"] for e in given if e.day == 2] == [3, 4, 6, 7, 8]


def test_music_by_day_is_no_night() -> None:
    talk = Talk().first_night().morning(1).speeches([1, 2, 3])
    jingle = Cue(CueKind.MUSIC, Span.of(talk.t + 1, talk.t + 20), 0.9, about="sound")
    talk.t += 21
    talk.speeches([4, 5, 6])
    alignment = talk.aligned(cues=sorted([*spoken(talk.events), jingle], key=lambda c: c.span))
    assert [e.fields["night"] for e in alignment.timeline.of_kind("night_began")] == [0]
    assert [e.fields["seat"] for e in alignment.timeline.of_kind("floor_given")] == [1, 2, 3, 4, 5, 6]


def test_a_vote_and_a_night_of_which_nothing_was_heard() -> None:
    """Two minutes of a dead microphone from the last speech on: the next day's speeches tell."""
    talk = day_one({3: 4, 5: 6}).leaves(5).night(1).morning(2)
    talk.add("night_result", 1.0, night=1, killed=2).speeches([3, 4, 6, 7, 8, 9, 10, 1])
    opened = next(micros(e["t0"]) for e in talk.events if e["kind"] == "vote_opened")
    third = next(micros(e["t0"]) for e in talk.events if e["kind"] == "floor_given" and e["day"] == 2)
    cues = [c for c in spoken(talk.events) if not opened - 10 <= c.span.t0 < third]
    alignment = talk.aligned(cues=cues)
    assert [e.fields["seat"] for e in alignment.timeline.of_kind("floor_given") if e.day == 2] == [
        3, 4, 6, 7, 8, 9, 10, 1,
    ]  # fmt: skip
