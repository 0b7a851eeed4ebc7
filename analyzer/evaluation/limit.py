"""What no decoder could do better: the facts that the numerals alone leave open, given everything else.

The ideal listener of this module knows the true history: which words belong to which event, what was
invented and what was lost, who spoke, who left, whether there was a tie. Only the numerals he hears as
they came through the noise, and he knows exactly how that noise makes its mistakes. What he cannot tell
of a count or of a nomination's target nobody can tell from the sound.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mafiavar.analyzer.cue import Cue, CueKind, Numeral
from mafiavar.analyzer.evaluation.matching import Record
from mafiavar.analyzer.evaluation.noise import RIGHT, WRONG
from mafiavar.analyzer.evaluation.stated import Name
from mafiavar.analyzer.speech.numerals import distribution

Prior = Mapping[tuple[bool, int], float]
"""(is this candidate among those with most votes, votes) -> how often, over written games."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the ideal listener says of one heard fact: the likeliest value, how sure, is it true."""

    name: Name
    confidence: float
    hit: bool


@dataclass(frozen=True, slots=True)
class Ballot:
    """One round: (index of the event, target, votes) of each call in order, and the number of voters."""

    day: int
    round: int
    calls: tuple[tuple[int, int, int], ...]

    @property
    def voters(self) -> int:
        return sum(n for _, _, n in self.calls)


def ballots(truth: Sequence[Record]) -> Iterator[Ballot]:
    rounds: dict[tuple[int, int], list[tuple[int, int, int]]] = defaultdict(list)
    for i, e in enumerate(truth):
        if e["kind"] == "vote_announced":
            rounds[e["day"], e["round"]].append((i, e["target"], e["count"]))
    for (day, number), calls in rounds.items():
        yield Ballot(day, number, tuple(calls))


def prior(games: Iterable[Sequence[Record]]) -> Prior:
    """How many votes leaders and others get in written games (smoothed by one of each)."""
    seen: Counter[tuple[bool, int]] = Counter({(lead, n): 1 for lead in (True, False) for n in range(11)})
    for events in games:
        for ballot in ballots(events):
            most = max(n for _, _, n in ballot.calls)
            seen.update((n == most, n) for _, _, n in ballot.calls)
    return {key: n / sum(m for k, m in seen.items() if k[0] == key[0]) for key, n in seen.items()}


def known(truth: Sequence[Record], cues: Sequence[Cue], swap: float, counts: Prior) -> Iterator[Known]:
    """The counts and accepted nominations whose own words came through, as the ideal listener has them.

    `truth`: the events; `cues`: made from them by `spoken` and spoiled with `swap` of the numerals
    heard as another; `counts`: votes of other written games.
    """
    heard = _by_event(cues)
    for ballot in ballots(truth):
        yield from _counts(ballot, heard, swap, counts)
    yield from _targets(truth, heard, swap)


def _by_event(cues: Sequence[Cue]) -> Mapping[int, list[Cue]]:
    out: dict[int, list[Cue]] = defaultdict(list)
    for cue in cues:
        if cue.about.startswith("event "):
            out[int(cue.about.split()[1])].append(cue)
    return out


def _counts(ballot: Ballot, heard: Mapping[int, list[Cue]], swap: float, counts: Prior) -> Iterator[Known]:
    """All ways to share the voters between the candidates that end as the ballot ended."""
    numerals = [
        [c.numbers[0] for c in heard.get(i, ()) if c.kind is CueKind.VOTE_COUNT and c.numbers]
        for i, _, _ in ballot.calls
    ]
    true = tuple(n for _, _, n in ballot.calls)
    leaders = _leaders(true)
    weights: list[dict[int, float]] = [defaultdict(float) for _ in true]
    for votes in _shared(ballot.voters, len(true)):
        if _leaders(votes) != leaders:
            continue
        weight = math.prod(counts[i in leaders, n] for i, n in enumerate(votes))
        for n, said in zip(votes, numerals, strict=True):
            weight *= math.prod(chance(numeral, n, swap, 0) for numeral in said)
        for i, n in enumerate(votes):
            weights[i][n] += weight
    for (_, target, votes_true), said, weight_of in zip(ballot.calls, numerals, weights, strict=True):
        if said:
            yield _best(("count", ballot.day, ballot.round, target), weight_of, votes_true)


