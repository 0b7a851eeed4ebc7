"""All that was heard of a round of a vote weighed together, for a given list of candidates.

Every phrase is some candidate's call, stop or count, or an invention; the candidates come in the order of
the list (4.5.4); what lies between two phrases went unheard. All such ways are summed over (forward and
backward, Rabiner 1989) together with all ways to share the voters (`shared_votes`): by the numbers as they
were heard and as the hands were seen, by the sum (4.5.8: who puts no hand votes against the last), by how
many votes candidates usually get, and by what followed. So a number belongs to whom everything together
gives it, not to the one way that the search took.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mafiavar.analyzer.align.ballot_words import CALL, COUNT, KINDS, STOP, Round, Said, echoes
from mafiavar.analyzer.align.parameters import Parameters
from mafiavar.analyzer.align.shared_votes import Array, Sharing, shared, unshared

Place = tuple[int, int]
"""A candidate's place in the list, and the stage of his turn."""

_UNNAMED = -0.4
"""A call whose number was lost."""
_WORTH = -4.0
"""Readings of a phrase less likely than this (natural log, against an invention) are not followed."""


def weigh(one: Round, listed: Sequence[int], p: Parameters) -> float:
    """Natural log of how well what was heard fits the list, against "all of it is an invention"."""
    if not listed:
        return 0.0
    steps, links = _read(one, listed, p)
    total = sum(_Chain(steps, links, way).total() for way in _ways(one, listed, p))
    return math.log(max(total, 1e-300))


def numbers(one: Round, listed: Sequence[int], p: Parameters) -> dict[int, tuple[float, ...]]:
    """For each candidate the probability of 0, 1, ..., all votes, given the list."""
    if not listed:
        return {}
    steps, links = _read(one, listed, p)
    first, other = (_Chain(steps, links, way).numbers() for way in _ways(one, listed, p))
    rows = first + other
    total = rows.sum(axis=1, keepdims=True)
    rows = np.where(total > 0, rows / np.where(total > 0, total, 1.0), 1 / rows.shape[1])
    return {c: tuple(map(float, row)) for c, row in zip(listed, rows, strict=True)}


def _ways(one: Round, listed: Sequence[int], p: Parameters) -> tuple[Sharing, Sharing]:
    """The voters are shared between the candidates; or the judge has miscounted."""
    slip = math.exp(p.table["miscounted"])
    return shared(one, listed, p.votes, 1 - slip), unshared(one, listed, slip)


def laid(
    one: Round, listed: Sequence[int], counts: Mapping[int, int], p: Parameters
) -> dict[tuple[int, int], int]:
    """(candidate, stage) -> the cue that is it, in the likeliest way in which the candidates have these
    counts (Viterbi)."""
    steps, links = _read(one, listed, p)
    best: list[float] = []
    back: list[int] = []
    for j, step in enumerate(steps):
        mine = step.weight
        if step.votes is not None:
            mine += math.log(max(float(step.votes[counts[listed[step.place[0]]]]), 1e-9))
        options = [links.first[j], *(best[i] + links.between[i, j] for i in range(j))]
        k = max(range(len(options)), key=options.__getitem__)
        best.append(options[k] + mine)
        back.append(k - 1)
    ends = [links.none, *(b + e for b, e in zip(best, links.last, strict=True))]
    i = max(range(len(ends)), key=ends.__getitem__) - 1
    found: dict[tuple[int, int], int] = {}
    while i >= 0:
        c, stage = steps[i].place
        found[listed[c], stage] = one.said[steps[i].said].cue
        i = back[i]
    return found


# --- phrases as stages


@dataclass(frozen=True, slots=True)
class _Step:
    """A phrase read as one stage of one candidate's turn. `weight`: natural log, without its number of votes;
    `votes`: how well each number of votes fits a count."""

    said: int
    place: Place
    weight: float
    votes: Array | None = None


