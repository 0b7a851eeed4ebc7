"""What every stage of a run works with: folder, stages, progress, warnings, models, the log."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from mafiavar.analyzer.case.files import write_json
from mafiavar.analyzer.case.folder import CaseFolder
from mafiavar.analyzer.case.stages import Stages
from mafiavar.analyzer.media.worker import MEMORY_LIMIT, in_worker
from mafiavar.analyzer.pipeline.options import Options, Progress
from mafiavar.models import registry

VERSIONS: dict[str, int] = {
    "index": 1, "clock": 1, "speech": 9, "voices": 7, "cues": 5, "games": 1, "hands": 13, "look": 11, "timeline": 11,
    "stills": 1, "clips": 1, "seats": 1, "closer": 1,
    "places": 1, "numbers": 1, "follow": 1, "blows": 1, "mouths": 1,
}  # fmt: skip
"""Raised when a stage's code would give another result for the same input."""

LIMIT = 1800.0
"""Seconds a worker may take for work that does not grow with the recording."""

T = TypeVar("T")


@dataclass(slots=True)
class Context:
    """One run over one case folder."""

    folder: CaseFolder
    options: Options
    progress: Progress
    stages: Stages = field(init=False)
    warnings: list[str] = field(default_factory=list)
    models: dict[str, str] = field(default_factory=dict)
    began: float = field(default_factory=time.time)

    def __post_init__(self) -> None:
        self.stages = Stages(self.folder.stages)

    def stage(self, name: str, key: str, weight: float, fill: Callable[[Path], None]) -> Path:
        """One stage with its progress; `fill` is not called when the stage is there already."""
        self.progress.begin(name, weight)
        self.note("running", stage=name)
        folder = self.stages.folder_of(name, key, fill)
        self.progress.end(self.stages.runs[-1].cached)
        return folder

    def value(self, name: str, key: str, weight: float, kind: type[T], make: Callable[[], T]) -> T:
        """A stage that is one value, with its progress; `make` is not called when it is there already."""
        self.progress.begin(name, weight)
        self.note("running", stage=name)
        value = self.stages.value(name, key, kind, make)
        self.progress.end(self.stages.runs[-1].cached)
        return value

    def worker(self, work: Callable[..., Any], *args: Any, limit: float, memory: int = MEMORY_LIMIT) -> Any:
        """`work` in a process of its own; what libraries print goes to the run's log."""
        return in_worker(
            work, *args, limit_seconds=limit, memory=memory,
            log=self.folder.file("run.log"), progress=self.progress.share,
        )  # fmt: skip

    def fingerprint(self, name: str) -> str:
        """Hash of a model's files; kept for case.json."""
        self.models[name] = registry.fingerprint(name)
        return self.models[name]

    def warn(self, russian: str, english: str) -> None:
        """Something the user should know; the run goes on."""
        sentence = english if self.options.lang == "en" else russian
        if sentence not in self.warnings:
            self.warnings.append(sentence)

    def note(self, state: str, **more: Any) -> None:
        """run.json: state, costs, machine. The one file that differs between two runs."""
        write_json(
            self.folder.file("run.json"),
            {
                "schema": "mafiavar/run@1",
                "state": state,
                **more,
                "began": round(self.began, 3),
                "seconds": round(time.time() - self.began, 3),
                "machine": {
                    "system": platform.platform(),
                    "python": platform.python_version(),
                    "cores": os.cpu_count(),
                },
                "stages": [
                    {
                        "stage": r.name,
                        "key": r.key,
                        "cached": r.cached,
                        "wall": round(r.wall, 3),
                        "cpu": round(r.cpu, 3),
                    }
                    for r in self.stages.runs
                ],
                "warnings": self.warnings,
            },
        )
