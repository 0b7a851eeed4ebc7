"""Section 8 clause by clause: each is shown by a case here, or is the judge's alone and said to be so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from scored import ROLES, TECH, night, red_win, split_day, vote, with_day, with_fouls

from mafiavar.engine.clauses import clauses, exists
from mafiavar.engine.record import (
    BestMoveRecord,
    CheckRecord,
    DayRecord,
    FoulRecord,
    NightRecord,
    NominationRecord,
    Record,
    RemovalRecord,
)
from mafiavar.engine.ruleset import FSM_2026, LEGION
from mafiavar.engine.scoring import Played, milli, score_game, standings
from mafiavar.engine.scoring.appeals import Appeal, check_appeals
from mafiavar.engine.scoring.ci import ci_in_game, full_ci, least_games
from mafiavar.engine.scoring.rating import (
    Career,
    after_calibration,
    coefficient,
    goes_to_archive,
    is_suspended,
    may_return,
    penalty,
    rating_after_calibration,
)

Case = Callable[[], None]
CASES: list[tuple[str, Case]] = []
JUDGE = {
    "8.1": "that points are used at all",
    "8.3.2": "what may be said beside the numbers", "8.3.4": "numbers are not changed afterwards: the file holds the last word",
    "8.3.8.1": "what a testament is", "8.3.8.2": "whether a speech holds clear theses", "8.3.8.9": "a red check of a possible don may be named",
    "8.3.8.10": "the wording with two reveals", "8.3.9.11": "heading", "8.4.2": "one scale for both results", "8.4.5": "how much to give",
    "8.5.1": "minus points are the judge's", "8.5.2": "judge's minus", "8.5.3": "judge's minus", "8.5.4": "judge's minus",
    "8.5.5": "judge's minus", "8.5.6": "judge's minus", "8.5.6.1": "judge's minus", "8.5.6.2": "judge's minus",
    "8.5.6.3": "judge's minus", "8.5.6.4": "judge's minus", "8.5.7": "judge's minus", "8.5.8": "judge's minus",
    "8.5.8.1": "nobody writes down who slept", "8.5.8.3": "what a check would have proved", "8.5.8.5": "which kill was agreed",
    "8.5.10": "an unplayable game", "8.5.11": "a sheriff's reveal at ten", "8.8.1": "a protest is filed",
    "8.8.2": "where", "8.8.3": "who decides", "8.8.4": "with the video", "8.8.5": "it is final",
    "8.9.3": "the button on the site", "8.9.4": "how they talk", "8.10": "replay of a game", "8.1.1": "the chief judge's rank",
}  # fmt: skip


def case(clause: str) -> Callable[[Case], Case]:
    def register(function: Case) -> Case:
        CASES.append((clause, function))
        return function

    return register


def total(record: Record, seat: int, *kinds: str, rules: Any = FSM_2026) -> int:
    return score_game(record, rules).total(seat, kinds or None)


def remarks(record: Record, rules: Any = FSM_2026) -> set[str]:
    return {r.kind for r in score_game(record, rules).remarks} - {"ci_needs_distance"}


def words(testament: Any = None, protocol: Any = None, base: Record | None = None) -> Record:
    """The last words of day 2, when the first killed (10) speaks."""
    record = base or red_win()
    return with_day(record, replace(record.days[1], testament=testament, protocol=protocol))


def black_win(**changes: Any) -> Record:
    """10, 9, 8, 7 die in four nights and nobody is voted out: three reds and three blacks are left."""
    days = tuple(DayRecord(d, nominations=(), ballots=(), left=()) for d in (1, 2, 3, 4))
    nights = tuple(night(n, victim, 1, 2, 3) for n, victim in ((1, 10), (2, 9), (3, 8), (4, 7)))
    return red_win(days=days, nights=nights, winner="black", **changes)


def draw(**changes: Any) -> Record:
    days = tuple(DayRecord(d, nominations=(), ballots=(), left=()) for d in (1, 2, 3, 4))
    nights = (
        night(1, 10, 1, 2, 3),
        *(NightRecord(n, ((1, 5), (2, 6), (3, 5)), None, True) for n in (2, 3, 4)),
    )
    return red_win(days=days, nights=nights, winner="draw", **changes)


@case("8.2.1")
def clause_8_2_1() -> None:
    assert [total(red_win(), s, "win") for s in (1, 4, 5, 10)] == [0, 1000, 1000, 1000]


@case("8.2.2")
def clause_8_2_2() -> None:
    assert [total(black_win(), s, "win") for s in (1, 2, 3, 4, 10)] == [1000, 1000, 1000, 0, 0]


@case("8.2.3")
def clause_8_2_3() -> None:
    assert all(total(draw(best_moves=()), s) == 0 for s in range(1, 11))
    assert total(red_win(), 2) == 0


@case("8.2.4")
def clause_8_2_4() -> None:
    removed = with_fouls(removed=(RemovalRecord(5, "fouls", "after_result"),), day=1)
    assert total(removed, 5, "removal") == -600
    assert score_game(removed, FSM_2026).additional(5) == -600


@case("8.2.5")
def clause_8_2_5() -> None:
    defeat = with_fouls(removed=(RemovalRecord(5, "team_defeat", "speech"),))
    assert total(defeat, 5) == -1500
    assert total(defeat, 6) == 0
    assert total(defeat, 1, "win") == 1000


@case("8.3.1")
def clause_8_3_1() -> None:
    second = red_win(best_moves=(BestMoveRecord(9, (1, 2, 3)),))
    assert total(second, 9, "best_move") == 0
    assert total(red_win(), 10, "best_move") == 300


@case("8.3.3")
def clause_8_3_3() -> None:
    """Only the numbers named before the removal count."""
    cut = red_win(best_moves=(BestMoveRecord(10, (1, 2)),))
    four = red_win(best_moves=(BestMoveRecord(10, (5, 6, 7, 1)),))
    assert total(cut, 10, "best_move") == 300
    assert total(four, 10, "best_move") == 0


@case("8.3.5")
def clause_8_3_5() -> None:
    moves = [(5, 6, 7), (1, 6, 7), (1, 2, 7), (1, 2, 3)]
    assert [total(red_win(best_moves=(BestMoveRecord(10, m),)), 10, "best_move") for m in moves] == [
        0,
        100,
        300,
        600,
    ]


@case("8.3.6")
def clause_8_3_6() -> None:
    """Two left on day one (a lift of house rules): the first killed has no best move."""
    two = replace(split_day(1, tuple(range(1, 11)), 5, 6), lift=None, left=(5, 6))
    record = with_day(red_win(), two)
    rules = FSM_2026.with_options({"lift_vote": "always"})
    assert total(record, 10, "best_move", rules=rules) == 0
    assert total(red_win(), 10, "best_move", rules=rules) == 300


@case("8.3.7")
def clause_8_3_7() -> None:
    assert total(red_win(bonus={10: 0.4}), 10, "best_move", "bonus") == 700


@case("8.3.8.3")
def clause_8_3_8_3() -> None:
    sizes = {p: remarks(words({"seat": 10, "points": p})) for p in (-0.4, -0.2, 0.2, 0.3, 0.4, 0.1, 0.5)}
    other = remarks(with_day(red_win(), replace(red_win().days[2], testament={"seat": 9, "points": 0.3})))
    fine = all(not sizes[p] for p in (-0.4, -0.2, 0.2, 0.3, 0.4))
    assert fine
    assert sizes[0.1] == sizes[0.5] == {"testament_size"}
    assert other == {"testament_agreed"}


@case("8.3.8.4")
def clause_8_3_8_4() -> None:
    third = red_win().days[2]  # 9 was killed in the night before

    def left(**more: Any) -> set[str]:
        return remarks(with_day(red_win(), replace(third, testament={"seat": 9, "points": 0.2, **more})))

    assert left(blacks=[1]) == {"opinion_few"}
    assert not left(blacks=[1], special=True)
    assert not left(blacks=[1], reds=[5])
    assert not remarks(words({"seat": 10, "points": 0.2, "blacks": [1]}))


@case("8.3.8.5")
def clause_8_3_8_5() -> None:
    assert remarks(words({"seat": 10, "points": 0.2, "reds": [5]})) == {"opinion_few"}
    assert not remarks(words({"seat": 10, "points": 0.2, "reds": [5, 6]}))


@case("8.3.8.6")
def clause_8_3_8_6() -> None:
    vague = {"seat": 10, "points": 0.2, "inexact": True}
    assert remarks(words(vague)) == {"opinion_inexact"}
    assert not remarks(words(vague | {"two_blacks_out": True}))
    assert not remarks(words(vague | {"points": 0}))


@case("8.3.8.7")
def clause_8_3_8_7() -> None:
    assert remarks(words({"seat": 10, "points": 0.2, "reds": [4, 5, 6], "sure": [4]})) == {"opinion_sure"}


@case("8.3.8.8")
def clause_8_3_8_8() -> None:
    """The sheriff names a black one he had checked (not allowed), or others."""
    roles = {**ROLES, 4: "red", 9: "sheriff"}
    checked = replace(night(1, 10, 1, 2, 3), checks=(CheckRecord("sheriff", 1, True),))
    record = red_win(roles=roles, nights=(checked, *red_win().nights[1:]))

    def left(*blacks: int) -> set[str]:
        return remarks(
            with_day(record, replace(record.days[2], testament={"seat": 9, "points": 0.2, "blacks": blacks}))
        )

    assert left(1, 2) == {"opinion_checked"}
    assert not left(2, 3)


@case("8.3.8.11")
def clause_8_3_8_11() -> None:
    both = words({"seat": 10, "points": 0.2}, {"seat": 10, "blacks": [1, 2]})
    apart = words({"seat": 10, "points": 0.2, "same": False}, {"seat": 10, "blacks": [1, 2]})
    assert total(both, 10, "testament", "protocol") == 500
    assert total(apart, 10, "testament", "protocol") == 700


@case("8.3.9.1")
def clause_8_3_9_1() -> None:
    def left(points: float) -> tuple[int, set[str]]:
        record = with_day(red_win(), replace(red_win().days[2], protocol={"seat": 9, "points": points}))
        return total(record, 9, "protocol"), remarks(record)

    assert left(0.4) == (400, set())
    assert left(-0.8) == (-800, set())
    assert left(0.6) == (600, {"protocol_agreed"})
    assert left(0.9) == (900, {"protocol_size"})


def protocol(**written: Any) -> int:
    return total(words(None, {"seat": 10, **written}), 10, "protocol")


@case("8.3.9.2")
def clause_8_3_9_2() -> None:
    assert protocol(blacks=[1, 2, 3], reds=[5, 6, 7, 8, 9]) == 800


@case("8.3.9.3")
def clause_8_3_9_3() -> None:
    assert protocol(blacks=[1], reds=[5]) == 300
    assert protocol(reds=[5], version=4) == 500


@case("8.3.9.4")
def clause_8_3_9_4() -> None:
    assert [protocol(blacks=b) for b in ([1], [1, 2], [1, 2, 3], [5], [5, 6], [5, 6, 7])] == [
        200,
        500,
        800,
        -200,
        -500,
        -800,
    ]


@case("8.3.9.5")
def clause_8_3_9_5() -> None:
    assert [protocol(reds=r) for r in ([5], [5, 6], [5, 6, 7, 8, 9, 4], [1], [1, 2], [1, 2, 3], [5, 1])] == [
        100,
        300,
        800,
        -200,
        -400,
        -400,
        -100,
    ]


@case("8.3.9.6")
def clause_8_3_9_6() -> None:
    assert (protocol(version=4), protocol(version=5)) == (400, -400)


@case("8.3.9.7")
def clause_8_3_9_7() -> None:
    assert protocol(version=4, blacks=[1], version_colours=[1]) == 400


@case("8.3.9.8")
def clause_8_3_9_8() -> None:
    assert protocol(blacks=[1, 2], sure=[1]) == 200
    assert protocol(blacks=[5], sure=[5]) == -200


@case("8.3.9.9")
def clause_8_3_9_9() -> None:
    assert protocol(blacks=[1, 2], near=[1]) == 300
    assert protocol(reds=[5, 6], near=[5]) == 150


@case("8.3.9.10")
def clause_8_3_9_10() -> None:
    """What the sheriff had checked, the protocol's own nights show."""
    roles = {**ROLES, 4: "red", 10: "sheriff"}
    checked = replace(night(1, 10, 1, 2, 3), checks=(CheckRecord("sheriff", 5, False),))
    record = words(
        None, {"seat": 10, "reds": [5, 6]}, red_win(roles=roles, nights=(checked, *red_win().nights[1:]))
    )
    assert total(record, 10, "protocol") == 100
    assert protocol(reds=[5, 6]) == 300


