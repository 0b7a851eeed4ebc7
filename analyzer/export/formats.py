"""One function per format; all take the case's values and give text.

`eaf` (ELAN annotations), `textgrid` (Praat), `vtt` (captions of events), `boris` (a BORIS project with
ethogram, subjects and events), `otio` (a list of clips, one per flag), `protocol`
(`mafiavar/protocol@1` as the recording tells it).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.export.protocol import protocol_of_timeline
from mafiavar.analyzer.report.words import EVENT_TITLES, FLAG_TITLES

Json = Mapping[str, Any]
OTHERS = ("pdf", "html", "csv", "xlsx", "chapters")
"""Exports that are not text (`files.FILES`)."""
BEFORE, AFTER = 3.0, 3.0
"""Pre- and post-roll of a clip, seconds."""


@dataclass(frozen=True, slots=True)
class CaseValues:
    """timeline.json, flags.json, transcript.json, case.json, votes.json."""

    timeline: Json
    flags: Json
    transcript: Json
    case: Json
    votes: Json

    @property
    def events(self) -> Sequence[Json]:
        return list(self.timeline.get("events", ()))

    @property
    def recording(self) -> str:
        """Name of the first recording."""
        return str(next((s.get("file") for s in self.case.get("sources", ())), "recording"))

    @property
    def end(self) -> float:
        ends = [float(e["t1"]) for e in self.events] + [
            float(s.get("duration") or 0) for s in self.case.get("sources", ())
        ]
        return max(ends, default=1.0)


def export_case(folder: Path, form: str) -> str:
    """The case in a format of `FORMATS`. Raises UsageError for an unknown one, or a folder without a case."""
    if form not in FORMATS:
        raise UsageError(
            f"Неизвестный формат {form!r}; есть: {', '.join((*FORMATS, *OTHERS))}.",
            f"Unknown format {form!r}; known: {', '.join((*FORMATS, *OTHERS))}.",
        )
    values = {}
    for name in ("timeline", "flags", "transcript", "case", "votes"):
        path = folder / f"{name}.json"
        try:
            values[name] = json.loads(path.read_text("utf-8")) if path.exists() else {}
        except (OSError, ValueError) as error:
            raise UsageError(
                f"Файл {path} не читается: {error}.", f"{path} cannot be read: {error}."
            ) from None
    if not values["timeline"]:
        raise UsageError(f"В {folder} нет разобранного дела.", f"{folder} holds no analysed case.")
    return FORMATS[form](CaseValues(**values))


def label(event: Json, lang: str = "ru") -> str:
    """An event in a few words: «выставление 1 → 3»."""
    titles = EVENT_TITLES.get(event["kind"], (event["kind"],) * 2)
    title = titles[1 if lang == "en" else 0]
    about = [str(event[k]) for k in ("seat", "shooter", "by") if isinstance(event.get(k), int | str)]
    target = event.get("target", event.get("killed"))
    parts = [title, *about]
    if target is not None:
        parts.append(f"→ {target}")
    for name in ("seats", "candidates", "targets"):
        if event.get(name):
            parts.append(", ".join(str(s) for s in event[name]))
    if event.get("count") is not None:
        parts.append(f"= {event['count']}")
    return " ".join(parts)


def _tiers(v: CaseValues) -> dict[str, list[tuple[float, float, str]]]:
    """Name of the tier -> (t0, t1, text): events by who acts, flags, words."""
    tiers: dict[str, list[tuple[float, float, str]]] = {"судья": []}
    for e in v.events:
        seat = e.get("seat")
        own = isinstance(seat, int) and e["kind"] in ("nominated", "vote_cast", "lift_cast", "best_move")
        name = f"игрок {seat}" if own else "судья"
        tiers.setdefault(name, []).append((float(e["t0"]), float(e["t1"]), label(e)))
    tiers["отметки"] = [
        (
            float(f["t0"]),
            float(f["t1"]),
            f"{FLAG_TITLES.get(f['kind'], (f['kind'],))[0]}: {f.get('seen', '')}",
        )
        for f in v.flags.get("flags", ())
    ]
    tiers["слова"] = [(float(w["t0"]), float(w["t1"]), str(w["w"])) for w in v.transcript.get("words", ())]
    return {n: sorted(rows) for n, rows in tiers.items() if rows}


def _apart(rows: Sequence[tuple[float, float, str]]) -> list[tuple[float, float, str]]:
    """Tiers hold intervals that do not overlap: what shares its time is joined."""
    out: list[tuple[float, float, str]] = []
    for t0, t1, text in rows:
        if out and t0 < out[-1][1]:
            a, b, old = out[-1]
            out[-1] = (a, max(b, t1), f"{old}; {text}")
        else:
            out.append((t0, max(t1, t0 + 0.001), text))
    return out


def eaf(v: CaseValues) -> str:
    """ELAN 3.0 document, times in milliseconds."""
    slots: list[int] = []
    tiers: list[str] = []
    number = 0
    for name, rows in _tiers(v).items():
        notes = []
        for t0, t1, text in _apart(rows):
            a, b = len(slots) + 1, len(slots) + 2
            slots += [round(t0 * 1000), round(t1 * 1000)]
            number += 1
            notes.append(
                f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{number}" TIME_SLOT_REF1="ts{a}" '
                f'TIME_SLOT_REF2="ts{b}"><ANNOTATION_VALUE>{escape(text)}</ANNOTATION_VALUE>'
                "</ALIGNABLE_ANNOTATION></ANNOTATION>"
            )
        tiers.append(f'<TIER LINGUISTIC_TYPE_REF="default" TIER_ID={quoteattr(name)}>{"".join(notes)}</TIER>')
    order = "".join(f'<TIME_SLOT TIME_SLOT_ID="ts{i + 1}" TIME_VALUE="{t}"/>' for i, t in enumerate(slots))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<ANNOTATION_DOCUMENT AUTHOR="mafiavar" DATE="1970-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        'xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">'
        f'<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"><MEDIA_DESCRIPTOR MEDIA_URL={quoteattr(v.recording)} '
        f'MIME_TYPE="video/*"/></HEADER><TIME_ORDER>{order}</TIME_ORDER>{"".join(tiers)}'
        '<LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="default" TIME_ALIGNABLE="true"/>'
        "</ANNOTATION_DOCUMENT>\n"
    )


def textgrid(v: CaseValues) -> str:
    """Praat's long text format; gaps are empty intervals."""
    tiers = _tiers(v)
    end = max([v.end, *(r[1] for rows in tiers.values() for r in rows)])
    lines = [
        'File type = "ooTextFile"', 'Object class = "TextGrid"', "", "xmin = 0", f"xmax = {end:.3f}",
        "tiers? <exists>", f"size = {len(tiers)}", "item []:",
    ]  # fmt: skip
    for i, (name, rows) in enumerate(tiers.items(), 1):
        intervals: list[tuple[float, float, str]] = []
        last = 0.0
        for t0, t1, text in _apart(rows):
            if t0 > last:
                intervals.append((last, t0, ""))
            intervals.append((t0, t1, text))
            last = t1
        if last < end:
            intervals.append((last, end, ""))
        lines += [
            f"    item [{i}]:", '        class = "IntervalTier"', f'        name = "{name}"', "        xmin = 0",
            f"        xmax = {end:.3f}", f"        intervals: size = {len(intervals)}",
        ]  # fmt: skip
        for k, (t0, t1, text) in enumerate(intervals, 1):
            quoted = text.replace('"', '""')
            lines += [
                f"        intervals [{k}]:", f"            xmin = {t0:.3f}", f"            xmax = {t1:.3f}",
                f'            text = "{quoted}"',
            ]  # fmt: skip
    return "\n".join(lines) + "\n"


