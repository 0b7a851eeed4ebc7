"""`mafiavar bench hearing`: how well recordings with a truth file are heard, kind by kind."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
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
        under: bool = typer.Option(
            False,
            "--under",
            help=say(
                "расслышать и то, что судья говорит под чужую речь",
                "hear also what the judge says into speeches",
            ),
        ),
        as_json: bool = typer.Option(False, "--json", help=say("вывод в JSON", "print JSON")),
    ) -> None:
        measured = {path.name: measure(path, asr, keep, perfect, under) for path in recordings}
        report = {"recordings": measured, "total": total(measured)}
        if as_json:
            sys.stdout.write(json.dumps(report, ensure_ascii=False, indent=1) + "\n")
        else:
            show(report)


def measure(path: Path, asr: str, keep: Path | None, perfect: bool, under: bool = False) -> dict[str, Any]:
    """One recording: counts per kind, speakers, interjections, calibration, cost."""
    from mafiavar.analyzer.speech import cues_of
    from mafiavar.analyzer.speech import measure as m

    truth = _truth(path)
    transcript, cost, peak = (_written(truth), 0.0, 0.0) if perfect else _heard(path, asr, keep, under)
    began = time.process_time()
    cues = cues_of(transcript)
    cost += (time.process_time() - began) / float(truth["duration"])
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
        "wer": round(m.word_error_rate(transcript, truth), 3),
        "cpu_per_second": round(cost, 3),
        "peak_mb": round(peak),
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


def _heard(path: Path, asr: str, keep: Path | None, under: bool = False) -> tuple[Transcript, float, float]:
    """The transcript, CPU-seconds per second, peak memory in MB (both 0 when it was kept)."""
    from mafiavar.analyzer.media import recording, sound
    from mafiavar.analyzer.speech import hear
    from mafiavar.models import registry
    from mafiavar.models.speech import WhisperRecogniser
    from mafiavar.models.voices import CamPlusVoices

    kept = keep / f"{path.stem}.{asr}{'.under' if under else ''}.msgpack" if keep else None
    if kept and kept.is_file():
        return msgspec.msgpack.decode(kept.read_bytes(), type=Transcript), 0.0, 0.0
    samples = sound.samples(recording.index(path))
    began = time.process_time()
    transcript = hear(
        samples,
        sound.RATE,
        recogniser=WhisperRecogniser(registry.locate_recogniser(asr)),
        voices=CamPlusVoices(registry.locate("campplus")),
        under=under,
    )
    cost = (time.process_time() - began) / max(len(samples) / sound.RATE, 1e-9)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(msgspec.msgpack.encode(transcript))
    return transcript, cost, _peak_mb()


def _peak_mb() -> float:
    """Peak memory of this process in MB; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0.0
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def total(measured: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Counts of all recordings added up."""
    kinds: dict[str, dict[str, Any]] = {}
    speakers: dict[str, list[int]] = {}
    for one in measured.values():
        for kind, row in one["kinds"].items():
            sums = kinds.setdefault(kind, {"truth": 0, "found": 0, "matched": 0, "end_errors": []})
            for key, value in row.items():
                sums[key] = sums[key] + value
        for length, (right, of) in one["speakers"].items():
            before = speakers.get(length, [0, 0])
            speakers[length] = [before[0] + right, before[1] + of]
    return {"kinds": kinds, "speakers": speakers}


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