@case("8.3.9.11.1")
def clause_8_3_9_11_1() -> None:
    four = {"seat": 10, "aside": True, "reds": [5, 6, 7], "blacks": [3]}
    opinion = {"seat": 10, "points": 0.2, "aside": True, "reds": [5, 6, 7]}
    assert remarks(words(opinion, four)) == {"both_aside"}
    assert not remarks(words(opinion, four | {"reds": [5, 6]}))
    assert not remarks(words(None, four))


@case("8.3.9.11.2")
def clause_8_3_9_11_2() -> None:
    assert protocol(aside=True, reds=[5, 6], blacks=[3]) == 600
    assert protocol(aside=True, reds=[1], blacks=[5]) == -400


@case("8.3.9.11.3")
def clause_8_3_9_11_3() -> None:
    def left(points: float, **named: Any) -> set[str]:
        return remarks(words({"seat": 10, "points": points, "aside": True, **named}))

    assert left(0.2, reds=[5, 6]) == {"opinion_few_aside"}
    assert not left(0.2, reds=[5, 6, 7])
    assert not left(0.3, blacks=[3])
    assert left(0.4, blacks=[3]) == {"testament_size"}


@case("8.3.9.12")
def clause_8_3_9_12() -> None:
    assert total(words(None, {"seat": 10, "silent_reveal": True}), 10, "silent_reveal") == -200


