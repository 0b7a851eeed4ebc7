"""Train the nets that see what somebody does otherwise than usually, and measure them on casts they have not seen.

    python -m mafiavar.models.heads.train_doing --fit doing_95*.npz --hold doing_954*.npz [--only gesture] [--epochs 24]

Data: `tests/accuracy/doing_stills.py`, one file a cast. `risen`: who stands up, or has left;
`held`: a hand at the mask at night. Without `--fit` what is shipped is measured. `gesture` (a hand in the air in a vote)
was tried and is not shipped: only `--only gesture --out FOLDER` fits it (models/heads/card.md).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.changed import HELD, RISEN, SIDE, held_input, reach_input
from mafiavar.models.heads.fit_net import Recipe, fit_net
from mafiavar.models.heads.net import Floats, Net
from mafiavar.models.heads.train_changed import altered

SHIFT, ZOOM, APART = 0.07, (0.9, 1.1), 0.03
COPIES = 3
Crops = npt.NDArray[np.uint8]
GESTURE, ACTING_SIDE = ("else", "gesture"), 64
BACK = -0.7
"""Inward direction up the picture from which only the back is seen: whether a mask is held is not learnt there."""
MARGIN = 0.16


@dataclass(frozen=True, slots=True)
class Task:
    """What a net is shown and says. `says`: word of the data -> class; other words are left out."""

    name: str
    classes: tuple[str, ...]
    part: str
    crop: str
    side: int
    says: dict[str, int]
    widths: tuple[int, ...]
    input: Callable[[Crops, Crops], Floats] = reach_input
    shipped: bool = True


TASKS = (
    Task(
        "gesture", GESTURE, "day", "acting", ACTING_SIDE,
        {"else": 0, "votes": 0, "stands": 0, "gone": 0, "gesture": 1}, (16, 40, 48),
        partial(reach_input, side=ACTING_SIDE), shipped=False,
    ),
    Task(
        "risen", RISEN, "day", "rising", SIDE,
        {"else": 0, "votes": 0, "gesture": 0, "unclear": 0, "stands": 1, "gone": 2}, (12, 32, 40),
    ),
    Task("held", HELD, "night", "head", SIDE, {"else": 0, "holds": 1}, (12, 32, 48), held_input),
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    now: Crops
    usual: Crops
    says: npt.NDArray[np.int64]
    what: npt.NDArray[Any]


def rows_of(task: Task, files: Sequence[Path]) -> Rows:
    loaded = [np.load(p) for p in files]
    parts = [p for p in loaded if len(p[f"{task.part}_what"])]

    def of(name: str) -> npt.NDArray[Any]:
        return np.concatenate([p[f"{task.part}_{name}"] for p in parts])

    what = of("what").astype(str)
    kept = np.isin(what, list(task.says))
    if task.part == "night":
        kept &= of("facing") > BACK
    says = np.array([task.says[w] for w in what[kept]], np.int64)
    return Rows(of(task.crop)[kept], of(f"{task.crop}0")[kept], says, what[kept])


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Altered pictures: n x copies x side x side x 7."""

    x: npt.NDArray[np.float16]

    @classmethod
    def of(cls, rows: Rows, task: Task, g: np.random.Generator) -> Pool:
        out = []
        for a, b in zip(rows.now, rows.usual, strict=True):
            mine = []
            for _ in range(COPIES):
                shift, zoom = g.uniform(-SHIFT, SHIFT, 2), float(g.uniform(*ZOOM))
                now = altered(a, shift, zoom, g, task.side)
                usual = altered(b, shift + g.uniform(-APART, APART, 2), zoom, g, task.side)
                if g.random() < 0.5:
                    now, usual = now[:, ::-1], usual[:, ::-1]
                mine.append(task.input(now, usual).astype(np.float16))
            out.append(mine)
        return cls(np.array(out, np.float16))

    def batch(self, which: npt.NDArray[np.integer], g: np.random.Generator) -> Floats:
        return np.asarray(self.x[which, g.integers(0, self.x.shape[1], len(which))], np.float32)


def fitted(task: Task, files: Sequence[Path], epochs: int) -> Net:
    rows = rows_of(task, files)
    pool = Pool.of(rows, task, np.random.default_rng(31))
    targets = np.eye(len(task.classes))[rows.says]
    recipe = Recipe(epochs=epochs, widths=task.widths)
    return fit_net(task.name, pool, targets, task.classes, np.ones(len(targets)), recipe)


def inner(crop: Crops) -> Crops:
    """The crop without its margin, as the program cuts it."""
    edge = round(len(crop) * MARGIN / (1 + 2 * MARGIN))
    return crop[edge : len(crop) - edge, edge : len(crop) - edge]


def report(task: Task, net: Net, files: Sequence[Path]) -> None:
    rows = rows_of(task, files)
    x = [task.input(inner(a), inner(b)) for a, b in zip(rows.now, rows.usual, strict=True)]
    p = net.probabilities(np.stack(x))
    for k, name in enumerate(task.classes[1:], 1):
        line = f"  {name}: n {len(rows.says)}, of them so {int((rows.says == k).sum())}"
        for least in (0.5, 0.7, 0.8, 0.9, 0.95, 0.98):
            told = p[:, k] >= least
            line += f" | {least}: told {int(told.sum())} right {int((told & (rows.says == k)).sum())}"
        wrong = rows.what[(p[:, k] >= 0.9) & (rows.says != k)]
        sys.stdout.write(f"{line} | wrong from .9 on: {', '.join(sorted(wrong)) or 'none'}\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fit", type=Path, nargs="*", default=[])
    parser.add_argument("--hold", type=Path, nargs="*", default=[])
    parser.add_argument("--only", choices=[t.name for t in TASKS])
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("weights"))
    parser.add_argument("--epochs", type=int, default=24)
    a = parser.parse_args()
    for task in (t for t in TASKS if t.name == a.only or (a.only is None and t.shipped)):
        if a.fit:
            (a.out / f"{task.name}.json").write_text(fitted(task, a.fit, a.epochs).to_json(), "utf-8")
        if a.hold:
            report(task, Net.load(task.name, a.out), a.hold)


if __name__ == "__main__":
    main()
