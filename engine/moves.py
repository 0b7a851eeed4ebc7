"""From an event to the next position: `transition` is what `Game.apply` does.

One function per event kind lives in moves_day, moves_floor, moves_discipline, moves_vote and moves_night. Each takes the position,
the event and a `Book` that collects issues, and returns the next position; none raises for wrong play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mafiavar.engine import events as ev
from mafiavar.engine import moves_day, moves_discipline, moves_floor, moves_night, moves_vote
from mafiavar.engine.errors import RuleError
from mafiavar.engine.handling import HANDLERS, Book
from mafiavar.engine.issue import Issue
from mafiavar.engine.roles import decided
from mafiavar.engine.state import Phase

if TYPE_CHECKING:
    from mafiavar.engine.game import Game

MODULES = (moves_day, moves_floor, moves_discipline, moves_vote, moves_night)
"""Importing them registers the handlers."""

# Events that may pass while a punished player is still getting up from the table.
_BEFORE_HE_LEAVES = (ev.Foul, ev.Eliminated, ev.FloorEnded, ev.VoteCast, ev.VoteClosed, ev.Revealed)
# Events by which the table shows that the game goes on.
_GOES_ON = (ev.NightBegan, ev.Nominated, ev.VoteOpened, ev.ShootingBegan, ev.Shot, ev.Check)


def transition(game: Game, event: ev.Event) -> tuple[Game, tuple[Issue, ...]]:
    """`Game.apply`."""
    handler = HANDLERS.get(type(event))
    if handler is None:
        raise RuleError(f"not an event: {event!r}")
    book = Book(game)
    if game.must_leave and not isinstance(event, _BEFORE_HE_LEAVES):
        for seat, by in game.must_leave:
            book.add("fourth_foul_not_enforced" if by == "fouls" else "removal_not_enforced", seat, by=by)
        game = game.with_(must_leave=())
    if isinstance(event, _GOES_ON) or (isinstance(event, ev.FloorGiven) and event.purpose == "speech"):
        game = _still_playing(game, book)
    return handler(game, event, book), tuple(book.issues)


def _still_playing(game: Game, book: Book) -> Game:
    """The table plays on, so nobody has won: that narrows the roles; when it cannot be, it is an issue."""
    if game.phase in (Phase.BEFORE, Phase.FIRST_NIGHT):
        return game
    if game.phase is Phase.OVER:
        book.add("played_after_end", winner=game.winner)
        return game
    if game.decided:
        book.add("played_after_end", winner=game.decided)
        return game.with_(decided=None, defeated=None)
    red, black = decided(game.alive)
    rest = game.roles & ~(red | black)
    if rest == game.roles:
        return game
    if not rest:
        if game.roles:
            book.add("played_after_end", winner="red" if game.roles & red else "black")
        return game.with_(roles=0)
    return game.with_(roles=rest)
