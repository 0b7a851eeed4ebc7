"""Nights and mornings of a written game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mafiavar.engine.ahead import Expected
from mafiavar.engine.events import event_from
from mafiavar.sample_videos.composer import at
from mafiavar.sample_videos.writer.facts import BLACK
from mafiavar.sample_videos.writer.hunts import hunt
from mafiavar.sample_videos.writer.mischief import BEST_MOVE, NIGHT
from mafiavar.sample_videos.writer.scenes import Mischief

if TYPE_CHECKING:
    from mafiavar.sample_videos.writer.game import GameWriter


class Nights:
    """Scenes of the night. `w`: the writer whose table it is."""

    def __init__(self, w: GameWriter) -> None:
        self.w, self.d, self.c, self.g = w, w.d, w.c, w.g

    def night(self, need: Expected) -> None:
        """The night that is due, up to the morning."""
        if need.value("night") == 0:
            self.negotiation()
        elif not self.w.misrule.before_night():
            self.real_night()

    def negotiation(self) -> None:
        d, w = self.d, self.w
        d.night_number = -1
        line = d.nightfall()
        black = [s for s, r in w.facts.roles.items() if r in BLACK]
        opened = d.judge(d.voice.say("negotiation"), {"kind": "negotiation_began"}, gap=3.0)
        closed = d.judge(
            d.voice.say("negotiation_end"),
            {"kind": "negotiation_ended"},
            gap=4.0 if w.wishes.condensed else 30.0,
        )
        for s in sorted(black):
            d.wake(s, opened, closed)
        if d.voice.has("seating") and w.rules.free_seating_seconds is not None:
            d.judge(d.voice.say("seating"), {"kind": "free_seating_began"}, gap=1.5)
        self.c.act("music", 0, at(line, "end", 0.4), at(closed, "end", 0.6))

    def real_night(self) -> None:
        d, w, night = self.d, self.w, self.w.game.day
        planted = w.deck.draw(NIGHT, 0.5, 2)
        late = w.trouble.someone(self._innocent()) if "mask_late" in planted else 0
        line = self.fall(Mischief({"mask_late": late}) if late else None)
        shots = w.facts.shots(night, d.alive)
        hunt(d, shots, how=w.rules.shooting)
        w.trouble.night([k for k in planted if k != "mask_late"], self._innocent(late), line)
        closing = ""
        for by in ("don", "sheriff"):
            seat = next((s for s in d.alive if w.facts.roles[s] == by), None)
            target = w.facts.check(night, by, d.alive) if seat is not None else None
            if by == "don" and night == 1 and target is not None and w.rules.don_first_night_ban:
                target = self._not_shot(seat, target, shots, "night_check_of_own_shot" in planted)
            opening, closing = d.check(by, seat, target, self._answer(by, target))
            if (
                by == "don"
                and seat is not None
                and target is not None
                and target == shots.get(seat)
                and night == 1
                and w.rules.don_first_night_ban
            ):
                d.flag("night_check_of_own_shot", (seat,), at(opening), at(closing, "end"), target=target)
        self.c.act("music", 0, at(line, "end", 0.4), at(closing, "end", 0.3))
        self.dawn(night, shots)

    def fall(self, mischief: Mischief | None = None) -> str:
        """The judge announces the night; who should have left the table does so now."""
        self.d.night_number = self.w.game.day - 1
        line = self.d.nightfall(mischief)
        self.w.misrule.gets_up(at(line, "start", -0.3))
        self.w.sync()  # what the night makes plain belongs to the day before it
        return line

    def last(self) -> None:
        """A recording that stops with the nightfall."""
        self.fall()
        self.d.close_masks()

    def _answer(self, by: str, target: int | None) -> bool | None:
        if target is None:
            return None
        role = self.w.facts.roles[target]
        return role == "sheriff" if by == "don" else role in BLACK

    def _innocent(self, *but: int) -> list[int]:
        """Seats that nobody calls at night."""
        return [s for s in self.d.alive if self.w.facts.roles[s] == "red" and s not in but]

    def _not_shot(self, don: int | None, target: int, shots: Mapping[int, int | None], planted: bool) -> int:
        """The don may not check in the first night whom he has just shot (4.6.9)."""
        mine = shots.get(don) if don is not None else None
        if mine is None:
            return target
        if planted:
            return mine
        if target != mine:
            return target
        free = [s for s in self.d.alive if s not in (mine, don) and self.w.facts.roles[s] not in BLACK]
        return free[int(self.g.integers(len(free)))] if free else target

    def dawn(self, night: int, shots: Mapping[int, int | None]) -> None:
        """The judge tells who was killed: in the morning, or, where a best move is due, still in the night."""
        d, w = self.d, self.w
        aimed = set(shots.values())
        killed = next(iter(aimed)) if len(aimed) == 1 and None not in aimed else None
        if killed is None:
            d.morning(masked=False, night=night, miss=True)
            return
        w.sync()
        result = {"kind": "night_result", "night": night, "killed": killed}
        gone = {"kind": "eliminated", "seats": [killed], "by": "shot", "night": night}
        after, _ = w.game.play(event_from(str(e["kind"]), e) for e in (result, gone))
        if killed not in after.best_move_for:
            d.morning(masked=False, night=night, killed=killed)
            return
        word = {
            "kind": "floor_given",
            "seat": killed,
            "seconds": int(w.rules.best_move_seconds),
            "purpose": "best_move",
        }
        d.judge(d.voice.say("best_move", a=killed), result, gone, word, gap=1.2)
        self.best_move_words(killed)
        d.morning(masked=False, night=night, killed=killed, told=True)

    def best_move_words(self, seat: int) -> None:
        """The numbers of a best move and what the judge makes of them."""
        targets = self.w.facts.best_move(seat, self.d.alive)
        planted = self.w.deck.draw(BEST_MOVE, 0.5)
        self.w.trouble.best_move(planted[0] if planted else "", seat, targets)
