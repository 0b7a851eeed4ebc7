"""What a protocol may hold that is easily taken for a fault, and what follows from it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scored import red_win, with_day

from mafiavar.engine.audit import Audit, audit
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.record import DayRecord, FoulRecord, NightRecord, Record, RemovalRecord, RevealRecord
from mafiavar.engine.ruleset import DISBORD, FSM_2026, LEGION
from mafiavar.engine.scoring import score_game

UNCHECKED = {"speakers_missing", "checks_missing"}


def kinds(result: Audit) -> list[tuple[str, int | None, tuple[int, ...]]]:
    return [(f.kind, f.day, f.seats) for f in result.findings if f.kind not in UNCHECKED]


def day_two(**changes: object) -> Record:
    record = red_win()
    return with_day(record, replace(record.days[1], **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(("rules", "cancelled"), [(FSM_2026, False), (LEGION, False), (DISBORD, True)])
def test_the_killed_is_removed_in_his_last_word(rules: Ruleset, cancelled: bool) -> None:
    """7.1, 6.1: an exception; DISBORD l237 knows none."""
    record = day_two(removed=(RemovalRecord(10, "removal", "last_word"),))
    if rules is DISBORD:
        record = replace(record, best_moves=())
    found = kinds(audit(record, rules))
    assert found[:1] == ([("vote_held_though_cancelled", 2, (10,))] if cancelled else [])


def test_a_defeat_in_the_last_word_ends_the_game() -> None:
    """6.9.5: the killed red loses the game for red; what was played after it is named once."""
    result = audit(day_two(removed=(RemovalRecord(10, "team_defeat", "last_word"),)), FSM_2026)
    assert (result.winner, result.ended) == ("black", ("day", 2))
    assert kinds(result) == [("played_after_end", None, ()), ("wrong_winner", None, ())]
    insult = audit(day_two(removed=(RemovalRecord(10, "removal", "last_word", "6.8.4"),)), FSM_2026)
    assert "removal_is_team_defeat" in {f.kind for f in insult.findings}


def test_who_leaves_by_the_vote_is_removed() -> None:
    """7.1, 7.2: tomorrow's vote stands; for another one it falls."""
    assert kinds(audit(day_two(removed=(RemovalRecord(1, "removal", "last_word"),)), FSM_2026)) == []
    other = audit(day_two(removed=(RemovalRecord(7, "removal", "after_result"),)), FSM_2026)
    assert ("vote_held_though_cancelled", 3, (7,)) in kinds(other)


def test_a_removal_without_a_vote_that_day() -> None:
    """7.2: with nothing to vote on, the result is the word «ночь»: removed in a speech, the next vote stands."""
    record = red_win()
    removed = with_day(record, replace(record.days[0], removed=(RemovalRecord(7, "removal", "speech"),)))
    assert ("vote_held_though_cancelled", 2, (7,)) not in kinds(audit(removed, FSM_2026))
    at_night = replace(
        record,
        nights=(
            replace(record.nights[0], removed=(RemovalRecord(7, "removal", "night"),)),
            *record.nights[1:],
        ),
    )
    assert ("vote_held_though_cancelled", 2, (7,)) in kinds(audit(at_night, FSM_2026))


def test_the_killed_is_removed_in_the_same_night() -> None:
    record = red_win()
    night = replace(record.nights[0], removed=(RemovalRecord(10, "removal", "night"),))
    assert kinds(audit(replace(record, nights=(night, *record.nights[1:])), FSM_2026)) == []


@pytest.mark.parametrize(("violation", "removed"), [("4.5.9", False), (None, True), ("6.6.1", True)])
def test_the_fourth_foul_for_a_withdrawn_hand(violation: str | None, removed: bool) -> None:
    """4.5.9: a technical foul (-0.3) instead of the fourth."""
    fouls = (
        *(FoulRecord(7, "foul", n, "speech") for n in (1, 2, 3)),
        FoulRecord(7, "foul", 4, "voting", None, violation),
    )
    record = day_two(fouls=fouls)
    result = audit(record, FSM_2026)
    named = {f.kind for f in result.findings}
    assert ("fourth_foul_not_enforced" in named) is removed
    assert ("hand_foul_not_technical" in named) is not removed
    assert score_game(record, FSM_2026).total(7, ("technical",)) == (0 if removed else -300)
    # written as it should be, nothing is wrong
    right = day_two(fouls=(*fouls[:3], FoulRecord(7, "technical", 1, "voting", None, "4.5.9")))
    assert kinds(audit(right, FSM_2026)) == []


def test_the_hand_and_the_second_technical_foul() -> None:
    """The unclear place 2: 6.7.2 removes, or (option) the hand never does."""
    hand = (FoulRecord(7, "technical", 1, "speech"), FoulRecord(7, "technical", 2, "voting", None, "4.5.9"))
    assert "removal_not_enforced" in {f.kind for f in audit(day_two(fouls=hand), FSM_2026).findings}
    spared = FSM_2026.with_options({"third_foul_and_technical": "stays"})
    assert kinds(audit(day_two(fouls=hand), spared)) == []


def test_a_reveal_in_the_last_word() -> None:
    assert kinds(audit(day_two(reveals=(RevealRecord(10, "sheriff"),)), FSM_2026)) == []
    late = with_day(red_win(), replace(red_win().days[2], reveals=(RevealRecord(10, "sheriff"),)))
    assert kinds(audit(late, FSM_2026)) == [("reveal_by_absent", 3, (10,))]


def test_fouls_in_the_last_word_are_no_fault() -> None:
    assert kinds(audit(day_two(fouls=(FoulRecord(10, "foul", 1, "last_word"),)), FSM_2026)) == []


def test_yellow_cards_never_remove() -> None:
    cards = tuple(FoulRecord(7, "technical", n, "speech") for n in (1, 2, 3))
    named = {f.kind for f in audit(replace(day_two(fouls=cards), ruleset="legion"), LEGION).findings}
    assert not named & {"removal_not_enforced", "third_technical"}


def test_an_unfinished_protocol_is_read_as_far_as_it_goes() -> None:
    record = red_win()
    cut = replace(record, days=record.days[:3], nights=record.nights[:2], winner=None, finished=False)
    result = audit(cut, FSM_2026)
    assert result.winner is None and result.ended is None
    assert [x.seats for x in result.left] == [(10,), (1,), (9,), (2,)]
    assert kinds(result) == []


def test_a_night_or_day_nobody_wrote_down_is_one_finding() -> None:
    record = red_win()
    lost = replace(
        record,
        nights=(NightRecord(1, ((1, 5), (2, 6), (3, 5)), None, True), *record.nights[2:]),
        best_moves=(),
    )
    assert [f.kind for f in audit(lost, FSM_2026).findings].count("night_missing") == 1
    days = replace(record, days=(record.days[1], record.days[2], record.days[3]))
    found = audit(days, FSM_2026).findings
    assert [f.kind for f in found if f.day == 1] == ["day_missing"]


def test_nothing_at_all() -> None:
    result = audit(Record(days=(DayRecord(1),)), FSM_2026)
    assert result.winner is None and {f.severity for f in result.findings} <= {"unchecked", "warning"}
