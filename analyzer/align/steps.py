"""What a search leaves behind: the beam after every cue, and everything that was given up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mafiavar.analyzer.align.hands import Hands, no_hands
from mafiavar.analyzer.align.hypothesis import Hypothesis, Node
from mafiavar.analyzer.align.lattice import NO_LATTICE, Lattice
from mafiavar.analyzer.align.named import NOTHING_NAMED, Named
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.span import Micros
from mafiavar.analyzer.timeline import Pin


@dataclass(frozen=True, slots=True, eq=False)
class Dead:
    """A hypothesis that did not go on. `into`: the place in the beam whose future is its own: it came to
    the same position as that better one; or there was no room for it, and that one is most like it.
    `parent`: its place in the beam before."""

    hypothesis: Hypothesis
    parent: int
    into: int


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
    """The most likely game, and every step of the search: what else was possible and how likely."""

    best: Hypothesis
    start: tuple[Hypothesis, ...]
    steps: Sequence[Step]
    endings: tuple[float, ...]
    """What each hypothesis of the last beam loses (natural log) by how it ends."""
    unsatisfied: tuple[Pin, ...]
    cues: Sequence[Cue] = ()
    hands: Hands = no_hands
    together: Named = NOTHING_NAMED
    """What all words of a day say of its nominations."""
    origin: Mapping[int, Node] = field(default_factory=dict)
    """`id` of a move of `best` that was put right -> the move of the search that it stands for."""
    lattice: Lattice = NO_LATTICE
    numbers: Mapping[int, Mapping[int, float]] = field(default_factory=dict)
    """`id` of a move of `best` that announces a count -> the probability of each number (`count_numbers`)."""
    turns: Mapping[int, float] = field(default_factory=dict)
    """`id` of a call or a stop that was laid anew -> the probability that it was this candidate's turn."""
