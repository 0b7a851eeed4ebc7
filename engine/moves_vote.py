"""Ballots, ties, lifts, and everybody's leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mafiavar.engine import decide
from mafiavar.engine import events as ev
from mafiavar.engine.handling import Book, handles
from mafiavar.engine.leaving import leave
from mafiavar.engine.moves_day import into_day, silent_passed
from mafiavar.engine.shots import killed_by_shots
from mafiavar.engine.state import Call, Lift, Phase, Stage, Vote, changed

if TYPE_CHECKING:
    from mafiavar.engine.game import Game


# --- opening


@handles(ev.VoteOpened)
def _vote_opened(game: Game, event: ev.VoteOpened, book: Book) -> Game:
    game = into_day(game, book)
    if event.round > 1 or game.phase in (Phase.VOTE, Phase.TIE, Phase.LIFT, Phase.EVENING):
        return _revote_opened(game, event, book)
    if game.vote_cancelled:
        book.add("vote_held_though_cancelled", day=game.day)
    late = [s for s in game.waiting if game.limit(s, "speech") != 0]
    if late and not game.excerpted:
        book.add("speech_skipped", *late)
    candidates = event.candidates or game.candidates
    if not game.unknown_past:
        _check_candidates(game, candidates, book)
    game = silent_passed(game, None)
    return game.with_(
        phase=Phase.VOTE, floor=None, tie=(), last_words=(),
        vote=Vote(
            event.round, tuple(map(Call, candidates)), game.alive, named=bool(event.candidates) or not game.unknown_past
        ),
    )  # fmt: skip


def _check_candidates(game: Game, candidates: tuple[int, ...], book: Book) -> None:
    nominated = game.candidates
    if not nominated:
        book.add("vote_without_nominations", *candidates)
    elif game.day == 1 and len(nominated) == 1 and not game.rules.day_one_single_candidate_vote:
        book.add("vote_held_though_single", *nominated)
    elif not game.vote_due and not game.vote_cancelled:
        book.add("vote_held_though_cancelled", day=game.day)
    strangers = [c for c in candidates if c not in nominated]
    missing = [c for c in nominated if c not in candidates]
    if strangers and nominated:
        book.add("candidate_not_nominated", *strangers)
    if missing:
        book.add("candidate_missing", *missing)
    common = [c for c in candidates if c in nominated]
    if common != [c for c in nominated if c in candidates]:
        book.add("wrong_vote_order", *candidates, expected=nominated)


def _revote_opened(game: Game, event: ev.VoteOpened, book: Book) -> Game:
    tie = game.tie
    previous = game.vote
    verdict = game.verdict()
    if game.phase is not Phase.TIE and verdict is not None:
        if verdict.kind != "revote":
            kind = {
                "night": "day_one_tie_voted_on",
                "stay": "revote_after_decision",
                "lift": "revote_after_decision",
            }
            book.add(kind.get(verdict.kind, "revote_without_tie"), *verdict.seats)
        else:
            book.add("revote_speech_missing", *verdict.seats)
        if verdict.forbidden:
            book.add("forbidden_split", *verdict.seats, at_table=game.at_table)
        tie = verdict.seats
    elif game.phase is Phase.TIE and tie and (silent := [s for s in tie if s not in game.tie_spoken]):
        book.add("revote_speech_missing", *silent)
    elif game.phase in (Phase.DAY, Phase.EVENING) and not game.unknown_past:
        book.add("revote_without_tie", outcome="no_vote")
    expected_round = (previous.round if previous else event.round - 1) + 1
    if event.round != expected_round and not game.unknown_past:
        book.add("vote_round_wrong", said=event.round, expected=expected_round)
    candidates = event.candidates or tie
    if tie and set(candidates) != set(tie):
        book.add("revote_candidates_wrong", *candidates, expected=tie)
    elif tie and candidates != tie:
        book.add("wrong_vote_order", *candidates, expected=tie)
    vote = Vote(event.round, tuple(map(Call, candidates)), game.alive, tie or candidates or None)
    return game.with_(phase=Phase.VOTE, vote=vote, floor=None, tie=(), lift=None)


# --- a ballot


def _running(game: Game, round_: int, book: Book) -> Game:
    """A game in which round `round_` of a vote runs; opened silently when the judge said nothing."""
    if game.phase is Phase.VOTE and game.vote is not None and game.vote.round >= round_:
        return game
    book.add("vote_not_opened", round=round_, severity="warning")
    return _vote_opened(game, ev.VoteOpened(round_, game.tie if round_ > 1 else ()), book)


def _call(game: Game, target: int, book: Book) -> tuple[Game, Vote, Call]:
    vote = game.vote
    assert vote is not None  # _running saw to it
    call = vote.call_of(target)
    if call is None:
        if vote.named:
            book.add("candidate_not_nominated", target)
        call = Call(target)
        vote = changed(vote, calls=(*vote.calls, call))
    return game, vote, call


@handles(ev.VoteCalled)
def _vote_called(game: Game, event: ev.VoteCalled, book: Book) -> Game:
    game = _running(game, event.round, book)
    stranger = game.vote is None or game.vote.call_of(event.target) is None
    game, vote, call = _call(game, event.target, book)
    if call.stage is not Stage.WAITING:
        book.add("called_twice", event.target)
    before = vote.calls[: vote.candidates.index(event.target)]
    if not stranger and any(c.stage is Stage.WAITING for c in before):
        book.add("wrong_vote_order", event.target, expected=vote.candidates)
    calls = tuple(
        changed(c, stage=Stage.CLOSED) if c.stage is Stage.CALLED and c.target != event.target else c
        for c in vote.calls
    )
    vote = changed(vote, calls=calls).with_call(changed(call, stage=Stage.CALLED))
    return game.with_(vote=vote)


@handles(ev.VoteCast)
def _vote_cast(game: Game, event: ev.VoteCast, book: Book) -> Game:
    game = _running(game, event.round, book)
    game, vote, call = _call(game, event.target, book)
    seat = event.seat
    if seat not in vote.voters:
        book.add("dead_player_acts", seat, event=event.kind)
        return game.with_(vote=vote)
    if seat in vote.voted():
        if seat not in (*call.hands, *call.remainder):
            book.add("two_candidates", seat, target=event.target)
        return game.with_(vote=vote)
    if event.remainder:
        if event.target != vote.candidates[-1]:
            book.add("remainder_not_to_last", seat, target=event.target, expected=vote.candidates[-1])
        call = changed(call, remainder=(*call.remainder, seat))
    else:
        call = changed(call, hands=(*call.hands, seat))
    return game.with_(vote=vote.with_call(call))


@handles(ev.VoteClosed)
def _vote_closed(game: Game, event: ev.VoteClosed, book: Book) -> Game:
    game = _running(game, event.round, book)
    game, vote, call = _call(game, event.target, book)
    vote = vote.with_call(changed(call, stage=Stage.CLOSED, unseen=event.unseen))
    return game.with_(vote=vote, result_known=_known(game, vote))


@handles(ev.VoteAnnounced)
def _vote_announced(game: Game, event: ev.VoteAnnounced, book: Book) -> Game:
    game = _running(game, event.round, book)
    game, vote, call = _call(game, event.target, book)
    last = vote.named and call.target == vote.candidates[-1]
    low = len(call.hands) if last else len(call.hands) + len(call.remainder)
    high = len(vote.voters) - len(vote.voted() - {*call.hands, *call.remainder})
    if not last and call.unseen is not None:
        high = min(high, low + len(set(call.unseen) & set(vote.free())))
    if not low <= event.count <= high:
        book.add("vote_count_mismatch", event.target, said=event.count, low=low, high=high)
    vote = vote.with_call(changed(call, announced=event.count, stage=Stage.CLOSED))
    announced = [c.announced for c in vote.calls if c.announced is not None]
    total = sum(announced)
    if total > len(vote.voters):
        book.add("votes_exceed_living", said=total, living=len(vote.voters))
    elif (
        last
        and len(announced) == len(vote.calls)
        and total != len(vote.voters)
        and game.rules.remainder_to_last
    ):
        book.add("votes_do_not_add_up", said=total, living=len(vote.voters))
    return game.with_(vote=vote, result_known=_known(game, vote))


def _known(game: Game, vote: Vote) -> bool:
    """Is the result of the day's vote known (7.2)?"""
    verdict = game.with_(vote=vote).verdict()
    return verdict is not None and verdict.kind in ("leave", "stay", "night")


