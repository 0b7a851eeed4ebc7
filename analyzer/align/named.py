"""The nominations of a day weighed together: who named whom, by everything that was said of it.

The search puts the past right in a few likely ways only (`past_nominations`), and gives the number of a
list or of a call as sure as the one way it took. Once it has told what happened, every likely list of
candidates is weighed: by what was said in each speech, by what the judge answered, by the list as he
read it, by the calls, and by who left. For a given list the speeches are summed over exactly (forward
and backward, Rabiner 1989): the list is in the order of the nominations (FSM 4.5.4), and each names one at most.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mafiavar.analyzer.align.ballot_weights import weigh
from mafiavar.analyzer.align.ballot_words import Round, round_of, stretches
from mafiavar.analyzer.align.day_words import Candidates, Day, Slot, words_of
from mafiavar.analyzer.align.hands import Hands
from mafiavar.analyzer.align.hypothesis import Node, day_of
from mafiavar.analyzer.align.lattice import Lattice
from mafiavar.analyzer.align.lists import read_as
from mafiavar.analyzer.align.parameters import Parameters
from mafiavar.analyzer.align.reading import log_probability
from mafiavar.analyzer.align.speech_weights import after, names, silent, told_by
from mafiavar.analyzer.cue import Cue, Numeral

Way = tuple[float, tuple[tuple[int, int], ...]]
"""Log weight, and who named whom."""
_NEAR = 8.0
"""Lists further than this (natural log) below the likeliest are not varied any more."""
_MOST = 14
"""So many lists are varied at most."""
_MOST_CANDIDATES = 9
_NO_PLACE = -8.0
"""Log weight of a call that is nobody's."""
_COUNTS = 1e-5
"""Lists less probable than this are not weighed by their ballot."""
_MOST_BALLOTS = 10
"""So many lists are weighed by their ballot at a time."""
_CLIMBS = 4
_SAYS = 1e-3
"""Lists less probable than this, when they are, say nothing."""


@dataclass(frozen=True, slots=True)
class Named:
    """What the words of all days say together. Days about which nothing can be said so are missing.

    `pairs`: day -> (who, whom) -> probability that he was named by him and accepted, given the day's
    speeches. `lists`: day -> the candidates in the order in which they were called, with the probability of
    each such list. `likeliest`: day -> its likeliest reading.
    """

    pairs: Mapping[int, Mapping[tuple[int, int], float]]
    lists: Mapping[int, Mapping[Candidates, float]]
    likeliest: Mapping[int, Likeliest]


@dataclass(frozen=True, slots=True)
class Likeliest:
    """`candidates`: as the judge read them; `named`: who -> (whom, the cue that tells it or -1), in the order of
    the speeches; `called`: whose the calls are that the search gave to a candidate (those alone of which
    anything was heard)."""

    candidates: Candidates
    named: Mapping[int, tuple[int, int]]
    called: Mapping[int, int]


NOTHING_NAMED = Named({}, {}, {})


@dataclass(frozen=True, slots=True)
class _Reading:
    pairs: Mapping[tuple[int, int], float]
    lists: Mapping[Candidates, float]
    likeliest: Likeliest


class Weigher:
    """Weighs the days of a game; a day of which nothing has changed since the last time is not weighed again
    (a person's pin is an answer of a second, not of a minute)."""

    def __init__(self, parameters: Parameters) -> None:
        self._parameters = parameters
        self._known: dict[int, tuple[Day, Round | None, _Reading]] = {}

    def named(self, nodes: Sequence[Node], cues: Sequence[Cue], lattice: Lattice, hands: Hands) -> Named:
        """`nodes`: the moves of the likeliest game; `cues` as the search had them (numerals made true)."""
        rounds = {}
        for stretch in stretches(nodes):
            one = round_of(stretch, cues, hands, lattice.of, self._parameters)
            if one is not None and one.number == 1:
                rounds[one.day] = one
        days: dict[int, list[Node]] = defaultdict(list)
        for node in nodes:
            days[day_of(node)].append(node)
        found: dict[int, _Reading] = {}
        for number, mine in days.items():
            day = words_of(mine, cues, self._parameters, lattice.of)
            if day is not None:
                found[number] = self._read(number, day, rounds.get(number))
        return Named(
            {number: r.pairs for number, r in found.items()},
            {number: r.lists for number, r in found.items()},
            {number: r.likeliest for number, r in found.items()},
        )

    def _read(self, number: int, day: Day, one: Round | None) -> _Reading:
        known = self._known.get(number)
        if known is not None and known[:2] == (day, one):
            return known[2]
        p = self._parameters
        lists, votes = _weighed(day, p), dict[Candidates, _Vote]()
        if one is not None and day.voted:
            lists, votes = _by_ballot(day, one, lists, p)
        best = max(lists, key=lambda x: (lists[x], x))
        called: dict[Candidates, float] = defaultdict(float)
        for listed, share in lists.items():
            called[votes[listed].called if listed in votes else listed] += share
        reading = _Reading(_pairs(day, lists, p), dict(called), _likeliest(day, best, votes.get(best), p))
        self._known[number] = day, one, reading
        return reading


