"""Fits what the alignment believes beforehand (analyzer/align/parameters.toml) on written games.

The fitting seeds and the proof seeds are apart: `FIT_SEEDS` and `PROOF_SEEDS`.
"""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np

from mafiavar.analyzer.align.parameters import RAW_LEAST
from mafiavar.analyzer.evaluation.limit import prior
from mafiavar.analyzer.evaluation.matching import Record
from mafiavar.analyzer.evaluation.noise import Noise, noisy
from mafiavar.analyzer.evaluation.spoken import spoken
from mafiavar.analyzer.evaluation.stated import Sample
from mafiavar.analyzer.span import micros

FIT_SEED = 41_000
"""First seed of the games that parameters are fitted on."""
PROOF_SEED = 52_500
"""First seed of the games that are only measured (earlier ones were, on earlier programs)."""

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


# --- votes


def votes(games: Iterable[Sequence[Record]]) -> Mapping[str, tuple[float, ...]]:
    """How often a candidate with most votes ("leader"), or another ("other"), gets 0, 1, ..., 10 of them in
    written games (smoothed by one of each)."""
    found = prior(games)
    return {
        name: tuple(round(found[lead, n], 4) for n in range(11))
        for name, lead in (("leader", True), ("other", False))
    }


# --- numerals


Curve = tuple[float, float, float]
"""`sure`, `unsure` and `shift` of a beta calibration: sure * log(p) - unsure * log(1 - p) + shift."""


def numerals(games: Iterable[tuple[Mapping[str, Any], Noise, int]]) -> Curve:
    """The curve that makes the confidences of numerals true: of what came through in games (truth,
    noise, seed) each number is compared with the one that was said."""
    samples = []
    for truth, noise, seed in games:
        clean = spoken(truth["events"], speech=truth["speech"])
        said = {(c.about, c.kind): c for c in clean if c.about}
        for cue in noisy(clean, noise, micros(truth["duration"]), seed):
            true = said.get((cue.about, cue.kind))
            for i in range(len(cue.numbers) if true is not None else 0):
                top = cue.number(i)
                samples.append(
                    Sample(cue.numbers[i][top], top == true.number(i), "numeral", heard=True)  # type: ignore[index, union-attr]
                )
    return curved([(s.confidence, s.hit) for s in samples])


def curved(pairs: Sequence[tuple[float, bool]], pull: float = 0.1) -> Curve:
    """The beta calibration (Kull, Silva Filho and Flach 2017) of confidences that were right or not, by
    Newton's method with a pull towards no change. A straight line in the logit promises too much of the
    surest hearings where sure and unsure ones err differently."""
    sure = np.clip(np.array([p for p, _ in pairs]), RAW_LEAST, 1 - RAW_LEAST)
    hits = np.array([hit for _, hit in pairs], dtype=float)
    x = np.stack([np.log(sure), -np.log1p(-sure), np.ones_like(sure)], axis=1)
    centre = np.array([1.0, 1.0, 0.0])
    at = centre.copy()
    for _ in range(100):
        p = 1 / (1 + np.exp(-np.clip(x @ at, -30, 30)))
        slope = x.T @ (p - hits) + pull * (at - centre)
        bend = (x * (p * (1 - p))[:, None]).T @ x + pull * np.eye(3)
        step = np.linalg.solve(bend, slope)
        # Damped: a whole step may overshoot where nearly all are right.
        at = at - step * min(1.0, 1.0 / max(float(np.abs(step).max()), 1e-9))
        at[:2] = np.maximum(at[:2], _LEAST_SLOPE)
        if float(np.abs(step).max()) < 1e-7:
            break
    a, b, c = (round(float(v), 3) for v in at)
    return a, b, c


# --- the posterior


Line = tuple[float, float]
"""Slope and shift of logit(confidence)."""
_PULL = 3.0
"""So many facts' worth a line of few facts is pulled towards that of all facts."""
_LEAST_SLOPE = 0.1
"""What is surer must not come out less sure."""


_LIKELY = 0.9
"""What is stated must be likely, however lucky the fitting games were."""


