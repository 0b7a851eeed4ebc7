"""Planted faults: for each kind of finding a generator that puts exactly that fault into a legal game.

A planter takes a complete legal protocol and returns (the altered protocol, where, seats), or None when
this game has no place for its fault. `where` is ("day" | "night", n), or None for the whole game.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mafiavar.engine import decide
from mafiavar.engine.record import (
    BallotRecord,
    BestMoveRecord,
    CheckRecord,
    DayRecord,
    FoulRecord,
    LiftRecord,
    NightRecord,
    NominationRecord,
    Record,
    RemovalRecord,
    RevealRecord,
)

Planted = tuple[Record, tuple[str, int] | None, tuple[int, ...]] | None
Planter = Callable[[Record, random.Random], Planted]
PLANTERS: dict[str, list[tuple[str, Planter]]] = {}


def plants(kind: str, rules: str = "fsm-2026") -> Callable[[Planter], Planter]:
    def register(planter: Planter) -> Planter:
        PLANTERS.setdefault(kind, []).append((rules, planter))
        return planter

    return register


# --- where things are


def day_of(record: Record, number: int) -> DayRecord:
    return next(d for d in record.days if d.day == number)


def with_day(record: Record, day: DayRecord) -> Record:
    return replace(record, days=tuple(day if d.day == day.day else d for d in record.days))


def with_night(record: Record, night: NightRecord) -> Record:
    return replace(record, nights=tuple(night if n.night == night.night else n for n in record.nights))


def gone_before(record: Record, day: int) -> set[int]:
    """Who had left before day `day` began."""
    out: set[int] = set()
    for d in record.days:
        if d.day < day:
            out.update(d.left or (), (r.seat for r in d.removed))
    for n in record.nights:
        if n.night < day and n.killed:
            out.add(n.killed)
    return out


def living(record: Record, day: int) -> list[int]:
    """Who sat at the table when the vote of `day` began."""
    out = gone_before(record, day) | {r.seat for r in day_of(record, day).removed}
    return [s for s in range(1, 11) if s not in out]


def holder(record: Record, role: str) -> int:
    return next(s for s, r in record.roles.items() if r == role)


def voting_days(record: Record) -> list[DayRecord]:
    return [d for d in record.days if d.ballots]


def settled_days(record: Record) -> list[DayRecord]:
    """Days with one round and a clear result, by a margin of two or more."""
    out = []
    for d in voting_days(record):
        counts = sorted((len(w) for _, w in d.ballots[0].votes), reverse=True)
        if len(d.ballots) == 1 and d.left and (len(counts) == 1 or counts[0] - counts[1] > 2):
            out.append(d)
    return out


def pick(rng: random.Random, items: list[Any]) -> Any:
    return rng.choice(items) if items else None


def with_vote(day: DayRecord, seat: int, target: int, index: int = 0) -> DayRecord:
    """One more vote in a ballot."""
    ballot = day.ballots[index]
    votes = tuple((t, (*w, seat) if t == target else w) for t, w in ballot.votes)
    if target not in dict(votes):
        votes = (*votes, (target, (seat,)))
    ballots = tuple(replace(ballot, votes=votes) if b is ballot else b for b in day.ballots)
    return replace(day, ballots=ballots)


# --- speeches


@plants("wrong_opener")
def wrong_opener(record: Record, rng: random.Random) -> Planted:
    day = pick(
        rng,
        [
            d
            for d in record.days
            if d.day == record.last_day and len(d.speakers) > 3 and not d.nominations and not d.removed
        ],
    )
    if day is None:
        return None
    speakers = (*day.speakers[1:], day.speakers[0])
    return with_day(record, replace(day, speakers=speakers)), ("day", day.day), (speakers[0],)


@plants("speaker_order_wrong")
def speaker_order(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, [d for d in record.days if len(d.speakers) > 4 and not d.removed])
    if day is None:
        return None
    s = list(day.speakers)
    s[2], s[3] = s[3], s[2]
    return with_day(record, replace(day, speakers=tuple(s))), ("day", day.day), (s[2],)


@plants("spoke_twice")
def spoke_twice(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, [d for d in record.days if len(d.speakers) > 3])
    return day and (
        with_day(record, replace(day, speakers=(*day.speakers, day.speakers[-1]))), ("day", day.day), (day.speakers[-1],),
    )  # fmt: skip


@plants("speech_skipped")
def speech_skipped(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, [d for d in record.days if len(d.speakers) > 3 and not d.removed])
    if day is None:
        return None
    return with_day(record, replace(day, speakers=day.speakers[:-1])), ("day", day.day), (day.speakers[-1],)


@plants("dead_player_acts")
def dead_speaks(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, [d for d in record.days if d.day > 1 and gone_before(record, d.day) and d.speakers])
    if day is None:
        return None
    dead = rng.choice(sorted(gone_before(record, day.day)))
    return with_day(record, replace(day, speakers=(*day.speakers, dead))), ("day", day.day), (dead,)


@plants("dead_player_acts")
def dead_votes(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, [d for d in voting_days(record) if gone_before(record, d.day)])
    if day is None:
        return None
    dead = rng.choice(sorted(gone_before(record, day.day)))
    return with_day(record, with_vote(day, dead, day.candidates[0])), ("day", day.day), (dead,)


@plants("dead_player_acts")
def dead_nominates(record: Record, rng: random.Random) -> Planted:
    days = [d for d in record.days if gone_before(record, d.day) and d.ballots and len(d.nominations) == 1]
    day = pick(rng, days)
    if day is None:
        return None
    dead = rng.choice(sorted(gone_before(record, day.day)))
    first = day.nominations[0]
    others = tuple(n for n in day.nominations if n != first)
    changed = replace(day, nominations=(NominationRecord(dead, first.target), *others))
    return with_day(record, replace(changed, candidates=None, ordered=False)), ("day", day.day), (dead,)


@plants("dead_player_acts")
def dead_shoots(record: Record, rng: random.Random) -> Planted:
    nights = []
    for n in record.nights:
        gone = (
            gone_before(record, n.night)
            | set(day_of(record, n.night).left or ())
            | {r.seat for r in day_of(record, n.night).removed}
        )
        dead = sorted(s for s in gone if record.roles[s] in ("don", "mafia"))
        if dead and n.killed:
            nights.append((n, dead[0]))
    found = pick(rng, nights)
    if found is None:
        return None
    night, dead = found
    return (
        with_night(record, replace(night, shots=(*night.shots, (dead, night.killed)))),
        ("night", night.night),
        (dead,),
    )


# --- nominations


@plants("nomination_repeated")
def repeated(record: Record, rng: random.Random) -> Planted:
    day = pick(
        rng,
        [
            d
            for d in record.days
            if d.nominations and d.speakers[-1] not in {n.seat for n in d.nominations} and not d.removed
        ],
    )
    if day is None:
        return None
    again = NominationRecord(day.speakers[-1], day.nominations[0].target)
    return (
        with_day(record, replace(day, nominations=(*day.nominations, again))),
        ("day", day.day),
        (again.seat,),
    )


@plants("nomination_second")
def second(record: Record, rng: random.Random) -> Planted:
    for day in record.days:
        by = [n.seat for n in day.nominations or ()]
        if len(by) >= 2 and day.nominations[-1].seat == day.speakers[-1] and day.speakers[-2] not in by[:-1]:
            continue
        if len(by) >= 2:
            changed = (*day.nominations[:-1], replace(day.nominations[-1], seat=by[-2]))
            return with_day(record, replace(day, nominations=changed)), ("day", day.day), (by[-2],)
    return None


@plants("nomination_of_dead")
def dead_nominated(record: Record, rng: random.Random) -> Planted:
    for day in record.days:
        gone = sorted(gone_before(record, day.day))
        free = [s for s in day.speakers or () if s not in {n.seat for n in day.nominations or ()}]
        if gone and free and day.ballots and free[-1] == day.speakers[-1]:
            dead = gone[0]
            ballots = (replace(day.ballots[0], votes=(*day.ballots[0].votes, (dead, ()))), *day.ballots[1:])
            if day.ballots[0].remainder:
                continue
            changed = replace(
                day, nominations=(*day.nominations, NominationRecord(free[-1], dead)),
                candidates=(*day.candidates, dead), ballots=ballots,
            )  # fmt: skip
            return with_day(record, changed), ("day", day.day), (dead,)
    return None


@plants("nomination_order_wrong")
def nomination_order(record: Record, rng: random.Random) -> Planted:
    for day in record.days:
        if len(day.nominations or ()) >= 2 and not day.removed:
            a, b, *rest = day.nominations
            swapped = (NominationRecord(b.seat, a.target), NominationRecord(a.seat, b.target), *rest)
            return with_day(record, replace(day, nominations=swapped)), ("day", day.day), (a.seat,)
    return None


# --- ballots


@plants("wrong_vote_order")
def vote_order(record: Record, rng: random.Random) -> Planted:
    days = [d for d in settled_days(record) if len(d.candidates) >= 2 and not d.ballots[0].remainder]
    day = pick(rng, days)
    if day is None:
        return None
    wrong = (day.candidates[1], day.candidates[0], *day.candidates[2:])
    return with_day(record, replace(day, candidates=wrong)), ("day", day.day), wrong


@plants("candidate_not_nominated")
def stranger(record: Record, rng: random.Random) -> Planted:
    days = [d for d in settled_days(record) if any(s not in d.candidates for s in living(record, d.day))]
    day = pick(rng, days)
    if day is None:
        return None
    winner = day.left[0]
    other = rng.choice([s for s in living(record, day.day) if s not in day.candidates])
    ballot = day.ballots[0]
    voter = dict(ballot.votes)[winner][0]
    votes = tuple((t, tuple(s for s in w if s != voter)) for t, w in ballot.votes)
    ballot = replace(
        ballot, votes=(*votes, (other, (voter,))), remainder=tuple(s for s in ballot.remainder if s != voter)
    )
    return with_day(record, replace(day, ballots=(ballot,))), ("day", day.day), (other,)


@plants("candidate_missing")
def candidate_missing(record: Record, rng: random.Random) -> Planted:
    for day in settled_days(record):
        empty = [t for t, w in day.ballots[0].votes if not w]
        if empty:
            return (
                with_day(record, replace(day, candidates=tuple(c for c in day.candidates if c != empty[0]))),
                ("day", day.day), (empty[0],),
            )  # fmt: skip
    return None


@plants("two_candidates")
def voted_twice(record: Record, rng: random.Random) -> Planted:
    for day in voting_days(record):
        ballot = day.ballots[0]
        if len(ballot.votes) >= 2 and ballot.votes[0][1]:
            seat = ballot.votes[0][1][0]
            return with_day(record, with_vote(day, seat, ballot.votes[1][0])), ("day", day.day), (seat,)
    return None


@plants("votes_do_not_add_up")
def vote_lost(record: Record, rng: random.Random) -> Planted:
    for day in settled_days(record):
        ballot = day.ballots[0]
        last, who = ballot.votes[-1]
        seats = [s for s in who if s not in ballot.remainder]
        if seats:
            votes = (*ballot.votes[:-1], (last, tuple(s for s in who if s != seats[0])))
            return (
                with_day(record, replace(day, ballots=(replace(ballot, votes=votes),))),
                ("day", day.day),
                (seats[0],),
            )
    return None


@plants("remainder_not_to_last")
def remainder_wrong(record: Record, rng: random.Random) -> Planted:
    for day in voting_days(record):
        ballot = day.ballots[0]
        if len(ballot.votes) >= 2 and ballot.votes[0][1]:
            seat = ballot.votes[0][1][0]
            ballots = (replace(ballot, remainder=(*ballot.remainder, seat)), *day.ballots[1:])
            return with_day(record, replace(day, ballots=ballots)), ("day", day.day), (seat,)
    return None


@plants("wrong_person_left")
def wrong_left(record: Record, rng: random.Random) -> Planted:
    """The last vote of the game, so that nothing follows from the wrong name."""
    day = record.days[-1]
    if not day.ballots or len(day.left or ()) != 1 or record.last_night >= day.day:
        return None
    other = rng.choice([s for s in living(record, day.day) if s not in day.left])
    return (
        with_day(record, replace(day, left=(other,))),
        ("day", day.day),
        tuple(sorted((other, day.left[0]))),
    )


@plants("wrong_person_left")
def nobody_left(record: Record, rng: random.Random) -> Planted:
    day = record.days[-1]
    if not day.ballots or len(day.left or ()) != 1 or record.last_night >= day.day:
        return None
    return with_day(record, replace(day, left=())), ("day", day.day), day.left


@plants("vote_not_held_though_due")
def not_held(record: Record, rng: random.Random) -> Planted:
    days = [d for d in voting_days(record) if not d.left and not d.lift]
    day = pick(rng, days)
    return day and (with_day(record, replace(day, ballots=())), ("day", day.day), day.candidates)


@plants("vote_held_though_single")
def single(record: Record, rng: random.Random) -> Planted:
    day = record.days[0]
    if day.ballots or len(day.candidates or ()) != 1 or day.removed:
        return None
    ballot = BallotRecord(1, ((day.candidates[0], tuple(range(1, 11))),))
    return with_day(record, replace(day, ballots=(ballot,))), ("day", 1), day.candidates


@plants("vote_held_though_cancelled")
def cancelled(record: Record, rng: random.Random) -> Planted:
    for day in record.days:
        if day.removed and len(day.candidates or ()) > 1 and not day.ballots and day.day < record.last_day:
            voters = living(record, day.day)
            alive = [c for c in day.candidates if c in voters]
            if len(alive) != len(day.candidates):
                continue
            votes = tuple((c, tuple(voters[i :: len(alive)])) for i, c in enumerate(alive))
            return (
                with_day(record, replace(day, ballots=(BallotRecord(1, votes),))), ("day", day.day), (day.removed[0].seat,),
            )  # fmt: skip
    return None


@plants("vote_without_nominations")
def no_nominations(record: Record, rng: random.Random) -> Planted:
    for day in record.days:
        if (
            not day.nominations
            and not day.removed
            and not day.ballots
            and day.day > 1
            and day.day < record.last_day
        ):
            voters = living(record, day.day)
            ballot = BallotRecord(1, ((voters[0], tuple(voters)),))
            return with_day(record, replace(day, ballots=(ballot,))), ("day", day.day), (voters[0],)
    return None


@plants("ballot_rounds_wrong")
def rounds_wrong(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, [d for d in voting_days(record) if len(d.ballots) == 1])
    return day and (
        with_day(record, replace(day, ballots=(replace(day.ballots[0], round=2),))),
        ("day", day.day),
        (),
    )


@plants("revote_not_held")
def revote_missing(record: Record, rng: random.Random) -> Planted:
    days = [
        d
        for d in voting_days(record)
        if len(d.ballots) == 2 and not d.left and not d.lift and d.day < record.last_day
    ]
    day = pick(rng, days)
    if day is None:
        return None
    tied = _leaders(day.ballots[0])
    return with_day(record, replace(day, ballots=day.ballots[:1])), ("day", day.day), tuple(sorted(tied))


def _leaders(ballot: BallotRecord) -> tuple[int, ...]:
    most = max(len(w) for _, w in ballot.votes)
    return tuple(t for t, w in ballot.votes if len(w) == most)


@plants("revote_after_decision")
def revote_again(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, settled_days(record))
    if day is None:
        return None
    again = replace(day.ballots[0], round=2)
    return with_day(record, replace(day, ballots=(day.ballots[0], again))), ("day", day.day), day.left


@plants("day_one_tie_voted_on")
def tie_of_three(record: Record, rng: random.Random) -> Planted:
    day = record.days[0]
    if not day.ballots or len(day.ballots) != 1 or day.left or len(_leaders(day.ballots[0])) < 3:
        return None
    again = BallotRecord(2, day.ballots[0].votes)
    return (
        with_day(record, replace(day, ballots=(day.ballots[0], again))),
        ("day", 1),
        tuple(_leaders(day.ballots[0])),
    )


@plants("forbidden_lift")
def forbidden_lift(record: Record, rng: random.Random) -> Planted:
    for day in voting_days(record):
        if (
            len(day.ballots) > 1
            and not day.left
            and not day.lift
            and _leaders(day.ballots[-1]) == _leaders(day.ballots[-2])
        ):
            everybody = tuple(living(record, day.day))
            return (
                with_day(record, replace(day, lift=LiftRecord((), everybody))),
                ("day", day.day),
                tuple(sorted(_leaders(day.ballots[-1]))),
            )
    return None


@plants("lift_without_tie", "disbord")
def lift_without_tie(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, settled_days(record))
    if day is None:
        return None
    return (
        with_day(record, replace(day, lift=LiftRecord((), tuple(living(record, day.day))))),
        ("day", day.day),
        day.left,
    )


@plants("lift_not_held_though_due", "disbord")
def lift_missing(record: Record, rng: random.Random) -> Planted:
    for day in voting_days(record):
        kept = any(d.lift for d in record.days if d is not day)
        if day.lift and not day.left and kept:
            return with_day(record, replace(day, lift=None)), ("day", day.day), _leaders(day.ballots[-1])
    return None


@plants("lift_votes_do_not_add_up", "disbord")
def lift_vote_lost(record: Record, rng: random.Random) -> Planted:
    for day in voting_days(record):
        if day.lift and day.lift.no:
            return (
                with_day(record, replace(day, lift=replace(day.lift, no=day.lift.no[1:]))), ("day", day.day), day.lift.no[:1],
            )  # fmt: skip
    return None


@plants("two_candidates", "disbord")
def lift_vote_twice(record: Record, rng: random.Random) -> Planted:
    for day in voting_days(record):
        if day.lift and day.lift.yes:
            seat = day.lift.yes[0]
            return (
                with_day(record, replace(day, lift=replace(day.lift, no=(*day.lift.no, seat)))),
                ("day", day.day),
                (seat,),
            )
    return None


# --- nights


@plants("wrong_night_result")
def night_result(record: Record, rng: random.Random) -> Planted:
    night = record.nights[-1]
    if not night.killed or record.last_day > night.night:
        return None
    others = [
        s
        for s in living(record, night.night)
        if s != night.killed and s not in (day_of(record, night.night).left or ())
    ]
    other = rng.choice(others)
    return (
        with_night(record, replace(night, killed=other)),
        ("night", night.night),
        tuple(sorted((other, night.killed))),
    )


@plants("wrong_night_result")
def miss_denied(record: Record, rng: random.Random) -> Planted:
    night = record.nights[-1]
    if not night.killed or record.last_day > night.night:
        return None
    return with_night(record, replace(night, killed=None)), ("night", night.night), (night.killed,)


@plants("shot_by_red")
def red_shoots(record: Record, rng: random.Random) -> Planted:
    night = pick(rng, [n for n in record.nights if len(n.shots) < 3 and n.killed])
    if night is None:
        return None
    red = rng.choice(
        [
            s
            for s in living(record, night.night)
            if record.roles[s] == "red" and s not in (day_of(record, night.night).left or ())
        ]
    )
    return (
        with_night(record, replace(night, shots=(*night.shots, (red, night.killed)))),
        ("night", night.night),
        (red,),
    )


@plants("shot_at_dead")
def shot_at_dead(record: Record, rng: random.Random) -> Planted:
    for n in record.nights:
        gone = sorted(gone_before(record, n.night))
        if gone and n.killed is None and len(n.shots) > 1:
            shooter = n.shots[0][0]
            return (
                with_night(record, replace(n, shots=((shooter, gone[0]), *n.shots[1:]))),
                ("night", n.night),
                (shooter,),
            )
    return None


@plants("shot_twice")
def shot_twice(record: Record, rng: random.Random) -> Planted:
    night = pick(rng, [n for n in record.nights if n.killed is None and n.shots])
    return night and (
        with_night(record, replace(night, shots=(*night.shots, night.shots[0]))), ("night", night.night), (night.shots[0][0],),
    )  # fmt: skip


@plants("shots_missing")
def shots_missing(record: Record, rng: random.Random) -> Planted:
    night = pick(
        rng, [n for n in record.nights if n.killed and len(n.shots) > 1 and n.shots[0][0] != n.killed]
    )
    return night and (
        with_night(record, replace(night, shots=night.shots[1:])),
        ("night", night.night),
        (night.shots[0][0],),
    )


@plants("two_checks")
def two_checks(record: Record, rng: random.Random) -> Planted:
    sheriff = holder(record, "sheriff")
    for night in record.nights:
        mine = [c for c in night.checks if c.by == "sheriff"]
        if mine:
            return (
                with_night(record, replace(night, checks=(*night.checks, mine[0]))),
                ("night", night.night),
                (sheriff,),
            )
    return None


@plants("check_by_dead")
def dead_checks(record: Record, rng: random.Random) -> Planted:
    sheriff = holder(record, "sheriff")
    for night in record.nights:
        if not any(c.by == "sheriff" for c in night.checks):
            alive = [
                s for s in living(record, night.night) if s not in (day_of(record, night.night).left or ())
            ]
            check = CheckRecord("sheriff", alive[0], record.roles[alive[0]] in ("don", "mafia"))
            return (
                with_night(record, replace(night, checks=(*night.checks, check))),
                ("night", night.night),
                (sheriff,),
            )
    return None


@plants("check_of_dead")
def check_of_dead(record: Record, rng: random.Random) -> Planted:
    for night in record.nights:
        gone = sorted(gone_before(record, night.night))
        mine = [c for c in night.checks if c.by == "sheriff"]
        if gone and mine:
            check = CheckRecord("sheriff", gone[0], record.roles[gone[0]] in ("don", "mafia"))
            others = tuple(c for c in night.checks if c.by != "sheriff")
            return (
                with_night(record, replace(night, checks=(*others, check))),
                ("night", night.night),
                (gone[0],),
            )
    return None


@plants("check_answer_wrong")
def wrong_answer(record: Record, rng: random.Random) -> Planted:
    night = pick(rng, [n for n in record.nights if n.checks])
    if night is None:
        return None
    check = night.checks[0]
    wrong = replace(check, found=not check.found)
    return (
        with_night(record, replace(night, checks=(wrong, *night.checks[1:]))),
        ("night", night.night),
        (check.target,),
    )


@plants("check_by_wrong_role")
def red_checks(record: Record, rng: random.Random) -> Planted:
    night = record.nights[0] if record.nights else None
    red = holder(record, "red")
    if night is None or red not in living(record, 1) or red in (record.days[0].left or ()):
        return None
    return (
        with_night(record, replace(night, checks=(*night.checks, CheckRecord("seat", red, None, red)))),
        ("night", 1),
        (red,),
    )


@plants("night_check_of_own_shot")
def own_shot(record: Record, rng: random.Random) -> Planted:
    night = record.nights[0] if record.nights else None
    don = holder(record, "don")
    if night is None or dict(night.shots).get(don) in (None, don):
        return None
    target = dict(night.shots)[don]
    check = CheckRecord("don", target, record.roles[target] == "sheriff")
    others = tuple(c for c in night.checks if c.by != "don")
    return with_night(record, replace(night, checks=(check, *others))), ("night", 1), (don,)


@plants("sheriff_without_checks")
def idle_sheriff(record: Record, rng: random.Random) -> Planted:
    sheriff = holder(record, "sheriff")
    nights = [n for n in record.nights if any(c.by == "sheriff" for c in n.checks)]
    if len(nights) < 2:
        return None
    for n in nights[:2]:
        record = with_night(record, replace(n, checks=tuple(c for c in n.checks if c.by != "sheriff")))
    return record, None, (sheriff,)


@plants("black_without_shots")
def idle_black(record: Record, rng: random.Random) -> Planted:
    for seat in (s for s, r in record.roles.items() if r in ("don", "mafia")):
        misses = [n for n in record.nights if n.killed is None and seat in dict(n.shots) and len(n.shots) > 1]
        clear = [n for n in misses if {t for s, t in n.shots if s != seat} != {seat}]
        if len(clear) >= 2:
            for n in clear[:2]:
                shots = tuple((s, None if s == seat else t) for s, t in n.shots)
                record = with_night(record, replace(n, shots=shots))
            return record, None, (seat,)
    return None


# --- best move


@plants("best_move_without_right")
def no_right(record: Record, rng: random.Random) -> Planted:
    night = next((n for n in record.nights if n.night > 1 and n.killed), None)
    if night is None:
        return None
    move = BestMoveRecord(night.killed, (1, 2, 3))
    return replace(record, best_moves=(*record.best_moves, move)), None, (night.killed,)


@plants("best_move_readback_wrong")
def readback(record: Record, rng: random.Random) -> Planted:
    if not record.best_moves:
        return None
    move = record.best_moves[0]
    wrong = (*move.targets[:2], next(s for s in range(1, 11) if s not in move.targets))
    return (
        replace(record, best_moves=(replace(move, readback=wrong), *record.best_moves[1:])),
        None,
        (move.seat,),
    )


@plants("best_move_size")
def too_many(record: Record, rng: random.Random) -> Planted:
    if not record.best_moves:
        return None
    move = record.best_moves[0]
    four = (*move.targets, next(s for s in range(1, 11) if s not in move.targets))
    return (
        replace(record, best_moves=(replace(move, targets=four), *record.best_moves[1:])),
        None,
        (move.seat,),
    )


@plants("best_move_target_wrong")
def same_twice(record: Record, rng: random.Random) -> Planted:
    if not record.best_moves:
        return None
    move = record.best_moves[0]
    twice = (move.targets[0], move.targets[0], move.targets[1])
    return (
        replace(record, best_moves=(replace(move, targets=twice), *record.best_moves[1:])),
        None,
        (move.seat,),
    )


@plants("best_move_twice")
def best_twice(record: Record, rng: random.Random) -> Planted:
    if not record.best_moves:
        return None
    return (
        replace(record, best_moves=(*record.best_moves, record.best_moves[0])),
        None,
        (record.best_moves[0].seat,),
    )


# --- discipline


@plants("foul_ordinal_wrong")
def ordinal(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, [d for d in record.days if d.fouls])
    if day is None:
        return None
    foul = day.fouls[-1]
    wrong = replace(foul, ordinal=foul.ordinal + 1)
    return with_day(record, replace(day, fouls=(*day.fouls[:-1], wrong))), ("day", day.day), (foul.seat,)


@plants("foul_to_absent")
def foul_absent(record: Record, rng: random.Random) -> Planted:
    for day in record.days:
        gone = sorted(gone_before(record, day.day - 1)) if day.day > 2 else []
        if gone:
            foul = FoulRecord(gone[0], "foul", None, "speech")
            return with_day(record, replace(day, fouls=(*day.fouls, foul))), ("day", day.day), (gone[0],)
    return None


@plants("fourth_foul_not_enforced")
def fourth_foul(record: Record, rng: random.Random) -> Planted:
    """On the last day, where his staying has no consequences: the game ends by his leaving or goes no further."""
    day = record.days[-1]
    if not day.removed or day.ballots or record.last_night >= day.day:
        return None
    return with_day(record, replace(day, removed=())), ("day", day.day), (day.removed[0].seat,)


@plants("hand_foul_not_technical")
def hand_foul(record: Record, rng: random.Random) -> Planted:
    """The fourth foul was for a withdrawn hand: it removes nobody (4.5.9), and nobody was removed."""
    day = record.days[-1]
    if not day.removed or day.ballots or record.last_night >= day.day or day.removed[0].reason != "fouls":
        return None
    seat = day.removed[0].seat
    fouls = tuple(replace(f, violation="4.5.9") if (f.seat, f.ordinal) == (seat, 4) else f for f in day.fouls)
    everybody = decide.speaking_order(sorted([*living(record, day.day), seat]), day.speakers[0])
    stayed = replace(day, fouls=fouls, removed=(), speakers=everybody)
    return (
        replace(with_day(record, stayed), winner=None, finished=False),
        ("day", day.day),
        (seat,),
    )


@plants("removed_without_ground")
def no_ground(record: Record, rng: random.Random) -> Planted:
    day = record.days[-1]
    if not day.removed or day.ballots or day.removed[0].reason != "fouls":
        return None
    seat = day.removed[0].seat
    return (
        with_day(record, replace(day, fouls=tuple(f for f in day.fouls if f.seat != seat))),
        ("day", day.day),
        (seat,),
    )


@plants("technical_unknown", "disbord")
def technical(record: Record, rng: random.Random) -> Planted:
    day = record.days[0]
    return (
        with_day(record, replace(day, fouls=(*day.fouls, FoulRecord(1, "technical", None, "speech")))),
        ("day", 1),
        (1,),
    )


@plants("removal_not_enforced")
def second_technical(record: Record, rng: random.Random) -> Planted:
    """Two technical fouls on the day the game ends by the leaving of that very player."""
    day = record.days[-1]
    if not day.removed or day.ballots or record.last_night >= day.day:
        return None
    seat = day.removed[0].seat
    fouls = tuple(f for f in day.fouls if f.seat != seat)
    two = (FoulRecord(seat, "technical", 1, "speech"), FoulRecord(seat, "technical", 2, "speech"))
    return with_day(record, replace(day, fouls=(*fouls, *two), removed=())), ("day", day.day), (seat,)


@plants("removal_is_team_defeat")
def last_minute(record: Record, rng: random.Random) -> Planted:
    """The removal of the last leaver, in his last word, for an offence that there means the team's defeat."""
    day = record.days[-1]
    if not day.left or len(day.left) != 1 or record.last_night >= day.day or not day.ballots:
        return None
    seat = day.left[0]
    loser = "black" if record.roles[seat] in ("don", "mafia") else "red"
    if record.winner == loser:
        return None
    removal = RemovalRecord(seat, "removal", "last_word", "6.8.4")
    return (
        with_day(
            record, replace(day, left=(), ballots=(), nominations=(), candidates=(), removed=(removal,))
        ),
        ("day", day.day),
        (seat,),
    )


