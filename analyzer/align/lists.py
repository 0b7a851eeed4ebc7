"""Lists of candidates as they were read out: which may have been meant, and how well each fits."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mafiavar.analyzer.align.parameters import Parameters
from mafiavar.analyzer.align.reading import Sight, log_probability
from mafiavar.analyzer.cue import Numeral

_DOUBTFUL = 0.85
_MOST_LISTS = 3


def possible_lists(s: Sight, expected: Sequence[int]) -> list[tuple[int, ...]]:
    """The lists that may have been read out, other than the expected one: as heard; with what was
    misheard put right by what is expected; with a doubtful number as its second hearing."""
    heard = [n for n in s.cue.numbers if n]
    if not heard:
        return []
    plain = [max(n.items(), key=lambda kv: (kv[1], -kv[0]))[0] for n in heard]
    righted = list(plain)
    for i, numeral in enumerate(heard):
        if righted[i] not in expected:
            missing = [c for c in expected if c not in righted and numeral.get(c, 0.0) > s.p.numeral_floor]
            righted[i] = max(missing, key=lambda c: numeral[c], default=righted[i])
    options = [righted, plain]
    for i, numeral in enumerate(heard):
        if max(numeral.values()) < _DOUBTFUL and righted[i] == plain[i]:
            others = {n: p for n, p in numeral.items() if n not in righted and n in s.h.game.alive}
            if others:
                second = max(others, key=lambda n: (others[n], -n))
                options.append([*righted[:i], second, *righted[i + 1 :]])
    found = dict.fromkeys(tuple(dict.fromkeys(v for v in o if 1 <= v <= 10)) for o in options)
    return [o for o in found if o and o != tuple(expected)][:_MOST_LISTS]


def heard_numbers(s: Sight) -> tuple[int, ...]:
    """The likeliest value of each number that was read out, without repetitions."""
    values = [max(n.items(), key=lambda kv: (kv[1], -kv[0]))[0] for n in s.cue.numbers if n]
    return tuple(dict.fromkeys(v for v in values if 1 <= v <= 10))


def list_weight(s: Sight, expected: Sequence[int]) -> float:
    """Log probability of the numbers read out when `expected` was meant; 0 when none were heard."""
    numbers = [n for n in s.cue.numbers if n]
    return read_as(numbers, expected, s.p) if numbers else math.log(0.5)


def read_as(numbers: Sequence[Numeral], expected: Sequence[int], p: Parameters) -> float:
    """Log probability of the numbers that were read out when `expected` was meant, laid over it in order;
    a slip is paid for every number left out or one too many."""
    slip = p.table["series_or_list_slip"]
    row = [slip * j for j in range(len(expected) + 1)]
    for i, numeral in enumerate(numbers):
        following = [slip * (i + 1)]
        for j, seat in enumerate(expected):
            following.append(
                max(row[j] + log_probability(numeral, seat, p), row[j + 1] + slip, following[j] + slip)
            )
        row = following
    return row[-1]
