"""Progress on a terminal: stage, share, time left; silent elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)

from mafiavar.analyzer.pipeline.options import Progress as Reporter
from mafiavar.analyzer.pipeline.options import Quiet
from mafiavar.ui.language import say

STAGES = {
    "index": ("читаю запись", "reading the recording"),
    "clock": ("свожу записи по звуку", "aligning the recordings by sound"),
    "speech": ("слушаю", "listening"),
    "voices": ("узнаю голоса", "telling the voices apart"),
    "cues": ("понимаю сказанное", "understanding what was said"),
    "align": ("собираю ход игры", "building the timeline"),
    "places": ("ищу места", "finding the seats"),
    "numbers": ("узнаю номера мест по речам", "numbering the seats by the speeches"),
    "seats": ("рисую места", "drawing the seats"),
    "hands": ("считаю кулаки", "counting fists"),
    "look": ("смотрю ночь", "watching the night"),
    "timeline": ("ищу спорное", "looking for what is disputed"),
    "stills": ("вырезаю кадры", "cutting stills"),
    "clips": ("вырезаю клипы", "cutting clips"),
    "report": ("пишу отчёт", "writing the report"),
}


class Bar:
    """One line per running stage; the time left is that of the whole run."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._task = bars.add_task("", total=1.0, left="")
        self._began = time.monotonic()
        self._total = 0.0
        self._done = 0.0
        self._weight = 0.0

    def plan(self, total: float) -> None:
        """The expected cost of the whole run, seconds."""
        self._total = total

    def begin(self, stage: str, weight: float) -> None:
        self._weight = weight
        self._bars.update(self._task, description=say(*STAGES.get(stage, (stage, stage))), completed=0.0)

    def share(self, done: float) -> None:
        self._bars.update(self._task, completed=done, left=self._left(done))

    def end(self, cached: bool) -> None:
        if cached:
            self._total -= self._weight
        else:
            self._done += self._weight
        self._bars.update(self._task, completed=1.0)

    def _left(self, share: float) -> str:
        """Time left from how fast the expected cost has been worked off so far."""
        done = self._done + share * self._weight
        spent = time.monotonic() - self._began
        if done <= 0 or spent < 2 or self._total <= done:
            return ""
        left = spent * (self._total - done) / done
        return say(f"ещё {_span(left)}", f"{_span(left)} left")


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"


@contextmanager
def progress_for(*, quiet: bool) -> Iterator[Reporter]:
    """A bar on a terminal; nothing with `quiet` or when the output goes elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield Quiet()
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        yield Bar(bars)
