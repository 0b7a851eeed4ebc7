"""Recordings: their indexes, and all of them on one clock."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mafiavar.analyzer.case.stages import key_of
from mafiavar.analyzer.media import recording as media
from mafiavar.analyzer.media.clock import Offset
from mafiavar.analyzer.pipeline import steps
from mafiavar.analyzer.pipeline.context import LIMIT, VERSIONS, Context
from mafiavar.analyzer.pipeline.table import Placed

_SURE_OFFSET = 0.3


def placed(run: Context, paths: Sequence[Path]) -> list[Placed]:
    """The recordings on one clock: pieces one after another (`--join`), angles by their sound."""
    table: list[Placed] = []
    for number, path in enumerate(paths):
        index = _indexed(run, path)
        recording = media.load(index)
        for warning in recording.warnings:
            _tell(run, warning, recording.path.name)
        # The key of everything read from a recording is its content, whatever it is called.
        key = key_of("recording", VERSIONS["index"], {"sha256": recording.sha256})
        if number == 0:
            shift = 0
        elif run.options.join:
            shift = table[-1].span.t1
        else:
            shift = _shift(run, table[0], recording, index, key)
        table.append(Placed(number, recording, index, key, shift))
    return table


def _indexed(run: Context, path: Path) -> Path:
    """The folder of a recording's index. Known again by path, size and time of change: hashing
    20 GB anew only to see that nothing changed would cost more than many stages."""
    stat = path.stat()
    key = key_of(
        "index", VERSIONS["index"], {"path": str(path), "size": stat.st_size, "mtime": stat.st_mtime_ns}
    )
    return run.stage("index", key, 1.0, lambda part: run.worker(steps.index_to, path, part, limit=LIMIT))


def _shift(run: Context, first: Placed, recording: media.Recording, index: Path, key: str) -> int:
    """Where an angle's 0 lies on the first recording's clock."""
    stage_key = key_of("clock", VERSIONS["clock"], {}, first.key, key)
    found: Offset | None = run.value(
        "clock", stage_key, 5.0, Offset | None,  # type: ignore[arg-type]  # a union is no `type`
        lambda: run.worker(steps.offset_of, first.index, index, limit=LIMIT),
    )  # fmt: skip
    if found is None or found.certainty < _SURE_OFFSET:
        run.warn(
            f"Не удалось уверенно свести {recording.path.name} с первой записью по звуку: "
            "это та же игра? Если это её продолжение, добавьте --join.",
            f"{recording.path.name} could not be aligned with the first recording by sound: "
            "is it the same game? If it is a later piece of it, add --join.",
        )
    return found.shift if found else 0


def _tell(run: Context, code: str, name: str) -> None:
    """A sentence for what the index noticed."""
    if code.startswith("truncated"):
        run.warn(
            f"Запись {name} обрывается: разобрано то, что есть.",
            f"{name} breaks off: what is there was analysed.",
        )
