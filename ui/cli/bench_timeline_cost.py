"""`mafiavar bench timeline --pins` and `--cost`: what a correction costs, and what a game costs by its length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING

from mafiavar.ui.cli.bench_timeline_games import Job
from mafiavar.ui.language import say

if TYPE_CHECKING:
    from mafiavar.analyzer.evaluation.realigned import Cost, Repinned

PINS, PARTS = 8, 4
HOUR = 3600.0


def pin_lines(jobs: Sequence[Job]) -> Iterator[str]:
    """True facts pinned one at a time in each game; a line for each third of the recording."""
    from mafiavar.analyzer.evaluation.realigned import repinned

    found: list[Repinned] = []
    for job in jobs:
        found += repinned(job.truth(), job.noise, job.seed, PINS)
    for third, name in enumerate(say("начало середина конец", "early middle late").split()):
        mine = [r for r in found if min(int(3 * r.place), 2) == third]
        if mine:
            yield f"{name}: {_pins(mine)}"
    yield say("всего: ", "all: ") + _pins(found)


def _pins(found: Sequence[Repinned]) -> str:
    seconds = sorted(r.again for r in found)
    hour = sorted(r.again * HOUR / r.seconds for r in found)
    quick = sum(h <= 1.0 for h in hour)
    first = median(r.first * HOUR / r.seconds for r in found)
    met, same = sum(r.met for r in found), sum(r.same for r in found)
    return say(
        f"закреплений {len(found)}, заново {median(seconds):.2f} с процессора (в пересчёте на час записи"
        f" {median(hour):.2f}, не больше {hour[-1]:.2f}; не больше 1 с: {quick}/{len(found)}; с нуля {first:.2f}),"
        f" выполнено {met}/{len(found)}, как с нуля {same}/{len(found)}",
        f"{len(found)} pins, again in {median(seconds):.2f} CPU-s (per hour of recording"
        f" {median(hour):.2f}, at most {hour[-1]:.2f}; within 1 s: {quick}/{len(found)}; from nothing {first:.2f}),"
        f" met {met}/{len(found)}, same as from nothing {same}/{len(found)}",
    )


def cost_lines(jobs: Sequence[Job]) -> Iterator[str]:
    """The first quarter, half, ... of the cues of each game: CPU seconds and their ratio."""
    from mafiavar.analyzer.evaluation.realigned import costs

    rows: list[list[Cost]] = [costs(job.truth(), job.noise, job.seed, PARTS) for job in jobs]
    yield say("реплик (в среднем) | с процессора | мс на реплику", "cues (mean) | CPU-s | ms per cue")
    for part in range(PARTS):
        cues = sum(r[part].cues for r in rows) / len(rows)
        cpu = sum(r[part].cpu for r in rows) / len(rows)
        each = 1000 * cpu / max(cues, 1.0)
        yield f"{cues:.0f} | {cpu:.2f} | {each:.1f} {'#' * round(each)}"