# --- lift


@handles(ev.LiftCalled)
def _lift_called(game: Game, event: ev.LiftCalled, book: Book) -> Game:
    game = into_day(game, book)
    verdict = game.verdict()
    candidates = event.candidates or (verdict.seats if verdict else game.tie)
    at_table = game.at_table
    if set(candidates) >= set(game.alive):
        book.add("lift_of_whole_table", *candidates)
    elif verdict is None or verdict.kind in ("leave", "revote", "respeech"):
        if not game.unknown_past or game.vote is not None:
            book.add("lift_without_tie", *candidates, outcome=verdict.kind if verdict else None)
    elif verdict.kind in ("stay", "night"):
        book.add("forbidden_lift", *candidates, tied=len(candidates), at_table=at_table)
    if verdict is not None and verdict.kind == "lift" and set(candidates) != set(verdict.seats):
        book.add("lift_candidates_wrong", *candidates, expected=verdict.seats)
    return game.with_(phase=Phase.LIFT, lift=Lift(candidates), floor=None, result_known=False)


@handles(ev.LiftCast)
def _lift_cast(game: Game, event: ev.LiftCast, book: Book) -> Game:
    lift = game.lift
    if lift is None or game.phase is not Phase.LIFT:
        book.add("out_of_phase", event.seat, phase=game.phase.value, event=event.kind)
        return game
    if event.seat not in game.alive:
        book.add("dead_player_acts", event.seat, event=event.kind)
        return game
    if event.seat in lift.yes or event.seat in lift.no:
        book.add("two_candidates", event.seat)
        return game
    if event.yes:
        return game.with_(lift=changed(lift, yes=(*lift.yes, event.seat)))
    return game.with_(lift=changed(lift, no=(*lift.no, event.seat)))


