"""`mafiavar bench pipeline`: what each stage costs, beside the naive way on the same clip in the same run."""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from mafiavar.ui.cli.demo import sample
from mafiavar.ui.cli.machine import probe
from mafiavar.ui.language import decimal, language, say


@dataclass(frozen=True, slots=True)
class Row:
    """CPU-seconds per second of the recording; `naive` is None where the naive way has no such stage."""

    stage: str
    cpu: float
    naive: float | None


def rows_of(costs: Mapping[str, float], naive: Mapping[str, float]) -> list[Row]:
    """Stages in the order they ran, what only the naive way does, and the sum of both."""
    names = [*costs, *(n for n in naive if n not in costs)]
    rows = [Row(n, costs.get(n, 0.0), naive.get(n)) for n in names]
    return [*rows, Row("total", sum(costs.values()), sum(naive.values()) if naive else None)]


def register(bench: typer.Typer) -> None:
    @bench.command(
        help=say(
            "сколько стоит каждый этап рядом с наивным способом",
            "what each stage costs, beside the naive way",
        )
    )
    def pipeline(
        recording: Path = typer.Argument(
            None,
            metavar=say("ЗАПИСЬ", "REC"),
            help=say("запись (без неё образец)", "recording (the sample without it)"),
        ),
        naive_seconds: float = typer.Option(
            2.0,
            "--naive-seconds",
            min=0.0,
            help=say(
                "на скольких секундах мерить наивный взгляд (0: не мерить)",
                "measure the naive look on so many seconds (0: do not)",
            ),
        ),
        as_json: bool = typer.Option(False, "--json", help=say("вывод в JSON", "print JSON")),
    ) -> None:
        from mafiavar.analyzer.pipeline.options import Options
        from mafiavar.analyzer.pipeline.run import analyze
        from mafiavar.ui.cli.progress import progress_for

        path = (recording or sample()).resolve()
        before = probe()[0]
        with (
            tempfile.TemporaryDirectory(prefix="mafiavar-bench-") as folder,
            progress_for(quiet=as_json) as progress,
        ):
            summary, *_ = analyze([path], Path(folder) / "case", Options(lang=language()), progress)
        # Before and after: what else the machine does changes the price of a CPU-second.
        speeds = [speed for speed in (before, probe()[0]) if speed is not None]
        length = summary.duration
        costs: dict[str, float] = {}
        for run in summary.costs:
            costs[run.name] = costs.get(run.name, 0.0) + run.cpu / length
        naive = measure_naive(path, naive_seconds) if naive_seconds else {}
        rows = rows_of(costs, naive)
        if as_json:
            found = {
                "recording": path.name,
                "duration": length,
                "probe_ms": statistics.fmean(speeds) if speeds else None,
                "rows": [asdict(r) for r in rows],
            }
            typer.echo(json.dumps(found))
        else:
            show(path, length, rows)


def measure_naive(path: Path, length: float) -> dict[str, float]:
    """CPU-seconds per recording second of the naive look (where there are a picture and seats) and ear."""
    from mafiavar.analyzer.evaluation.naive import decode_and_look, listen
    from mafiavar.analyzer.media.recording import index
    from mafiavar.analyzer.seats import find_seats_file, read_seats
    from mafiavar.analyzer.span import SECOND, seconds
    from mafiavar.models.registry import locate, locate_recogniser

    recording = index(path)
    found = {}
    seats_file = find_seats_file(path)
    if recording.video is not None and seats_file is not None:
        seats = read_seats(seats_file, path.name)
        seen = decode_and_look(recording, seats, locate("hand-landmarker"), round(length * SECOND))
        found["hands"] = seen.cpu / seen.measured
    if recording.audio:
        heard = listen(path, locate_recogniser(), seconds(recording.duration))
        found["speech"] = heard.cpu / heard.measured
    return found


def show(path: Path, length: float, rows: Sequence[Row]) -> None:
    table = Table(
        title=say(
            f"{path.name}, {decimal(length)} с: CPU-секунд на секунду записи",
            f"{path.name}, {length:.1f} s: CPU-seconds per second of recording",
        ),
        title_justify="left",
    )
    table.add_column(say("этап", "stage"))
    for name in ("mafiavar", say("наивно", "naive"), say("во сколько раз", "ratio")):
        table.add_column(name, justify="right")
    for row in rows:
        ratio = decimal(row.naive / row.cpu) if row.naive is not None and row.cpu > 0 else ""
        naive = "" if row.naive is None else decimal(row.naive, 3)
        table.add_row(
            row.stage, decimal(row.cpu, 3), naive, ratio, style="bold" if row.stage == "total" else ""
        )
    Console(highlight=False).print(table)
