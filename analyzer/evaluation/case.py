"""Reading a case folder and a truth file, and putting the parts of the measurement together."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.evaluation.events import score_events, totals
from mafiavar.analyzer.evaluation.flags import score_flags
from mafiavar.analyzer.evaluation.matching import Record
from mafiavar.analyzer.evaluation.protocol import score_night, score_protocol
from mafiavar.analyzer.evaluation.speech import score_speech
from mafiavar.analyzer.evaluation.votes import score_votes

SCHEMA = "mafiavar/eval@1"
SNR_EDGES = (5, 10, 15, 20, 30)
NOISY = 2.0  # sigma of the luma from which a picture is called noisy


def read_json(path: Path, schema: str) -> dict[str, Any]:
    """The object in `path`, whose schema must be `schema`.

    Raises UsageError with a sentence when it is not there, not JSON, or something else.
    """
    try:
        data = json.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(f"Нет файла {path}.", f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise UsageError(
            f"Файл {path} не читается как JSON: {error}.", f"{path} cannot be read as JSON: {error}."
        ) from None
    if not isinstance(data, dict) or data.get("schema") != schema:
        found = data.get("schema") if isinstance(data, dict) else type(data).__name__
        raise UsageError(
            f"В файле {path} ожидалась схема {schema}, а там {found!r}.",
            f"{path} should have the schema {schema}, but has {found!r}.",
        )
    return data


def game_folder(case: Path) -> Path:
    """The folder that holds timeline.json: the case itself or its only game."""
    if not case.is_dir():
        raise UsageError(f"Нет папки дела {case}.", f"There is no case folder {case}.")
    if (case / "timeline.json").exists():
        return case
    games = [g for g in sorted(case.glob("game-*")) if (g / "timeline.json").exists()]
    if len(games) > 1:
        names = ", ".join(g.name for g in games)
        raise UsageError(
            f"В {case} несколько игр ({names}): укажите одну.",
            f"{case} holds several games ({names}): name one.",
        )
    return games[0] if games else case


def conditions(truth: Mapping[str, Any]) -> dict[str, Any]:
    """How hard the recording was, in a few words: the classes over which `aggregate` sums up.

    sound: speech over noise in dB, or unknown; picture: clear, dark, noisy, dark and noisy, none.
    """
    given = truth.get("conditions") or {}
    said = (given.get("audio") or {}).get("snr_db")
    sound = "unknown"
    if said is not None:
        snr = float(said)
        lower = max((e for e in SNR_EDGES if snr >= e), default=0)
        upper = next((e for e in SNR_EDGES if e > snr), None)
        sound = f"{lower:02d}-{upper} dB" if upper else f"{lower}+ dB"
    picture = "none"
    if "video" in truth:
        asked = given.get("video") or {}
        marks = [
            *(["dark"] if asked.get("low_light") else []),
            *(["noisy"] if float(asked.get("noise") or 0) >= NOISY else []),
        ]
        picture = " and ".join(marks) or "clear"
    return {"sound": sound, "picture": picture}


def evaluate(truth: Mapping[str, Any], case_dir: Path, tolerance: float = 1.0) -> dict[str, Any]:
    """Measure a case against a truth (`mafiavar/truth@1` as a dict) -> `mafiavar/eval@1`.

    Files that the case lacks count as nothing found. `tolerance`: seconds by which the true span
    of an event is widened.
    """
    folder = game_folder(case_dir)
    parts: dict[str, Record | None] = {
        name: read_json(folder / f"{name}.json", f"mafiavar/{name}@1")
        if (folder / f"{name}.json").exists()
        else None
        for name in ("timeline", "votes", "flags", "transcript")
    }
    return evaluate_parts(truth, tolerance=tolerance, **parts)


def evaluate_parts(
    truth: Mapping[str, Any],
    *,
    timeline: Record | None = None,
    votes: Record | None = None,
    flags: Record | None = None,
    transcript: Record | None = None,
    tolerance: float = 1.0,
) -> dict[str, Any]:
    """As `evaluate`, on the contents of the case's files; None is a missing file."""
    if truth.get("schema") != "mafiavar/truth@1":
        raise UsageError(
            f"Это не файл истины: схема {truth.get('schema')!r} вместо mafiavar/truth@1.",
            f"This is no truth file: schema {truth.get('schema')!r} instead of mafiavar/truth@1.",
        )
    true_events: list[Record] = list(truth.get("events", []))
    events: list[Record] = list((timeline or {}).get("events", []))
    parts = {"timeline": timeline, "votes": votes, "flags": flags, "transcript": transcript}
    by_kind = score_events(true_events, events, tolerance)
    return {
        "schema": SCHEMA,
        "recording": truth.get("recording"),
        "duration": truth.get("duration"),
        "tolerance": tolerance,
        "conditions": conditions(truth),
        "missing_files": [f"{name}.json" for name, part in parts.items() if part is None],
        "events": by_kind,
        "totals": totals(by_kind),
        "votes": score_votes(dict(truth), votes),
        "protocol": score_protocol(true_events, events),
        "night": score_night(true_events, events),
        "flags": score_flags(list(truth.get("flags", [])), list((flags or {}).get("flags", []))),
        "speech": score_speech(
            list(truth.get("speech", [])), None if transcript is None else list(transcript.get("words", []))
        ),
    }
