"""Cues in what the judge said under a speech: only what he says into speeches, several hearings made one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from mafiavar.analyzer.cue import Cue, CueKind, Numeral
from mafiavar.analyzer.span import SECOND, Micros
from mafiavar.analyzer.transcript import Utterance

INTO_SPEECHES = frozenset(
    {CueKind.FOUL, CueKind.WARNING, CueKind.TECHNICAL, CueKind.REMOVAL, CueKind.TEAM_DEFEAT}
)
_SAME: Micros = 2 * SECOND
"""Cues of one kind nearer than this are hearings of one announcement."""
_ONCE = 0.75
"""What is left of the likelihood when the hearings disagree or only one of them understood."""


def read_under(
    utterances: Sequence[Utterance], heard: Sequence[Cue], read: Callable[[Utterance], Sequence[Cue]]
) -> list[Cue]:
    """`utterances`: one for every place and hearing; `heard`: cues of the words in the open, which are
    not told twice; `read`: the grammar on one utterance."""
    cues = sorted(
        (c for u in utterances for c in read(u) if c.kind in INTO_SPEECHES and c.numbers),
        key=lambda c: (c.kind, c.span),
    )
    made = (_together(group) for group in _groups(cues))
    return [c for c in made if not any(_same(c, h) for h in heard if h.likelihood >= 0.5)]


def _groups(cues: Sequence[Cue]) -> Iterator[list[Cue]]:
    group: list[Cue] = []
    for cue in cues:
        if group and not _same(group[-1], cue):
            yield group
            group = []
        group.append(cue)
    if group:
        yield group


def _same(a: Cue, b: Cue) -> bool:
    return a.kind is b.kind and max(a.span.t0, b.span.t0) - min(a.span.t1, b.span.t1) < _SAME


def _together(group: Sequence[Cue]) -> Cue:
    """The hearings of one announcement as one cue: the numbers mixed by likelihood."""
    best = max(group, key=lambda c: (c.likelihood, -c.span.t0))
    agreed = sum(c.number() == best.number() for c in group) >= 2
    doubt = 1.0
    for cue in group:
        doubt *= 1 - cue.likelihood
    likelihood = min(0.9, 1 - doubt) if agreed else best.likelihood * _ONCE
    total = sum(c.likelihood for c in group)
    mixed: dict[int, float] = {}
    for cue in group:
        for number, p in cue.numbers[0].items():
            mixed[number] = mixed.get(number, 0.0) + p * cue.likelihood / total
    numeral: Numeral = {n: round(p, 4) for n, p in sorted(mixed.items())}
    ordinal = next((c.detail["ordinal"] for c in group if "ordinal" in c.detail), None)
    detail = best.detail if ordinal is None else {**best.detail, "ordinal": ordinal}
    return replace(
        best, likelihood=round(likelihood, 4), numbers=(numeral,), detail=detail, about=f"under:{best.about}"
    )