@case("8.4.1")
def clause_8_4_1() -> None:
    eight = red_win(bonus=dict.fromkeys(range(1, 9), 0.2))
    much = red_win(bonus={**dict.fromkeys(range(1, 6), 0.8), 6: 0.2, 7: -1.0})
    just = red_win(bonus=dict.fromkeys(range(1, 6), 0.8))
    assert remarks(eight) == {"bonus_players"}
    assert remarks(much) == {"bonus_sum"}
    assert not remarks(just)


@case("8.4.3")
def clause_8_4_3() -> None:
    sizes = {p: remarks(red_win(bonus={5: p})) for p in (0.2, 0.3, 1.0, 0.1, 1.1, 1.2, 1.5)}
    assert [sizes[p] for p in (0.2, 0.3, 1.0)] == [set()] * 3
    assert sizes[0.1] == sizes[1.1] == {"bonus_size"}
    assert sizes[1.2] == sizes[1.5] == {"bonus_agreed"}


@case("8.4.4")
def clause_8_4_4() -> None:
    assert not remarks(red_win(bonus={5: -0.3}))
    assert remarks(red_win(bonus={5: -0.1})) == {"bonus_size"}
    assert remarks(red_win(bonus={5: -1.2})) == {"bonus_agreed"}


@case("8.4.6")
def clause_8_4_6() -> None:
    assert total(red_win(bonus={10: 0.2}), 10) == 1000 + 300 + 200


