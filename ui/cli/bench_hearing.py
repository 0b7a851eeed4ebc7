"""`mafiavar bench hearing`: how well recordings with a truth file are heard, kind by kind."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.transcript import Transcript
from mafiavar.ui.language import say


def register(bench: typer.Typer) -> None:
    @bench.command(
        help=say(
            "как слышно записи, у которых рядом лежит NAME.truth.json",
            "how well recordings are heard that have a NAME.truth.json beside them",
        )
    )
    def hearing(
        recordings: list[Path] = typer.Argument(
            ..., metavar=say("ЗАПИСЬ", "REC"), help=say("записи", "recordings")
        ),
        asr: str = typer.Option("base", "--asr", help=say("модель речи", "speech model")),
        keep: Path = typer.Option(
            None,
            "--keep",
            help=say(
                "папка, где хранить услышанное, чтобы не слушать дважды",
                "a folder that keeps what was heard, so as not to listen twice",
            ),
        ),
        perfect: bool = typer.Option(
            False,
            "--perfect-words",
            help=say(
                "не слушать, а прочесть слова из правды: что теряет одна грамматика",
                "read the truth's words instead of listening: what the grammar alone loses",
            ),
        ),
        as_json: bool = typer.Option(False, "--json", help=say("вывод в JSON", "print JSON")),
    ) -> None:
        measured = {path.name: measure(path, asr, keep, perfect) for path in recordings}
        report = {"recordings": measured, "total": total(measured)}
        if as_json:
            sys.stdout.write(json.dumps(report, ensure_ascii=False, indent=1) + "\n")
        else:
            show(report)


def measure(path: Path, asr: str, keep: Path | None, perfect: bool) -> dict[str, Any]:
    """One recording: counts per kind, speakers, interjections, calibration, cost."""
    from mafiavar.analyzer.speech import cues_of
    from mafiavar.analyzer.speech import measure as m

    truth = _truth(path)
    transcript, cost = (_written(truth), {}) if perfect else heard(path, asr, keep)
    began = time.process_time()
    cues = cues_of(transcript)
    cost = {**cost, "cues": (time.process_time() - began) / float(truth["duration"])}
    spoken_over = m.interjected(transcript, truth)
    return {
        "kinds": {
            kind.value: {
                "truth": s.truth,
                "found": s.found,
                "matched": s.matched,
                "end_errors": [round(e, 3) for e in s.end_errors],
            }
            for kind, s in m.scores(cues, truth).items()
        },
        "speakers": {k: [s.right, s.of] for k, s in m.speaker_shares(transcript, truth).items()},
        "interjections": {
            "found": [spoken_over.found.right, spoken_over.found.of],
            "seat": [spoken_over.seat.right, spoken_over.seat.of],
            "false": spoken_over.false,
            "false_per_ten_minutes": round(spoken_over.false_per_ten_minutes, 2),
        },
        "calibration": [[p, share.right, share.of] for p, share in m.calibration(cues, truth)],
        "words": sum(len(line["text"].split()) for line in truth["speech"]),
        "wer": round(m.word_error_rate(transcript, truth), 3),
        "seconds": float(truth["duration"]),
        "cpu_per_second": round(cost.get("words", 0.0) + cost.get("voices", 0.0) + cost["cues"], 3),
        "cost": {name: round(value, 3) for name, value in cost.items()},
        "peak_mb": round(cost.get("peak_mb", 0.0)),
    }


def _truth(path: Path) -> Mapping[str, Any]:
    beside = path.with_name(path.stem + ".truth.json")
    try:
        found: Mapping[str, Any] = json.loads(beside.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(
            f"Рядом с {path.name} нет читаемого файла правды {beside.name}: {error}.",
            f"There is no readable truth file {beside.name} beside {path.name}: {error}.",
        ) from error
    return found


def _written(truth: Mapping[str, Any]) -> Transcript:
    """The truth's own words, spread evenly over each sentence, with their speakers."""
    from mafiavar.analyzer.span import Span
    from mafiavar.analyzer.transcript import Utterance, Word

    utterances = []
    for line in truth["speech"]:
        words, start, length = line["text"].split(), line["t0"], line["t1"] - line["t0"]
        spans = [
            Span.of(start + length * i / len(words), start + length * (i + 1) / len(words))
            for i in range(len(words))
        ]
        told = {line["speaker"]: 1.0}
        utterances.append(Utterance(tuple(Word(w, s, 0.95, told) for w, s in zip(words, spans, strict=True))))
    return Transcript(tuple(utterances))


