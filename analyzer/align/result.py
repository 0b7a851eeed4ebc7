"""What the alignment hands over: the timeline, the ballots, the questions to the pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mafiavar.analyzer.align.hypothesis import Node, content
from mafiavar.analyzer.align.parameters import Parameters
from mafiavar.analyzer.align.pins import Pins, contradictions
from mafiavar.analyzer.align.posterior import beliefs
from mafiavar.analyzer.align.steps import Decoded
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.timeline import Evidence, Pin, Timeline, TimelineEvent
from mafiavar.analyzer.vision.question import Question
from mafiavar.engine import events as ev
from mafiavar.engine.game import Game
from mafiavar.engine.issue import Issue
from mafiavar.engine.state import Phase


@dataclass(frozen=True, slots=True)
class Ballot:
    """One candidate's turn (or a lift) as it was heard.

    `called` is the span of the call, its end is the moment `named`; `stop` and `count` are the spans
    of «стоп» and of the announced number, None when they were not heard. `voters`: the living seats
    at that moment. `until`: where the hands of this call cannot last beyond (the next call's `named`,
    or the end of the ballot). `lift`: the question is "all of them leave?", target 0.
    """

    day: int
    round: int
    target: int
    candidates: tuple[int, ...]
    voters: tuple[int, ...]
    called: Span
    stop: Span | None
    count: Span | None
    announced: int | None
    until: Micros
    called_basis: str = "observed"
    demanded: bool = False
    lift: bool = False

    @property
    def named(self) -> Micros:
        return self.called.t1


@dataclass(frozen=True, slots=True)
class Marked:
    """An issue of the engine at an event of the timeline (by its id). `probability`: over all the games
    that the search held possible; an issue that rests on an unsure past is less probable than the event
    it stands at."""

    event: str
    span: Span
    day: int
    issue: Issue
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class Alignment:
    """`timeline`: events with confidence. `ballots` in order. `questions`: what the pictures should be
    asked. `issues`: what the rules say against what the table did. `unsatisfied`: pins that could
    not be met; `conflicts`: pins that contradict each other. `nights`: (number, span). `cues`: as decoded.
    `game`: the position at the end; `score` its log probability."""

    timeline: Timeline
    ballots: tuple[Ballot, ...]
    questions: tuple[Question, ...]
    issues: tuple[Marked, ...]
    unsatisfied: tuple[Pin, ...]
    conflicts: tuple[tuple[Pin, Pin], ...]
    nights: tuple[tuple[int, Span], ...]
    game: Game
    score: float
    cues: tuple[Cue, ...] = ()
    duration: Micros = 0

    def with_events(self, events: Iterable[TimelineEvent]) -> Alignment:
        """The same with these events in its timeline, in order of time and with new ids; issues stay at
        their events."""
        ordered = sorted(events, key=lambda e: e.span.t0)
        numbered = tuple(replace(e, id=f"e{i + 1:04d}") for i, e in enumerate(ordered))
        renamed = {old.id: new.id for old, new in zip(ordered, numbered, strict=True) if old.id}
        issues = tuple(replace(m, event=renamed.get(m.event, m.event)) for m in self.issues)
        return replace(self, timeline=Timeline(self.timeline.ruleset, numbered), issues=issues)


def build(
    decoded: Decoded,
    cues: Sequence[Cue],
    *,
    ruleset: str,
    duration: Micros,
    parameters: Parameters,
    pins: Sequence[Pin],
) -> Alignment:
    from mafiavar.analyzer.align.questions import ballots_of, nights_of, questions_of

    nodes = decoded.best.moves()
    believed = beliefs(decoded, parameters)
    keeper = Pins(tuple(pins))
    shown = [n for n in nodes if n.move.shown]
    shown.sort(key=lambda n: (n.move.span.t0, n.length))
    ids = {id(n): f"e{i + 1:04d}" for i, n in enumerate(shown)}
    events = []
    for node in shown:
        kind, day, fields = content(node)
        pinned = keeper.pinned(node) or node.move.basis == "pinned"
        belief = believed.of[id(node)]
        span = node.move.span & Span(0, duration) or Span(min(node.move.span.t0, duration), duration)
        events.append(
            TimelineEvent(
                id=ids[id(node)],
                kind=kind,
                span=span,
                day=day,
                fields=fields,
                confidence=1.0 if pinned else belief.confidence,
                basis="pinned" if pinned else node.move.basis,
                evidence=_evidence(node, cues),
                runners_up=() if pinned else belief.runners_up,
            )
        )
    issues = tuple(
        Marked(
            _nearest_id(nodes, i, ids),
            node.move.span,
            content(node)[1],
            issue,
            believed.of_issue(node, issue),
        )
        for i, node in enumerate(nodes)
        for issue in node.issues
    )
    ballots = ballots_of(nodes, cues, duration)
    nights = nights_of(nodes, duration)
    return Alignment(
        timeline=Timeline(ruleset, tuple(events)),
        ballots=ballots,
        questions=questions_of(ballots, nights, nodes, duration),
        issues=issues,
        unsatisfied=decoded.unsatisfied,
        conflicts=contradictions(tuple(pins)),
        nights=nights,
        game=decoded.best.game,
        score=decoded.best.score,
        cues=tuple(cues),
        duration=duration,
    )


def _nearest_id(nodes: Sequence[Node], i: int, ids: dict[int, str]) -> str:
    """The id of this event, or of the next one that is shown."""
    for node in (*nodes[i:], *nodes[:i][::-1]):
        if id(node) in ids:
            return ids[id(node)]
    return ""


def _evidence(node: Node, cues: Sequence[Cue]) -> tuple[Evidence, ...]:
    """The words the event rests on."""
    if node.move.cue < 0:
        return ()
    cue = cues[node.move.cue]
    return (Evidence(recording=0, t=cue.span.t0, note=cue.text),)


def over(game: Game) -> bool:
    return game.phase is Phase.OVER


__all__ = ["Alignment", "Ballot", "Marked", "build", "ev", "over"]
