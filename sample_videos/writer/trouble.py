"""Planting violations: what each flag kind looks and sounds like at a table, with its truth.

Margins: every planted fact passes its threshold in FLAGS (docs) clearly, so that its truth is beyond dispute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from mafiavar.sample_videos.composer import at
from mafiavar.sample_videos.writer.scenes import Director, Mischief

FORMS = ("palm", "finger", "elbow", "fist_flat")
PHRASES = {
    "phrase_oath": "oath", "phrase_obscene": "obscene", "phrase_appeal": "appeal", "phrase_reveal": "reveal",
    "phrase_team_defeat": "team_defeat", "phrase_both_roles": "both_roles", "phrase_best_move": "lh",
    "address_to_judge": "address", "asked_nominations": "ask",
}  # fmt: skip


class Trouble:
    """Plants violations through a director.

    ordinal: which foul a seat would get now; may_hold: whether the rules let a mask be held to the face.
    """

    def __init__(
        self, d: Director, g: np.random.Generator, condensed: bool, *, may_hold: bool = True
    ) -> None:
        self.d, self.g, self.condensed, self.may_hold = d, g, condensed, may_hold
        self.ordinal: Callable[[int], int] = lambda _seat: 1

    def someone(self, seats: Sequence[int]) -> int:
        """One of the seats, 0 when there are none."""
        return int(seats[int(self.g.integers(len(seats)))]) if seats else 0

    # ---- speeches -------------------------------------------------------------------------------
    def during_speech(self, kind: str, seat: int, lines: Sequence[str]) -> None:
        """Something goes wrong while `seat` speaks; `lines`: what has been said so far."""
        d = self.d
        other = self.someone([s for s in d.alive if s != seat])
        line = lines[-1]
        if kind in PHRASES:
            said = d.chat(seat, PHRASES[kind])
            d.flag(kind, (seat,), at(said), at(said, "end"))
        elif kind == "speech_out_of_turn" and other:
            self.interject(other, line)
        elif kind == "foul_ordinal_wrong" and other:
            self.interject(other, line, miscounted=True)
        elif kind == "table_knock" and other:
            d.c.act("knock", other, at(line, "start", 0.9), at(line, "start", 1.02))
            d.flag(kind, (other,), at(line, "start", 0.9), at(line, "start", 1.02))
        elif kind == "touch_by_day" and other:
            self._touch(kind, other, line, 0.4, 1.5)
        elif kind == "mask_by_day" and other:
            # in the first five seconds of a day nobody is blamed for a mask
            start = 5.6 if d.speeches < 2 else 0.5
            d.c.act("mask", other, at(line, "start", start), at(line, "start", start + 2.8))
            d.flag(kind, (other,), at(line, "start", start), at(line, "start", start + 2.8))
        elif kind == "left_table" and other:
            d.c.act("away", other, at(line, "start", 0.6), at(line, "start", 4.6))
            d.flag(kind, (other,), at(line, "start", 0.6), at(line, "start", 4.6))

    def shout(self, seat: int) -> None:
        """The table has been broken at ten; somebody cannot wait for the best move of `seat`."""
        d = self.d
        other = self.someone([s for s in d.alive if s != seat])
        if other:
            said = d.say(other, d.manner[other].say("interject", (), 0.0).text, gap=d.u(0.4, 0.7))
            d.flag("shout_before_best_move", (other,), at(said), at(said, "end"))

    def interject(self, other: int, line: str, miscounted: bool = False) -> None:
        """A seat calls into somebody's speech; the judge mostly answers with a foul, at times miscounted."""
        d = self.d
        text = d.manner[other].say("interject", (), 0.0).text
        said = d.say(other, text, over=line, gap=d.u(0.5, 0.9))
        d.flag("speech_out_of_turn", (other,), at(said), at(said, "end"))
        ordinal = self.ordinal(other)
        if miscounted and ordinal <= 2:
            answer = d.foul(other, ordinal + 1, gap=0.5)
            d.flag("foul_ordinal_wrong", (other,), at(answer), at(answer, "end"))
        elif ordinal <= 3 and self.g.random() < 0.75:
            d.foul(other, ordinal, gap=0.5)

    def _touch(self, kind: str, seat: int, line: str, start: float, stop: float, edge: str = "start") -> None:
        d = self.d
        left, right = seat % 10 + 1, (seat - 2) % 10 + 1
        near = [s for s in (left, right) if s in d.alive]
        if near:
            d.c.act(
                "posture",
                seat,
                at(line, edge, start),
                at(line, edge, stop),
                state="touching",
                target=self.someone(near),
            )
            d.flag(kind, (seat,), at(line, edge, start), at(line, edge, stop))

    def wrong_tense(self, seat: int, target: int, accepted: bool) -> None:
        d = self.d
        line = d.nominate(seat, target, accepted, "tense", "tense")
        if accepted:
            d.flag("nomination_tense", (seat,), at(line), at(d.c.lines[-1].id, "end"), target=target)

    def series(self, seat: int, targets: Sequence[int]) -> None:
        """«Выставляю пятого, выставляю шестого...»: only the first free one is accepted."""
        d = self.d
        a, b, c = targets[:3]
        s = d.manner[seat].say("series", (), 0.0, a=a, b=b, c=c)
        events = [
            {
                "kind": "nominated",
                "seat": seat,
                "target": t,
                "accepted": k == 0,
                **({} if k == 0 else {"reason": "second"}),
            }
            for k, t in enumerate((a, b, c))
        ]
        d.say(seat, s.text, *events, gap=d.u(0.3, 0.6))
        d.judge(d.voice.say("accepted", (), 0.0, a=a), gap=d.u(0.25, 0.5))

    def overrun(self, kind: str, seat: int, given: str, seconds: int) -> bool:
        """Speaking on after the judge's «время», or being cut short. True when the speech is over."""
        d = self.d
        if kind == "speech_overtime":
            time = d.judge(d.voice.say("time"), gap=0.3)
            d.chat(seat, gap=0.25)
            last = d.floor_end(seat, "spasibo")
            d.flag(kind, (seat,), at(time, "end"), at(last, "end"), limit=seconds)
            return True
        if kind == "time_cut_short" and not self.condensed:
            time = d.judge(d.voice.say("time"), {"kind": "floor_ended", "seat": seat, "by": "judge"}, gap=0.4)
            d.flag(kind, (seat,), at(given), at(time, "end"), limit=seconds)
            return True
        return False

    # ---- votes ----------------------------------------------------------------------------------
    def vote(
        self,
        number: int,
        candidates: Sequence[int],
        cast: Mapping[int, int],
        planted: Sequence[str],
        ghosts: Mapping[int, int],
    ) -> None:
        """All calls of a round; cast: seat -> target; ghosts: target -> a dead seat whose hand comes down."""
        d = self.d
        last = candidates[-1]
        by_target = {t: [s for s in d.alive if cast.get(s) == t] for t in candidates}
        plans: dict[int, Mischief] = {t: Mischief() for t in candidates}
        announced: dict[int, int] = {}
        lazy: list[int] = []
        if len(candidates) > 1:  # some leave their vote to the rule: the remainder goes to the last
            lazy = [s for s in by_target[last] if self.g.random() < 0.18]
        used: set[int] = set(lazy)
        late: tuple[int, int] | None = None
        double: tuple[int, int] | None = None
        missing = 0
        talker = 0
        waver: tuple[int, int] | None = None
        for kind in planted:
            if kind == "wrong_vote_order":  # the caller has seen to it
                continue
            if kind == "gesture_during_vote":
                pairs = [(t, s) for t in candidates for s in d.alive if cast.get(s) not in (t, None)]
                waver = pairs[int(self.g.integers(len(pairs)))] if pairs else None
                if waver is not None and waver[1] in used:
                    waver = None
                used |= {waver[1]} if waver else set()
                continue
            if kind == "vote_count_mismatch":
                t = self.someone([t for t in candidates[:-1] if by_target[t]])
                if t:
                    more = self.g.random() < 0.5 and len(by_target[t]) < len(d.alive)
                    announced[t] = len(by_target[t]) + (1 if more else -1)
                continue
            if kind == "talk_during_vote":
                talker = self.someone(d.alive)
                continue
            if kind == "vote_missing":
                missing = (
                    self.someone([s for s in by_target[last] if s not in used]) if len(candidates) > 1 else 0
                )
                if missing:
                    lazy = [missing]
                    used = {missing}
                continue
            target = self.someone([t for t in candidates if any(s not in used for s in by_target[t])])
            if not target:
                continue
            seat = self.someone([s for s in by_target[target] if s not in used])
            if kind == "hand_late":
                if len(candidates) > 1:
                    seat = self.someone([s for s in by_target[last] if s not in used])
                    if seat:
                        late = (int(candidates[0]), seat)
                        lazy.append(seat)
                        used.add(seat)
                continue
            if kind == "two_candidates":
                seat = (
                    self.someone([s for s in by_target[candidates[0]] if s not in used])
                    if len(candidates) > 1
                    else 0
                )
                if seat:
                    double = (int(candidates[1]), seat)
                    used.add(seat)
                continue
            used.add(seat)
            plans[target].what[kind] = (
                (seat, FORMS[int(self.g.integers(4))])
                if kind == "hand_form"
                else (seat, "")
                if kind == "two_hands"
                else seat
            )
        for t in candidates:
            voters = [s for s in by_target[t] if s not in lazy or t != last]
            rest = [s for s in lazy if t == last]
            if t != last:
                voters = [s for s in voters if s not in lazy]
            if double is not None and double[0] == t:
                voters = [*voters, double[1]]
            call, stop, tally = d.ballot(
                t, voters, number, remainder=rest, announced=announced.get(t), mischief=plans[t],
                demand=bool(missing) and t == last, talker=talker if t == candidates[0] else 0,
            )  # fmt: skip
            if waver is not None and waver[0] == t:
                start, end = at(call, "named", 0.4), at(tally, "end", -0.1)
                d.c.act("gesture", waver[1], start, end, form="wave" if self.g.random() < 0.5 else "point")
                d.flag("gesture_during_vote", (waver[1],), start, end)
            if t in ghosts:
                self._ghost(ghosts[t], call, tally)
            if late is not None and late[0] == t:
                self._late(late[1], stop, tally)
            if double is not None and double[0] == t:
                d.flag("two_candidates", (double[1],), at(call, "named"), at(tally), target=t)
            if missing and t == last:
                d.flag("vote_missing", (missing,), at(call, "named"), at(tally), target=t)

    def _ghost(self, seat: int, call: str, tally: str) -> None:
        """A player who has left the game votes with the others; the judge does not count the hand."""
        d = self.d
        start, end = at(call, "named", d.u(0.2, 0.7)), at(tally, "end", d.u(0.1, 0.6))
        d.c.hand(seat, start, end, d.hand_of(seat))
        d.flag("dead_player_acts", (seat,), start, end)

    def _late(self, seat: int, stop: str, tally: str) -> None:
        d = self.d
        start, end = at(stop, "end", d.u(0.16, 0.28)), at(tally, "end", d.u(0.2, 0.6))
        d.c.hand(seat, start, end, d.hand_of(seat))
        d.flag("hand_late", (seat,), start, end)

    # ---- last words, best moves -----------------------------------------------------------------
    def last_word(self, kind: str, seat: int) -> None:
        d = self.d
        if kind == "protocol_early":
            others = [s for s in d.alive if s != seat]
            a, b = (int(x) for x in self.g.choice(others, 2, replace=False))
            said = d.chat(seat, "protocol_early", a=a, b=b)
            d.flag(kind, (seat,), at(said), at(said, "end"))
        elif kind in PHRASES:
            said = d.chat(seat, PHRASES[kind])
            d.flag(kind, (seat,), at(said), at(said, "end"))

    def best_move(self, kind: str, seat: int, targets: tuple[int, ...]) -> None:
        d = self.d
        a, b, c = targets
        s = d.manner[seat].say("best_move", (), 0.0, a=a, b=b, c=c)
        d.say(seat, s.text, {"kind": "best_move", "seat": seat, "targets": list(targets)}, gap=1.0)
        if kind == "best_move_talk":
            said = d.chat(seat, "best_move_extra")
            d.flag(kind, (seat,), at(said), at(said, "end"))
        told = targets
        if kind == "best_move_readback":
            wrong = next(s for s in range(1, 11) if s not in targets and s != seat)
            told = tuple(sorted((*targets[:2], wrong)))
        line = d.judge(
            d.voice.say("best_move_ok", told), {"kind": "floor_ended", "seat": seat, "by": "judge"}, gap=0.6
        )
        if told != targets:
            d.flag(kind, (seat,), at(line), at(line, "end"), said=list(targets), read=list(told))

    # ---- nights ---------------------------------------------------------------------------------
    def night(self, kinds: Sequence[str], innocent: Sequence[int], line: str) -> None:
        """Departures of seats that nobody called, laid after the last line said."""
        d = self.d
        free = list(innocent)
        after = d.c.lines[-1].id  # «мафия удаляется»
        for kind in kinds:
            seat = self.someone(free)
            if not seat:
                return
            free.remove(seat)
            start = d.u(0.3, 0.8)
            stop = start + d.u(1.7, 2.9)
            if kind in ("head_up_at_night", "arms_down_at_night"):
                self._posture(kind, seat, after, start, stop)
            elif kind == "mask_off_at_night" and not self.may_hold and self.g.random() < 0.35:
                self._posture("mask_held", seat, after, start, stop)
            elif kind == "mask_off_at_night":
                d.c.act("mask", seat, d.masked_from[seat], at(after, "end", start))
                d.masked_from[seat] = at(after, "end", stop)
                self._posture(kind, seat, after, start, stop)
            elif kind == "touch_at_night":
                self._touch(kind, seat, after, start, start + 1.3, "end")
            elif kind == "talk_at_night":
                said = d.say(seat, d.manner[seat].say("night_talk", (), 0.0).text, gap=0.9)
                d.flag(kind, (seat,), at(said), at(said, "end"))
        if free and self.g.random() < 0.3:  # nobody is to blame for leaning aside: it must not be flagged
            seat = self.someone(free)
            start = d.u(0.3, 0.8)
            d.c.act("posture", seat, at(after, "end", start), at(after, "end", start + 2.0), state="leaning")
        assert line

    def _posture(self, kind: str, seat: int, line: str, start: float, stop: float) -> None:
        state = {
            "head_up_at_night": "head_up",
            "arms_down_at_night": "arms_down",
            "mask_off_at_night": "mask_off",
            "mask_held": "mask_held",
        }[kind]
        self.d.c.act("posture", seat, at(line, "end", start), at(line, "end", stop), state=state, legit=False)
        flag = "mask_off_at_night" if kind == "mask_held" else kind
        self.d.flag(flag, (seat,), at(line, "end", start), at(line, "end", stop))
