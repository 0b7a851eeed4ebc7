"""Somebody seen from behind: what leaning is, and which of two looks is the usual one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from mafiavar.analyzer.vision import backs
from mafiavar.analyzer.vision.backs import leans, look_from_behind
from mafiavar.models.heads.changed import SIDE, compared
from mafiavar.models.heads.net import Net


def cloth(seed: int) -> np.ndarray:
    """A patterned back, SIDE x 2 SIDE x 3."""
    g = np.random.default_rng(seed)
    small = g.integers(40, 200, (12, 24, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(small, (2 * SIDE, SIDE), interpolation=cv2.INTER_CUBIC), np.uint8)


@pytest.mark.parametrize(("shift", "leaning"), [(0, False), (2, False), (8, True), (-10, True)])
def test_a_trunk_to_the_side_of_its_place_leans(shift: int, leaning: bool) -> None:
    wide = cloth(3)
    usual, now = (np.ascontiguousarray(wide[:, 24 + s : 24 + s + SIDE]) for s in (0, -shift))
    assert leans(now, usual) is leaning


def test_a_trunk_that_is_not_found_again_does_not_lean() -> None:
    assert not leans(cloth(5)[:, :SIDE], cloth(3)[:, :SIDE])


class Brighter:
    """In place of the nets: somewhat like its usual picture unless its upper half is brighter than that."""

    def probabilities(self, x: np.ndarray) -> np.ndarray:
        up = x[:, : SIDE // 2, :, :3].mean(axis=(1, 2, 3)) - x[:, : SIDE // 2, :, 3:].mean(axis=(1, 2, 3))
        proper = np.where(up > 0.1, 0.02, 0.9)
        return np.stack([proper, 1 - proper], axis=-1)


@pytest.mark.parametrize("awake", [(10, 20), (8, 38)])
def test_the_usual_look_is_the_proper_one_however_short(
    monkeypatch: pytest.MonkeyPatch, awake: tuple[int, int]
) -> None:
    """Ten or thirty of forty-six samples with something bright on top: these are the departures."""
    monkeypatch.setattr(backs, "net_of", lambda _name: Brighter())
    shown = np.full((46, SIDE, SIDE, 3), 60, np.uint8)
    shown[:, SIDE // 2 :] = 150
    shown[awake[0] : awake[1], : SIDE // 2] = 140
    back = look_from_behind(shown, shown)
    departed = np.zeros(46, bool)
    departed[awake[0] : awake[1]] = True
    assert ((back.bowed < 0.5) == departed).all() and not back.leans.any()


def test_the_shipped_nets_take_a_picture_beside_itself_for_usual() -> None:
    crop = cloth(7)[:, :SIDE]
    for name in ("back_head", "back_arms"):
        said = Net.load(name).probabilities(compared(crop, crop)[None])
        assert said[0, 0] > 0.5