@case("8.4.7")
def clause_8_4_7() -> None:
    record = replace(with_fouls(removed=(RemovalRecord(5, "removal", "after_result"),)), bonus={5: 0.2})
    assert remarks(record) == {"bonus_of_removed"}


@case("8.4.8")
def clause_8_4_8() -> None:
    """A draw: best move, testament, bonus give nothing; technical foul, removal and minus stay."""
    record = draw(bonus={5: 0.4, 6: -0.4})
    record = with_day(record, replace(record.days[0], fouls=(FoulRecord(7, "technical", 1, "speech"),)))
    record = with_day(record, replace(record.days[1], testament={"seat": 10, "points": 0.2}))
    score = score_game(record, FSM_2026)
    assert score.winner == "draw"
    assert [(p.seat, p.milli) for p in score.points] == [(6, -400), (7, -300)]


@case("8.4.9")
def clause_8_4_9() -> None:
    many = check_appeals([Appeal("a", 2, 5, 6, 2, -0.5, -0.2)] * 4, FSM_2026)
    assert [[r.kind for r in found] for _, found in many] == [[], [], [], ["appeal_many"]]


@case("8.5.8.2")
def clause_8_5_8_2() -> None:
    idle = red_win(nights=tuple(replace(n, checks=()) for n in red_win().nights))
    busy = red_win(
        nights=tuple(replace(n, checks=(CheckRecord("sheriff", 1, True),)) for n in red_win().nights)
    )
    assert remarks(idle) == {"sheriff_without_checks"}
    assert not remarks(busy)