# --- the game


@plants("wrong_winner")
def wrong_winner(record: Record, rng: random.Random) -> Planted:
    return replace(record, winner="black" if record.winner == "red" else "red"), None, ()


@plants("winner_missing")
def winner_missing(record: Record, rng: random.Random) -> Planted:
    return replace(record, winner=None), None, ()


@plants("ended_too_early")
def too_early(record: Record, rng: random.Random) -> Planted:
    """The last departure is struck out."""
    night = record.nights[-1] if record.nights else None
    if night is None or night.night < record.last_day or not night.killed or len(night.shots) < 2:
        return None
    gone = (night.killed, *(day_of(record, night.night).left or ()))
    other = next(s for s in living(record, night.night) if s not in gone)
    shots = ((night.shots[0][0], other), *night.shots[1:])
    checks = tuple(c for c in night.checks if c.by != "don") if night.night == 1 else night.checks
    return with_night(record, replace(night, shots=shots, killed=None, checks=checks)), None, ()


@plants("played_after_end")
def after_end(record: Record, rng: random.Random) -> Planted:
    number = record.last_day + 1
    if record.last_night < record.last_day:
        return None
    return replace(record, days=(*record.days, DayRecord(number, speakers=(1, 2)))), ("day", number), ()


@plants("draw_without_ground")
def false_draw(record: Record, rng: random.Random) -> Planted:
    night = record.nights[-1] if record.nights else None
    if night is None or night.night < 2:
        return None
    kept = replace(
        record, days=tuple(d for d in record.days if d.day < record.last_day),
        nights=tuple(n for n in record.nights if n.night < record.last_day), winner="draw",
    )  # fmt: skip
    return (kept, None, ()) if kept.nights else None


