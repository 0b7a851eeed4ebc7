"""Random legal games, as protocols and as events: material for the tests of engine and audit.

Everything here is drawn from a seed; no game of anybody is copied. The decisions of the rules come from
`engine.decide`; that those are right is shown by the hand-made cases and the golden replays.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from mafiavar.engine import decide
from mafiavar.engine import events as ev
from mafiavar.engine.parameters import Ruleset
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
)


@dataclass
class Play:
    """A game being made up."""

    rules: Ruleset
    rng: random.Random
    roles: dict[int, str] = field(default_factory=dict)
    alive: list[int] = field(default_factory=lambda: list(range(1, 11)))
    days: list[DayRecord] = field(default_factory=list)
    nights: list[NightRecord] = field(default_factory=list)
    best_moves: list[BestMoveRecord] = field(default_factory=list)
    fouls: dict[int, int] = field(default_factory=lambda: dict.fromkeys(range(1, 11), 0))
    owes: set[int] = field(default_factory=set)
    off: set[int] = field(default_factory=set)
    opener: int | None = None
    closer: int | None = None
    left_day_one: int = 0
    quiet_nights: int = 0
    quiet_days: int = 0
    misses_at_four: int = 0
    winner: str | None = None
    idle: set[int] = field(default_factory=set)
    foul_chance: float = 0.06
    tie_chance: float = 0.4
    miss_chance: float = 0.2
    nominate_chance: float = 0.45

    # --- helpers

    def blacks(self) -> list[int]:
        return [s for s in self.alive if self.roles[s] in ("don", "mafia")]

    def holder(self, role: str) -> int:
        return next(s for s, r in self.roles.items() if r == role)

    def leave(self, *seats: int) -> None:
        for seat in seats:
            self.alive.remove(seat)
            self.owes.discard(seat)
        blacks = len(self.blacks())
        self.winner = decide.winner(len(self.alive) - blacks, blacks)

    # --- a game

    def record(self) -> Record:
        deck = ["don", "mafia", "mafia", "sheriff"] + ["red"] * 6
        self.rng.shuffle(deck)
        self.roles = dict(zip(range(1, 11), deck, strict=True))
        number = 0
        while self.winner is None:
            number += 1
            self.day(number)
            if self.winner is None:
                self.night(number)
        return Record(
            ruleset=self.rules.name, roles=dict(self.roles), nicknames=dict.fromkeys(range(1, 11)),
            days=tuple(self.days), nights=tuple(self.nights), best_moves=tuple(self.best_moves),
            winner=self.winner, fouls_known=True, best_move_known=True,
        )  # fmt: skip

    def day(self, number: int) -> None:
        before = len(self.alive)
        if self.opener is None:
            self.opener = self.alive[0]
        else:
            self.opener = decide.next_opener(self.rules, self.alive, self.opener, self.closer)
        order = decide.speaking_order(self.alive, self.opener)
        speakers, nominations, fouls, removed = [], [], [], []
        for seat in order:
            if seat not in self.alive:
                continue
            limit = decide.floor_seconds(
                self.rules, "speech", third_foul=seat in self.owes, at_table=len(self.alive)
            )
            self.owes.discard(seat)
            if limit != 0:
                speakers.append(seat)
            self.nominate(seat, nominations)
            if limit != 0 and self.rng.random() < self.foul_chance * 2:
                self.foul(number, seat, fouls, removed)
                if self.winner:
                    break
        self.opener = speakers[0] if speakers else self.opener
        self.closer = speakers[-1] if speakers else self.closer
        day = DayRecord(
            number, speakers=tuple(speakers), nominations=tuple(nominations), ballots=(), left=(),
            candidates=tuple(n.target for n in nominations), lift_known=True,
            fouls=tuple(fouls), removed=tuple(removed),
        )  # fmt: skip
        if not self.winner:
            day = self.vote(day)
        self.days.append(day)
        quiet = len(self.alive) == before
        self.quiet_days = self.quiet_days + 1 if quiet and self.quiet_nights else 0
        if not quiet:
            self.quiet_nights = 0
        elif self.rules.draw == "nights_and_days" and not self.winner:
            over = decide.is_draw(self.rules, self.quiet_nights, self.quiet_days, at_end_of_day=True)
            self.winner = "draw" if over else None

    def nominate(self, seat: int, nominations: list[NominationRecord]) -> None:
        free = [s for s in self.alive if all(n.target != s for n in nominations)]
        if free and self.rng.random() < self.nominate_chance:
            nominations.append(NominationRecord(seat, self.rng.choice(free)))

    def foul(self, day: int, during: int, fouls: list[FoulRecord], removed: list[RemovalRecord]) -> None:
        seat = self.rng.choice(self.alive)
        self.fouls[seat] += 1
        fouls.append(FoulRecord(seat, "foul", self.fouls[seat], "speech", during))
        if self.fouls[seat] == self.rules.fouls_to_leave - 1:
            self.owes.add(seat)
        if self.fouls[seat] == self.rules.fouls_to_leave:
            removed.append(RemovalRecord(seat, "fouls", "speech"))
            self.off.add(day)
            self.leave(seat)

    def vote(self, day: DayRecord) -> DayRecord:
        candidates = day.candidates or ()
        if not decide.vote_is_due(
            self.rules, day=day.day, candidates=len(candidates), cancelled=day.day in self.off
        ):
            return day
        ballots: list[BallotRecord] = []
        previous: tuple[int, ...] | None = None
        now = candidates
        while True:
            ballot = self.ballot(len(ballots) + 1, now)
            verdict = decide.after_ballot(
                self.rules, day=day.day, at_table=len(self.alive), candidates=now,
                tally={t: len(who) for t, who in ballot.votes}, previous_tie=previous,
            )  # fmt: skip
            if verdict.forbidden:
                continue
            ballots.append(ballot)
            if verdict.kind != "revote":
                break
            previous = now = verdict.seats
        left: tuple[int, ...] = ()
        lift = None
        if verdict.kind == "leave":
            left = verdict.seats
        elif verdict.kind == "lift":
            yes = [s for s in self.alive if self.rng.random() < 0.5]
            lift = LiftRecord(tuple(yes), tuple(s for s in self.alive if s not in yes))
            if decide.lift_passes(self.rules, yes=len(yes), at_table=len(self.alive)):
                left = verdict.seats
        at_table = len(self.alive)
        if day.day == 1:
            self.left_day_one = len(left)
        self.leave(*left)
        broken = self.rules.best_move and self.rules.best_move_broken_at_ten
        if broken and at_table == 10 and len(left) == 1 and len(ballots) > 1:
            self.best_moves.append(BestMoveRecord(left[0], tuple(self.rng.sample(range(1, 11), 3))))
        return DayRecord(
            day.day, speakers=day.speakers, nominations=day.nominations, candidates=candidates,
            ballots=tuple(ballots), lift=lift, lift_known=True, left=left, fouls=day.fouls, removed=day.removed,
        )  # fmt: skip

    def ballot(self, number: int, candidates: tuple[int, ...]) -> BallotRecord:
        """Random votes; often evened out, so that ties and lifts happen."""
        votes: dict[int, list[int]] = {c: [] for c in candidates}
        if self.rng.random() < self.tie_chance:
            share = candidates[: self.rng.randint(1, len(candidates))]
            for i, seat in enumerate(self.alive):
                votes[share[i % len(share)]].append(seat)
        else:
            for seat in self.alive:
                votes[self.rng.choice(candidates)].append(seat)
        last = candidates[-1]
        remainder = tuple(s for s in votes[last] if self.rng.random() < 0.3)
        return BallotRecord(number, tuple((c, tuple(who)) for c, who in votes.items()), remainder)

    def night(self, number: int) -> None:
        blacks = self.blacks()
        victim: int | None = self.rng.choice(self.alive)
        shots: dict[int, int | None] = dict.fromkeys(blacks, victim)
        if self.rng.random() < self.miss_chance:
            # At somebody else; with one black left, at nobody (and only once: see clause 8.5.8.4).
            shooter = self.rng.choice(blacks)
            if len(blacks) > 1:
                shots[shooter] = self.rng.choice([s for s in self.alive if s != victim])
                victim = None
            elif shooter not in self.idle:
                self.idle.add(shooter)
                shots[shooter] = victim = None
        checks = []
        don, sheriff = self.holder("don"), self.holder("sheriff")
        if don in self.alive:
            banned = shots[don] if number == 1 else None
            target = self.rng.choice([s for s in self.alive if s not in (don, banned)])
            checks.append(CheckRecord("don", target, target == sheriff))
        if sheriff in self.alive:
            target = self.rng.choice([s for s in self.alive if s != sheriff])
            checks.append(CheckRecord("sheriff", target, self.roles[target] in ("don", "mafia")))
        self.nights.append(NightRecord(number, tuple(shots.items()), victim, True, tuple(checks)))
        if victim is not None:
            if decide.best_move_right(
                self.rules,
                night=number,
                at_table_before=len(self.alive),
                left_by_vote_day_one=self.left_day_one,
            ):
                self.best_moves.append(BestMoveRecord(victim, tuple(self.rng.sample(range(1, 11), 3))))
            self.leave(victim)
            self.misses_at_four = 0
            self.quiet_nights = self.quiet_days = 0
            return
        self.quiet_nights += 1
        self.misses_at_four = self.misses_at_four + 1 if len(self.alive) == 4 else 0
        if len(self.alive) == 4 and self.misses_at_four == self.rules.four_player_misses_win:
            self.winner = "red"
            return
        if decide.is_draw(self.rules, self.quiet_nights, self.quiet_days, at_end_of_day=False):
            self.winner = "draw"


def legal_record(rules: Ruleset, seed: int, **chances: float) -> Record:
    """A whole legal game under `rules`; the same seed gives the same game."""
    return Play(rules, random.Random(seed), **chances).record()  # type: ignore[arg-type]


# --- as events


def events_of(record: Record, rules: Ruleset) -> list[ev.Event]:
    """The game of a protocol as a table would play it."""
    out: list[ev.Event] = [
        ev.GameStarted(),
        ev.NightBegan(0),
        ev.NegotiationBegan(),
        ev.NegotiationEnded(),
        ev.DayBegan(),
    ]
    nights = {n.night: n for n in record.nights}
    best = {m.seat: m for m in record.best_moves}
    killed_before: int | None = None
    third: set[int] = set()
    counts = dict.fromkeys(range(1, 11), 0)
    alive = set(range(1, 11))
    opener: int | None = None
    closer: int | None = None
    for day in record.days:
        if killed_before is not None:
            out += [ev.FloorGiven(killed_before, 60, "last_word"), ev.FloorEnded(killed_before, "pas")]
        due = decide.next_opener(rules, sorted(alive), opener, closer) if opener else 1
        opener = day.speakers[0] if day.speakers else due
        closer = day.speakers[-1] if day.speakers else closer
        out += _day_events(day, rules, alive, third, counts, due)
        left = day.left or ()
        if left:
            out.append(ev.Eliminated(left, "lift" if day.lift else "vote"))
            alive -= set(left)
            if left[0] in best and len(left) == 1:
                out += _best_move(best[left[0]])
            for seat in left:
                out += [ev.FloorGiven(seat, 60, "last_word"), ev.FloorEnded(seat, "spasibo")]
        night = nights.get(day.day)
        if night is None:
            break
        out += _night_events(night, best)
        killed_before = night.killed
        alive -= {night.killed} if night.killed else set()
        if day.day + 1 in {d.day for d in record.days}:
            out.append(ev.DayBegan())
    out.append(ev.GameEnded(record.winner))
    return out


def _best_move(move: BestMoveRecord) -> list[ev.Event]:
    return [
        ev.FloorGiven(move.seat, 20, "best_move"),
        ev.BestMove(move.seat, move.targets),
        ev.FloorEnded(move.seat),
    ]


def _day_events(
    day: DayRecord, rules: Ruleset, alive: set[int], third: set[int], counts: dict[int, int], due: int
) -> Iterator[ev.Event]:
    nominations = list(day.nominations or ())
    order = decide.speaking_order(sorted(alive), due)
    for seat in order:
        if seat not in alive:
            continue
        speaks = seat in (day.speakers or ())
        if speaks:
            limit = decide.floor_seconds(rules, "speech", third_foul=seat in third, at_table=len(alive))
            yield ev.FloorGiven(seat, limit, "speech")
        third.discard(seat)
        for n in [n for n in nominations if n.seat == seat]:
            yield ev.Nominated(n.seat, n.target)
        for foul in [f for f in day.fouls if f.during == seat]:
            yield ev.Foul(foul.seat, "foul", foul.ordinal)
            counts[foul.seat] += 1
            if counts[foul.seat] == rules.fouls_to_leave - 1:
                third.add(foul.seat)
            if counts[foul.seat] == rules.fouls_to_leave:
                yield ev.Eliminated((foul.seat,), "fouls")
                alive.discard(foul.seat)
        if speaks and seat in alive:
            yield ev.FloorEnded(seat, "pas")
    previous: tuple[int, ...] = ()
    for ballot in day.ballots or ():
        now = day.candidates or () if ballot.round == 1 else previous
        if ballot.round > 1:
            for seat in now:
                yield ev.FloorGiven(seat, rules.revote_seconds, "revote")
                yield ev.FloorEnded(seat, "pas")
        yield ev.VoteOpened(ballot.round, now)
        votes = dict(ballot.votes)
        for target in now:
            yield ev.VoteCalled(ballot.round, target)
            for seat in votes[target]:
                if seat not in ballot.remainder:
                    yield ev.VoteCast(ballot.round, target, seat, "right", "fist_vertical")
            yield ev.VoteClosed(ballot.round, target)
            for seat in ballot.remainder if target == now[-1] else ():
                yield ev.VoteCast(ballot.round, target, seat, remainder=True)
            yield ev.VoteAnnounced(ballot.round, target, len(votes[target]))
        previous = decide.top({t: len(w) for t, w in votes.items()}, now)
        if ballot.round == 1 and rules.revote_order == "reversed":
            previous = previous[::-1]
    if day.lift is not None:
        yield ev.LiftCalled(previous)
        for seat in day.lift.yes or ():
            yield ev.LiftCast(seat, True)
        for seat in day.lift.no or ():
            yield ev.LiftCast(seat, False)
        yield ev.LiftResult(len(day.lift.yes or ()), len(day.lift.no or ()))


def _night_events(night: NightRecord, best: dict[int, BestMoveRecord]) -> Iterator[ev.Event]:
    yield ev.NightBegan(night.night)
    yield ev.ShootingBegan(night.night)
    for shooter, target in night.shots or ():
        yield ev.Shot(night.night, shooter, target)
    for check in night.checks or ():
        yield ev.Check(check.by, check.target, night.night, check.found)  # type: ignore[arg-type]
    yield ev.NightResult(night.night, night.killed)
    if night.killed is not None:
        yield ev.Eliminated((night.killed,), "shot")
        if night.killed in best:
            yield from _best_move(best[night.killed])