@case("8.5.8.4")
def clause_8_5_8_4() -> None:
    lazy = tuple(NightRecord(n, ((1, 5), (2, 5), (3, None)), None, True) for n in (1, 2))
    days = tuple(DayRecord(d, nominations=(), ballots=(), left=()) for d in (1, 2))
    assert "black_without_shots" in remarks(red_win(days=days, nights=lazy, winner=None, best_moves=()))


@case("8.5.9")
def clause_8_5_9() -> None:
    days = tuple(DayRecord(d, nominations=(), ballots=(), left=()) for d in (1, 2))
    last = DayRecord(3, nominations=(), ballots=(), left=(), removed=(RemovalRecord(7, "removal", "speech"),))
    critical = red_win(days=(*days, last), nights=(night(1, 10, 1, 2, 3), night(2, 9, 1, 2, 3)), winner=None)
    assert total(critical, 7, "removal") == -1000
    assert total(with_fouls(removed=(RemovalRecord(5, "removal", "speech"),)), 5, "removal") == -600


def ci(record: Record, seat: int) -> int:
    return standings([Played("a", record)], FSM_2026)[1][0][1].total(seat, ("ci",))


@case("8.6.1")
def clause_8_6_1() -> None:
    assert ci(black_win(), 10) == 100


@case("8.6.2")
def clause_8_6_2() -> None:
    assert least_games(FSM_2026, 9) == 4
    assert least_games(FSM_2026, 30) == 12
    assert full_ci(FSM_2026, 13, 30) == full_ci(FSM_2026, 12, 30) == Fraction(2, 5)


@case("8.6.3")
def clause_8_6_3() -> None:
    """A kill as black is none of the i."""
    as_black = replace(black_win(roles={**ROLES, 10: "mafia", 3: "red"}), winner=None)
    games = [Played("a", black_win()), Played("b", as_black)]
    assert [s.total(10, ("ci",)) for _, s in standings(games, FSM_2026)[1]] == [100, 0]


@case("8.6.4")
def clause_8_6_4() -> None:
    """Main points: they do not count in the first tie-break."""
    score = standings([Played("a", black_win())], FSM_2026)[1][0][1]
    assert score.additional(10) == 300
    assert score.total(10) == 400


@case("8.6.5")
def clause_8_6_5() -> None:
    assert ci_in_game(FSM_2026, Fraction(1, 5), won=False, hits=1) == Fraction(1, 5)


@case("8.6.6")
def clause_8_6_6() -> None:
    assert ci_in_game(FSM_2026, Fraction(1, 5), won=True, hits=1) == Fraction(1, 10)
    assert ci(red_win(), 10) == 50


@case("8.6.7")
def clause_8_6_7() -> None:
    assert (
        ci(black_win(best_moves=(BestMoveRecord(10, (5, 6, 7)),)), 10)
        == ci(black_win(best_moves=()), 10)
        == 0
    )