@plants("roles_impossible")
def two_dons(record: Record, rng: random.Random) -> Planted:
    """Two dons; winner and night facts that depend on roles are taken out."""
    mafia = holder(record, "mafia")
    roles = {**record.roles, mafia: "don"}
    nights = tuple(replace(n, checks=None) for n in record.nights)
    dons = tuple(sorted((mafia, holder(record, "don"))))
    return replace(record, roles=roles, nights=nights), None, dons


@plants("roles_missing")
def role_missing(record: Record, rng: random.Random) -> Planted:
    red = holder(record, "red")
    return replace(record, roles={**record.roles, red: None}), None, ()


@plants("double_entry")
def double_day(record: Record, rng: random.Random) -> Planted:
    return replace(record, days=(*record.days, record.days[0])), ("day", 1), ()


@plants("speakers_missing")
def no_speakers(record: Record, rng: random.Random) -> Planted:
    return with_day(record, replace(record.days[0], speakers=None)), ("day", 1), ()


@plants("nominations_missing")
def no_nominations_kept(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, voting_days(record))
    return day and (with_day(record, replace(day, nominations=None, candidates=None)), ("day", day.day), ())


@plants("ballots_missing")
def no_ballots_kept(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, [d for d in voting_days(record) if len(d.left or ()) == 1 and d.day > 1])
    return day and (with_day(record, replace(day, ballots=None)), ("day", day.day), ())


