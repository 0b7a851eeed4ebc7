"""A game at a table as an immutable value.

    game = Game.new(FSM_2026)                    # from «Наступает ночь» on
    game = Game.excerpt(FSM_2026)                # somewhere in day 1 of ten, nothing known before
    game, issues = game.apply(event)             # total: the state follows what the table did
    game.due()                                   # what the rules require next (alternatives, if unknown)
    game.expected()                              # what may legally come, with its limits of time

A `Game` is hashable, compares by value and shares its parts with its successors, so that a beam
search can keep tens of thousands of them. The public state holds no roles; what nights and results
say about them is `roles`, a set over the 2,520 assignments (engine/roles.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mafiavar.engine import ahead, decide
from mafiavar.engine.ahead import Expected
from mafiavar.engine.events import Event, Seat, Winner
from mafiavar.engine.issue import Issue
from mafiavar.engine.moves import transition
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.roles import EVERYTHING, SEATS, RoleSet, blacks_among, known, outcomes, where
from mafiavar.engine.state import (
    EMPTY_LEDGER,
    Floor,
    Ledger,
    Left,
    Lift,
    NightState,
    Nomination,
    Phase,
    Vote,
    changed,
)


@dataclass(frozen=True, slots=True)
class Game:
    """A position. Make one with `Game.new` or `Game.excerpt`, go on with `apply`.

    - `phase`, `day` (0 before day 1), `night` (None by day), `alive` (seats in order)
    - `opener`: who opened this day (None: nobody has spoken yet), `previous_opener`; `spoken` today
    - `floor`: who has the word; `last_words`: who still has the right to a last word; `best_move_for`:
      who still has the right to a best move
    - `nominations` in order; `vote` with its calls; `lift`; `tie`: the tied who speak now
    - `ledger`: fouls; `must_leave`: (seat, by) punished with leaving but still here
    - `left`: departures in order; `votes_off`: days whose vote is cancelled; `result_known`: the
      result of this day's vote is known
    - `roles`: what is known; `decided`: the winner, when the rules already name one; `defeated`: whose
      team has been given the defeat (ППК)
    - `excerpted`: the recording began in mid-game; `unknown_past`: and in the middle of this day or night
    """

    rules: Ruleset
    phase: Phase = Phase.BEFORE
    day: int = 0
    night: int | None = None
    alive: tuple[Seat, ...] = SEATS
    previous_opener: Seat | None = None
    previous_closer: Seat | None = None
    opener: Seat | None = None
    spoken: tuple[Seat, ...] = ()
    floor: Floor | None = None
    last_words: tuple[Seat, ...] = ()
    best_move_for: tuple[Seat, ...] = ()
    nominations: tuple[Nomination, ...] = ()
    vote: Vote | None = None
    lift: Lift | None = None
    tie: tuple[Seat, ...] = ()
    tie_spoken: tuple[Seat, ...] = ()
    ledger: Ledger = EMPTY_LEDGER
    must_leave: tuple[tuple[Seat, str], ...] = ()
    left: tuple[Left, ...] = ()
    votes_off: frozenset[int] = frozenset()
    result_known: bool = False
    night_state: NightState | None = None
    best_moves: tuple[tuple[Seat, tuple[Seat, ...]], ...] = ()
    reveals: tuple[tuple[Seat, str], ...] = ()
    quiet_nights: int = 0
    quiet_days: int = 0
    misses_at_four: int = 0
    roles: RoleSet = EVERYTHING
    decided: Winner | None = None
    defeated: Seat | None = None
    winner: Winner | None = None
    unknown_past: bool = False
    excerpted: bool = False

    # --- making one

    @classmethod
    def new(cls, rules: Ruleset, roles: Mapping[int, str | None] | None = None) -> Game:
        """A game that begins at the beginning. `roles`: seat -> don, mafia, sheriff, red, when known."""
        return cls(rules=rules, roles=known(roles or {}))

    @classmethod
    def excerpt(
        cls,
        rules: Ruleset,
        *,
        day: int = 1,
        alive: Iterable[Seat] = SEATS,
        roles: Mapping[int, str | None] | None = None,
        previous_opener: Seat | None = None,
    ) -> Game:
        """A recording that begins in mid-game: what was before is unknown and blamed on nobody.

        The first event decides the phase: `day_began` or a speech begins day `day`, `night_began`
        begins the night it names, a vote is taken to be on people nominated before.
        """
        seats = tuple(sorted(alive))
        return cls(
            rules=rules, day=day, alive=seats, roles=known(roles or {}), previous_opener=previous_opener,
            unknown_past=True, excerpted=True,
        )  # fmt: skip

    # --- going on

    def apply(self, event: Event) -> tuple[Game, tuple[Issue, ...]]:
        """The position after `event`, and everything that was wrong with it.

        Total: any event in any position gives a position. The state follows what the table did, also
        when the rules forbade it. Raises nothing for wrong play.
        """
        return transition(self, event)

    def play(self, events: Iterable[Event]) -> tuple[Game, tuple[Issue, ...]]:
        """`apply` one after another; all issues together."""
        game, issues = self, list[Issue]()
        for event in events:
            game, more = game.apply(event)
            issues.extend(more)
        return game, tuple(issues)

    def due(self) -> tuple[Expected, ...]:
        """What the rules require next. Several when a fact is missing (a count nobody heard)."""
        return ahead.due(self)

    def expected(self) -> tuple[Expected, ...]:
        """Everything that may legally come next, the required first, with limits of time."""
        return ahead.expected(self)

    def with_(self, **changes: Any) -> Game:
        """A copy with fields changed."""
        return changed(self, **changes)

    # --- looking at it

    @property
    def at_table(self) -> int:
        return len(self.alive)

    @property
    def candidates(self) -> tuple[Seat, ...]:
        """Nominated today, in order."""
        if not self.nominations:
            return ()
        return tuple(dict.fromkeys(n.target for n in self.nominations))

    @property
    def opener_due(self) -> Seat | None:
        """Who must open this day; None in an excerpt where nobody can know."""
        if not self.alive:
            return None
        if self.previous_opener is None:
            return None if self.excerpted or self.day > 1 else self.alive[0]
        return decide.next_opener(self.rules, self.alive, self.previous_opener, self.previous_closer)

    def opener_today(self) -> Seat | None:
        """Who opened this day, or should have, when nobody was heard; None before day 1."""
        if self.opener is not None or self.day == 0 or self.phase is Phase.BEFORE:
            return self.opener
        return self.previous_opener if self.unknown_past else self.opener_due

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The speakers still to come today, in order. Empty outside the day, or when the opener is unknown."""
        opener = self.opener or self.opener_due or (self.spoken[0] if self.spoken else None)
        if self.phase is not Phase.DAY or opener is None:
            return ()
        return decide.still_to_speak(self.alive, opener, self.spoken, self.rules.seats)

    def limit(self, seat: Seat, purpose: str) -> float | None:
        """Seconds the rules give `seat` for a speech now; 0 when he is silent, None without a limit."""
        third = seat in self.ledger.owes
        return decide.floor_seconds(self.rules, purpose, third_foul=third, at_table=self.at_table)

    @property
    def vote_cancelled(self) -> bool:
        return self.day in self.votes_off

    @property
    def vote_due(self) -> bool:
        """Must a first vote be held today (as far as the nominations so far tell)?"""
        return decide.vote_is_due(
            self.rules, day=self.day, candidates=len(self.candidates), cancelled=self.vote_cancelled
        )

    @property
    def split_revealed(self) -> bool:
        """Has the first killed revealed himself so that 7.11.1-2 permit a split? A plain red who took
        it back does not count (`moves` drops withdrawn reveals)."""
        first = {s for x in self.left if x.night == 1 and x.by == "shot" for s in x.seats}
        return any(seat in first for seat, _ in self.reveals)

    def may_make_best_move(self, seat: Seat) -> bool:
        """Has `seat` the right to a best move, or one the text leaves open (7.13)?"""
        if seat in self.best_move_for or self.unknown_past:
            return True
        last = self.left[-1] if self.left else None
        return (
            last is not None
            and last.seats == (seat,)
            and last.by == "vote"
            and decide.best_move_right(
                self.rules,
                night=None,
                at_table_before=last.at_table,
                left_by_vote_day_one=self.left_by_vote_day_one,
                doubtful=True,
            )
        )

    def verdict(self) -> decide.Verdict | None:
        """What follows from the present ballot; None while it runs or when its counts are not known."""
        if self.vote is None or not self.vote.complete:
            return None
        tally = self.vote.tally()
        if tally is None:
            return None
        return decide.after_ballot(
            self.rules,
            day=self.day,
            at_table=len(self.vote.voters),
            candidates=self.vote.candidates,
            tally=tally,
            previous_tie=self.vote.previous_tie,
            revealed=self.split_revealed,
        )

    @property
    def left_by_vote_day_one(self) -> int:
        return sum(
            len(x.seats) for x in self.left if x.day == 1 and x.night is None and x.by in ("vote", "lift")
        )

    def winners_possible(self) -> frozenset[str]:
        """Who may have won already, as far as the roles are known; "" stands for nobody yet."""
        if self.decided:
            return frozenset({self.decided})
        if (seat := self.defeated) is not None:
            # The other team has won; which one that is, his role tells.
            colours = (("red", "black"), ("black", "reds"))
            return frozenset(w for w, role in colours if self.roles & where(seat, role))
        return outcomes(self.roles, self.alive)

    def blacks_possible(self) -> tuple[int, ...]:
        """How many blacks may still sit at the table."""
        return tuple(n for n, mask in enumerate(blacks_among(self.alive)) if self.roles & mask)