def vtt(v: CaseValues) -> str:
    """Captions: an event each, at least a second long."""
    blocks = ["WEBVTT", ""]
    for e in sorted(v.events, key=lambda e: float(e["t0"])):
        t0, t1 = float(e["t0"]), max(float(e["t1"]), float(e["t0"]) + 1.0)
        text = label(e).replace("&", "&amp;").replace("<", "&lt;")
        blocks += [f"{_clock(t0)} --> {_clock(t1)}", text, ""]
    return "\n".join(blocks)


def _clock(t: float) -> str:
    ms = round(t * 1000)
    return f"{ms // 3_600_000:02d}:{ms // 60_000 % 60:02d}:{ms // 1000 % 60:02d}.{ms % 1000:03d}"


def boris(v: CaseValues) -> str:
    """A BORIS project (version 7.0): kinds of events are behaviours, seats and the judge are subjects."""
    kinds = sorted({e["kind"] for e in v.events})
    subjects = ["судья", *(f"игрок {n}" for n in range(1, 11))]

    def subject(e: Json) -> str:
        seat = e.get("seat")
        return f"игрок {seat}" if isinstance(seat, int) else "судья"

    observation = {
        "file": {"1": [v.recording], **{str(n): [] for n in range(2, 9)}},
        "type": "MEDIA",
        "date": "1970-01-01T00:00:00",
        "description": "",
        "time offset": 0.0,
        "events": [[round(float(e["t0"]), 3), subject(e), e["kind"], "", label(e)] for e in v.events],
        "observation time interval": [0, 0],
        "independent_variables": {},
        "visualize_spectrogram": False,
        "visualize_waveform": False,
        "media_creation_date_as_offset": False,
        "media_scan_sampling_duration": 0,
        "image_display_duration": 1,
        "close_behaviors_between_videos": False,
        "media_info": {
            "length": {v.recording: v.end},
            "fps": {},
            "hasVideo": {},
            "hasAudio": {},
            "offset": {"1": 0.0},
        },
    }
    project = {
        "time_format": "hh:mm:ss",
        "project_date": "1970-01-01T00:00:00",
        "project_name": "mafiavar",
        "project_description": "",
        "project_format_version": "7.0",
        "subjects_conf": {
            str(i): {"key": "", "name": n, "description": ""} for i, n in enumerate(subjects)
        },
        "behaviors_conf": {
            str(i): {
                "type": "Point event", "key": "", "code": k, "description": EVENT_TITLES.get(k, (k,))[0],
                "category": "", "modifiers": "", "excluded": "", "coding map": "",
            }
            for i, k in enumerate(kinds)
        },
        "observations": {"game": observation},
        "behavioral_categories": [],
        "independent_variables": {},
        "coding_map": {},
        "behaviors_coding_map": [],
        "converters": {},
    }  # fmt: skip
    return json.dumps(project, ensure_ascii=False, indent=1) + "\n"


