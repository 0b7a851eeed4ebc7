"""What happens when somebody leaves: living, last words, best move, cancelled votes, the winner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mafiavar.engine import decide
from mafiavar.engine import events as ev
from mafiavar.engine.handling import Book
from mafiavar.engine.roles import decided
from mafiavar.engine.shots import killed_by_shots
from mafiavar.engine.state import Left, Phase, changed

if TYPE_CHECKING:
    from mafiavar.engine.game import Game

DISCIPLINE = frozenset({"fouls", "technical", "removal", "team_defeat"})


def leave(game: Game, seats: tuple[int, ...], by: ev.LeftBy, book: Book) -> Game:
    """`seats` are gone: living, last words, best move, cancelled votes, the winner."""
    gone = tuple(s for s in seats if s in game.alive)
    for seat in seats:
        if seat not in game.alive:
            book.add("left_twice", seat, by=by)
    if not gone:
        return game
    at_night = by == "shot" or game.phase in (Phase.NIGHT, Phase.FIRST_NIGHT)
    number = game.night_state.number if at_night and game.night_state else None
    day = number if number is not None else game.day
    after_tie = game.vote is not None and game.vote.round > 1
    rights = _best_move_rights(game, gone, by, after_tie)
    votes_off = game.votes_off
    if by in DISCIPLINE and game.rules.removal_cancels_vote and not _spared(game, gone):
        votes_off = votes_off | {cancelled_day(game)}
    alive = tuple(s for s in game.alive if s not in gone)
    words = by not in DISCIPLINE
    phase = Phase.EVENING if by in ("vote", "lift") else game.phase
    next_game = game.with_(
        phase=phase,
        alive=alive,
        left=(*game.left, Left(day, number, gone, by, game.at_table)),
        last_words=(*game.last_words, *gone) if words else game.last_words,
        best_move_for=(*game.best_move_for, *rights),
        must_leave=tuple(m for m in game.must_leave if m[0] not in gone),
        votes_off=votes_off,
        result_known=game.result_known or by in ("vote", "lift"),
        quiet_nights=0,
        quiet_days=0,
        misses_at_four=0,
        floor=None if game.floor and game.floor.seat in gone and not words else game.floor,
        ledger=changed(game.ledger, owes=game.ledger.owes - set(gone)),
    )
    return _decided(next_game, gone, by)


def _spared(game: Game, gone: tuple[int, ...]) -> bool:
    """7.1: removed while already leaving by the vote, or shot this night, he cancels nothing."""
    if game.rules.removal_of_killed_cancels:
        return False
    if game.phase is Phase.NIGHT:
        return gone == (_shot_tonight(game),)
    verdict = game.verdict()
    leaving = verdict.seats if verdict is not None and verdict.kind == "leave" else ()
    return all(s in leaving for s in gone)


def _shot_tonight(game: Game) -> int | None:
    night = game.night_state
    if night is None or night.result:
        return night.killed if night else None
    certain, killed = killed_by_shots(game)
    return killed if certain else None


def cancelled_day(game: Game) -> int:
    """The day whose vote falls because of a removal now (7.1, 7.2).

    Before the result of the day's vote is known that is this day; after it, and in the night, the
    next. A day without a vote has its result when the night is announced.
    """
    if game.phase in (Phase.NIGHT, Phase.FIRST_NIGHT):
        return game.day + 1
    if game.result_known and game.rules.removal_after_result_cancels_next:
        return game.day + 1
    return game.day


def defeat(game: Game, seat: int) -> Game:
    """The team of `seat` has lost (6.9); while his colour is unknown, one of the two."""
    if game.decided:
        return game
    game = game.with_(defeated=seat)
    won = game.winners_possible()
    return game.with_(decided=next(iter(won))) if game.roles and len(won) == 1 else game


def _decided(game: Game, gone: tuple[int, ...], by: str) -> Game:
    if by == "team_defeat":
        return defeat(game, gone[0])
    red_won, black_won = decided(game.alive)
    if game.roles and not game.roles & ~red_won:
        return game.with_(decided="red")
    if game.roles and not game.roles & ~(black_won & ~red_won):
        return game.with_(decided="black")
    return game


def _best_move_rights(game: Game, seats: tuple[int, ...], by: str, after_tie: bool) -> tuple[int, ...]:
    """Which of those who just left may make a best move. `game` is the position before."""
    night = game.night_state.number if by == "shot" and game.night_state else None
    if by not in ("shot", "vote") or (by == "shot" and night is None):
        return ()
    right = decide.best_move_right(
        game.rules,
        night=night,
        at_table_before=game.at_table,
        left_by_vote_day_one=game.left_by_vote_day_one,
        after_tie=after_tie,
    )
    return seats if right and len(seats) == 1 else ()
