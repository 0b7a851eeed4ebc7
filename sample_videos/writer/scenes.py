"""Scenes of a game: what is said and done when the floor is given, a vote is held, night falls.

Scenes know how a table behaves, not who wins: facts come from the caller. Times of gestures follow the
definitions of FLAGS (docs): planted violations keep a clear margin to their thresholds, honest gestures too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mafiavar.sample_videos.composer import Composer, at, begin
from mafiavar.sample_videos.script import END, Anchor
from mafiavar.sample_videos.writer.phrasebook import REGISTERS, Phrases
from mafiavar.sample_videos.writer.russian import COUNT_ORDINAL, Sentence, votes

FSM_CLAUSES = {
    "hand_early": "6.6.6", "hand_late": "4.5.5", "hand_withdrawn": "6.6.6", "hand_released_before_count": "4.5.6",
    "hand_form": "6.8.9", "two_hands": "6.7.17", "two_candidates": "6.7.17", "vote_missing": "6.6.8",
    "vote_count_mismatch": "4.5.11", "talk_during_vote": "6.6.7", "gesture_during_vote": "6.6.7",
    "speech_out_of_turn": "6.6.1", "speech_overtime": "4.4.1", "time_cut_short": "4.4.1", "nomination_tense": "4.5.2",
    "nomination_second": "4.5.3", "nomination_repeated": "4.5.2", "mask_late": "4.6.1", "mask_by_day": "4.4.6",
    "mask_off_at_night": "4.6.10.2", "head_up_at_night": "4.6.10", "arms_down_at_night": "4.6.10",
    "touch_at_night": "6.8.2", "touch_by_day": "6.6.3", "talk_at_night": "6.8.6", "left_table": "6.8.1",
    "best_move_talk": "8.3.3", "best_move_readback": "4.8.2", "shout_before_best_move": "6.7.13",
    "protocol_early": "4.8.6", "asked_nominations": "7.4", "phrase_oath": "6.9.1", "phrase_obscene": "6.8.15",
    "phrase_appeal": "6.8.8", "phrase_reveal": "6.7.6", "phrase_team_defeat": "6.7.8", "phrase_best_move": "6.8.11",
    "phrase_both_roles": "6.7.14", "address_to_judge": "4.4.4", "table_knock": "6.6.4", "wrong_opener": "4.4.2",
    "wrong_vote_order": "4.5.4", "wrong_person_left": "4.5.11", "vote_held_though_cancelled": "7.1",
    "vote_not_held_though_due": "4.5.1", "forbidden_split": "4.5.14", "forbidden_lift": "7.11.4",
    "dead_player_acts": "4.5.11", "foul_ordinal_wrong": "6.5",
    "fourth_foul_not_enforced": "6.5", "night_check_of_own_shot": "4.6.9",
}  # fmt: skip
CONTACT = (0.14, 0.75)  # how long after the number honest hands touch, seconds


@dataclass(slots=True)
class Mischief:
    """Violations planted into one scene: kind -> seat(s) or details. Empty = an honest scene."""

    what: dict[str, Any] = field(default_factory=dict)

    def take(self, kind: str, seat: int) -> bool:
        """Is this seat to do this?"""
        who = self.what.get(kind)
        return who == seat or (isinstance(who, tuple | list | set) and seat in who)


class Director:
    """Runs scenes into a composer. alive: seats in play; style: the judge's manner."""

    def __init__(self, composer: Composer, style: str, seed: int, ruleset: str) -> None:
        self.c = composer
        self.g = np.random.default_rng([seed, 51])
        self.voice = Phrases(np.random.default_rng([seed, 52]), style)
        self.style, self.ruleset = style, ruleset
        self.alive: list[int] = list(range(1, 11))
        self.night_number = 0
        self.speeches = 0  # of this day
        self.left_handed = {s for s in range(1, 11) if self.g.random() < 0.15}
        self.manner: dict[int, Phrases] = {}
        for s in range(1, 11):
            own = np.random.default_rng([seed, 60 + s])
            self.manner[s] = Phrases(own, "player", REGISTERS[int(own.integers(len(REGISTERS)))])
        self.last_hand_line: dict[tuple[int, str], str] = {}
        self.masked_from: dict[int, Anchor] = {}

    # ---- small words ----------------------------------------------------------------------------
    def u(self, low: float, high: float) -> float:
        return float(self.g.uniform(low, high))

    def clause(self, kind: str) -> str | None:
        return f"fsm-2026:{FSM_CLAUSES[kind]}" if self.ruleset == "fsm-2026" and kind in FSM_CLAUSES else None

    def flag(self, kind: str, seats: Sequence[int], start: Anchor, stop: Anchor, **fields: Any) -> None:
        self.c.flag(kind, tuple(seats), start, stop, self.clause(kind), **fields)

    def judge(
        self,
        s: Sentence,
        *events: dict[str, Any],
        gap: float = 0.45,
        named: bool = False,
        over: str | None = None,
        trap: dict[str, Any] | None = None,
    ) -> str:
        name = self.c.judge(s.text, *events, gap=gap, over=over, trap=trap)
        if named and s.named:
            self._mark(s.named)
        return name

    def _mark(self, words: int) -> None:
        last = self.c.lines[-1]
        self.c.lines[-1] = type(last)(
            last.id, last.speaker, last.text, last.gap, last.over, words, last.events, last.trap
        )

    def say(self, seat: int, text: str, *events: dict[str, Any], gap: float = 0.25, **how: Any) -> str:
        return self.c.say(seat, text, *events, gap=gap, **how)

    def hand_of(self, seat: int) -> str:
        return "left" if seat in self.left_handed else "right"

    # ---- the day --------------------------------------------------------------------------------
    def morning(
        self, masked: bool, night: int = 0, killed: int | None = None, miss: bool = False, told: bool = False
    ) -> str:
        """The judge wakes the town.

        masked: everybody still has the mask on (a recording that begins at dawn); told: the killed has
        already been named (best move in the night).
        """
        self.c.day += 1
        self.speeches = 0
        before = self.c.day - 1
        events: list[dict[str, Any]] = [{"kind": "day_began"}]
        result = {"kind": "night_result", "day": before, "night": night, "killed": killed}
        gone = {"kind": "eliminated", "day": before, "seats": [killed], "by": "shot", "night": night}
        if killed is not None and told:
            s = self.voice.say("morning")
        elif killed is not None:
            s = self.voice.say("morning_kill", a=killed)
            events = [result, {"kind": "day_began"}, gone]
        elif miss:
            s = self.voice.say("morning_miss")
            events.insert(0, result)
        else:
            s = self.voice.say("morning")
        line = self.judge(s, *events, gap=0.9)
        if masked:
            for seat in self.alive:
                self.masked_from.setdefault(seat, begin())
        for seat, start in sorted(self.masked_from.items()):
            self.c.act("mask", seat, start, at(line, "end", self.u(0.2, 1.2)))
        self.masked_from.clear()
        if killed is not None:
            self.alive.remove(killed)
        return line

    def wake(self, seat: int, opened: str, closed: str) -> None:
        """A seat called at night takes the mask off between two lines of the judge and puts it on again."""
        off, on = at(opened, "end", self.u(0.3, 0.6)), at(closed, "end", self.u(0.5, 1.0))
        self.c.act("mask", seat, self.masked_from[seat], off)
        self.masked_from[seat] = on
        for state, extra in (("arms_down", 0.04), ("head_up", 0.0)):
            self.c.act(
                "posture", seat, at(opened, "end", off.plus - extra), at(closed, "end", on.plus + extra),
                state=state, legit=True,
            )  # fmt: skip

    def close_masks(self) -> None:
        """Masks that are still on at the end of the recording."""
        for seat, start in sorted(self.masked_from.items()):
            self.c.act("mask", seat, start, Anchor(END, "end", 0.0))
        self.masked_from.clear()

    def floor(self, seat: int, purpose: str = "speech", seconds: int = 60, gap: float = 0.9) -> str:
        self.speeches += purpose == "speech"
        phrase = {
            "speech": "floor",
            "revote": "floor_half",
            "last_word": "last_minute",
            "protocol": "protocol",
        }[purpose]
        if purpose == "speech" and seconds == 30:
            phrase = "floor_half"
        s = self.voice.say(phrase, (), 0.85, a=seat)
        return self.judge(
            s, {"kind": "floor_given", "seat": seat, "seconds": seconds, "purpose": purpose}, gap=gap
        )

    def floor_end(self, seat: int, by: str | None = None) -> str:
        by = by or ("pas" if self.g.random() < 0.5 else "spasibo")
        text = self.manner[seat].say("end_pas" if by == "pas" else "end_spasibo", (), 0.8).text
        return self.say(seat, text, {"kind": "floor_ended", "seat": seat, "by": by}, gap=self.u(0.3, 0.6))

    def chat(self, seat: int, purpose: str = "plain", gap: float | None = None, **numbers: int) -> str:
        """A sentence of a speech that makes no event; a mention of numbers is recorded as a trap."""
        s = self.manner[seat].say(purpose, (), 0.0, **numbers)
        trap = (
            {"kind": "nomination_mention", "seat": seat, "target": numbers["a"], "day": self.c.day}
            if "a" in numbers
            else None
        )
        return self.say(seat, s.text, gap=self.u(0.3, 0.7) if gap is None else gap, trap=trap)

    def nominate(
        self,
        seat: int,
        target: int,
        accepted: bool = True,
        reason: str | None = None,
        purpose: str = "nominate",
    ) -> str:
        s = self.manner[seat].say(purpose, (), 0.6, a=target)
        event = {"kind": "nominated", "seat": seat, "target": target, "accepted": accepted}
        if reason:
            event["reason"] = reason
        line = self.say(seat, s.text, event, gap=self.u(0.3, 0.6))
        answer = "accepted" if accepted else "refused_tense" if reason == "tense" else "refused"
        self.judge(self.voice.say(answer, (), 0.8, a=target), gap=self.u(0.25, 0.5))
        return line

    def foul(self, seat: int, ordinal: int, level: str = "foul", gap: float = 0.3) -> str:
        purpose = (
            {2: "foul_second", 3: "foul_third", 4: "foul_fourth"}.get(ordinal, "foul")
            if level == "foul"
            else "technical"
        )
        events: list[dict[str, Any]] = [{"kind": "foul", "seat": seat, "level": level, "ordinal": ordinal}]
        if level == "foul" and ordinal == 4:
            events.append({"kind": "eliminated", "seats": [seat], "by": "fouls"})
        assert ordinal < len(COUNT_ORDINAL)
        return self.judge(self.voice.say(purpose, a=seat), *events, gap=gap)

    # ---- the vote -------------------------------------------------------------------------------
    def open_vote(self, candidates: Sequence[int], number: int = 1) -> str:
        s = self.voice.say("vote", tuple(candidates))
        event = {"kind": "vote_opened", "round": number, "candidates": list(candidates)}
        line = self.judge(s, event, gap=1.0)
        if self.g.random() < 0.8:
            self.judge(self.voice.say("hands"), gap=0.35)
        return line

    def ballot(
        self,
        target: int,
        voters: Sequence[int],
        number: int = 1,
        *,
        remainder: Sequence[int] = (),
        announced: int | None = None,
        mischief: Mischief | None = None,
        demand: bool = False,
        talker: int = 0,
    ) -> tuple[str, str, str]:
        """One call: hands go down, «стоп», the count. Returns the ids of call, stop, count.

        voters: seats whose hands go down in time; remainder: seats given to the last candidate by rule;
        announced: what the judge says when it is not the true count; demand: the judge asks for the
        hands that are missing; talker: a seat that speaks before the count.
        """
        m = mischief or Mischief()
        call = self.judge(
            self.voice.say("call", (), 0.92, a=target),
            {"kind": "vote_called", "round": number, "target": target, "upto": "named"},
            gap=self.u(0.9, 1.3), named=True,
        )  # fmt: skip
        # people answer to the number; the judge waits for the slower ones, counted from the number
        stop = self.judge(
            self.voice.say("stop", (), 0.95),
            {"kind": "vote_closed", "round": number, "target": target},
            gap=self.u(1.75, 2.3),
        )
        if demand:
            self.judge(self.voice.say("demand"), gap=0.6)
        if talker:
            words = self.manner[talker].say("vote_talk", (), 0.0).text
            said = self.say(talker, words, gap=self.u(0.2, 0.4))
            self.flag("talk_during_vote", (talker,), at(said), at(said, "end"))
        count = len(voters) + len(remainder)
        told = count if announced is None else announced
        events: list[dict[str, Any]] = [
            {"kind": "vote_announced", "round": number, "target": target, "count": told}
        ]
        events += [
            {
                "kind": "vote_cast",
                "round": number,
                "target": target,
                "seat": s,
                "hand": None,
                "form": "none",
                "contact": None,
                "remainder": True,
            }
            for s in remainder
        ]
        tally = self.judge(Sentence(votes(told) + ".", 0), *events, gap=self.u(0.35, 0.6))
        for seat in voters:
            self._vote_hand(seat, call, stop, tally, target, number, m)
        for kind, (seat, extra) in {
            k: v for k, v in m.what.items() if k in ("two_hands",) and isinstance(v, tuple)
        }.items():
            self._second_hand(kind, seat, extra, call, tally)
        if announced is not None and announced != count:
            self.flag("vote_count_mismatch", (), at(tally), at(tally, "end"), target=target)
        return call, stop, tally

    def _vote_hand(
        self, seat: int, call: str, stop: str, tally: str, target: int, number: int, m: Mischief
    ) -> None:
        hand = self.hand_of(seat)
        start = at(call, "named", self.u(*CONTACT))
        end = at(tally, "end", self.u(0.10, 0.75))
        form = "fist_vertical"
        if m.take("hand_early", seat):
            start = at(call, "named", -self.u(0.30, 0.44))
            self.flag("hand_early", (seat,), start, at(call, "named"), target=target)
        if m.take("hand_withdrawn", seat):
            end = at(stop, "start", -self.u(0.40, 0.60))
            self.flag("hand_withdrawn", (seat,), end, at(stop), target=target)
        if m.take("hand_released_before_count", seat):
            end = at(stop, "end", self.u(0.12, 0.22))
            self.flag("hand_released_before_count", (seat,), end, at(tally), target=target)
        if isinstance(m.what.get("hand_form"), tuple) and m.what["hand_form"][0] == seat:
            form = m.what["hand_form"][1]
            self.flag("hand_form", (seat,), start, end, target=target, form=form)
        event = {"kind": "vote_cast", "round": number, "target": target, "remainder": False}
        self.c.hand(seat, start, end, hand, form, event)

    def _second_hand(self, kind: str, seat: int, extra: Any, call: str, tally: str) -> None:
        other = "left" if self.hand_of(seat) == "right" else "right"
        start, end = at(call, "named", 0.9), at(tally, "end", -0.05)
        self.c.hand(seat, start, end, other, str(extra or "fist_vertical"))
        self.flag(kind, (seat,), start, end)

    def lift_vote(self, candidates: Sequence[int], yes: Sequence[int]) -> str:
        """«Кто за то, чтобы все покинули стол?»: hands of those who want it, the judge's count."""
        call = self.judge(
            self.voice.say("lift"), {"kind": "lift_called", "candidates": list(candidates)}, gap=1.0
        )
        stop = self.judge(self.voice.say("stop", (), 0.95), gap=self.u(1.9, 2.4))
        no = len(self.alive) - len(yes)
        told = self.judge(
            Sentence(votes(len(yes)) + ".", 0), {"kind": "lift_result", "yes": len(yes), "no": no}, gap=0.5
        )
        for seat in yes:
            event = {"kind": "lift_cast", "seat": seat, "yes": True}
            self.c.hand(
                seat,
                at(call, "end", self.u(*CONTACT)),
                at(told, "end", self.u(0.1, 0.7)),
                self.hand_of(seat),
                event=event,
            )
        return stop

    def leave(self, seats: Sequence[int], by: str = "vote") -> str:
        line = self.judge(
            self.voice.say("out", a=seats[0]), {"kind": "eliminated", "seats": list(seats), "by": by}, gap=1.0
        )
        for s in seats:
            self.alive.remove(s)
        return line

    def depart(self, seat: int, line: str, plus: float = 1.0) -> None:
        """The chair is empty from here on."""
        self.c.act("away", seat, at(line, "end", plus), Anchor(END, "end", 0.0))

    # ---- the night ------------------------------------------------------------------------------
    def nightfall(self, mischief: Mischief | None = None) -> str:
        """Masks go on; returns the line «наступает ночь»."""
        m = mischief or Mischief()
        self.night_number += 1
        line = self.judge(
            self.voice.say("night"), {"kind": "night_began", "night": self.night_number}, gap=1.2
        )
        for seat in self.alive:
            delay = self.u(0.7, 2.2)
            if m.take("mask_late", seat):
                delay = self.u(4.2, 5.0)
                self.flag("mask_late", (seat,), at(line, "end", 3.0), at(line, "end", delay))
            self.masked_from[seat] = at(line, "end", delay)
        return line

    def check(self, by: str, seat: int | None, target: int | None, found: bool | None) -> tuple[str, str]:
        """Don or sheriff wakes, takes the mask off, shows a number. seat None: the role is dead, words only."""
        opening = self.judge(self.voice.say(by), gap=1.0)
        closing = self.judge(self.voice.say(f"{by}_end"), gap=4.8)
        if seat is None or target is None:
            return opening, closing
        self.wake(seat, opening, closing)
        event = {"kind": "check", "night": self.night_number, "by": by, "target": target, "found": found}
        self.c.act("sign", seat, at(opening, "end", 1.4), at(opening, "end", 3.4), event, number=target)
        return opening, closing
