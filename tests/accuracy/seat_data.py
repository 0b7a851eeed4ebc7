"""Pictures of heads and chests with labels, as numbers, from studio stills: data for the night heads.

python tests/accuracy/seat_data.py STILLS OUT.npz
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parent))
from hand_data import seat_map

from mafiavar.analyzer.vision.bodies import arms_box, head_box
from mafiavar.analyzer.vision.place import lay_table
from mafiavar.models.heads.look import look_features

CROP = 84  # pixels
MARGIN = 0.1


def margined(image: npt.NDArray[np.uint8], box: tuple[int, int, int, int]) -> npt.NDArray[np.uint8]:
    """A head with a tenth more on every side, as `train_mask` alters it."""
    x, y, w, h = box
    m = round(MARGIN * w)
    wide = cv2.copyMakeBorder(image, m, m, m, m, cv2.BORDER_REPLICATE)
    return np.asarray(
        cv2.resize(wide[y : y + h + 2 * m, x : x + w + 2 * m], (CROP, CROP), interpolation=cv2.INTER_AREA),
        np.uint8,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stills", type=Path)
    parser.add_argument("out", type=Path)
    a = parser.parse_args()
    rows: dict[str, list[object]] = {
        k: [] for k in ("head_x", "arms_x", "mask", "head", "arms", "group", "facing", "night", "crop", "key")
    }
    for path in sorted(a.stills.glob("*.json")):
        truth = json.loads(path.read_text("utf-8"))
        image = cv2.imread(str(path.with_suffix(".png")))
        if image is None:
            continue
        size = (image.shape[1], image.shape[0])
        table = lay_table(seat_map(truth, size))
        for seat, place in zip(truth["seats"], table.places, strict=True):
            for key, (x, y, w, h) in (
                ("head_x", head_box(table, place, size)),
                ("arms_x", arms_box(table, place, size)),
            ):
                rows[key].append(look_features(np.asarray(image[y : y + h, x : x + w], np.uint8)))
            rows["crop"].append(margined(np.asarray(image, np.uint8), head_box(table, place, size)))
            rows["key"].append(f"{truth['seed']} {truth['camera']} {seat['seat']}")
            rows["mask"].append(seat["mask"])
            rows["head"].append(seat["head"] if truth["night"] else "day")
            rows["arms"].append("cross" if all(p["pose"] == "cross" for p in seat["hands"]) else "down")
            rows["group"].append(f"cast {truth['seed']}")
            rows["facing"].append(float(place.inward[1]))
            rows["night"].append(bool(truth["night"]))
    np.savez_compressed(a.out, **{k: np.array(v) for k, v in rows.items()})


if __name__ == "__main__":
    main()
