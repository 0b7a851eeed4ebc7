"""Who may move at night, as far as a picture and the judge's words can tell.

While the mafia shoots, black players show fingers (4.6.3); then the don and after him the sheriff
take off the mask and show a number (4.6.6, 4.6.7). Roles are unknown, so what is lawful is
recognised by what it looks like: not more hands than there are black players, and one player who
does all that a called player does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.flags.flag import Maker
from mafiavar.analyzer.span import SECOND, Micros, Span, micros
from mafiavar.analyzer.vision.question import Frame

_HUNT: Micros = 20 * SECOND
_HUNT_ENDS = (CueKind.SHOOTING_END, CueKind.DON_WAKES, CueKind.SHERIFF_WAKES)
_CHECK: Micros = 20 * SECOND
"""Where the end of a phase was not heard: how long it usually lasts at most."""
_PUT_BACK: Micros = 3 * SECOND
"""To put the mask on and cross the arms again after «засыпает», as after «наступает ночь»."""
_WAKES: Micros = 3 * SECOND
"""Who is called looks around and shows a number: that takes so long at least."""
_LOOKS: Micros = 4 * SECOND
"""A head up for so long in a call that woke nobody else is the called player's; who peeps is quicker."""
_WITH_THE_MASK = ("arms_down_at_night", "head_up_at_night")
_AT_THE_MASK: Micros = SECOND // 2
_BEFORE: Micros = SECOND // 5
"""Who is called moves after the call; its words are known to so much."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A stretch in which a seat was not in the night posture. `key`: the kind of flag it would be."""

    key: str
    seat: int
    span: Span
    probability: float
    frames: tuple[Frame, ...] = ()
    maybe_called: bool = False


