"""How far two reviewers agree: Cohen's kappa over what both decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa (J. Cohen, 1960): agreement beyond chance; None without pairs.

    When both always give one and the same answer chance explains everything; full agreement is
    then 1 by convention.

    >>> kappa([("a", "a"), ("b", "b"), ("a", "b"), ("b", "a")])
    0.0
    >>> kappa([("a", "a"), ("a", "a")]), kappa([])
    (1.0, None)
    """
    if not pairs:
        return None
    n = len(pairs)
    seen = sum(a == b for a, b in pairs) / n
    left, right = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(left[k] * right[k] for k in left) / (n * n)
    return 1.0 if chance == 1 else (seen - chance) / (1 - chance)
