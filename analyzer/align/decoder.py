"""Beam search over games: every cue is explained by moves of the engine or taken for a mistake."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mafiavar.analyzer.align import read_discipline, read_floor, read_night, read_vote
from mafiavar.analyzer.align.hypothesis import Context, Hypothesis, Move, Node, Referee, content
from mafiavar.analyzer.align.parameters import Parameters
from mafiavar.analyzer.align.pins import Pins
from mafiavar.analyzer.align.reading import Reading, Sight
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.timeline import Pin
from mafiavar.engine.game import Game
from mafiavar.engine.parameters import Ruleset

Reader = Callable[[Sight], Iterator[Reading]]
READERS: Mapping[CueKind, Reader] = {
    **read_floor.READERS,
    **read_vote.READERS,
    **read_night.READERS,
    **read_discipline.READERS,
}
_INTERJECTED = frozenset({"foul", "best_move"})
"""Events that fall into a running exchange and do not begin or end one."""
Hands = Callable[[Span], tuple[int, int] | None]
"""Seats whose hands were seen, at least and at most, in a stretch of time; None when nobody looked."""


def no_hands(_span: Span) -> None:
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Dead:
    """A hypothesis that did not go on: it came to the same position as a better one (`into` is that
    one's place in the beam; from there on both have the same future, so the difference is final), or
    there was no room for it (`into` None; `behind` the best one of that moment)."""

    hypothesis: Hypothesis
    behind: float
    into: int | None


@dataclass(frozen=True, slots=True)
class Item:
    """A cue, or a person's pin, in order of time."""

    t: Micros
    cue: Cue | None = None
    index: int = -1
    pin: Pin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """The beam after one item. `parents[i]` is the place, in the beam before, of what `beam[i]` came
    from."""

    item: Item
    beam: tuple[Hypothesis, ...]
    parents: tuple[int, ...]
    dead: tuple[Dead, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    best: Hypothesis
    rivals: tuple[tuple[Hypothesis, float], ...]
    """Other histories and by how much (natural log) they were less likely than the best one."""
    unsatisfied: tuple[Pin, ...]


class Decoder:
    """Decodes cues under one rule set. Keeps the beam after every item, so that a changed pin is
    decoded again only from there on."""

    def __init__(self, ruleset: Ruleset, parameters: Parameters, hands: Hands = no_hands) -> None:
        self.parameters = parameters
        self.referee = Referee(parameters)
        self.ruleset = ruleset
        self.hands = hands
        self._done: list[Step] = []
        self._pins: tuple[Pin, ...] = ()
        self._cues: Sequence[Cue] = ()

    def start(self) -> tuple[Hypothesis, ...]:
        """The two ways a recording begins: with the game, or in the middle of a day."""
        p = self.parameters
        new = Hypothesis(self.referee.same(Game.new(self.ruleset)))
        excerpt = Hypothesis(self.referee.same(Game.excerpt(self.ruleset)), p.missing["game_started"])
        return (new, excerpt)

    def decode(self, cues: Sequence[Cue], pins: Sequence[Pin] = ()) -> Decoded:
        """The most likely game for the cues, with everything that was left behind."""
        keeper = Pins(tuple(pins))
        self._cues = cues
        items = _items(cues, pins)
        same = self._unchanged(items, tuple(pins))
        del self._done[same:]
        beam = self._done[-1].beam if self._done else self.start()
        for item in items[same:]:
            self._done.append(self._step(beam, item, keeper))
            beam = self._done[-1].beam
        self._pins = tuple(pins)
        best = beam[0]
        return Decoded(
            best,
            tuple(self._rivals(beam)),
            tuple(pin for pin in pins if not keeper.satisfied(pin, best)),
        )

    def _rivals(self, beam: tuple[Hypothesis, ...]) -> Iterator[tuple[Hypothesis, float]]:
        """What the best history was preferred to: merged into it or left behind on its way, or alive
        beside it at the end."""
        reach = self.parameters.reach
        yield from ((h, beam[0].score - h.score) for h in beam[1:] if beam[0].score - h.score <= reach)
        place = 0
        for step in reversed(self._done):
            for dead in step.dead:
                if dead.into is None or dead.into == place:
                    yield dead.hypothesis, dead.behind
            place = step.parents[place]

    def _unchanged(self, items: Sequence[Item], pins: tuple[Pin, ...]) -> int:
        """How many items need no new decoding: equal ones before the first pin that changed."""
        changed = [p.span.t0 for p in (*pins, *self._pins) if (p in pins) != (p in self._pins)]
        limit = min(changed, default=None)
        count = 0
        for old, new in zip(self._done, items, strict=False):
            # A pin also forbids readings inside its span, so the begin counts, with some room.
            if old.item != new or (limit is not None and new.t >= limit - 1_000_000):
                break
            count += 1
        return count

    # --- one item

    def _step(self, beam: tuple[Hypothesis, ...], item: Item, keeper: Pins) -> Step:
        candidates: list[tuple[Hypothesis, int]] = []
        best = -math.inf
        for i, h in enumerate(beam):
            if item.pin is not None:
                candidates += ((new, i) for new in keeper.enforce(h, item.pin, self.referee))
            elif item.cue is not None:
                least = best - self.parameters.margin
                for new in self._explained(h, item.cue, item.index, keeper, least):
                    candidates.append((new, i))
                    best = max(best, new.score)
        if not candidates:
            return Step(item, beam, tuple(range(len(beam))), ())
        return self._select(item, candidates)

    def _explained(
        self, h: Hypothesis, cue: Cue, index: int, keeper: Pins, least: float
    ) -> Iterable[Hypothesis]:
        """What becomes of `h` with the cue; what cannot reach the score `least` is not followed (the
        engine's issues only take away)."""
        p = self.parameters
        true = min(cue.likelihood, p.trust)
        covered = any(not cost and _overlap(cue.span, a, b) for a, b, cost in h.context.heard)
        skip = 0.0 if covered else math.log1p(-true)
        fresh = _fresh(h.context, cue.span.t0, p)
        if fresh is not h.context:
            h = Hypothesis(h.game, h.score, h.trail, fresh)
        yield Hypothesis(h.game, h.score + skip, h.trail, _heard(h.context, cue.span, skip or -1e-9))
        reader = READERS.get(cue.kind)
        if reader is None:
            return
        # Words that were skipped as another cue and are explained by this one were no mistake.
        refund = -sum(cost for a, b, cost in h.context.heard if cost and _overlap(cue.span, a, b))
        explained = _heard(h.context, cue.span, 0.0)
        sight = Sight(h, cue, index, p, self.referee, self.hands, self._cues)
        for reading in reader(sight):
            gained = math.log(max(true, 1e-4)) + reading.weight + refund
            if gained < -p.margin * 1.5:
                continue
            base = reading.edit(h) if reading.edit else h
            context = replace(explained, **reading.context) if reading.context else explained
            gained += self._paced(base, reading, index)
            if base.score + gained < least:
                continue
            start = Hypothesis(base.game, base.score + gained, base.trail, context)
            new = self.referee.follow(start, reading.moves)
            if keeper.allows(new, h.trail):
                yield new

    def _paced(self, base: Hypothesis, reading: Reading, index: int) -> float:
        """How well the time of the event fits what was heard before it."""
        move = next((m for m in reading.moves if m.cue == index), None)
        if move is None or base.trail is None:
            return 0.0
        before = next(
            (n.move for n in base.trail.back() if n.move.cue >= 0 and n.move.event.kind not in _INTERJECTED),
            None,
        )
        if before is None:
            return 0.0
        return self.parameters.paced(before.event.kind, move.event.kind, move.span.t0 - before.span.t1)

    def _select(self, item: Item, candidates: list[tuple[Hypothesis, int]]) -> Step:
        """Equal positions are merged into their best history; the best `width` go on, and a few of
        every phase: that a whole night went unheard pays only later."""
        p = self.parameters
        candidates.sort(key=lambda c: -c[0].score)
        best = candidates[0][0]
        places: dict[tuple[int, Context], int] = {}
        groups: Counter[tuple[Any, ...]] = Counter()
        kept: list[tuple[Hypothesis, int]] = []
        dead: list[Dead] = []
        for h, parent in candidates:
            key = (id(self.referee.core(h.game)), h.context)
            place = places.get(key)
            if place is not None:
                behind = kept[place][0].score - h.score
                if behind <= p.reach:
                    dead.append(Dead(h, behind, place))
            elif best.score - h.score > p.margin:
                break
            elif len(kept) < p.width or groups[_group(h)] < p.per_phase:
                groups[_group(h)] += 1
                places[key] = len(kept)
                kept.append((h, parent))
            elif best.score - h.score <= p.reach:
                dead.append(Dead(h, best.score - h.score, None))
        return Step(item, tuple(h for h, _ in kept), tuple(i for _, i in kept), tuple(dead))


def _group(h: Hypothesis) -> tuple[Any, ...]:
    return h.game.day, h.game.phase, h.game.vote.round if h.game.vote else 0


def _items(cues: Sequence[Cue], pins: Sequence[Pin]) -> list[Item]:
    items = [Item(c.span.t0, c, i) for i, c in enumerate(cues) if c.kind in READERS]
    items += [Item(p.span.t1, None, -1, p) for p in pins if not p.negated]
    return sorted(items, key=lambda x: (x.t, x.pin is not None, x.cue.span.t1 if x.cue else 0))


def _overlap(span: Span, a: Micros, b: Micros) -> bool:
    """Are two stretches mostly the same words (more than half of what either covers)?"""
    common = min(span.t1, b) - max(span.t0, a)
    return common > 0 and 2 * common > max(span.t1, b) - min(span.t0, a)


def _heard(context: Context, span: Span, cost: float) -> Context:
    """Only stretches that may still overlap with coming words are remembered."""
    near = tuple(x for x in context.heard if x[1] > span.t0)
    return Context(
        context.awaiting,
        context.refused,
        (*near, (span.t0, span.t1, cost)),
        context.ended,
        context.accepted_blank,
    )


def _fresh(context: Context, t: Micros, p: Parameters) -> Context:
    """What no coming cue can use any more is forgotten, so that equal positions can be merged."""
    awaiting, refused, ended, blank = context.awaiting, context.refused, context.ended, context.accepted_blank
    if awaiting and t - awaiting[2] > p.answer_time:
        awaiting = None
    if refused and t - refused[2] > p.answer_time:
        refused = None
    if ended is not None and t - ended > p.echo_time:
        ended = None
    if blank and t - blank[1] > p.echo_time:
        blank = None
    if (awaiting, refused, ended, blank) == (
        context.awaiting,
        context.refused,
        context.ended,
        context.accepted_blank,
    ):
        return context
    return Context(awaiting, refused, context.heard, ended, blank)


def trail_set(h: Hypothesis) -> set[int]:
    return {id(n) for n in h.trail.back()} if h.trail else set()


def differing(h: Hypothesis, shared: set[int]) -> list[Node]:
    """The nodes of a hypothesis that are not in a set of shared ones."""
    out: list[Node] = []
    for node in h.trail.back() if h.trail else ():
        if id(node) in shared:
            break
        out.append(node)
    return out


__all__ = ["Dead", "Decoded", "Decoder", "Hands", "Move", "content", "differing", "no_hands", "trail_set"]
