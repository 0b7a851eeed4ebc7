"""What concerns the game as a whole: best moves, the winner, missing parts, hints of clause 8.5."""

from __future__ import annotations

from mafiavar.engine import decide
from mafiavar.engine.audit.table import Table
from mafiavar.engine.record import BestMoveRecord

IDLE_NIGHTS = 2
"""8.5.8.2 and 8.5.8.4: two nights or more."""


def close(table: Table) -> None:
    _best_moves(table)
    _winner(table)
    _idle(table)
    if not table.record.roles_known:
        table.unchecked("roles_missing")
    if not table.record.fouls_known:
        table.unchecked("fouls_missing")
    killed = table.first_killed
    if killed and table.rules.best_move and not table.record.best_move_known and _has_right(table, killed):
        table.unchecked("best_move_missing")


def _best_moves(table: Table) -> None:
    moves = table.record.best_moves
    for seat in sorted({m.seat for m in moves if sum(x.seat == m.seat for x in moves) > 1}):
        table.note("best_move_twice", seat)
    for move in moves:
        _one_best_move(table, move)


def _one_best_move(table: Table, move: BestMoveRecord) -> None:
    rules = table.rules
    if not 1 <= move.seat <= rules.seats:
        table.note("seat_impossible", move.seat, what="best_move")
        return
    if not _has_right(table, move.seat):
        table.note(
            "best_move_without_right", move.seat, first_killed=table.first_killed,
            left_day_one=table.left_by_vote_day_one, severity=None if rules.best_move else "warning",
        )  # fmt: skip
    targets = move.targets
    if len(targets) > rules.best_move_size:
        table.note("best_move_size", move.seat, said=len(targets), expected=rules.best_move_size)
    if len(set(targets)) != len(targets) or any(not 1 <= t <= rules.seats for t in targets):
        table.note("best_move_target_wrong", move.seat, targets=targets)
    if move.readback is not None and tuple(sorted(move.readback)) != tuple(sorted(targets)):
        table.note("best_move_readback_wrong", move.seat, said=targets, readback=move.readback)


def _has_right(table: Table, seat: int) -> bool:
    rules = table.rules
    if seat == table.first_killed:
        return decide.best_move_right(
            rules, night=1, at_table_before=10, left_by_vote_day_one=table.left_by_vote_day_one
        )
    if table.broken_at_ten and table.broken_at_ten[0] == seat:
        return decide.best_move_right(
            rules, night=None, at_table_before=rules.seats, left_by_vote_day_one=table.left_by_vote_day_one,
            after_tie=table.broken_at_ten[1], doubtful=True,
        )  # fmt: skip
    return False


def _winner(table: Table) -> None:
    written = table.record.winner
    if written is None:
        if table.winner is not None:
            table.note("winner_missing", expected=table.winner)
        return
    if table.winner is not None:
        if table.winner != written:
            table.note("wrong_winner", said=written, expected=table.winner)
        return
    if written == "draw":
        table.note("draw_without_ground", nights=table.quiet_nights)
    elif not table.roles_sure and table.alive == table.present:
        _unproven(table, written)
    else:
        table.note("ended_too_early", said=written)


def _unproven(table: Table, written: str) -> None:
    """Roles are unknown: the winner may follow, or cannot."""
    possible = table.blacks_possible()
    alive = len(table.alive)
    may = 0 in possible if written == "red" else any(n and 2 * n >= alive for n in possible)
    table.note("winner_unchecked" if may else "ended_too_early", said=written)


def _idle(table: Table) -> None:
    """8.5.8.2, 8.5.8.4: hints for the judge's minus."""
    sheriff = next((s for s, r in table.record.roles.items() if r == "sheriff"), None)
    if sheriff is not None and len(table.idle_sheriff) >= IDLE_NIGHTS and table.rules.clause("no_checks"):
        table.note("sheriff_without_checks", sheriff, nights=tuple(table.idle_sheriff))
    for seat, nights in sorted(table.idle_blacks.items()):
        if len(nights) >= IDLE_NIGHTS and table.rules.clause("no_shots"):
            table.note("black_without_shots", seat, nights=tuple(nights))
