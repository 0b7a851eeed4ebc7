"""How finger numbers of single hands are read, on casts the head was not trained on.

    python tests/accuracy/signs_seen.py DATA.npz [DATA.npz ...]

DATA from `tests/accuracy/sign_data.py` on stills of unseen casts. All looks at one hand of one still are
pooled, as the program pools the looks of a stretch; a number is told from P >= .75 on.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from mafiavar.analyzer.evaluation.aggregate import wilson
from mafiavar.models.heads.sign import NUMBERS, SignHead

SURE, SMALL = 0.75, 35.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="+")
    a = parser.parse_args()
    parts = [np.load(p) for p in a.data]
    keys = ("world", "tilt", "sign", "group", "still", "hand", "size")
    d = {k: np.concatenate([p[k] for p in parts]) for k in keys}
    tilts = d["tilt"].astype(float)
    head = SignHead()
    p = np.stack([head.read([w], float(t))[0] for w, t in zip(d["world"], tilts, strict=True)])
    names = np.array([f"{s} {h}" for s, h in zip(d["still"], d["hand"], strict=True)])
    rows: dict[str, list[int]] = {
        "shown, 35 px or more": [0, 0, 0],
        "shown, smaller": [0, 0, 0],
        "no number": [0, 0, 0],
    }
    wrong = []
    for name in sorted(set(names)):
        mine = names == name
        q = np.exp(np.log(np.maximum(p[mine], 0.02)).mean(axis=0))
        q /= q.sum()
        truth = str(d["sign"][mine][0])
        size = float(np.median(d["size"][mine]))
        best = int(np.argmax(q[:-1]))
        told = q[-1] <= 0.5 and float(q[best]) >= SURE
        row = rows[
            "no number" if truth == "none" else "shown, 35 px or more" if size >= SMALL else "shown, smaller"
        ]
        row[0] += 1
        row[1] += told
        right = told and NUMBERS[best] == truth
        row[2] += right
        if told and not right:
            wrong.append(f"{name}: shows {truth}, read {NUMBERS[best]} ({q[best]:.2f}, {size:.0f} px)")
    say = sys.stdout.write
    say(f"{len(set(d['group']))} casts; hands found, told, right of told (Wilson 95 %)\n")
    for label, (n, given, right) in rows.items():
        share = f"{right / given:.3f} {wilson(right, given)}" if given and label != "no number" else ""
        say(f"{label:22} {n:4} told {given:4}  {share}\n")
    say("\n".join(wrong) + "\n")


if __name__ == "__main__":
    main()
