"""`mafiavar bench timeline --limit`: how much of the unknown no decoder of sound could know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mafiavar.ui.cli.bench_timeline_games import Job
from mafiavar.ui.language import say

_OTHER_GAMES = 60
"""So many games, of the fitting seeds, tell how many votes candidates get."""


def lines(rows: Sequence[Sequence[Job]]) -> Iterator[str]:
    """A line for each noise."""
    from mafiavar.analyzer.evaluation import limit
    from mafiavar.analyzer.evaluation.fitting import FIT_SEED
    from mafiavar.analyzer.evaluation.noise import noisy
    from mafiavar.analyzer.evaluation.spoken import spoken
    from mafiavar.analyzer.evaluation.stated import heard_facts
    from mafiavar.analyzer.span import micros

    votes = limit.prior(Job(FIT_SEED + i, 0.0, 0.0, 0.0).truth()["events"] for i in range(_OTHER_GAMES))
    for jobs in rows:
        games: list[list[limit.Known]] = []
        facts = 0
        for job in jobs:
            truth = job.truth()
            clean = spoken(truth["events"], speech=truth["speech"])
            cues = noisy(clean, job.noise, micros(truth["duration"]), job.seed)
            facts += len(heard_facts(truth["events"], cues))
            games.append(list(limit.known(truth["events"], cues, job.swap, votes)))
        least = limit.least_unknown(games)
        unknown = Counter(str(k.name[0]) for game in games for k in game if k.confidence < least)
        wrong = sum(any(not k.hit and k.confidence >= least for k in game) for game in games)
        share = sum(unknown.values()) / max(facts, 1)
        first = jobs[0]
        yield say(
            f"потеряно {first.drop:.0%}, выдумано {first.invent:.0%}: из {facts} прозвучавших фактов неизвестны"
            f" {share:.1%} ({unknown['count']} счётов, {unknown['nominated']} выставлений), если говорить от"
            f" {least:.3f}; игр с неверным фактом {wrong} из {len(games)}",
            f"lost {first.drop:.0%}, invented {first.invent:.0%}: of {facts} facts that were heard {share:.1%} are"
            f" unknown ({unknown['count']} counts, {unknown['nominated']} nominations), stating from"
            f" {least:.3f}; games with a wrong fact {wrong} of {len(games)}",
        )
