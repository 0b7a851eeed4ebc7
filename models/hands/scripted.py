"""A hand model that says what it was told to: for tests of everything above it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mafiavar.models.hands.base import Hand, RgbImage


class ScriptedHands:
    """`answer(image)` gives the hands of a picture; deterministic if `answer` is."""

    def __init__(self, answer: Callable[[RgbImage], Sequence[Hand]]) -> None:
        self._answer = answer
        self.calls = 0

    def find(self, image: RgbImage) -> list[Hand]:
        self.calls += 1
        return sorted(self._answer(image), key=lambda h: (float(h.points[0, 0]), float(h.points[0, 1])))

    def close(self) -> None:
        return
