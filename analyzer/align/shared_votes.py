"""How the voters of a round may be shared between its candidates: states, moves between them, and what each end
is worth.

A sum runs over the greatest number of votes M (the batch): then the numbers of different candidates are
weighed each by itself. A state is how many candidates so far (none, one, more) have M, and how many votes are
given away. Shapes: batch B, states S.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mafiavar.analyzer.align.ballot_words import Round
from mafiavar.engine import decide

Array = NDArray[np.float64]

OPEN = 0.3
"""What a result is worth to a sharing of votes when it is not known what followed."""
_FLAGS = 3
"""None, one, or more of the candidates so far have most votes."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """`weights`: how well each number of votes fits each candidate beside the words, shape (B, candidates,
    voters + 1); `most`: M of each of the batch, None where numbers need not add up; `ends`: what each state is
    worth when all candidates have theirs, shape (B, S)."""

    weights: Array
    most: NDArray[np.int64] | None
    ends: Array

    @property
    def shape(self) -> tuple[int, int]:
        return self.ends.shape[0], self.ends.shape[1]

    def moves(self, votes: Array) -> Array:
        """Weights of one candidate's numbers (B, numbers) -> moves between states (B, S, S)."""
        if self.most is None:
            return np.asarray(votes.sum(axis=1)[:, None, None])
        plain, leads = _shifts(votes.shape[1])
        leading = np.where(np.arange(votes.shape[1])[None] == self.most[:, None], votes, 0.0)
        return np.asarray(np.tensordot(votes - leading, plain, 1) + np.tensordot(leading, leads, 1))

    def numbers(self, before: Array, after: Array, votes: Array) -> Array:
        """The weight of each number of one candidate's votes, shape (numbers,), where the states before he
        gets them have the weights `before` and those after it the worth `after`; both (I, B, S)."""
        size = votes.shape[1]
        if self.most is None:
            return np.asarray(np.einsum("ibs,ibs,bn->n", before, after, votes))
        a, b = (x.reshape(*x.shape[:2], _FLAGS, size) for x in (before, after))
        up = np.concatenate([b[:, :, 1:], b[:, :, -1:]], axis=2)
        out = np.zeros(size)
        for n in range(size):
            leads = self.most == n
            for mine, right in ((~leads, b), (leads, up)):
                if mine.any():
                    pairs = (a[:, mine, :, : size - n] * right[:, mine, :, n:]).sum(axis=(0, 2, 3))
                    out[n] += float(pairs @ votes[mine, n])
        return out


def shared(one: Round, listed: Sequence[int], usual: Mapping[str, Sequence[float]], share: float) -> Sharing:
    """The numbers add up to the voters. `usual`: how often a leader, and another, gets 0, 1, ... votes;
    `share`: the weight of all such ways."""
    size = one.voters + 1
    most = np.arange(1, size)
    table = _usual(size, usual)
    own = np.stack([own_numbers(one, c) for c in listed])
    everybody = table[:, None, :] * own[None]
    out = one.outcome
    if out.kind in ("left", "again"):
        weights = np.concatenate([_masked(one, listed, table) * own[None], everybody])
        worth = np.concatenate(
            [
                np.full((len(most), _FLAGS), out.believed),
                np.full((len(most), _FLAGS), (1 - out.believed) * OPEN),
            ]
        )
    else:
        weights, worth = everybody, np.tile(_open_result(one, listed), (len(most), 1))
    worth[:, 0] = 0.0  # somebody must have most votes
    ways = _all_ways(table, len(listed))
    ends = np.zeros((len(worth), _FLAGS, size))
    ends[:, :, -1] = share * worth / ways if ways > 0 else 0.0
    return Sharing(weights, np.resize(most, len(worth)), ends.reshape(len(worth), -1))


def unshared(one: Round, listed: Sequence[int], share: float) -> Sharing:
    """The judge has miscounted: any numbers at all."""
    own = np.stack([own_numbers(one, c) for c in listed])[None]
    return Sharing(own / (one.voters + 1), None, np.array([[share * OPEN]]))


def own_numbers(one: Round, target: int) -> Array:
    """How well each number of votes of a candidate fits what is known of him beside the words."""
    size = one.voters + 1
    if target in one.fixed:
        return np.where(np.arange(size) == one.fixed[target], 1.0, 0.0)
    return np.array(one.seen.get(target, (1.0,) * size))


def _usual(size: int, usual: Mapping[str, Sequence[float]]) -> Array:
    """(M, number) -> how often a candidate has so many votes when M is the most; 0 above it."""
    table = np.zeros((size - 1, size))
    for i in range(size - 1):
        table[i, : i + 1] = usual["other"][: i + 1]
        table[i, i + 1] = usual["leader"][i + 1]
    return table


def _masked(one: Round, listed: Sequence[int], table: Array) -> Array:
    """The usual numbers where the result tells who had most votes: those have M, and nobody else."""
    top = np.where(np.eye(len(table), table.shape[1], 1) > 0, table, 0.0)
    if not one.outcome.seats <= {*listed}:
        return np.zeros((len(table), len(listed), table.shape[1]))
    return np.stack([top if c in one.outcome.seats else table - top for c in listed], axis=1)


def _open_result(one: Round, listed: Sequence[int]) -> Array:
    """What a result that names nobody is worth by the number of leaders: when the night came nobody left, or
    nobody was heard to."""
    if one.outcome.kind != "night":
        return np.ones((1, _FLAGS))
    believed = one.outcome.believed
    row = [0.0]
    for leaders in range(1, _FLAGS):
        verdict = decide.after_ballot(
            one.game.rules,
            day=one.game.day,
            at_table=one.voters,
            candidates=tuple(listed),
            tally={c: int(i < leaders) for i, c in enumerate(listed)},
            previous_tie=one.vote.previous_tie,
            revealed=one.game.split_revealed,
        )
        fits = 1.0 if verdict.kind in ("stay", "night", "lift") else OPEN
        row.append(believed * fits + (1 - believed) * OPEN)
    return np.array([row])


def _all_ways(table: Array, candidates: int) -> float:
    """The weight of all sharings: some candidate has most votes, and all votes are given away."""
    size = table.shape[1]
    sharing = Sharing(table[:, None], np.arange(1, size), np.zeros((size - 1, _FLAGS * size)))
    step = sharing.moves(table)
    state = np.zeros(sharing.shape)
    state[:, 0] = 1.0
    for _ in range(candidates):
        state = np.matmul(state[:, None, :], step)[:, 0]
    return float(state.reshape(-1, _FLAGS, size)[:, 1:, -1].sum())


@lru_cache(maxsize=16)
def _shifts(size: int) -> tuple[Array, Array]:
    """For every number of votes the moves between states: of a candidate below the most, and of a leader."""
    plain = np.zeros((size, _FLAGS, size, _FLAGS, size))
    leads = np.zeros_like(plain)
    for n in range(size):
        for given in range(size - n):
            for flag in range(_FLAGS):
                plain[n, flag, given, flag, given + n] = 1.0
                leads[n, flag, given, min(flag + 1, _FLAGS - 1), given + n] = 1.0
    whole = _FLAGS * size
    return plain.reshape(size, whole, whole), leads.reshape(size, whole, whole)
