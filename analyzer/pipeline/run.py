"""From recordings to a case folder, stage by stage.

index -> clock -> speech -> cues -> align -> seats -> hands (only the windows that align asks for)
-> align again, votes, flags -> stills -> report. Each stage lies under its key in the case folder
(`analyzer.case.stages`), results are published as soon as they exist.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from mafiavar.analyzer import evidence
from mafiavar.analyzer.align import align
from mafiavar.analyzer.align.picture import svg
from mafiavar.analyzer.case.files import write_bytes, write_json, write_text
from mafiavar.analyzer.case.folder import CaseFolder, opened
from mafiavar.analyzer.case.stages import StageRun, Stages, key_of
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.errors import MediaError, UsageError
from mafiavar.analyzer.media import recording as media
from mafiavar.analyzer.media.clock import Offset
from mafiavar.analyzer.media.worker import in_worker
from mafiavar.analyzer.pipeline import steps
from mafiavar.analyzer.pipeline.options import Options, Progress
from mafiavar.analyzer.pipeline.results import (
    Protocol,
    align_hash,
    clause_texts,
    lexicon_hash,
    mirror,
    nicknames,
    read_protocol,
    results_of,
)
from mafiavar.analyzer.pipeline.table import Placed, best_views, on_game_clock, questions_on
from mafiavar.analyzer.report.report import ReportInput, render
from mafiavar.analyzer.seats import SeatMap, find_seats_file, read_seats
from mafiavar.analyzer.span import seconds
from mafiavar.analyzer.speech import HearOptions, cues_of, to_json, to_vtt
from mafiavar.analyzer.transcript import Transcript, joined, shifted
from mafiavar.analyzer.vision import answer_hands
from mafiavar.analyzer.vision.question import Question, QuestionKind, SeatHands
from mafiavar.engine.ruleset import Ruleset, ruleset
from mafiavar.models import registry

VERSIONS: Mapping[str, int] = {
    "index": 1, "clock": 1, "speech": 1, "cues": 1, "hands": 1, "timeline": 1, "stills": 1, "report": 1,
}  # fmt: skip
"""Raised when a stage's code would give another result for the same input."""

