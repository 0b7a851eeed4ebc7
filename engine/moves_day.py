"""Days: phases, speeches, nominations, fouls, the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mafiavar.engine import decide
from mafiavar.engine import events as ev
from mafiavar.engine.handling import DAYTIME, Book, handles, narrowed
from mafiavar.engine.leaving import cancelled_day, defeat, leave
from mafiavar.engine.roles import decided, sure_role, where
from mafiavar.engine.state import Floor, NightState, Nomination, Phase, changed

if TYPE_CHECKING:
    from mafiavar.engine.game import Game


# --- phases


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


# --- speeches


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
    return _had_his_turn(game, seat).with_(
        floor=Floor(seat, "speech", limit),
        opener=game.opener or (None if game.unknown_past else seat),
        last_words=(),
    )


def _had_his_turn(game: Game, *seats: int) -> Game:
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
    return _had_his_turn(game, *silent) if silent else game


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


# --- nominations


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
        game = _had_his_turn(silent_passed(game, event.seat), event.seat)
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


# --- discipline


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


# --- the end


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
