"""Fits what the alignment believes beforehand (analyzer/align/parameters.toml) on written games.

The fitting seeds and the proof seeds are apart: `FIT_SEEDS` and `PROOF_SEEDS`.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median

from mafiavar.analyzer.evaluation.matching import Record

FIT_SEED = 41_000
"""First seed of the games that parameters are fitted on."""
PROOF_SEED = 50_000
"""First seed of the games that are only measured."""

_NO_STEP = frozenset({"foul", "vote_cast", "lift_cast", "shot", "check", "best_move"})
"""Events that fall into a running exchange and do not begin or end one."""
_LOST = 0.2
_REPLICAS = 3
_LEAST_SPREAD, _RELATIVE_SPREAD = 1.0, 0.5
"""People are less regular than written games: a gap is never known better than to a second, or to
half of itself."""
_FEWEST = 4

Pace = Mapping[str, tuple[float, float, float]]
"""`before>after` -> the usual gap and its spread in seconds, and how often `after` happens in a
second of any game."""


def pace(games: Sequence[Mapping[str, object]]) -> Pace:
    """How soon what follows what, from the events of written games; also past events that were lost."""
    gaps: dict[str, list[float]] = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    seconds = 0.0
    for i, game in enumerate(games):
        seconds += float(game["duration"])  # type: ignore[arg-type]
        events: list[Record] = [e for e in game["events"] if e["kind"] not in _NO_STEP]  # type: ignore[attr-defined]
        for e in events:
            counts[e["kind"]] += 1
        for replica in range(_REPLICAS):
            dice = random.Random(1000 * i + replica)
            kept = [e for e in events if not replica or dice.random() >= _LOST]
            for name, gap in _gaps(kept):
                gaps[name].append(gap)
    out = {}
    for name, found in sorted(gaps.items()):
        if len(found) < _FEWEST:
            continue
        centre = median(found)
        spread = median(abs(g - centre) for g in found)
        spread = max(_LEAST_SPREAD, _RELATIVE_SPREAD * abs(centre), 1.5 * spread)
        density = counts[name.split(">")[1]] / seconds
        out[name] = (round(centre, 1), round(spread, 1), round(density, 5))
    out["nominated>answer"] = (0.5, 1.0, round(0.7 * counts["nominated"] / seconds, 5))
    return out


def _gaps(events: Iterable[Record]) -> Iterator[tuple[str, float]]:
    before: Record | None = None
    for e in sorted(events, key=lambda e: (e["t0"], e["t1"])):
        if before is not None:
            yield f"{before['kind']}>{e['kind']}", float(e["t0"]) - float(before["t1"])
        before = e


# --- the file


def written_into(text: str, section: str, lines: Sequence[str]) -> str:
    """`parameters.toml` with the body of one section replaced."""
    pattern = re.compile(rf"(^\[{re.escape(section)}\]\n)(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
    body = "".join(f"{line}\n" for line in lines)
    if not pattern.search(text):
        return f"{text.rstrip()}\n\n[{section}]\n{body}"
    return pattern.sub(lambda m: m.group(1) + body + "\n", text).rstrip() + "\n"


def pace_lines(table: Pace) -> list[str]:
    comment = (
        '# Fitted: "before>after" = [usual gap and its spread in seconds, how often a second brings "after"].'
    )
    return [comment, *(f'"{k}" = [{c}, {w}, {d}]' for k, (c, w, d) in table.items())]