@plants("votes_unseen")
def hands_out_of_sight(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, [d for d in voting_days(record) if len(d.left or ()) == 1 and len(d.ballots or ()) == 1])
    if not day or not day.ballots:
        return None
    ballot = day.ballots[0]
    hidden = rng.choice([s for _, who in ballot.votes for s in who])
    votes = tuple((t, tuple(s for s in who if s != hidden)) for t, who in ballot.votes)
    partly = replace(
        ballot, votes=votes, remainder=tuple(s for s in ballot.remainder if s != hidden), unseen=(hidden,)
    )
    return with_day(record, replace(day, ballots=(partly,))), ("day", day.day), ()


@plants("checks_missing")
def no_checks_kept(record: Record, rng: random.Random) -> Planted:
    if not record.nights:
        return None
    return with_night(record, replace(record.nights[0], checks=None)), ("night", 1), ()


@plants("fouls_missing")
def no_fouls_kept(record: Record, rng: random.Random) -> Planted:
    if any(d.removed for d in record.days):
        return None
    return replace(record, fouls_known=False, days=tuple(replace(d, fouls=()) for d in record.days)), None, ()


@plants("best_move_missing")
def no_best_move_kept(record: Record, rng: random.Random) -> Planted:
    first = next((n for n in record.nights if n.night == 1), None)
    if first is None or not first.killed or not record.best_moves:
        return None
    return replace(record, best_moves=(), best_move_known=False), None, ()