def _leaders(votes: Sequence[int]) -> tuple[int, ...]:
    most = max(votes)
    return tuple(i for i, n in enumerate(votes) if n == most)


@lru_cache(maxsize=256)
def _shared(voters: int, candidates: int) -> tuple[tuple[int, ...], ...]:
    if candidates == 1:
        return ((voters,),)
    return tuple((n, *rest) for n in range(voters + 1) for rest in _shared(voters - n, candidates - 1))


def _targets(truth: Sequence[Record], heard: Mapping[int, list[Cue]], swap: float) -> Iterator[Known]:
    """Each accepted nomination by itself: its own number, the judge's answer, its place in the list, the
    call. Numbers of the dead and of those nominated before are known to be wrong."""
    alive, taken, day = set(range(1, 11)), set[int](), 0
    for i, e in enumerate(truth):
        if e["kind"] == "eliminated":
            alive -= set(e["seats"])
        if e.get("day") != day:
            day, taken = e["day"], set()
        if e["kind"] != "nominated" or not e["accepted"]:
            continue
        mine = heard.get(i, [])
        if any(c.kind is CueKind.NOMINATION for c in mine):
            said = [*_said(mine), *_later(truth, heard, day, e["target"])]
            weights = {n: math.prod(chance(numeral, n, swap, 1) for numeral in said) for n in alive - taken}
            yield _best(("nominated", day, e["target"]), weights, e["target"])
        taken.add(e["target"])


def _said(cues: Sequence[Cue]) -> list[Numeral]:
    """One number each: in a series the accepted one cannot be told from the others by its number."""
    return [c.numbers[0] for c in cues if len(c.numbers) == 1]


def _later(
    truth: Sequence[Record], heard: Mapping[int, list[Cue]], day: int, target: int
) -> Iterator[Numeral]:
    for i, e in enumerate(truth):
        if e.get("day") != day:
            continue
        if e["kind"] == "vote_opened" and target in e["candidates"]:
            place = e["candidates"].index(target)
            for cue in heard.get(i, ()):
                if len(cue.numbers) == len(e["candidates"]):
                    yield cue.numbers[place]
        elif e["kind"] == "vote_called" and e["target"] == target:
            for cue in heard.get(i, ()):
                yield from cue.numbers[:1]


def chance(numeral: Numeral, true: int, swap: float, lowest: int) -> float:
    """How probable it is to hear `numeral` when `true` was said: exactly as `noise` makes it."""
    heard, confidence = max(numeral.items(), key=lambda kv: kv[1])
    if heard == true:
        return (1 - swap) * _beta(confidence, *RIGHT)
    return swap * distribution(true, 0.0, lowest=lowest).get(heard, 0.0) * _beta(confidence, *WRONG)


def _beta(x: float, a: float, b: float) -> float:
    x = min(max(x, 1e-6), 1 - 1e-6)
    scale = math.gamma(a + b) / (math.gamma(a) * math.gamma(b))
    return float(scale * x ** (a - 1) * (1 - x) ** (b - 1))


def _best(name: Name, weights: Mapping[int, float], true: int) -> Known:
    total = sum(weights.values())
    value = max(weights, key=lambda n: (weights[n], -n))
    return Known(name, weights[value] / total if total else 0.0, bool(total) and value == true)


def least_unknown(games: Sequence[Sequence[Known]], aim: float = 0.95) -> float:
    """The lowest confidence from which facts can be stated so that in `aim` of these games none is wrong.
    Chosen on the games it is told of: as kind to the listener as can be."""
    levels = sorted({k.confidence for game in games for k in game}, reverse=True)
    allowed = len(games) - math.ceil(aim * len(games) - 1e-9)
    worst = sorted((max((k.confidence for k in g if not k.hit), default=0.0) for g in games), reverse=True)
    # The next game to go wrong does so at this confidence: everything surer can be stated.
    limit = worst[allowed] if allowed < len(worst) else 0.0
    return next((x for x in reversed(levels) if x > limit), 1.0)
