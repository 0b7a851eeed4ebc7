"""The vote of one day: every round, the lift, and who leaves by it."""

from __future__ import annotations

from dataclasses import dataclass

from mafiavar.engine import decide
from mafiavar.engine.audit.table import Table
from mafiavar.engine.record import BallotRecord, DayRecord


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who leaves under the rules. `explained`: a difference to the protocol has been named already."""

    seats: tuple[int, ...] = ()
    lift: bool = False
    explained: bool = False
    after_tie: bool = False
    unknown: bool = False


def audit_vote(
    table: Table, day: DayRecord, candidates: tuple[int, ...] | None, cancelled_now: tuple[int, ...]
) -> None:
    """`cancelled_now`: seats removed while the vote ran, which stops it (7.1)."""
    voters = set(table.present)
    table.split_today = False
    outcome = _outcome(table, day, candidates, cancelled_now)
    claimed = _claimed(table, day, outcome)
    if not outcome.explained and not outcome.unknown and set(claimed) != set(outcome.seats):
        table.note(
            "wrong_person_left", *sorted(set(claimed) ^ set(outcome.seats)),
            said=tuple(sorted(claimed)), expected=tuple(sorted(outcome.seats)),
        )  # fmt: skip
    seats = claimed if outcome.unknown else outcome.seats
    _leave(table, tuple(s for s in seats if s in table.alive), outcome, len(voters))
    if table.split_today and not seats:
        table.twice_tied.append(day.day)
    table.depart(claimed)


def _leave(table: Table, seats: tuple[int, ...], outcome: Outcome, at_table: int) -> None:
    if not seats:
        return
    if table.day == 1:
        table.left_by_vote_day_one += len(seats)
    if at_table == table.rules.seats and len(seats) == 1:
        table.broken_at_ten = (seats[0], outcome.after_tie)
    table.leave(seats, "lift" if outcome.lift else "vote")


def _claimed(table: Table, day: DayRecord, outcome: Outcome) -> tuple[int, ...]:
    """Who left by the vote as the protocol has it; where it is silent, what the rest of it implies."""
    if day.left is not None:
        removed = {r.seat for r in day.removed}
        seats = tuple(s for s in day.left if s not in removed or s in outcome.seats)
        for seat in seats:
            if not 1 <= seat <= table.rules.seats:
                table.note("seat_impossible", seat, what="left")
            elif seat not in table.present and seat not in table.alive:
                table.note("left_twice", seat, by="vote")
        return tuple(s for s in seats if s in table.present)
    acting = acting_after(table, day.day)
    return tuple(s for s in outcome.seats if s not in acting)


def acting_after(table: Table, day: int) -> set[int]:
    """Seats that go on acting after `day`, so that they cannot have left: they vote at least twice more,
    or shoot and vote. A single act of one who left is a mistake in the protocol, not a proof."""
    acts: dict[int, int] = {}
    for later in table.record.days:
        if later.day > day:
            for ballot in later.ballots or ():
                for seat in {s for _, who in ballot.votes for s in who}:
                    acts[seat] = acts.get(seat, 0) + 1
            for nomination in later.nominations or ():
                acts[nomination.seat] = acts.get(nomination.seat, 0) + 1
    for night in table.record.nights:
        if night.night > day:
            for shooter in {s for s, _ in night.shots or ()}:
                acts[shooter] = acts.get(shooter, 0) + 1
    return {seat for seat, count in acts.items() if count >= 2}


def missing_next(table: Table, night: int) -> set[int]:
    """Seats at the table that do not vote in the first ballot of the next day: they left in between.
    Empty when there is no such ballot."""
    day = next((d for d in table.record.days if d.day == night + 1), None)
    if day is None or not day.ballots:
        return set()
    voters = {s for _, who in day.ballots[0].votes for s in who}
    return table.present - voters - {r.seat for r in day.removed}


# --- what the rules say


def _outcome(
    table: Table, day: DayRecord, candidates: tuple[int, ...] | None, cancelled_now: tuple[int, ...]
) -> Outcome:
    cancelled = day.day in table.votes_off
    if day.ballots is None:
        return _unwritten(table, day, candidates, cancelled)
    if not day.ballots:
        _check_not_held(table, day, candidates, cancelled or bool(cancelled_now))
        return _no_ballots_lift(table, day)
    if cancelled:
        table.note("vote_held_though_cancelled", *table.cancelled_by.get(day.day, ()), day=day.day)
        _check_ballots_only(table, day, candidates)
        return Outcome(explained=True)
    if candidates is not None and len(candidates) == 0:
        table.note("vote_without_nominations", *(t for t, _ in day.ballots[0].votes))
        return Outcome(explained=True)
    if candidates is not None and not decide.vote_is_due(
        table.rules, day=day.day, candidates=len(candidates), cancelled=False
    ):
        if len(candidates) == 1:
            table.note("vote_held_though_single", *candidates)
        else:
            table.note("vote_held_though_cancelled", *candidates, day=day.day)
        _check_ballots_only(table, day, candidates)
        return Outcome(explained=True)
    outcome = _rounds(table, day, candidates, bool(cancelled_now))
    if cancelled_now:
        if day.left and set(day.left) - set(cancelled_now):
            table.note("vote_held_though_cancelled", *cancelled_now, day=day.day)
        return Outcome(explained=True)
    return outcome


def _unwritten(table: Table, day: DayRecord, candidates: tuple[int, ...] | None, cancelled: bool) -> Outcome:
    """No ballots in the protocol: who left is all there is to go by."""
    if cancelled and day.left:
        table.note("vote_held_though_cancelled", *table.cancelled_by.get(day.day, ()), day=day.day)
        return Outcome(explained=True)
    if day.left or (candidates and decide.vote_is_due(
        table.rules, day=day.day, candidates=len(candidates), cancelled=cancelled)):  # fmt: skip
        table.unchecked("ballots_missing")
        strangers = [s for s in day.left or () if candidates and s not in candidates]
        if strangers:
            table.note("candidate_not_nominated", *strangers)
    return Outcome(lift=len(day.left or ()) > 1, unknown=True)


def _check_not_held(
    table: Table, day: DayRecord, candidates: tuple[int, ...] | None, cancelled: bool
) -> None:
    record = table.record
    if candidates is None:
        table.unchecked("nominations_missing")
        return
    interrupted = not record.finished and record.last_night < day.day and day.day == record.last_day
    due = decide.vote_is_due(table.rules, day=day.day, candidates=len(candidates), cancelled=cancelled)
    if due and not interrupted:
        table.note("vote_not_held_though_due", *candidates)


def _no_ballots_lift(table: Table, day: DayRecord) -> Outcome:
    if day.lift is not None and _lift_written(day):
        table.note("lift_without_tie", *(day.left or ()))
        return Outcome(explained=True)
    return Outcome()


def _lift_written(day: DayRecord) -> bool:
    lift = day.lift
    return lift is not None and (bool(lift.yes) or bool(lift.no) or lift.passed is not None)


def _check_ballots_only(table: Table, day: DayRecord, candidates: tuple[int, ...] | None) -> None:
    for ballot in day.ballots or ():
        tally(table, ballot, candidates or tuple(t for t, _ in ballot.votes), may_be_short=True)


def _rounds(table: Table, day: DayRecord, candidates: tuple[int, ...] | None, stopped: bool) -> Outcome:
    """Follows the ballots round by round under the rules."""
    ballots = sorted(day.ballots or (), key=lambda b: b.round)
    if [b.round for b in ballots] != list(range(1, len(ballots) + 1)):
        table.note("ballot_rounds_wrong", rounds=tuple(b.round for b in ballots))
    at_table = len(table.present)
    revealed = bool(table.first_killed and table.first_killed in table.revealed)
    now = candidates if candidates else tuple(t for t, _ in ballots[0].votes)
    previous: tuple[int, ...] | None = None
    forbidden_noted = False
    for i, ballot in enumerate(ballots):
        last = i == len(ballots) - 1
        votes = tally(table, ballot, now, may_be_short=stopped and last)
        if ballot.unseen:
            # Who left is all there is to go by: any of these votes may have decided.
            table.unchecked("votes_unseen")
            return Outcome(lift=len(day.left or ()) > 1, unknown=True)
        verdict = decide.after_ballot(
            table.rules, day=day.day, at_table=at_table, candidates=now, tally=votes, previous_tie=previous,
            revealed=revealed,
        )  # fmt: skip
        if verdict.forbidden and not forbidden_noted:
            forbidden_noted = True
            table.note("forbidden_split", *sorted(verdict.seats), tied=len(verdict.seats), at_table=at_table)
        if verdict.kind == "revote" and not last:
            previous = now = verdict.seats
            continue
        if not last:
            kind = "day_one_tie_voted_on" if verdict.kind == "night" else "revote_after_decision"
            table.note(kind, *verdict.seats, outcome=verdict.kind)
            return Outcome(
                verdict.seats if verdict.kind == "leave" else (), explained=verdict.kind != "leave"
            )
        return _after_last(table, day, verdict, at_table, stopped, after_tie=i > 0)
    return Outcome()


def _after_last(
    table: Table, day: DayRecord, verdict: decide.Verdict, at_table: int, stopped: bool, after_tie: bool
) -> Outcome:
    if stopped:
        return Outcome()
    table.split_today = after_tie and verdict.kind in ("stay", "lift") and len(verdict.seats) > 1
    tied = tuple(sorted(verdict.seats))
    lift_held = _lift_written(day) or (len(verdict.seats) > 1 and set(day.left or ()) == set(verdict.seats))
    if verdict.kind == "leave":
        if _lift_written(day):
            table.note("lift_without_tie", *verdict.seats)
        return Outcome(verdict.seats, after_tie=after_tie)
    if verdict.kind == "lift":
        return _lift(table, day, verdict.seats, at_table)
    if lift_held:
        whole = len(verdict.seats) >= at_table
        kind = (
            "lift_of_whole_table"
            if whole
            else "lift_without_tie"
            if verdict.kind == "revote"
            else "forbidden_lift"
        )
        table.note(kind, *tied, tied=len(tied), at_table=at_table)
        if day.left is not None and set(day.left) - set(verdict.seats):
            return Outcome()
        return Outcome(explained=True)
    if verdict.kind == "revote" and not _unfinished_day(table, day):
        table.note("revote_not_held", *tied)
    return Outcome()


def _unfinished_day(table: Table, day: DayRecord) -> bool:
    record = table.record
    return not record.finished and day.day == record.last_day and record.last_night < day.day


def _lift(table: Table, day: DayRecord, seats: tuple[int, ...], at_table: int) -> Outcome:
    lift = day.lift
    if lift is None or (lift.yes is None and lift.passed is None):
        if day.left is None and _unfinished_day(table, day):
            return Outcome()
        # An empty place for the lift says "not held" only in a protocol that keeps lifts at all.
        kept = any(d.lift is not None for d in table.record.days)
        if lift is None and kept and day.lift_known and day.left is not None and not day.left:
            table.note("lift_not_held_though_due", *seats, at_table=at_table)
            return Outcome(explained=True)
        table.unchecked("lift_votes_missing")
        passed = set(day.left or ()) == set(seats)
        if not passed and day.left:
            return Outcome()
        return Outcome(seats if passed else (), lift=True)
    if lift.yes is None:
        return Outcome(seats if lift.passed else (), lift=True)
    yes = _lift_votes(table, lift.yes, lift.no)
    passed = decide.lift_passes(
        table.rules, yes=len(yes), no=None if lift.no is None else len(lift.no), at_table=at_table
    )
    return Outcome(seats if passed else (), lift=True)


def _lift_votes(table: Table, yes: tuple[int, ...], no: tuple[int, ...] | None) -> set[int]:
    """Those who voted for the lift and might; a seat written on both sides is noted."""
    both = sorted((set(yes) & set(no or ())) | {s for s in yes if yes.count(s) > 1})
    for seat in both:
        table.note("two_candidates", seat, what="lift")
    for seat in (*yes, *(no or ())):
        table.acts(seat, "lift")
    if no is not None:
        missing = (table.present & table.alive) - set(yes) - set(no)
        if missing:
            table.note(
                "lift_votes_do_not_add_up",
                *sorted(missing),
                said=len(set(yes) | set(no)),
                living=len(table.present),
            )
    return set(yes) & table.present


def tally(
    table: Table, ballot: BallotRecord, candidates: tuple[int, ...], *, may_be_short: bool = False
) -> dict[int, int]:
    """Votes per candidate; everything odd in the ballot is noted. A voter named nowhere counts for the
    last candidate, as the rules have it."""
    counted: dict[int, set[int]] = {c: set() for c in candidates}
    voted: dict[int, int] = {}
    strangers = [t for t, who in ballot.votes if t not in counted and who]
    if strangers:
        table.note("candidate_not_nominated", *strangers)
    _check_called(table, ballot, candidates)
    last = candidates[-1] if candidates else None
    for target, who in ballot.votes:
        for seat in who:
            _one_vote(table, ballot, seat, target, voted, counted, rest=seat in ballot.remainder)
    for seat in ballot.remainder:
        if seat not in voted and last is not None:
            _one_vote(table, ballot, seat, last, voted, counted, rest=True)
        elif last is not None and voted.get(seat) != last:
            table.note("remainder_not_to_last", seat, target=voted.get(seat), expected=last)
    # One whom the rules have out already, though the protocol still had him, need not vote.
    missing = sorted((table.present & table.alive) - set(voted) - set(ballot.unseen))
    if missing and not may_be_short:
        table.note(
            "votes_do_not_add_up", *missing, said=len(voted), living=len(table.present), round=ballot.round
        )
        if last is not None and table.rules.remainder_to_last:
            counted[last].update(missing)
    return {c: len(who) for c, who in counted.items()}


def _check_called(table: Table, ballot: BallotRecord, candidates: tuple[int, ...]) -> None:
    """The order in which the candidates were called, when the protocol gives it."""
    called = ballot.candidates
    if called is None or called == candidates or (ballot.round == 1 and not candidates):
        return
    missing = [c for c in candidates if c not in called]
    strangers = [c for c in called if c not in candidates]
    if ballot.round > 1 and (missing or strangers):
        table.note("revote_candidates_wrong", *called, expected=candidates)
        return
    if missing:
        table.note("candidate_missing", *missing)
    if strangers:
        table.note("candidate_not_nominated", *strangers)
    if [c for c in called if c in candidates] != [c for c in candidates if c in called]:
        table.note("wrong_vote_order", *called, expected=candidates)


def _one_vote(
    table: Table, ballot: BallotRecord, seat: int, target: int, voted: dict[int, int],
    counted: dict[int, set[int]], *, rest: bool,
) -> None:  # fmt: skip
    if not table.acts(seat, "vote"):
        return
    if seat in voted:
        if voted[seat] != target or not rest:
            table.note("two_candidates", seat, round=ballot.round, targets=(voted[seat], target))
        return
    voted[seat] = target
    if target in counted:
        counted[target].add(seat)
