"""Re-using the steps of an earlier search once the new one has come to the same beam.

A pin changes the search from its place on. As a rule what it changed is soon over: the positions in
the beam are the old ones again, with the old differences of score. From there on both searches are
the same, and only the past of the old steps has to be exchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mafiavar.analyzer.align.hypothesis import Hypothesis, Node, Referee
from mafiavar.analyzer.align.steps import Step

_SAME_SCORE = 1e-6


def meets(old: Step, new: Step, referee: Referee) -> bool:
    """Have two searches the same beam: equal positions, as far as coming cues can tell, in the same order
    and with the same differences of score?"""
    if len(old.beam) != len(new.beam):
        return False
    shift = new.beam[0].score - old.beam[0].score
    return all(
        a.context == b.context
        and abs(b.score - a.score - shift) < _SAME_SCORE
        and referee.core(a.game) is referee.core(b.game)
        for a, b in zip(old.beam, new.beam, strict=True)
    )


def grafted(old: Step, new: Step, following: Sequence[Step], referee: Referee) -> list[Step] | None:
    """`following`, the steps after `old`, as the steps after `new`; None when one of them rewrites a
    past that the two do not share."""
    graft = _Graft(referee)
    for a, b in zip(old.beam, new.beam, strict=True):
        graft.learn(a.trail, b.trail)
    shift = new.beam[0].score - old.beam[0].score
    out: list[Step] = []
    for step in following:
        beam = tuple(graft.hypothesis(h, shift) for h in step.beam)
        dead = tuple((d, graft.hypothesis(d.hypothesis, shift)) for d in step.dead)
        if graft.failed:
            return None
        out.append(
            Step(
                step.item,
                beam,
                step.parents,
                tuple(replace(d, hypothesis=h) for d, h in dead),
            )
        )
    return out


@dataclass(slots=True)
class _Graft:
    referee: Referee
    known: dict[int, Node] = field(default_factory=dict)
    """`id` of a node of the old search -> the node that stands for it in the new one."""
    keep: list[Node] = field(default_factory=list)
    """Old nodes, so that no `id` is given out again."""
    failed: bool = False

    def learn(self, old: Node | None, new: Node | None) -> None:
        """Moves that both pasts end with stand for each other."""
        first = True
        while old is not None and new is not None and old.move == new.move:
            if not first and id(old) in self.known:
                return
            self._note(old, new)
            old, new, first = old.before, new.before, False

    def hypothesis(self, h: Hypothesis, shift: float) -> Hypothesis:
        trail = self._node(h.trail)
        game = trail.game if trail is not None else h.game
        return Hypothesis(game, h.score + shift, trail, h.context)

    def _node(self, node: Node | None) -> Node | None:
        if node is None:
            return None
        chain: list[Node] = []
        at: Node | None = node
        while at is not None and id(at) not in self.known:
            chain.append(at)
            at = at.before
        if at is None:
            self.failed = True
            return node
        made = self.known[id(at)]
        for old in reversed(chain):
            game, issues, penalty = self.referee.apply(made.game, old.move.event)
            made = Node(made, old.move, game, issues, penalty, made.length + 1)
            self._note(old, made)
        return made

    def _note(self, old: Node, new: Node) -> None:
        self.known[id(old)] = new
        self.keep.append(old)
