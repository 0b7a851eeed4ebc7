"""The points of one game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from mafiavar.engine.audit.run import examine
from mafiavar.engine.audit.table import Table
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.record import BestMoveRecord, Record
from mafiavar.engine.roles import SEATS
from mafiavar.engine.scoring.ci import ci_in_game
from mafiavar.engine.scoring.opinion import ASIDE_VALUES, BOTH_ASIDE, against_a_plus, opinion_of
from mafiavar.engine.scoring.points import MAIN, Point, Remark, milli
from mafiavar.engine.scoring.written import (
    AGREED_TESTAMENT,
    SILENT_REVEAL,
    TESTAMENT_VALUES,
    is_black,
    protocol_points,
    written_of,
)


@dataclass(frozen=True, slots=True)
class GameScore:
    """`points` in seat order; `winner`, `first_killed` (red or sheriff, who may have a Ci), `hits` of his
    best move, `died_first` (killed in the first night, of either colour: 8.7.4)."""

    ruleset: str
    winner: str | None
    points: tuple[Point, ...]
    remarks: tuple[Remark, ...]
    first_killed: int | None
    hits: int
    died_first: int | None
    roles: Mapping[int, str | None]

    def total(self, seat: int, kinds: Iterable[str] | None = None) -> int:
        """Thousandths of a seat, of all kinds or only of `kinds`."""
        return sum(p.milli for p in self.points if p.seat == seat and (kinds is None or p.kind in kinds))

    def additional(self, seat: int) -> int:
        """All but win points and Ci (8.7.1)."""
        return sum(p.milli for p in self.points if p.seat == seat and p.kind not in MAIN)

    def won(self, seat: int) -> bool | None:
        """None: a draw, no winner, or no role."""
        role = self.roles.get(seat)
        if self.winner not in ("red", "black") or role is None:
            return None
        return (self.winner == "black") == is_black(self.roles, seat)


class _Sheet:
    """Collects points and remarks of one game."""

    def __init__(self, record: Record, rules: Ruleset, table: Table) -> None:
        self.record, self.rules, self.table = record, rules, table
        self.winner = table.winner if record.roles_known else record.winner
        self.points: list[Point] = []
        self.remarks: list[Remark] = []
        self.removed: set[int] = set()

    def give(self, seat: int, kind: str, amount: int, topic: str, **params: object) -> None:
        if amount > 0 and kind not in MAIN and self.winner == "draw" and self.rules.draw_bonus == "no_plus":
            return  # 8.4.8
        if amount:
            self.points.append(Point(seat, kind, amount, self.rules.clause(topic), tuple(params.items())))

    def remark(self, kind: str, topic: str, *seats: int, **params: object) -> None:
        self.remarks.append(Remark(kind, self.rules.clause(topic), seats, tuple(params.items())))

    def role(self, seat: int) -> str | None:
        return self.record.roles.get(seat)

    def is_red(self, seat: int) -> bool:
        return self.role(seat) in ("red", "sheriff")


def score_game(record: Record, rules: Ruleset, ci: Mapping[int, Fraction] | None = None) -> GameScore:
    """What every seat gets in this game. `ci`: the full Ci of a seat on its distance; without it (a game
    alone has no distance) none is given."""
    sheet = _Sheet(record, rules, examine(record, rules))
    first, hits = _first_killed(sheet)
    if rules.scored:
        _wins(sheet)
        _best_moves(sheet)
        _removals(sheet)
        _technical(sheet)
        _table_split(sheet)
        _false_reveal(sheet)
        _words(sheet)
        _bonus(sheet)
        _ci(sheet, first, hits, ci)
        _hints(sheet)
    else:
        sheet.remark("no_points", "scored")
    order = {s: i for i, s in enumerate(SEATS)}
    points = tuple(sorted(sheet.points, key=lambda p: order[p.seat]))
    return GameScore(
        rules.name,
        sheet.winner,
        points,
        tuple(sheet.remarks),
        first,
        hits,
        sheet.table.first_killed,
        record.roles,
    )


def _wins(sheet: _Sheet) -> None:
    if sheet.winner not in ("red", "black"):
        return
    for seat in SEATS:
        black = is_black(sheet.record.roles, seat)
        if sheet.role(seat) is not None and black == (sheet.winner == "black"):
            sheet.give(seat, "win", milli(sheet.rules.win_points), f"win_{sheet.winner}")


# --- best move


def _hits(sheet: _Sheet, move: BestMoveRecord) -> int:
    """Blacks among the numbers he took for black."""
    named = dict.fromkeys(move.targets[: sheet.rules.best_move_size])
    return sum(is_black(sheet.record.roles, t) for t in named if t not in move.as_red)


def _first_killed(sheet: _Sheet) -> tuple[int | None, int]:
    """The first killed, when he was red, and the hits of his best move."""
    seat = sheet.table.first_killed
    if seat is None or not sheet.is_red(seat):
        return None, 0
    move = next((m for m in sheet.record.best_moves if m.seat == seat), None)
    return seat, _hits(sheet, move) if move else 0


def _best_moves(sheet: _Sheet) -> None:
    wrong = {s for f in sheet.table.findings if f.kind == "best_move_without_right" for s in f.seats}
    for move in sheet.record.best_moves:
        if move.seat in wrong or move.seat not in SEATS:
            continue
        if sheet.rules.best_move_points_for == "reds" and not sheet.is_red(move.seat):
            continue
        hits = _hits(sheet, move)
        if hits:
            points = sheet.rules.best_move_points[hits - 1]
            sheet.give(
                move.seat, "best_move", milli(points), "score_best_move", hits=hits, targets=move.targets
            )


# --- discipline


def _removals(sheet: _Sheet) -> None:
    """Each removal with how many of each colour sat at the table before it."""
    written = [(r.seat, r.reason) for d in sheet.record.days for r in d.removed]
    written += [(r.seat, r.reason) for n in sheet.record.nights for r in n.removed]
    followed = [(s, x.by) for x in sheet.table.left for s in x.seats if x.by not in ("vote", "lift", "shot")]
    reasons = dict([*written, *followed])
    for seat, by in reasons.items():
        sheet.removed.add(seat)
        reds, blacks = _before(sheet, seat)
        if by == "team_defeat" and sheet.rules.team_defeat_points:
            sheet.give(seat, "team_defeat", milli(sheet.rules.team_defeat_points), "score_team_defeat")
        elif by != "technical":
            # A removal by the second technical foul costs the two technical fouls and no more (6.7.2).
            critical = reds <= blacks + sheet.rules.critical_margin
            points = sheet.rules.removal_points
            if critical and sheet.rules.removal_points_critical is not None:
                points = sheet.rules.removal_points_critical
            sheet.give(seat, "removal", milli(points), "removal", critical=critical, reds=reds, blacks=blacks)


def _before(sheet: _Sheet, seat: int) -> tuple[int, int]:
    """(reds, blacks) at the table before `seat` left."""
    alive = set(SEATS)
    for left in sheet.table.left:
        if seat in left.seats:
            break
        alive -= set(left.seats)
    blacks = sum(is_black(sheet.record.roles, s) for s in alive)
    return len(alive) - blacks, blacks


def _technical(sheet: _Sheet) -> None:
    rules = sheet.rules
    value = {"technical": rules.technical_points, "technical_big": rules.technical_big_points}
    for seat, levels in sheet.table.technical.items():
        for i, level in enumerate(levels[:2]):
            amount = value[level]
            if i == 1:
                first = value[levels[0]]
                amount = (
                    2
                    * {
                        "own_kind": amount,
                        "first_kind": first,
                        "larger_kind": min(amount, first),
                    }[rules.second_technical]
                )
            topic = "technical" if i == 0 else "second_technical"
            sheet.give(seat, "technical", milli(amount), topic, level=level, ordinal=i + 1)


def _table_split(sheet: _Sheet) -> None:
    penalty = sheet.rules.twice_tied_penalty
    if penalty is None:
        return
    for day in sheet.table.twice_tied:
        if day == 1 and not sheet.rules.twice_tied_penalty_day_one:
            continue
        gone = {s for x in sheet.table.left if x.number < day for s in x.seats}
        for seat in SEATS:
            here = sheet.rules.twice_tied_penalty_for == "all_reds" or seat not in gone
            if sheet.is_red(seat) and here:
                sheet.give(seat, "table_split", milli(penalty), "score_split", day=day)


def _false_reveal(sheet: _Sheet) -> None:
    """7.11.2: a plain red, killed first, who revealed himself and did not take it back."""
    first, points = sheet.table.first_killed, sheet.rules.false_reveal_points
    if (
        first is not None
        and points is not None
        and sheet.role(first) == "red"
        and first in sheet.table.revealed
    ):
        sheet.give(first, "false_reveal", milli(points), "score_reveal")


# --- what the judge gives


def _words(sheet: _Sheet) -> None:
    """Testament and protocol; when both say the same only the larger counts (8.3.8.11)."""
    for day in sheet.record.days:
        _both_aside(sheet, day.testament, day.protocol)
        testament = _testament(sheet, day.testament)
        protocol = _protocol(sheet, day.protocol)
        if testament and protocol and testament[0] == protocol[0] and not _differs(day.testament):
            seat = testament[0]
            kept = max(testament[1], protocol[1])
            kind = "protocol" if kept == protocol[1] else "testament"
            sheet.give(seat, kind, kept, "larger_of_two", day=day.day)
            continue
        for kind, found in (("testament", testament), ("protocol", protocol)):
            if found:
                sheet.give(found[0], kind, found[1], f"{kind}_points", day=day.day)


def _both_aside(sheet: _Sheet, testament: object, protocol: object) -> None:
    """8.3.9.11.1: not a testament and a protocol of four colours beside the versions together."""
    written = written_of(protocol)
    if not isinstance(testament, Mapping) or written is None or not written.aside:
        return
    same = testament.get("seat") == written.seat == sheet.table.first_killed
    if same and len(written.reds) + len(written.blacks) >= BOTH_ASIDE:
        sheet.remark("both_aside", "both_aside", written.seat)


def _differs(testament: object) -> bool:
    """Does the file say that testament and protocol hold different information?"""
    return isinstance(testament, Mapping) and testament.get("same") is False


def _testament(sheet: _Sheet, data: object) -> tuple[int, int] | None:
    if not isinstance(data, Mapping) or data.get("seat") not in SEATS or not _is_number(data.get("points")):
        return None
    seat, amount = data["seat"], milli(float(data["points"]))
    if data.get("aside") is True and amount not in ASIDE_VALUES:
        sheet.remark("testament_size", "opinion_aside", seat, points=amount / 1000)
    elif amount not in TESTAMENT_VALUES:
        sheet.remark("testament_size", "testament_points", seat, points=amount / 1000)
    elif amount in AGREED_TESTAMENT and seat != sheet.table.first_killed:
        sheet.remark("testament_agreed", "testament_points", seat, points=amount / 1000)
    opinion = opinion_of(data, seat)
    if opinion is not None and amount > 0:
        first = seat == sheet.table.first_killed
        for kind, topic, seats in against_a_plus(
            opinion, first_killed=first, black_checks=_checked(sheet, seat, True)
        ):
            sheet.remark(kind, topic, *(seats or (seat,)))
    return seat, amount


def _checked(sheet: _Sheet, seat: int, black: bool) -> frozenset[int]:
    """Seats of a colour the sheriff `seat` has checked; nobody for anyone else."""
    if sheet.role(seat) != "sheriff":
        return frozenset()
    targets = {c.target for n in sheet.record.nights for c in n.checks or () if c.by == "sheriff"}
    return frozenset(t for t in targets if is_black(sheet.record.roles, t) == black)


def _protocol(sheet: _Sheet, data: object) -> tuple[int, int] | None:
    if not isinstance(data, Mapping) or not sheet.rules.protocol_right:
        return None
    written = written_of(data)
    if written is None:
        return None
    if data.get("void") is True:
        sheet.remark("protocol_void", "protocol_void", written.seat)
        return None
    if data.get("silent_reveal") is True and written.seat == sheet.table.first_killed:
        sheet.give(written.seat, "silent_reveal", SILENT_REVEAL, "silent_reveal")
    if _is_number(data.get("points")):
        amount = milli(float(data["points"]))
        if abs(amount) > 800:
            sheet.remark("protocol_size", "protocol_range", written.seat, points=amount / 1000)
        elif amount > 400 and written.seat != sheet.table.first_killed:
            sheet.remark("protocol_agreed", "protocol_range", written.seat, points=amount / 1000)
        return written.seat, amount
    if written.seat != sheet.table.first_killed:
        return None  # others' protocols are judged in a range (8.3.9.1): only the judge can say
    checked = written.checked | _checked(sheet, written.seat, False)
    return written.seat, protocol_points(replace(written, checked=checked), sheet.record.roles)[0]


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 100


def _bonus(sheet: _Sheet) -> None:
    rules = sheet.rules
    positive = []
    for seat, points in sorted(sheet.record.bonus.items()):
        amount = milli(points)
        if amount > 0 and sheet.winner == "draw":
            sheet.remark("bonus_in_draw", "bonus_in_draw", seat, points=points)
            continue
        if sheet.winner == "draw" and rules.draw_bonus == "none":
            continue
        if amount > 0 and seat in sheet.removed and not rules.bonus_for_everyone:
            sheet.remark("bonus_of_removed", "bonus_of_removed", seat, points=points)
        _check_size(sheet, seat, amount)
        if amount > 0:
            positive.append(amount)
        sheet.give(seat, "bonus", amount, "score_bonus")
    if rules.bonus_sum_limit is not None and sum(positive) > milli(rules.bonus_sum_limit):
        sheet.remark("bonus_sum", "bonus_sum", sum=sum(positive) / 1000, limit=rules.bonus_sum_limit)
    if rules.bonus_players_limit is not None and len(positive) > rules.bonus_players_limit:
        sheet.remark("bonus_players", "bonus_sum", count=len(positive), limit=rules.bonus_players_limit)
    if rules.bonus_for_everyone and sheet.winner != "draw":
        missing = [s for s in SEATS if s not in sheet.record.bonus]
        if missing:
            sheet.remark("bonus_missing", "score_bonus", *missing)


def _check_size(sheet: _Sheet, seat: int, amount: int) -> None:
    rules, size = sheet.rules, abs(amount)
    if rules.bonus_step is not None:
        if size % milli(rules.bonus_step):
            sheet.remark("bonus_size", "bonus_sum", seat, points=amount / 1000)
        return
    if not amount or not rules.bonus_values:
        return
    if size in {milli(v) for v in rules.bonus_values_agreed}:
        sheet.remark("bonus_agreed", "score_bonus", seat, points=amount / 1000)
    elif size not in {milli(v) for v in rules.bonus_values}:
        sheet.remark("bonus_size", "score_bonus", seat, points=amount / 1000)


# --- Ci and hints


def _ci(sheet: _Sheet, first: int | None, hits: int, ci: Mapping[int, Fraction] | None) -> None:
    if first is None or sheet.rules.ci == "none":
        return
    if ci is None:
        sheet.remark("ci_needs_distance", "ci", first)
        return
    won = None if sheet.winner not in ("red", "black") else sheet.winner == "red"
    amount = ci_in_game(sheet.rules, ci.get(first, Fraction(0)), won=won, hits=hits)
    sheet.give(first, "ci", milli(amount), "ci_win" if won else "ci_loss", hits=hits)


def _hints(sheet: _Sheet) -> None:
    """What 8.5 lets a machine count: the judge may give a minus for it."""
    for f in sheet.table.findings:
        if f.kind in ("sheriff_without_checks", "black_without_shots"):
            sheet.remarks.append(Remark(f.kind, f.clause, f.seats, f.params))
