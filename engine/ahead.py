"""What the rules require next (`due`) and what may come (`expected`).

Both answer with `Expected`: an event kind with the values each field may take. A field that is not
named may be anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from mafiavar.engine import decide
from mafiavar.engine.events import EVENTS, Event
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.roles import EVERYTHING, where
from mafiavar.engine.shots import killed_by_shots
from mafiavar.engine.state import Phase, Stage, Vote

if TYPE_CHECKING:
    from mafiavar.engine.game import Game


@dataclass(frozen=True, slots=True)
class Expected:
    """An event that may come.

    `fields`: (name, allowed values) of the fields the rules determine. `seconds`: what comes may last
    at most so long (None: no limit). `required`: the rules demand it next (or one of several, when a
    fact is missing). `clause`: why.
    """

    kind: str
    fields: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    seconds: float | None = None
    required: bool = False
    clause: str | None = None

    def allows(self, event: Event) -> bool:
        """Is `event` of this kind with allowed values?"""
        return event.kind == self.kind and all(_among(n, getattr(event, n), v) for n, v in self.fields)

    def events(self) -> Iterator[Event]:
        """Every event made of the allowed values (fields not named take their defaults)."""
        names = [n for n, _ in self.fields]
        for values in product(*(v for _, v in self.fields)):
            yield EVENTS[self.kind](**dict(zip(names, values, strict=True)))

    def value(self, name: str) -> Any:
        """The only allowed value of a field, else None."""
        values = dict(self.fields).get(name, ())
        return values[0] if len(values) == 1 else None


def _among(name: str, value: Any, allowed: tuple[Any, ...]) -> bool:
    """Who leaves together, and the numbers of a best move, have no order."""
    if name in ("seats", "targets"):
        return any(set(value) == set(a) for a in allowed)
    return value in allowed


def _need(
    game: Game, kind: str, topic: str, limit: float | None = None, must: bool = True, **fields: Any
) -> Expected:
    """`limit`: seconds it may last. Single values become one-element choices; lists are choices."""
    choices = tuple([(n, tuple(v) if type(v) is list else (v,)) for n, v in fields.items()])
    return Expected(kind, choices, limit, must, game.rules.clause(topic))


_TARGETS = list(combinations(range(1, 11), 3))


def due(game: Game) -> tuple[Expected, ...]:
    """What must come next; alternatives when a needed fact is not known."""
    if game.phase is Phase.OVER:
        return ()
    if game.must_leave:
        topic = "fourth_foul"
        return tuple(_need(game, "eliminated", topic, seats=(s,), by=by) for s, by in game.must_leave)
    won = game.winners_possible()
    over = "" not in won and game.phase is not Phase.BEFORE
    if game.floor is not None:
        stop = _need(game, "floor_ended", "speech", game.floor.seconds, seat=game.floor.seat)
        if over and game.floor.purpose in ("speech", "revote"):
            # A removal has decided the game in the middle of somebody's minute.
            return (_need(game, "game_ended", "win", winner=sorted(won)), replace(stop, required=False))
        return (stop,)
    if game.last_words and (over or game.phase is not Phase.NIGHT):
        seat = game.last_words[0]
        if game.best_move_for and game.phase is Phase.EVENING:
            return (_best_move(game),)
        return (_floor(game, seat, "last_word", "last_word"),)
    if over:
        return (_need(game, "game_ended", "win", winner=sorted(won)),)
    ended = tuple(_need(game, "game_ended", "win", winner=w, must=False) for w in sorted(won - {""}))
    step = _STEPS[game.phase](game)
    # A win that may or may not have happened is shown only right after somebody left.
    return step + (ended if ended and game.left and game.phase in (Phase.EVENING, Phase.NIGHT) else ())


def _floor(game: Game, seat: int, purpose: str, topic: str) -> Expected:
    limit = game.limit(seat, purpose)
    return _need(game, "floor_given", topic, limit, seat=seat, purpose=purpose, seconds=[limit, None])


def _best_move(game: Game) -> Expected:
    return _floor(game, game.best_move_for[0], "best_move", "best_move")


def _before(game: Game) -> tuple[Expected, ...]:
    if game.unknown_past:
        return (
            _need(game, "day_began", "phases"),
            _need(game, "floor_given", "speech", seat=list(game.alive), purpose="speech"),
            _need(game, "vote_opened", "vote_order", round=1),
            _need(game, "night_began", "night", night=game.day),
        )
    return (_need(game, "night_began", "night", night=0),)


def _first_night(game: Game) -> tuple[Expected, ...]:
    return (_need(game, "day_began", "phases"),)


def _night_began(game: Game) -> tuple[Expected, ...]:
    return (_need(game, "night_began", "night", night=game.day),)


def _day(game: Game) -> tuple[Expected, ...]:
    night = game.night_state
    if night is not None and not game.spoken and night.pending in game.alive and night.result:
        return (_need(game, "eliminated", "shot", seats=(night.killed,), by="shot"),)
    waiting = game.waiting
    if waiting:
        seat = waiting[0]
        if game.limit(seat, "speech") == 0:
            # Silent: may nominate; the floor then goes to the next who speaks.
            talking = [s for s in waiting if game.limit(s, "speech") != 0]
            return (_floor(game, talking[0], "speech", "third_foul"),) if talking else _after_speeches(game)
        return (_floor(game, seat, "speech", "speech"),)
    if game.opener is None and game.opener_due is None and not game.spoken:
        return (_need(game, "floor_given", "speech", seat=list(game.alive), purpose="speech"),)
    return _after_speeches(game)


def _after_speeches(game: Game) -> tuple[Expected, ...]:
    if game.vote_due:
        return (_need(game, "vote_opened", "vote_order", round=1, candidates=game.candidates),)
    return _night_began(game)


def _vote(game: Game) -> tuple[Expected, ...]:
    vote = game.vote
    if vote is None or game.vote_cancelled:
        return _night_began(game)
    if not vote.calls:
        # An excerpt that begins in the vote: who was nominated nobody heard.
        return (_need(game, "vote_called", "vote_order", round=vote.round, target=list(game.alive)),)
    window = game.rules.vote_window_seconds
    for call in vote.calls:
        target = call.target
        if call.stage is Stage.WAITING:
            return (_need(game, "vote_called", "vote_order", round=vote.round, target=target),)
        if call.stage is Stage.CALLED and call.announced is None:
            closed = _need(game, "vote_closed", "vote_cast", window, round=vote.round, target=target)
            return (closed, _count(game, target, must=False))
        if call.announced is None:
            return (_count(game, target), *_after_ballot(game, must=False))
    if not vote.named and vote.unaccounted() > 0:
        return _next_unnamed(game, vote)
    return _after_ballot(game)


def _next_unnamed(game: Game, vote: Vote) -> tuple[Expected, ...]:
    """Votes are left, and nobody heard who else was nominated."""
    others = [s for s in game.alive if s not in vote.candidates]
    if not others:
        return _night_began(game)
    return (_need(game, "vote_called", "vote_order", round=vote.round, target=others),)


def _count(game: Game, target: int, must: bool = True) -> Expected:
    vote = game.vote
    assert vote is not None
    low, high = vote.counted(target)
    return _need(
        game, "vote_announced", "vote_result", must=must, round=vote.round, target=target,
        count=list(range(low, high + 1)),
    )  # fmt: skip


def _after_ballot(game: Game, must: bool = True) -> tuple[Expected, ...]:
    vote = game.vote
    assert vote is not None
    verdict = game.verdict()
    if verdict is None:
        if not vote.complete:
            return ()
        best = max(vote.counted(c)[0] for c in vote.candidates)
        may = [(c,) for c in vote.candidates if vote.counted(c)[1] >= best]
        return (
            _need(game, "eliminated", "vote_result", must=must, seats=may, by="vote"),
            _need(game, "floor_given", "tie", game.rules.revote_seconds, must,
                  seat=[c for (c,) in may], purpose="revote"),
        )  # fmt: skip
    if verdict.kind == "leave":
        seats = tuple(s for s in verdict.seats if s in game.alive)
        if not seats:  # removed before his leaving was announced
            return _night_began(game)
        return (_need(game, "eliminated", "vote_result", must=must, seats=seats, by="vote"),)
    if verdict.kind in ("revote", "respeech"):
        return (replace(_floor(game, verdict.seats[0], "revote", "tie"), required=must),)
    if verdict.kind == "lift":
        return (_need(game, "lift_called", "lift", must=must, candidates=verdict.seats),)
    return tuple(replace(e, required=must) for e in _night_began(game))


def _tie(game: Game) -> tuple[Expected, ...]:
    if game.vote_cancelled:
        return _night_began(game)
    waiting = [s for s in game.tie if s not in game.tie_spoken]
    if waiting:
        return (_floor(game, waiting[0], "revote", "tie_order"),)
    verdict = game.verdict()
    if verdict is not None and verdict.kind == "respeech":
        return _night_began(game)
    round_ = game.vote.round + 1 if game.vote else 2
    return (_need(game, "vote_opened", "tie_order", round=round_, candidates=game.tie),)


def _lift(game: Game) -> tuple[Expected, ...]:
    lift = game.lift
    if lift is None or game.vote_cancelled:
        return _night_began(game)
    if lift.result is None:
        low, high = len(lift.yes), game.at_table - len(lift.no)
        return (_need(game, "lift_result", "lift", yes=list(range(low, high + 1))),)
    yes, no = lift.result
    if decide.lift_passes(game.rules, yes=yes, no=no, at_table=game.at_table):
        return (_need(game, "eliminated", "lift", seats=lift.candidates, by=["lift", "vote"]),)
    return _night_began(game)


def _night(game: Game) -> tuple[Expected, ...]:
    night = game.night_state
    if night is None:
        return (_need(game, "day_began", "phases"),)
    if game.best_move_for:
        return (_best_move(game),)
    if night.pending is not None and night.killed in game.alive:
        return (_need(game, "eliminated", "shot", seats=(night.killed,), by="shot"),)
    left = any(x.night == night.number and x.by == "shot" for x in game.left)
    if night.result or left:
        quiet = game.quiet_nights + (0 if any(x.night == game.night for x in game.left) else 1)
        if decide.is_draw(game.rules, quiet, 0, at_end_of_day=False):
            return (_need(game, "game_ended", "draw", winner="draw"),)
        return (_need(game, "day_began", "phases"),)
    if not night.shooting:
        return (_need(game, "shooting_began", "shooting", night=night.number),)
    certain, killed = killed_by_shots(game)
    outcomes = [killed] if certain else [killed, None] if killed else [*game.alive, None]
    return (_need(game, "night_result", "shot", night=night.number, killed=outcomes),)


_STEPS = {
    Phase.BEFORE: _before,
    Phase.FIRST_NIGHT: _first_night,
    Phase.DAY: _day,
    Phase.VOTE: _vote,
    Phase.TIE: _tie,
    Phase.LIFT: _lift,
    Phase.EVENING: _night_began,
    Phase.NIGHT: _night,
}


# --- what else may come


def expected(game: Game) -> tuple[Expected, ...]:
    """`due` first, then everything else that is legal now."""
    out = [*due(game)]
    seats = list(game.alive)
    if game.phase is Phase.OVER:
        return ()
    if game.must_leave or (game.phase is not Phase.BEFORE and "" not in game.winners_possible()):
        # Nothing but the leaving, or the end with its last words, and fouls.
        return (*out, *_end(game), *_fouls(game, seats))
    if game.phase is Phase.BEFORE:
        out.append(_need(game, "game_started", "phases", must=False))
    if game.phase is Phase.FIRST_NIGHT:
        out += _first_night_steps(game)
    if game.phase is Phase.DAY:
        out += _nominations(game)
        if game.excerpted and game.floor is None and game.waiting:
            # An excerpt may skip speeches.
            out += [replace(e, required=False) for e in _after_speeches(game)]
    if game.phase is Phase.VOTE and game.vote is not None:
        out += _hands(game)
    if game.phase is Phase.LIFT and game.lift is not None and game.lift.result is None:
        free = [s for s in seats if s not in game.lift.yes and s not in game.lift.no]
        if free:
            out.append(_need(game, "lift_cast", "lift", must=False, seat=free, yes=[True, False]))
    if game.phase is Phase.NIGHT and game.night_state is not None:
        out += _night_moves(game)
        if game.night_state.result:
            # The killed may be named before or after «доброе утро».
            out.append(_need(game, "day_began", "phases", None, False))
    if game.floor is not None and game.floor.purpose == "best_move":
        out.append(
            _need(
                game,
                "best_move",
                "best_move",
                game.rules.best_move_seconds,
                False,
                seat=game.floor.seat,
                targets=_TARGETS,
            )
        )
    if (
        game.rules.protocol_right
        and game.floor is None
        and game.left
        and game.phase in (Phase.DAY, Phase.EVENING)
    ):
        gone = list(game.left[-1].seats)
        if game.left[-1].by in ("vote", "lift", "shot") and (game.phase is Phase.EVENING or not game.spoken):
            out.append(_need(game, "floor_given", "protocol", None, False, seat=gone, purpose="protocol"))
    if game.phase not in (Phase.BEFORE,):
        out += _fouls(game, seats)
    return tuple(out)


def _end(game: Game) -> list[Expected]:
    """The game is decided: a judge may name the winner before the last word (7.9), or the morning."""
    if game.must_leave or not game.last_words or game.floor is not None:
        return []
    won = sorted(game.winners_possible())
    out = [_need(game, "game_ended", "win", None, False, winner=won)]
    if game.phase is Phase.NIGHT:
        out.append(_need(game, "day_began", "phases", None, False))
    return out


def _first_night_steps(game: Game) -> list[Expected]:
    rules = game.rules
    out = [
        _need(game, "negotiation_began", "negotiation_seconds", rules.negotiation_seconds, False),
        _need(game, "negotiation_ended", "negotiation_seconds", None, False),
    ]
    if rules.first_night_don_gesture:
        out.append(_need(game, "role_shown", "first_night", rules.check_seconds, False, by="don"))
    if rules.first_night_sheriff != "none":
        limit = rules.sheriff_look_seconds or rules.check_seconds
        out.append(_need(game, "role_shown", "first_night", limit, False, by="sheriff"))
    if rules.free_seating_seconds is not None:
        out.append(
            _need(game, "free_seating_began", "free_seating_seconds", rules.free_seating_seconds, False)
        )
    return out


def _nominations(game: Game) -> list[Expected]:
    """The one who speaks may nominate; so may one silenced by a third foul when his turn comes."""
    seat = game.floor.seat if game.floor and game.floor.purpose == "speech" else None
    if seat is None and game.waiting and game.limit(game.waiting[0], "speech") == 0:
        seat = game.waiting[0]
    if seat is None or seat not in game.alive:
        return []
    candidates = game.candidates
    free = [s for s in game.alive if s not in candidates]
    out = []
    mine = [n.target for n in game.nominations if n.seat == seat]
    if free and len(mine) < game.rules.nominations_per_day:
        out.append(_need(game, "nominated", "nomination", None, False, seat=seat, target=free, accepted=True))
    out.append(_refusal(game.rules, seat))
    if game.rules.withdrawal and mine:
        out.append(_need(game, "nomination_withdrawn", "withdrawal", None, False, seat=seat, target=mine))
    return out


@lru_cache(maxsize=64)
def _refusal(rules: Ruleset, seat: int) -> Expected:
    """«Не принято», whomever he named."""
    fields = (("seat", (seat,)), ("target", tuple(range(1, rules.seats + 1))), ("accepted", (False,)))
    return Expected("nominated", fields, None, False, rules.clause("nomination"))


def _hands(game: Game) -> list[Expected]:
    vote = game.vote
    assert vote is not None
    free = list(vote.free())
    if not free or not vote.calls or vote.unaccounted() <= 0:
        return []
    open_calls = [c.target for c in vote.calls if c.stage is Stage.CALLED]
    # An early hand comes before its own call.
    waiting = [c.target for c in vote.calls if c.stage is Stage.WAITING][:1]
    if not open_calls and not waiting:
        last = vote.candidates[-1]
        return [_need(game, "vote_cast", "remainder", None, False,
                      round=vote.round, target=last, seat=free, remainder=True)]  # fmt: skip
    targets = open_calls or waiting
    out = [
        _need(game, "vote_cast", "vote_cast", game.rules.vote_window_seconds, False,
              round=vote.round, target=targets, seat=free, remainder=False)
    ]  # fmt: skip
    if open_calls and open_calls[-1] == vote.candidates[-1]:
        out.append(_need(game, "vote_cast", "remainder", None, False,
                         round=vote.round, target=open_calls[-1], seat=free, remainder=True))  # fmt: skip
    return out


def _night_moves(game: Game) -> list[Expected]:
    night = game.night_state
    assert night is not None
    if night.number == 0 or night.result:
        return []
    out = []
    shot = {s for s, _ in night.shots}
    may_shoot = game.roles or EVERYTHING
    blacks = [s for s in game.alive if s not in shot and may_shoot & where(s, "black")]
    if night.shooting and len(night.shots) < max(game.blacks_possible(), default=0) and blacks:
        out.append(_need(game, "shot", "shot", None, False,
                         night=night.number, shooter=blacks, target=[*game.alive, None]))  # fmt: skip
    done = {by for by, _, _ in night.checks}
    for by in ("don", "sheriff"):
        if by not in done and any(game.roles & where(s, by) for s in game.alive):
            out.append(_need(game, "check", "check", game.rules.check_seconds, False,
                             night=night.number, by=by, target=list(game.alive)))  # fmt: skip
    return out


def _fouls(game: Game, seats: list[int]) -> list[Expected]:
    leaving = [s for s in game.last_words if s not in seats]
    if game.floor is not None and game.floor.seat not in seats:
        leaving.append(game.floor.seat)
    return [_foul(game.rules, (*seats, *leaving))] if seats or leaving else []


@lru_cache(maxsize=4096)
def _foul(rules: Ruleset, seats: tuple[int, ...]) -> Expected:
    levels: tuple[str, ...] = ("warning", "foul", "removal", "team_defeat")
    if rules.technical_fouls:
        levels += ("technical", "technical_big")
    return Expected("foul", (("seat", seats), ("level", levels)), None, False, rules.clause("fourth_foul"))
