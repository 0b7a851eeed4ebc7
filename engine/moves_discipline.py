"""Fouls, technical fouls, removals, and roles revealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mafiavar.engine import events as ev
from mafiavar.engine.handling import Book, handles
from mafiavar.engine.leaving import cancelled_day, defeat
from mafiavar.engine.roles import sure_role
from mafiavar.engine.state import Phase, changed

if TYPE_CHECKING:
    from mafiavar.engine.game import Game


@handles(ev.Foul)
def _foul(game: Game, event: ev.Foul, book: Book) -> Game:
    if game.phase is Phase.BEFORE and game.unknown_past:
        game = game.with_(phase=Phase.DAY)
    seat, ledger = event.seat, game.ledger
    if not 1 <= seat <= game.rules.seats:
        book.add("seat_impossible", seat)
        return game
    here = seat in game.alive
    leaving = seat in game.last_words or (game.floor is not None and game.floor.seat == seat)
    if not here and not leaving:
        book.add("foul_to_absent", seat, level=event.level)
    if event.level == "warning":
        return game.with_(ledger=ledger.with_warning(seat))
    if event.level == "foul":
        return _plain_foul(game, event, book, here)
    if event.level in ("technical", "technical_big"):
        return _technical_foul(game, event, event.level, book, here)
    return _removal(game, event, book, here)


def _technical_foul(game: Game, event: ev.Foul, level: ev.FoulLevel, book: Book, here: bool) -> Game:
    rules, seat = game.rules, event.seat
    if not rules.technical_fouls:
        book.add("technical_unknown", seat)
    ledger = game.ledger.with_technical(seat, level)
    count = len(ledger.technical_of(seat))
    if event.level == level:
        _check_ordinal(event, count, book)
    game = game.with_(ledger=ledger)
    out = rules.technical_fouls and here and rules.technical_removes(count, event.violation)
    return _marked(game, seat, "technical") if out else game


def _plain_foul(game: Game, event: ev.Foul, book: Book, here: bool) -> Game:
    seat = event.seat
    count = game.ledger.fouls_of(seat) + 1
    if event.ordinal is not None and game.excerpted and game.ledger.fouls_of(seat) == 0:
        count = event.ordinal
    if count >= game.rules.fouls_to_leave and here and game.rules.spares_hand(event.violation):
        book.add("hand_foul_not_technical", seat)
        return _technical_foul(game, event, "technical", book, here)
    _check_ordinal(event, count, book)
    if event.ordinal is not None:
        count = max(count, event.ordinal) if game.excerpted else count
    ledger = game.ledger.with_fouls(seat, count)
    if count == game.rules.fouls_to_leave - 1 and here and game.rules.third_foul != "nothing":
        ledger = changed(ledger, owes=ledger.owes | {seat})
    game = game.with_(ledger=ledger)
    if count < game.rules.fouls_to_leave:
        return game
    return _marked(game, seat, "fouls") if here else _removed_after_leaving(game)


def _check_ordinal(event: ev.Foul, count: int, book: Book) -> None:
    if event.ordinal is not None and event.ordinal != count:
        book.add("foul_ordinal_wrong", event.seat, said=event.ordinal, expected=count, level=event.level)


def _removal(game: Game, event: ev.Foul, book: Book, here: bool) -> Game:
    rules, seat = game.rules, event.seat
    last_minute = (not here) or (game.result_known and _is_leaving(game, seat))
    if event.level == "removal" and last_minute and event.violation in rules.last_minute_offences:
        book.add("removal_is_team_defeat", seat, violation=event.violation)
    if event.level == "team_defeat" and not here:
        # In his last word: he is gone already, and his team loses (6.9.5).
        return game if _over(game) else defeat(_removed_after_leaving(game), seat)
    if _over(game) and rules.punished_after_decision is not None and event.violation is not None:
        if event.violation not in rules.punished_after_decision:
            book.add("punished_after_decision", seat, violation=event.violation)
        return game
    return _marked(game, seat, event.level) if here else _removed_after_leaving(game)


def _over(game: Game) -> bool:
    return game.decided is not None or "" not in game.winners_possible()


def _removed_after_leaving(game: Game) -> Game:
    """One who was killed or voted out is removed in his last word: where the rules know no exception, a
    vote falls for him too."""
    if not (game.rules.removal_cancels_vote and game.rules.removal_of_killed_cancels):
        return game
    return game.with_(votes_off=game.votes_off | {cancelled_day(game)})


def _is_leaving(game: Game, seat: int) -> bool:
    verdict = game.verdict()
    return verdict is not None and verdict.kind == "leave" and seat in verdict.seats


def _marked(game: Game, seat: int, by: str) -> Game:
    return game if any(s == seat for s, _ in game.must_leave) else game.with_(
        must_leave=(*game.must_leave, (seat, by))
    )  # fmt: skip


@handles(ev.Revealed)
def _revealed(game: Game, event: ev.Revealed, _book: Book) -> Game:
    reveal = (event.seat, event.claims)
    rest = tuple(r for r in game.reveals if r != reveal)
    # A plain red who takes it back leaves the split forbidden (7.11.2); sheriff and blacks need no more.
    if event.withdrawn and sure_role(game.roles, event.seat) not in ("sheriff", "black", "mafia", "don"):
        return game.with_(reveals=rest)
    return game.with_(reveals=(*rest, reveal))
