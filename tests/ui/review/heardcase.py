"""A case of the own sample as the analysis leaves it, from the words that were really said.

Cues, alignment, timeline, votes and flags are the pipeline's own; only hearing and seeing are left
out, which need models and minutes: no hand is known, so every vote is "unknown".
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec

from mafiavar.analyzer.pipeline.again import align_again
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.speech import cues_of, to_json
from mafiavar.analyzer.transcript import Transcript, Utterance, Word
from mafiavar.ui.cli.demo import sample


def build_heard_case(folder: Path) -> Path:
    """Write the case of `first_table`; returns the folder."""
    recording = sample()
    truth = json.loads(recording.with_suffix(".truth.json").read_text("utf-8"))
    transcript = Transcript(tuple(_utterance(line) for line in truth["speech"]))
    for stage, value in (("voices", transcript), ("cues", tuple(cues_of(transcript)))):
        place = folder / "stages" / stage / ("0" * 32)
        place.mkdir(parents=True)
        (place / "value.msgpack").write_bytes(msgspec.msgpack.encode(value))
    size = truth["video"]["size"]
    source = {
        "path": str(recording), "file": recording.name, "sha256": hashlib.sha256(recording.read_bytes()).hexdigest(),
        "duration": truth["duration"], "container": "mov,mp4,m4a,3gp,3g2,mj2", "audio": [{"codec": "aac"}],
        "video": {"codec": "h264", "pixel_format": "yuv420p", "size": size, "fps": truth["video"]["fps"], "variable_rate": False},
    }  # fmt: skip
    head = {
        "schema": "mafiavar/case@1", "ruleset": truth["ruleset"], "span": [0.0, truth["duration"]], "sources": [source],
    }  # fmt: skip
    _write(folder / "case.json", head)
    _write(folder / "transcript.json", to_json(transcript))
    for name, value in align_again(folder, []).items():
        _write(folder / f"{name}.json", value)
    return folder


def _utterance(line: dict[str, Any]) -> Utterance:
    words, start, length = line["text"].split(), line["t0"], line["t1"] - line["t0"]
    at = lambda i: start + length * i / len(words)  # noqa: E731
    told = {line["speaker"]: 1.0}
    return Utterance(tuple(Word(w, Span.of(at(i), at(i + 1)), 0.95, told) for i, w in enumerate(words)))


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
