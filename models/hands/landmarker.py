"""MediaPipe's hand landmarker (Tasks API) as a `HandModel`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mafiavar.models.hands.base import Hand, RgbImage
from mafiavar.models.quiet import quiet_stderr

MODEL = "hand-landmarker"
"""Its name in models/registry.toml."""

_QUIET_CALLS = 3


class HandLandmarker:
    """IMAGE mode: each picture is judged by itself, so that a result depends on nothing else.

    Args:
        path: `hand_landmarker.task`.
        hands: at most so many hands per picture.
        confidence: least confidence of the palm detector and of the landmarks.
    """

    def __init__(self, path: Path, *, hands: int = 4, confidence: float = 0.3) -> None:
        from mediapipe.tasks.python import BaseOptions, vision

        with quiet_stderr():
            self._task: Any = vision.HandLandmarker.create_from_options(
                vision.HandLandmarkerOptions(
                    base_options=BaseOptions(model_asset_buffer=path.read_bytes()),
                    num_hands=hands,
                    min_hand_detection_confidence=confidence,
                    min_hand_presence_confidence=confidence,
                )
            )
        self._calls = 0

    def find(self, image: RgbImage) -> list[Hand]:
        import mediapipe as mp

        picture = mp.Image(image_format=mp.ImageFormat.SRGB, data=np.ascontiguousarray(image))
        if self._calls < _QUIET_CALLS:
            self._calls += 1
            with quiet_stderr():
                found = self._task.detect(picture)
        else:
            found = self._task.detect(picture)
        height, width = image.shape[:2]
        hands = []
        for marks, world, sides in zip(
            found.hand_landmarks, found.hand_world_landmarks, found.handedness, strict=True
        ):
            side = sides[0]
            hands.append(
                Hand(
                    points=np.array([(p.x * width, p.y * height) for p in marks], np.float32),
                    world=np.array([(p.x, p.y, p.z) for p in world], np.float32),
                    right=float(side.score if side.category_name == "Right" else 1 - side.score),
                    score=float(side.score),
                )
            )
        hands.sort(key=lambda h: (float(h.points[0, 0]), float(h.points[0, 1])))
        return hands

    def close(self) -> None:
        self._task.close()