@case("8.6.8")
def clause_8_6_8() -> None:
    games = [Played("a", black_win(), "1"), Played("b", black_win(), "1"), Played("c", black_win(), "2")]
    assert [s.total(10, ("ci",)) for _, s in standings(games, FSM_2026)[1]] == [200, 200, 100]


@case("8.6.9")
def clause_8_6_9() -> None:
    """Broken at ten: points of a best move, and no Ci."""
    ten = tuple(range(1, 11))
    broken = replace(
        vote(1, 10, ten), nominations=(NominationRecord(1, 10), NominationRecord(2, 5)), ordered=False
    )
    record = red_win(days=(broken, *red_win().days[1:]), nights=(night(1, 9, 1, 2, 3), night(2, 8, 2, 3)))
    assert total(record, 10, "best_move") == 300
    assert ci(record, 10) == 0


def order(games: list[Played]) -> list[tuple[str, int]]:
    return [(s.player, s.place) for s in standings(games, FSM_2026)[0]]


@case("8.7")
def clause_8_7() -> None:
    table = standings([Played("a", red_win(bonus={5: 0.4, 6: 0.2}))], FSM_2026)[0]
    assert [s.total for s in table] == sorted((s.total for s in table), reverse=True)
    assert table[0].player == "p5"


def named(record: Record, *seats: int) -> Record:
    """The players a, b, ... sit on these seats; the others are strangers of this game."""
    names = {s: f"stranger {s}" for s in range(1, 11)} | {s: chr(97 + i) for i, s in enumerate(seats)}
    return replace(record, nicknames=names)


def places(*games: Record) -> dict[str, int]:
    table, _ = standings([Played(str(i), g, str(i)) for i, g in enumerate(games)], FSM_2026)
    return {s.player: s.place for s in table if s.player in "ab"}


@case("8.7.1")
def clause_8_7_1() -> None:
    """Both have 1.3: a by a win and a bonus, b by two wins and a minus of 0.7."""
    table, _ = standings(
        [
            Played(str(i), g, str(i))
            for i, g in enumerate([named(red_win(bonus={5: 0.3, 6: -0.7}), 5, 6), named(red_win(), 1, 7)])
        ],
        FSM_2026,
    )
    rows = {s.player: s for s in table if s.player in "ab"}
    assert rows["a"].total == rows["b"].total == 1300
    assert rows["a"].place < rows["b"].place


@case("8.7.2")
def clause_8_7_2() -> None:
    """1 and nothing additional each: a has it from ten Ci of .1 as one always killed first, b from a win."""
    lost = [
        named(black_win(best_moves=(BestMoveRecord(10, (1, 6, 7)),), bonus={10: -0.1}), 10) for _ in range(10)
    ]
    table, _ = standings(
        [Played(str(i), g, str(i)) for i, g in enumerate([*lost, named(red_win(), 1, 5)])], FSM_2026
    )
    rows = {s.player: s for s in table if s.player in "ab"}
    assert (rows["a"].total, rows["a"].additional, rows["a"].wins) == (1000, 0, 0)
    assert (rows["b"].total, rows["b"].additional, rows["b"].wins) == (1000, 0, 1)
    assert rows["b"].place < rows["a"].place


@case("8.7.3")
def clause_8_7_3() -> None:
    found = places(named(red_win(), 5, 4))  # b won as the sheriff
    assert found["b"] < found["a"]


@case("8.7.4")
def clause_8_7_4() -> None:
    """Two lose with nothing: the one killed first in the night stands higher, of either colour."""
    record = named(black_win(best_moves=()), 4, 10)
    shot_self = named(
        replace(red_win(best_moves=()), nights=(night(1, 3, 1, 2, 3), *red_win().nights[1:])), 2, 3
    )
    assert places(record)["b"] < places(record)["a"]
    assert places(shot_self)["b"] < places(shot_self)["a"]