def calibrated(samples: Sequence[Sample], centre: Line = (1.0, 0.0), pull: float = 1.0) -> Line:
    """Slope and shift that make confidences true (Platt 1999), by Newton's method with a pull towards
    `centre`. The samples were decoded with slope 1 and shift 0."""
    pairs = [(_logit(s.confidence), s.hit) for s in samples]
    at = centre
    for _ in range(60):
        step = _newton(pairs, at, centre, pull)
        loss = _loss(pairs, at, centre, pull)
        share = 1.0
        # A whole step may overshoot where all confidences are nearly the same.
        while share > 1e-6:
            tried = (max(at[0] - share * step[0], _LEAST_SLOPE), at[1] - share * step[1])
            if _loss(pairs, tried, centre, pull) <= loss:
                break
            share /= 2
        else:
            break
        moved = abs(tried[0] - at[0]) + abs(tried[1] - at[1])
        at = tried
        if moved < 1e-7:
            break
    return round(at[0], 3), round(at[1], 3)


def _newton(pairs: Sequence[tuple[float, bool]], at: Line, centre: Line, pull: float) -> Line:
    g0, g1 = pull * (at[0] - centre[0]), pull * (at[1] - centre[1])
    h00 = h11 = pull
    h01 = 0.0
    for x, hit in pairs:
        p = _logistic(at[0] * x + at[1])
        g0 += (p - hit) * x
        g1 += p - hit
        w = p * (1 - p)
        h00, h01, h11 = h00 + w * x * x, h01 + w * x, h11 + w
    det = h00 * h11 - h01 * h01
    step = (h11 * g0 - h01 * g1) / det
    if at[0] <= _LEAST_SLOPE and step > 0:
        return 0.0, g1 / h11
    return step, (h00 * g1 - h01 * g0) / det


def _loss(pairs: Sequence[tuple[float, bool]], at: Line, centre: Line, pull: float) -> float:
    far = (at[0] - centre[0]) ** 2 + (at[1] - centre[1]) ** 2
    chances = ((_logistic(at[0] * x + at[1]), hit) for x, hit in pairs)
    return pull / 2 * far - sum(math.log(max(p if hit else 1 - p, 1e-15)) for p, hit in chances)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-min(max(x, -30.0), 30.0)))


def by_line(samples: Iterable[Sample]) -> dict[str, list[Sample]]:
    out: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        out[sample.line].append(sample)
    return dict(sorted(out.items()))


def lines(samples: Sequence[Sample]) -> dict[str, Line]:
    """The line of each kind of fact, near that of all facts together where there are few."""
    whole = calibrated(samples)
    return {name: calibrated(mine, whole, _PULL) for name, mine in by_line(samples).items()}


def threshold(games: Sequence[Sequence[Sample]], aim: float = 0.95) -> float:
    """From which confidence on facts are stated, so that in `aim` of the games none is wrong.

    `games` have calibrated confidences: then one threshold for all kinds leaves the fewest facts unknown
    for the wrong ones it lets in (Chow 1970). The games' surest mistakes are put in order; just above the
    first that is one too many the threshold lies.
    """
    surest = sorted(max((s.confidence for s in game if not s.hit), default=0.0) for game in games)[::-1]
    allowed = math.floor((1 - aim) * len(games) + 1e-9)
    return max(_LIKELY, math.floor(1e4 * surest[allowed] + 1) / 1e4) if allowed < len(surest) else _LIKELY


def mapped(p: float, line: Line) -> float:
    return _logistic(line[0] * _logit(p) + line[1])


def surer(sample: Sample, own: Mapping[str, Line]) -> Sample:
    """The sample with the confidence that its line gives it."""
    return replace(sample, confidence=mapped(sample.confidence, own[sample.line]))


def _logit(p: float) -> float:
    p = min(max(p, RAW_LEAST), 1 - RAW_LEAST)
    return math.log(p / (1 - p))


# --- the file


def uncalibrated(text: str) -> str:
    """The parameters with every confidence as raw as the lattice gives it."""
    plain = with_values(text, "posterior", {"slope": 1.0, "shift": 0.0})
    return written_into(plain, "calibration", [])


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


def vote_lines(table: Mapping[str, Sequence[float]]) -> list[str]:
    comment = "# Fitted: how often a candidate with most votes, or another, gets 0, 1, ..., 10 of them."
    return [comment, *(f'"{k}" = {list(row)}' for k, row in table.items())]


def calibration_lines(fitted: Mapping[str, Line]) -> list[str]:
    return ["# Fitted: kind = [slope, shift].", *(f'"{k}" = [{a}, {b}]' for k, (a, b) in fitted.items())]
