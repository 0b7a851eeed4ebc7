"""Train the net that says whether an eye mask is on, and measure it on casts left out.

    python -m mafiavar.models.heads.train_mask DATA.npz [DATA.npz ...] [--out FOLDER] [--hold CAST ...]

Data: `tests/accuracy/seat_data.py` (pictures of heads with a margin, whose head and by day or night).
The person's usual face is learnt from other pictures of the same head by day.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.fit_net import fit_net
from mafiavar.models.heads.mask import Crop, Face, face_of, mask_input
from mafiavar.models.heads.net import Floats, Net
from mafiavar.models.heads.train import balanced

FACING = -0.6
"""A face turned further away than this (inward direction up the picture) shows no mask."""
MARGIN = 0.1  # of a crop's side, around what the program looks at
LOOKS = 5  # pictures of which a usual face is made
SHIFT, ZOOM, LIGHT = 0.09, (0.92, 1.1), (0.7, 1.15)

Words = npt.NDArray[np.str_]


@dataclass(frozen=True, slots=True, eq=False)
class Heads:
    """Pictures with what is known of them. `twin`: number of the picture that each was made from."""

    inputs: Floats
    mask: Words
    group: Words
    night: npt.NDArray[np.bool_]
    facing: npt.NDArray[np.float64]
    twin: npt.NDArray[np.int64]
    original: npt.NDArray[np.bool_]

    def some(self, which: npt.NDArray[np.bool_]) -> Heads:
        return Heads(*(getattr(self, f)[which] for f in Heads.__slots__))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("weights"))
    parser.add_argument(
        "--hold", nargs="*", default=[], help="casts that are measured and not fitted, as 9205"
    )
    parser.add_argument("--copies", type=int, default=2)
    a = parser.parse_args()
    heads = heads_of(a.data, a.copies, np.random.default_rng(7))
    held = np.isin(heads.group, [f"cast {c}" for c in a.hold])
    net = trained(heads.some(~held))
    a.out.mkdir(parents=True, exist_ok=True)
    (a.out / "mask_on.json").write_text(net.to_json(), "utf-8")
    for name, some in (("fitted", heads.some(~held)), ("held out", heads.some(held))):
        mine = some.some(some.original)
        if len(mine.mask):
            report(f"{name}: {len(set(mine.group))} casts", mine, net.probabilities(mine.inputs))


def trained(heads: Heads) -> Net:
    weight = balanced(heads.mask, heads.group)
    return fit_net("mask_on", heads.inputs, [str(m) for m in heads.mask], weight)


def heads_of(files: list[Path], copies: int, g: np.random.Generator) -> Heads:
    """Every picture of a head that faces the camera and has a usual face, and `copies` altered ones of each."""
    parts = [np.load(p) for p in files]
    d = {
        k: np.concatenate([p[k] for p in parts]) for k in ("crop", "key", "mask", "group", "night", "facing")
    }
    inputs, index, original = [], [], []
    usual = ~d["night"] & (d["mask"] != "on")
    for i in np.flatnonzero(d["facing"] > FACING):
        others = np.flatnonzero((d["key"] == d["key"][i]) & usual)
        others = others[others != i]
        if len(others) < 2:
            continue
        chosen = g.permutation(others)[:LOOKS]
        face = face_of([middle(d["crop"][j]) for j in chosen])
        for k in range(copies + 1):
            inputs.append(looked(d["crop"][i], face, g if k else None))
            index.append(i)
            original.append(k == 0)
    at = np.array(index)
    return Heads(
        np.stack(inputs),
        d["mask"][at].astype(str),
        d["group"][at].astype(str),
        d["night"][at],
        d["facing"][at],
        at,
        np.array(original),
    )


def middle(crop: Crop) -> Crop:
    cut = round(MARGIN / (1 + 2 * MARGIN) * len(crop))
    return crop[cut : len(crop) - cut, cut : len(crop) - cut]


def looked(crop: Crop, face: Face, g: np.random.Generator | None) -> Floats:
    """The net's input for a picture with a margin; with `g`: shifted, scaled, mirrored, lit otherwise."""
    if g is None:
        return mask_input(middle(crop), face)
    whole = len(crop)
    usual = whole / (1 + 2 * MARGIN)
    side = round(usual * float(g.uniform(*ZOOM)))
    shift = g.uniform(-SHIFT, SHIFT, 2) * usual
    y, x = (int(np.clip(round((whole - side) / 2 + s), 0, whole - side)) for s in shift)
    piece = crop[y : y + side, x : x + side].astype(np.float32) * float(g.uniform(*LIGHT))
    piece += g.normal(0, float(g.uniform(0, 5)), piece.shape)
    if g.random() < 0.5:
        piece = piece[:, ::-1]
    return mask_input(np.ascontiguousarray(np.clip(piece, 0, 255).astype(np.uint8)), face)


def report(name: str, heads: Heads, p: npt.NDArray[np.float64]) -> None:
    """Right answers by night and facing."""
    write, mine, q = sys.stdout.write, heads, p
    says = np.array(["off", "on", "up"])[q.argmax(axis=1)]
    on = mine.mask == "on"
    write(f"{name}: {len(on)} pictures\n")
    for t in ("off", "on", "up"):
        write(
            f"  {t:4} said "
            + " ".join(f"{s} {int(((mine.mask == t) & (says == s)).sum()):4}" for s in ("off", "on", "up"))
            + "\n"
        )
    every = np.ones(len(on), bool)
    for label, some in (
        ("all", every),
        ("night", mine.night),
        ("day", ~mine.night),
        ("towards the camera", mine.facing > 0.3),
        ("from the side", mine.facing <= 0.3),
    ):
        sure = some & (np.abs(q[:, 1] - 0.5) >= 0.35)
        right = (q[:, 1] > 0.5) == on
        write(
            f"  {label:20} on or not: {right[some].mean():.3f} of {some.sum()}; where P >= .85: "
            f"{right[sure].mean():.3f} of {sure.sum()}; kinds right {(says == mine.mask)[some].mean():.3f}\n"
        )


if __name__ == "__main__":
    main()
