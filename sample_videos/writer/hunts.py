"""The mafia shoots: the three ways of the rule sets."""

from __future__ import annotations

from collections.abc import Mapping

from mafiavar.sample_videos.composer import at
from mafiavar.sample_videos.script import Anchor
from mafiavar.sample_videos.writer.scenes import Director


def hunt(d: Director, shots: Mapping[int, int | None], opening_gap: float = 3.2, how: str = "numbers") -> str:
    """The black shoot with their masks on. Returns the closing line.

    how: `numbers` (fingers show the number), `called` (the judge calls one to ten, a raised hand shoots
    at the victim's number), `text` (everybody writes a number; the picture does not tell which).
    """
    if how == "called":
        return _by_call(d, shots, opening_gap)
    if how == "text":
        return _in_writing(d, shots, opening_gap)
    line = d.judge(d.voice.say("hunt"), {"kind": "shooting_began", "night": d.night_number}, gap=opening_gap)
    for shooter, target in shots.items():
        start, stop = d.u(0.7, 1.2), d.u(3.0, 3.8)
        d.c.act(
            "posture",
            shooter,
            at(line, "end", start - 0.28),
            at(line, "end", stop + 0.28),
            state="arms_down",
            legit=True,
        )
        event = {"kind": "shot", "night": d.night_number, "shooter": shooter, "target": target}
        if target is None:
            continue
        d.c.act("sign", shooter, at(line, "end", start), at(line, "end", stop), event, number=target)
    return d.judge(d.voice.say("hunt_end"), gap=4.6)


def _called(d: Director, seat: int, start: Anchor, stop: Anchor) -> None:
    """The shooter may leave the night posture while shooting."""
    d.c.act(
        "posture", seat, at(start.line, start.edge, start.plus - 0.28), at(stop.line, stop.edge, stop.plus + 0.28),
        state="arms_down", legit=True,
    )  # fmt: skip


def _by_call(d: Director, shots: Mapping[int, int | None], opening_gap: float) -> str:
    line = d.judge(
        d.voice.say("hunt_called"),
        {"kind": "shooting_began", "night": d.night_number},
        gap=opening_gap,
    )
    for number in range(1, 11):
        if number > 1:
            line = d.judge(d.voice.say("hunt_next", a=number), gap=d.u(0.7, 1.0))
        for shooter in (s for s, target in shots.items() if target == number):
            start = at(line, "end", d.u(0.0, 0.15))
            stop = at(line, "end", d.u(0.75, 1.0))
            event = {"kind": "shot", "night": d.night_number, "shooter": shooter, "target": number}
            _called(d, shooter, start, stop)
            d.c.act("gesture", shooter, start, stop, event, form="shot")
    return d.judge(d.voice.say("hunt_end"), gap=1.6)


def _in_writing(d: Director, shots: Mapping[int, int | None], opening_gap: float) -> str:
    line = d.judge(
        d.voice.say("hunt_text"),
        {"kind": "shooting_began", "night": d.night_number},
        gap=opening_gap,
    )
    for shooter, target in shots.items():
        start, stop = at(line, "end", d.u(0.8, 1.3)), at(line, "end", d.u(3.2, 4.0))
        _called(d, shooter, start, stop)
        if target is None:
            continue
        event = {"kind": "shot", "night": d.night_number, "shooter": shooter, "target": target}
        d.c.act("gesture", shooter, start, stop, event, form="write")
    return d.judge(d.voice.say("hunt_end"), gap=4.9)
