"""One-to-one matching of what was found with what happened."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

Record = dict[str, Any]
_NO_PAIR = 1e6


@dataclass(frozen=True, slots=True)
class Matches:
    """Index pairs (truth, found), and what stayed alone on either side."""

    pairs: tuple[tuple[int, int], ...]
    missed: tuple[int, ...]
    extra: tuple[int, ...]


def outside(t: float, record: Record) -> float:
    """Seconds by which `t` lies outside the record's own span; 0 inside."""
    return max(float(record["t0"]) - t, t - float(record["t1"]), 0.0)


def match(
    truth: Sequence[Record],
    found: Sequence[Record],
    key: Callable[[Record], Hashable],
    cost: Callable[[Record, Record], float],
    limit: float,
) -> Matches:
    """The largest matching of records with equal keys whose cost is at most `limit`; among those
    the one with the smallest total cost."""
    by_key: dict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for i, record in enumerate(truth):
        by_key[key(record)][0].append(i)
    for j, record in enumerate(found):
        by_key[key(record)][1].append(j)
    pairs: list[tuple[int, int]] = []
    for rows, columns in by_key.values():
        if not rows or not columns:
            continue
        costs = np.array([[cost(truth[i], found[j]) for j in columns] for i in rows])
        chosen = linear_sum_assignment(np.where(costs <= limit, costs, _NO_PAIR))
        pairs += [(rows[r], columns[c]) for r, c in zip(*chosen, strict=True) if float(costs[r, c]) <= limit]
    pairs.sort()
    return Matches(
        tuple(pairs),
        tuple(sorted(set(range(len(truth))) - {i for i, _ in pairs})),
        tuple(sorted(set(range(len(found))) - {j for _, j in pairs})),
    )


def ratio(part: int, whole: int) -> float | None:
    """part/whole with four digits; None when nothing was there to be counted."""
    return round(part / whole, 4) if whole else None
