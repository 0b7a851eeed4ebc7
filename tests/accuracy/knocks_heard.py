"""How well knocks on the table are heard inside and outside speech: renders sound, listens, counts.

    python tests/accuracy/knocks_heard.py FOLDER --first 60200 --games 4 [--more REC...] [--fit]

A written game (seed mod 4 tells the noise as in hearing_games.py; clatter of cups and chairs in every
second one) with thirty knocks of every strength (-14 to +2 dB) added at places that the seed chooses, seven
of ten into somebody's speech. A knock counts as heard within 60 ms. `--more`: recordings with
NAME.truth.json in which nobody knocks, or without any truth: everything heard there is false.
`--fit` prints the weights of `analyzer/speech/knocks.py` instead (made with 60200-60203 and, as `--more`, g4870,
g4875 and the recorded people; 60204 and later, and g610180, are for proof).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from mafiavar.analyzer.evaluation.aggregate import wilson
from mafiavar.analyzer.media import recording as media
from mafiavar.analyzer.media import sound
from mafiavar.analyzer.span import SECOND
from mafiavar.analyzer.speech.knocks import MEASURES, blows, knocks
from mafiavar.sample_videos.composer import at
from mafiavar.sample_videos.render import render_sound
from mafiavar.sample_videos.script import Act, Script
from mafiavar.sample_videos.writer.game import Wishes, write_game

LEVELS = ((40.0, False), (20.0, False), (15.0, True), (10.0, False))
RULESETS = ("fsm-2026", "disbord", "legion")
KNOCKS, INSIDE = 30, 0.7
NEAR = 60_000


@dataclass(frozen=True, slots=True)
class Heard:
    """One recording: true knocks (second, strength in dB, inside speech), those found, false ones, seconds."""

    true: tuple[tuple[float, float, bool], ...]
    hit: tuple[bool, ...]
    false: tuple[tuple[float, float], ...]
    duration: float


def with_knocks(script: Script, seed: int) -> Script:
    g = np.random.default_rng([seed, 91])
    acts: list[Act] = []
    spoken = [x for x in script.lines if x.over is None and len(x.text) > 12]
    lines = [spoken[int(i)] for i in g.choice(len(spoken), min(KNOCKS, len(spoken)), replace=False)]
    for line in lines:
        inside, db = bool(g.random() < INSIDE), float(g.uniform(-14, 2))
        after = float(g.uniform(0.1, 0.05 * len(line.text))) if inside else -0.2
        others = [s for s in range(1, 11) if s != line.speaker]
        seat = int(g.choice(others))
        start = at(line.id, "start", after)
        acts.append(Act("knock", seat, start, replace(start, plus=start.plus + 0.12), {"db": round(db, 1)}))
    return replace(script, acts=(*script.acts, *acts))


def recording(folder: Path, seed: int) -> Path:
    """The game's sound with its knocks, rendered unless it is there."""
    path = folder / f"knocks-{seed}.ogg"
    if not path.with_name(path.stem + ".truth.json").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        snr, murmur = LEVELS[seed % 4]
        script = write_game(Wishes(RULESETS[seed % 3], seed, None, True, 1, 1.0, snr))
        script = script.with_conditions({"murmur": murmur, "clatter": seed % 2 == 1}, {})
        render_sound(with_knocks(script, seed), path)
    return path


def samples_of(path: Path) -> sound.Samples:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        media.save(media.index(path), Path(folder))
        return np.array(sound.samples(media.load(Path(folder))))


def listened(path: Path) -> Heard:
    truth_file = path.with_name(path.stem + ".truth.json")
    truth = json.loads(truth_file.read_text("utf-8")) if truth_file.is_file() else {}
    heard = samples_of(path)
    found = [(s.span.t0, s.likelihood) for s in knocks(heard)]
    speech = [(x["t0"], x["t1"]) for x in truth.get("speech", ())]
    true = tuple(
        (k["t0"], float(k.get("db", 0.0)), any(a <= k["t0"] < b for a, b in speech))
        for k in truth.get("knocks") or ()
    )
    hit = tuple(any(abs(t - k[0] * SECOND) <= NEAR for t, _ in found) for k in true)
    false = tuple((t / SECOND, p) for t, p in found if not any(abs(t - k[0] * SECOND) <= NEAR for k in true))
    return Heard(true, hit, false, len(heard) / sound.RATE)


def fitted(paths: Sequence[Path]) -> None:
    """Logistic weights over the measures, with a little ridge."""
    xs: list[npt.NDArray[np.float64]] = []
    ys: list[npt.NDArray[np.float64]] = []
    for path in paths:
        truth_file = path.with_name(path.stem + ".truth.json")
        truth = json.loads(truth_file.read_text("utf-8")) if truth_file.is_file() else {}
        found = blows(samples_of(path))
        true = np.array([k["t0"] for k in truth.get("knocks") or ()] or [-9.0])
        xs.append(found.measures)
        ys.append((np.abs(found.times[:, None] - true[None]).min(axis=1) <= NEAR / SECOND).astype(float))
    y = np.concatenate(ys)
    x = np.c_[np.concatenate(xs), np.ones(len(y))]

    def loss(w: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        p = 1 / (1 + np.exp(-(x @ w)))
        ridge = 0.5 * np.r_[w[:-1], 0.0]
        value = -(y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12)).sum() + 0.5 * (ridge @ w)
        return float(value), x.T @ (p - y) + ridge

    w = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B").x
    print(f"{int(y.sum())} knocks of {len(y)} moments")
    print({n: round(float(v), 2) for n, v in zip((*MEASURES, "bias"), w, strict=True)})


def show(name: str, many: Sequence[Heard]) -> None:
    print(name)
    for title, low, high in (("strong", -6.0, 9.0), ("weak", -99.0, -6.0)):
        for inside in (True, False):
            hits = [
                h for x in many for (_, db, i), h in zip(x.true, x.hit, strict=True) if i == inside and low <= db < high
            ]  # fmt: skip
            if hits:
                a, b = wilson(sum(hits), len(hits)) or (0.0, 1.0)
                where = "inside speech" if inside else "outside"
                print(
                    f"  {title} {where}: {sum(hits)}/{len(hits)} = {sum(hits) / len(hits):.2f} [{a:.2f}, {b:.2f}]"
                )
    minutes = sum(x.duration for x in many) / 60
    false = sum(len(x.false) for x in many)
    sure = sum(p >= 0.4 for x in many for _, p in x.false)
    print(f"  false {false} ({sure} sure) in {minutes:.1f} minutes: {10 * false / minutes:.2f} in ten")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=60200)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--more", type=Path, nargs="*", default=[])
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    paths = [recording(given.folder, given.first + k) for k in range(given.games)]
    if given.fit:
        fitted([*paths, *given.more])
        return
    games = [listened(p) for p in paths]
    if games:
        show(f"{given.games} written games from {given.first} on", games)
    for path in given.more:
        show(path.name, [listened(path)])


if __name__ == "__main__":
    main()