@plants("lift_votes_missing", "disbord")
def no_lift_votes(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, [d for d in voting_days(record) if d.lift and d.left])
    return day and (with_day(record, replace(day, lift=None, lift_known=False)), ("day", day.day), ())


@plants("day_missing")
def day_missing(record: Record, rng: random.Random) -> Planted:
    if record.last_day < 3:
        return None
    quiet = [d for d in record.days[1:-1] if not d.left and not d.removed and not d.fouls]
    day = pick(rng, quiet)
    if day is None:
        return None
    return replace(record, days=tuple(d for d in record.days if d is not day)), ("day", day.day), ()


@plants("seat_impossible")
def seat_eleven(record: Record, rng: random.Random) -> Planted:
    move = BestMoveRecord(11, (1, 2, 3))
    return replace(record, best_moves=(*record.best_moves, move)), None, (11,)


@plants("testament_without_right")
def testament(record: Record, rng: random.Random) -> Planted:
    day = record.days[0]
    if day.left:
        return None
    return with_day(record, replace(day, testament={"seat": 1})), ("day", 1), ()


@plants("third_technical")
def third_technical(record: Record, rng: random.Random) -> Planted:
    day = record.days[-1]
    if not day.removed or day.ballots or record.last_night >= day.day:
        return None
    seat = day.removed[0].seat
    fouls = tuple(f for f in day.fouls if f.seat != seat)
    three = tuple(FoulRecord(seat, "technical", i, "speech") for i in (1, 2, 3))
    removal = RemovalRecord(seat, "technical", "speech")
    return (
        with_day(record, replace(day, fouls=(*fouls, *three), removed=(removal,))),
        ("day", day.day),
        (seat,),
    )