def heard(path: Path, asr: str, keep: Path | None) -> tuple[Transcript, dict[str, float]]:
    """The transcript, and what it cost: CPU-seconds per second of sound for `words` and `voices`, peak
    memory in MB, the load of the machine before.

    `keep`: a folder for the words alone, for the words with speakers, and for the cost, each of which
    is made only once.
    """
    from mafiavar.analyzer.media import recording, sound
    from mafiavar.analyzer.speech import Listened, listen, told_apart
    from mafiavar.models import registry
    from mafiavar.models.speech import WhisperRecogniser
    from mafiavar.models.voices import CamPlusVoices, PyanNet

    name = f"{path.stem}.{asr}"
    told = keep / f"{name}.msgpack" if keep else None
    words = keep / f"{name}.words.msgpack" if keep else None
    costs = keep / f"{name}.cost.json" if keep else None
    cost: dict[str, float] = json.loads(costs.read_text("utf-8")) if costs and costs.is_file() else {}
    if told and told.is_file():
        return msgspec.msgpack.decode(told.read_bytes(), type=Transcript), cost
    samples = sound.samples(recording.index(path))
    length = max(len(samples) / sound.RATE, 1e-9)
    recogniser = WhisperRecogniser(registry.locate_recogniser(asr))
    began = time.process_time()
    if words and words.is_file():
        listened = msgspec.msgpack.decode(words.read_bytes(), type=Listened)
    else:
        cost["load"] = round(_load(), 1)
        listened = listen(samples, sound.RATE, recogniser=recogniser)
        cost["words"] = (time.process_time() - began) / length
        _store(words, msgspec.msgpack.encode(listened))
    began = time.process_time()
    transcript = told_apart(
        samples,
        listened.transcript,
        embedder=CamPlusVoices(registry.locate("campplus")),
        segmenter=PyanNet(registry.locate("segmentation")),
    )
    cost["voices"] = (time.process_time() - began) / length
    cost["peak_mb"] = _peak_mb()
    _store(told, msgspec.msgpack.encode(transcript))
    _store(costs, json.dumps(cost).encode())
    return transcript, cost


def _store(path: Path | None, content: bytes) -> None:
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _load() -> float:
    """Runnable processes over the last minute; 0 where the system does not tell."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def _peak_mb() -> float:
    """Peak memory of this process in MB; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0.0
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def total(measured: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Counts of all recordings added up; word error rate weighted by words, cost by seconds."""
    from mafiavar.analyzer.speech.measure import CALIBRATION_STEPS

    kinds: dict[str, dict[str, Any]] = {}
    speakers: dict[str, list[int]] = {}
    steps: dict[float, list[float]] = {}
    over = {"found": [0, 0], "seat": [0, 0]}
    parts = list(measured.values())
    for one in parts:
        for kind, row in one["kinds"].items():
            sums = kinds.setdefault(kind, {"truth": 0, "found": 0, "matched": 0, "end_errors": []})
            for key, value in row.items():
                sums[key] = sums[key] + value
        for length, (right, of) in one["speakers"].items():
            before = speakers.get(length, [0, 0])
            speakers[length] = [before[0] + right, before[1] + of]
        for name, sums2 in over.items():
            sums2[:] = [a + b for a, b in zip(sums2, one["interjections"][name], strict=True)]
        for p, right, of in one["calibration"]:
            sums3 = steps.setdefault(next(s for s in CALIBRATION_STEPS if p < s), [0.0, 0, 0])
            sums3[:] = [sums3[0] + p * of, sums3[1] + right, sums3[2] + of]
    seconds = sum(p["seconds"] for p in parts)
    false = sum(p["interjections"]["false"] for p in parts)
    return {
        "kinds": kinds,
        "speakers": speakers,
        "interjections": {
            **over,
            "false": false,
            "false_per_ten_minutes": round(600 * false / max(seconds, 1e-9), 2),
        },
        "calibration": [[round(p / of, 3), right, of] for _, (p, right, of) in sorted(steps.items())],
        "words": sum(p["words"] for p in parts),
        "wer": round(_weighted(parts, "wer", "words"), 3),
        "seconds": round(seconds, 1),
        "cpu_per_second": round(_weighted(parts, "cpu_per_second", "seconds"), 3),
        "peak_mb": max((p["peak_mb"] for p in parts), default=0),
    }


def _weighted(parts: Sequence[Mapping[str, Any]], value: str, weight: str) -> float:
    whole = sum(float(p[weight]) for p in parts)
    return sum(float(p[value]) * float(p[weight]) for p in parts) / whole if whole else 0.0


def show(report: Mapping[str, Any]) -> None:
    """Tables for people."""
    from statistics import median

    from mafiavar.analyzer.speech.measure import Score, Share

    console = Console()
    for name, part in {**report["recordings"], say("всё", "all"): report["total"]}.items():
        table = Table(
            "",
            *say("есть услышано верно P R F1 конец,с", "truth heard right P R F1 end,s").split(),
            title=name,
        )
        sums = Score(0, 0, 0, ())
        for kind, row in part["kinds"].items():
            score = Score(row["truth"], row["found"], row["matched"], tuple(row["end_errors"]))
            sums += score
            table.add_row(kind, *_cells(score, median(row["end_errors"]) if row["end_errors"] else None))
        table.add_row(say("вместе", "together"), *_cells(sums, None))
        console.print(table)
        for length, (right, of) in part["speakers"].items():
            if of:
                low, high = Share(right, of).interval
                console.print(
                    say("голос верно", "right speaker"),
                    length,
                    f"{right}/{of} = {right / of:.3f} [{low}, {high}]",
                )
        if "cpu_per_second" in part:
            console.print(
                {k: part[k] for k in ("interjections", "calibration", "wer", "cpu_per_second", "peak_mb")}
            )


def _cells(score: Any, end: float | None) -> list[str]:
    counts = [str(score.truth), str(score.found), str(score.matched)]
    rates = [f"{x:.2f}" for x in (score.precision, score.recall, score.f1)]
    return [*counts, *rates, "" if end is None else f"{end:.2f}"]