_SURE_OFFSET = 0.3
_INDEX_LIMIT = 1800.0
_HEAR_LIMIT = 600.0
# Expected costs, seconds of wall time per second of the recording (or of the asked window): only
# for the time left on the terminal.
_HEAR_COST = 0.12
_ALIGN_COST = 0.003
_HANDS_COST = 3.0


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run ends with; `to_json` is what `analyze --json` prints."""

    case: Path
    ruleset: str
    duration: float
    timeline: Mapping[str, Any]
    votes: Mapping[str, Any]
    flags: Mapping[str, Any]
    costs: tuple[StageRun, ...]
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        events = self.timeline["events"]
        kinds = sorted({e["kind"] for e in events})
        return {
            "schema": "mafiavar/summary@1",
            "case": str(self.case),
            "ruleset": self.ruleset,
            "duration": self.duration,
            "events": {k: sum(e["kind"] == k for e in events) for k in kinds},
            "ballots": [
                {
                    "day": r["day"],
                    "round": r["round"],
                    "target": b["target"],
                    "announced": b["announced"],
                    "counted": b["counted"],
                    "assigned": b["assigned"],
                    "seats": {s: v["vote"] for s, v in b["seats"].items()},
                }
                for r in self.votes["rounds"]
                for b in r["ballots"]
            ],
            "flags": [
                {k: f[k] for k in ("kind", "seats", "t0", "t1", "day", "severity", "confidence", "clause")}
                for f in self.flags["flags"]
            ],
            "warnings": list(self.warnings),
            "stages": [
                {
                    "stage": c.name,
                    "cached": c.cached,
                    "cpu": round(c.cpu, 2),
                    "wall": round(c.wall, 2),
                    "cpu_per_second": round(c.cpu / self.duration, 4) if self.duration else None,
                }
                for c in self.costs
            ],
        }


def analyze(recordings: Sequence[Path], case: Path, options: Options, progress: Progress) -> Summary:
    """Analyse the recordings of one game into the folder `case`.

    Raises:
        UsageError: a seats or protocol file cannot be read.
        MediaError: a recording cannot be read, or holds nothing that can be analysed.
        ModelMissing: a model is absent or altered.
        CaseError: the folder cannot be used.
    """
    paths = [p.resolve() for p in recordings]
    for path in paths:
        _exists(path)
    with opened(case) as folder:
        run = _Run(folder, options, progress)
        try:
            summary = run.everything(paths)
        except BaseException as error:
            run.note("failed" if isinstance(error, Exception) else "stopped", error=type(error).__name__)
            raise
        run.note("done")
        return summary


def _exists(path: Path) -> None:
    """Fail before anything is written when a name is wrong."""
    if not path.is_file():
        raise MediaError(
            f"Запись не найдена: {path}. Проверьте имя файла и диск.",
            f"Recording not found: {path}. Check the name and the disk.",
        )


@dataclass(slots=True)
class _Run:
    """One run over one case folder; the stages' order is that of `everything`."""

    folder: CaseFolder
    options: Options
    progress: Progress
    stages: Stages = field(init=False)
    warnings: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.time)
    models: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.stages = Stages(self.folder.stages)

    def everything(self, paths: Sequence[Path]) -> Summary:
        self.note("running")
        protocol = self.protocol()
        rules = self.rules(protocol)
        table = self.placed([self.index(p) for p in paths])
        duration = max(p.span.t1 for p in table)
        self.progress.plan(_plan(seconds(duration), any(p.recording.video for p in table)))
        self.publish_case(table, rules, protocol)
        transcript, speech_keys = self.speech(table, protocol)
        self.publish_transcript(transcript)
        cues, cues_key = self.cues(transcript, speech_keys)
        first = self.first_reading(cues, cues_key, rules, duration, protocol)
        maps = self.seats(table)
        hands, hands_keys = self.hands(table, maps, first)
        result = self.timeline(cues, transcript, hands, rules, duration, protocol, [cues_key, *hands_keys])
        self.publish_results(table, result)
        self.report(table, maps, rules, result)
        self.publish_case(table, rules, protocol)
        self.stages.forget_unused()
        return Summary(
            case=self.folder.root,
            ruleset=rules.name,
            duration=seconds(duration),
            timeline=result["timeline"],
            votes=result["votes"],
            flags=result["flags"],
            costs=tuple(self.stages.runs),
            warnings=tuple(self.warnings),
        )

    # --- stages

    def stage(self, name: str, key: str, weight: float, fill: Callable[[Path], None]) -> Path:
        """One stage with its progress; `fill` is not called when the stage is there already."""
        self.progress.begin(name, weight)
        self.note("running", stage=name)
        folder = self.stages.folder_of(name, key, fill)
        self.progress.end(self.stages.runs[-1].cached)
        return folder

    def worker(self, work: Callable[..., Any], *args: Any, limit: float) -> Any:
        """`work` in a process of its own; what libraries print goes to the run's log."""
        return in_worker(
            work, *args, limit_seconds=limit, log=self.folder.file("run.log"), progress=self.progress.share
        )

    def index(self, path: Path) -> tuple[Path, str]:
        """The index of a recording and its key. The key is the content's hash, so the same bytes
        under another name are known again; the name is read from the index, hence in the key too."""
        stat = path.stat()
        key = key_of(
            "index", VERSIONS["index"], {"path": str(path), "size": stat.st_size, "mtime": stat.st_mtime_ns}
        )
        folder = self.stage(
            "index", key, 1.0, lambda part: self.worker(steps.index_to, path, part, limit=_INDEX_LIMIT)
        )
        return folder, key

    def placed(self, indexed: Sequence[tuple[Path, str]]) -> list[Placed]:
        """The recordings on one clock: pieces one after another, angles by their sound."""
        table: list[Placed] = []
        for number, (folder, _) in enumerate(indexed):
            recording = media.load(folder)
            self.warnings += [_warning(w, recording.path.name, self.options.lang) for w in recording.warnings]
            key = key_of("recording", 1, {"sha256": recording.sha256})
            if number == 0:
                shift = 0
            elif self.options.join:
                shift = table[-1].span.t1
            else:
                shift = self.shift(table[0], recording, folder, key)
            table.append(Placed(number, recording, folder, key, shift))
        return table

    def shift(self, first: Placed, recording: media.Recording, folder: Path, key: str) -> int:
        """Where an angle's 0 lies on the first recording's clock."""
        stage_key = key_of("clock", VERSIONS["clock"], {}, first.key, key)

        def fill(part: Path) -> None:
            found = self.worker(steps.offset_of, first.index, folder, limit=_INDEX_LIMIT)
            (part / steps.VALUE).write_bytes(msgspec.msgpack.encode(found))

        value = self.stage("clock", stage_key, 5.0, fill) / steps.VALUE
        found = msgspec.msgpack.decode(value.read_bytes(), type=Offset | None)
        if found is None or found.certainty < _SURE_OFFSET:
            self.warnings.append(
                self.say(
                    f"Не удалось уверенно свести {recording.path.name} с первой записью по звуку: "
                    "это та же игра? Если это её продолжение, добавьте --join.",
                    f"{recording.path.name} could not be aligned with the first recording by sound: "
                    "is it the same game? If it is a later piece of it, add --join.",
                )
            )
        return found.shift if found else 0

    def speech(self, table: Sequence[Placed], protocol: Protocol | None) -> tuple[Transcript, list[str]]:
        """What was said, on the game's clock. Of several angles the first with sound is heard."""
        with_sound = [p for p in table if p.recording.audio]
        if not with_sound:
            self.warnings.append(
                self.say(
                    "В записи нет звука: без слов судьи голосования и речи не найти. "
                    "Подайте запись со звуком вместе с этой — mafiavar сведёт их.",
                    "The recording has no sound: without the judge's words votes and speeches cannot be found. "
                    "Give a recording with sound together with this one.",
                )
            )
            return Transcript(()), []
        folder, fingerprint = self.recogniser()
        names = nicknames(protocol)
        parts: list[Transcript] = []
        keys: list[str] = []
        for placed in with_sound if self.options.join else with_sound[:1]:
            key = key_of(
                "speech", VERSIONS["speech"],
                {"model": fingerprint, "device": self.options.device, "names": names, "options": repr(HearOptions())},
                placed.key,
            )  # fmt: skip
            length = seconds(placed.recording.duration)

            def fill(part: Path, index: Path = placed.index, length: float = length) -> None:
                self.worker(
                    steps.hear_to, index, part, folder, self.options.device, names,
                    limit=_HEAR_LIMIT + 20 * length,
                )  # fmt: skip

            value = self.stage("speech", key, _HEAR_COST * length, fill) / steps.VALUE
            parts.append(shifted(msgspec.msgpack.decode(value.read_bytes(), type=Transcript), placed.shift))
            keys.append(key)
        return joined(parts), keys

    def recogniser(self) -> tuple[Path, str]:
        """The folder of the speech model and what identifies its weights."""
        wish = self.options.asr
        if Path(wish).is_dir():
            folder = Path(wish).resolve()
            return folder, registry.sha256_of(folder / "model.bin") if (
                folder / "model.bin"
            ).is_file() else ""
        name = f"whisper-{wish}"
        if name not in registry.registry():
            known = ", ".join(
                n.removeprefix("whisper-") for n in registry.registry() if n.startswith("whisper-")
            )
            raise UsageError(
                f"Модели речи «{wish}» нет. Есть: {known} или папка с моделью.",
                f"There is no speech model “{wish}”. There are: {known}, or a folder.",
            )
        return registry.locate(name), self.fingerprint(name)

    def fingerprint(self, name: str) -> str:
        """Hash of a model's files; kept for case.json."""
        hashes = registry.expected_sha256(registry.model(name))
        digest = hashlib.sha256("".join(f"{f}:{h};" for f, h in sorted(hashes.items())).encode()).hexdigest()
        self.models[name] = digest if len(hashes) > 1 else next(iter(hashes.values()))
        return digest

    def cues(self, transcript: Transcript, speech_keys: Sequence[str]) -> tuple[tuple[Cue, ...], str]:
        key = key_of("cues", VERSIONS["cues"], {"lexicon": lexicon_hash()}, *speech_keys)
        value = self.stages.value("cues", key, tuple[Cue, ...], lambda: cues_of(transcript))
        return value, key

    def first_reading(
        self, cues: Sequence[Cue], cues_key: str, rules: Ruleset, duration: int, protocol: Protocol | None
    ) -> tuple[Question, ...]:
        """What the sound alone says, only to know which windows the pictures are asked about."""
        key = key_of(
            "align", VERSIONS["timeline"],
            {"rules": repr(rules), "duration": duration, "parameters": align_hash(), "protocol": repr(protocol)},
            cues_key,
        )  # fmt: skip
        self.progress.begin("align", _ALIGN_COST * seconds(duration))
        value = self.stages.value(
            "align",
            key,
            tuple[Question, ...],
            lambda: align(cues, rules, duration=duration, protocol=protocol).questions,
        )
        self.progress.end(self.stages.runs[-1].cached)
        return value

    def seats(self, table: Sequence[Placed]) -> dict[int, SeatMap]:
        """The seats of each recording with a picture: drawn by the user, else beside the file."""
        maps: dict[int, SeatMap] = {}
        for placed in table:
            video = placed.recording.video
            if video is None:
                continue
            file = self.options.seats or find_seats_file(placed.recording.path)
            if file is None:
                self.warnings.append(
                    self.say(
                        f"Мест для {placed.recording.path.name} нет: положите рядом "
                        f"{placed.recording.path.stem}.seats.toml или укажите --seats; руки пока не считаются.",
                        f"No seats for {placed.recording.path.name}: put {placed.recording.path.stem}.seats.toml "
                        "beside it or give --seats; hands are not counted until then.",
                    )
                )
                continue
            size = video.size if video.rotation % 180 == 0 else (video.size[1], video.size[0])
            maps[placed.number] = read_seats(file, placed.recording.path.name, size)
        return maps

    def hands(
        self, table: Sequence[Placed], maps: Mapping[int, SeatMap], questions: Sequence[Question]
    ) -> tuple[tuple[SeatHands, ...], list[str]]:
        """Whose hand touched the table when, in the windows that the sound asks about; one stage
        a window, so that a killed run loses one window at most."""
        wanted = [q for q in questions if q.kind == QuestionKind.HANDS]
        answers: list[SeatHands] = []
        keys: list[str] = []
        asked = [(p, q) for p in table if p.number in maps for q in questions_on(p, wanted)]
        if not asked:
            return (), []
        fingerprint = self.fingerprint("hand-landmarker")
        registry.locate("hand-landmarker")
        for placed, question in asked:
            seats = maps[placed.number]
            key = key_of(
                "hands", VERSIONS["hands"],
                {"model": fingerprint, "seats": repr(seats), "question": repr(question)},
                placed.key,
            )  # fmt: skip

            def fill(
                part: Path, placed: Placed = placed, question: Question = question, seats: SeatMap = seats
            ) -> None:
                found = answer_hands(
                    placed.recording, seats, [question],
                    workers=self.options.workers, progress=self.progress.share,
                )  # fmt: skip
                (part / steps.VALUE).write_bytes(msgspec.msgpack.encode(found))

            cost = _HANDS_COST * seconds(question.window.duration) / self.options.workers
            value = self.stage("hands", key, cost, fill) / steps.VALUE
            found = msgspec.msgpack.decode(value.read_bytes(), type=tuple[SeatHands, ...])
            answers += [on_game_clock(placed, h) for h in found]
            keys.append(key)
        return best_views(answers), keys

    def timeline(
        self,
        cues: Sequence[Cue],
        transcript: Transcript,
        hands: Sequence[SeatHands],
        rules: Ruleset,
        duration: int,
        protocol: Protocol | None,
        inputs: Sequence[str],
    ) -> dict[str, Any]:
        """The game with what was seen: timeline, votes and flags as they stand in their files."""
        key = key_of(
            "timeline", VERSIONS["timeline"],
            {"rules": repr(rules), "duration": duration, "parameters": align_hash(),
             "protocol": repr(protocol), "lang": self.options.lang},
            *inputs,
        )  # fmt: skip
        self.progress.begin("flags", _ALIGN_COST * seconds(duration))

        def compute() -> dict[str, Any]:
            return results_of(cues, transcript, hands, rules, duration, protocol, self.options.lang)

        value = self.stages.value("timeline", key, dict[str, Any], compute)
        self.progress.end(self.stages.runs[-1].cached)
        return value

    # --- results

    def publish_transcript(self, transcript: Transcript) -> None:
        write_json(self.folder.file("transcript.json"), to_json(transcript))
        write_text(self.folder.file("transcript.vtt"), to_vtt(transcript, self.options.lang))

    def publish_results(self, table: Sequence[Placed], result: dict[str, Any]) -> None:
        """timeline.json, votes.json, flags.json and the pictures they point at."""
        stills = sorted(set(evidence.stills_of([result["votes"], result["flags"], result["timeline"]])))
        key = key_of(
            "stills",
            VERSIONS["stills"],
            {"stills": repr(stills), "shifts": [p.shift for p in table]},
            *(p.key for p in table),
        )

        def fill(part: Path) -> None:
            self.worker(
                steps.stills_to, [p.index for p in table], [p.shift for p in table], stills, part,
                limit=_HEAR_LIMIT + 5 * len(stills),
            )  # fmt: skip

        pictures = self.stage("stills", key, 0.05 * len(stills), fill) / "evidence"
        mirror(pictures, self.folder.evidence)
        for name in ("timeline", "votes", "flags"):
            write_json(self.folder.file(f"{name}.json"), result[name])

    def report(
        self,
        table: Sequence[Placed],
        maps: Mapping[int, SeatMap],
        rules: Ruleset,
        result: Mapping[str, Any],
    ) -> None:
        """report.html from the published values."""
        seats_picture = ""
        for placed in table:
            if placed.number in maps:
                seats_picture = self.seats_picture(placed, maps[placed.number])
                break
        self.progress.begin("report", 1.0)
        html = render(
            ReportInput(
                case=self.case_json(table, rules),
                timeline=result["timeline"],
                votes=result["votes"],
                flags=result["flags"],
                transcript=json.loads(self.folder.file("transcript.json").read_text("utf-8")),
                folder=self.folder.root,
                clauses=clause_texts(result["flags"]["flags"]),
                picture=svg(result["timeline"], result["votes"], result["flags"], lang=self.options.lang),
                seats_picture=seats_picture,
            ),
            self.options.lang,
        )
        write_text(self.folder.file("report.html"), html)
        self.progress.end(False)

    def seats_picture(self, placed: Placed, seats: SeatMap) -> str:
        """The seats drawn on a frame; its path in the case folder."""
        key = key_of("seats", 1, {"seats": repr(seats)}, placed.key)
        drawn = self.stage(
            "seats",
            key,
            1.0,
            lambda part: self.worker(steps.seats_to, placed.index, seats, part, limit=_INDEX_LIMIT),
        )
        name = f"evidence/seats-{placed.number}.jpg"
        write_bytes(self.folder.file(name), (drawn / "seats.jpg").read_bytes())
        return name

    def case_json(self, table: Sequence[Placed], rules: Ruleset) -> dict[str, Any]:
        """case.json: what the results were made of."""
        return {
            "schema": "mafiavar/case@1",
            "ruleset": rules.name,
            "sources": [
                {**p.recording.to_json(), "path": str(p.recording.path), "offset": seconds(p.shift)}
                for p in table
            ],
            "versions": {
                "mafiavar": importlib.metadata.version("mafiavar"),
                "stages": dict(sorted(VERSIONS.items())),
            },
            "models": dict(sorted(self.models.items())),
            "config": {
                "asr": self.options.asr,
                "device": self.options.device,
                "join": self.options.join,
                "lang": self.options.lang,
                "seats": str(self.options.seats) if self.options.seats else None,
                "protocol": str(self.options.protocol) if self.options.protocol else None,
            },
            "warnings": list(self.warnings),
        }

    def publish_case(self, table: Sequence[Placed], rules: Ruleset, _protocol: Protocol | None) -> None:
        write_json(self.folder.file("case.json"), self.case_json(table, rules))

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

    # --- inputs

    def protocol(self) -> Protocol | None:
        return read_protocol(self.options.protocol) if self.options.protocol else None

    def rules(self, protocol: Protocol | None) -> Ruleset:
        """The rule set asked for, else the protocol's, else FSM 2026."""
        return ruleset(self.options.ruleset or (protocol or {}).get("ruleset") or "fsm-2026")

    def say(self, russian: str, english: str) -> str:
        return english if self.options.lang == "en" else russian


def _plan(duration: float, picture: bool) -> float:
    """Expected seconds of the whole run, before the windows for the pictures are known."""
    votes = 0.05 * duration * _HANDS_COST / 2 if picture else 0.0
    return 2.0 + (_HEAR_COST + 2 * _ALIGN_COST) * duration + votes


def _warning(code: str, name: str, lang: str) -> str:
    """A sentence for what the index noticed."""
    russian, english = {
        "truncated": (
            f"Запись {name} обрывается: разобрано то, что есть.",
            f"{name} breaks off: what is there was analysed.",
        )
    }[code.split(":", maxsplit=1)[0]]
    return english if lang == "en" else russian
