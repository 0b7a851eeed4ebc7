"""Train the night nets (mask and head, arms) and measure them on casts they have not seen.

    python -m mafiavar.models.heads.train_night --fit DATA.npz [...] --hold DATA.npz [...] [--out FOLDER]
    python -m mafiavar.models.heads.train_night --hold DATA.npz [...]          (measures what is shipped)

Data: `tests/accuracy/night_stills.py`, one file a cast. The person's usual face is learnt from other
pictures of the same head by day.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.fit_net import Recipe, fit_net
from mafiavar.models.heads.net import Floats, Net
from mafiavar.models.heads.seated import (
    ARMS,
    HEAD_CLASSES,
    MASK,
    NOBODY,
    POSE,
    Crop,
    Face,
    chest_input,
    face_of,
    head_input,
)

MARGIN = 0.16
"""Of a crop's side, around what the program looks at (`night_stills.MARGIN`)."""
SHIFT, ZOOM, LIGHT, TINT = 0.11, (0.88, 1.13), (0.7, 1.15), 0.03
STRANGERS = 0.1
"""How often a head is shown as that of somebody never seen by day."""
MASKS = {"on": (1.0, 0.0, 0.0), "up": (0.0, 1.0, 0.0), "off": (0.0, 0.0, 1.0), "half": (0.5, 0.5, 0.0)}
BOWED = {"bow": 1.0, "down": 0.5}
"""How much a pose of the head counts as bowed; whoever looks down is between the two."""
BACK = -0.8
"""Inward direction up the picture beyond which somebody shows their back (`bodies.shows_its_back`)."""
USUAL = 0.7  # `night._USUAL`
COPIES = 4
LEAST_HEAD = 20.0
"""Pixels: of smaller heads nothing is learnt."""


@dataclass(frozen=True, slots=True, eq=False)
class Seats:
    """Rows of `night_stills`, and the usual face that goes with each."""

    head: npt.NDArray[np.uint8]
    chest: npt.NDArray[np.uint8]
    faces: list[Face]
    mask: npt.NDArray[np.str_]
    pose: npt.NDArray[np.str_]
    folded: npt.NDArray[np.bool_]
    gone: npt.NDArray[np.bool_]
    seat: npt.NDArray[np.str_]
    night: npt.NDArray[np.bool_]
    facing: npt.NDArray[np.float64]
    cast: npt.NDArray[np.str_]

    def some(self, which: npt.NDArray[np.bool_]) -> Seats:
        values = {f: getattr(self, f) for f in Seats.__slots__ if f != "faces"}
        faces = [self.faces[i] for i in np.flatnonzero(which)]
        return Seats(faces=faces, **{f: v[which] for f, v in values.items()})

    @classmethod
    def read(cls, files: list[Path]) -> Seats:
        parts = [np.load(p) for p in files]
        d: dict[str, Any] = {k: np.concatenate([p[k] for p in parts]) for k in parts[0].files}
        large = d["small"] >= LEAST_HEAD
        d = {k: v[large] for k, v in d.items()}
        key = d["key"].astype(str)
        return cls(
            d["head"], d["chest"], _faces(d["head"], key, ~d["night"] & (d["mask"] != "on") & (d["here"] == "sits")),
            d["mask"].astype(str), d["pose"].astype(str), d["folded"], d["here"] == "gone", key, d["night"], d["facing"],
            np.array([k.split("/")[0] for k in key]),
        )  # fmt: skip


