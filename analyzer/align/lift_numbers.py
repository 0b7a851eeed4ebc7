"""The number of votes for a lift: as it was heard and seen, and whether they left."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from mafiavar.analyzer.align.hands import Hands, weight
from mafiavar.analyzer.align.hands import numbers as seen_numbers
from mafiavar.analyzer.align.hypothesis import Node
from mafiavar.analyzer.align.parameters import Parameters
from mafiavar.analyzer.align.shared_votes import OPEN
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.span import Span
from mafiavar.engine import decide
from mafiavar.engine import events as ev

_FOLLOWING = ("eliminated", "night_began", "vote_opened")


def lift_numbers(
    node: Node,
    later: Sequence[Node],
    cues: Sequence[Cue],
    hands: Hands,
    sure: Callable[[Node], float],
    p: Parameters,
) -> Mapping[int, float]:
    """The probability of each number of hands for a lift, given that one was announced. `later`: what came
    after it; `sure`: how probable a move is."""
    assert node.before is not None
    game = node.before.game
    numeral = cues[node.move.cue].numbers[:1] if node.move.cue >= 0 else ()
    called = next((n for n in node.back() if n.move.event.kind == "lift_called"), node)
    t0 = called.move.span.t0
    seen = hands(Span(t0, max(t0, node.move.span.t0)))
    chances = seen_numbers(seen, game.alive) if seen is not None else None
    follows = next((n for n in later if n.move.event.kind in _FOLLOWING), None)
    left = follows is not None and isinstance(follows.move.event, ev.Eliminated)
    believed = sure(follows) * (1 - math.exp(p.table["wrong_result"])) if follows is not None else 0.0
    row = {}
    for yes in range(game.at_table + 1):
        passes = decide.lift_passes(game.rules, yes=yes, at_table=game.at_table)
        # Nobody may have been heard to leave although they did.
        fits = float(passes) if left else OPEN if passes else 1.0
        row[yes] = believed * fits + (1 - believed) * OPEN
        row[yes] *= math.exp(weight(chances, yes)) if chances is not None else 1.0
        row[yes] *= max(numeral[0].get(yes, 0.0), p.numeral_floor) if numeral else 1.0
    total = sum(row.values())
    return {yes: w / total for yes, w in row.items()}
