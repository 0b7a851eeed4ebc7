"""Half-second tiles on the disk: what was looked at once is not looked at again.

A tile depends on the recording, the seat map and the model, not on the question that asked for
it. A window that moves a little, a second run with other thresholds, and two questions that
overlap share their tiles.
"""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mafiavar.analyzer.vision.tiles import Sighting, Tile

_ARRAYS = ("times", "pts", "thumbs", "above", "clear", "light", "sharp")


@dataclass(frozen=True, slots=True)
class TileStore:
    """Tiles of one recording under one key, a file each, in `folder` (made when first written to)."""

    folder: Path

    def load(self, index: int) -> Tile | None:
        """The tile, or None when it is not there or was damaged."""
        try:
            with np.load(self._file(index), allow_pickle=False) as z:
                n = len(z["crop"])
                return Tile(
                    index=index,
                    **{name: z[name] for name in _ARRAYS},
                    sightings=tuple(
                        Sighting(
                            t=int(z["when"][i]), pts=int(z["at"][i]), crop=int(z["crop"][i]), scale=int(z["scale"][i]),
                            points=z["points"][i], world=z["world"][i],
                            right=float(z["sure"][i, 0]), score=float(z["sure"][i, 1]),
                        )
                        for i in range(n)
                    ),
                )  # fmt: skip
        except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile):
            return None

    def save(self, tile: Tile) -> None:
        """Write one tile; a killed run leaves it whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        s = tile.sightings
        # Not .npz: numpy would add it to the name of the part.
        part = self.folder / f".part-{tile.index}-{os.getpid()}"
        try:
            with part.open("wb") as f:
                np.savez_compressed(
                    f,
                    **{name: getattr(tile, name) for name in _ARRAYS},
                    when=np.array([x.t for x in s], np.int64),
                    at=np.array([x.pts for x in s], np.int64),
                    crop=np.array([x.crop for x in s], np.int64),
                    scale=np.array([x.scale for x in s], np.int64),
                    points=np.stack([x.points for x in s]) if s else np.zeros((0, 21, 2), np.float32),
                    world=np.stack([x.world for x in s]) if s else np.zeros((0, 21, 3), np.float32),
                    sure=np.array([(x.right, x.score) for x in s], float).reshape(-1, 2),
                )
            part.replace(self._file(tile.index))
        finally:
            part.unlink(missing_ok=True)

    def tidy(self) -> None:
        """Remove what a killed run left half written. Only while no other run writes here."""
        for part in self.folder.glob(".part-*"):
            part.unlink(missing_ok=True)

    def _file(self, index: int) -> Path:
        return self.folder / f"{index:07d}.npz"
