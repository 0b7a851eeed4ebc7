"""What a run of the pipeline is asked to do, and how it tells where it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Options:
    """The command line's wishes. `None`: decided by what is found.

    `ruleset`: fsm-2026 | disbord | legion. `asr`: a name of the registry or a folder.
    `closer`: which recogniser hears doubtful seconds again: as `asr`, or auto | off.
    `workers`: processes for the pictures. `device`: cpu | cuda | auto.
    """

    ruleset: str | None = None
    seats: Path | None = None
    protocol: Path | None = None
    asr: str = "base"
    closer: str = "auto"
    join: bool = False
    workers: int = 2
    device: str = "auto"
    lang: str = "ru"


class Progress(Protocol):
    """Where the run is; the command line draws it."""

    def plan(self, total: float) -> None:
        """The expected cost of all stages, seconds; may be told again when more is known."""

    def begin(self, stage: str, weight: float) -> None:
        """A stage starts; `weight`: its expected cost in seconds (0: unknown)."""

    def share(self, done: float) -> None:
        """The running stage has done this share (0..1)."""

    def end(self, cached: bool) -> None:
        """The running stage is finished."""


class Quiet:
    """No progress: tests, `--json`, output that is not a terminal."""

    def plan(self, total: float) -> None:
        pass

    def begin(self, stage: str, weight: float) -> None:
        pass

    def share(self, done: float) -> None:
        pass

    def end(self, cached: bool) -> None:
        pass