@plants("too_many_fouls")
def fifth_foul(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, [d for d in record.days if d.removed])
    if day is None:
        return None
    seat = day.removed[0].seat
    return (
        with_day(record, replace(day, fouls=(*day.fouls, FoulRecord(seat, "foul", 5, "speech")))),
        ("day", day.day),
        (seat,),
    )


# --- splits, lifts, and what only a gap in the paper shows


def _quiet_days(record: Record, at_table: int | None = None) -> list[DayRecord]:
    """Days on which all of the living spoke and nobody left, so that another tie changes nothing."""
    return [
        d
        for d in record.days
        if not d.left and not d.removed and d.day < record.last_day
        and set(d.speakers or ()) == set(living(record, d.day))
        and (at_table is None or len(living(record, d.day)) == at_table)
    ]  # fmt: skip


def _tied_twice(day: DayRecord, candidates: tuple[int, ...], voters: list[int]) -> DayRecord:
    """`candidates` nominated by the first speakers, with the same even votes in two rounds."""
    nominations = tuple(NominationRecord(s, t) for s, t in zip(day.speakers or (), candidates, strict=False))
    votes = tuple((c, tuple(voters[i :: len(candidates)])) for i, c in enumerate(candidates))
    return replace(
        day, nominations=nominations, candidates=candidates, lift=None,
        ballots=(BallotRecord(1, votes), BallotRecord(2, votes)),
    )  # fmt: skip