@handles(ev.LiftResult)
def _lift_result(game: Game, event: ev.LiftResult, book: Book) -> Game:
    lift = game.lift
    if lift is None or game.phase is not Phase.LIFT:
        book.add("out_of_phase", phase=game.phase.value, event=event.kind)
        return game
    if event.no is not None and event.yes + event.no != game.at_table:
        book.add("lift_votes_do_not_add_up", said=event.yes + event.no, living=game.at_table)
    if len(lift.yes) > event.yes or event.yes > game.at_table - len(lift.no):
        book.add("vote_count_mismatch", said=event.yes, low=len(lift.yes), high=game.at_table - len(lift.no))
    return game.with_(lift=changed(lift, result=(event.yes, event.no)), result_known=True)


# --- leaving


@handles(ev.Eliminated)
def _eliminated(game: Game, event: ev.Eliminated, book: Book) -> Game:
    if event.by in ("vote", "lift"):
        game = into_day(game, book)
        _check_left_by_vote(game, event, book)
    elif event.by == "shot":
        _check_left_by_shot(game, event, book)
    else:
        _check_removed(game, event, book)
    return leave(game, event.seats, event.by, book)


def _check_left_by_vote(game: Game, event: ev.Eliminated, book: Book) -> None:
    seats = set(event.seats)
    if game.vote_cancelled and game.vote is not None:
        book.add("vote_held_though_cancelled", *event.seats, day=game.day)
    if game.phase is Phase.LIFT and game.lift is not None:
        result = game.lift.result
        passed = result is None or decide.lift_passes(
            game.rules, yes=result[0], no=result[1], at_table=game.at_table
        )
        if not passed:
            book.add("left_without_ground", *event.seats, by="lift")
        elif seats != set(game.lift.candidates):
            book.add("wrong_person_left", *event.seats, expected=game.lift.candidates)
        return
    verdict = game.verdict()
    if verdict is not None:
        if verdict.kind != "leave":
            book.add("left_without_ground", *event.seats, by=event.by, outcome=verdict.kind)
        elif seats != set(verdict.seats):
            book.add("wrong_person_left", *event.seats, expected=verdict.seats)
    elif game.vote is not None:
        best = max((game.vote.counted(c)[0] for c in game.vote.candidates), default=0)
        if any(game.vote.counted(s)[1] < best for s in event.seats):
            book.add("wrong_person_left", *event.seats, expected=())
    elif not game.unknown_past:
        book.add("left_without_ground", *event.seats, by=event.by, outcome="no_vote")


def _check_left_by_shot(game: Game, event: ev.Eliminated, book: Book) -> None:
    night = game.night_state
    if night is None or (game.phase is not Phase.NIGHT and game.spoken):
        if not game.unknown_past:
            book.add("out_of_phase", *event.seats, phase=game.phase.value, event=event.kind)
        return
    certain, killed = killed_by_shots(game)
    if night.result:
        if event.seats != ((night.killed,) if night.killed else ()):
            book.add("wrong_person_left", *event.seats, expected=(night.killed,) if night.killed else ())
    elif night.shots and (certain or killed is not None) and event.seats != ((killed,) if killed else ()):
        book.add("wrong_night_result", *event.seats, expected=killed)


def _check_removed(game: Game, event: ev.Eliminated, book: Book) -> None:
    for seat in event.seats:
        marked = next((by for s, by in game.must_leave if s == seat), None)
        unmarked = marked is None and seat in game.alive
        if unmarked and event.by in ("fouls", "technical") and not game.excerpted:
            book.add("removed_without_ground", seat, by=event.by)
