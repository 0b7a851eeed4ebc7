"""Train the nets that compare a picture with the usual one, and measure them on casts they have not seen.

    python -m mafiavar.models.heads.train_changed --fit night_*.npz --hold night_*.npz [--epochs 24]

Data: `tests/accuracy/night_stills.py`, one file a cast.
Without `--fit` what is shipped is measured.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.changed import BACK_ARMS, BACK_HEAD, SIDE, compared
from mafiavar.models.heads.fit_net import Recipe, fit_net
from mafiavar.models.heads.net import Floats, Net
from mafiavar.models.heads.train_night import LEAST_HEAD, MARGIN, middle

Crops = npt.NDArray[np.uint8]
SHIFT, ZOOM, LIGHT, TINT = 0.08, (0.9, 1.1), (0.8, 1.1), 0.03
APART = 0.04
"""Of a crop's side: by so much the usual picture may be shifted against the other (people sway)."""
BACK = -0.7
"""Inward direction up the picture from which a back is learnt from; asked it is beyond -.8."""
COPIES = 3


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pictures now and usually: n x side x side x 3, margin included."""

    now: Crops
    usual: Crops

    def said(self, net: Net) -> npt.NDArray[np.float64]:
        x = [compared(middle(a), middle(b)) for a, b in zip(self.now, self.usual, strict=True)]
        return net.probabilities(np.stack(x))


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Altered pictures: copies x n x side x side x channels."""

    x: npt.NDArray[np.float16]

    @classmethod
    def of(cls, pairs: Pairs, g: np.random.Generator) -> Pool:
        rows = []
        for _ in range(COPIES):
            for a, b in zip(pairs.now, pairs.usual, strict=True):
                shift, zoom = g.uniform(-SHIFT, SHIFT, 2), float(g.uniform(*ZOOM))
                now = altered(a, shift, zoom, g)
                usual = altered(b, shift + g.uniform(-APART, APART, 2), zoom, g)
                if g.random() < 0.5:
                    now, usual = now[:, ::-1], usual[:, ::-1]
                rows.append(compared(now, usual).astype(np.float16))
        return cls(np.stack(rows).reshape(COPIES, len(pairs.now), *rows[0].shape))

    def batch(self, which: npt.NDArray[np.integer], g: np.random.Generator) -> Floats:
        return np.asarray(self.x[g.integers(0, len(self.x), len(which)), which], np.float32)


def altered(
    crop: Crops, shift: npt.NDArray[np.floating], zoom: float, g: np.random.Generator, made: int = SIDE
) -> Crops:
    """A picture with a margin, shifted and scaled as told, lit and tinted otherwise: made x made x 3."""
    whole = len(crop)
    usual = whole / (1 + 2 * MARGIN)
    side = round(usual * zoom)
    y, x = (int(np.clip(round((whole - side) / 2 + s * usual), 0, whole - side)) for s in shift)
    piece = cv2.resize(crop[y : y + side, x : x + side], (made, made), interpolation=cv2.INTER_AREA)
    tint = (g.uniform(*LIGHT) * (1 + g.normal(0, TINT, 3))).astype(np.float32)
    grain = g.normal(0, float(g.uniform(0, 3)), piece.shape[:2]).astype(np.float32)[..., None]
    return np.asarray(np.clip(piece.astype(np.float32) * tint + grain, 0, 255), np.uint8)


def read(files: Sequence[Path]) -> dict[str, npt.NDArray[Any]]:
    parts = [np.load(p) for p in files]
    return {k: np.concatenate([p[k] for p in parts]) for k in parts[0].files}


@dataclass(frozen=True, slots=True, eq=False)
class Backs:
    """People from behind at night, each beside another picture of the same one with head bowed and arms folded."""

    head: Pairs
    chest: Pairs
    raised: npt.NDArray[np.bool_]
    doubtful: npt.NDArray[np.bool_]
    folded: npt.NDArray[np.bool_]


def backs(files: Sequence[Path], beyond: float, turned_round: bool) -> Backs:
    """`turned_round`: also those who sit as they should beside a picture of them that does not (somebody awake
    for most of a short night)."""
    d = read(files)
    key, here, pose = d["key"].astype(str), d["here"].astype(str), d["pose"].astype(str)
    mine = np.flatnonzero(d["night"] & (here == "sits") & (d["facing"] < beyond) & (d["small"] >= LEAST_HEAD))
    proper = d["folded"] & (pose == "bow")
    rows = []
    for i in mine:
        usual = [j for j in mine if key[j] == key[i] and j != i and proper[j]]
        rows += [(i, j) for j in usual[:2]]
        if turned_round and not proper[i] and usual:
            rows.append((usual[0], i))
    a, b = (np.array([r[k] for r in rows]) for k in (0, 1))
    return Backs(
        Pairs(d["head"][a], d["head"][b]), Pairs(d["chest"][a], d["chest"][b]),
        pose[a] != "bow", pose[a] == "down", d["folded"][a],
    )  # fmt: skip


def back_nets(files: Sequence[Path], epochs: int) -> tuple[Net, Net]:
    b = backs(files, BACK, True)
    g = np.random.default_rng(22)
    raised = np.where(b.doubtful, 0.5, b.raised.astype(float))
    even = np.ones(len(raised))
    recipe = Recipe(epochs=epochs, widths=(12, 32, 48))
    head = fit_net(
        "back_head", Pool.of(b.head, g), np.stack([1 - raised, raised], -1), BACK_HEAD, even, recipe
    )
    folded = b.folded.astype(float)
    arms = fit_net(
        "back_arms", Pool.of(b.chest, g), np.stack([folded, 1 - folded], -1), BACK_ARMS, even, recipe
    )
    return head, arms


def report_backs(head: Net, arms: Net, files: Sequence[Path]) -> None:
    for title, turned in (("usual as it should be", False), ("with pairs turned round", True)):
        b = backs(files, -0.8, turned)
        for name, p, truth, clear in (
            ("head raised", b.head.said(head)[:, 1], b.raised, ~b.doubtful),
            ("arms down", b.chest.said(arms)[:, 1], ~b.folded, np.ones(len(b.folded), bool)),
        ):
            line = f"  {title}: {name:12} n {int(clear.sum())}, of them so {int((truth & clear).sum())}"
            for least in (0.5, 0.7, 0.8, 0.9, 0.95):
                sure = clear & (p >= least)
                line += f" | {least}: told {int(sure.sum())} right {int((sure & truth).sum())}"
            sys.stdout.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fit", type=Path, nargs="*", default=[])
    parser.add_argument("--hold", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("weights"))
    parser.add_argument("--epochs", type=int, default=24)
    a = parser.parse_args()
    if a.fit:
        for net in back_nets(a.fit, a.epochs):
            (a.out / f"{net.name}.json").write_text(net.to_json(), "utf-8")
    if a.hold:
        report_backs(Net.load("back_head", a.out), Net.load("back_arms", a.out), a.hold)


if __name__ == "__main__":
    main()
