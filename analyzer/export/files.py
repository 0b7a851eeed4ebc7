"""Exports that are not text: the report as PDF or HTML, the protocol as tables, the recording with chapters."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import av

from mafiavar.analyzer.errors import MediaError, UsageError
from mafiavar.analyzer.export.formats import label
from mafiavar.analyzer.export.protocol import protocol_of_timeline
from mafiavar.analyzer.media.worker import in_worker
from mafiavar.analyzer.protocol import read_protocol
from mafiavar.analyzer.protocol.write import Format, write_protocol
from mafiavar.engine.clauses import clause, exists

CHAPTERS = (
    "day_began",
    "floor_given",
    "vote_opened",
    "lift_called",
    "night_began",
    "night_result",
    "game_ended",
)
"""Events that begin a chapter."""
_LIMIT = 1800.0
_MILLI = Fraction(1, 1000)


def values_of(folder: Path) -> dict[str, Any]:
    """case, timeline, votes, flags, transcript of a case folder; UsageError when it holds no case."""
    out: dict[str, Any] = {}
    for name in ("case", "timeline", "votes", "flags", "transcript"):
        path = folder / f"{name}.json"
        try:
            out[name] = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            raise UsageError(
                f"В {folder} нет разобранного дела: нет файла {path.name}.",
                f"{folder} holds no analysed case: {path.name} is missing.",
            ) from None
        except (OSError, ValueError) as error:
            raise UsageError(
                f"Файл {path} не читается: {error}.", f"{path} cannot be read: {error}."
            ) from None
    return out


def report_pdf(folder: Path, out: Path, lang: str) -> None:
    from mafiavar.analyzer.report.pdf import render_pdf

    out.write_bytes(render_pdf(_report_input(folder), lang))


def report_html(folder: Path, out: Path, lang: str) -> None:
    from mafiavar.analyzer.report.report import render

    out.write_text(render(_report_input(folder, picture=lang), lang), "utf-8")


def _report_input(folder: Path, picture: str = "") -> Any:
    from mafiavar.analyzer.align.picture import svg
    from mafiavar.analyzer.report.report import ReportInput

    v = values_of(folder)
    cited = sorted({f["clause"] for f in v["flags"]["flags"] if f["clause"]})
    return ReportInput(
        case=v["case"], timeline=v["timeline"], votes=v["votes"], flags=v["flags"], transcript=v["transcript"],
        folder=folder, clauses={c: clause(c).text if exists(c) else "" for c in cited},
        picture=svg(v["timeline"], v["votes"], v["flags"], lang=picture) if picture else "",
    )  # fmt: skip


def protocol_table(form: Format) -> Callable[[Path, Path, str], None]:
    """The protocol that the recording tells, as a table (csv, xlsx)."""

    def write(folder: Path, out: Path, _lang: str) -> None:
        plain = out.with_name(f"{out.name}.protocol.json")
        values = values_of(folder)
        plain.write_text(json.dumps(protocol_of_timeline(values["timeline"], values["votes"])), "utf-8")
        try:
            write_protocol(read_protocol(plain).record, out, form)
        finally:
            plain.unlink()

    return write


def chaptered(folder: Path, out: Path, lang: str) -> None:
    """The first recording as mp4 with the game's phases as chapters; its own bytes, nothing encoded.

    Raises MediaError when the recording is gone or its tracks do not fit into an mp4.
    """
    v = values_of(folder)
    source = (v["case"].get("sources") or [{}])[0]
    path = Path(str(source.get("path", "")))
    if not path.is_file():
        name = str(source.get("file", path))
        raise MediaError(
            f"Записи {name} нет на месте: верните её туда, где она разбиралась ({path}).",
            f"The recording {name} is gone: put it back where it was analysed ({path}).",
        )
    marks = chapters_of(v["timeline"], float(source.get("offset") or 0.0), lang)
    in_worker(_remux, path, out, marks, limit_seconds=_LIMIT)


def chapters_of(timeline: Mapping[str, Any], offset: float, lang: str) -> list[tuple[float, str]]:
    """(second of the recording, title) of every chapter; what lies before the recording is left out."""
    out: list[tuple[float, str]] = []
    for e in timeline["events"]:
        t = float(e["t0"]) - offset
        if e["kind"] in CHAPTERS and t >= 0 and (not out or t - out[-1][0] >= 1.0):
            out.append((round(t, 3), label(e, lang)))
    return out


def _remux(path: Path, out: Path, marks: list[tuple[float, str]]) -> None:
    part = out.with_name(f"{out.name}.part.mp4")
    try:
        with (
            av.open(str(path), metadata_errors="ignore") as source,
            av.open(str(part), "w", format="mp4", options={"movflags": "+faststart"}) as sink,
        ):
            tracks = [s for s in source.streams if s.type in ("video", "audio")]
            into = {s.index: sink.add_stream_from_template(s) for s in tracks}
            length = (source.duration or 0) / 1e6
            ends = [t for t, _ in marks[1:]] + [max(length, marks[-1][0] + 1.0)] if marks else []
            sink.set_chapters(
                [
                    {
                        "id": i, "start": round(t * 1000), "end": round(end * 1000), "time_base": _MILLI,
                        "metadata": {"title": title},
                    }
                    for i, ((t, title), end) in enumerate(zip(marks, ends, strict=True))
                ]
            )  # fmt: skip
            for packet in source.demux(tracks):
                if packet.dts is not None:
                    packet.stream = into[packet.stream.index]
                    sink.mux(packet)
    except (av.error.FFmpegError, ValueError) as error:
        part.unlink(missing_ok=True)
        raise MediaError(
            f"Запись {path.name} не переносится в mp4 без перекодирования ({error}). Главы есть в экспорте vtt.",
            f"{path.name} does not fit into an mp4 as it is ({error}). The vtt export has the same chapters.",
        ) from error
    part.replace(out)


FILES: Mapping[str, Callable[[Path, Path, str], None]] = {
    "pdf": report_pdf,
    "html": report_html,
    "csv": protocol_table("csv"),
    "xlsx": protocol_table("xlsx"),
    "chapters": chaptered,
}
"""Format -> writer(case folder, file to write, language)."""
