"""Departures of the judge and the table after which the game goes another way.

The engine is total: it follows a wrong opener, a vote nobody may hold or a player who should have left,
and says what was wrong. Here such moves are made on purpose; their truth begins where the wrong was done
and ends, where the engine can only tell it by the next move, with that move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mafiavar.engine import decide
from mafiavar.engine.ahead import Expected
from mafiavar.engine.issue import Issue
from mafiavar.engine.state import Phase
from mafiavar.sample_videos.composer import at
from mafiavar.sample_videos.script import END, Anchor
from mafiavar.sample_videos.writer.facts import BLACK
from mafiavar.sample_videos.writer.mischief import (
    BROKEN_TABLE,
    DUE_VOTE,
    LEAVING,
    LINGERING,
    NINE,
    NO_VOTE,
    OPENING,
    STAYED,
    TEN,
)

if TYPE_CHECKING:
    from mafiavar.sample_videos.writer.game import GameWriter


class Misrule:
    """Wrong moves of one game. `w`: the writer whose table it is.

    lingering: a killed player who has not got up from the table (0 = nobody).
    """

    def __init__(self, w: GameWriter) -> None:
        self.w, self.d = w, w.d
        self.g = np.random.default_rng([w.wishes.seed, 95])
        self.lingering = 0
        self._open: dict[str, Anchor] = {}  # wrongs that the next move will show: kind -> begin
        self._keeps = 0  # a seat with four fouls whom the judge lets play on
        self._holds = False  # the judge will forget that today's vote is cancelled
        # on day one only one is nominated, and is voted on although 4.5.10 has no vote then
        self._single = bool(w.deck.draw(NO_VOTE, 0.08))
        self._ballots: dict[int, tuple[tuple[int, ...], ...]] = {}  # round -> voters of each candidate

    # ---- what the engine says of them ------------------------------------------------------------
    def shown(self, issue: Issue, line: str) -> None:
        """An issue that the event of `line` raised: closes the wrong that waited for it."""
        start = self._open.pop(issue.kind, None)
        if start is not None:
            self.d.flag(issue.kind, issue.seats, start, at(line, "end"))
            if issue.kind == "fourth_foul_not_enforced":
                self._keeps = 0

    def due(self) -> tuple[Expected, ...]:
        """What comes next at this table: the rules', but for a seat that is let play on."""
        game = self.w.game
        return game.with_(must_leave=()).due() if self._keeps else game.due()

    def survives(self, seat: int) -> bool:
        """Does the game go on when `seat` leaves?"""
        rest = [self.w.facts.roles[s] for s in self.d.alive if s != seat]
        black = sum(r in BLACK for r in rest)
        return 0 < black < len(rest) - black

    def _one(self, seats: Sequence[int]) -> int:
        return int(seats[int(self.g.integers(len(seats)))]) if seats else 0

    # ---- speeches --------------------------------------------------------------------------------
    def opener(self, seat: int) -> int:
        """Who gets the first word of the day: `seat`, or, by mistake, somebody else."""
        game = self.w.game
        if game.spoken or game.phase is not Phase.DAY or not self.w.deck.draw(OPENING, 0.1):
            return seat
        before = game.previous_opener  # mostly the judge begins where he began the day before
        others = [s for s in self.d.alive if s != seat and game.limit(s, "speech") != 0]
        if not others:
            return seat
        return before if before in others and self.g.random() < 0.6 else self._one(others)

    def nominee(self, target: int | None, taken: Sequence[int]) -> int | None:
        """Whom a speaker nominates: nobody, where a single candidate is planned."""
        return None if self._single and self.w.game.day == 1 and taken else target

    def opened(self, seat: int, due: int, line: str) -> None:
        """The first word has been given in `line`."""
        if seat != due:
            self.d.flag("wrong_opener", (seat,), at(line), at(line, "end"), expected=due)

    def word_to_the_dead(self, seat: int, seconds: int) -> str:
        """The judge calls a seat that has left, notices, and gives the word to `seat`. "" = nobody has left."""
        d = self.d
        dead = [s for s in range(1, 11) if s not in d.alive and s != self.lingering]
        if not dead:
            return ""
        near = max(dead, key=lambda s: (s - seat) % 10)  # the chair just before the speaker's
        gone = near if self.g.random() < 0.7 else self._one(dead)
        line = d.floor(gone, "speech", seconds)
        d.flag("dead_player_acts", (gone,), at(line), at(line, "end"))
        return d.judge(
            d.voice.say("sorry", (), 0.0, a=seat),
            {"kind": "floor_given", "seat": seat, "seconds": seconds, "purpose": "speech"},
            gap=0.7,
        )

    def quarrel(self, speaker: int, enforced: bool) -> str:
        """A seat calls into a speech until its fourth foul; the judge sends it away, or forgets to.

        Returns the line of the fourth foul, "" when nobody can be had for it.
        """
        d, w = self.d, self.w
        w.sync()
        fouls = w.game.ledger.fouls_of
        able = [s for s in d.alive if s != speaker and fouls(s) <= 3 and (not enforced or self.survives(s))]
        if not able:
            return ""
        most = max(fouls(s) for s in able)
        seat = self._one([s for s in able if fouls(s) == most])
        line = ""
        for ordinal in range(most + 1, 5):
            d.chat(speaker)
            said = d.say(
                seat, d.manner[seat].say("interject", (), 0.0).text, over=d.c.lines[-1].id, gap=d.u(0.5, 0.9)
            )
            d.flag("speech_out_of_turn", (seat,), at(said), at(said, "end"))
            if ordinal < 4 or enforced:
                line = d.foul(seat, ordinal, gap=0.5)
                continue
            event = {"kind": "foul", "seat": seat, "level": "foul", "ordinal": 4}
            line = d.judge(d.voice.say("foul_fourth_only", (), 0.0, a=seat), event, gap=0.5)
            self._open["fourth_foul_not_enforced"] = at(line)
            self._keeps = seat
        if enforced:
            self._sent_away(seat, line)
        w.sync()
        return line

    def removal(self, seat: int) -> str:
        """The speaker swears and is removed. "" = the game would end with it."""
        d = self.d
        if not self.survives(seat):
            return ""
        said = d.chat(seat, "obscene")
        d.flag("phrase_obscene", (seat,), at(said), at(said, "end"))
        line = d.judge(
            d.voice.say("removal", (), 0.0, a=seat),
            {"kind": "foul", "seat": seat, "level": "removal", "ordinal": None},
            {"kind": "eliminated", "seats": [seat], "by": "removal"},
            gap=0.5,
        )
        self._sent_away(seat, line)
        return line

    def _sent_away(self, seat: int, line: str) -> None:
        self.d.alive.remove(seat)
        self.d.depart(seat, line, 1.0)

    def during_speech(self, kind: str, seat: int) -> bool:
        """Plant what belongs into the speech of `seat`. True when the speech is over with it."""
        if kind == "fourth_foul_not_enforced" and not self._keeps:
            self.quarrel(seat, enforced=False)
        elif kind == "vote_held_though_cancelled":
            own = self.g.random() < 0.5
            done = self.removal(seat) if own else self.quarrel(seat, enforced=True)
            self._holds = self._holds or bool(done)
            return own and bool(done)
        return False

    # ---- votes -----------------------------------------------------------------------------------
    def skips_vote(self) -> bool:
        """The judge forgets a vote that is due and has said so."""
        d = self.d
        if self.lingering or not self.w.deck.draw(DUE_VOTE, 0.05):
            return False
        self._open["vote_not_held_though_due"] = at(d.judge(d.voice.say("vote_off"), gap=1.0))
        return True

    def plan(self, number: int, candidates: Sequence[int]) -> dict[int, int] | None:
        """Votes that lead to a planted split, lift or break; None: the table votes as it likes."""
        if number == 1:
            self._ballots = {}
            self._planned(candidates)
        voters = self._ballots.pop(number, None)
        if voters is None or len(voters) > len(candidates):
            self._ballots = {}
            return None
        return {s: int(candidates[k]) for k, seats in enumerate(voters) for s in seats if s in self.d.alive}

    def _planned(self, candidates: Sequence[int]) -> None:
        rules, table = self.w.rules, len(self.d.alive)
        if table == rules.seats and len(candidates) > 1:
            kinds = self.w.deck.draw(TEN, 0.15)
            if "forbidden_lift" in kinds:
                self._ballots = {1: self._even(2), 2: self._even(2)}
            elif kinds:
                self._ballots = {1: self._even(2), 2: self._decided()}
        split = next((k for k, n in sorted(rules.forbidden_splits) if n == table), 0)
        if split and len(candidates) >= split and table % split == 0 and self.w.deck.draw(NINE, 0.25):
            again = self.g.random() < 0.4
            self._ballots = {1: self._even(split), 2: self._even(split) if again else self._decided()}

    def _shuffled(self) -> list[int]:
        return [int(s) for s in self.g.permutation(self.d.alive)]

    def _even(self, parts: int) -> tuple[tuple[int, ...], ...]:
        order = self._shuffled()
        return tuple(tuple(order[k::parts]) for k in range(parts))

    def _decided(self) -> tuple[tuple[int, ...], ...]:
        order = self._shuffled()
        few = len(order) // 2 - 1
        return (tuple(order[few:]), tuple(order[:few]))

    def split(self, line: str) -> None:
        """The tied have been told in `line`; the first of them will speak although the split is forbidden."""
        self._open["forbidden_split"] = at(line)

    def shouts(self) -> bool:
        """Does somebody call out between a break at ten and the best move? Elsewhere there is nothing to wait for."""
        last = self.w.game.left[-1] if self.w.game.left else None
        at_ten = last is not None and last.by == "vote" and last.at_table == self.w.rules.seats
        return at_ten and bool(self.w.deck.draw(BROKEN_TABLE, 0.5))

    def leaver(self, seats: Sequence[int], by: str) -> int:
        """A candidate whom the judge sends away instead of the one voted out; 0 = he makes no mistake."""
        game = self.w.game
        if by != "vote" or len(seats) != 1 or game.vote is None or game.vote_cancelled:
            return 0
        others = [c for c in game.vote.candidates if c not in seats and c in self.d.alive]
        return self._one(others) if others and self.w.deck.draw(LEAVING, 0.06) else 0

    # ---- before the night -------------------------------------------------------------------------
    def before_night(self) -> bool:
        """What the judge does instead of announcing the night. True when the rules have to be asked again."""
        game = self.w.game
        verdict = game.verdict()
        if verdict is not None and verdict.kind == "stay" and game.phase is Phase.VOTE:
            if len(verdict.seats) > 1 and self.w.deck.draw(STAYED, 0.5):
                self._forbidden_lift(verdict.seats)
                return True
        elif game.phase is Phase.DAY:
            return self._no_vote_due()
        return False

    def _forbidden_lift(self, tied: tuple[int, ...]) -> None:
        d = self.d
        yes = [s for s in self.w.facts.lift(self.w.game.day, d.alive) if s in d.alive]
        before = len(d.c.lines)
        d.lift_vote(list(tied), yes)
        call = d.c.lines[before].id
        d.flag("forbidden_lift", tied, at(call), at(call, "end"), at_table=len(d.alive))

    def _no_vote_due(self) -> bool:
        """A day without a vote: the judge says so, or holds one all the same."""
        game, d = self.w.game, self.d
        candidates = list(game.candidates)
        why = decide.vote_not_due_reason(
            game.rules, day=game.day, candidates=len(candidates), cancelled=game.vote_cancelled
        )
        holds, self._holds = self._holds, False
        if why == "single":
            holds = self._single
        if why == "cancelled" and game.day == 1 and len(candidates) == 1:
            holds = False  # two grounds at once: what is wrong with it would be a matter of taste
        if holds and why in ("cancelled", "single") and candidates and set(candidates) <= set(d.alive):
            self._held(candidates, why)
            return True
        if why in ("cancelled", "single", "nobody") and self.g.random() < 0.7:
            d.judge(d.voice.say("no_vote" if why == "nobody" else "vote_off"), gap=1.0)
        return False

    def _held(self, candidates: list[int], why: str) -> None:
        d, w = self.d, self.w
        opened = d.open_vote(candidates, 1)
        single = tuple(candidates) if why == "single" else ()
        d.flag("vote_held_though_cancelled", single, at(opened), at(opened, "end"))
        parts = self._decided() if len(candidates) > 1 else (tuple(d.alive),)
        cast = {s: candidates[k] for k, seats in enumerate(parts) for s in seats}
        w.trouble.vote(1, candidates, cast, (), self.ghost(candidates))
        self.gets_up(at(d.c.lines[-1].id, "end", 1.0))
        w.sync()
        verdict = w.game.verdict()
        if why == "single" or verdict is None or verdict.kind != "leave":
            return  # the rules go on from here by themselves
        if self.g.random() < 0.5:  # remembered in time: nobody leaves
            d.judge(d.voice.say("vote_off"), gap=0.9)
            return
        out = w.sent_away(verdict.seats, "vote")
        d.flag("vote_held_though_cancelled", verdict.seats, at(out), at(out, "end"))

    # ---- the dead --------------------------------------------------------------------------------
    def lingers(self, seat: int, line: str) -> bool:
        """Does a player killed in the night stay in the chair after the last word, to vote once more?"""
        shot = bool(self.w.game.left) and self.w.game.left[-1].by == "shot"
        over = "" not in self.w.game.winners_possible()
        if not shot or over or self.lingering or not self.w.deck.draw(LINGERING, 0.08):
            return False
        assert line
        self.lingering = seat
        return True

    def ghost(self, candidates: Sequence[int]) -> Mapping[int, int]:
        """target -> the lingering seat whose hand comes down there; nobody counts it."""
        if not self.lingering:
            return {}
        return {int(candidates[int(self.g.integers(len(candidates)))]): self.lingering}

    def gets_up(self, moment: Anchor) -> None:
        """Whoever lingered leaves the chair."""
        if self.lingering:
            self.d.c.act("away", self.lingering, moment, Anchor(END, "end", 0.0))
            self.lingering = 0

    def is_gone(self, seat: int) -> bool:
        """Has the chair of `seat` been emptied for good?"""
        return any(a.kind == "away" and a.seat == seat and a.stop.line == END for a in self.d.c.acts)
