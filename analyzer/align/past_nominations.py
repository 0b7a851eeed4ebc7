"""Nominations that only the list of candidates, or a call, tells of: the past is put right."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from mafiavar.analyzer.align.hypothesis import Hypothesis, Move, Node
from mafiavar.analyzer.align.reading import Reading, Sight, log_probability, nodes_today
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.span import Micros, Span
from mafiavar.engine import events as ev
from mafiavar.engine.state import Phase, Stage

_MOST_UNHEARD = 4
_DEAD_SPEECH = 5.0
"""How much likelier a lost nomination is in a speech of which long nothing was heard."""


def unheard_nominations(s: Sight, heard: tuple[int, ...]) -> Iterator[Reading]:
    """Edits of the past that make the day's nominations equal to the list the judge read out.

    A candidate that is not among the nominations was named by a speaker of the stretch between his
    neighbours in the list who has no nomination yet: where a nomination was heard and disbelieved,
    there; one that was heard as another number is changed. Nothing when the past cannot be made to agree.
    """
    known = s.h.game.candidates
    missing = [c for c in heard if c not in known]
    extra = [c for c in known if c not in heard]
    if (not missing and not extra) or len(missing) > _MOST_UNHEARD:
        return
    whole = _plan(s, heard, missing, extra, lost=False)
    yield from (whole,) if whole is not None else ()
    # What was heard may be a mistake after all, and the nomination lost: that must be weighed, too.
    other = _plan(s, heard, missing, extra, lost=True) if missing else None
    if other is not None and (whole is None or abs(other.weight - whole.weight) > 1e-9):
        yield other


def _plan(
    s: Sight, heard: tuple[int, ...], missing: Sequence[int], extra: Sequence[int], *, lost: bool
) -> Reading | None:
    """One way to put the past right. `lost`: nothing that was heard tells of the missing ones."""
    extra = list(extra)
    plan: list[tuple[Node, Move | None, bool]] = []
    weight = 0.0
    taken: set[int] = set()
    placed: dict[int, float] = {}
    for target in missing:
        misheard = None if lost else _misheard_for(s, target, extra)
        if misheard is not None:
            extra.remove(misheard[0].move.event.target)  # type: ignore[attr-defined]
        step = misheard or (None if lost else _disbelieved(s, target, taken))
        step = step or unheard_nomination(s, heard, target, taken, placed)
        steps: tuple[Step, ...] = (step,) if step is not None else ()
        shifted = None if lost or misheard is not None else _shifted(s, heard, target, taken, placed)
        if shifted is not None and (step is None or sum(x[3] for x in shifted) > step[3]):
            steps = shifted
        for node, move, swap, cost in steps:
            event = move.event
            taken.add(event.seat)  # type: ignore[attr-defined]
            placed[event.target] = node.length + (0.0 if swap else 0.5)  # type: ignore[attr-defined]
            plan.append((node, move, swap))
            weight += cost
    for target in extra:
        false = _nomination_of(s.h, target)
        if false is not None and false.move.cue >= 0:
            true = min(s.cues[false.move.cue].likelihood, s.p.trust)
            plan.append((false, None, False))
            weight += math.log1p(-true) - math.log(max(true, 1e-4))
    if not plan:
        return None

    def edit(h: Hypothesis) -> Hypothesis:
        for node, move, swap in sorted(plan, key=lambda x: -x[0].length):
            if move is None:
                h = s.referee.remove(h, node)
            else:
                h = s.referee.substitute(h, node, move) if swap else s.referee.insert(h, node, (move,))
        return h

    return Reading(weight=weight, edit=edit)


Step = tuple[Node, Move, bool, float]
"""(node, move, does the move replace the node?, weight)"""


def unlisted(s: Sight, target: int, uncalled: Sequence[int] = ()) -> Iterator[Reading]:
    """Edits of the past for a candidate who is called although nobody listed him: his nomination is
    put where it was heard and disbelieved, or where it may have been lost, or in the place of one
    that has not been called (`uncalled`); a running vote gets the list that follows from it."""
    if target not in s.h.game.alive or target in s.h.game.candidates:
        return
    steps = [
        _disbelieved(s, target, set()),
        *(unheard_nomination(s, known, target, set()) for known in _orders(s, target)),
        _misheard_for(s, target, uncalled),
    ]
    seen = set[int]()
    for step in steps:
        if step is not None and step[0].length not in seen:
            seen.add(step[0].length)
            yield Reading(weight=step[3], edit=_listed(s, step))


def _orders(s: Sight, target: int) -> Iterator[tuple[int, ...]]:
    """The list with the candidate nobody listed: called in his turn he stands after those who were called
    before him (4.5.4); or at the end."""
    game = s.h.game
    known = game.candidates
    calls = game.vote.calls if game.phase is Phase.VOTE and game.vote is not None else ()
    called = {c.target for c in calls if c.stage is not Stage.WAITING}
    at = max((i + 1 for i, c in enumerate(known) if c in called), default=0)
    yield (*known[:at], target, *known[at:])
    if at < len(known):
        yield (*known, target)


def _listed(s: Sight, step: Step) -> Callable[[Hypothesis], Hypothesis]:
    node, move, swap, _ = step

    def edit(h: Hypothesis) -> Hypothesis:
        h = s.referee.substitute(h, node, move) if swap else s.referee.insert(h, node, (move,))
        opened = h.last("vote_opened")
        if opened is None or h.game.vote is None or opened.before is None:
            return h
        event = opened.move.event
        if not isinstance(event, ev.VoteOpened) or event.round != 1:
            return h
        listed = replace(event, candidates=opened.before.game.candidates)
        return s.referee.substitute(h, opened, replace(opened.move, event=listed))

    return edit


def _misheard_for(s: Sight, target: int, extra: Sequence[int]) -> Step | None:
    """A nomination heard as a number that the list does not have, in the place of `target`."""
    for other in extra:
        node = _nomination_of(s.h, other)
        if node is None or not isinstance(node.move.event, ev.Nominated) or node.move.cue < 0:
            continue
        numbers = s.cues[node.move.cue].numbers
        if not numbers:
            continue
        changed = log_probability(numbers[0], target, s.p) - log_probability(numbers[0], other, s.p)
        event = replace(node.move.event, target=target)
        return node, replace(node.move, event=event), True, changed
    return None


def _shifted(
    s: Sight, heard: tuple[int, ...], target: int, taken: set[int], placed: Mapping[int, float]
) -> tuple[Step, Step] | None:
    """`target` was named, but heard as a number that the list has, too: that one somebody else named, and
    it was taken for a repetition, or lost. The likeliest such pair of changes."""
    found: list[tuple[Step, Step]] = []
    at = heard.index(target)
    for other in heard:
        node = _nomination_of(s.h, other)
        if node is None or node.move.cue < 0 or not s.cues[node.move.cue].numbers:
            continue
        seat = int(node.move.event.seat)  # type: ignore[attr-defined]
        if seat in taken:
            continue
        known = {c: n for c in heard if c not in (target, other) and (n := _nomination_of(s.h, c))}
        if any((n.length < node.length) != (heard.index(c) < at) for c, n in known.items()):
            continue
        numeral = s.cues[node.move.cue].numbers[0]
        changed = log_probability(numeral, target, s.p) - log_probability(numeral, other, s.p)
        move = replace(node.move, event=replace(node.move.event, target=target))  # type: ignore[type-var]
        own = _repeated(s, other, node, taken) or unheard_nomination(
            s, heard, other, {*taken, seat}, {**placed, target: node.length}
        )
        if own is not None and (own[0] is not node):
            found.append(((node, move, True, changed), own))
    return max(found, key=lambda pair: pair[0][3] + pair[1][3], default=None)


def _repeated(s: Sight, target: int, first: Node, taken: set[int]) -> Step | None:
    """A later nomination of `target` that was refused because of the one heard first."""
    nominators = {n.seat for n in s.h.game.nominations} | taken
    for node in nodes_today(s.h):
        event = node.move.event
        if node.length <= first.length:
            break
        if not isinstance(event, ev.Nominated) or event.target != target or event.seat in nominators:
            continue
        if event.reason == "already_nominated":
            taking = replace(event, accepted=True, reason=None)
            return node, replace(node.move, event=taking), True, s.missing("answer")
    return None


def _disbelieved(s: Sight, target: int, taken: set[int]) -> Step | None:
    """A nomination that was heard, but taken for a mistake until the list named it."""
    used = {n.move.cue for n in nodes_today(s.h)}
    nominators = {n.seat for n in s.h.game.nominations} | taken
    floors = [n for n in nodes_today(s.h) if isinstance(n.move.event, ev.FloorGiven)]
    best: Step | None = None
    for i in range(s.index - 1, -1, -1):
        cue = s.cues[i]
        if floors and cue.span.t0 < floors[-1].move.span.t0:
            break
        if cue.kind is not CueKind.NOMINATION or i in used or not cue.numbers:
            continue
        if str(cue.detail.get("tense") or "present") != "present":
            continue
        owner = next((n for n in floors if n.move.span.t0 <= cue.span.t0), None)
        if owner is None or owner.move.event.seat in nominators:  # type: ignore[attr-defined]
            continue
        true = min(cue.likelihood, s.p.trust)
        weight = (
            math.log(max(true, 1e-4)) - math.log1p(-true) + log_probability(cue.numbers[0], target, s.p)
            + s.missing("answer")
        )  # fmt: skip
        seat = int(owner.move.event.seat)  # type: ignore[attr-defined]
        move = Move(ev.Nominated(seat, target, True), cue.span, i)
        if best is None or weight > best[3]:
            best = (owner, move, False, weight)
    return best if best is not None and best[3] > s.missing("nomination") + s.missing("answer") else None


def unheard_nomination(
    s: Sight,
    heard: tuple[int, ...],
    target: int,
    taken: set[int],
    placed: Mapping[int, float] = MappingProxyType({}),
) -> Step | None:
    """A nomination of which nothing was heard, or only the judge's «принято». `placed`: where in the trail
    others of the list are about to be put."""
    options = _places_for(s, heard, target, taken, placed)
    for node, seat in options:
        answer = _answer_in(s, node)
        if answer is not None:
            # What it cost that the answer stood alone has been paid when it was heard.
            t = max(answer - 1_000_000, node.move.span.t1)
            return (
                node,
                Move(ev.Nominated(seat, target, True), Span(t, t), -1, "inferred"),
                False,
                s.p.by_chance,
            )
    if not options:
        return None
    # Without a hint any of these speakers may have named him: which one stays a guess, and its share
    # says so. That somebody did is paid for once.
    ends = [min((n.move.span.t0 for n in _after(s.h, node)), default=s.cue.span.t0) for node, _ in options]
    dead = [s.silent_within(n.move.span.t0, end) for (n, _), end in zip(options, ends, strict=True)]
    weights = [_DEAD_SPEECH if d else 1.0 for d in dead]
    best = max(range(len(options)), key=lambda i: (weights[i], i))
    node, seat = options[best]
    t = min(node.move.span.t1 + 2_000_000, s.cue.span.t0)
    share = weights[best] / sum(weights)
    move = Move(ev.Nominated(seat, target, True), Span(t, t), -1, "inferred", share=share)
    lost = s.p.missing["nomination"] + s.p.missing["answer"]
    # Whom somebody named of whom nothing was heard is anybody's guess.
    free = s.p.by_chance
    return node, move, False, free + lost * (s.p.in_silence if dead[best] else 1.0)


def _answer_in(s: Sight, floor_node: Node) -> Micros | None:
    """When «принято» was said in a speech of which no nomination is known."""
    end = next((n.move.span.t0 for n in _after(s.h, floor_node)), s.cue.span.t0)
    for i in range(s.index - 1, -1, -1):
        cue = s.cues[i]
        if cue.span.t0 < floor_node.move.span.t1:
            return None
        if cue.kind is CueKind.ACCEPTED and cue.span.t0 <= end and cue.likelihood >= 0.5:
            return cue.span.t0
    return None


def _after(h: Hypothesis, node: Node) -> list[Node]:
    """The next floor, vote or night after a node, as a list of one or none."""
    later = [
        n
        for n in nodes_today(h)
        if n.length > node.length and n.move.event.kind in ("floor_given", "vote_opened")
    ]
    return later[-1:]


def _nomination_of(h: Hypothesis, target: int) -> Node | None:
    for node in nodes_today(h):
        event = node.move.event
        if isinstance(event, ev.Nominated) and event.accepted and event.target == target:
            return node
    return None


def _places_for(
    s: Sight, heard: tuple[int, ...], target: int, taken: set[int], placed: Mapping[int, float]
) -> list[tuple[Node, int]]:
    """(floor after whose beginning the nomination may go, its owner), the latest first."""

    def place(candidate: int) -> float | None:
        node = _nomination_of(s.h, candidate)
        return placed.get(candidate, node.length if node is not None else None)

    at = heard.index(target)
    after = next((n for c in heard[:at][::-1] if (n := place(c)) is not None), -math.inf)
    before = next((n for c in heard[at + 1 :] if (n := place(c)) is not None), math.inf)
    nominators = {n.seat for n in s.h.game.nominations} | taken
    options: list[tuple[Node, int]] = []
    for node in nodes_today(s.h):
        event = node.move.event
        if not isinstance(event, ev.FloorGiven) or event.purpose != "speech" or event.seat in nominators:
            continue
        if after <= node.length <= before:
            options.append((node, event.seat))
    return options
