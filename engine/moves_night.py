"""Nights: shots, results, checks, the best move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mafiavar.engine import events as ev
from mafiavar.engine.handling import DAYTIME, Book, handles, narrowed
from mafiavar.engine.roles import only, where
from mafiavar.engine.shots import killed_by_shots
from mafiavar.engine.state import NightState, Phase, changed

if TYPE_CHECKING:
    from mafiavar.engine.game import Game


def _into_night(game: Game, number: int | None, book: Book) -> Game:
    """The table acts as if it were night: begin one, when none was announced."""
    if game.phase is Phase.NIGHT:
        return game
    if game.phase is Phase.BEFORE and game.unknown_past:
        n = game.day if number is None else number
        return game.with_(phase=Phase.NIGHT, day=n, night=n, night_state=NightState(n))
    if game.phase in DAYTIME:
        book.add("night_not_announced", day=game.day)
        return game.with_(
            phase=Phase.NIGHT,
            night=game.day,
            night_state=NightState(game.day),
            floor=None,
            vote=None,
            lift=None,
        )
    book.add("out_of_phase", phase=game.phase.value)
    return game


@handles(ev.ShootingBegan)
def _shooting_began(game: Game, event: ev.ShootingBegan, book: Book) -> Game:
    game = _into_night(game, event.night, book)
    night = game.night_state
    return game.with_(night_state=changed(night, shooting=True)) if night else game


@handles(ev.Shot)
def _shot(game: Game, event: ev.Shot, book: Book) -> Game:
    game = _into_night(game, event.night, book)
    night = game.night_state
    if night is None:
        return game
    if event.target is not None and event.target not in game.alive:
        book.add("shot_at_dead", event.target, shooter=event.shooter)
    if event.shooter is not None:
        if event.shooter not in game.alive:
            book.add("shot_by_dead", event.shooter)
        elif (next_game := narrowed(game, where(event.shooter, "black"))) is None:
            book.add("shot_by_red", event.shooter)
        else:
            game = next_game
        if any(s == event.shooter for s, _ in night.shots):
            book.add("shot_twice", event.shooter)
    shots = (*night.shots, (event.shooter, event.target))
    if len(shots) > game.rules.blacks:
        book.add("shots_too_many", count=len(shots))
    return game.with_(night_state=changed(night, shooting=True, shots=shots))


@handles(ev.NightResult)
def _night_result(game: Game, event: ev.NightResult, book: Book) -> Game:
    # In the morning the judge may name the day first and the killed after it.
    morning = game.phase is Phase.DAY and not game.spoken and game.night_state is not None
    if not morning:
        game = _into_night(game, event.night, book)
    night = game.night_state
    if night is None:
        return game
    certain, killed = killed_by_shots(game)
    if night.shots and event.killed != killed and (certain or event.killed is not None):
        book.add("wrong_night_result", *([event.killed] if event.killed else []), expected=killed)
    if event.killed is not None and event.killed not in game.alive:
        book.add("left_twice", event.killed, by="shot")
    game = game.with_(night_state=changed(night, result=True, killed=event.killed))
    return _miss_at_four(game) if event.killed is None and not night.result else game


def _miss_at_four(game: Game) -> Game:
    """DISBORD l245: at four players so many misses in a row give red the game."""
    if game.at_table != 4 or game.rules.four_player_misses_win is None:
        return game
    misses = game.misses_at_four + 1
    won = misses >= game.rules.four_player_misses_win
    return game.with_(misses_at_four=misses, decided="red" if won else game.decided)


@handles(ev.Check)
def _check(game: Game, event: ev.Check, book: Book) -> Game:
    game = _into_night(game, event.night, book)
    night = game.night_state
    if night is None:
        return game
    if any(by == event.by for by, _, _ in night.checks):
        book.add("two_checks", by=event.by)
    if event.target not in game.alive:
        book.add("check_of_dead", event.target, by=event.by)
    _check_checker_lives(game, event, book)
    if event.found is not None:
        role = (
            ("sheriff" if event.found else "not")
            if event.by == "don"
            else ("black" if event.found else "reds")
        )
        mask = ~where(event.target, "sheriff") if role == "not" else where(event.target, role)
        narrower = narrowed(game, mask)
        if narrower is None:
            book.add("check_answer_wrong", event.target, by=event.by, found=event.found)
        else:
            game = narrower
    _check_ban(game, event, book)
    checks = (*night.checks, (event.by, event.target, event.found))
    return game.with_(night_state=changed(night, checks=checks))


def _check_checker_lives(game: Game, event: ev.Check, book: Book) -> None:
    here = 0
    for seat in game.alive:
        here |= where(seat, event.by)
    if game.roles and not game.roles & here:
        roles = only(game.roles)
        seats = (roles.don if event.by == "don" else roles.sheriff,) if roles else ()
        book.add("check_by_dead", *seats, by=event.by)


def _check_ban(game: Game, event: ev.Check, book: Book) -> None:
    """4.6.9: in the first shooting night the don may not check the seat he shot at."""
    night = game.night_state
    if night is None or event.by != "don" or night.number != 1 or not game.rules.don_first_night_ban:
        return
    targets = {t for _, t in night.shots}
    roles = only(game.roles)
    own = {t for s, t in night.shots if roles and s == roles.don}
    # Whose shot was the don's may be unknown; when all agree it does not matter.
    if event.target in own or (
        not own and len(night.shots) >= game.rules.blacks and targets == {event.target}
    ):
        book.add("night_check_of_own_shot", event.target)


@handles(ev.BestMove)
def _best_move(game: Game, event: ev.BestMove, book: Book) -> Game:
    seat = event.seat
    made = any(s == seat for s, _ in game.best_moves)
    if not made and not game.may_make_best_move(seat):
        book.add("best_move_without_right", seat)
    if len(event.targets) != game.rules.best_move_size:
        book.add("best_move_size", seat, said=len(event.targets), expected=game.rules.best_move_size)
    wrong = [t for t in event.targets if not 1 <= t <= game.rules.seats]
    if wrong or len(set(event.targets)) != len(event.targets):
        book.add("best_move_target_wrong", seat, targets=event.targets)
    return game.with_(
        best_moves=(*game.best_moves, (seat, event.targets)),
        best_move_for=tuple(s for s in game.best_move_for if s != seat),
    )
