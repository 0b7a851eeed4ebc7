"""Train the net that sees one neighbour touch the other, and measure it on casts it has not seen.

    python -m mafiavar.models.heads.train_reach --fit reach_94*.npz --hold reach_944*.npz [--epochs 26]

Data: `tests/accuracy/reach_stills.py`, one file a cast. Every pair is shown twice, each of the two once as the
one who may reach over, who then sits on the left. Without `--fit` what is shipped is measured.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.changed import REACH, SIDE, reach_input
from mafiavar.models.heads.fit_net import Recipe, fit_net
from mafiavar.models.heads.net import Floats, Net
from mafiavar.models.heads.train_changed import altered, read

SHIFT, ZOOM, APART = 0.06, (0.92, 1.1), 0.03
COPIES = 3
ASIDE = 0.6
"""Pairs that stand more behind than beside each other in the picture are left out."""
RECIPE = Recipe(epochs=26, widths=(16, 40, 56))
Rows = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """n x copies x SIDE x SIDE x 7 and n x classes; `row`: of the data."""

    x: npt.NDArray[np.float16]
    y: Floats
    row: npt.NDArray[np.int64]

    def batch(self, which: npt.NDArray[np.integer], g: np.random.Generator) -> Floats:
        copy = g.integers(0, self.x.shape[1], len(which))
        return np.asarray(self.x[which, copy], np.float32)


def examples(d: Rows, copies: int, g: np.random.Generator | None) -> Examples:
    """`g`: altered at random, and where both touch each other left out; None: as they are."""
    x, y, rows = [], [], []
    for i in range(len(d["now"])):
        way = float(d["along"][i][0])
        if abs(way) < ASIDE or (g is not None and d["what"][i] == "both"):
            continue
        for second in (False, True):
            mirrored = (way < 0) != second
            x.append([_shown(d["now"][i], d["usual"][i], mirrored, g) for _ in range(copies)])
            y.append(_target(str(d["what"][i]), "second" if second else "first"))
            rows.append(i)
    return Examples(np.array(x, np.float16), np.array(y, np.float32), np.array(rows))


def _target(what: str, who: str) -> list[float]:
    if what == "both":
        return [0.5, 0.5, 0.0]
    does = what.removeprefix(f"{who} ") if what.startswith(who) else REACH[0]
    return [float(c == does) for c in REACH]


def _shown(
    now: npt.NDArray[np.uint8], usual: npt.NDArray[np.uint8], mirrored: bool, g: np.random.Generator | None
) -> npt.NDArray[np.float16]:
    if g is None:
        edge = (len(now) - SIDE) // 2
        now, usual = (a[edge : edge + SIDE, edge : edge + SIDE] for a in (now, usual))
    else:
        shift, zoom = g.uniform(-SHIFT, SHIFT, 2), float(g.uniform(*ZOOM))
        now = altered(now, shift, zoom, g)
        usual = altered(usual, shift + g.uniform(-APART, APART, 2), zoom, g)
    if mirrored:
        now, usual = now[:, ::-1], usual[:, ::-1]
    return reach_input(now, usual).astype(np.float16)


def reach_net(files: Sequence[Path], recipe: Recipe) -> Net:
    shown = examples(read(files), COPIES, np.random.default_rng(5))
    return fit_net("reach", shown, shown.y, REACH, np.ones(len(shown.y)), recipe)


def report(net: Net, files: Sequence[Path]) -> None:
    d = read(files)
    shown = examples(d, 1, None)
    p, does = net.probabilities(shown.x[:, 0].astype(np.float32)), shown.y
    night = d["night"][shown.row]
    for name, some in (("all", night >= 0), ("night", night), ("day", ~night)):
        for k, what in ((1, "touches"), (2, "leans")):
            line = (
                f"  {name:6} {what}: n {int(some.sum())}, of them so {int((some & (does[:, k] > 0)).sum())}"
            )
            for least in (0.5, 0.7, 0.8, 0.9, 0.95):
                told = some & (p[:, k] >= least)
                line += f" | {least}: told {int(told.sum())} right {int((told & (does[:, k] > 0)).sum())}"
            sys.stdout.write(line + "\n")
    false = (p[:, 1] >= 0.9) & (does[:, 1] == 0)
    sys.stdout.write(f"  called a touch from .9 on: leaning {int((false & (does[:, 2] > 0)).sum())}, ")
    sys.stdout.write(f"something else {int((false & (does[:, 0] == 1)).sum())}\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fit", type=Path, nargs="*", default=[])
    parser.add_argument("--hold", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("weights"))
    parser.add_argument("--epochs", type=int, default=RECIPE.epochs)
    a = parser.parse_args()
    if a.fit:
        net = reach_net(a.fit, Recipe(epochs=a.epochs, widths=RECIPE.widths))
        (a.out / "reach.json").write_text(net.to_json(), "utf-8")
    if a.hold:
        report(Net.load("reach", a.out), a.hold)


if __name__ == "__main__":
    main()
