"""From night to day and from day to night, and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mafiavar.engine import decide
from mafiavar.engine import events as ev
from mafiavar.engine.handling import DAYTIME, Book, handles, narrowed
from mafiavar.engine.roles import decided, where
from mafiavar.engine.state import NightState, Phase, changed

if TYPE_CHECKING:
    from mafiavar.engine.game import Game


@handles(ev.GameStarted)
def _game_started(game: Game, event: ev.GameStarted, book: Book) -> Game:
    if game.phase is not Phase.BEFORE:
        book.add("out_of_phase", phase=game.phase.value, event=event.kind)
        return game
    return game.with_(unknown_past=False, excerpted=False, day=0)


@handles(ev.NightBegan)
def _night_began(game: Game, event: ev.NightBegan, book: Book) -> Game:
    if game.phase is Phase.BEFORE:
        if event.night == 0:
            return game.with_(phase=Phase.FIRST_NIGHT, night=0, day=0, night_state=NightState(0))
        if not game.unknown_past:
            book.add("night_number_wrong", said=event.night, expected=0)
        return game.with_(
            phase=Phase.NIGHT, day=event.night, night=event.night, night_state=NightState(event.night)
        )
    if game.phase not in DAYTIME:
        book.add("out_of_phase", phase=game.phase.value, event=event.kind)
        return game
    _check_day_is_done(game, book)
    game = silent_passed(game, None)
    if event.night != game.day:
        book.add("night_number_wrong", said=event.night, expected=game.day)
    quiet_day = bool(game.quiet_nights) and not any(x.day == game.day and x.night is None for x in game.left)
    quiet_days = game.quiet_days + 1 if quiet_day else 0
    if decide.is_draw(game.rules, game.quiet_nights, quiet_days, at_end_of_day=True):
        book.add("draw_not_declared", nights=game.quiet_nights)
    return game.with_(
        phase=Phase.NIGHT, night=game.day, night_state=NightState(game.day), floor=None, vote=None, lift=None,
        tie=(), last_words=(), best_move_for=(), quiet_days=quiet_days, result_known=False,
    )  # fmt: skip


def _check_day_is_done(game: Game, book: Book) -> None:
    """What the day still owed when the night was announced. A game that was over owed nothing."""
    if any(i.kind == "played_after_end" for i in book.issues):
        return
    if game.phase is Phase.DAY:
        late = [s for s in game.waiting if game.limit(s, "speech") != 0]
        if late and not game.excerpted:
            book.add("speech_skipped", *late)
        if game.vote_due:
            book.add("vote_not_held_though_due", *game.candidates)
    elif game.phase is Phase.LIFT:
        _check_lift_was_obeyed(game, book)
    elif game.phase in (Phase.VOTE, Phase.TIE) and not game.vote_cancelled:
        _check_ballot_was_obeyed(game, book)
    if game.last_words:
        book.add("last_word_missing", *game.last_words)
    if game.best_move_for and game.phase is Phase.EVENING:
        book.add("best_move_not_offered", *game.best_move_for)


def _check_ballot_was_obeyed(game: Game, book: Book) -> None:
    verdict = game.verdict()
    if verdict is not None and verdict.kind == "respeech":
        return
    if game.phase is Phase.TIE or (verdict and verdict.kind == "revote"):
        book.add("revote_not_held", *(game.tie or (verdict.seats if verdict else ())))
    elif verdict is None:
        if game.vote and not game.vote.complete:
            book.add("vote_unfinished", *game.vote.candidates)
    elif verdict.kind == "leave":
        if stayed := [s for s in verdict.seats if s in game.alive]:
            book.add("not_left_though_voted", *stayed)
    elif verdict.kind == "lift":
        book.add("lift_not_held_though_due", *verdict.seats)


def _check_lift_was_obeyed(game: Game, book: Book) -> None:
    lift = game.lift
    if lift and lift.result and decide.lift_passes(
        game.rules, yes=lift.result[0], no=lift.result[1], at_table=game.at_table
    ):  # fmt: skip
        book.add("not_left_though_voted", *lift.candidates)


@handles(ev.NegotiationBegan, ev.NegotiationEnded, ev.RoleShown, ev.FreeSeatingBegan)
def _first_night(game: Game, event: ev.Event, book: Book) -> Game:
    if game.phase is Phase.BEFORE:
        return game.with_(phase=Phase.FIRST_NIGHT, night=0, day=0, night_state=NightState(0))
    if game.phase is not Phase.FIRST_NIGHT:
        book.add("out_of_phase", phase=game.phase.value, event=event.kind)
    return game


@handles(ev.DayBegan)
def _day_began(game: Game, event: ev.DayBegan, book: Book) -> Game:
    if game.phase in DAYTIME or game.phase is Phase.OVER:
        book.add("out_of_phase", phase=game.phase.value, event=event.kind)
        if game.phase is Phase.OVER:
            return game
        _check_day_is_done(game, book)
        book.add("night_not_announced", day=game.day)
    return new_day(game)


def new_day(game: Game) -> Game:
    """Morning. In an excerpt that begins here the day keeps its number."""
    begins = game.phase is Phase.BEFORE and game.unknown_past
    quiet = game.night_state is not None and game.night_state.number >= (
        0 if game.rules.draw_counts_first_night else 1
    )
    someone_left = any(x.night == game.night for x in game.left if x.night is not None)
    quiet_nights = game.quiet_nights
    if quiet:
        quiet_nights = 0 if someone_left else quiet_nights + 1
    return game.with_(
        phase=Phase.DAY,
        day=game.day if begins else game.day + 1,
        night=None,
        previous_opener=game.opener_today() if not begins else game.previous_opener,
        previous_closer=game.spoken[-1] if game.spoken else game.previous_closer,
        opener=None, spoken=(), floor=None, nominations=(), vote=None, lift=None, tie=(), result_known=False,
        quiet_nights=quiet_nights,
        best_move_for=(),
        unknown_past=False,
    )  # fmt: skip


def into_day(game: Game, book: Book) -> Game:
    """The table acts as if it were day: begin one, when none was announced."""
    if game.phase in DAYTIME:
        return game
    if game.phase is Phase.BEFORE and game.unknown_past:
        return game.with_(phase=Phase.DAY)
    book.add("day_not_announced", day=game.day + 1)
    return new_day(game)


def had_his_turn(game: Game, *seats: int) -> Game:
    """Their minute has been, spoken or not: a third foul is paid with it."""
    owes = game.ledger.owes - set(seats)
    ledger = game.ledger if owes == game.ledger.owes else changed(game.ledger, owes=owes)
    new = tuple(s for s in seats if s not in game.spoken)
    return (
        game.with_(spoken=(*game.spoken, *new), ledger=ledger) if new or ledger is not game.ledger else game
    )


def silent_passed(game: Game, seat: int | None) -> Game:
    """Those silenced by a third foul whose turn comes before `seat` (None: all of them) are passed over."""
    waiting = game.waiting
    until = waiting.index(seat) if seat in waiting else len(waiting) if seat is None else 0
    silent = [s for s in waiting[:until] if game.limit(s, "speech") == 0]
    return had_his_turn(game, *silent) if silent else game


@handles(ev.GameEnded)
def _game_ended(game: Game, event: ev.GameEnded, book: Book) -> Game:
    if game.phase is Phase.OVER:
        book.add("out_of_phase", phase=game.phase.value, event=event.kind)
    winner = event.winner
    if winner == "draw":
        quiet = game.quiet_nights + (1 if _quiet_so_far(game) else 0)
        if not game.unknown_past and quiet < game.rules.draw_length:
            book.add("draw_without_ground", nights=quiet)
    elif winner is not None:
        red, black = decided(game.alive)
        mask = red if winner == "red" else black & ~red
        if game.defeated is not None:
            mask = where(game.defeated, "black" if winner == "red" else "reds")
        if game.decided is not None:
            if game.decided != winner:
                book.add("wrong_winner", said=winner, expected=game.decided)
        elif (next_game := narrowed(game, mask)) is None:
            possible = game.winners_possible() - {""}
            kind = "wrong_winner" if possible else "ended_too_early"
            book.add(kind, said=winner, expected=next(iter(possible), None))
        else:
            game = next_game
    return game.with_(phase=Phase.OVER, winner=winner, decided=None, floor=None, must_leave=())


def _quiet_so_far(game: Game) -> bool:
    """Has the running night ended without a departure?"""
    night = game.night_state
    return (
        game.phase is Phase.NIGHT
        and night is not None
        and night.result
        and night.killed is None
        and all(x.night != game.night for x in game.left)
    )
