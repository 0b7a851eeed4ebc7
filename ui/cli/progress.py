"""Progress on a terminal: stage, share, time gone and time left; silent elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mafiavar.analyzer.pipeline.options import Progress as Reporter
from mafiavar.analyzer.pipeline.options import Quiet
from mafiavar.ui.language import say

STAGES = {
    "index": ("читаю запись", "reading the recording"),
    "clock": ("свожу записи по звуку", "aligning the recordings by sound"),
    "speech": ("слушаю", "listening"),
    "voices": ("узнаю голоса", "telling the voices apart"),
    "joined": ("соединяю куски", "joining the pieces"),
    "cues": ("понимаю сказанное", "understanding what was said"),
    "doubts": ("ищу, что переслушать", "looking for what to hear again"),
    "closer": ("переслушиваю сомнительное", "hearing doubtful words again"),
    "closer_cues": ("понимаю переслушанное", "understanding what was heard again"),
    "align": ("собираю ход игры", "building the timeline"),
    "places": ("ищу места", "finding the seats"),
    "follow": ("не сдвигали ли камеру", "was the camera moved"),
    "numbers": ("узнаю номера мест", "telling the seats' numbers"),
    "seats": ("рисую карту мест", "drawing the map of seats"),
    "hands": ("считаю кулаки", "counting fists"),
    "look": ("смотрю ночь", "watching the night"),
    "mouths": ("чей рот двигался", "whose mouth moved"),
    "witnessed": ("чей рот двигался", "whose mouth moved"),
    "witnessed_cues": ("понимаю сказанное", "understanding what was said"),
    "blows": ("чья рука стукнула", "whose hand knocked"),
    "timeline": ("ищу спорное", "looking for what is disputed"),
    "stills": ("вырезаю кадры", "cutting stills"),
    "clips": ("вырезаю клипы", "cutting clips"),
    "report": ("пишу отчёт", "writing the report"),
}
_TELLING = 0.05
"""Share of the expected cost that must be done before its pace says anything about the rest."""
_NEARLY = 0.95
"""A stage that does not tell its share is taken for done up to here while it lasts."""


def stage_name(stage: str) -> str:
    """What a stage does, in the user's language."""
    return say(*STAGES.get(stage, (stage, stage)))


class Run:
    """Where the run is: the running stage, its share, and the time left of the whole run.

    Costs are expected seconds; the clock tells how fast they are really worked off. `now`: a clock in
    seconds, for tests.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._began = now()
        self._total = 0.0
        self._done = 0.0
        self._weight = 0.0
        self._stage_began = self._began
        self.stage = say("запускаюсь", "starting")
        self.done: float | None = None
        """Share of the running stage, 0 to 1; None: it does not tell."""

    def plan(self, total: float) -> None:
        """The expected cost of the whole run, seconds."""
        self._total = total

    def begin(self, stage: str, weight: float) -> None:
        self._weight, self._stage_began = weight, self._now()
        self.stage, self.done = stage_name(stage), None

    def share(self, done: float) -> None:
        self.done = done

    def end(self, cached: bool) -> None:
        if cached:
            self._total -= self._weight
        else:
            self._done += self._weight
        self._weight = 0.0

    @property
    def spent(self) -> float:
        return self._now() - self._began

    @property
    def left(self) -> float | None:
        """Seconds left from how fast the expected cost has been worked off so far; None: cannot tell yet."""
        done = self._done + (self.done or 0.0) * self._weight
        if self._total <= done or done < _TELLING * self._total:
            return None
        if self.done is None:
            before = self._stage_began - self._began
            pace = before / self._done if self._done else 0.0
            silent = self._now() - self._stage_began
            done += min(_NEARLY * self._weight, silent / pace) if pace else 0.0
            return pace * (self._total - done)
        return self.spent * (self._total - done) / done


def span_text(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"


@contextmanager
def progress_for(*, quiet: bool) -> Iterator[Reporter]:
    """A line on a terminal; nothing with `quiet` or when the output goes elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield Quiet()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn
    from rich.text import Text

    run = Run()

    class Share(ProgressColumn):
        def render(self, task: Task) -> Text:  # noqa: ARG002 - the library's signature
            return Text("" if run.done is None else f"{run.done * 100:3.0f}%", "magenta")

    class Clock(ProgressColumn):
        def render(self, task: Task) -> Text:  # noqa: ARG002 - the library's signature
            left = run.left
            rest = (
                ""
                if left is None
                else say(f", ещё около {span_text(left)}", f", about {span_text(left)} left")
            )
            return Text(say("прошло ", "gone ") + span_text(run.spent) + rest)

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(20),
        Share(),
        Clock(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        yield Bar(run, bars)


class Bar:
    """Draws a `Run`. A stage that does not tell its share pulses."""

    def __init__(self, run: Run, bars: Any) -> None:
        self._run, self._bars = run, bars
        self._task = bars.add_task(run.stage, total=None)

    def plan(self, total: float) -> None:
        self._run.plan(total)

    def begin(self, stage: str, weight: float) -> None:
        self._run.begin(stage, weight)
        self._draw()

    def share(self, done: float) -> None:
        self._run.share(done)
        self._draw()

    def end(self, cached: bool) -> None:
        self._run.end(cached)

    def _draw(self) -> None:
        done = self._run.done
        # Never quite full: the library stops its clock at a full bar.
        self._bars.update(
            self._task,
            description=self._run.stage,
            total=None if done is None else 1.001,
            completed=done or 0.0,
        )