@case("8.7.5")
def clause_8_7_5() -> None:
    table, _ = standings([Played("a", named(red_win(), 5, 6))], FSM_2026)
    rows = [s for s in table if s.player in "ab"]
    assert rows[0].place == rows[1].place
    assert all(s.lot for s in rows)


BASE = Appeal("a", 2, 5, 6, 2, 0.2, 0.5)


def stands_against(appeal: Appeal, last: int | None = None) -> list[str]:
    ((_, found),) = check_appeals([appeal], FSM_2026, last_round=last)
    return [r.kind for r in found]


@case("8.9.1")
def clause_8_9_1() -> None:
    assert stands_against(replace(BASE, published=4)) == []
    assert stands_against(replace(BASE, published=3)) == ["appeal_late"]


@case("8.9.2")
def clause_8_9_2() -> None:
    day_one = replace(BASE, day=1)
    closed = replace(BASE, tables_closed_between=True)
    assert stands_against(day_one) == ["appeal_day_one"]
    assert stands_against(replace(day_one, filed_day=1)) == []
    assert stands_against(closed) == ["appeal_closed_tables"]
    assert stands_against(replace(BASE, filed=7), 7) == ["appeal_last_round"]


@case("8.9.5")
def clause_8_9_5() -> None:
    assert stands_against(replace(BASE, asked=0.3)) == ["appeal_small"]
    assert stands_against(replace(BASE, asked=0.4)) == []


@case("8.9.6")
def clause_8_9_6() -> None:
    plus = check_appeals([BASE] * 4, FSM_2026)
    both = check_appeals([BASE] * 3 + [replace(BASE, given=-0.4)] * 3, FSM_2026)
    refused = check_appeals(
        [replace(BASE, asked=0.3)] * 3 + [BASE], FSM_2026
    )  # what is not heard is not counted
    assert bool(plus[3][1])
    assert not any(r for _, r in both)
    assert not refused[3][1]


@pytest.mark.parametrize(("clause", "case"), CASES, ids=[c for c, _ in CASES])
def test_clause(clause: str, case: Case) -> None:
    assert exists(f"fsm-2026:{clause}")
    case()


def test_section_eight_is_whole() -> None:
    """Every clause of section 8 has a case, or stands with the reason why a machine cannot judge it."""
    text = {c.number for c in clauses("fsm-2026") if c.number.split(".")[0] == "8"}
    shown = {clause for clause, _ in CASES}
    assert text - shown - set(JUDGE) == set()
    assert not shown & set(JUDGE)
    assert set(JUDGE) <= text


# --- Legion


LEGION_ROWS: list[tuple[str, Record, int, tuple[str, ...], int]] = [
    ("7.2.1", red_win(), 5, ("win",), 2500),
    ("7.2.2", black_win(), 1, ("win",), 2500),
    ("7.2.3", red_win(), 1, ("win",), 0),
    ("7.2.4", with_fouls(removed=(RemovalRecord(5, "removal", "after_result"),)), 5, ("removal",), -500),
    ("7.3.4", red_win(best_moves=(BestMoveRecord(10, (1, 2, 3)),)), 10, ("best_move",), 1000),
    ("7.3.4", red_win(best_moves=(BestMoveRecord(10, (1, 2, 5)),)), 10, ("best_move",), 500),
    ("7.3.4", red_win(best_moves=(BestMoveRecord(10, (1, 6, 5)),)), 10, ("best_move",), 0),
    ("7.3.4", red_win(roles={**ROLES, 10: "mafia", 3: "red"}, winner=None), 10, ("best_move",), 0),
    ("7.4.1", red_win(bonus={5: 0.75}), 5, ("bonus",), 750),
    ("7.4.4", red_win(bonus={10: 0.75}), 10, ("best_move", "bonus"), 1250),
    ("7.4.5", draw(bonus={5: 0.75, 6: -0.25}), 5, ("bonus",), 0),
    ("7.4.5", draw(bonus={5: 0.75, 6: -0.25}), 6, ("bonus",), 0),
]


