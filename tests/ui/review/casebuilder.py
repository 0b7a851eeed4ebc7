"""A case folder made from a truth file: what a faultless analysis would have written.

The review's tests need cases with known content long before and independently of the pipeline;
nothing here measures the analysis.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Json = dict[str, Any]
SEVERITY = {"mask_late": "foul", "head_up_at_night": "error", "hand_early": "foul", "hand_withdrawn": "foul", "vote_count_mismatch": "error"}  # fmt: skip


def build_case(
    truth: Json,
    recording: Path,
    folder: Path,
    *,
    offset_confidence: float = 0.9,
    head: Mapping[str, Any] | None = None,
    angles: Sequence[tuple[Path, float, float]] = (),
) -> Path:
    """Write all files of a case for `recording`; returns the folder.

    `angles`: more recordings of the game, each (path, duration, offset on the case's clock).
    """
    folder.mkdir(parents=True, exist_ok=True)
    write = lambda name, value: (folder / name).write_text(json.dumps(value, ensure_ascii=False), "utf-8")  # noqa: E731
    events = [
        {"id": f"e{i}", "confidence": offset_confidence, "basis": "observed", "evidence": [], **e}
        for i, e in enumerate(truth["events"])
    ]
    write("timeline.json", {"schema": "mafiavar/timeline@1", "ruleset": truth["ruleset"], "events": events})
    write("votes.json", {"schema": "mafiavar/votes@1", "rounds": list(_rounds(truth["events"]))})
    write(
        "flags.json",
        {"schema": "mafiavar/flags@1", "flags": [_flag(i, f) for i, f in enumerate(truth["flags"])]},
    )
    write("transcript.json", {"schema": "mafiavar/transcript@1", "words": list(_words(truth["speech"]))})
    sources = [_source(recording, truth)]
    sources += [{**_source(p, truth), "duration": d, "offset": offset} for p, d, offset in angles]
    write("case.json", {"schema": "mafiavar/case@1", "sources": sources, **(head or {})})
    (folder / "evidence").mkdir(exist_ok=True)
    return folder


def _source(recording: Path, truth: Json) -> Json:
    video = truth.get("video") or {}
    size = video.get("size")
    return {
        "path": str(recording),
        "file": recording.name,
        "sha256": hashlib.sha256(recording.read_bytes()).hexdigest(),
        "duration": truth["duration"],
        "container": "mov,mp4,m4a,3gp,3g2,mj2",
        "video": {"codec": "h264", "pixel_format": "yuv420p", "size": size, "fps": video.get("fps", 25), "variable_rate": False} if size else None,
        "audio": [{"codec": "aac", "rate": 48000, "channels": 1}],
    }  # fmt: skip


def _flag(i: int, f: Json) -> Json:
    seats = f.get("seats") or ([f["seat"]] if "seat" in f else [])
    return {
        "id": f"f{i:03d}", "kind": f["kind"], "clause": f.get("clause"), "clause_certainty": "A", "seats": seats,
        "t0": f["t0"], "t1": f["t1"], "day": f.get("day", 1), "severity": f.get("severity") or SEVERITY.get(f["kind"], "note"),
        "confidence": 0.8, "expected": f.get("expected", ""), "seen": f.get("seen", ""), "margin": f.get("margin", ""),
        "doubts": f.get("doubts", []), "evidence": f.get("evidence", []),
    }  # fmt: skip


def _words(speech: list[Json]) -> Iterator[Json]:
    for s in speech:
        words = s["text"].split()
        step = (s["t1"] - s["t0"]) / max(1, len(words))
        for i, w in enumerate(words):
            t0 = s["t0"] + i * step
            yield {
                "w": w,
                "t0": round(t0, 3),
                "t1": round(t0 + step, 3),
                "p": 0.9,
                "speaker": str(s["speaker"]),
                "speaker_p": 0.8,
            }


def _rounds(events: list[Json]) -> Iterator[Json]:
    out: set[int] = set()
    for i, e in enumerate(events):
        if e["kind"] == "eliminated":
            out |= set(e["seats"])
        if e["kind"] != "vote_opened":
            continue
        later = [x for x in events[i:] if (x.get("day"), x.get("round")) == (e["day"], e["round"])]
        calls = [x for x in later if x["kind"] == "vote_called"]
        yield {
            "day": e["day"], "round": e["round"], "candidates": e["candidates"],
            "ballots": [_ballot(c, later, set(out)) for c in calls],
        }  # fmt: skip


def _ballot(call: Json, later: list[Json], out: set[int]) -> Json:
    target = call["target"]
    of = lambda kind: next((x for x in later if x["kind"] == kind and x.get("target") == target), None)  # noqa: E731
    closed, announced = of("vote_closed"), of("vote_announced")
    cast = {x["seat"]: x for x in later if x["kind"] == "vote_cast" and x["target"] == target}
    seats = {str(n): _seat(cast.get(n), out=n in out) for n in range(1, 11)}
    hands = sum(v["vote"] == "yes" for v in seats.values())
    rest = sum(v["remainder"] for v in seats.values())
    return {
        "target": target, "called": [call["t0"], call["t1"]], "closed": [closed["t0"], closed["t1"]] if closed else None,
        "announced": announced["count"] if announced else None, "counted": [hands, hands],
        "assigned": hands + rest if rest else None, "seats": seats,
    }  # fmt: skip


def _seat(cast: Json | None, *, out: bool) -> Json:
    blank: Json = {
        "probability": 0.95,
        "hand": None,
        "form": "unknown",
        "contact": None,
        "remainder": False,
        "evidence": [],
    }
    if out:
        return {"vote": "out", **blank}
    if cast is None:
        return {"vote": "no", **blank}
    if cast["remainder"]:
        return {"vote": "no", **blank, "remainder": True}
    return {"vote": "yes", **blank, "hand": cast["hand"], "form": cast["form"], "contact": cast["contact"]}
