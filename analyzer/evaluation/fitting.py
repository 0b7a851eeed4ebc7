"""Fits what the alignment believes beforehand (analyzer/align/parameters.toml) on written games.

The fitting seeds and the proof seeds are apart: `FIT_SEEDS` and `PROOF_SEEDS`.
"""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median

from mafiavar.analyzer.evaluation.matching import Record

FIT_SEED = 41_000
"""First seed of the games that parameters are fitted on."""
PROOF_SEED = 52_000
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
        if before is not None and (before["kind"], before["t0"]) == (e["kind"], e["t0"]):
            continue  # a series in one breath
        if before is not None:
            yield f"{before['kind']}>{e['kind']}", float(e["t0"]) - float(before["t1"])
        before = e


# --- the posterior


Sure = Sequence[tuple[float, bool]]
"""(confidence, was it right) of the facts of one game."""


def calibrated(games: Sequence[Sure]) -> tuple[float, float]:
    """Slope and shift of logit(confidence) that make confidences true (Platt 1999), by Newton's method
    with a small pull towards (1, 0). `games` were decoded with slope 1 and shift 0."""
    pairs = [(_logit(p), hit) for game in games for p, hit in game]
    slope, shift = 1.0, 0.0
    for _ in range(50):
        g0, g1 = slope - 1.0, shift
        h00 = h11 = 1.0
        h01 = 0.0
        for x, hit in pairs:
            p = 1 / (1 + math.exp(-min(max(slope * x + shift, -30.0), 30.0)))
            g0 += (p - hit) * x
            g1 += p - hit
            w = p * (1 - p)
            h00, h01, h11 = h00 + w * x * x, h01 + w * x, h11 + w
        det = h00 * h11 - h01 * h01
        step0, step1 = (h11 * g0 - h01 * g1) / det, (h00 * g1 - h01 * g0) / det
        slope, shift = max(slope - step0, 0.2), shift - step1
        if abs(step0) + abs(step1) < 1e-7:
            break
    return round(slope, 3), round(shift, 3)


def threshold(games: Sequence[Sure], aim: float = 0.95) -> float:
    """The lowest confidence from which facts are stated so that in `aim` of the games none is wrong;
    .995 where no lower one does."""
    for i in range(50, 100):
        least = i / 100
        right = sum(not any(p >= least and not hit for p, hit in game) for game in games)
        if right >= aim * len(games):
            return least
    return 0.995


def mapped(p: float, slope: float, shift: float) -> float:
    return 1 / (1 + math.exp(-(slope * _logit(p) + shift)))


def _logit(p: float) -> float:
    p = min(max(p, 1e-6), 1 - 1e-6)
    return math.log(p / (1 - p))


# --- the file


def with_values(text: str, section: str, values: Mapping[str, float]) -> str:
    """`parameters.toml` with some numbers of one section changed, comments kept."""
    head, found, tail = text.partition(f"[{section}]\n")
    end = re.search(r"^\[", tail, re.MULTILINE)
    body, rest = (tail[: end.start()], tail[end.start() :]) if end else (tail, "")
    for key, value in values.items():
        body = re.sub(rf"^({re.escape(key)} = )\S+", rf"\g<1>{value}", body, flags=re.MULTILINE)
    return head + found + body + rest


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