def _weighed(day: Day, p: Parameters) -> dict[Candidates, float]:
    """The probability of each list of candidates: from the likeliest on, as long as lists are near to the
    best one, those that differ from it in one place are weighed, too."""
    weights: dict[Candidates, float] = {}

    def weigh(listed: Candidates) -> float:
        if listed not in weights:
            weights[listed] = _spoken(day, listed, p) + _judged(day, listed, p)
        return weights[listed]

    likely = (day.listed, day.named, tuple(_top(n) for n in day.read), ())
    starts = {tuple(dict.fromkeys(c for c in x if c in day.alive))[:_MOST_CANDIDATES] for x in likely}
    queue = [(-weigh(x), x) for x in starts]
    heapq.heapify(queue)
    varied: set[Candidates] = set()
    while queue and len(varied) < _MOST:
        low, listed = heapq.heappop(queue)
        if listed in varied:
            continue
        if -low < max(weights.values()) - _NEAR:
            break
        varied.add(listed)
        for other in _neighbours(listed, day.alive):
            if other not in weights:
                heapq.heappush(queue, (-weigh(other), other))
    top = max(weights.values(), default=0.0)
    shares = {x: math.exp(w - top) for x, w in weights.items()}
    total = sum(shares.values())
    return {x: w / total for x, w in shares.items() if w / total >= _COUNTS}


def _by_ballot(
    day: Day, one: Round, lists: Mapping[Candidates, float], p: Parameters
) -> tuple[dict[Candidates, float], dict[Candidates, _Vote]]:
    """The likely lists weighed by everything that was heard of the first round, not by its calls alone; and
    those that differ from the best of them in one place, as long as a better one is found."""
    climbed: set[Candidates] = set()
    votes: dict[Candidates, _Vote] = {}
    weights: dict[Candidates, float] = {}
    asked = heapq.nlargest(_MOST_BALLOTS, lists, key=lambda x: (lists[x], x))
    for _ in range(_CLIMBS):
        for listed in asked:
            votes[listed] = vote = _balloted(day, one, listed, p)
            weights[listed] = _spoken(day, listed, p) + vote.weight
        best = max(weights, key=lambda x: (weights[x], x))
        near = {x for x in _neighbours(best, day.alive) if x not in weights}
        said = {x: _spoken(day, x, p) + (read_as(day.read, x, p) if day.read else 0.0) for x in near}
        asked = heapq.nlargest(_MOST_BALLOTS, said, key=lambda x: (said[x], x))
        if best in climbed:
            break
        climbed.add(best)
    top = max(weights.values())
    shares = {x: math.exp(w - top) for x, w in weights.items()}
    total = sum(shares.values())
    return {x: w / total for x, w in shares.items() if w / total >= _SAYS}, votes


def _top(numeral: Numeral) -> int:
    return max(numeral.items(), key=lambda kv: (kv[1], -kv[0]))[0]


def _neighbours(listed: Candidates, alive: frozenset[int]) -> Iterator[Candidates]:
    """Lists with another candidate in one place, one more, one less, or two neighbours exchanged."""
    others = sorted(alive - {*listed})
    for i in range(len(listed)):
        yield (*listed[:i], *listed[i + 1 :])
        for c in others:
            yield (*listed[:i], c, *listed[i + 1 :])
        if i:
            yield (*listed[: i - 1], listed[i], listed[i - 1], *listed[i + 1 :])
    if len(listed) < _MOST_CANDIDATES:
        for i in range(len(listed) + 1):
            for c in others:
                yield (*listed[:i], c, *listed[i:])


def _judged(day: Day, listed: Candidates, p: Parameters) -> float:
    """How well a list fits what the judge read out, whom he called and who left (natural log)."""
    return _vote(day, listed, p).weight if day.voted else 0.0


@dataclass(frozen=True, slots=True)
class _Vote:
    """How the judge put a list to the vote. `order`: as he read it; `whose`: whose each call is, by whom the
    search gave it to."""

    weight: float
    order: Candidates
    whose: Mapping[int, int]
    called: Candidates = ()


def _balloted(day: Day, one: Round, listed: Candidates, p: Parameters) -> _Vote:
    """The likeliest way, by all that was heard of the round; read or called out of the order of the
    nominations only at the price of that mistake."""
    mistake = p.issues["wrong_vote_order"]
    ways = [(0.0, listed, listed)]
    turns = tuple(s.target for s in day.orders[0])
    if len(day.orders) > 1 and {*turns} == {*listed}:
        ways.append((-mistake, listed, turns))
    if day.listed != listed and {*day.listed} == {*listed}:
        ways.append((-mistake, day.listed, day.listed))
    votes = []
    for price, order, called in ways:
        weight = price + weigh(one, called, p) + (read_as(day.read, order, p) if day.read else 0.0)
        votes.append(_Vote(weight, order, _laid(day.orders[0], called, p)[1], called))
    best = max(votes, key=lambda v: v.weight)
    return replace(best, weight=best.weight - _unnamed(day, listed, p))


def _unnamed(day: Day, listed: Candidates, p: Parameters) -> float:
    """The price of those who were voted on again or left without being on the list."""
    return p.issues["candidate_not_nominated"] * len(day.known - {*listed})


