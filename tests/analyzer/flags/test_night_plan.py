"""Who may move at night: shooters, the called one, and nobody else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.flags.flag import Maker, default_thresholds
from mafiavar.analyzer.flags.night_plan import Departure, Night
from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.timeline import Timeline
from mafiavar.engine.game import Game
from mafiavar.engine.ruleset import FSM_2026


def night(hunt: Span | None = None, calls: tuple[Span, ...] = (), unheard: int = 0) -> Night:
    return Night(Span.of(100, 200), micros(103), hunt, calls, shooters=3, unheard=unheard)


def down(seat: int, t0: float, t1: float, key: str = "arms_down_at_night") -> Departure:
    return Departure(key, seat, Span.of(t0, t1), 0.9)


def left(found: Sequence[Departure]) -> list[tuple[int, str]]:
    return [(d.seat, d.key) for d in found]


HUNT = Span.of(110, 125)
DON = Span.of(130, 150)


def test_putting_the_mask_on_needs_a_moment() -> None:
    assert [d.span for d in night().unlawful([down(4, 100, 106)])] == [Span.of(103, 106)]
    assert not list(night().unlawful([down(4, 100, 102.9)]))


@pytest.mark.parametrize(("hands", "flagged"), [(1, 0), (3, 0), (4, 4)])
def test_not_more_shooters_than_black_players(hands: int, flagged: int) -> None:
    shown = [down(seat, 112, 118) for seat in range(1, hands + 1)]
    assert len(list(night(HUNT).unlawful(shown))) == flagged


def test_heads_stay_down_in_the_hunt() -> None:
    found = night(HUNT).unlawful([down(2, 112, 118, "head_up_at_night")])
    assert left(list(found)) == [(2, "head_up_at_night")]


def test_one_player_wakes_when_called_and_another_may_not() -> None:
    woke = [
        down(2, 132, 145, "mask_off_at_night"),
        down(2, 131, 146),
        down(2, 132, 145, "head_up_at_night"),
        down(8, 136, 140, "head_up_at_night"),
    ]
    found = list(night(calls=(DON,)).unlawful(woke))
    assert left(found) == [(8, "head_up_at_night")]
    assert not found[0].maybe_called


def test_a_head_alone_may_be_the_called_one_whose_hands_are_hidden() -> None:
    found = list(night(calls=(DON,)).unlawful([down(8, 136, 139, "head_up_at_night")]))
    assert found[0].maybe_called and found[0].probability < 0.9


def test_a_head_up_as_long_as_a_check_is_the_called_one_when_nobody_else_woke() -> None:
    assert not list(night(calls=(DON,)).unlawful([down(8, 134, 140, "head_up_at_night")]))
    both = [down(8, 134, 140, "head_up_at_night"), down(3, 133, 140, "mask_off_at_night")]
    assert left(list(night(calls=(DON,)).unlawful(both))) == [(8, "head_up_at_night")]


def test_a_late_mask_is_no_mask_taken_off() -> None:
    late = down(3, 100.5, 107, "mask_off_at_night")
    assert not list(night().unlawful([late]))
    assert left(list(night().unlawful([down(3, 160, 163, "mask_off_at_night")]))) == [
        (3, "mask_off_at_night")
    ]


def wakes(seat: int, t0: float, t1: float) -> list[Departure]:
    return [
        down(seat, t0, t1, key) for key in ("mask_off_at_night", "head_up_at_night", "arms_down_at_night")
    ]


def test_somebody_wakes_for_a_call_that_was_not_heard() -> None:
    don, peeps = wakes(6, 130, 136), [down(4, 140, 142, "head_up_at_night")]
    assert left(list(night(HUNT, unheard=1).unlawful([*don, *peeps]))) == [(4, "head_up_at_night")]
    assert {d.seat for d in night(HUNT).unlawful([*don, *peeps])} == {4, 6}, "every call was heard"
    two = [*don, *wakes(7, 150, 155)]
    assert {d.seat for d in night(HUNT, unheard=1).unlawful(two)} == {7}, "one call, one player"
    assert not list(night(HUNT, unheard=2).unlawful(two))


def test_who_moves_before_the_call_or_after_its_end_was_not_called() -> None:
    calls = (DON,)
    assert not list(night(HUNT, calls).unlawful(wakes(6, 131, 140)))
    assert {d.seat for d in night(HUNT, calls).unlawful(wakes(6, 129, 133))} == {6}
    assert {d.seat for d in night(HUNT, calls).unlawful(wakes(6, 148, 149.5))} == {6}


def test_only_arms_is_no_answer_to_the_call() -> None:
    found = list(night(HUNT, (DON,)).unlawful([down(6, 131, 133.5)]))
    assert left(found) == [(6, "arms_down_at_night")] and found[0].maybe_called


def test_a_late_mask_explains_the_arms() -> None:
    late = [down(8, 100, 106, "mask_off_at_night"), down(8, 100, 106.2)]
    assert not list(night().unlawful(late)), "the late mask is told by itself"
    assert left(list(night().unlawful([late[0], down(8, 100, 110)]))) == [(8, "arms_down_at_night")]


def test_the_hand_at_the_mask_and_the_head_under_it_are_the_masks_fault() -> None:
    off = down(3, 160, 163, "mask_off_at_night")
    acts = [off, down(3, 159.6, 163.2), down(3, 160, 163.4, "head_up_at_night"), down(7, 160, 163)]
    assert left(night().unlawful(acts)) == [(3, "mask_off_at_night"), (7, "arms_down_at_night")]
    later = down(3, 170, 173, "head_up_at_night")
    assert left(night().unlawful([off, later])) == [(3, off.key), (3, later.key)]


def test_the_blacks_agree_in_the_first_night_though_their_call_was_lost() -> None:
    blacks = [down(s, 106, 136, key) for s in (2, 5, 9) for key in ("arms_down_at_night", "head_up_at_night")]
    peeks = down(7, 120, 123, "head_up_at_night")
    alignment = Alignment(
        timeline=Timeline("fsm-2026", ()), ballots=(), questions=(), issues=(), unsatisfied=(), conflicts=(),
        nights=(), game=Game.new(FSM_2026), score=0.0, duration=micros(300),
    )  # fmt: skip
    make = Maker(FSM_2026, default_thresholds(), {})
    first, second = (Night.of(alignment, Span.of(100, 140), make, number) for number in (0, 1))
    assert left(first.unlawful([*blacks, peeks])) == [(7, "head_up_at_night")]
    assert len(second.unlawful([*blacks, peeks])) == 7