@plants("forbidden_split")
def three_at_nine(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, [d for d in _quiet_days(record, 9) if d.day > 1])
    if day is None:
        return None
    voters = living(record, day.day)
    three = tuple(rng.sample(voters, 3))
    return with_day(record, _tied_twice(day, three, voters)), ("day", day.day), three


@plants("lift_of_whole_table", "disbord")
def lift_of_all(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, _quiet_days(record))
    if day is None:
        return None
    voters = living(record, day.day)
    tied = _tied_twice(day, tuple(voters), voters)
    lifted = replace(tied, lift=LiftRecord((), tuple(voters)))
    return with_day(record, lifted), ("day", day.day), tuple(voters)


@plants("revote_candidates_wrong")
def stranger_in_revote(record: Record, rng: random.Random) -> Planted:
    for day in voting_days(record):
        if len(day.ballots) > 1:
            tied = tuple(c for c in day.candidates if c in _leaders(day.ballots[0]))
            other = next((s for s in living(record, day.day) if s not in tied), None)
            if other is not None:
                called = (*tied[:-1], other)
                ballots = (day.ballots[0], replace(day.ballots[1], candidates=called), *day.ballots[2:])
                return with_day(record, replace(day, ballots=ballots)), ("day", day.day), called
    return None


@plants("left_twice")
def left_again_by_vote(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, [d for d in voting_days(record) if gone_before(record, d.day)])
    if day is None:
        return None
    dead = rng.choice(sorted(gone_before(record, day.day)))
    return with_day(record, replace(day, left=(*day.left, dead))), ("day", day.day), (dead,)