@dataclass(frozen=True, slots=True)
class _Links:
    """Natural logs: of beginning with a step, of one step (row) before another (column; minus infinity where
    that cannot be), of ending with one, and of hearing nothing at all."""

    first: Array
    between: Array
    last: Array
    none: float


def _read(one: Round, listed: Sequence[int], p: Parameters) -> tuple[list[_Step], _Links]:
    steps = [s for s in _steps(one, listed, p) if s.weight > _WORTH]
    return steps, _links(one, steps, len(listed), p)


def _steps(one: Round, listed: Sequence[int], p: Parameters) -> list[_Step]:
    """Every reading of every phrase, in order of time."""
    steps: list[_Step] = []
    for i, said in enumerate(one.said):
        for c, target in enumerate(listed):
            if said.rest and c + 1 < len(listed):
                continue
            if said.stage == CALL:
                fits = _named(said, target, p) if said.numeral else _UNNAMED
                steps.append(_Step(i, (c, CALL), said.odds + fits))
            elif said.stage == STOP:
                steps.append(_Step(i, (c, STOP), said.odds))
            elif said.numeral:
                votes = [max(said.numeral.get(n, 0.0), p.numeral_floor) for n in range(one.voters + 1)]
                steps.append(_Step(i, (c, COUNT), said.odds, np.array(votes)))
                steps.append(_Step(i, (c, CALL), said.odds + p.other_kind + _named(said, target, p)))
    return steps


def _named(said: Said, target: int, p: Parameters) -> float:
    assert said.numeral is not None
    return math.log(max(said.numeral.get(target, 0.0), p.numeral_floor))


def _links(one: Round, steps: Sequence[_Step], candidates: int, p: Parameters) -> _Links:
    said, n = one.said, len(steps)
    again = _again(said, p)
    start, end = (-1, COUNT), (candidates, CALL)
    first, between, last = np.zeros(n), np.full((n, n), -np.inf), np.zeros(n)
    for j, step in enumerate(steps):
        mine, kind = said[step.said], KINDS[step.place[1]]
        first[j] = _unheard(start, step.place, p) * mine.lost
        if one.opened is not None:
            first[j] += p.paced("vote_opened", kind, mine.t0 - one.opened)
        last[j] = _unheard(step.place, end, p) + again[step.said, len(said)]
        if one.following is not None:
            last[j] += p.paced(kind, one.following[0], one.following[1] - mine.t1)
        for i, before in enumerate(steps[:j]):
            if before.said < step.said and before.place < step.place:
                gap = mine.t0 - said[before.said].t1
                between[i, j] = (
                    _unheard(before.place, step.place, p) * mine.lost
                    + p.paced(KINDS[before.place[1]], kind, gap)
                    + again[before.said, step.said]
                )
    return _Links(first, between, last, _unheard(start, end, p))


def _unheard(a: Place, b: Place, p: Parameters) -> float:
    """What went unheard between two places (natural log). A whole turn has as a rule taken its stop with it."""
    called, closed, told = (p.missing[k] for k in KINDS)
    (c, stage), (d, following) = a, b
    if c == d:
        return closed if following - stage == COUNT - CALL else 0.0
    cost = (closed + told, told, 0.0)[stage] + (d - c - 1) * (called + told)
    return cost + (0.0, called, called + closed)[following]


def _again(said: Sequence[Said], p: Parameters) -> dict[tuple[int, int], float]:
    """(a, b) -> what the phrases between them gain if they only say a once more."""
    out = {}
    for i, a in enumerate(said):
        gained = 0.0
        for j in range(i + 1, len(said) + 1):
            out[i, j] = gained
            if j < len(said) and echoes(a, said[j]):
                gained += max(0.0, said[j].odds + p.echo)
    return out


# --- sums


