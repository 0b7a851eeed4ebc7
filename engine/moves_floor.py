"""Who has the floor, for how long, and whom he nominates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mafiavar.engine import events as ev
from mafiavar.engine.handling import Book, handles
from mafiavar.engine.leaving import leave
from mafiavar.engine.moves_day import had_his_turn, into_day, silent_passed
from mafiavar.engine.state import Floor, Nomination, Phase

if TYPE_CHECKING:
    from mafiavar.engine.game import Game


@handles(ev.FloorGiven)
def _floor_given(game: Game, event: ev.FloorGiven, book: Book) -> Game:
    if event.purpose == "best_move":
        return _best_move_floor(game, event, book)
    if event.purpose == "last_word":
        return _last_word(game, event, book)
    if event.purpose == "protocol":
        if not game.rules.protocol_right or event.seat in game.alive:
            book.add("protocol_without_right", event.seat)
        return game.with_(floor=Floor(event.seat, "protocol", None))
    if event.purpose == "revote":
        return _revote_speech(game, event, book)
    return _speech(game, event, book)


def _speech(game: Game, event: ev.FloorGiven, book: Book) -> Game:
    game = into_day(game, book)
    seat = event.seat
    if game.phase is not Phase.DAY:
        book.add("out_of_phase", seat, phase=game.phase.value, event=event.kind)
        return game.with_(floor=Floor(seat, "speech", game.limit(seat, "speech")))
    if game.last_words:
        book.add("last_word_missing", *game.last_words)
    if seat not in game.alive:
        book.add("dead_player_acts", seat, event=event.kind)
        return game.with_(floor=Floor(seat, "speech", None), last_words=())
    _check_turn(game, seat, book)
    game = silent_passed(game, seat)
    limit = game.limit(seat, "speech")
    _check_seconds(game, event, limit, book)
    return had_his_turn(game, seat).with_(
        floor=Floor(seat, "speech", limit),
        opener=game.opener or (None if game.unknown_past else seat),
        last_words=(),
    )


def _check_turn(game: Game, seat: int, book: Book) -> None:
    if seat in game.spoken:
        book.add("spoke_twice", seat)
    elif not game.spoken:
        due = game.opener_due
        talking = [s for s in game.waiting if game.limit(s, "speech") != 0]
        if due is not None and talking and seat != talking[0] and not game.unknown_past:
            book.add("wrong_opener", seat, expected=talking[0])
    else:
        waiting = game.waiting
        if waiting and seat != waiting[0]:
            skipped = waiting[: waiting.index(seat)] if seat in waiting else ()
            talking = [s for s in skipped if game.limit(s, "speech") != 0]
            if talking:
                book.add("speaker_order_wrong", seat, expected=talking[0])


def _check_seconds(game: Game, event: ev.FloorGiven, limit: float | None, book: Book) -> None:
    if event.seconds is None or limit is None or game.excerpted or event.seconds == limit:
        return
    if limit < event.seconds and event.seat in game.ledger.owes:
        book.add("third_foul_not_enforced", event.seat, given=event.seconds, limit=limit)
    else:
        book.add("floor_seconds_wrong", event.seat, given=event.seconds, limit=limit)


def _last_word(game: Game, event: ev.FloorGiven, book: Book) -> Game:
    seat = event.seat
    if seat in game.alive:
        game = _left_without_words(game, seat, book)
    if seat not in game.last_words:
        book.add("last_word_without_right", seat)
    limit = game.limit(seat, "last_word")
    _check_seconds(game, event, limit, book)
    return game.with_(
        floor=Floor(seat, "last_word", limit), last_words=tuple(s for s in game.last_words if s != seat)
    )


def _left_without_words(game: Game, seat: int, book: Book) -> Game:
    """A last word is given to one still counted as present: his leaving was not announced."""
    night = game.night_state
    if game.phase is Phase.VOTE or game.phase is Phase.LIFT:
        book.add("left_unannounced", seat)
        seats: tuple[int, ...] = (seat,)
        if game.lift and seat in game.lift.candidates:
            seats = game.lift.candidates
        return leave(game, seats, "lift" if game.lift else "vote", book)
    if (
        night is not None
        and night.number > 0
        and (game.phase in (Phase.NIGHT, Phase.DAY))
        and not game.spoken
    ):
        book.add("left_unannounced", seat)
        return leave(game, (seat,), "shot", book)
    return game


def _revote_speech(game: Game, event: ev.FloorGiven, book: Book) -> Game:
    game = into_day(game, book)
    seat = event.seat
    verdict = game.verdict()
    tie = game.tie
    if game.phase is not Phase.TIE:
        if verdict is not None:
            if verdict.kind not in ("revote", "respeech"):
                book.add("revote_without_tie", seat, outcome=verdict.kind)
            tie = verdict.seats
            if verdict.forbidden:
                book.add("forbidden_split", *verdict.seats, at_table=game.at_table)
        elif game.phase is Phase.DAY and not game.unknown_past:
            book.add("revote_without_tie", seat, outcome="no_vote")
        game = game.with_(phase=Phase.TIE, tie=tie, tie_spoken=())
    if tie and seat not in tie:
        book.add("revote_candidates_wrong", seat, expected=tie)
    elif tie:
        waiting = [s for s in tie if s not in game.tie_spoken]
        if waiting and waiting[0] != seat:
            book.add("speaker_order_wrong", seat, expected=waiting[0])
    limit = game.limit(seat, "revote")
    _check_seconds(game, event, limit, book)
    return game.with_(floor=Floor(seat, "revote", limit), tie_spoken=(*game.tie_spoken, seat))


def _best_move_floor(game: Game, event: ev.FloorGiven, book: Book) -> Game:
    seat = event.seat
    if seat in game.alive and game.phase in (Phase.NIGHT, Phase.VOTE):
        game = _left_without_words(game, seat, book)
    if not game.may_make_best_move(seat):
        book.add("best_move_without_right", seat)
    return game.with_(floor=Floor(seat, "best_move", game.rules.best_move_seconds))


@handles(ev.FloorEnded)
def _floor_ended(game: Game, event: ev.FloorEnded, book: Book) -> Game:
    if game.phase is Phase.BEFORE and game.unknown_past:
        return game.with_(phase=Phase.DAY, spoken=(event.seat,), opener=None)
    if game.floor is None or game.floor.seat != event.seat:
        book.add("floor_not_held", event.seat)
        return game
    if game.floor.purpose == "best_move":
        # The right is used up, also by silence.
        rights = tuple(s for s in game.best_move_for if s != event.seat)
        return game.with_(floor=None, best_move_for=rights)
    return game.with_(floor=None)


@handles(ev.Nominated)
def _nominated(game: Game, event: ev.Nominated, book: Book) -> Game:
    game = into_day(game, book)
    if game.phase is not Phase.DAY:
        book.add("out_of_phase", event.seat, phase=game.phase.value, event=event.kind)
    if not event.accepted:
        _check_refusal(game, event, book)
        return game
    if event.seat not in game.alive:
        book.add("dead_player_acts", event.seat, event=event.kind)
    elif game.floor is None:
        if not _silent_may_nominate(game, event.seat):
            book.add("nomination_not_in_own_minute", event.seat, target=event.target, severity="warning")
    elif game.floor.seat != event.seat:
        book.add("nomination_not_in_own_minute", event.seat, target=event.target)
    if event.target not in game.alive:
        book.add("nomination_of_dead", event.seat, target=event.target)
    if event.target in game.candidates:
        book.add("nomination_repeated", event.seat, target=event.target)
    if sum(n.seat == event.seat for n in game.nominations) >= game.rules.nominations_per_day:
        book.add("nomination_second", event.seat, target=event.target)
    if event.reason == "tense":
        book.add("nomination_tense", event.seat, target=event.target)
    if game.floor is None and event.seat in game.waiting and game.limit(event.seat, "speech") == 0:
        game = had_his_turn(silent_passed(game, event.seat), event.seat)
    return game.with_(nominations=(*game.nominations, Nomination(event.seat, event.target)))


def _silent_may_nominate(game: Game, seat: int) -> bool:
    return game.limit(seat, "speech") == 0 or game.excerpted or game.unknown_past


def _check_refusal(game: Game, event: ev.Nominated, book: Book) -> None:
    """A refusal is questioned only when its stated reason is plainly not so."""
    if game.unknown_past:
        return
    false = (
        (event.reason == "already_nominated" and event.target not in game.candidates)
        or (event.reason == "dead" and event.target in game.alive)
        or (event.reason == "second" and all(n.seat != event.seat for n in game.nominations))
    )
    if false:
        book.add("nomination_refused_wrongly", event.seat, target=event.target, reason=event.reason)


@handles(ev.NominationWithdrawn)
def _withdrawn(game: Game, event: ev.NominationWithdrawn, book: Book) -> Game:
    game = into_day(game, book)
    if not game.rules.withdrawal:
        book.add("withdrawal_not_allowed", event.seat, target=event.target)
    mine = Nomination(event.seat, event.target)
    if mine not in game.nominations:
        if not game.unknown_past:
            book.add("withdrawal_of_nothing", event.seat, target=event.target)
        return game
    return game.with_(nominations=tuple(n for n in game.nominations if n != mine))
