"""Shots and checks join the timeline: numbers shown at night, laid over the judge's calls.

Who holds up fingers while the mafia hunts has shot (4.6.3); who does so after «Просыпается дон»
or «Просыпается шериф» has checked (4.6.6, 4.6.7). What a hand shows is a fact of the night with
its evidence; what follows from it for roles stays with those who read it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.timeline import Basis, Evidence, TimelineEvent
from mafiavar.analyzer.vision.question import Answer, QuestionKind, Tell
from mafiavar.engine.parameters import Ruleset

_PHASE: Micros = 20 * SECOND
"""How long a hunt or a check lasts at most where its end was not heard."""
_CALLED_BEFORE, _CALLED_AFTER = 300_000, 1_500_000
"""A shot at a called number (DISBORD l107): the hand goes up around the call."""
_LEAD: Micros = SECOND
_INFERRED = 0.8
_ENDS_HUNT = (CueKind.SHOOTING_END, CueKind.DON_WAKES, CueKind.SHERIFF_WAKES)


@dataclass(frozen=True, slots=True)
class Windows:
    """When the mafia hunts and when the don and the sheriff are awake, as far as it was heard. `shared`: the
    sheriff's stretch, or all after the hunt, may hold the don's as well, and the other way round."""

    hunt: Span | None
    don: Span | None
    sheriff: Span | None
    shared: bool = False


def with_nights(alignment: Alignment, answers: Sequence[Answer], rules: Ruleset) -> Alignment:
    """The alignment whose timeline also holds the shots and checks that were seen."""
    seen = [
        a for a in answers if a.kind is QuestionKind.NUMBER and (a.tell is Tell.YES or a.value is not None)
    ]
    events: list[TimelineEvent] = []
    for number, night in alignment.nights:
        if number > 0:  # the night in which roles are shown has neither shots nor checks
            mine = [a for a in seen if a.span.middle in night]
            events += _Night(alignment, rules, number, night, mine).events()
    return alignment.with_events((*alignment.timeline.events, *events))


def windows_of(cues: Sequence[Cue], night: Span) -> Windows:
    """From the judge's words. Without the call of the hunt it is what lies before its end."""
    inside = [c for c in cues if c.span.middle in night]

    def first(kinds: tuple[CueKind, ...], after: Micros) -> Cue | None:
        return next((c for c in inside if c.kind in kinds and c.span.t0 >= after), None)

    def phase(begins: CueKind, ends: tuple[CueKind, ...]) -> Span | None:
        start = first((begins,), night.t0)
        if start is None:
            return None
        stop = first(ends, start.span.t1)
        last = stop.span.t0 if stop else min(start.span.t1 + _PHASE, night.t1)
        return Span(start.span.t0, max(last, start.span.t1))

    def until(end: CueKind, *borders: CueKind) -> Span | None:
        """A check whose call was lost under music: from the nearest border before «... засыпает»."""
        stop = first((end,), night.t0)
        before = [c for c in inside if c.kind in borders and stop is not None and c.span.t1 <= stop.span.t0]
        return Span(before[-1].span.t1, stop.span.t0) if stop is not None and before else None

    hunt = phase(CueKind.SHOOTING, _ENDS_HUNT)
    if hunt is None and (end := first(_ENDS_HUNT, night.t0)) is not None:
        hunt = Span(night.t0, end.span.t0)
    don = phase(CueKind.DON_WAKES, (CueKind.DON_SLEEPS, CueKind.SHERIFF_WAKES))
    sheriff = phase(CueKind.SHERIFF_WAKES, (CueKind.SHERIFF_SLEEPS, CueKind.DON_WAKES))
    if don is None:
        don = until(CueKind.DON_SLEEPS, CueKind.SHOOTING_END, CueKind.SHERIFF_SLEEPS)
    if sheriff is None:
        sheriff = until(CueKind.SHERIFF_SLEEPS, CueKind.DON_SLEEPS)
    if don is None and sheriff is None:
        # Only the hunt's end and the last «засыпает» were heard, if that: both checks lie between.
        both = until(CueKind.SHERIFF_SLEEPS, CueKind.SHOOTING_END)
        return Windows(hunt, both, both, shared=both is not None)
    return Windows(hunt, don, sheriff)


