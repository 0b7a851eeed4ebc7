"""Train the night heads (mask, head, arms) and measure them on casts left out.

    python -m mafiavar.models.heads.train_night DATA.npz [DATA.npz ...] [--out FOLDER]

Data: `tests/accuracy/seat_data.py`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from mafiavar.models.heads.train import RIDGE, report, trained

# A face turned further away than this (inward direction up the picture) shows no mask, or no head.
MASK_FACING, HEAD_FACING = -0.5, -0.8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("weights"))
    a = parser.parse_args()
    parts = [np.load(p) for p in a.data]
    d = {k: np.concatenate([p[k] for p in parts]) for k in parts[0].files}
    facing, night, group = d["facing"], d["night"], d["group"].astype(str)
    for name, x, known in (
        ("mask", d["head_x"], facing > MASK_FACING),
        ("head", d["head_x"], (facing > HEAD_FACING) & np.isin(d["head"], ("bow", "up"))),
        ("arms", d["arms_x"], night),
    ):
        RIDGE.setdefault(name, 30.0)
        y = d[name].astype(str)[known]
        head = trained(name, x[known], y, group[known])
        (a.out / f"{name}.json").write_text(head.to_json(), "utf-8")
        report(name, x[known], y, group[known], sys.stdout.write)


if __name__ == "__main__":
    main()
