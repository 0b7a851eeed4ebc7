"""Aligning a finished case again with what people have stated, from the stages it keeps.

Nothing is decoded and nothing in the case folder is changed: the cues and the hands are read from
their stages, the transcript likewise, and the three results come back as values.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.errors import CaseError
from mafiavar.analyzer.pipeline.results import Protocol, results_of
from mafiavar.analyzer.pipeline.table import best_views
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.timeline import Pin
from mafiavar.analyzer.transcript import Transcript, within
from mafiavar.analyzer.vision.question import Answer, SeatHands
from mafiavar.engine.ruleset import ruleset

T = TypeVar("T")


def align_again(
    case: Path, pins: Sequence[Pin], *, protocol: Protocol | None = None, lang: str = "ru"
) -> dict[str, Any]:
    """The values of timeline.json, votes.json and flags.json under these pins.

    Raises:
        CaseError: the case keeps no cues (it was made by an older version, or its analysis has
            not come that far).
    """
    head = _head(case)
    stages = next((f / "stages" for f in (case, case.parent) if (f / "stages" / "cues").is_dir()), None)
    if stages is None:
        raise _nothing()
    span = Span.of(*(head.get("span") or (0.0, 24 * 3600.0)))
    # What was heard more closely replaces the first hearing of that game.
    # The mouths' word on who spoke replaces the voices' alone.
    cues = next((c for s in ("closer_cues", "witnessed_cues", "cues") if (c := _cues(stages, s, span))), [])
    closer = [t for t in _values(stages, "closer", Transcript) if any(w.span.middle in span for w in t.words)]
    heard = closer or next(
        (t for s in ("witnessed", "joined", "voices") if (t := _values(stages, s, Transcript))), []
    )
    if not heard:
        raise _nothing()
    hands = [h for part in _values(stages, "hands", tuple[SeatHands, ...]) for h in part]
    return results_of(
        cues,
        within(heard[0], span) if head.get("span") else heard[0],
        best_views(sorted((h for h in hands if h.window.middle in span), key=lambda h: (h.window, h.seat))),
        ruleset(str(head.get("ruleset") or "fsm-2026")),
        span.t1,
        protocol,
        lang,
        pins=pins,
        answers=sorted(
            (
                a
                for stage in ("look", "blows")
                for part in _values(stages, stage, tuple[Answer, ...])
                for a in part
                if a.span.middle in span
            ),
            key=lambda a: (a.span, a.kind, a.seat),
        ),
    )


def _cues(stages: Path, stage: str, span: Span) -> list[Cue]:
    return [c for part in _values(stages, stage, tuple[Cue, ...]) for c in part if c.span.middle in span]


def _head(case: Path) -> Mapping[str, Any]:
    try:
        value = json.loads((case / "case.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise _nothing() from error
    if not isinstance(value, dict):
        raise _nothing()
    return value


def _values(stages: Path, name: str, kind: type[T]) -> list[T]:
    """All finished values of a stage; one that another version wrote is as good as missing."""
    found = []
    for file in sorted((stages / name).glob("[0-9a-f]*/value.msgpack")):
        try:
            found.append(msgspec.msgpack.decode(file.read_bytes(), type=kind))
        except (OSError, msgspec.DecodeError):
            continue
    return found


def _nothing() -> CaseError:
    return CaseError(
        "Дело не хранит услышанного: разметить заново нельзя. Запустите разбор ещё раз: mafiavar analyze.",
        "The case keeps nothing of what was heard: it cannot be aligned again. Run mafiavar analyze once more.",
    )