class _Chain:
    """Sums over all ways through the steps, for one way to share the votes. The votes of a candidate of whom
    no count is a step may be any.

    `rows[j][c]`: the weight by state of all that leads to step j, when the votes of the candidates before c
    are given away; `end` the same of the end. `given[j]`: whose votes are given away after step j.
    """

    def __init__(self, steps: Sequence[_Step], links: _Links, way: Sharing) -> None:
        self.steps, self.links, self.way = steps, links, way
        self.candidates = way.weights.shape[1]
        self.free = [way.moves(way.weights[:, c]) for c in range(self.candidates)]
        self.told = {
            j: way.moves(way.weights[:, s.place[0]] * s.votes)
            for j, s in enumerate(steps)
            if s.votes is not None
        }
        self.given = np.array([s.place[0] + (s.place[1] == COUNT) for s in steps], dtype=int)
        self.done = np.zeros((len(steps), *way.shape))
        self.rows: list[list[Array]] = []
        for j, step in enumerate(steps):
            rows = self._gathered(step.place[0], links.between[:j, j], links.first[j])
            self.rows.append(rows)
            row = rows[-1] * math.exp(step.weight)
            self.done[j] = _moved(row, self.told[j]) if j in self.told else row
        self.end = self._gathered(self.candidates, links.last, links.none)

    def _gathered(self, into: int, weights: Array, first: float) -> list[Array]:
        """All that leads on from the first steps, by how many candidates' votes are given away."""
        rows: list[Array] = []
        for c in range(into + 1):
            if c:
                row = _moved(rows[-1], self.free[c - 1])
            else:
                row = np.zeros(self.way.shape)
                row[:, 0] = math.exp(first)
            mine = np.flatnonzero((self.given[: len(weights)] == c) & np.isfinite(weights))
            if len(mine):
                row = row + np.tensordot(np.exp(weights[mine]), self.done[mine], 1)
            rows.append(row)
        return rows

    def total(self) -> float:
        return float((self.end[-1] * self.way.ends).sum())

    def numbers(self) -> Array:
        """The weight of each number of votes of each candidate, shape (candidates, numbers)."""
        # Backward: what is worth what, right before the votes of candidate c are given away.
        ends = self._worth(self.way.ends, self.candidates)
        worth: list[list[Array]] = [[] for _ in self.steps]
        after = np.zeros((len(self.steps), *self.way.shape))
        links = self.links
        for j in range(len(self.steps) - 1, -1, -1):
            g = self.given[j]
            after[j] = math.exp(links.last[j]) * ends[g]
            for i in range(j + 1, len(self.steps)):
                if self.steps[i].place[0] >= g and np.isfinite(links.between[j, i]):
                    after[j] += math.exp(links.between[j, i]) * worth[i][g]
            here = after[j] * math.exp(self.steps[j].weight)
            here = _moved_back(here, self.told[j]) if j in self.told else here
            worth[j] = self._worth(here, self.steps[j].place[0])
        out = np.zeros((self.candidates, self.way.weights.shape[2]))
        for c in range(self.candidates):
            own = self.way.weights[:, c]
            over = [i for i, s in enumerate(self.steps) if s.place[0] > c]
            before = np.stack([self.end[c], *(self.rows[i][c] for i in over)])
            right = np.stack([ends[c + 1], *(worth[i][c + 1] for i in over)])
            out[c] = self.way.numbers(before, right, own)
            for i, step in enumerate(self.steps):
                if step.votes is not None and step.place[0] == c:
                    row = self.rows[i][c] * math.exp(step.weight)
                    out[c] += self.way.numbers(row[None], after[i][None], own * step.votes)
        return out

    def _worth(self, last: Array, into: int) -> list[Array]:
        """Worth by how many candidates' votes are given away, up to `into`, from the worth when all are."""
        rows = [last]
        for c in range(into - 1, -1, -1):
            rows.append(_moved_back(rows[-1], self.free[c]))
        return rows[::-1]


def _moved(row: Array, moves: Array) -> Array:
    return np.asarray(np.matmul(row[:, None, :], moves)[:, 0])


def _moved_back(row: Array, moves: Array) -> Array:
    return np.asarray(np.matmul(moves, row[:, :, None])[:, :, 0])