def _vote(day: Day, listed: Candidates, p: Parameters) -> _Vote:
    """The likeliest way; out of the order of the nominations (4.5.4) only at the price of that mistake."""
    mistake = p.issues["wrong_vote_order"]
    ways = [(0.0, listed, day.orders[0])]
    ways += [(-mistake, listed, order) for order in day.orders[1:]]
    if day.listed != listed and {*day.listed} == {*listed}:
        ways += [(-mistake, day.listed, order) for order in day.orders]
    votes = []
    for price, order, slots in ways:
        weight, whose = _laid(slots, order, p)
        weight += price + (read_as(day.read, order, p) if day.read else 0.0)
        if day.first is not None and whose.get(day.first[0]) != day.first[1]:
            weight -= p.issues["wrong_person_left"]
        votes.append(_Vote(weight, order, whose))
    best = max(votes, key=lambda v: v.weight)
    return replace(best, weight=best.weight - _unnamed(day, listed, p))


def _laid(slots: Sequence[Slot], listed: Candidates, p: Parameters) -> tuple[float, dict[int, int]]:
    """One order of the calls laid over a list, in its order."""
    if not slots:
        return 0.0, {}
    # A call that went unheard has as a rule taken its stop with it.
    skipped = p.missing["vote_called"] + p.missing["vote_announced"]
    row = [skipped * j for j in range(len(listed) + 1)]
    back: list[list[int]] = []
    for slot in slots:
        following, steps = [row[0] + _NO_PLACE], [0]
        for j, seat in enumerate(listed):
            fits = log_probability(slot.numeral, seat, p) if slot.numeral else 0.0
            options = (row[j + 1] + _NO_PLACE, row[j] + fits, following[j] + skipped)
            step = max(range(3), key=lambda k: options[k])
            following.append(options[step])
            steps.append(step)
        row = following
        back.append(steps)
    whose: dict[int, int] = {}
    i, j = len(slots), len(listed)
    while i > 0:
        step = back[i - 1][j]
        if step == 1 and j > 0:
            whose[slots[i - 1].target] = listed[j - 1]
            i, j = i - 1, j - 1
        elif step == 2 and j > 0:
            j -= 1
        else:
            i -= 1
    return row[-1], whose


def _spoken(day: Day, listed: Candidates, p: Parameters) -> float:
    """Log weight of all ways in which the speeches make this list."""
    row = [1.0] + [0.0] * len(listed)
    scale = 0.0
    for speech in day.speeches:
        row = after(speech, row, listed, p)
        top = max(row)
        if top <= 0.0:
            return -math.inf
        row, scale = [x / top for x in row], scale + math.log(top)
    return scale + math.log(max(row[-1], 1e-300))


def _pairs(day: Day, lists: Mapping[Candidates, float], p: Parameters) -> dict[tuple[int, int], float]:
    """(who, whom) -> probability, over all lists."""
    found: dict[tuple[int, int], float] = defaultdict(float)
    for listed, share in lists.items():
        rows = [[1.0] + [0.0] * len(listed)]
        for speech in day.speeches:
            row = after(speech, rows[-1], listed, p)
            top = max(row) or 1.0
            rows.append([x / top for x in row])
        back = [0.0] * len(listed) + [1.0]
        for speech, row in zip(day.speeches[::-1], rows[-2::-1], strict=True):
            moves_on = [names(speech, listed[:k], t, p) * back[k + 1] for k, t in enumerate(listed)]
            stays = [silent(speech, listed[:k], p) * back[k] for k in range(len(listed) + 1)]
            total = sum(row[k] * w for k, w in enumerate(stays)) + sum(
                row[k] * w for k, w in enumerate(moves_on)
            )
            if total > 0:
                for k, target in enumerate(listed):
                    found[speech.seat, target] += share * row[k] * moves_on[k] / total
            back = [stays[k] + (moves_on[k] if k < len(listed) else 0.0) for k in range(len(listed) + 1)]
            top = max(back) or 1.0
            back = [x / top for x in back]
    return dict(found)


def _likeliest(day: Day, listed: Candidates, vote: _Vote | None, p: Parameters) -> Likeliest:
    """The likeliest way in which the speeches make this list (Viterbi), and its calls."""
    nobody: Way = (-math.inf, ())
    best: list[Way] = [(0.0, ()), *[nobody] * len(listed)]
    for speech in day.speeches:
        following = []
        for k in range(len(listed) + 1):
            stays = (best[k][0] + _log(silent(speech, listed[:k], p)), best[k][1])
            if k:
                weight = best[k - 1][0] + _log(names(speech, listed[: k - 1], listed[k - 1], p))
                stays = max(stays, (weight, (*best[k - 1][1], (speech.seat, listed[k - 1]))))
            following.append(stays)
        best = following
    by_seat = {s.seat: s for s in day.speeches}
    vote = vote or _vote(day, listed, p)
    return Likeliest(
        vote.order,
        {seat: (target, told_by(by_seat[seat], target, p)) for seat, target in best[-1][1]},
        vote.whose,
    )


def _log(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf
