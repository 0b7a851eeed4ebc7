"""What a game's folder shows: transcript, timeline, votes, flags, evidence, report, case.json."""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mafiavar.analyzer import evidence
from mafiavar.analyzer.align.picture import svg
from mafiavar.analyzer.case.files import write_bytes, write_json, write_text
from mafiavar.analyzer.case.folder import CaseFolder
from mafiavar.analyzer.case.stages import described, key_of
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.export.clips import FOLDER, wanted_clips
from mafiavar.analyzer.pipeline import looking, steps
from mafiavar.analyzer.pipeline.context import LIMIT, VERSIONS, Context
from mafiavar.analyzer.pipeline.observations import tables
from mafiavar.analyzer.pipeline.results import clause_texts, mirror
from mafiavar.analyzer.pipeline.table import Placed
from mafiavar.analyzer.report.report import ReportInput, render
from mafiavar.analyzer.seats import SeatMap
from mafiavar.analyzer.seats.file import camera_json
from mafiavar.analyzer.span import Span, seconds
from mafiavar.analyzer.speech import to_json, to_vtt
from mafiavar.analyzer.transcript import Transcript
from mafiavar.analyzer.vision.question import Answer, SeatHands


@dataclass(slots=True)
class Publisher:
    """Writes one game's results into its folder as they come to be."""

    run: Context
    into: CaseFolder
    table: Sequence[Placed]
    span: Span
    ruleset: str

    def case(self, maps: Mapping[int, SeatMap] | None = None) -> dict[str, Any]:
        """case.json: what the results were made of; with the seats once they are known."""
        value = {
            "schema": "mafiavar/case@1",
            "ruleset": self.ruleset,
            "span": [seconds(self.span.t0), seconds(self.span.t1)],
            "sources": [
                {**p.recording.to_json(), "path": str(p.recording.path), "offset": seconds(p.shift)}
                for p in self.table
            ],
            "versions": {
                "mafiavar": importlib.metadata.version("mafiavar"),
                "stages": dict(sorted(VERSIONS.items())),
            },
            "models": dict(sorted(self.run.models.items())),
            "config": {
                "asr": self.run.options.asr,
                "closer": self.run.options.closer,
                "device": self.run.options.device,
                "join": self.run.options.join,
                "lang": self.run.options.lang,
                "seats": _text(self.run.options.seats),
                "protocol": _text(self.run.options.protocol),
            },
            "warnings": list(self.run.warnings),
        }
        known = [camera_json(m) for _, m in sorted((maps or {}).items()) if m.numbered]
        if known:
            value["seats"] = {"camera": known}
        write_json(self.into.file("case.json"), value)
        return value

    def protocol(self, protocol: Mapping[str, Any]) -> None:
        """protocol.json: the official record as it was read, so that the case can be moved."""
        write_json(self.into.file("protocol.json"), protocol)

    def transcript(self, transcript: Transcript) -> None:
        write_json(self.into.file("transcript.json"), to_json(transcript))
        write_text(self.into.file("transcript.vtt"), to_vtt(transcript, self.run.options.lang))

    def observations(
        self,
        transcript: Transcript,
        cues: Sequence[Cue],
        hands: Sequence[SeatHands],
        answers: Sequence[Answer],
    ) -> None:
        """observations/*.parquet: what was heard and seen, for tools of others."""
        for name, data in tables(transcript, cues, hands, answers).items():
            write_bytes(self.into.observations / name, data)

    def results(self, result: Mapping[str, Any]) -> None:
        """timeline.json, votes.json, flags.json and the pictures they point at."""
        stills = sorted(set(evidence.stills_of([result["votes"], result["flags"], result["timeline"]])))
        shifts = [p.shift for p in self.table]
        key = key_of(
            "stills",
            VERSIONS["stills"],
            {"stills": described(stills), "shifts": shifts},
            *(p.key for p in self.table),
        )

        def fill(part: Path) -> None:
            indexes = [p.index for p in self.table]
            self.run.worker(steps.stills_to, indexes, shifts, stills, part, limit=LIMIT + 5 * len(stills))

        pictures = self.run.stage("stills", key, 0.05 * len(stills), fill) / "evidence"
        mirror(pictures, self.into.evidence)
        self._clips(result["flags"])
        for name in ("timeline", "votes", "flags"):
            write_json(self.into.file(f"{name}.json"), result[name])

    def _clips(self, flags: Mapping[str, Any]) -> None:
        """evidence/clips: a clip per incident that is more than a note; names them in `flags`."""
        wanted = wanted_clips(flags)
        shifts = [p.shift for p in self.table]
        key = key_of(
            "clips",
            VERSIONS["clips"],
            {"clips": described(wanted), "shifts": shifts},
            *(p.key for p in self.table),
        )

        def fill(part: Path) -> None:
            indexes = [p.index for p in self.table]
            self.run.worker(steps.clips_to, indexes, shifts, wanted, part, limit=LIMIT + 60 * len(wanted))

        made = self.run.stage("clips", key, 0.5 * len(wanted), fill)
        mirror(made / FOLDER, self.into.root / FOLDER)

    def report(self, maps: Mapping[int, SeatMap], result: Mapping[str, Any]) -> None:
        """report.html from the published values."""
        seats_picture = ""
        for placed in self.table:
            if placed.number in maps and not seats_picture:
                seats_picture = f"evidence/seats-{placed.number}.jpg"
                jpeg = looking.seats_picture(self.run, placed, maps[placed.number])
                write_bytes(self.into.file(seats_picture), jpeg)
        self.run.progress.begin("report", 1.0)
        lang = self.run.options.lang
        html = render(
            ReportInput(
                case=self.case(maps),
                timeline=result["timeline"],
                votes=result["votes"],
                flags=result["flags"],
                transcript=json.loads(self.into.file("transcript.json").read_text("utf-8")),
                folder=self.into.root,
                clauses=clause_texts(result["flags"]["flags"]),
                picture=svg(result["timeline"], result["votes"], result["flags"], lang=lang),
                seats_picture=seats_picture,
            ),
            lang,
        )
        write_text(self.into.file("report.html"), html)
        self.run.progress.end(False)


def _text(path: Path | None) -> str | None:
    return str(path) if path else None
