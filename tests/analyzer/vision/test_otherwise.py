"""Seats beside their usual picture: who is asked, who holds the mask, who stands up; and the nets themselves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from mafiavar.analyzer.media.picture import pictures
from mafiavar.analyzer.media.recording import index
from mafiavar.analyzer.seats import SeatMap
from mafiavar.analyzer.span import SECOND, Span
from mafiavar.analyzer.vision import by_day
from mafiavar.analyzer.vision import otherwise as module
from mafiavar.analyzer.vision.bodies import rising_box
from mafiavar.analyzer.vision.by_day import answer_by_day
from mafiavar.analyzer.vision.night import answer_night
from mafiavar.analyzer.vision.otherwise import otherwise
from mafiavar.analyzer.vision.place import lay_table
from mafiavar.analyzer.vision.question import Question, QuestionKind, Tell
from mafiavar.analyzer.vision.sitting import EVERY, Look
from mafiavar.models.heads.changed import SIDE, held_input, reach_input
from mafiavar.models.heads.net import Net

TABLE = Path(__file__).parents[3] / "sample_videos" / "first_table.mp4"
PICTURES = np.load(Path(__file__).with_name("doing.npz"))
"""Eight stills of each kind of three studio casts that no net has seen, each now and as the seat usually looks."""


class Redder:
    """In place of a net: sure where the picture is redder than usual."""

    classes = ("else", "so")

    def __init__(self) -> None:
        self.asked = 0

    def probabilities(self, x: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        self.asked += len(x)
        p = np.where((x[..., 2] - x[..., 5]).mean(axis=(1, 2)) > 0.1, 0.97, 0.02)
        return np.stack([1 - p, p], axis=-1)


def shown() -> npt.NDArray[np.uint8]:
    """Forty samples of two seats; the second reddens from sample 10 to 15 and gets bluer from 30 on for three."""
    out = np.full((40, 2, SIDE, SIDE, 3), 90, np.uint8)
    out[:, :, :4] = 255  # a wall, by which the light is measured
    out[10:16, 1, 8:, :, 2] = 200
    out[30:33, 1, 8:, :, 0] = 200
    return out


def test_only_what_changed_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    net = Redder()
    monkeypatch.setattr(module, "net_of", lambda _name: net)
    p = otherwise("risen", shown())
    assert p.shape == (40, 2, 1) and net.asked == 9
    assert (p[10:16, 1, 0] > 0.9).all() and (p[30:33, 1, 0] < 0.1).all()
    assert not p[:, 0].any() and not p[16:30].any()


def test_a_mask_that_is_held_is_told_and_the_arm_is_not(
    monkeypatch: pytest.MonkeyPatch, table: SeatMap
) -> None:
    """Arms of some are down from 86.6 to 89.5 s; if a hand held the mask all that time it would be told instead."""
    recording, window = index(TABLE), Span.of(85.5, 94)
    asked = [Question(k, table.numbers, window) for k in (QuestionKind.MASK, QuestionKind.POSTURE)]

    def down(answers: tuple[object, ...]) -> set[int]:
        return {a.seat for a in answers if a.value == "arms_down"}  # type: ignore[attr-defined]

    plain = answer_night(recording, table, asked, workers=0)
    assert not [a for a in plain if a.value == "held"]
    bare = {a.seat for a in plain if a.kind is QuestionKind.MASK and a.tell is Tell.YES}
    seat = min(down(plain) - bare)

    def holds(_net: str, pictures: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
        out = np.zeros((*pictures.shape[:2], 1))
        out[:, table.numbers.index(seat)] = 0.97
        return out

    monkeypatch.setattr("mafiavar.analyzer.vision.night.otherwise", holds)
    told = answer_night(recording, table, asked, workers=0)
    (held,) = [a for a in told if a.value == "held"]
    assert (held.kind, held.seat, held.tell) == (QuestionKind.MASK, seat, Tell.YES)
    assert down(told) == down(plain) - {seat}


def test_who_stands_is_told_and_nobody_else(monkeypatch: pytest.MonkeyPatch, table: SeatMap) -> None:
    """A net that calls a body red "standing", shown pictures in which seat 3 reddens for three seconds."""
    recording, window = index(TABLE), Span.of(20, 50)
    real, k = by_day.looks, table.numbers.index(3)

    class Red(Redder):
        classes = ("sits", "stands", "gone")

        def probabilities(self, x: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
            p = super().probabilities(x)
            return np.concatenate([p, np.zeros((len(x), 1))], axis=-1)

    def reddened(*args: Any, **how: Any) -> Look:
        look = real(*args, **how)
        red = look.shown.copy()
        for i, t in enumerate(look.times):
            if 31 <= t / SECOND <= 34:
                red[i, k, SIDE // 4 :, :, 2] = 255
        return replace(look, shown=red)

    monkeypatch.setattr(module, "net_of", lambda _name: Red())
    monkeypatch.setattr(by_day, "looks", reddened)
    monkeypatch.setattr(by_day, "look_at", lambda rec, seats, span, faces, **how: reddened(rec, seats, pictures(rec, span, every=EVERY), faces, **how))  # fmt: skip
    asked = [Question(QuestionKind.DAY, table.numbers, window)]
    told = [a for a in answer_by_day(recording, table, asked, workers=0) if a.value == "standing"]
    assert [(a.kind, a.seat, a.tell) for a in told] == [(QuestionKind.POSTURE, 3, Tell.YES)]
    assert abs(told[0].span.t0 / SECOND - 31) < 0.5 and abs(told[0].span.t1 / SECOND - 34) < 0.5
    assert len(told[0].evidence) == 3


def test_where_is_looked_lies_in_the_picture_and_holds_the_body(table: SeatMap) -> None:
    laid = lay_table(table)
    for place in laid.places:
        x, y, w, h = rising_box(place, table.size)
        assert w == h and 0 <= x <= table.size[0] - w and 0 <= y <= table.size[1] - h
        middle = place.box.x + place.box.w / 2, place.box.y + place.box.h / 2
        assert x <= middle[0] <= x + w and y <= middle[1] <= y + h
    moved = replace(laid.places[0], box=replace(laid.places[0].box, y=-20.0))
    assert rising_box(moved, table.size)[1] == 0


@pytest.mark.parametrize(("net", "so"), [("risen", "stands"), ("risen", "gone"), ("held", "holds")])
def test_the_nets_know_most_of_what_they_were_made_for(net: str, so: str) -> None:
    read = Net.load(net)
    k = read.classes.index(so)
    share = []
    for name in (so, f"not_{so}"):
        now, usual = PICTURES[f"{name}_now"], PICTURES[f"{name}_usual"]
        made = held_input if net == "held" else reach_input
        p = read.probabilities(np.stack([made(a, b) for a, b in zip(now, usual, strict=True)]))
        share.append(float(p[:, k].mean()))
    assert share[0] >= 0.3 and share[1] <= 0.1
