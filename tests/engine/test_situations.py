"""A head judge's questions, clause by clause: after this course of play, what do the rules require next?

`due()` is compared whole: kind and the values that matter. Every course before it raises no issue.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from course import (
    AGAIN,
    BEGIN,
    BROKEN_AT_TEN,
    DAY_TWO,
    EVENING,
    KILLED,
    MORNING,
    MOVED,
    NIGHT,
    NINE,
    QUIET,
    ROLES,
    TEN,
    THREE_AT_NINE,
    TIED,
    TWICE,
    TWO,
    VOTED,
    VOTING,
    Events,
    ballot,
    call,
    fouls,
    half_minutes,
    halves,
    kill,
    last_word,
    minute,
    miss,
    speeches,
)

from mafiavar.engine import events as ev
from mafiavar.engine.clauses import exists
from mafiavar.engine.game import Game
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.ruleset import DISBORD, FSM_2026, LEGION
from mafiavar.engine.state import Phase

NIGHT_BEGAN = ("night_began", {})
ALL = (FSM_2026, DISBORD, LEGION)
HAND = FSM_2026.with_options({"third_foul_and_technical": "stays"})


def floor(seat: int, purpose: str, seconds: float) -> tuple[str, dict[str, Any]]:
    return "floor_given", {"seat": seat, "purpose": purpose, "seconds": seconds}


def out(seat: int, *levels: str) -> Events:
    """Fouls of `seat` that remove him, and his leaving."""
    by = "technical" if "technical" in levels[-1] else "removal"
    return [*(ev.Foul(seat, x) for x in levels), ev.Eliminated((seat,), by)]  # type: ignore[arg-type]


def fourth(seat: int) -> Events:
    return [*fouls(seat, 4), ev.Eliminated((seat,), "fouls")]


def eight(target: int = 9) -> Events:
    """Day 2 is over without a vote, night 2 has killed `target`; day 3 has begun and his last word is said."""
    return [*DAY_TWO, *speeches((*NINE, 1)), *kill(2, target), ev.DayBegan(), *last_word(target)]


DAY_THREE = eight()
EIGHT = (3, 4, 5, 6, 7, 8, 1, 2)
THREE_TIED = [
    *DAY_THREE, *speeches(EIGHT, {3: 4, 4: 5, 5: 6}),
    *ballot(1, {4: (1, 2), 5: (3, 4, 5), 6: (6, 7, 8)}), *half_minutes(5, 6),
    *ballot(2, halves(5, 6, (1, 2, 3, 4, 5, 6, 7, 8))),
]  # fmt: skip
SHRINKING = [
    *KILLED, ev.DayBegan(), *last_word(10), *speeches((*NINE, 1), {2: 3, 3: 4, 4: 5}),
    *ballot(1, {3: (1, 2, 3), 4: (4, 5, 6), 5: (7, 8, 9)}), *half_minutes(3, 4, 5),
    *ballot(2, {3: (1, 2, 3, 4), 4: (5, 6, 7, 8), 5: (9,)}),
]  # fmt: skip
LIFT_PUT = ("lift_called", {"candidates": (5, 6)})

Row = tuple[str, Ruleset, Events, list[tuple[str, dict[str, Any]]]]
ROWS: list[Row] = [
    # --- 4.4: the round
    ("4.4.2", FSM_2026, MORNING, [floor(1, "speech", 60)]),
    ("4.4.2", FSM_2026, DAY_TWO, [floor(2, "speech", 60)]),
    # the opener of day 1 was removed during his minute: day 2 opens after his seat all the same
    ("4.4.2", FSM_2026, [*BEGIN, ev.FloorGiven(1, 60), *out(1, "removal"), *speeches(TEN[1:]), *miss(1)[:2], ev.NightResult(1), ev.DayBegan()], [floor(2, "speech", 60)]),
    # the seat that would open was killed in the night: the next living one does
    ("4.4.2", FSM_2026, [*QUIET, *kill(1, 2), ev.FloorGiven(2, 20, "best_move"), ev.BestMove(2, (1, 3, 5)), ev.FloorEnded(2), ev.DayBegan(), *last_word(2)], [floor(3, "speech", 60)]),
    # --- 4.5: the vote
    ("4.5.1", FSM_2026, QUIET, [NIGHT_BEGAN]),
    ("4.5.4", FSM_2026, TWO, [("vote_opened", {"round": 1, "candidates": (5, 6)})]),
    ("4.5.4", FSM_2026, [*BEGIN, *speeches(TEN, {1: 9, 5: 2}), ev.VoteOpened(1)], [("vote_called", {"target": 9})]),
    ("4.5.8", FSM_2026, [*VOTING, *call(1, 5, (1, 2)), ev.VoteCalled(1, 6), ev.VoteClosed(1, 6)], [("vote_announced", {"count": (8,)})]),
    ("4.5.10", FSM_2026, [*BEGIN, *speeches(TEN, {1: 5})], [NIGHT_BEGAN]),
    ("4.5.10", FSM_2026, [*DAY_TWO, *speeches((*NINE, 1), {2: 5})], [("vote_opened", {"candidates": (5,)})]),
    ("4.5.10", FSM_2026, [*BEGIN, *speeches(TEN, {1: 5, 2: 6, 3: 7}), *ballot(1, {5: (1, 2, 3), 6: (4, 5, 6), 7: (7, 8, 9)})[:-1], ev.VoteAnnounced(1, 7, 4)], [("eliminated", {"seats": (7,)})]),
    ("4.5.11", FSM_2026, VOTED, [("eliminated", {"seats": (5,), "by": "vote"})]),
    ("4.5.12", FSM_2026, TIED, [floor(5, "revote", 30)]),
    ("4.5.12.1", FSM_2026, [*TIED, *half_minutes(5)], [floor(6, "revote", 30)]),
    ("4.5.12.1", FSM_2026, AGAIN, [("vote_opened", {"round": 2, "candidates": (5, 6)})]),
    # --- 4.5.12.2: fewer tied: half minutes and a ballot again
    ("4.5.12.2", DISBORD, SHRINKING, [floor(3, "revote", 30)]),
    ("4.5.12.3", FSM_2026, TWICE, [NIGHT_BEGAN]),
    # --- 7.11: splits
    ("7.11.4", FSM_2026, THREE_TIED, [LIFT_PUT]),  # 2/8
    ("7.11.4", FSM_2026, [*THREE_TIED, ev.LiftCalled((5, 6)), ev.LiftResult(4, 4)], [NIGHT_BEGAN]),
    ("7.11.4", FSM_2026, [*THREE_TIED, ev.LiftCalled((5, 6)), ev.LiftResult(5, 3)], [("eliminated", {"seats": (5, 6)})]),
    ("4.5.14", FSM_2026, [*THREE_AT_NINE], [floor(3, "revote", 30)]),
    # --- 4.6, 4.8: the night
    ("4.6.2", FSM_2026, NIGHT, [("shooting_began", {"night": 1})]),
    ("4.6.5", FSM_2026, [*QUIET, *miss(1)[:-1]], [("night_result", {"killed": (None,)})]),
    ("4.8.2", FSM_2026, KILLED, [floor(10, "best_move", 20)]),
    ("4.8.2", FSM_2026, MOVED, [("day_began", {})]),
    ("4.8.1", FSM_2026, [*MOVED, ev.DayBegan()], [floor(10, "last_word", 60)]),
    ("4.8.1", DISBORD, [*KILLED, ev.DayBegan()], [floor(10, "last_word", 60)]),
    ("4.8.1", FSM_2026, EVENING, [floor(5, "last_word", 60)]),
    # a miss in the first night: who is killed in the second has no best move
    ("4.8.2", FSM_2026, [*QUIET, *miss(1), ev.DayBegan(), *speeches((*TEN[1:], 1)), *kill(2, 10)], [("day_began", {})]),
    # two left on day one (house rules that lift there): no best move
    ("7.10", FSM_2026.with_options({"lift_vote": "always"}), [*TWICE, ev.LiftCalled((5, 6)), ev.LiftResult(6, 4), ev.Eliminated((5, 6), "lift"), *last_word(5), *last_word(6), *kill(1, 10)], [("day_began", {})]),
    ("7.13", FSM_2026, BROKEN_AT_TEN, [floor(5, "best_move", 20)]),
    ("7.13", FSM_2026, EVENING, [floor(5, "last_word", 60)]),
    # --- 6.4, 7.5, 7.6: the third foul
    ("6.4", FSM_2026, [*MORNING, *fouls(1, 3)], [floor(1, "speech", 30)]),
    ("6.4", FSM_2026, [*MORNING, ev.FloorGiven(1, 60), *fouls(1, 3)], [("floor_ended", {"seat": 1})]),
    ("6.4", FSM_2026, [*MORNING, *minute(1, *fouls(1, 3)), *speeches(TEN[1:]), *miss(1), ev.DayBegan(), *speeches(TEN[1:])], [floor(1, "speech", 30)]),
    ("6.4", DISBORD, [*MORNING, *fouls(1, 3)], [floor(2, "speech", 60)]),
    ("6.4", LEGION, [*MORNING, *fouls(1, 3)], [floor(2, "speech", 60)]),
    ("7.5", FSM_2026, [*TIED, *fouls(5, 3)], [floor(5, "revote", 30)]),
    ("7.5", DISBORD, [*TIED, *fouls(5, 3)], [floor(5, "revote", 30)]),
    # --- 6.5, 7.1, 7.2: removals and votes
    ("6.5", FSM_2026, [*MORNING, *fouls(5, 4)], [("eliminated", {"seats": (5,), "by": "fouls"})]),
    ("7.1", FSM_2026, [*TWO, *fourth(7)], [NIGHT_BEGAN]),
    ("7.1", FSM_2026, [*VOTING, *call(1, 5, (1, 2)), *fourth(7)], [NIGHT_BEGAN]),
    ("7.1", FSM_2026, [*TIED, *fourth(7)], [NIGHT_BEGAN]),
    ("7.1", FSM_2026, [*AGAIN, ev.VoteOpened(2, (5, 6)), *fourth(7)], [NIGHT_BEGAN]),
    # removed in the morning, before the minutes: this day's vote falls, the minutes do not
    ("7.1", FSM_2026, [*DAY_TWO, *fourth(3)], [floor(2, "speech", 60)]),
    ("7.1", FSM_2026, [*DAY_TWO, *fourth(3), *speeches((2, 4, 5, 6, 7, 8, 9, 1), {2: 4, 4: 5})], [NIGHT_BEGAN]),
    # removed in the night: tomorrow's vote falls
    ("7.1", FSM_2026, [*NIGHT, *fourth(3), ev.ShootingBegan(1), ev.NightResult(1), ev.DayBegan(), *speeches((2, *TEN[3:], 1), {2: 4, 4: 5})], [NIGHT_BEGAN]),
    # the killed is removed in his best move or last word: an exception of FSM, not of DISBORD
    ("7.1", FSM_2026, [*KILLED, ev.FloorGiven(10, 20, "best_move"), ev.Foul(10, "removal"), ev.FloorEnded(10), ev.DayBegan(), *last_word(10), *speeches((*NINE, 1), {2: 4, 4: 5})], [("vote_opened", {})]),
    ("7.1", DISBORD, [*KILLED, ev.DayBegan(), ev.FloorGiven(10, 60, "last_word"), ev.Foul(10, "removal"), ev.FloorEnded(10), *speeches((*NINE, 1), {2: 4, 4: 5})], [NIGHT_BEGAN]),
    # who leaves by the vote is removed: FSM lets the next vote be
    ("7.1", FSM_2026, [*VOTED, *out(5, "removal")], [NIGHT_BEGAN]),
    ("7.1", FSM_2026, [*VOTED, *out(5, "removal"), *kill(1, 10), ev.FloorGiven(10, 20, "best_move"), ev.FloorEnded(10), ev.DayBegan(), *last_word(10), *speeches((2, 3, 4, 6, 7, 8, 9, 1), {2: 4, 3: 6})], [("vote_opened", {})]),
    # after the result another one is removed: the voted one leaves, tomorrow has no vote
    ("7.2", FSM_2026, [*VOTED, *fourth(7)], [("eliminated", {"seats": (5,)})]),
    ("7.2", FSM_2026, [*EVENING, *fourth(7), *last_word(5), *miss(1), ev.DayBegan(), *speeches((2, 3, 4, 6, 8, 9, 10, 1), {2: 4, 3: 6})], [NIGHT_BEGAN]),
    # no vote today (a single candidate): its result is the word «ночь»; removed before it, tomorrow votes
    ("7.2", FSM_2026, [*BEGIN, *speeches(TEN, {1: 5}), *fourth(7), *miss(1), ev.DayBegan(), *speeches((2, 3, 4, 5, 6, 8, 9, 10, 1), {2: 4, 3: 6})], [("vote_opened", {})]),
    ("7.2", FSM_2026, [*BEGIN, *speeches(TEN, {1: 5}), ev.NightBegan(1), *fourth(7), ev.ShootingBegan(1), ev.NightResult(1), ev.DayBegan(), *speeches((2, 3, 4, 5, 6, 8, 9, 10, 1), {2: 4, 3: 6})], [NIGHT_BEGAN]),
    # --- 6.7: technical fouls
    ("6.7.2", FSM_2026, [*MORNING, ev.Foul(5, "technical"), ev.Foul(5, "technical_big")], [("eliminated", {"seats": (5,), "by": "technical"})]),
    ("6.7.2", LEGION, [*MORNING, ev.Foul(5, "technical"), ev.Foul(5, "technical")], [floor(1, "speech", 60)]),
    # 4.5.9: three fouls and a technical one, the hand withdrawn: the second technical foul removes, or not (option)
    ("4.5.9", FSM_2026, [*VOTING, *fouls(5, 3), ev.Foul(5, "technical", 1, "4.5.9")], [("vote_called", {"target": 5})]),
    ("4.5.9", FSM_2026, [*VOTING, ev.Foul(5, "technical"), *fouls(5, 3), ev.Foul(5, "technical", 2, "4.5.9")], [("eliminated", {"by": "technical"})]),
    ("4.5.9", HAND, [*VOTING, ev.Foul(5, "technical"), *fouls(5, 3), ev.Foul(5, "technical", 2, "4.5.9")], [("vote_called", {"target": 5})]),
    # --- 7.7: draws
    ("7.7", FSM_2026, [*QUIET, *miss(1), ev.DayBegan(), *speeches((*TEN[1:], 1)), *miss(2), ev.DayBegan(), *speeches((*TEN[2:], 1, 2)), *miss(3)], [("game_ended", {"winner": "draw"})]),
    ("7.7", DISBORD, [*QUIET, *miss(1), ev.DayBegan(), *speeches((*TEN[1:], 1)), *miss(2), ev.DayBegan(), *speeches((*TEN[2:], 1, 2)), *miss(3)], [("day_began", {})]),
    # somebody left between the nights: not three in a row
    ("7.7", FSM_2026, [*QUIET, *miss(1), ev.DayBegan(), *speeches((*TEN[1:], 1), {2: 3}), *ballot(1, {3: TEN}), ev.Eliminated((3,), "vote"), *last_word(3), *miss(2), ev.DayBegan(), *speeches((4, 5, 6, 7, 8, 9, 10, 1, 2)), *miss(3)], [("day_began", {})]),
    # --- 7.8: all at the table tied are never put to the lift
    ("7.8", DISBORD, [*BEGIN, *speeches(TEN, {s: s for s in TEN}), *ballot(1, {s: (s,) for s in TEN}), *half_minutes(*TEN), *ballot(2, {s: (s,) for s in TEN})], [NIGHT_BEGAN]),
    ("4.5.12.3", DISBORD, TWICE, [LIFT_PUT]),
    ("4.5.12.3", LEGION, TWICE, [LIFT_PUT]),
]  # fmt: skip


def at(rules: Ruleset, before: Events, roles: Mapping[int, str] | None = None) -> Game:
    game, issues = Game.new(rules, roles).play(before)
    assert issues == ()
    return game


def says(game: Game, wanted: list[tuple[str, dict[str, Any]]]) -> None:
    due = [e for e in game.due() if e.required]
    assert [e.kind for e in due] == [kind for kind, _ in wanted]
    for expected, (_, values) in zip(due, wanted, strict=True):
        fields = dict(expected.fields)
        for name, value in values.items():
            allowed = fields[name]
            whole = value if name == "count" or (name == "killed" and isinstance(value, tuple)) else None
            assert allowed == whole if whole is not None else value in allowed, (name, allowed)
    assert all(e.clause is None or exists(e.clause) for e in game.expected())


@pytest.mark.parametrize(
    ("clause", "rules", "before", "wanted"), ROWS, ids=lambda v: v if isinstance(v, str) else ""
)
def test_what_is_due(
    clause: str, rules: Ruleset, before: Events, wanted: list[tuple[str, dict[str, Any]]]
) -> None:
    assert exists(f"fsm-2026:{clause}")
    says(at(rules, before), wanted)


# --- with roles: the end


def test_a_removal_ends_the_game_in_the_middle_of_a_minute() -> None:
    """1.5: red has won when the last black has left; nobody need speak to the end."""
    before = [
        *MORNING,
        *out(2, "removal"),
        *out(3, "removal"),
        *minute(1),
        ev.FloorGiven(4, 60),
        *out(1, "removal"),
    ]
    game = at(FSM_2026, before, ROLES)
    says(game, [("game_ended", {"winner": "red"})])
    assert game.apply(ev.GameEnded("red"))[1] == ()
    assert game.apply(ev.GameEnded("black"))[1] != ()


@pytest.mark.parametrize("rules", ALL, ids=lambda r: r.name)
def test_the_last_word_after_the_deciding_vote(rules: Ruleset) -> None:
    """7.9, l253, 6.8: a minute for who leaves, also when the game is over; the winner may be named first."""
    before = [*BEGIN, *out(2, "removal"), *out(3, "removal"), *speeches((1, *TEN[3:]))]
    game = at(
        rules,
        [
            *before,
            *miss_by_one(1),
            ev.DayBegan(),
            *speeches((4, 5, 6, 7, 8, 9, 10, 1), {4: 1}),
            *ballot(1, {1: (1, *TEN[3:])}),
            ev.Eliminated((1,), "vote"),
        ],
        ROLES,
    )
    says(game, [floor(1, "last_word", 60)])
    assert any(e.kind == "game_ended" for e in game.expected())
    done = at(
        rules,
        [
            *before,
            *miss_by_one(1),
            ev.DayBegan(),
            *speeches((4, 5, 6, 7, 8, 9, 10, 1), {4: 1}),
            *ballot(1, {1: (1, *TEN[3:])}),
            ev.Eliminated((1,), "vote"),
            *last_word(1),
        ],
        ROLES,
    )
    says(done, [("game_ended", {"winner": "red"})])


def miss_by_one(number: int) -> Events:
    return [ev.NightBegan(number), ev.ShootingBegan(number), ev.Shot(number, 1, None), ev.NightResult(number)]


def test_the_last_word_after_the_deciding_kill() -> None:
    """Black has won by the shot: the killed has his minute, in the night or after «утро»."""
    gone = [e for s in (5, 6, 7) for e in out(s, "removal")]
    game = at(FSM_2026, [*BEGIN, *gone, *speeches((1, 2, 3, 4, 8, 9, 10)), *kill(1, 10)], ROLES)
    assert game.decided == "black"
    says(game, [floor(10, "last_word", 60)])
    kinds = {e.kind for e in game.expected()}
    assert {"game_ended", "day_began"} <= kinds
    for course in (
        [ev.GameEnded("black")],
        [ev.DayBegan(), *last_word(10), ev.GameEnded("black")],
        [*last_word(10), ev.GameEnded("black")],
    ):
        assert game.play(course)[1] == ()


def test_a_defeat_in_the_last_word() -> None:
    """6.9.5: the voted-out red insults in his last minute: his team has lost; 6.10: not after the game was decided."""
    game = at(
        FSM_2026,
        [
            *EVENING,
            ev.FloorGiven(5, 60, "last_word"),
            ev.Foul(5, "team_defeat", None, "6.8.4"),
            ev.FloorEnded(5),
        ],
        ROLES,
    )
    assert game.decided == "black"
    says(game, [("game_ended", {"winner": "black"})])
    unknown = at(
        FSM_2026, [*EVENING, ev.FloorGiven(5, 60, "last_word"), ev.Foul(5, "team_defeat"), ev.FloorEnded(5)]
    )
    says(unknown, [("game_ended", {"winner": "black"})])
    assert unknown.winners_possible() == {"red", "black"}
    assert unknown.apply(ev.GameEnded("draw"))[1] != ()
    narrowed = unknown.apply(ev.GameEnded("black"))[0]
    assert narrowed.apply(ev.Check("sheriff", 5, 1, True))[1] != ()  # so 5 was red


def test_an_offence_after_the_decision_changes_nothing() -> None:
    """6.10 names 6.8.7 but not 6.8.4: tears cost nothing any more, an insult still removes."""
    won = [
        *BEGIN,
        *out(2, "removal"),
        *out(3, "removal"),
        *minute(1),
        ev.FloorGiven(4, 60),
        *out(1, "removal"),
    ]
    game = at(FSM_2026, won, ROLES)
    after, issues = game.apply(ev.Foul(5, "team_defeat", None, "6.9.1"))
    assert [i.kind for i in issues] == ["punished_after_decision"] and after.decided == "red"
    after, issues = game.apply(ev.Foul(5, "removal", None, "6.8.4"))
    assert issues == () and after.decided == "red"


def test_the_shot_one_is_removed_in_the_same_night() -> None:
    """7.1: he was killed by night, so tomorrow's vote stands; without the shots it falls."""
    shots = [ev.ShootingBegan(1), *(ev.Shot(1, s, 10) for s in (1, 2, 3))]
    rest = [ev.NightResult(1), ev.DayBegan(), *speeches((*NINE, 1), {2: 4, 4: 5})]
    spared, issues = Game.new(FSM_2026).play([*NIGHT, *shots, *out(10, "removal")])
    assert issues == () and spared.votes_off == frozenset()
    says(at(FSM_2026, [*NIGHT, *out(10, "removal"), ev.ShootingBegan(1), *rest]), [NIGHT_BEGAN])