def _faces(
    heads: npt.NDArray[np.uint8], key: npt.NDArray[np.str_], usual: npt.NDArray[np.bool_]
) -> list[Face]:
    """Of each row: made from the other pictures of that seat by day."""
    out = [NOBODY] * len(key)
    for k in sorted(set(key)):
        mine = np.flatnonzero(key == k)
        by_day = [int(i) for i in mine if usual[i]]
        whole = face_of([middle(heads[i]) for i in by_day]) if by_day else NOBODY
        for i in mine:
            others = [j for j in by_day if j != i]
            if len(others) == len(by_day):
                out[i] = whole
            elif others:
                out[i] = face_of([middle(heads[j]) for j in others])
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Altered pictures (copies x n x side x side x channels): any copy, as it is or mirrored."""

    x: npt.NDArray[np.float16]

    def batch(self, which: npt.NDArray[np.integer], g: np.random.Generator) -> Floats:
        out: Floats = self.x[g.integers(0, len(self.x), len(which)), which].astype(np.float32)
        turned = g.random(len(which)) < 0.5
        out[turned] = out[turned][:, :, ::-1]
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """Pictures of one kind with their faces."""

    crops: npt.NDArray[np.uint8]
    faces: list[Face]
    head: bool

    def pool(self, copies: int, g: np.random.Generator) -> Pool:
        """Every picture altered `copies` times."""
        make = head_input if self.head else chest_input
        one = make(self.crops[0], self.faces[0])
        x = np.zeros((copies, len(self.crops), *one.shape), np.float16)
        for k in range(copies):
            for i, crop in enumerate(self.crops):
                face = NOBODY if g.random() < STRANGERS else self.faces[i]
                x[k, i] = make(altered(crop, g), face)
        return Pool(x)

    def said(self, net: Net) -> npt.NDArray[np.float64]:
        """What a net says of every picture as it is: n x classes."""
        make = head_input if self.head else chest_input
        out = []
        for i in range(0, len(self.crops), 512):
            part = zip(self.crops[i : i + 512], self.faces[i : i + 512], strict=True)
            out.append(net.probabilities(np.stack([make(middle(c), f) for c, f in part])))
        return np.concatenate(out)


def middle(crop: Crop) -> Crop:
    cut = round(MARGIN / (1 + 2 * MARGIN) * len(crop))
    return crop[cut : len(crop) - cut, cut : len(crop) - cut]


def altered(crop: Crop, g: np.random.Generator) -> Crop:
    """A picture with a margin, shifted, scaled, lit and tinted otherwise."""
    whole = len(crop)
    usual = whole / (1 + 2 * MARGIN)
    side = round(usual * float(g.uniform(*ZOOM)))
    shift = g.uniform(-SHIFT, SHIFT, 2) * usual
    y, x = (int(np.clip(round((whole - side) / 2 + s), 0, whole - side)) for s in shift)
    piece = cv2.resize(crop[y : y + side, x : x + side], (48, 48), interpolation=cv2.INTER_AREA)
    tint = (g.uniform(*LIGHT) * (1 + g.normal(0, TINT, 3))).astype(np.float32)
    lit = piece.astype(np.float32) * tint
    return np.ascontiguousarray(np.clip(lit, 0, 255).astype(np.uint8))


def head_targets(seats: Seats) -> Floats:
    """n x HEAD_CLASSES."""
    mask = np.array([MASKS[m] for m in seats.mask])
    bowed = np.array([BOWED.get(p, 0.0) for p in seats.pose])
    both = (mask[:, :, None] * np.stack([bowed, 1 - bowed], -1)[:, None, :]).reshape(len(mask), -1)
    there = ~seats.gone[:, None]
    return np.concatenate([both * there, seats.gone[:, None]], axis=1).astype(np.float32)


def weights(names: npt.NDArray[np.str_]) -> npt.NDArray[np.float64]:
    """Every kind counts as its square root, so that the rare ones are learnt too."""
    count = {n: int((names == n).sum()) for n in set(names)}
    w = np.array([count[n] ** -0.5 for n in names])
    return np.asarray(w / w.mean(), np.float64)


def head_net(seats: Seats, epochs: int) -> Net:
    """`night_head`. Of those who turn their back only a part is shown: their mask cannot be seen."""
    g = np.random.default_rng(11)
    some = seats.some((seats.facing > BACK) | seats.gone | (g.random(len(seats.facing)) < 0.25))
    names = np.where(some.gone, "gone", some.mask)
    pool = Shown(some.head, some.faces, True).pool(COPIES, g)
    return fit_net(
        "night_head", pool, head_targets(some), HEAD_CLASSES, weights(names), Recipe(epochs=epochs)
    )


def arms_net(seats: Seats, epochs: int) -> Net:
    """`night_arms`."""
    some = seats.some(seats.night & ~seats.gone)
    folded = some.folded.astype(np.float32)
    pool = Shown(some.chest, some.faces, False).pool(COPIES, np.random.default_rng(12))
    targets, even = np.stack([folded, 1 - folded], -1), np.ones(len(folded))
    return fit_net("night_arms", pool, targets, ARMS, even, Recipe(epochs=epochs))


# ---- measuring ----------------------------------------------------------------------------------


def report(title: str, seats: Seats, head: Net, arms: Net) -> None:
    """On unseen rows: right answers, where P is high, by night and by how far the seat is turned."""
    write = sys.stdout.write
    said = Shown(seats.head, seats.faces, True).said(head)
    p, nobody = said[:, :-1].reshape(-1, len(MASK), len(POSE)), said[:, -1]
    clear = np.isin(seats.mask, ("on", "up", "off")) & ~seats.gone
    towards = {"all": seats.facing > -2, "towards": seats.facing > 0.3, "aside": np.abs(seats.facing) <= 0.3,
               "away": (seats.facing < -0.3) & (seats.facing >= -0.8), "back": seats.facing < -0.8}  # fmt: skip
    write(f"{title}: {len(set(seats.cast))} casts\n")
    says = np.array(["on", "up", "off"])[p.sum(axis=2).argmax(axis=1)]
    for t in ("on", "up", "off", "half"):
        mine = seats.night & (seats.mask == t)
        write(
            f"  {t:4} at night said "
            + " ".join(f"{s} {int((says[mine] == s).sum()):4}" for s in ("on", "up", "off"))
            + "\n"
        )
    known_pose = np.isin(seats.pose, ("bow", "up", "y-1", "y0", "y1")) & ~seats.gone
    pa = Shown(seats.chest, seats.faces, False).said(arms)[:, 0]

    def there(q: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """One half where nobody is likely to sit, as the program takes it."""
        return (1 - nobody) * q + 0.5 * nobody

    for what, q, truth, known in (
        ("mask on or not, night", there(p[:, 0].sum(axis=1)), seats.mask == "on", clear & seats.night),
        ("mask on or not, day", there(p[:, 0].sum(axis=1)), seats.mask == "on", clear & ~seats.night),
        ("head bowed or not", there(p[:, :, 0].sum(axis=1)), seats.pose == "bow", known_pose & seats.night),
        ("arms folded or not", there(pa), seats.folded, seats.night & ~seats.gone),
        ("nobody or somebody", nobody, seats.gone, seats.facing > -2),
    ):
        for name, some in towards.items():
            mine = known & some
            if not mine.any():
                continue
            right = ((q > 0.5) == truth)[mine]
            line = f"  {what:22} {name:8} n {mine.sum():5} right {right.mean():.4f}"
            for least in (0.8, 0.9, 0.95, 0.98):
                sure = (np.maximum(q, 1 - q) >= least)[mine]
                line += f" | {least}: {right[sure].mean() if sure.any() else 0:.4f} of {sure.mean():.2f}"
            write(line + "\n")
        against_usual(what, seats, q, truth, known & (seats.facing > BACK))


def against_usual(
    what: str,
    seats: Seats,
    q: npt.NDArray[np.float64],
    truth: npt.NDArray[np.bool_],
    known: npt.NDArray[np.bool_],
) -> None:
    """As the program asks: of a seat whose stills that are as they should be have a median P of `USUAL` or
    more, what a low P of another still of it is worth."""
    for most in (0.2, 0.3):
        said = right = wanted = 0
        for seat in sorted(set(seats.seat)):
            mine = known & (seats.seat == seat)
            usual = q[mine & truth]
            if len(usual) < 2 or float(np.median(usual)) < USUAL:
                continue
            low = mine & (q <= most)
            said, right = said + int(low.sum()), right + int((low & ~truth).sum())
            wanted += int((mine & ~truth).sum())
        sys.stdout.write(
            f"  {what:22} against the usual look, P <= {most}: said {said}, right {right / max(said, 1):.3f}, "
            f"found {right} of {wanted}\n"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fit", type=Path, nargs="*", default=[])
    parser.add_argument("--hold", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("weights"))
    parser.add_argument("--only", choices=("head", "arms"))
    parser.add_argument("--epochs", type=int, default=40)
    a = parser.parse_args()
    if a.fit:
        fitted = Seats.read(a.fit)
        a.out.mkdir(parents=True, exist_ok=True)
        for name, make in (("head", head_net), ("arms", arms_net)):
            if a.only not in (None, name):
                continue
            net = make(fitted, a.epochs)
            (a.out / f"{net.name}.json").write_text(net.to_json(), "utf-8")
    if a.hold:
        report("held out", Seats.read(a.hold), *shipped(a.out))


def shipped(folder: Path) -> tuple[Net, Net]:
    return Net.load("night_head", folder), Net.load("night_arms", folder)


if __name__ == "__main__":
    main()
