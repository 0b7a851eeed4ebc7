"""Ordinals of fouls that do not follow: the judge's mistake, or a foul that nobody heard?"""

from __future__ import annotations

from collections.abc import Sequence

from mafiavar.analyzer.align.result import Alignment, Marked
from mafiavar.analyzer.flags.flag import Maker, default_thresholds
from mafiavar.analyzer.flags.rules import flags_of_rules
from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.timeline import Timeline, TimelineEvent
from mafiavar.analyzer.votes import count
from mafiavar.engine.game import Game
from mafiavar.engine.issue import Issue
from mafiavar.engine.ruleset import FSM_2026


def foul(i: int, seat: int, ordinal: int | None) -> TimelineEvent:
    fields = {"seat": seat, "level": "foul", "ordinal": ordinal}
    return TimelineEvent(f"e{i}", "foul", Span.of(10 * i, 10 * i + 2), 1, fields, 0.9, "observed")


def sure(fouls: Sequence[tuple[int, int | None]], doubted: int) -> float:
    """Confidence, before calibration, of the flag at the `doubted`-th of the fouls (seat, ordinal)."""
    events = tuple(foul(i, *f) for i, f in enumerate(fouls))
    event = events[doubted]
    issue = Issue(
        "foul_ordinal_wrong", "error", (event.fields["seat"],), "6.5", {"said": event.fields["ordinal"]}
    )
    alignment = Alignment(
        timeline=Timeline("fsm-2026", events), ballots=(), questions=(),
        issues=(Marked(event.id, event.span, 1, issue),), unsatisfied=(), conflicts=(), nights=(),
        game=Game.new(FSM_2026), score=0.0, duration=micros(500),
    )  # fmt: skip
    make = Maker(FSM_2026, {**default_thresholds(), "least_confidence": 0.0}, {})
    found = [f for f in flags_of_rules(alignment, count(alignment, []), make) if f is not None]
    assert len(found) == 1
    return found[0].confidence


WHOLE = [(1, 1), (2, 1), (1, 2), (4, 1), (2, 2), (1, 3)]


def test_where_every_foul_is_heard_an_ordinal_too_high_is_the_judges() -> None:
    assert sure([*WHOLE, (7, 2)], 6) > 0.5


def test_where_fouls_are_lost_it_is_probably_another_lost_one() -> None:
    holes = [(1, 2), (2, 3), (4, 2), (5, 1), (8, 3)]
    assert sure([*holes, (7, 2)], 5) < 0.25


def test_one_hole_elsewhere_makes_it_less_sure() -> None:
    assert sure([*WHOLE, (7, 2)], 6) > sure([*WHOLE, (9, 3), (7, 2)], 7)


def test_a_leap_of_several_is_rather_misheard() -> None:
    assert sure([*WHOLE, (7, 4)], 6) < 0.25


def test_a_foul_that_is_counted_twice_is_the_judges_mistake_too() -> None:
    assert sure([*WHOLE, (1, 3)], 6) > 0.5
