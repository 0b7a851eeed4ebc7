"""A small picture as numbers: gradients by direction and colour by cell."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

SIDE = 32
_CELLS = 4
_DIRECTIONS = 8


def look_features(image: npt.NDArray[np.uint8]) -> Floats:
    """BGR crop of any size -> 128 gradient and 48 colour features.

    Gradients: histogram of orientations per cell, normalised over the crop (Dalal and Triggs,
    2005); colours: mean LAB per cell against the crop's median, so that neither the light nor the
    size of the picture matters.
    """
    small = cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float64)
    gy, gx = np.gradient(grey)
    strength = np.hypot(gx, gy)
    direction = (np.arctan2(gy, gx) % (2 * np.pi)) / (2 * np.pi) * _DIRECTIONS
    low = np.floor(direction).astype(int) % _DIRECTIONS
    part = direction - np.floor(direction)
    cell = SIDE // _CELLS
    cells = np.zeros((_CELLS, _CELLS, _DIRECTIONS))
    rows, columns = np.indices(grey.shape) // cell
    np.add.at(cells, (rows, columns, low), strength * (1 - part))
    np.add.at(cells, (rows, columns, (low + 1) % _DIRECTIONS), strength * part)
    gradients = np.sqrt(cells / max(float(cells.sum()), 1e-6)).ravel() * 4
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float64)
    spread = max(float(np.percentile(lab[..., 0], 90) - np.percentile(lab[..., 0], 10)), 8.0)
    means = lab.reshape(_CELLS, cell, _CELLS, cell, 3).mean(axis=(1, 3))
    means -= np.median(lab.reshape(-1, 3), axis=0)
    means /= np.array([spread, 20.0, 20.0])
    return np.concatenate([gradients, np.clip(means.ravel(), -3, 3)])
