"""Pins: facts a person has set. They are hard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mafiavar.analyzer.align.hypothesis import Hypothesis, Move, Node, Referee, content
from mafiavar.analyzer.span import SECOND
from mafiavar.analyzer.timeline import Pin
from mafiavar.engine.errors import RuleError
from mafiavar.engine.events import EVENTS, Event, event_from
from mafiavar.engine.game import Game

ROOM = SECOND // 2
"""A pin's span is widened by this when an event is looked for in it."""
_INSERTED = 6.0
_UNSATISFIED = 60.0


@dataclass(frozen=True, slots=True)
class Pins:
    pins: tuple[Pin, ...] = ()

    def allows(self, h: Hypothesis, before: Node | None) -> bool:
        """May the moves made since `before` stand beside the pins?"""
        if not self.pins:
            return True
        known = before.length if before else 0
        for node in h.trail.back() if h.trail else ():
            if node.length <= known and node is before:
                break
            t, kind = node.move.span.t0, node.move.event.kind
            for pin in self.pins:
                # The cheap questions first: this runs for every move of every hypothesis.
                if pin.kind == kind and pin.span.t0 - ROOM <= t <= pin.span.t1 + ROOM and forbids(pin, node):
                    return False
        return True

    def enforce(self, h: Hypothesis, pin: Pin, referee: Referee) -> Iterator[Hypothesis]:
        """The hypothesis with the pinned event in it, where it is missing."""
        found = self.node_of(pin, h)
        if found is not None:
            yield h
            return
        event = event_of(pin, h.game)
        if event is None:
            yield replace(h, score=h.score - _UNSATISFIED)
            return
        move = Move(event, pin.span, -1, "pinned")
        at = next((n for n in h.trail.back() if n.move.span.t0 <= pin.span.t0), None) if h.trail else None
        if at is not None and h.trail is not at:
            yield referee.insert(replace(h, score=h.score - _INSERTED), at, (move,))
        else:
            yield referee.follow(replace(h, score=h.score - _INSERTED), (move,))

    def node_of(self, pin: Pin, h: Hypothesis) -> Node | None:
        """The move of the hypothesis that satisfies the pin."""
        for node in h.trail.back() if h.trail else ():
            if node.move.shown and in_place(pin, node) and agrees(pin.fields, node):
                return node
        return None

    def satisfied(self, pin: Pin, h: Hypothesis) -> bool:
        return pin.negated or self.node_of(pin, h) is not None

    def kept(self, h: Hypothesis, new: Hypothesis) -> bool:
        """Does what puts the past right leave every pin that `h` has met as it is?"""
        return all(
            self.node_of(p, new) is not None
            for p in self.pins
            if not p.negated and self.node_of(p, h) is not None
        )

    def pinned(self, node: Node) -> bool:
        return any(not p.negated and in_place(p, node) and agrees(p.fields, node) for p in self.pins)


def in_place(pin: Pin, node: Node) -> bool:
    """Same kind, and the event begins inside the pin's span (with a little room)."""
    span = pin.span.widened(ROOM)
    return node.move.event.kind == pin.kind and node.move.span.t0 in span


def agrees(fields: Mapping[str, Any], node: Node) -> bool:
    """Every field that the pin names has the pinned value; `day` is a field here."""
    _, day, values = content(node)
    known = {**values, "day": day}
    return all(_plain(known.get(k)) == _plain(v) for k, v in fields.items())


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple | list) else value


def forbids(pin: Pin, node: Node) -> bool:
    """A negated pin forbids what it describes; a positive one forbids another event of its kind in
    its place."""
    if node.move.basis == "pinned" or not in_place(pin, node):
        return False
    same = agrees(pin.fields, node)
    return same if pin.negated else not same


def event_of(pin: Pin, game: Game) -> Event | None:
    """The pinned event; what the pin leaves open is filled from the position. None when it cannot be."""
    if pin.kind not in EVENTS:
        return None
    values = dict(pin.fields)
    vote = game.vote
    values.setdefault("round", vote.round if vote else 1)
    values.setdefault("night", game.night if game.night is not None else game.day)
    if game.floor is not None:
        values.setdefault("seat", game.floor.seat)
    if vote is not None and pin.kind in ("vote_closed", "vote_announced"):
        called = [c.target for c in vote.calls if c.stage.value != "waiting"]
        if called:
            values.setdefault("target", called[-1])
    try:
        return event_from(pin.kind, values)
    except (RuleError, TypeError, ValueError):
        return None


def contradictions(pins: tuple[Pin, ...]) -> tuple[tuple[Pin, Pin], ...]:
    """Pairs of pins that say different things of the same event, or demand and forbid it."""
    pairs = []
    for i, a in enumerate(pins):
        for b in pins[i + 1 :]:
            if a.kind != b.kind or not a.span.widened(ROOM) & b.span:
                continue
            common = set(a.fields) & set(b.fields)
            differ = any(_plain(a.fields[k]) != _plain(b.fields[k]) for k in common)
            opposed = a.negated != b.negated and not differ
            if (differ and not a.negated and not b.negated) or opposed:
                pairs.append((a, b))
    return tuple(pairs)
