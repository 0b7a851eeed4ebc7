"""Train the hand heads from landmarks with labels, and measure them on sources left out.

    python -m mafiavar.models.heads.train DATA.npz [DATA.npz ...] [--out FOLDER]

Data: `tests/accuracy/hand_data.py`. Writes one JSON per head; prints the figures that stand in the
model card (docs/cards/hand-heads.md).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mafiavar.models.heads.features import shape, stance
from mafiavar.models.heads.softmax import Softmax, fit

Floats = npt.NDArray[np.float64]
Words = npt.NDArray[np.str_]

RIDGE = {"hand_shape": 60.0, "fist_stance": 20.0, "finger_count": 60.0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("weights"))
    a = parser.parse_args()
    parts = [np.load(p) for p in a.data]

    def column(key: str) -> npt.NDArray[np.generic]:
        return np.concatenate([p[key] for p in parts])

    world, tilt, group = column("world"), column("tilt"), column("group").astype(str)
    shapes = np.stack([shape(w) for w in world])
    stances = np.stack([stance(w, float(t)) for w, t in zip(world, tilt, strict=True)])
    a.out.mkdir(parents=True, exist_ok=True)
    for name, features, key in (
        ("hand_shape", shapes, "shape"),
        ("fist_stance", stances, "stance"),
        ("finger_count", shapes, "fingers"),
    ):
        labels = column(key).astype(str)
        known = labels != ""
        head = trained(name, features[known], labels[known], group[known])
        (a.out / f"{name}.json").write_text(head.to_json(), "utf-8")
        report(name, features[known], labels[known], group[known], sys.stdout.write)


def trained(name: str, x: Floats, y: Words, group: Words) -> Softmax:
    return fit(
        name,
        x,
        [str(v) for v in y],
        ridge=RIDGE[name],
        sample_weight=balanced(y, group),
        classes=sorted({str(v) for v in y}),
    )


def balanced(y: Words, group: Words) -> Floats:
    """Every class counts the same within a factor of three, and every source within its class."""
    w = np.ones(len(y))
    for c in set(y):
        mine = y == c
        for g in set(group[mine]):
            both = mine & (group == g)
            w[both] /= both.sum() ** 0.5
        w[mine] *= (len(y) / len(set(y)) / mine.sum()) ** 0.5 * mine.sum() / w[mine].sum()
    return np.asarray(w * len(w) / w.sum(), float)


def report(name: str, x: Floats, y: Words, group: Words, write: Callable[[str], object]) -> None:
    """Leave one source out: confusion over all left-out predictions."""
    guessed = np.array([""] * len(y), dtype=object)
    sure = np.zeros(len(y))
    for g in sorted(set(group)):
        out = group == g
        if len(set(y[~out])) < len(set(y)):
            continue
        head = trained(name, x[~out], y[~out], group[~out])
        p = head.probabilities(x[out])
        guessed[out] = [head.classes[i] for i in p.argmax(axis=1)]
        sure[out] = p.max(axis=1)
    done = guessed != ""
    classes = sorted({str(v) for v in y})
    write(f"\n{name}: {done.sum()} of {len(y)} left out in turn, {len(set(group))} sources\n")
    write("truth \\ said   " + " ".join(f"{c:>9}" for c in classes) + "\n")
    for c in classes:
        row = [int(((y == c) & (guessed == d) & done).sum()) for d in classes]
        write(f"{c:>12}   " + " ".join(f"{v:>9}" for v in row) + "\n")
    right = (guessed == y) & done
    write(f"right {right.sum() / max(done.sum(), 1):.3f}")
    for t in (0.7, 0.85):
        given = done & (sure >= t)
        write(
            f"; at >= {t}: given {given.sum() / max(done.sum(), 1):.2f}, right {(right & given).sum() / max(given.sum(), 1):.3f}"
        )
    write("\n")


if __name__ == "__main__":
    main()