@pytest.mark.parametrize(("clause", "record", "seat", "kinds", "points"), LEGION_ROWS)
def test_legion(clause: str, record: Record, seat: int, kinds: tuple[str, ...], points: int) -> None:
    assert exists(f"legion:{clause}")
    assert score_game(record, LEGION).total(seat, kinds) == points


def test_legion_ci_and_limits() -> None:
    def given(record: Record, kills: int) -> list[int]:
        games = [Played(str(i), record) for i in range(kills)]
        return [s.total(10, ("ci",)) for _, s in standings(games, LEGION)[1]]

    assert given(red_win(), 1) == [0] and given(red_win(), 3) == [1000] * 3 == given(black_win(), 3)
    assert given(red_win(best_moves=(BestMoveRecord(10, (5, 6, 7)),)), 3) == [0] * 3
    assert given(red_win(roles={**ROLES, 10: "mafia", 3: "red"}, winner=None), 3) == [0] * 3
    full = dict.fromkeys(range(1, 11), 0.5)
    assert remarks(red_win(bonus=full), LEGION) == set()
    assert remarks(red_win(bonus=full | {1: 0.75}), LEGION) == {"bonus_sum"}
    assert remarks(red_win(bonus=full | {1: 0.3}), LEGION) == {"bonus_size"}
    assert remarks(red_win(bonus={1: 0.5}), LEGION) == {"bonus_missing"}


@pytest.mark.parametrize(
    ("rating", "games", "expected"),
    [
        (1000, 5, (4, 8, 15)),
        (1999, 29, (4, 8, 15)),
        (1000, 31, (2, 5, 10)),
        (2000, 31, (2, 5, 10)),
        (2001, 5, (1, 3, 5)),
        (2001, 500, (1, 3, 5)),
    ],
)
def test_rating_table(rating: int, games: int, expected: tuple[int, int, int]) -> None:
    """rating-2.2.2 to 2.2.4."""
    assert (
        coefficient(rating, games),
        penalty("removal", rating, games),
        penalty("team_defeat", rating, games),
    ) == expected
    assert penalty("after_game", rating, games) == 10


@pytest.mark.parametrize(
    ("career", "archive"),
    [
        (Career(1000, 50, 5), False), (Career(899, 50, 5), True), (Career(900, 50, 5), False),
        (Career(1000, 9, 0), True), (Career(1000, 9, 1), False), (Career(1000, 10, 0), False),
        (Career(1500, 99, 9, asked_to_leave=True), True), (Career(1500, 99, 9, banned_for_good=True), True),
    ],
)  # fmt: skip
def test_archive(career: Career, archive: bool) -> None:
    """rating-3.2, rating-4.2.3."""
    assert goes_to_archive(career) is archive


def test_return_and_suspension() -> None:
    assert [may_return(29), may_return(30), may_return(300, banned_for_good=True)] == [False, True, False]
    assert [rating_after_calibration(a) for a in (1.99, 2.0, 2.39, 2.4, 2.5, 2.6, 2.7)] == [
        None,
        925,
        925,
        950,
        975,
        975,
        1000,
    ]
    assert after_calibration(9, 30, 3.0) == ("plays", 900) and after_calibration(9, 31, 3.0) == (
        "archive",
        None,
    )
    assert after_calibration(10, 31, 1.9) == ("archive", None) and after_calibration(10, 5, 2.8) == (
        "rated",
        1000,
    )
    assert [is_suspended(Career(1000, 50, 5, offences_this_year=n)) for n in (3, 4)] == [False, True]


def test_technical_fouls_of_a_player_who_stays_are_minus_points() -> None:
    assert total(with_fouls(TECH), 5) == 1000 - 300 == milli(0.7)


def test_the_worked_game() -> None:
    """The numbers of docs/scoring.md."""
    ((_, score),) = standings([Played("a", red_win())], FSM_2026)[1]
    assert [score.total(s) for s in range(1, 11)] == [0, 0, 0, 1000, 1000, 1000, 1000, 1000, 1000, 1350]
    assert (score.additional(10), score.total(10, ("ci",)), score.total(10, ("best_move",))) == (300, 50, 300)