def otio(v: CaseValues) -> str:
    """An OpenTimelineIO timeline: a clip per flag with pre- and post-roll, the gravest first."""
    rate = 1000.0

    def time_range(t0: float, length: float) -> Json:
        def at(t: float) -> Json:
            return {"OTIO_SCHEMA": "RationalTime.1", "rate": rate, "value": round(t * rate)}

        return {"OTIO_SCHEMA": "TimeRange.1", "start_time": at(t0), "duration": at(length)}

    clips = []
    for f in v.flags.get("flags", ()):
        t0 = max(0.0, float(f["t0"]) - BEFORE)
        t1 = min(max(v.end, float(f["t1"])), float(f["t1"]) + AFTER)
        clips.append(
            {
                "OTIO_SCHEMA": "Clip.1",
                "name": f"{f['id']} {FLAG_TITLES.get(f['kind'], (f['kind'],))[0]}",
                "metadata": {"mafiavar": {k: f.get(k) for k in ("kind", "clause", "seats", "seen")}},
                "source_range": time_range(t0, t1 - t0),
                "media_reference": {
                    "OTIO_SCHEMA": "ExternalReference.1",
                    "target_url": v.recording,
                    "available_range": time_range(0.0, v.end),
                    "metadata": {},
                    "name": v.recording,
                },
                "effects": [],
                "markers": [],
            }
        )
    track: Json = {
        "OTIO_SCHEMA": "Track.1", "name": "отметки", "kind": "Video", "children": clips, "source_range": None,
        "effects": [], "markers": [], "metadata": {},
    }  # fmt: skip
    stack: Json = {
        "OTIO_SCHEMA": "Stack.1", "name": "tracks", "children": [track], "source_range": None, "effects": [],
        "markers": [], "metadata": {},
    }  # fmt: skip
    timeline: Json = {
        "OTIO_SCHEMA": "Timeline.1", "name": "mafiavar", "global_start_time": None, "tracks": stack, "metadata": {},
    }  # fmt: skip
    return json.dumps(timeline, ensure_ascii=False, indent=1) + "\n"


def protocol(v: CaseValues) -> str:
    """`mafiavar/protocol@1`: what the recording tells; what it does not tell is left out."""
    return json.dumps(protocol_of_timeline(v.timeline, v.votes), ensure_ascii=False, indent=1) + "\n"


FORMATS: Mapping[str, Callable[[CaseValues], str]] = {
    "protocol": protocol,
    "eaf": eaf,
    "textgrid": textgrid,
    "vtt": vtt,
    "boris": boris,
    "otio": otio,
}
