"""Whole games: the engine says what is due, the facts who does it, the scenes how it looks and sounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mafiavar.engine.ahead import Expected
from mafiavar.engine.events import event_from
from mafiavar.engine.game import Game
from mafiavar.engine.issue import Issue
from mafiavar.engine.ruleset import ruleset
from mafiavar.engine.state import Phase
from mafiavar.sample_videos.composer import Composer, at
from mafiavar.sample_videos.errors import ScriptError
from mafiavar.sample_videos.script import RULESETS, Script
from mafiavar.sample_videos.sound.voices import voices_of
from mafiavar.sample_videos.writer.facts import Facts, FromProtocol, MadeUp
from mafiavar.sample_videos.writer.mischief import LAST_WORD, SPEECH, VOTE, Deck
from mafiavar.sample_videos.writer.misrule import Misrule
from mafiavar.sample_videos.writer.nights import Nights
from mafiavar.sample_videos.writer.phrasebook import JUDGE_STYLES
from mafiavar.sample_videos.writer.scenes import Director
from mafiavar.sample_videos.writer.trouble import Trouble

SENTENCE = 6  # seconds, with what else comes into a speech
TAKES_TIME = ("fourth_foul_not_enforced", "vote_held_though_cancelled")
RISES = 0.06  # how often somebody speaks standing
LONGEST = 400  # scenes: a game that has not ended by then is cut


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the caller wants. days: stop after so many days (0 = to the end); rate: how often rules are broken."""

    ruleset: str = "fsm-2026"
    seed: int = 1
    style: str | None = None
    condensed: bool = True
    days: int = 0
    rate: float = 1.0
    snr_db: float = 25.0


