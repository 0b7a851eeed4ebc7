"""Landmarks of hands in the air with the number they show, from studio stills and real pictures.

    python tests/accuracy/sign_data.py STILLS OUT.npz [--real FOLDER]

Data for the head `sign`; real pictures are read where they lie, only 21 landmarks per hand are kept.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from hand_data import inside, scaled, seat_map

from mafiavar.analyzer.vision.bodies import held_box, held_boxes
from mafiavar.analyzer.vision.place import lay_table
from mafiavar.models.hands import HandLandmarker
from mafiavar.models.hands.landmarker import MODEL
from mafiavar.models.registry import locate

LEAST_VISIBLE = 0.5
REAL = {"fist": "0", "scissors": "2", "palm": "5", "four": "4", "call": "none", "rock": "none"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stills", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--real", type=Path)
    a = parser.parse_args()
    model = HandLandmarker(locate(MODEL))
    rows: list[dict[str, Any]] = []
    held, found = 0, 0
    for path in sorted(a.stills.glob("*.json")):
        truth = json.loads(path.read_text("utf-8"))
        if truth["night"]:
            more, n, k = of_still(path, truth, model)
            rows, held, found = rows + more, held + n, found + k
    sys.stdout.write(f"{found} of {held} hands that show a number were found\n")
    if a.real is not None:
        rows += of_real(a.real, model)
    model.close()
    keys = ("sign", "group", "size", "tilt", "close", "visible", "facing", "hand", "still")
    np.savez_compressed(
        a.out,
        world=np.stack([r["world"] for r in rows]),
        points=np.stack([r["points"] for r in rows]),
        **{k: np.array([r[k] for r in rows]) for k in keys},
    )


def of_still(
    path: Path, truth: dict[str, Any], model: HandLandmarker
) -> tuple[list[dict[str, Any]], int, int]:
    image = cv2.imread(str(path.with_suffix(".png")))
    assert image is not None
    size = (image.shape[1], image.shape[0])
    table = lay_table(seat_map(truth, size))
    hands = [(s["seat"], h) for s in truth["seats"] for h in s["hands"]]
    rows: list[dict[str, Any]] = []
    seen: set[tuple[int, str]] = set()
    for place in table.places:
        squares = (held_box(table, place, size), *held_boxes(table, place, size))
        for close, (x, y, w, h) in enumerate(squares):
            for hand in model.find(np.ascontiguousarray(image[y : y + h, x : x + w, ::-1])):
                cx, cy = hand.points.mean(axis=0) + np.array([x, y])
                near = [(n, t) for n, t in hands if inside(t["box"], float(cx), float(cy))]
                seat, told = max(near, key=lambda t: t[1]["visible"], default=(0, None))
                if told is not None and told["visible"] < LEAST_VISIBLE:
                    if told["visible"] > 0.05:
                        continue
                    told = None
                pose = told["pose"] if told else "none"
                if told is not None:
                    seen.add((seat, told["side"]))
                rows.append(
                    {
                        "world": hand.world, "points": hand.points + np.array([x, y], np.float32),
                        "tilt": table.tilt, "size": float(np.ptp(hand.points, axis=0).max()),
                        "visible": told["visible"] if told else 0.0, "close": min(close, 1),
                        "facing": float(place.inward[1]), "group": f"cast {truth['seed']}",
                        "sign": pose.removeprefix("sign") if pose.startswith("sign") else "none",
                        "hand": f"{seat}{told['side'] if told else ''}", "still": path.stem,
                    }
                )  # fmt: skip
    shown = {
        (n, t["side"]) for n, t in hands if t["pose"].startswith("sign") and t["visible"] >= LEAST_VISIBLE
    }
    return rows, len(shown), len(shown & seen)


def of_real(folder: Path, model: HandLandmarker) -> list[dict[str, Any]]:
    rows = []
    with (folder / "MANIFEST.csv").open(encoding="utf-8") as f:
        entries = [
            e for e in csv.DictReader(f) if e["file"].split("/")[0] in ("hands", "digits", "hagridlike")
        ]
    for e in entries:
        digit = e["file"].startswith("digits")
        # 6 to 9 of a one-handed sign language are no numbers at this table, and 0 is a ring.
        label = (e["label"] if e["label"] in "12345" else "none") if digit else REAL.get(e["label"], "")
        image = cv2.imread(str(folder / e["file"]))
        if image is None or not label:
            continue
        for size in (0, 60):
            found = model.find(np.ascontiguousarray(scaled(image, size, model)[..., ::-1]))
            if not found:
                continue
            hand = max(found, key=lambda h: float(np.ptp(h.points, axis=0).max()))
            rows.append(
                {
                    "world": hand.world, "points": hand.points, "tilt": 0.0, "visible": 1.0, "close": 0,
                    "size": float(np.ptp(hand.points, axis=0).max()), "facing": 1.0, "group": e["repo"],
                    "sign": label, "hand": "", "still": e["file"],
                }
            )  # fmt: skip
    return rows


if __name__ == "__main__":
    main()
