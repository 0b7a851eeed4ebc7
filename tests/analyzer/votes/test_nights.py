"""Numbers shown at night become shots and checks where the judge's words say so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.timeline import Timeline, TimelineEvent
from mafiavar.analyzer.vision.question import Answer, QuestionKind, Tell
from mafiavar.analyzer.votes import with_nights
from mafiavar.analyzer.votes.nights import windows_of
from mafiavar.engine.game import Game
from mafiavar.engine.ruleset import DISBORD, FSM_2026

NIGHT = Span.of(100.0, 140.0)


def cue(kind: CueKind, t: float, number: int | None = None) -> Cue:
    return Cue(kind, Span.of(t, t + 1), 0.9, () if number is None else ({number: 1.0},))


WORDS = (
    cue(CueKind.SHOOTING, 104.0),
    cue(CueKind.SHOOTING_END, 111.0),
    cue(CueKind.DON_WAKES, 114.0),
    cue(CueKind.DON_SLEEPS, 120.0),
    cue(CueKind.SHERIFF_WAKES, 123.0),
    cue(CueKind.SHERIFF_SLEEPS, 129.0),
)


def shown(seat: int, number: int, t: float, tell: Tell = Tell.YES, p: float = 0.9) -> Answer:
    value: int | str = number if tell is Tell.YES else "raised"
    return Answer(QuestionKind.NUMBER, seat, tell, p, Span.of(t, t + 2), value)


HUNT = (shown(2, 7, 106.0), shown(6, 7, 106.2), shown(9, 7, 106.4))
DON, SHERIFF = shown(9, 4, 115.5), shown(4, 6, 124.5)


def alignment(cues: Sequence[Cue] = WORDS, killed: int | None = 7) -> Alignment:
    result = TimelineEvent(
        "e0001", "night_result", Span.of(141, 142), 1, {"night": 1, "killed": killed}, 0.9, "observed"
    )
    return Alignment(
        timeline=Timeline("fsm-2026", (result,)), ballots=(), questions=(), issues=(), unsatisfied=(), conflicts=(),
        nights=((1, NIGHT),), game=Game.new(FSM_2026), score=0.0, cues=tuple(cues), duration=micros(150),
    )  # fmt: skip


def facts(found: Alignment, kind: str) -> list[dict[str, object]]:
    return [dict(e.fields) for e in found.timeline.of_kind(kind)]


def test_shots_and_checks_of_a_night() -> None:
    found = with_nights(alignment(), (*HUNT, DON, SHERIFF), FSM_2026)
    assert facts(found, "shot") == [{"night": 1, "shooter": s, "target": 7} for s in (2, 6, 9)]
    don, sheriff = facts(found, "check")
    # The sheriff who woke was the seat the don had pointed at; all three blacks were seen, 6 among them.
    assert don == {"night": 1, "by": "don", "seat": 9, "target": 4, "found": True}
    assert sheriff == {"night": 1, "by": "sheriff", "seat": 4, "target": 6, "found": True}
    assert [e.id for e in found.timeline.events] == [
        f"e{i:04d}" for i in range(1, len(found.timeline.events) + 1)
    ]


def test_what_the_judge_nodded_is_not_told_where_a_black_was_not_seen() -> None:
    found = with_nights(alignment(), (*HUNT[:2], replace(SHERIFF, value=3)), FSM_2026)
    assert [c["found"] for c in facts(found, "check")] == [None]


def test_a_hunt_that_was_not_heard_is_inferred_from_the_hands() -> None:
    found = with_nights(alignment(WORDS[2:]), HUNT, FSM_2026)
    (began,) = found.timeline.of_kind("shooting_began")
    assert began.basis == "inferred" and began.span.t1 == HUNT[0].span.t0
    assert len(found.timeline.of_kind("shot")) == 3


def test_one_hand_at_night_is_no_hunt_and_without_words_nothing_is_known() -> None:
    found = with_nights(alignment(WORDS[2:], killed=None), HUNT[:1], FSM_2026)
    assert not found.timeline.of_kind("shooting_began")
    # One who shows the number of the killed has shot.
    assert with_nights(alignment(WORDS[2:]), HUNT[:1], FSM_2026).timeline.of_kind("shooting_began")
    assert not with_nights(alignment(()), (*HUNT, DON), FSM_2026).timeline.of_kind("shot", "check")


def test_an_unread_hand_has_shot_at_the_killed_and_is_silent_after_a_miss() -> None:
    unread = (*HUNT[:2], shown(9, 0, 106.4, Tell.CANNOT_TELL, 0.5))
    last = with_nights(alignment(), unread, FSM_2026).timeline.of_kind("shot")[-1]
    assert (last.fields["shooter"], last.fields["target"], last.basis) == (9, 7, "inferred")
    assert len(with_nights(alignment(killed=None), unread, FSM_2026).timeline.of_kind("shot")) == 2


def test_a_fist_held_up_is_a_miss() -> None:
    found = with_nights(alignment(killed=None), (*HUNT[:2], shown(9, 0, 106.4)), FSM_2026)
    assert facts(found, "shot")[-1] == {"night": 1, "shooter": 9, "target": None}


def test_never_more_shooters_than_blacks() -> None:
    found = with_nights(alignment(), (*HUNT, shown(3, 7, 106.1, p=0.76)), FSM_2026)
    assert [e["shooter"] for e in facts(found, "shot")] == [2, 6, 9]


CALLED = tuple(cue(CueKind.SHOOTING_NUMBER, 104.6 + 0.5 * n, n) for n in range(1, 11))


def test_disbord_the_called_number_is_the_target_whatever_the_fingers_show() -> None:
    hands = (shown(2, 1, 106.2), shown(6, 1, 120.0))
    found = with_nights(alignment((*WORDS, *CALLED), killed=None), hands, DISBORD)
    assert facts(found, "shot") == [{"night": 1, "shooter": 2, "target": 3}]
    (shot,) = found.timeline.of_kind("shot")
    assert shot.confidence == pytest.approx(0.9 * 0.9), "as sure as the call and the hand"


def test_disbord_a_hand_at_another_call_than_the_killed_ones_has_not_shot() -> None:
    spread = tuple(cue(CueKind.SHOOTING_NUMBER, 104.6 + 2 * n, n) for n in range(1, 4))
    words = (WORDS[0], *spread, replace(WORDS[1], span=Span.of(113, 114)))
    unread = shown(6, 0, 108.8, Tell.CANNOT_TELL, 0.36)
    seen = (shown(2, 1, 106.9), unread, shown(9, 2, 111.5))
    found = with_nights(alignment(words, killed=2), seen, DISBORD)
    assert facts(found, "shot") == [{"night": 1, "shooter": 6, "target": 2}]
    missed = with_nights(alignment(words, killed=None), seen, DISBORD)
    assert [(e["shooter"], e["target"]) for e in facts(missed, "shot")] == [(2, 1), (9, 3)]


def test_a_check_whose_call_was_lost_lies_before_its_end() -> None:
    heard = (*WORDS[:2], WORDS[3], WORDS[5])
    windows = windows_of(heard, NIGHT)
    assert (windows.don, windows.sheriff) == (Span.of(112, 120), Span.of(121, 129))
    found = with_nights(alignment(heard), (*HUNT, DON, SHERIFF), FSM_2026)
    assert [(c["by"], c["seat"], c["target"]) for c in facts(found, "check")] == [
        ("don", 9, 4),
        ("sheriff", 4, 6),
    ]


def test_one_end_for_both_checks_tells_them_apart_by_who_shot() -> None:
    heard = (*WORDS[:2], WORDS[5])
    assert windows_of(heard, NIGHT).shared
    found = with_nights(alignment(heard), (*HUNT, DON, SHERIFF), FSM_2026)
    assert [(c["by"], c["seat"]) for c in facts(found, "check")] == [("don", 9), ("sheriff", 4)]
    only = with_nights(alignment(heard), (*HUNT, DON), FSM_2026)
    assert [(c["by"], c["seat"]) for c in facts(only, "check")] == [("don", 9)]
    unsure = with_nights(alignment(heard), (*HUNT[:2], DON, SHERIFF), FSM_2026)
    assert facts(unsure, "check") == [], "a black was not seen to shoot"


def test_the_windows_end_where_the_next_call_begins() -> None:
    windows = windows_of((WORDS[0], WORDS[2], WORDS[4]), NIGHT)
    assert windows.hunt == Span.of(104, 114) and windows.don == Span.of(114, 123)
    assert windows.sheriff == Span.of(123, 140)