class GameWriter:
    """Writes one game. `issues`: what the engine found wrong (planted errors of the table)."""

    def __init__(self, wishes: Wishes, facts: Facts, options: dict[str, Any]) -> None:
        self.wishes, self.facts = wishes, facts
        self.g = np.random.default_rng([wishes.seed, 91])
        style = wishes.style or JUDGE_STYLES[int(self.g.integers(len(JUDGE_STYLES)))]
        self.c = Composer(wishes.ruleset, wishes.seed)
        self.d = Director(self.c, style, wishes.seed, wishes.ruleset)
        self.deck = Deck(wishes.seed, wishes.ruleset, wishes.rate)
        self.rules = ruleset(wishes.ruleset).with_options(options)
        self.game = Game.new(self.rules, dict(facts.roles))
        self.trouble = Trouble(self.d, self.g, wishes.condensed, may_hold=self.rules.mask_may_be_held)
        self.issues: list[Issue] = []
        self._lines = self._acts = 0
        self._since, self._limit = 0, 60  # where the present speech begins, and its seconds
        self.trouble.ordinal = self._next_foul
        self.misrule = Misrule(self)
        self.nights = Nights(self)

    # ---- keeping step with the engine -----------------------------------------------------------
    def sync(self) -> None:
        """Play what has been written since the last time into the engine."""
        acts = self.c.acts[self._acts :]
        for line in self.c.lines[self._lines :]:
            events = [dict(e) for e in line.events]
            events += [
                dict(a.event) | self._of_act(a)
                for a in acts
                if a.event is not None and a.start.line == line.id
            ]
            for e in events:
                self.game, found = self.game.apply(event_from(e["kind"], e))
                self.issues.extend(found)
                for issue in found:
                    self.misrule.shown(issue, line.id)
        self._lines, self._acts = len(self.c.lines), len(self.c.acts)

    def _next_foul(self, seat: int) -> int:
        self.sync()
        return self.game.ledger.fouls_of(seat) + 1

    @staticmethod
    def _of_act(a: Any) -> dict[str, Any]:
        return {"seat": a.seat, **{k: a.fields[k] for k in ("hand", "form") if k in a.fields}}

    def write(self) -> Script:
        """The script of the whole game."""
        scenes: dict[str, Callable[[Expected], None]] = {
            "night_began": self.nights.night, "day_began": self.first_morning, "floor_given": self.floor,
            "vote_opened": self.vote, "lift_called": self.lift, "eliminated": self.leave, "game_ended": self.end,
            "floor_ended": self.close_floor,
        }  # fmt: skip
        for _ in range(LONGEST):
            need = self.misrule.due()
            if not need or self.game.phase is Phase.OVER:
                break
            if self.wishes.days and need[0].kind == "night_began" and self.game.day >= self.wishes.days:
                self.nights.last()
                break
            self.c.day = self.game.day
            if need[0].kind not in scenes:
                raise ScriptError(
                    "engine",
                    f"сценарист не умеет: {need[0].kind}",
                    f"the writer has no scene for {need[0].kind}",
                )
            scenes[need[0].kind](need[0])
            self.sync()
        return self._finished()

    def _finished(self) -> Script:
        w = self.wishes
        voices = {k: v.as_json() for k, v in voices_of(w.seed).items()}
        return self.c.script(
            roles={str(s): r for s, r in sorted(self.facts.roles.items()) if r != "red"},
            excerpt=False,
            voices={**voices, "audience": {"speed": 1.02, "pitch": 80, "tempo": 1.1}},
            sound={"snr_db": w.snr_db, "judge_style": self.d.style, "condensed": w.condensed, "rt60": round(float(self.g.uniform(0.22, 0.45)), 2)},
            picture={"camera": "high"},
        )  # fmt: skip

    def first_morning(self, _need: Expected) -> None:
        self.d.morning(masked=False)

    # ---- the day --------------------------------------------------------------------------------
    def floor(self, need: Expected) -> None:
        seat, purpose = int(need.value("seat") or dict(need.fields)["seat"][0]), str(need.value("purpose"))
        seconds = int(need.seconds or 60)
        if purpose == "last_word":
            self.last_word(seat, seconds)
        elif purpose == "best_move":
            self.best_move(seat)
        elif purpose == "revote":
            self.d.floor(seat, "revote", seconds)
            self.d.chat(seat, "defend")
            self.d.floor_end(seat)
        else:
            self.speech(seat, seconds)

    def _others(self, seat: int) -> list[int]:
        return [s for s in self.d.alive if s != seat]

    def _numbers(self, seat: int) -> dict[str, int]:
        a, b = (
            (int(x) for x in self.g.choice(self._others(seat), 2, replace=False))
            if len(self.d.alive) > 2
            else (self._others(seat)[0],) * 2
        )
        return {"a": a, "b": b}

    def _spoken(self) -> float:
        """Seconds that the present speech has lasted in the mouth of a slow speaker."""
        words = [w for line in self.c.lines[self._since :] for w in line.text.split()]
        pauses = len(self.c.lines) - self._since
        return sum(0.25 + 0.06 * len(w) for w in words) + 0.5 * pauses

    def talk(self, seat: int, sentences: int) -> list[str]:
        """Some sentences of a speech; numbers in them nominate nobody."""
        out: list[str] = []
        for _ in range(sentences):
            if out and self._spoken() > 0.9 * self._limit:
                break
            if self.g.random() < 0.45 and len(self.d.alive) > 2:
                out.append(self.d.chat(seat, "mention", **self._numbers(seat)))
            else:
                out.append(self.d.chat(seat))
        return out

    def speech(self, seat: int, seconds: int) -> None:
        d = self.d
        planted = self.deck.draw(SPEECH, 0.22)
        kind = planted[0] if planted else ""
        due, seat = seat, self.misrule.opener(seat)
        if seat != due:
            seconds = int(self.game.limit(seat, "speech") or seconds)
        given = (
            self.misrule.word_to_the_dead(seat, seconds) if kind == "dead_player_acts" and seat == due else ""
        )
        given = given or d.floor(seat, "speech", seconds)
        self.misrule.opened(seat, due, given)
        self._since, self._limit = len(self.c.lines), seconds
        length = int(self.g.integers(2, 5)) if self.wishes.condensed else int(self.g.integers(10, 15))
        if seconds < 60:
            length = max(2, min(length, seconds // SENTENCE))
        if kind in TAKES_TIME:  # a quarrel fills the minute
            length = 2
        first = self.talk(seat, max(1, length // 2))
        self.trouble.during_speech(kind, seat, first)
        self.rises(seat, first[0])
        if self.misrule.during_speech(kind, seat):
            return
        taken = list(self.game.candidates)
        target = self.facts.nomination(self.game.day, seat, d.alive, taken)
        ended = self.nominations(seat, self.misrule.nominee(target, taken), taken, kind)
        if not ended:
            if self._spoken() < 0.85 * self._limit:
                self.talk(seat, length - length // 2)
            if self.trouble.overrun(kind, seat, given, seconds):
                return
            d.floor_end(seat)

    def rises(self, seat: int, line: str) -> None:
        """Somebody stands up while speaking: nobody forbids it, nothing must be flagged."""
        g = np.random.default_rng(
            [self.wishes.seed, len(self.c.lines), 97]
        )  # what else happens does not change by it
        if g.random() < RISES:
            start = float(g.uniform(0.3, 0.6))
            stop = start + float(g.uniform(1.4, 2.6))
            self.c.act("posture", seat, at(line, "start", start), at(line, "start", stop), state="standing")

    def nominations(self, seat: int, target: int | None, taken: list[int], kind: str) -> bool:
        """What the seat nominates, honestly or not. True when the floor has been taken away."""
        d, free = self.d, [s for s in self._others(seat) if s not in taken]
        if kind == "nomination_tense" and free:
            self.trouble.wrong_tense(seat, free[0], accepted=True)
            return False
        if self.g.random() < 0.06 and free:  # the usual case: the judge does not accept it
            self.trouble.wrong_tense(seat, free[-1], accepted=False)
        known = [s for s in taken if s != seat and s in d.alive]
        repeat = self.g.random() < 0.10  # a seat that did not listen: mostly the judge refuses it
        if known and (kind == "nomination_repeated" or repeat):
            self.repeat(seat, known[int(self.g.integers(len(known)))], kind == "nomination_repeated")
            return False
        if target is None:
            if self.g.random() < 0.3:
                d.chat(seat, "nobody")
            return False
        if self.g.random() < 0.10 and len(free) >= 3 and target in free:
            self.trouble.series(seat, [target, *[s for s in free if s != target][:2]])
        elif target in taken:
            self.repeat(seat, target, accepted=False)
        else:
            d.nominate(seat, target)
            if kind == "nomination_second" and len(free) > 1:
                other = next(s for s in free if s != target)
                d.nominate(seat, other, accepted=True, reason="second")
                d.flag(
                    "nomination_second",
                    (seat,),
                    at(self.c.lines[-2].id),
                    at(self.c.lines[-1].id, "end"),
                    target=other,
                )
            elif self.g.random() < 0.08 and len(free) > 1:
                d.nominate(seat, next(s for s in free if s != target), accepted=False, reason="second")
        return False

    def repeat(self, seat: int, target: int, accepted: bool) -> None:
        """A nomination of somebody who stands nominated already."""
        self.d.nominate(seat, target, accepted, reason="already nominated")
        if accepted:
            said, answer = self.c.lines[-2].id, self.c.lines[-1].id
            self.d.flag("nomination_repeated", (seat,), at(said), at(answer, "end"), target=target)

    # ---- votes ----------------------------------------------------------------------------------
    def vote(self, need: Expected) -> None:
        d, number = self.d, int(need.value("round"))
        candidates = [int(x) for x in need.value("candidates")]
        if number == 1 and self.misrule.skips_vote():
            self.nights.real_night()
            return
        plan = self.misrule.plan(number, candidates)
        cast = self.facts.votes(self.game.day, number, candidates, d.alive) if plan is None else plan
        planted = self.deck.draw(VOTE, 0.45, 2) if plan is None else []
        wrong = "wrong_vote_order" in planted and len(candidates) > 1
        if wrong:  # the judge puts up the second before the first
            candidates[:2] = candidates[1::-1]
        opened = d.open_vote(candidates, number)
        if wrong:
            d.flag("wrong_vote_order", (), at(opened), at(opened, "end"))
        self.trouble.vote(number, candidates, cast, planted, self.misrule.ghost(candidates))
        self.misrule.gets_up(at(self.c.lines[-1].id, "end", 1.0))
        if number > 1 or len(candidates) > 1:
            self.sync()
            verdict = self.game.verdict()
            if verdict is not None and verdict.kind in ("revote", "respeech"):
                line = d.judge(d.voice.say("tie", verdict.seats), gap=0.8)
                if verdict.forbidden:
                    self.misrule.split(line)

    def lift(self, need: Expected) -> None:
        d = self.d
        candidates = [int(x) for x in need.value("candidates")]
        yes = [s for s in self.facts.lift(self.game.day, d.alive) if s in d.alive]
        d.lift_vote(candidates, yes)

    def leave(self, need: Expected) -> None:
        seats = [int(s) for s in dict(need.fields)["seats"][0]]
        by = str(dict(need.fields)["by"][0])
        other = self.misrule.leaver(seats, by)
        line = self.sent_away([other] if other else seats, by)
        if other:
            self.d.flag("wrong_person_left", (other,), at(line), at(line, "end"), expected=seats)

    def sent_away(self, seats: Sequence[int], by: str) -> str:
        """The judge names those who leave."""
        purpose = "lift_yes" if by == "lift" else "out"
        s = self.d.voice.say(purpose, tuple(seats), a=seats[0])
        if len(seats) > 1 and by != "lift":
            s = self.d.voice.say("lift_yes", tuple(seats))
        line = self.d.judge(s, {"kind": "eliminated", "seats": list(seats), "by": by}, gap=1.0)
        for x in seats:
            self.d.alive.remove(x)
        return line

    def last_word(self, seat: int, seconds: int) -> None:
        d = self.d
        d.floor(seat, "last_word", seconds, gap=0.5)
        planted = self.deck.draw(LAST_WORD, 0.25)
        d.chat(seat, "farewell", **self._numbers(seat))
        self.trouble.last_word(planted[0] if planted else "", seat)
        line = d.floor_end(seat)
        self.sync()
        offers = [
            e
            for e in self.game.expected()
            if e.kind == "floor_given" and dict(e.fields).get("purpose") == ("protocol",)
        ]
        if offers and self.g.random() < 0.6:
            d.floor(seat, "protocol", 20, gap=0.6)
            d.chat(seat, "protocol", **self._numbers(seat))
            line = d.floor_end(seat)
        if not self.misrule.is_gone(seat) and not self.misrule.lingers(seat, line):
            d.depart(seat, line, 0.8)

    def close_floor(self, need: Expected) -> None:
        self.d.floor_end(int(need.value("seat")))

    def best_move(self, seat: int) -> None:
        """A best move by day (the table was broken at ten)."""
        if self.misrule.shouts():
            self.trouble.shout(seat)
        self.d.judge(
            self.d.voice.say("best_move_day", a=seat),
            {
                "kind": "floor_given",
                "seat": seat,
                "seconds": int(self.rules.best_move_seconds),
                "purpose": "best_move",
            },
            gap=0.6,
        )
        self.nights.best_move_words(seat)

    def end(self, need: Expected) -> None:
        winner = dict(need.fields)["winner"][0]
        if isinstance(winner, tuple | list):
            winner = winner[0]
        self.d.judge(self.d.voice.say(f"end_{winner}"), {"kind": "game_ended", "winner": winner}, gap=1.0)
        self.d.close_masks()


def write_game(wishes: Wishes, protocol: Path | None = None) -> Script:
    """A legal game with planted violations. Raises ScriptError for unknown rules or a bad protocol."""
    return writer_for(wishes, protocol).write()


def writer_for(wishes: Wishes, protocol: Path | None = None) -> GameWriter:
    if wishes.ruleset not in RULESETS:
        raise ScriptError(
            "rules", f"неизвестные правила {wishes.ruleset!r}", f"unknown rules {wishes.ruleset!r}"
        )
    if wishes.style is not None and wishes.style not in JUDGE_STYLES:
        raise ScriptError(
            "judge",
            f"манера судьи: {', '.join(JUDGE_STYLES)}",
            f"the judge's manner is one of {', '.join(JUDGE_STYLES)}",
        )
    if protocol is None:
        return GameWriter(wishes, MadeUp(wishes.seed), {})
    facts = FromProtocol(protocol, wishes.seed)
    return GameWriter(wishes, facts, dict(facts.options))
