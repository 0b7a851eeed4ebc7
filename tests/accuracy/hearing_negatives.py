"""What is heard where nothing is commanded: an hour of music, silence, noise, a murmuring hall and talk.

    python tests/accuracy/hearing_negatives.py GAMES [--part NAME] [--keep FOLDER] [--json]

GAMES: a folder of written games' recordings with their truth (tests/accuracy/hearing_games.py). Talk are
the players' own sentences in them that make no event, laid one after the other; a murmuring hall is that
talk laid over itself at random, forwards. Recordings without speech of ../shared are added where they lie.
Every cue with a likelihood of at least 0.5 that comes from words is false; prints them by kind.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.media import recording, sound
from mafiavar.analyzer.speech import Listened, cues_of, listen
from mafiavar.analyzer.speech.measure import BELIEVED
from mafiavar.analyzer.speech.pieces import as_float
from mafiavar.models import registry
from mafiavar.models.speech import SAMPLE_RATE, WhisperRecogniser
from mafiavar.sample_videos.sound import room

Signal = NDArray[np.float32]
MINUTES = {"music": 25, "silence": 10, "noise": 10, "hall": 5, "talk": 10}
SHARED = Path(__file__).parents[3] / "shared" / "media" / "real_speech"
NOT_SPEECH = ("negative_sample.wav", "noise.wav")
SILENT_EVENTS = frozenset({"vote_cast", "lift_cast", "shot", "check"})
HINTS = frozenset({CueKind.HINT, CueKind.ADDRESS_TO_JUDGE})
"""Said by players of their own accord: no commands, and in talk mostly true."""


def sentences(games: Path) -> Iterator[Signal]:
    """Players' sentences that make no event, with 0.4 s of their hall behind each."""
    for path in sorted(games.glob("*.ogg")):
        truth = json.loads(path.with_name(path.stem + ".truth.json").read_text("utf-8"))
        samples = sound.samples(recording.index(path))
        events = [e for e in truth["events"] if e["kind"] not in SILENT_EVENTS]
        flagged = [*truth["flags"], *truth["music"]]
        for line in truth["speech"]:
            lone = not any(
                o is not line and o["t0"] < line["t1"] + 0.4 and o["t1"] > line["t0"] for o in truth["speech"]
            )
            means = any(e["t0"] < line["t1"] and e["t1"] > line["t0"] for e in (*events, *flagged))
            if lone and not means and line["speaker"] != "judge":
                a, b = (round(t * SAMPLE_RATE) for t in (line["t0"] - 0.1, line["t1"] + 0.3))
                yield as_float(samples[max(a, 0) : b])


def talk(games: Path, n: int, dice: np.random.Generator) -> Signal:
    """The sentences in a row, from the beginning again when they run out."""
    said = list(sentences(games))
    if not said:
        raise SystemExit(f"no sentences in {games}")
    order = [i for _ in range(n // sum(map(len, said)) + 1) for i in dice.permutation(len(said))]
    return np.concatenate([said[i] for i in order])[:n]


def hall(games: Path, n: int, dice: np.random.Generator) -> Signal:
    """Six strands of talk at once, now near, now far."""
    strands = [talk(games, n, dice) * dice.uniform(0.3, 1.0) for _ in range(6)]
    out = sum(np.roll(s, int(dice.integers(n))) for s in strands)
    return room.scaled(np.asarray(out, np.float32), -34.0)


def noise(n: int, dice: np.random.Generator) -> Signal:
    """Ventilation with cups and chairs, and the recordings without speech, again and again."""
    out = room.scaled(room.hiss(dice, n), -40.0) + room.scaled(room.clatter(dice, n), -38.0)
    for name in NOT_SPEECH:
        if (SHARED / name).is_file():
            some = as_float(sound.samples(recording.index(SHARED / name)))
            for at in dice.integers(0, max(1, n - len(some)), 6):
                out[at : at + len(some)] = some
    return out


def made(part: str, games: Path) -> Signal:
    """One part of the hour, always the same."""
    n = MINUTES[part] * 60 * SAMPLE_RATE
    dice = np.random.default_rng(list(MINUTES).index(part))
    makers: Mapping[str, Callable[[], Signal]] = {
        "music": lambda: room.scaled(room.music(dice, n), -20.0) + room.scaled(room.hiss(dice, n), -50.0),
        "silence": lambda: np.zeros(n, np.float32),
        "noise": lambda: noise(n, dice),
        "hall": lambda: hall(games, n, dice),
        "talk": lambda: talk(games, n, dice),
    }
    return makers[part]()


def false_cues(part: str, games: Path, keep: Path | None) -> list[Cue]:
    kept = keep / f"{part}.words.msgpack" if keep else None
    if kept and kept.is_file():
        listened = msgspec.msgpack.decode(kept.read_bytes(), type=Listened)
    else:
        recogniser = WhisperRecogniser(registry.locate_recogniser("base"))
        listened = listen(made(part, games), SAMPLE_RATE, recogniser=recogniser)
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(msgspec.msgpack.encode(listened))
    return [c for c in cues_of(listened.transcript) if c.about != "sound" and c.likelihood >= BELIEVED]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path)
    parser.add_argument("--part", choices=MINUTES, action="append")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    report: dict[str, Any] = {}
    for part in told.part or MINUTES:
        cues = false_cues(part, told.games, told.keep)
        commands = Counter(c.kind.value for c in cues if c.kind not in HINTS)
        report[part] = {"minutes": MINUTES[part], "commands": dict(commands)}
        report[part]["hints"] = sum(c.kind in HINTS for c in cues)
        for cue in cues if not told.json else ():
            at = cue.span.t0 / 1e6
            sys.stdout.write(f"{part} {at:7.1f} {cue.kind.value} {cue.likelihood:.2f} {cue.text!r}\n")
    minutes = sum(r["minutes"] for r in report.values())
    commands = sum(sum(r["commands"].values()) for r in report.values())
    report["all"] = {"minutes": minutes, "commands": commands, "per_hour": round(60 * commands / minutes, 1)}
    sys.stdout.write(json.dumps(report, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
