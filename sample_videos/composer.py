"""Writing scripts by hand or by program: a small vocabulary over script.py."""

from __future__ import annotations

from typing import Any

from mafiavar.sample_videos.script import (
    BEGIN,
    JUDGE,
    Act,
    Anchor,
    Fields,
    Line,
    Planted,
    Script,
    Speaker,
    check,
)

NUMBERS = ("ноль", "один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "десять")


class Composer:
    """Collects lines and acts; every method returns what an anchor needs."""

    def __init__(self, ruleset: str, seed: int) -> None:
        self.ruleset, self.seed = ruleset, seed
        self.lines: list[Line] = []
        self.acts: list[Act] = []
        self.flags: list[Planted] = []
        self.day = 0

    def say(
        self,
        speaker: Speaker,
        text: str,
        *events: dict[str, Any],
        gap: float = 0.4,
        over: str | None = None,
        named: str = "",
        trap: dict[str, Any] | None = None,
    ) -> str:
        """A line; `named`: the word (as in the text) at which the call ends. Returns its id."""
        words = [w.strip(".,!?:;»«").lower() for w in text.split()]
        k = words.index(named.lower()) + 1 if named else 0
        name = f"l{len(self.lines) + 1:04d}"
        stamped = tuple({"day": self.day, **e} for e in events)
        self.lines.append(Line(name, speaker, text, round(gap, 3), over, k, stamped, trap))
        return name

    def judge(self, text: str, *events: dict[str, Any], **how: Any) -> str:
        return self.say(JUDGE, text, *events, **how)

    def act(
        self, kind: str, seat: int, start: Anchor, stop: Anchor, event: Fields | None = None, **fields: Any
    ) -> Act:
        a = Act(kind, seat, start, stop, fields, {"day": self.day, **event} if event is not None else None)
        self.acts.append(a)
        return a

    def hand(
        self,
        seat: int,
        start: Anchor,
        stop: Anchor,
        hand: str = "right",
        form: str = "fist_vertical",
        event: Fields | None = None,
    ) -> Act:
        return self.act("hand", seat, start, stop, event, hand=hand, form=form)

    def flag(
        self,
        kind: str,
        seats: tuple[int, ...],
        start: Anchor,
        stop: Anchor,
        clause: str | None,
        **fields: Any,
    ) -> None:
        self.flags.append(Planted(kind, seats, start, stop, self.day, clause, fields))

    def script(self, **rest: Any) -> Script:
        s = Script(self.ruleset, self.seed, tuple(self.lines), tuple(self.acts), tuple(self.flags), **rest)
        check(s)
        return s


def at(line: str, edge: str = "start", plus: float = 0.0) -> Anchor:
    return Anchor(line, edge, round(plus, 3))


def begin(plus: float = 0.0) -> Anchor:
    return Anchor(BEGIN, "start", plus)
