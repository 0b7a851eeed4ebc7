"""Landmarks with labels from studio stills and local real pictures, as one .npz for training.

    python tests/accuracy/hand_data.py STILLS OUT.npz [--real FOLDER]

Real pictures are read where they lie and never copied: only 21 landmarks per hand are kept.
"""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from mafiavar.analyzer.media.picture import Picture
from mafiavar.analyzer.seats import Box, Seat, SeatMap
from mafiavar.analyzer.vision.observe import look, view_of
from mafiavar.models.hands import HandLandmarker
from mafiavar.models.hands.landmarker import MODEL
from mafiavar.models.registry import locate

SHAPES = {
    "fist_vertical": "fist", "fist_flat": "fist", "elbow": "fist", "palm": "open", "rest": "open", "rest_in": "open",
    "rest_flat": "open", "lap": "open", "face": "open", "hang": "open", "cross": "open", "gesture": "open",
    "finger": "finger", "thumb_up": "thumb", "sign1": "finger", "sign5": "open",
}  # fmt: skip
STANCES = {"fist_vertical": "vertical", "thumb_up": "vertical", "fist_flat": "flat", "elbow": "raised"}
REAL_SHAPES = {"fist": "fist", "palm": "open", "thumbs_up": "thumb", "0": "", "1": "finger", "5": "open"}
LEAST_VISIBLE = 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stills", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--real", type=Path)
    a = parser.parse_args()
    model = HandLandmarker(locate(MODEL))
    rows: list[dict[str, Any]] = []
    for path in sorted(a.stills.glob("*.json")):
        rows += of_still(path, model)
    if a.real is not None:
        rows += of_real(a.real, model)
    model.close()
    keys = ("shape", "stance", "fingers", "source", "group")
    np.savez_compressed(
        a.out,
        world=np.stack([r["world"] for r in rows]),
        tilt=np.array([r["tilt"] for r in rows]),
        size=np.array([r["size"] for r in rows]),
        visible=np.array([r["visible"] for r in rows]),
        **{k: np.array([r[k] for r in rows]) for k in keys},
    )


def seat_map(truth: dict[str, Any], size: tuple[int, int]) -> SeatMap:
    def box(b: list[float]) -> Box:
        return Box(b[0], b[1], b[2] - b[0], b[3] - b[1])

    return SeatMap(
        recording="still",
        size=size,
        table=tuple((float(x), float(y)) for x, y in truth["table_polygon"]),
        seats=tuple(Seat(s["seat"], box(s["box"])) for s in truth["seats"]),
    )


def of_still(path: Path, model: HandLandmarker) -> list[dict[str, Any]]:
    truth = json.loads(path.read_text("utf-8"))
    image = cv2.imread(str(path.with_suffix(".png")))
    if image is None:
        return []
    view = view_of(seat_map(truth, (image.shape[1], image.shape[0])), (image.shape[1], image.shape[0]))
    hands = [h for s in truth["seats"] for h in s["hands"]]
    rows = []
    for k in range(len(view.places)):
        for s in look(Picture(0, 0, np.asarray(image, np.uint8)), view, k, model, np.ones(2, np.float32)):
            x, y = s.centre
            near = [h for h in hands if inside(h["box"], x, y)]
            hand = max(near, key=lambda h: h["visible"], default=None)
            if hand is not None and hand["visible"] < LEAST_VISIBLE:
                if hand["visible"] > 0.05:
                    continue
                hand = None
            pose = hand["pose"] if hand else "none"
            rows.append(
                {
                    "world": s.world,
                    "tilt": view.table.tilt,
                    "size": hand["size"] if hand else s.size,
                    "visible": hand["visible"] if hand else 0.0,
                    "shape": "none" if hand is None else SHAPES.get(pose, ""),
                    "stance": STANCES.get(pose, ""),
                    "fingers": fingers_of(pose),
                    "source": f"studio {truth['camera']}",
                    "group": f"cast {truth['seed']}",
                }
            )
    return rows


def fingers_of(pose: str) -> str:
    if pose.startswith("sign"):
        return pose.removeprefix("sign")
    return {"fist_vertical": "0", "fist_flat": "0", "palm": "5", "rest_flat": "5", "finger": "1"}.get(
        pose, ""
    )


def inside(box: list[float], x: float, y: float) -> bool:
    pad = 0.2 * max(box[2] - box[0], box[3] - box[1])
    return box[0] - pad <= x <= box[2] + pad and box[1] - pad <= y <= box[3] + pad


def of_real(folder: Path, model: HandLandmarker) -> list[dict[str, Any]]:
    rows = []
    with (folder / "MANIFEST.csv").open(encoding="utf-8") as f:
        entries = [e for e in csv.DictReader(f) if e["file"].split("/")[0] in ("hands", "digits")]
    for e in entries:
        image = cv2.imread(str(folder / e["file"]))
        if image is None:
            continue
        for size in (0, 40):  # as it is, and with the hand about 40 pixels long
            found = model.find(np.ascontiguousarray(scaled(image, size, model)[..., ::-1]))
            if not found:
                continue
            hand = max(found, key=lambda h: float(np.ptp(h.points, axis=0).max()))
            label = e["label"]
            digit = e["file"].startswith("digits")
            rows.append(
                {
                    "world": hand.world,
                    "tilt": 0.0,
                    "size": float(np.ptp(hand.points, axis=0).max()),
                    "visible": 1.0,
                    "shape": "none" if label == "nohand" else REAL_SHAPES.get(label, ""),
                    "stance": "",
                    "fingers": label if digit and label in "12345" else ("0" if label == "fist" else ""),
                    "source": "real",
                    "group": e["repo"],
                }
            )
    return rows


def scaled(image: np.ndarray[Any, Any], size: int, model: HandLandmarker) -> np.ndarray[Any, Any]:
    if not size:
        return image
    found = model.find(np.ascontiguousarray(image[..., ::-1]))
    if not found:
        return image
    now = max(float(np.ptp(h.points, axis=0).max()) for h in found)
    f = size / now
    if f >= 1:
        return image
    small = cv2.resize(image, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)
    return np.asarray(small)


if __name__ == "__main__":
    main()