def test_three_at_nine_after_a_reveal() -> None:
    """7.11.1-2: the first killed has revealed himself: the split and its lift are allowed."""
    reveal: Events = [
        *MOVED,
        ev.DayBegan(),
        ev.FloorGiven(10, 60, "last_word"),
        ev.Revealed(10, "sheriff"),
        ev.FloorEnded(10),
    ]
    split = [
        *reveal, *speeches((*NINE, 1), {2: 3, 3: 4, 4: 5}),
        *ballot(1, {3: (1, 2, 3), 4: (4, 5, 6), 5: (7, 8, 9)}), *half_minutes(3, 4, 5),
        *ballot(2, {3: (1, 2, 3), 4: (4, 5, 6), 5: (7, 8, 9)}),
    ]  # fmt: skip
    says(at(FSM_2026, split), [("lift_called", {"candidates": (3, 4, 5)})])
    # a plain red who takes it back leaves it forbidden; a sheriff need not
    back = [*split[: len(reveal) - 1], ev.Revealed(10, "sheriff", True), *split[len(reveal) - 1 :]]
    _, issues = Game.new(FSM_2026, {10: "red"}).play(back)
    assert [i.kind for i in issues] == ["forbidden_split"]
    assert Game.new(FSM_2026, {10: "sheriff"}).play(back)[1] == ()