@dataclass(frozen=True, slots=True)
class _Night:
    alignment: Alignment
    rules: Ruleset
    number: int
    span: Span
    seen: list[Answer]

    def events(self) -> list[TimelineEvent]:
        windows = windows_of(self.alignment.cues, self.span)
        shots = list(self._shots(windows.hunt))
        shooters = {e.fields["shooter"] for e in shots}
        checks = {
            by: answer
            for by, window in (("don", windows.don), ("sheriff", windows.sheriff))
            if window is not None
            and (answer := self._checker(window, by, shooters, windows.shared)) is not None
        }
        return [
            *self._hunt_began(shots),
            *shots,
            *(self._check(by, a, checks, shooters) for by, a in checks.items()),
        ]

    # ---- the hunt

    def _shots(self, hunt: Span | None) -> Iterator[TimelineEvent]:
        if hunt is None:
            return
        best: dict[int, tuple[Answer, tuple[int | None, float, Basis]]] = {}
        for a in self.seen:
            told = self._target(a) if a.span.middle in hunt else None
            if told is not None and (a.seat not in best or _rank(a) > _rank(best[a.seat][0])):
                best[a.seat] = a, told
        chosen = sorted(best.values(), key=lambda c: _rank(c[0]), reverse=True)[: self.rules.blacks]
        for a, (target, p, basis) in sorted(chosen, key=lambda c: (c[0].span, c[0].seat)):
            yield self._event(
                "shot", a, {"night": self.number, "shooter": a.seat, "target": target}, p, basis
            )

    def _target(self, a: Answer) -> tuple[int | None, float, Basis] | None:
        """(whom, probability, how known); None when the shot cannot be told."""
        killed = self._killed()
        if self.rules.shooting == "called":
            called = self._called_at(a.span, killed)
            if called is None:
                return None
            number, p = called
            if number == killed:  # every black has raised the hand there (4.6.4)
                return number, p * max(a.probability, _INFERRED), "observed"
            return (number, p * a.probability, "observed") if a.tell is Tell.YES else None
        if a.tell is Tell.YES and isinstance(a.value, int):
            # A fist held up shows no number: an intended miss (4.6.5.1).
            return (a.value or None), a.probability * (1.0 if a.value else 0.8), "observed"
        if killed is not None:
            # Unread, but somebody was killed: then every black has shown that number (4.6.4).
            return killed, _INFERRED, "inferred"
        return None

    def _called_at(self, hand: Span, killed: int | None) -> tuple[int, float] | None:
        """The number the judge was calling when the hand went up. Where somebody was killed nobody who
        shot raised his hand at another call."""
        near = [
            c
            for c in self.alignment.cues
            if c.kind is CueKind.SHOOTING_NUMBER and c.number() is not None
            and c.span.t0 - _CALLED_BEFORE <= hand.t0 <= c.span.t1 + _CALLED_AFTER
        ]  # fmt: skip
        if killed is not None:
            near = [c for c in near if c.number() == killed]
        cue = max(near, key=lambda c: c.span.t0, default=None)
        if cue is None:
            return None
        n = cue.number()
        assert n is not None
        return n, cue.likelihood * cue.numbers[0].get(n, 0.0)

    def _killed(self) -> int | None:
        for e in self.alignment.timeline.of_kind("night_result"):
            if e.fields.get("night") == self.number:
                killed = e.fields.get("killed")
                return killed if isinstance(killed, int) else None
        return None

    def _hunt_began(self, shots: Sequence[TimelineEvent]) -> Iterator[TimelineEvent]:
        """The hunt nobody heard being called, told by two who show a number, or by one who shows the
        number of the killed."""
        heard = any(
            e.fields.get("night") == self.number for e in self.alignment.timeline.of_kind("shooting_began")
        )
        told = len(shots) > 1 or any(
            e.basis == "observed" and e.fields["target"] is not None and e.fields["target"] == self._killed()
            for e in shots
        )
        if heard or not told:
            return
        t = max(min(e.span.t0 for e in shots) - _LEAD, self.span.t0)
        first = min(shots, key=lambda e: e.span)
        yield replace(
            first, kind="shooting_began", span=Span(t, first.span.t0), fields={"night": self.number},
            confidence=_INFERRED, basis="inferred",
        )  # fmt: skip

    # ---- don and sheriff

    def _checker(self, window: Span, by: str, shooters: set[Any], shared: bool) -> Answer | None:
        """Who showed the number: of several the one who may hold the role, then the surest. In a `shared`
        stretch only who shot is the don and who did not the sheriff, once all blacks were seen to shoot."""
        mine = [
            a for a in self.seen
            if a.span.middle in window and a.tell is Tell.YES and isinstance(a.value, int) and a.value > 0
        ]  # fmt: skip

        def fits(a: Answer) -> bool:
            return not shooters or (a.seat in shooters) == (by == "don")

        if shared:
            known = len(shooters) == self.rules.blacks
            mine = [a for a in mine if known and fits(a)]
        return max(mine, key=lambda a: (fits(a), *_rank(a)), default=None)

    def _check(self, by: str, a: Answer, checks: dict[str, Answer], shooters: set[Any]) -> TimelineEvent:
        fields = {
            "night": self.number, "by": by, "seat": a.seat, "target": a.value,
            "found": self._found(by, a.value, checks, shooters),
        }  # fmt: skip
        return self._event("check", a, fields, a.probability, "observed")

    def _found(self, by: str, target: Any, checks: dict[str, Answer], shooters: set[Any]) -> bool | None:
        """What the judge must have nodded, as far as this night's other hands tell; his nod itself
        is not seen. A seat that shot is black; only when all blacks were seen is another one red."""
        if by == "don":
            sheriff = checks.get("sheriff")
            return None if sheriff is None else bool(sheriff.seat == target)
        if target in shooters:
            return True
        return False if len(shooters) == self.rules.blacks else None

    def _event(self, kind: str, a: Answer, fields: dict[str, Any], p: float, basis: Basis) -> TimelineEvent:
        return TimelineEvent(
            "", kind, a.span, self.number, fields, round(min(p, 0.99), 4), basis,
            tuple(Evidence(f.recording, f.t, f.pts, f.time_base) for f in a.evidence),
        )  # fmt: skip


def _rank(a: Answer) -> tuple[bool, float, Micros]:
    return a.tell is Tell.YES, a.probability, a.span.duration
