"""What was said of a day's nominations: in each speech, by the judge, in the list and in the calls."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mafiavar.analyzer.align.hypothesis import Node
from mafiavar.analyzer.align.parameters import Parameters
from mafiavar.analyzer.cue import Cue, CueKind, Numeral
from mafiavar.analyzer.span import Micros
from mafiavar.engine import events as ev

Candidates = tuple[int, ...]
_NO_NOMINATION = frozenset({"conditional", "past", "negated"})
"""Who speaks so names nobody (4.5.2)."""
_BORDER = 0.9
"""Less probable begins and ends of speeches are no borders."""
_MOST_BEFORE = 3
"""More speeches than this that nobody heard at the beginning of a day are no speeches."""


@dataclass(frozen=True, slots=True)
class Answer:
    """«Принято» or a refusal. `odds`: that it was said rather than invented, and that it comes when an answer
    comes; `reason`: of a refusal, where one was given."""

    odds: float
    accepted: bool
    numeral: Numeral | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Phrase:
    """A nomination that was heard. `odds`: that it was said rather than invented; `numerals`: of a series more
    than one; `dead`: the probability of each to be somebody who has left; `answers`: what the judge said
    after it; `present`: whether it was said as the rules ask («выставляю»)."""

    cue: int
    odds: float
    numerals: tuple[Numeral, ...]
    dead: tuple[float, ...]
    answers: tuple[Answer, ...]
    present: bool = True


@dataclass(frozen=True, slots=True)
class Speech:
    """A speech of the day. `lost`: the weight of a nomination nobody heard; `pinned`: whom a person says he
    named."""

    seat: int
    phrases: tuple[Phrase, ...]
    answers: tuple[Answer, ...]
    lost: float
    pinned: int | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """A candidate's turn in the first round of which anything was heard. `target`: whose it was in the
    likeliest game; `numeral`: the number called, where it was heard."""

    target: int
    numeral: Numeral | None


@dataclass(frozen=True, slots=True)
class Day:
    speeches: tuple[Speech, ...]
    alive: frozenset[int]
    listed: Candidates
    """The candidates of the likeliest game, as they were read out."""
    named: Candidates
    """The same in the order of their nominations."""
    read: tuple[Numeral, ...]
    orders: tuple[tuple[Slot, ...], ...]
    """The calls of the first round as they came; and, where that is another order, as the likeliest game
    has them in its list (the judge called out of turn)."""
    voted: bool
    known: frozenset[int]
    """Who was voted on again or left by the vote: candidates all of them."""
    first: tuple[int, int] | None
    """(whose call it was in the likeliest game, who left): the one with most votes has left."""


def words_of(
    nodes: Sequence[Node], cues: Sequence[Cue], p: Parameters, sure: Callable[[Node], float] = lambda _: 1.0
) -> Day | None:
    """The day as far as its nominations go (`sure`: how probable a move is); None where they cannot be told like this (a candidate who
    withdrew, one who was named out of turn, a recording that begins after the speeches)."""
    floors = [
        n for n in nodes if isinstance(n.move.event, ev.FloorGiven) and n.move.event.purpose == "speech"
    ]
    accepted = [n for n in nodes if isinstance(n.move.event, ev.Nominated) and n.move.event.accepted]
    if not floors or any(isinstance(n.move.event, ev.NominationWithdrawn) for n in nodes):
        return None
    speakers = [_seat(n) for n in floors]
    if len({*speakers}) < len(speakers) or floors[0].game.unknown_past:
        return None
    if any(_seat(n) not in speakers for n in accepted):
        return None
    speeches = _speeches(nodes, floors, cues, p, sure)
    alive = frozenset(floors[0].game.alive)
    opened = next((n for n in nodes if isinstance(n.move.event, ev.VoteOpened)), None)
    in_turn = tuple(int(n.move.event.target) for n in accepted)  # type: ignore[attr-defined]
    if opened is None:
        return Day(speeches, alive, in_turn, in_turn, (), ((),), False, frozenset(), None)
    event = opened.move.event
    assert isinstance(event, ev.VoteOpened)
    if event.round != 1:
        return None
    read = tuple(n for n in cues[opened.move.cue].numbers if n) if opened.move.cue >= 0 else ()
    orders, first = _calls(nodes, event.candidates, cues)
    return Day(
        speeches, alive, event.candidates, in_turn, read, orders, True, frozenset(_known(nodes)), first
    )


def _seat(node: Node) -> int:
    return int(node.move.event.seat)  # type: ignore[attr-defined]


def _speeches(
    nodes: Sequence[Node],
    floors: Sequence[Node],
    cues: Sequence[Cue],
    p: Parameters,
    sure: Callable[[Node], float],
) -> tuple[Speech, ...]:
    """The speeches of the day in order; also those of which the likeliest game knows nothing."""
    turns = _turns(nodes, floors, lambda node: node.move.cue >= 0 and sure(node) >= _BORDER)
    said = _phrases_of(turns, cues)
    alive = frozenset(floors[0].game.alive)
    pinned = {
        _seat(n): int(n.move.event.target)
        for n in nodes
        if isinstance(n.move.event, ev.Nominated) and n.move.event.accepted and n.move.basis == "pinned"
    }
    return tuple(_speech(t, said[i], cues, alive, pinned.get(t.seat), p) for i, t in enumerate(turns))


@dataclass(frozen=True, slots=True)
class _Turn:
    """When a seat spoke, as wide as it may have been. `heard`: its beginning was."""

    seat: int
    t0: Micros
    t1: Micros
    heard: bool


def _turns(
    nodes: Sequence[Node], floors: Sequence[Node], heard_for_sure: Callable[[Node], bool]
) -> list[_Turn]:
    """A speech whose beginning nobody heard (or perhaps somebody else's: «пас» in the middle of a minute) begins after the end before it, or with the speech before it
    where that was not heard either; its end in the same way."""
    by_seat = {_seat(n): n for n in floors}
    ends = _ends(nodes, heard_for_sure)
    order = [_seat(n) for n in floors]
    due = [order[0], *floors[0].game.waiting]
    for i, seat in enumerate(due):
        if seat not in order:
            order.insert(order.index(due[i - 1]) + 1, seat)
    order = [*(seat for seat in _before_first(nodes, order[0]) if seat not in order), *order]
    after = [n for n in nodes if isinstance(n.move.event, ev.VoteOpened | ev.NightBegan)]
    last = after[0].move.span.t0 if after else nodes[-1].move.span.t1
    while not after and order[-1] not in by_seat:
        order.pop()  # the recording ends before their turn
    heard = [seat in by_seat and heard_for_sure(by_seat[seat]) for seat in order]
    begins: list[Micros] = []
    for i, seat in enumerate(order):
        if not i and not heard[i]:
            begins.append(nodes[0].move.span.t0 if seat not in by_seat else by_seat[seat].move.span.t0)
        elif heard[i]:
            begins.append(by_seat[seat].move.span.t0)
        else:
            begins.append(max(begins[-1], ends.get(order[i - 1], begins[-1])))
    turns: list[_Turn] = []
    limit = last
    for i in range(len(order) - 1, -1, -1):
        end = min(ends.get(order[i], limit), limit)
        turns.append(_Turn(order[i], begins[i], max(end, begins[i]), heard[i]))
        limit = begins[i] if heard[i] else limit
    return turns[::-1]


def _ends(nodes: Sequence[Node], heard_for_sure: Callable[[Node], bool]) -> dict[int, Micros]:
    """When each speech of the day ended, where that was heard."""
    ends: dict[int, Micros] = {}
    speaking = 0
    for node in nodes:
        event = node.move.event
        if isinstance(event, ev.FloorGiven):
            speaking = event.seat if event.purpose == "speech" else 0
        elif isinstance(event, ev.FloorEnded) and event.seat == speaking and heard_for_sure(node):
            ends.setdefault(speaking, node.move.span.t1)
    return ends


def _before_first(nodes: Sequence[Node], first: int) -> list[int]:
    """Who should have spoken before the first one that is known to have (4.4.2)."""
    dawn = next((n.game for n in nodes if isinstance(n.move.event, ev.DayBegan)), None)
    if dawn is None or dawn.opener_due is None or first not in dawn.waiting:
        return []
    before = list(dawn.waiting[: dawn.waiting.index(first)])
    return before if len(before) <= _MOST_BEFORE else []


def _phrases_of(turns: Sequence[_Turn], cues: Sequence[Cue]) -> list[list[int]]:
    """The nominations heard in each speech, as places in `cues`. Where two may have been under way, what
    sounds like its owner is his."""
    said: list[list[int]] = [[] for _ in turns]
    for i, cue in enumerate(cues):
        if cue.kind is not CueKind.NOMINATION or not cue.numbers or not cue.numbers[0]:
            continue
        if _tense(cue) in _NO_NOMINATION:
            continue
        under_way = [j for j, t in enumerate(turns) if t.t0 <= cue.span.t0 <= t.t1]
        if under_way:
            said[max(under_way, key=lambda j: (cue.said_by(turns[j].seat), turns[j].heard, -j))].append(i)
    return said


def _tense(cue: Cue) -> str:
    return str(cue.detail.get("tense") or "present")


def _speech(
    turn: _Turn,
    said: Sequence[int],
    cues: Sequence[Cue],
    alive: frozenset[int],
    pinned: int | None,
    p: Parameters,
) -> Speech:
    until = turn.t1 + p.answer_time
    kinds = (CueKind.ACCEPTED, CueKind.REFUSED)
    heard = [c for c in cues if c.kind in kinds and turn.t0 <= c.span.t0 <= until]
    phrases = []
    for i in said:
        cue = cues[i]
        voice = p.other_speaker + (1 - p.other_speaker) * cue.said_by(turn.seat) if cue.speaker else 1.0
        numerals = tuple(n for n in cue.numbers if n)
        dead = tuple(sum(w for x, w in n.items() if x not in alive) for n in numerals)
        near = [c for c in heard if 0 <= c.span.t0 - cue.span.t0 <= p.answer_time]
        paced = tuple(_answer(c, p, c.span.t0 - cue.span.t1) for c in near)
        phrases.append(Phrase(i, odds_of(cue, p) * voice, numerals, dead, paced, _tense(cue) == "present"))
    lost = math.exp(p.missing["nomination"] * _share(cues, turn.t0, turn.t1, p) + p.by_chance)
    return Speech(turn.seat, tuple(phrases), tuple(_answer(c, p) for c in heard), lost, pinned)


def _answer(cue: Cue, p: Parameters, gap: Micros | None = None) -> Answer:
    """`gap`: how long after the phrase that it answers, where that was heard."""
    paced = math.exp(p.paced("nominated", "answer", gap)) if gap is not None else 1.0
    reason = cue.detail.get("reason")
    numeral = cue.numbers[0] if cue.numbers and cue.numbers[0] else None
    return Answer(
        odds_of(cue, p) * paced, cue.kind is CueKind.ACCEPTED, numeral, str(reason) if reason else None
    )


def odds_of(cue: Cue, p: Parameters) -> float:
    true = min(max(cue.likelihood, 1e-4), p.trust)
    return true / (1 - true)


def _share(cues: Sequence[Cue], t0: Micros, t1: Micros, p: Parameters) -> float:
    """What is left of the price of a thing unheard: little where the microphone was dead for long."""
    last = t0
    for cue in cues:
        if t0 <= cue.span.t0 <= t1:
            if cue.span.t0 - last >= p.silence:
                return p.in_silence
            last = max(last, cue.span.t1)
    return p.in_silence if t1 - last >= p.silence else 1.0


def _calls(
    nodes: Sequence[Node], candidates: Candidates, cues: Sequence[Cue]
) -> tuple[tuple[tuple[Slot, ...], ...], tuple[int, int] | None]:
    """The turns of the first round of which anything was heard, in the orders they may have had; and which of
    them had most votes, when somebody left by it."""
    heard: dict[int, Numeral | None] = {}
    counts: dict[int, int] = {}
    left: tuple[int, ...] = ()
    again = False
    for node in nodes:
        event = node.move.event
        if (isinstance(event, ev.VoteOpened) and event.round > 1) or isinstance(event, ev.LiftCalled):
            again = True
        if isinstance(event, ev.Eliminated) and event.by == "vote" and node.move.cue >= 0:
            left = event.seats
        if not isinstance(event, ev.VoteCalled | ev.VoteClosed | ev.VoteAnnounced) or event.round != 1:
            continue
        if node.move.cue < 0:
            continue
        heard.setdefault(event.target, None)
        if isinstance(event, ev.VoteCalled):
            numbers = cues[node.move.cue].numbers
            heard[event.target] = numbers[0] if numbers and numbers[0] else None
        if isinstance(event, ev.VoteAnnounced) and event.count is not None:
            counts[event.target] = event.count
    listed = [c for c in candidates if c in heard]
    orders = tuple(
        tuple(Slot(c, heard[c]) for c in order) for order in dict.fromkeys((tuple(heard), tuple(listed)))
    )
    most = max(counts.values(), default=0)
    leaders = [c for c, n in counts.items() if n == most]
    if again or len(left) != 1 or len(leaders) != 1 or leaders[0] not in listed:
        return orders, None
    return orders, (leaders[0], left[0])


def _known(nodes: Sequence[Node]) -> Iterator[int]:
    for node in nodes:
        event = node.move.event
        if isinstance(event, ev.VoteOpened) and event.round > 1:
            yield from event.candidates
        if isinstance(event, ev.Eliminated) and event.by in ("vote", "lift") and node.move.cue >= 0:
            yield from event.seats