def test_misses_at_four_give_disbord_red() -> None:
    """l245: three misses in a row at four players; FSM knows only the draw of 7.7."""
    game = Game.new(DISBORD, ROLES).with_(
        alive=(1, 4, 5, 6), day=4, phase=Phase.DAY, previous_opener=4, opener=4, spoken=(4, 5, 6, 1)
    )
    for number, opener in ((4, 5), (5, 6), (6, 1)):
        order = tuple(sorted((1, 4, 5, 6), key=lambda s: (s - opener) % 10))
        game, issues = game.play(miss_by_one(number))
        assert issues == ()
        if number < 6:
            game, issues = game.play([ev.DayBegan(), *speeches(order)])
            assert issues == ()
    assert game.decided == "red"


@pytest.mark.parametrize(
    ("rules", "kind", "field", "value"),
    [
        (FSM_2026, "role_shown", "by", "sheriff"),
        (DISBORD, "role_shown", "by", "sheriff"),
        (FSM_2026, "free_seating_began", None, None),
    ],
)
def test_first_night(rules: Ruleset, kind: str, field: str | None, value: Any) -> None:
    game = at(rules, BEGIN[:2])
    found = [
        e for e in game.expected() if e.kind == kind and (field is None or value in dict(e.fields)[field])
    ]
    assert len(found) == 1
    limits = {
        ("fsm-2026", "role_shown"): 10,
        ("disbord", "role_shown"): 20,
        ("fsm-2026", "free_seating_began"): 40,
    }
    assert found[0].seconds == limits[rules.name, kind]


