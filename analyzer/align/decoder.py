"""Beam search over games: every cue is explained by moves of the engine or taken for a mistake."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mafiavar.analyzer.align import (
    read_count,
    read_discipline,
    read_floor,
    read_floor_end,
    read_night,
    read_nomination,
    read_verdict,
    read_vote,
)
from mafiavar.analyzer.align.count_numbers import Scales, lifts_of
from mafiavar.analyzer.align.graft import grafted, meets
from mafiavar.analyzer.align.hands import Hands, no_hands
from mafiavar.analyzer.align.hypothesis import Context, Hypothesis, Node, Referee
from mafiavar.analyzer.align.lattice import Lattice, lattice_of
from mafiavar.analyzer.align.named import Named, Weigher
from mafiavar.analyzer.align.parameters import Parameters
from mafiavar.analyzer.align.pins import Pins
from mafiavar.analyzer.align.reading import Reading, Sight, by_chance
from mafiavar.analyzer.align.righted import MUCH, Righted, righted
from mafiavar.analyzer.align.steps import Dead, Decoded, Item, Step
from mafiavar.analyzer.align.told_anew import Anew, told_anew
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.timeline import Pin
from mafiavar.engine.game import Game
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.state import Phase

Reader = Callable[[Sight], Iterator[Reading]]
READERS: Mapping[CueKind, Reader] = {
    **read_floor.READERS,
    **read_floor_end.READERS,
    **read_nomination.READERS,
    **read_vote.READERS,
    **read_count.READERS,
    **read_verdict.READERS,
    **read_night.READERS,
    **read_discipline.READERS,
}
_INTERJECTED = frozenset({"foul", "best_move"})
"""Events that fall into a running exchange and do not begin or end one."""
_UNTIL_TOLD = 12.0
"""Penalties (natural log) that a day's other list of candidates may cost until its calls are laid anew."""
_BACK = 3
"""So many events back the pace is looked for: two that came in an odd order must not lose it."""


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
        self._weigher = Weigher(parameters)
        self._scales = Scales(parameters)

    def look(self, hands: Hands, since: Micros) -> None:
        """Other hands were seen in ballots that begin at `since` or later: what was decoded before stands."""
        self.hands = hands
        self._done = [step for step in self._done if step.item.t < since]

    def start(self) -> tuple[Hypothesis, ...]:
        """The two ways a recording begins: with the game, or in the middle of a day."""
        p = self.parameters
        new = Hypothesis(self.referee.same(Game.new(self.ruleset)))
        excerpt = Hypothesis(self.referee.same(Game.excerpt(self.ruleset)), p.missing["beginning"])
        return (new, excerpt)

    def decode(self, cues: Sequence[Cue], pins: Sequence[Pin] = ()) -> Decoded:
        """The most likely game for the cues, with everything that was left behind."""
        keeper = Pins(tuple(pins))
        self._cues = cues
        items = _items(cues, pins)
        same = self._unchanged(items, tuple(pins))
        before, self._done = self._done, self._done[:same]
        known = {step.item.index: i for i, step in enumerate(before) if i >= same and step.item.cue}
        free = max((p.span.t1 for p in self._changed(tuple(pins))), default=0) + SECOND
        beam = self._done[-1].beam if self._done else self.start()
        for i, item in enumerate(items[same:], same):
            step = self._step(beam, item, keeper)
            self._done.append(step)
            beam = step.beam
            j = known.get(item.index) if item.cue else None
            if j is not None and item.t > free and meets(before[j], step, self.referee):
                following = before[j + 1 :]
                if [s.item for s in following] == items[i + 1 :] and (
                    rest := grafted(before[j], step, following, self.referee)
                ):
                    self._done += rest
                    beam = rest[-1].beam
                    break
        self._pins = tuple(pins)
        endings = tuple(self._ending(h) for h in beam)
        best = max(zip(beam, endings, strict=True), key=lambda x: x[0].score + x[1])[0]
        lattice = lattice_of(self.start(), self._done, endings)
        together = self._weigher.named(best.moves(), cues, lattice, self.hands)
        met = [pin for pin in pins if keeper.satisfied(pin, best)]

        def allowed(h: Hypothesis) -> bool:
            return keeper.allows(h, None) and all(keeper.satisfied(pin, h) for pin in met)

        right, anew = self._put_right(best, lattice, together, cues, allowed)
        best = anew.best
        return Decoded(
            best,
            self.start(),
            tuple(self._done),
            endings,
            tuple(pin for pin in pins if not keeper.satisfied(pin, best)),
            cues,
            self.hands,
            together,
            _origins(anew.origin, right.origin, best),
            lattice,
            anew.numbers,
            anew.turns,
        )

    def _put_right(
        self,
        best: Hypothesis,
        lattice: Lattice,
        together: Named,
        cues: Sequence[Cue],
        allowed: Callable[[Hypothesis], bool],
    ) -> tuple[Righted, Anew]:
        """The best game with its nominations put right and its votes told anew. Another list may make sense
        only with the calls laid anew, so that it may cost a little more until then."""
        p, started = self.parameters, self._started(best)
        for much in (_UNTIL_TOLD, MUCH):
            right = righted(best, started, together, cues, self.referee, allowed, much)
            nodes = right.best.moves()
            rounds = self._scales.weighed(nodes, right.origin, lattice, together, cues, self.hands)
            lifts = lifts_of(nodes, right.origin, lattice, cues, self.hands, p)
            anew = told_anew(right.best, started, rounds, lifts, cues, self.referee, allowed)
            if right.best is best or _penalties(anew.best) <= _penalties(best) + MUCH:
                break
        return right, anew

    def _started(self, h: Hypothesis) -> Game:
        """The position that a hypothesis began with."""
        new, excerpt = self.start()
        first = next((n for n in h.moves()), None)
        return (excerpt if first is not None and first.game.excerpted else new).game

    def _changed(self, pins: tuple[Pin, ...]) -> list[Pin]:
        """The pins that are new, and those that are no more."""
        return [p for p in (*pins, *self._pins) if (p in pins) != (p in self._pins)]

    def _ending(self, h: Hypothesis) -> float:
        """A whole game whose end nobody announced: it may have been cut off, or the words were lost."""
        begun = h.game.phase is not Phase.BEFORE and not h.game.unknown_past
        return self.parameters.missing["game_ended"] if begun and h.game.phase is not Phase.OVER else 0.0

    def _unchanged(self, items: Sequence[Item], pins: tuple[Pin, ...]) -> int:
        """How many items need no new decoding: equal ones before the first pin that changed."""
        limit = min((p.span.t0 for p in self._changed(pins)), default=None)
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
        skip = 0.0 if covered else math.log1p(-true) + by_chance(cue, p)
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
            gained += self._paced(base, reading, index) if reading.paced else 0.0
            if base.score + gained < least:
                continue
            start = Hypothesis(base.game, base.score + gained, base.trail, context)
            new = self.referee.follow(start, reading.moves)
            if keeper.allows(new, h.trail) and (reading.edit is None or keeper.kept(h, new)):
                yield new

    def _paced(self, base: Hypothesis, reading: Reading, index: int) -> float:
        """How well the time of the event fits what was heard before it."""
        move = next((m for m in reading.moves if m.cue == index), None)
        if move is None or base.trail is None:
            return 0.0
        looked = 0
        for node in base.trail.back():
            before = node.move
            if before.cue < 0 or before.event.kind in _INTERJECTED:
                continue
            if self.parameters.knows_pace(before.event.kind, move.event.kind):
                gap = move.span.t0 - before.span.t1
                return self.parameters.paced(before.event.kind, move.event.kind, gap)
            looked += 1
            if looked == _BACK:
                break
        return 0.0

    def _select(self, item: Item, candidates: list[tuple[Hypothesis, int]]) -> Step:
        """Equal positions are merged into their best history; the best `width` go on, and a few of
        every phase: that a whole night went unheard pays only later."""
        p = self.parameters
        candidates.sort(key=lambda c: -c[0].score)
        best = candidates[0][0]
        places: dict[tuple[int, Context], int] = {}
        alike: dict[tuple[Any, ...], int] = {}
        groups: Counter[tuple[Any, ...]] = Counter()
        kept: list[tuple[Hypothesis, int]] = []
        dead: list[Dead] = []
        for h, parent in candidates:
            key = (id(self.referee.core(h.game)), h.context)
            place = places.get(key)
            if place is not None:
                if kept[place][0].score - h.score <= p.reach:
                    dead.append(Dead(h, parent, place))
            elif best.score - h.score > p.margin:
                break
            elif (
                len(kept) < (p.width if best.score - h.score <= p.near else p.narrow)
                or groups[_group(h)] < p.per_phase
            ):
                groups[_group(h)] += 1
                places[key] = len(kept)
                alike.setdefault(_likeness(h), len(kept))
                kept.append((h, parent))
            elif best.score - h.score <= p.reach:
                dead.append(Dead(h, parent, alike.get(_likeness(h), 0)))
        return Step(item, tuple(h for h, _ in kept), tuple(i for _, i in kept), tuple(dead))


def _penalties(h: Hypothesis) -> float:
    return sum(n.penalty for n in h.moves())


def _origins(later: Mapping[int, Node], earlier: Mapping[int, Node], best: Hypothesis) -> dict[int, Node]:
    """Each move of the best game that stands for another -> that one of the search."""
    out = {}
    for node in best.moves():
        was = later.get(id(node), node)
        was = earlier.get(id(was), was)
        if was is not node:
            out[id(node)] = was
    return out


def _group(h: Hypothesis) -> tuple[Any, ...]:
    return h.game.day, h.game.phase, h.game.vote.round if h.game.vote else 0


def _likeness(h: Hypothesis) -> tuple[Any, ...]:
    """What of a position decides how well the next words fit it, whatever numbers were heard before."""
    game, vote = h.game, h.game.vote
    stages = tuple(c.stage for c in vote.calls) if vote is not None and game.phase is Phase.VOTE else ()
    return (game.day, game.phase, game.floor, game.spoken[-1:], len(game.waiting), stages, h.context)


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