@dataclass(frozen=True, slots=True)
class Night:
    """One night's windows: `settled`: when everybody should be in posture; `hunt`; `calls`: of the
    don and of the sheriff, in each of which one seat may wake; `talks`: the black players may wake to
    agree. A window ends where a called player must be back in posture: who moves only after the words
    that end it (`_PUT_BACK` before) was not called. `unheard`: calls of don and sheriff whose words were
    lost; somebody woke for them all the same."""

    whole: Span
    settled: Micros
    hunt: Span | None
    calls: tuple[Span, ...]
    shooters: int
    talks: Span | None = None
    unheard: int = 0

    @classmethod
    def of(cls, alignment: Alignment, whole: Span, make: Maker, number: int = 1) -> Night:
        cues = [c for c in alignment.cues if c.span.middle in whole.widened(SECOND)]

        def window(begins: CueKind, ends: tuple[CueKind, ...], longest: Micros) -> Span | None:
            start = next((c.span.t0 for c in cues if c.kind is begins), None)
            if start is None:
                return None
            stop = next((c.span.t1 for c in cues if c.kind in ends and c.span.t0 > start), start + longest)
            return Span(start - _BEFORE, min(stop, start + 2 * longest) + _PUT_BACK)

        settled = whole.t0 + micros(make.thresholds["mask_late"])
        hunt = window(CueKind.SHOOTING, _HUNT_ENDS, _HUNT)
        if hunt is None:
            # The call was not heard: the hunt lies between the night's beginning and what follows it.
            after = next((c.span.t1 for c in cues if c.kind in _HUNT_ENDS and c.span.t1 > settled), None)
            hunt = Span(settled, after + _PUT_BACK) if after is not None else None
        calls = (
            window(CueKind.DON_WAKES, (CueKind.DON_SLEEPS, CueKind.SHERIFF_WAKES), _CHECK),
            window(CueKind.SHERIFF_WAKES, (CueKind.SHERIFF_SLEEPS, CueKind.DAY), _CHECK),
        )
        unheard = sum(c is None for c in calls) if hunt is not None else 0
        talks = window(CueKind.NEGOTIATION, (CueKind.NEGOTIATION_END,), 4 * _HUNT)
        if talks is None and number == 0:
            talks = whole  # in this night the blacks agree, whether or not their call was heard
        return cls(
            whole, settled, hunt, tuple(c for c in calls if c is not None), make.rules.blacks, talks, unheard
        )

    def unlawful(self, departures: Sequence[Departure]) -> list[Departure]:
        """The departures that no lawful reason explains, without the seconds everybody needs. The hand that
        takes a mask off and the head under it are no faults of their own."""
        found = list(self._unexplained(departures))
        masks = [d for d in found if d.key == "mask_off_at_night"]
        return [
            d
            for d in found
            if d.key not in _WITH_THE_MASK
            or not any(m.seat == d.seat and _mostly(d.span, m.span.widened(_AT_THE_MASK)) for m in masks)
        ]

    def _unexplained(self, departures: Sequence[Departure]) -> Iterator[Departure]:
        called = [self._called(window, departures) for window in self.calls]
        awake = self._awake(departures)
        perhaps = self._perhaps_called(departures, frozenset(s for s in called if s is not None))
        shown = {d.seat for d in departures if d.key == "arms_down_at_night" and self._in_hunt(d)}
        for d in departures:
            inside = d.span & Span(max(self.settled, self.whole.t0), max(self.whole.t1, self.settled))
            late_mask = d.key == "mask_off_at_night" and d.span.t0 < self.settled
            if inside is None or late_mask:  # a late mask is a kind of its own
                continue
            if any(d.span & p for s, p in perhaps if s == d.seat) or self._still_masking(d, departures):
                continue
            if d.key == "arms_down_at_night" and self._in_hunt(d) and len(shown) <= self.shooters:
                continue
            if d.seat in awake and self.talks is not None and _within(d.span, self.talks):
                continue
            windows = [w for w in self.calls if _within(d.span, w)]
            if any(d.seat == who for w, who in zip(self.calls, called, strict=True) if w in windows):
                continue
            # Where nobody was seen to do what a called player does, this one may be the called one.
            unknown = any(who is None for w, who in zip(self.calls, called, strict=True) if w in windows)
            if unknown and d.key != "touch_at_night":
                yield replace(d, span=inside, probability=d.probability * 0.6, maybe_called=True)
            else:
                yield replace(d, span=inside)

    def _in_hunt(self, d: Departure) -> bool:
        return self.hunt is not None and _within(d.span, self.hunt)

    def _perhaps_called(
        self, departures: Sequence[Departure], known: frozenset[int]
    ) -> list[tuple[int, Span]]:
        """Who may have woken for a call that was not heard: the seats that longest did after the hunt
        what a called player does. Nothing can be told against them."""
        if not self.unheard or self.hunt is None:
            return []
        spans: dict[int, Span] = {}
        for d in departures:
            waking = d.key != "touch_at_night" and d.span.duration >= _WAKES
            if waking and d.seat not in known and d.span.t0 >= self.hunt.t1 - _PUT_BACK:
                spans[d.seat] = spans[d.seat] | d.span if d.seat in spans else d.span
        longest = sorted(spans, key=lambda s: (-spans[s].duration, s))[: self.unheard]
        return [(s, spans[s].widened(_PUT_BACK // 3)) for s in longest]

    def _still_masking(self, d: Departure, departures: Sequence[Departure]) -> bool:
        """Arms and head follow a mask that is put on late: one happening, and the mask is told."""
        return d.span.t0 < self.settled and any(
            m.key == "mask_off_at_night"
            and m.seat == d.seat
            and m.span.t0 < self.settled < m.span.t1
            and d.span.t1 <= m.span.t1 + _PUT_BACK // 3
            for m in departures
        )

    def _awake(self, departures: Sequence[Departure]) -> frozenset[int]:
        """Who woke to agree: as many seats as there are black players, those that moved longest."""
        if self.talks is None:
            return frozenset()
        weight: dict[int, float] = {}
        for d in departures:
            if _within(d.span, self.talks):
                weight[d.seat] = weight.get(d.seat, 0.0) + d.span.duration * d.probability
        return frozenset(sorted(weight, key=lambda s: (-weight[s], s))[: self.shooters])

    def _called(self, window: Span, departures: Sequence[Departure]) -> int | None:
        """The seat that did most of what a called player does: mask off, head up, arms down, longest. Where
        no mask was seen to go off, whose arms were down for as long as a check takes, else whose head was up
        longer still; a shorter look, or arms for a moment, may be somebody else's: the call may be of a role
        that is dead."""
        inside = [d for d in departures if d.key != "touch_at_night" and _within(d.span, window)]
        free = {d.seat for d in inside if d.key == "mask_off_at_night"}
        free = free or {d.seat for d in inside if d.key == "arms_down_at_night" and d.span.duration >= _WAKES}
        free = free or {d.seat for d in inside if d.key == "head_up_at_night" and d.span.duration >= _LOOKS}
        weight: dict[int, float] = {}
        for d in inside:
            if d.seat in free:
                weight[d.seat] = weight.get(d.seat, 0.0) + d.span.duration * d.probability
        return max(weight, key=lambda s: (weight[s], -s)) if weight else None


def _mostly(span: Span, window: Span) -> bool:
    common = span & window
    return common is not None and common.duration >= 0.6 * span.duration


def _within(span: Span, window: Span) -> bool:
    """Mostly inside, begun after the words that open the window and before those that end it were over."""
    return _mostly(span, window) and window.t0 <= span.t0 < window.t1 - _PUT_BACK