@plants("left_twice")
def killed_again(record: Record, rng: random.Random) -> Planted:
    night = pick(rng, [n for n in record.nights if n.killed is None and gone_before(record, n.night)])
    if night is None:
        return None
    dead = rng.choice(sorted(gone_before(record, night.night)))
    return with_night(record, replace(night, killed=dead)), ("night", night.night), (dead,)


@plants("night_missing")
def night_missing(record: Record, rng: random.Random) -> Planted:
    """A miss that nobody wrote down."""
    night = pick(rng, [n for n in record.nights if n.killed is None and n.night < record.last_day])
    if night is None:
        return None
    kept = tuple(n for n in record.nights if n is not night)
    return replace(record, nights=kept), ("night", night.night), ()


@plants("removal_phase_missing")
def removal_without_phase(record: Record, rng: random.Random) -> Planted:
    """On the last day, of one who voted: before or after the result makes a difference to the next vote only."""
    day = record.days[-1]
    if not day.ballots or not day.left or record.last_night >= day.day:
        return None
    seat = rng.choice([s for s in living(record, day.day) if s not in day.left])
    return (
        with_day(record, replace(day, removed=(*day.removed, RemovalRecord(seat, "removal")))),
        ("day", day.day),
        (),
    )


@plants("shots_too_many")
def fourth_shooter(record: Record, rng: random.Random) -> Planted:
    """A fourth who shoots; were his role written it would be the shot of a red."""
    night = pick(rng, [n for n in record.nights if len(n.shots) == 3 and n.killed])
    if night is None:
        return None
    gone = set(day_of(record, night.night).left or ())
    other = rng.choice([s for s in living(record, night.night) if record.roles[s] == "red" and s not in gone])
    four = with_night(record, replace(night, shots=(*night.shots, (other, night.killed))))
    shooters = tuple(s for s, _ in four.nights[record.nights.index(night)].shots)
    return replace(four, roles={**record.roles, other: None}), ("night", night.night), shooters


@plants("winner_unchecked")
def winner_without_roles(record: Record, rng: random.Random) -> Planted:
    """No roles, and of the third black no shot: that red has won may be, and may not be."""
    shooters = {s for n in record.nights for s, _ in n.shots or ()}
    blacks = {s for s, r in record.roles.items() if r in ("don", "mafia")}
    if record.winner != "red" or len(shooters) > 2 or not blacks - shooters:
        return None
    nights = tuple(replace(n, checks=tuple(replace(c, found=None) for c in n.checks)) for n in record.nights)
    return replace(record, roles=dict.fromkeys(range(1, 11)), nights=nights), None, ()


@plants("reveal_by_absent")
def dead_reveals(record: Record, rng: random.Random) -> Planted:
    day = pick(rng, [d for d in record.days if d.day > 2 and gone_before(record, d.day - 1)])
    if day is None:
        return None
    dead = rng.choice(sorted(gone_before(record, day.day - 1)))
    return with_day(record, replace(day, reveals=(RevealRecord(dead, "sheriff"),))), ("day", day.day), (dead,)
