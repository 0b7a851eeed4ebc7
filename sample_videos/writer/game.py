"""Whole games: the engine says what is due, the facts who does it, the scenes how it looks and sounds."""

from __future__ import annotations

from collections.abc import Callable
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
from mafiavar.sample_videos.script import END, RULESETS, Script
from mafiavar.sample_videos.sound.voices import voices_of
from mafiavar.sample_videos.writer.facts import BLACK, Facts, FromProtocol, MadeUp
from mafiavar.sample_videos.writer.mischief import (
    BEST_MOVE,
    BROKEN_TABLE,
    LAST_WORD,
    NIGHT,
    SPEECH,
    VOTE,
    Deck,
)
from mafiavar.sample_videos.writer.phrasebook import JUDGE_STYLES
from mafiavar.sample_videos.writer.scenes import Director, Mischief
from mafiavar.sample_videos.writer.trouble import Trouble

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
        self.trouble = Trouble(self.d, self.g, wishes.condensed)
        self.issues: list[Issue] = []
        self._lines = self._acts = 0
        self.trouble.ordinal = self._next_foul

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
            "night_began": self.night, "day_began": self.first_morning, "floor_given": self.floor,
            "vote_opened": self.vote, "lift_called": self.lift, "eliminated": self.leave, "game_ended": self.end,
            "floor_ended": self.close_floor,
        }  # fmt: skip
        for _ in range(LONGEST):
            need = self.game.due()
            if not need or self.game.phase is Phase.OVER:
                break
            if self.wishes.days and need[0].kind == "night_began" and self.game.day >= self.wishes.days:
                self.last_night()
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

    # ---- night 0 and mornings -------------------------------------------------------------------
    def night(self, need: Expected) -> None:
        if need.value("night") == 0:
            self.negotiation()
        else:
            self.real_night()

    def negotiation(self) -> None:
        d = self.d
        d.night_number = -1
        line = d.nightfall()
        black = [s for s, r in self.facts.roles.items() if r in BLACK]
        opened = d.judge(d.voice.say("negotiation"), {"kind": "negotiation_began"}, gap=3.0)
        closed = d.judge(
            d.voice.say("negotiation_end"),
            {"kind": "negotiation_ended"},
            gap=4.0 if self.wishes.condensed else 30.0,
        )
        for s in sorted(black):
            d.wake(s, opened, closed)
        if d.voice.has("seating") and self.rules.free_seating_seconds is not None:
            d.judge(d.voice.say("seating"), {"kind": "free_seating_began"}, gap=1.5)
        self.c.act("music", 0, at(line, "end", 0.4), at(closed, "end", 0.6))

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

    def talk(self, seat: int, sentences: int) -> list[str]:
        """Some sentences of a speech; numbers in them nominate nobody."""
        out = []
        for _ in range(sentences):
            if self.g.random() < 0.45 and len(self.d.alive) > 2:
                out.append(self.d.chat(seat, "mention", **self._numbers(seat)))
            else:
                out.append(self.d.chat(seat))
        return out

    def speech(self, seat: int, seconds: int) -> None:
        d = self.d
        given = d.floor(seat, "speech", seconds)
        length = int(self.g.integers(2, 5)) if self.wishes.condensed else int(self.g.integers(10, 15))
        planted = self.deck.draw(SPEECH, 0.22)
        kind = planted[0] if planted else ""
        first = self.talk(seat, max(1, length // 2))
        self.trouble.during_speech(kind, seat, first)
        taken = list(self.game.candidates)
        target = self.facts.nomination(self.game.day, seat, d.alive, taken)
        ended = self.nominations(seat, target, taken, kind)
        if not ended:
            self.talk(seat, length - length // 2)
            if self.trouble.overrun(kind, seat, given, seconds):
                return
            d.floor_end(seat)

    def nominations(self, seat: int, target: int | None, taken: list[int], kind: str) -> bool:
        """What the seat nominates, honestly or not. True when the floor has been taken away."""
        d, free = self.d, [s for s in self._others(seat) if s not in taken]
        if kind == "nomination_tense" and free:
            self.trouble.wrong_tense(seat, free[0], accepted=True)
            return False
        if self.g.random() < 0.06 and free:  # the usual case: the judge does not accept it
            self.trouble.wrong_tense(seat, free[-1], accepted=False)
        known = [s for s in taken if s != seat]
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
        cast = self.facts.votes(self.game.day, number, candidates, d.alive)
        planted = self.deck.draw(VOTE, 0.45, 2)
        wrong = "wrong_vote_order" in planted and len(candidates) > 1
        if wrong:  # the judge puts up the second before the first
            candidates[:2] = candidates[1::-1]
        opened = d.open_vote(candidates, number)
        if wrong:
            d.flag("wrong_vote_order", (), at(opened), at(opened, "end"))
        self.trouble.vote(opened, number, candidates, cast, planted)
        if number > 1 or len(candidates) > 1:
            self.sync()
            verdict = self.game.verdict()
            if verdict is not None and verdict.kind in ("revote", "respeech"):
                d.judge(d.voice.say("tie", verdict.seats), gap=0.8)

    def lift(self, need: Expected) -> None:
        d = self.d
        candidates = [int(x) for x in need.value("candidates")]
        yes = [s for s in self.facts.lift(self.game.day, d.alive) if s in d.alive]
        d.lift_vote(candidates, yes)

    def leave(self, need: Expected) -> None:
        seats = [int(s) for s in dict(need.fields)["seats"][0]]
        by = str(dict(need.fields)["by"][0])
        purpose = "lift_yes" if by == "lift" else "out"
        s = self.d.voice.say(purpose, tuple(seats), a=seats[0])
        if len(seats) > 1 and by != "lift":
            s = self.d.voice.say("lift_yes", tuple(seats))
        self.d.judge(s, {"kind": "eliminated", "seats": seats, "by": by}, gap=1.0)
        for x in seats:
            self.d.alive.remove(x)

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
        if not any(a.kind == "away" and a.seat == seat and a.stop.line == END for a in self.c.acts):
            d.depart(seat, line, 0.8)

    def close_floor(self, need: Expected) -> None:
        self.d.floor_end(int(need.value("seat")))

    # ---- nights ---------------------------------------------------------------------------------
    def real_night(self) -> None:
        d, night = self.d, self.game.day
        d.night_number = night - 1
        planted = self.deck.draw(NIGHT, 0.5, 2)
        late = self.trouble.someone(self._innocent()) if "mask_late" in planted else 0
        line = d.nightfall(Mischief({"mask_late": late}) if late else None)
        shots = self.facts.shots(night, d.alive)
        d.hunt(shots, how=self.rules.shooting)
        self.trouble.night([k for k in planted if k != "mask_late"], self._innocent(late), line)
        closing = ""
        for by in ("don", "sheriff"):
            seat = next((s for s in d.alive if self.facts.roles[s] == by), None)
            target = self.facts.check(night, by, d.alive) if seat is not None else None
            if by == "don" and night == 1 and target is not None and self.rules.don_first_night_ban:
                target = self._not_shot(seat, target, shots, "night_check_of_own_shot" in planted)
            found = (
                None
                if target is None
                else self.facts.roles[target] == "sheriff"
                if by == "don"
                else self.facts.roles[target] in BLACK
            )
            opening, closing = d.check(by, seat, target, found)
            if (
                by == "don"
                and seat is not None
                and target is not None
                and target == shots.get(seat)
                and night == 1
                and self.rules.don_first_night_ban
            ):
                d.flag("night_check_of_own_shot", (seat,), at(opening), at(closing, "end"), target=target)
        self.c.act("music", 0, at(line, "end", 0.4), at(closing, "end", 0.3))
        self.dawn(night, shots)

    def _innocent(self, *but: int) -> list[int]:
        """Seats that nobody calls at night."""
        return [s for s in self.d.alive if self.facts.roles[s] == "red" and s not in but]

    def _not_shot(self, don: int | None, target: int, shots: dict[int, int | None], planted: bool) -> int:
        """The don may not check in the first night whom he has just shot (4.6.9)."""
        mine = shots.get(don) if don is not None else None
        if mine is None:
            return target
        if planted:
            return mine
        if target != mine:
            return target
        free = [s for s in self.d.alive if s not in (mine, don) and self.facts.roles[s] not in BLACK]
        return free[int(self.g.integers(len(free)))] if free else target

    def dawn(self, night: int, shots: dict[int, int | None]) -> None:
        d = self.d
        aimed = set(shots.values())
        killed = next(iter(aimed)) if len(aimed) == 1 and None not in aimed else None
        if killed is None:
            d.morning(masked=False, night=night, miss=True)
            return
        self.sync()
        if (
            self.rules.best_move
            and self.game.apply(event_from("night_result", {"night": night, "killed": killed}))[
                0
            ].best_move_for
        ):
            result = d.judge(d.voice.say("best_move", a=killed), {"kind": "night_result", "night": night, "killed": killed},
                             {"kind": "floor_given", "seat": killed, "seconds": int(self.rules.best_move_seconds), "purpose": "best_move"}, gap=1.2)  # fmt: skip
            self._best_move_words(killed)
            d.morning(masked=False, night=night, killed=killed, told=True)
            assert result
            return
        d.morning(masked=False, night=night, killed=killed)

    def best_move(self, seat: int) -> None:
        """A best move by day (the table was broken at ten)."""
        if self.deck.draw(BROKEN_TABLE, 0.5):
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
        self._best_move_words(seat)

    def _best_move_words(self, seat: int) -> None:
        targets = self.facts.best_move(seat, self.d.alive)
        planted = self.deck.draw(BEST_MOVE, 0.5)
        self.trouble.best_move(planted[0] if planted else "", seat, targets)

    def last_night(self) -> None:
        """A recording that stops with the nightfall."""
        self.d.night_number = self.game.day - 1
        self.d.nightfall()
        self.d.close_masks()

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