def test_first_night_of_legion_and_disbord() -> None:
    legion = {e.kind for e in at(LEGION, BEGIN[:2]).expected()}
    disbord = {e.kind for e in at(DISBORD, BEGIN[:2]).expected()}
    assert "role_shown" not in legion and "free_seating_began" not in legion | disbord


@pytest.mark.parametrize(("rules", "seconds"), [(FSM_2026, 1.5), (DISBORD, 2), (LEGION, 8)])
def test_time_for_a_vote(rules: Ruleset, seconds: float) -> None:
    game = at(rules, [*VOTING, ev.VoteCalled(1, 5)])
    assert next(e for e in game.expected() if e.kind == "vote_closed").seconds == seconds
    cast = next(e for e in game.expected() if e.kind == "vote_cast")
    assert cast.seconds == seconds and dict(cast.fields)["seat"] == TEN


def test_who_is_silent_may_nominate() -> None:
    """l179, 5.4: the minute is lost, the nomination is not."""
    game = at(DISBORD, [*MORNING, *minute(1), *fouls(2, 3)])
    after, issues = game.apply(ev.Nominated(2, 7))
    assert issues == () and after.candidates == (7,)
    says(after, [floor(3, "speech", 60)])


def test_a_withdrawn_candidate_is_not_voted_on() -> None:
    before = [
        *BEGIN,
        *minute(1, ev.Nominated(1, 5), ev.NominationWithdrawn(1, 5)),
        *speeches(TEN[1:], {2: 6, 3: 7}),
    ]
    says(at(DISBORD, before), [("vote_opened", {"candidates": (6, 7)})])


