"""MediaPipe's pose landmarker (Tasks API) as a `PoseModel`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mafiavar.models.pose.base import Body, RgbImage
from mafiavar.models.quiet import quiet_stderr

MODEL = "pose-landmarker"
"""Its name in models/registry.toml."""

_QUIET_CALLS = 3


class PoseLandmarker:
    """IMAGE mode, one person: a masked face needs the low confidence and a tight crop
    (docs/seeing.md)."""

    def __init__(self, path: Path, *, confidence: float = 0.1) -> None:
        from mediapipe.tasks.python import BaseOptions, vision

        with quiet_stderr():
            self._task: Any = vision.PoseLandmarker.create_from_options(
                vision.PoseLandmarkerOptions(
                    base_options=BaseOptions(model_asset_buffer=path.read_bytes()),
                    num_poses=1,
                    min_pose_detection_confidence=confidence,
                    min_pose_presence_confidence=confidence,
                )
            )
        self._calls = 0

    def find(self, image: RgbImage) -> Body | None:
        import mediapipe as mp

        picture = mp.Image(image_format=mp.ImageFormat.SRGB, data=np.ascontiguousarray(image))
        if self._calls < _QUIET_CALLS:
            self._calls += 1
            with quiet_stderr():
                found = self._task.detect(picture)
        else:
            found = self._task.detect(picture)
        if not found.pose_landmarks:
            return None
        height, width = image.shape[:2]
        marks, world = found.pose_landmarks[0], found.pose_world_landmarks[0]
        return Body(
            points=np.array([(p.x * width, p.y * height) for p in marks], np.float32),
            world=np.array([(p.x, p.y, p.z) for p in world], np.float32),
            visible=np.array([p.visibility for p in marks], np.float32),
        )

    def close(self) -> None:
        self._task.close()
