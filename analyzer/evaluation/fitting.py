"""Fits what the alignment believes beforehand (analyzer/align/parameters.toml) on written games.

The fitting seeds and the proof seeds are apart: `FIT_SEEDS` and `PROOF_SEEDS`.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from mafiavar.analyzer.evaluation.matching import Record

FIT_SEED = 41_000
"""First seed of the games that parameters are fitted on."""
PROOF_SEED = 50_000
"""First seed of the games that are only measured."""

_INTERJECTED = frozenset({"foul", "vote_cast", "lift_cast", "shot", "check", "best_move", "eliminated"})
"""Events that fall into a running exchange and do not begin or end one."""
_OUTSIDE = 0.03
_MOST_GAIN, _LOSS = 2.5, 2.0
_WIDER, _ROOM, _EARLY = 3.0, 6.0, 1.5
"""People are less regular than written games: windows reach to three times the longest usual gap,
and at least six seconds further; jitter on either side may even turn an order."""
_FEWEST = 8

Pace = Mapping[str, tuple[float, float, float, float]]
"""`before>after` -> (earliest, latest) gap in seconds, what an event in that window gains, and what
one outside it loses (natural log)."""


def pace(games: Sequence[Mapping[str, object]]) -> Pace:
    """How soon what follows what, from the events of written games.

    The gain compares the density of an event inside its window with its density over a whole game:
    a cue's likelihood already knows the latter.
    """
    gaps: dict[str, list[float]] = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    seconds = 0.0
    for game in games:
        seconds += float(game["duration"])  # type: ignore[arg-type]
        events: list[Record] = list(game["events"])  # type: ignore[call-overload]
        for name, after, gap in _gaps(events):
            gaps[name].append(gap)
            counts[after] += 1
    out = {}
    for name, found in sorted(gaps.items()):
        if len(found) < _FEWEST:
            continue
        found.sort()
        usual = found[int(0.98 * (len(found) - 1))]
        latest = max(_WIDER * usual, usual + _ROOM)
        earliest = min(0.0, found[int(0.02 * (len(found) - 1))]) - _EARLY
        whole = counts[name.split(">")[1]] / seconds
        gain = math.log((1 - _OUTSIDE) / ((latest - earliest) * whole))
        if gain < 0.3:
            continue
        out[name] = (round(earliest, 1), round(latest, 1), round(min(gain, _MOST_GAIN), 2), _LOSS)
    return out


def _gaps(events: Iterable[Record]) -> Iterable[tuple[str, str, float]]:
    before: Record | None = None
    for e in sorted(events, key=lambda e: (e["t0"], e["t1"])):
        kind = e["kind"]
        if before is not None and kind not in ("foul", "vote_cast", "lift_cast", "shot", "check"):
            yield f"{before['kind']}>{kind}", kind, float(e["t0"]) - float(before["t1"])
        if kind not in _INTERJECTED or (kind == "eliminated" and e["by"] in ("vote", "lift")):
            before = e
        if kind == "nominated" and e["accepted"]:
            yield "nominated>answer", "answer", 0.4


# --- the file


def written_into(text: str, section: str, lines: Sequence[str]) -> str:
    """`parameters.toml` with the body of one section replaced."""
    pattern = re.compile(rf"(^\[{re.escape(section)}\]\n)(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
    body = "".join(f"{line}\n" for line in lines)
    if not pattern.search(text):
        return f"{text.rstrip()}\n\n[{section}]\n{body}"
    return pattern.sub(lambda m: m.group(1) + body + "\n", text).rstrip() + "\n"


def pace_lines(table: Pace) -> list[str]:
    comment = '# Fitted: "before>after" = [earliest, latest seconds, gain inside, loss outside].'
    return [comment, *(f'"{k}" = [{a}, {b}, {g}, {loss}]' for k, (a, b, g, loss) in table.items())]
