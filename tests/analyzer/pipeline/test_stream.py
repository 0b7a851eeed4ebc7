"""A day's recording becomes its games, and consecutive files one recording, through the whole program.

The sound is silence: what was said is handed to the pipeline as the voices stage would give it; everything
after that (cues, cutting, alignment, publishing) is the real thing.
"""

from __future__ import annotations

import json
import wave
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mafiavar.analyzer.evaluation.observed import Observer
from mafiavar.analyzer.pipeline import listening
from mafiavar.analyzer.pipeline.again import align_again
from mafiavar.analyzer.pipeline.options import Options, Quiet
from mafiavar.analyzer.pipeline.run import analyze
from mafiavar.analyzer.span import SECOND, Span, micros
from mafiavar.analyzer.transcript import Transcript, Utterance, Word, joined, shifted, within
from mafiavar.ui.cli.written import written

RATE = 8_000
BREAK = 400


def silence(path: Path, length: float) -> Path:
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(bytes(2 * RATE * round(length)))
    return path


@pytest.fixture(scope="module")
def games() -> list[dict[str, Any]]:
    return [written("fsm-2026", seed, condensed=True) for seed in (101, 102)]


def day(games: Sequence[dict[str, Any]]) -> tuple[Transcript, list[float], float]:
    """The words of two games with an interview between them, where each begins, and how long it lasts."""
    first, second = games
    begin = first["duration"] + BREAK
    t = first["duration"] + BREAK / 2
    words = tuple(
        Word(w, Span.of(t + i, t + i + 0.5), 0.9, {"unknown": 0.9})
        for i, w in enumerate(("Как", "вам", "сегодняшняя", "игра", "Отличная", "спасибо", "зрителям"))
    )
    talk = Transcript((Utterance(words),))
    told = [Observer(first).transcript(), talk, shifted(Observer(second).transcript(), micros(begin))]
    return joined(told), [0.0, begin], begin + second["duration"]


def hear(monkeypatch: pytest.MonkeyPatch, pieces: Sequence[Transcript]) -> None:
    left = list(pieces)
    monkeypatch.setattr(listening, "_words", lambda *_: (None, "words"))
    monkeypatch.setattr(listening, "_voices", lambda run, *_: _stage(run, left.pop(0), len(left)))


def _stage(run: Any, transcript: Transcript, number: int) -> tuple[Transcript, str]:
    key = f"{number:032x}"
    return run.value("voices", key, 0.0, Transcript, lambda: transcript), key


def timeline(case: Path) -> list[dict[str, Any]]:
    return list(json.loads((case / "timeline.json").read_text("utf-8"))["events"])


def told(events: Sequence[dict[str, Any]], kind: str) -> list[tuple[Any, ...]]:
    fields = {
        "eliminated": ("day", "seats"),
        "game_ended": ("winner",),
        "vote_announced": ("day", "target", "count"),
    }
    return [tuple(e.get(f) for f in fields[kind]) for e in events if e["kind"] == kind]


def test_a_day_becomes_a_case_a_game(
    games: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, begins, length = day(games)
    hear(monkeypatch, [words])
    case = tmp_path / "день"
    analyze([silence(tmp_path / "день.wav", length)], case, Options(), Quiet())
    assert sorted(p.name for p in case.glob("game-*")) == ["game-01", "game-02"]
    for number, (game, begin) in enumerate(zip(games, begins, strict=True), 1):
        folder = case / f"game-{number:02d}"
        events = timeline(folder)
        for kind in ("eliminated", "game_ended", "vote_announced"):
            assert told(events, kind) == told(game["events"], kind), (number, kind)
        assert begin - 1 <= events[0]["t0"] and events[-1]["t1"] <= begin + game["duration"] + 1
        said = json.loads((folder / "transcript.json").read_text("utf-8"))["words"]
        assert said and not any(w["w"] == "зрителям" for w in said)
        assert align_again(folder, [])["timeline"]["events"] == events


def test_pieces_of_a_day_that_begins_in_mid_game_are_one_recording(
    games: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first file begins on the second morning of a game; the second file in the middle of the next."""
    words, begins, length = day(games)
    morning = next(e["t0"] for e in games[0]["events"] if e["kind"] == "day_began" and e["day"] == 2) - 1
    cut = round(begins[1] + games[1]["duration"] / 2)
    first = shifted(within(words, Span(micros(morning), micros(cut))), -micros(morning))
    second = shifted(within(words, Span(micros(cut), micros(length) + SECOND)), -micros(cut))
    hear(monkeypatch, [first, second])
    files = [silence(tmp_path / "1.wav", cut - morning), silence(tmp_path / "2.wav", length - cut + 1)]
    case = tmp_path / "день"
    analyze(files, case, Options(join=True), Quiet())
    assert told(timeline(case / "game-01"), "game_ended") == told(games[0]["events"], "game_ended")
    events = timeline(case / "game-02")
    assert told(events, "eliminated") == told(games[1]["events"], "eliminated")
    assert events[0]["t0"] >= begins[1] - morning - 1
    again = align_again(case / "game-02", [])
    assert again["timeline"]["events"] == events
    assert again["flags"] == json.loads((case / "game-02" / "flags.json").read_text("utf-8"))