def test_hands_nobody_saw_leave_alternatives() -> None:
    """A count that is a range: who leaves is not decided by the engine."""
    before = [
        *VOTING,
        ev.VoteCalled(1, 5),
        *(ev.VoteCast(1, 5, s) for s in (1, 2, 3, 4)),
        ev.VoteClosed(1, 5, (8, 9)),
        ev.VoteCalled(1, 6),
        *(ev.VoteCast(1, 6, s) for s in (5, 6, 7, 10)),
        ev.VoteClosed(1, 6, (8, 9)),
    ]
    game = at(FSM_2026, before)
    assert game.vote is not None
    assert (game.vote.counted(5), game.vote.counted(6)) == ((4, 6), (4, 6))
    announced, issues = game.apply(ev.VoteAnnounced(1, 5, 5))
    assert issues == () and announced.vote is not None and announced.vote.counted(6) == (5, 5)
    says(announced, [("vote_announced", {"target": 6, "count": (5,)})])
    assert any(e.kind == "floor_given" and e.value("seat") == 5 for e in announced.due())


def test_a_recording_that_begins_in_the_vote() -> None:
    """Who was nominated nobody heard: any of the living may be called, and nobody is blamed for it."""
    game, issues = Game.excerpt(FSM_2026, day=2, alive=NINE).play(
        [ev.VoteOpened(1), *call(1, 3, (2, 4)), *call(1, 5, (3, 5, 6, 7, 8, 9))]
    )
    assert issues == ()
    says(game, [("eliminated", {"seats": (5,)})])
    open_, issues = Game.excerpt(FSM_2026, day=2, alive=NINE).play([ev.VoteOpened(1), *call(1, 3, (2, 4))])
    assert issues == ()
    says(open_, [("vote_called", {"target": 7})])
    named, _ = Game.excerpt(FSM_2026, day=2, alive=NINE).apply(ev.VoteOpened(1, (3, 5)))
    assert [i.kind for i in named.apply(ev.VoteCalled(1, 7))[1]] == ["candidate_not_nominated"]
