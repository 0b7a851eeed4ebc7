"""Train the head that reads finger numbers and measure it on casts and sources left out.

    python -m mafiavar.models.heads.train_sign DATA.npz [DATA.npz ...] [--out FOLDER]

Data: `tests/accuracy/sign_data.py`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from mafiavar.models.heads.sign import sign_features
from mafiavar.models.heads.train import RIDGE, report, trained

RIDGE["sign"] = 40.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("weights"))
    a = parser.parse_args()
    parts = [np.load(p) for p in a.data]
    d = {k: np.concatenate([p[k] for p in parts]) for k in ("world", "tilt", "sign", "group")}
    x = np.stack([sign_features(w, float(t)) for w, t in zip(d["world"], d["tilt"], strict=True)])
    y, group = d["sign"].astype(str), d["group"].astype(str)
    (a.out / "sign.json").write_text(trained("sign", x, y, group).to_json(), "utf-8")
    report("sign", x, y, group, sys.stdout.write)


if __name__ == "__main__":
    main()
