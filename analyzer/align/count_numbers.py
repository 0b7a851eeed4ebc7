"""How probable each number of an announced count is, over all likely lists of candidates and all ways to read
what was heard of the round; and the likeliest game told anew by that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mafiavar.analyzer.align.ballot_weights import laid, numbers
from mafiavar.analyzer.align.ballot_words import Round, Stretch, round_of, stretches
from mafiavar.analyzer.align.hands import Hands
from mafiavar.analyzer.align.hypothesis import Node, day_of
from mafiavar.analyzer.align.lattice import Lattice
from mafiavar.analyzer.align.lift_numbers import lift_numbers
from mafiavar.analyzer.align.named import Named
from mafiavar.analyzer.align.parameters import Parameters
from mafiavar.analyzer.cue import Cue
from mafiavar.engine import events as ev

Numbers = Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Weighed:
    """One round: `rows`: candidate -> the probability of each number of his votes; `turns`: that he is a
    candidate at all; `cues`: (candidate, stage) -> the cue that is it."""

    stretch: Stretch
    rows: Mapping[int, Numbers]
    turns: Mapping[int, float]
    cues: Mapping[tuple[int, int], int]


@dataclass(frozen=True, slots=True)
class _Reading:
    rows: Mapping[int, Numbers]
    cues: Mapping[tuple[int, int], int]


class Scales:
    """Weighs the rounds of a game; a round of which nothing has changed is not weighed again."""

    def __init__(self, parameters: Parameters) -> None:
        self._parameters = parameters
        self._known: dict[tuple[int, int], tuple[object, _Reading]] = {}

    def weighed(
        self,
        nodes: Sequence[Node],
        origin: Mapping[int, Node],
        lattice: Lattice,
        together: Named,
        cues: Sequence[Cue],
        hands: Hands,
    ) -> list[Weighed]:
        """The rounds of the best game. `origin`: moves that were put right -> those of the search."""
        p = self._parameters
        held = _held(lattice)

        def sure(node: Node) -> float:
            return lattice.of(origin.get(id(node), node))

        out = []
        for stretch in stretches(nodes):
            one = round_of(stretch, cues, hands, sure, p)
            if one is None:
                continue
            lists = together.lists.get(one.day) if one.number == 1 else None
            lists = lists or {one.candidates: 1.0}
            read = self._read(one, lists)
            chance = min(held.get((one.day, one.number), 0.0), 1.0)
            scaled = {c: {n: chance * w for n, w in row.items()} for c, row in read.rows.items()}
            turns = {c: chance * sum(w for x, w in lists.items() if c in x) for c in one.candidates}
            out.append(Weighed(stretch, scaled, turns, read.cues))
        return out

    def _read(self, one: Round, lists: Mapping[tuple[int, ...], float]) -> _Reading:
        key = one.day, one.number
        known = self._known.get(key)
        if known is not None and known[0] == (one, lists):
            return known[1]
        p = self._parameters
        rows = {c: dict.fromkeys(range(one.voters + 1), 0.0) for c in one.candidates}
        for listed, share in lists.items():
            for c, row in numbers(one, listed, p).items():
                for n, w in enumerate(row) if c in rows else ():
                    rows[c][n] += share * w
        counts = {c: max(row, key=lambda n: (row[n], -n)) for c, row in rows.items()}
        read = _Reading(rows, laid(one, one.candidates, counts, p))
        self._known[key] = (one, lists), read
        return read


def _held(lattice: Lattice) -> Mapping[tuple[int, int], float]:
    """The probability that each round was held: (day, number)."""
    out: dict[tuple[int, int], float] = defaultdict(float)
    for key, chance in lattice.probable.items():
        if isinstance(key[1], ev.VoteOpened):
            out[key[0], key[1].round] += chance
    return out


def lifts_of(
    nodes: Sequence[Node],
    origin: Mapping[int, Node],
    lattice: Lattice,
    cues: Sequence[Cue],
    hands: Hands,
    p: Parameters,
) -> Mapping[int, Numbers]:
    """`id` of each count of a lift -> the probability of each number."""
    announced: dict[int, float] = defaultdict(float)
    for key, chance in lattice.probable.items():
        if isinstance(key[1], ev.LiftResult):
            announced[key[0]] += chance

    def sure(node: Node) -> float:
        return lattice.of(origin.get(id(node), node))

    out: dict[int, Numbers] = {}
    for i, node in enumerate(nodes):
        if isinstance(node.move.event, ev.LiftResult) and node.move.basis != "pinned":
            told = min(max(announced[day_of(node)], 0.0), 1.0)
            row = lift_numbers(node, nodes[i + 1 :], cues, hands, sure, p)
            out[id(node)] = {n: told * w for n, w in row.items()}
    return out


def number_of(node: Node) -> int:
    """The number that a move announces: of a candidate's votes, or of those for a lift."""
    event = node.move.event
    assert isinstance(event, ev.VoteAnnounced | ev.LiftResult)
    return event.count if isinstance(event, ev.VoteAnnounced) else event.yes


def with_number(event: ev.Event, number: int) -> ev.Event:
    """An event that announces a count, with another number."""
    if isinstance(event, ev.LiftResult):
        return replace(event, yes=number, no=None if event.no is None else event.yes + event.no - number)
    assert isinstance(event, ev.VoteAnnounced)
    return replace(event, count=number)
