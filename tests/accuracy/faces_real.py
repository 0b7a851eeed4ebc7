"""The mask net on photographs of real people: bare faces, and the same with a mask painted over the eyes.

    python tests/accuracy/faces_real.py FOLDER [FOLDER ...]

Pictures are read where they lie; nothing of them is kept. The main person of each picture is found by the pose
model and taken when the head is `LEAST` pixels or more. No photograph of anybody in a sleep mask was at hand:
a painted band (black, blue, or a random colour) stands for it, so that this says how far the net carries over
to real skin and hair, not how well it knows real masks.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.evaluation.aggregate import wilson
from mafiavar.models.heads.net import Net
from mafiavar.models.heads.seated import NOBODY, Face, face_of, head_input
from mafiavar.models.pose.base import EYES, MOUTH, NOSE, Body
from mafiavar.models.pose.landmarker import MODEL, PoseLandmarker
from mafiavar.models.registry import locate

Image = npt.NDArray[np.uint8]

LEAST = 36.0
HEAD = 3.4  # a head's height in distances from eyes to mouth
SIDE = 1.45  # of the crop, in heads: as `bodies.head_box` cuts studio heads
ON, OFF = 0.7, 0.1


def heads_of(path: Path, model: PoseLandmarker) -> tuple[Image, Body, float] | None:
    image = cv2.imread(str(path))
    if image is None:
        return None
    body = model.find(np.ascontiguousarray(image[..., ::-1]))
    if body is None or body.visible[[NOSE, *EYES]].min() < 0.8:
        return None
    gap = float(np.linalg.norm(middle(body, EYES) - middle(body, MOUTH)))
    return (np.asarray(image, np.uint8), body, gap) if gap * HEAD >= LEAST else None


def middle(body: Body, which: tuple[int, int]) -> npt.NDArray[np.float64]:
    return np.asarray(body.points[list(which)].mean(axis=0), float)


def crop_of(image: Image, body: Body, gap: float) -> Image:
    half = round(HEAD * SIDE * gap / 2)
    wide = cv2.copyMakeBorder(image, half, half, half, half, cv2.BORDER_REPLICATE)
    x, y = (int(v) + half for v in (middle(body, EYES) * 0.8 + middle(body, MOUTH) * 0.2))
    return np.asarray(wide[y - half : y + half, x - half : x + half], np.uint8)


def masked(image: Image, body: Body, gap: float, colour: tuple[int, int, int]) -> Image:
    """A band across the eyes as a sleep mask covers them."""
    left, right = body.points[EYES[0]].astype(float), body.points[EYES[1]].astype(float)
    along = (right - left) / max(float(np.linalg.norm(right - left)), 1.0)
    up = np.array([-along[1], along[0]])
    centre, wide, high = (left + right) / 2, 1.25 * gap, 0.5 * gap
    corners = [centre + a * wide * along + b * high * up for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return np.asarray(cv2.fillPoly(image.copy(), [np.array(corners).astype(np.int32)], colour), np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+")
    a = parser.parse_args()
    net, model = Net.load("night_head"), PoseLandmarker(locate(MODEL), confidence=0.5)
    g = np.random.default_rng(5)
    said: dict[str, list[float]] = {"bare": [], "black": [], "coloured": []}
    for path in sorted(p for f in a.folders for p in f.iterdir()):
        found = heads_of(path, model)
        if found is None:
            continue
        image, body, gap = found
        face: Face = face_of([crop_of(image, body, gap)])
        colour = tuple(int(v) for v in g.integers(0, 200, 3))
        for name, shown in (
            ("bare", image),
            ("black", masked(image, body, gap, (12, 10, 10))),
            ("coloured", masked(image, body, gap, colour)),  # type: ignore[arg-type]
        ):
            known = NOBODY if name == "bare" else face  # a bare face compared with itself would be no test
            p = net.probabilities(head_input(crop_of(shown, body, gap), known)[None])[0]
            said[name].append(float(p[0] + p[1]))
    model.close()
    for name, values in said.items():
        p = np.array(values)
        right, wrong = (int((p <= OFF).sum()), int((p >= ON).sum()))
        if name != "bare":
            right, wrong = wrong, right
        sys.stdout.write(
            f"{name:9} {len(p)} heads: right {right}, wrong {wrong}, cannot tell {len(p) - right - wrong}; of answers "
            f"{right / max(right + wrong, 1):.3f} {wilson(right, max(right + wrong, 1))}\n"
        )


if __name__ == "__main__":
    main()
