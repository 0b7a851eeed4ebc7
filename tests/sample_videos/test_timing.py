"""The clock of a script: anchors, the grid of frames, the truth that comes out."""

from __future__ import annotations

import pytest

from mafiavar.sample_videos.composer import Composer
from mafiavar.sample_videos.picture.acting import Acting, Surroundings, is_contact
from mafiavar.sample_videos.samples import SAMPLES
from mafiavar.sample_videos.timing import GRID
from mafiavar.sample_videos.truth import truth_of
from tests.sample_videos.conftest import WORD, timed


def test_named_is_the_end_of_the_marked_word() -> None:
    c = Composer("fsm-2026", 1)
    line = c.judge("Кто за то, чтобы игрок номер три покинул стол?", named="три", gap=0.1)
    t = timed(c.script(lead=1.0))
    p = t.at[line]
    assert p.t0 == pytest.approx(1.1)
    assert p.named == pytest.approx(1.1 + 7 * WORD)
    assert p.t1 == pytest.approx(1.1 + 9 * WORD)


def test_an_interjection_moves_nothing() -> None:
    c = Composer("fsm-2026", 1)
    speech = c.say(1, "Я долго говорю о разном и важном")
    c.say(2, "Да ладно", over=speech, gap=0.5)
    after = c.judge("Фол", gap=0.2)
    t = timed(c.script())
    assert t.at[after].t0 == pytest.approx(t.at[speech].t1 + 0.2)
    assert t.lines[1].t0 == pytest.approx(t.at[speech].t0 + 0.5)


def test_gestures_stand_on_frames() -> None:
    t = timed(SAMPLES["first_table"]())
    for a in t.acts:
        for x in (a.t0, a.t1):
            assert abs(x / GRID - round(x / GRID)) < 1e-6 or x == t.duration


def test_truth_keeps_the_vocabulary() -> None:
    t = timed(SAMPLES["first_table"]())
    truth = truth_of(t, "x.mp4", {})
    assert truth["schema"] == "mafiavar/truth@1"
    casts = [e for e in truth["events"] if e["kind"] == "vote_cast"]
    assert len(casts) == 10
    for e in casts:
        hand = truth["hands"][e["hands_index"]]
        assert [hand["t0"], hand["t1"]] == e["contact"] and hand["seat"] == e["seat"]
    calls = {e["target"]: e for e in truth["events"] if e["kind"] == "vote_called"}
    early = next(f for f in truth["flags"] if f["kind"] == "hand_early")
    assert early["t1"] == calls[early["target"]]["t1"]  # the call ends when the number has been said
    assert early["t1"] - early["t0"] > 0.1
    times = [e["t0"] for e in truth["events"]]
    assert times == sorted(times)
    night = [
        e for e in truth["events"] if e["kind"] in ("night_result", "eliminated") and e.get("night") == 1
    ]
    assert {e["day"] for e in night} == {1}
    assert (
        next(e for e in truth["events"] if e["kind"] == "floor_given" and e["t0"] > night[-1]["t0"])["day"]
        == 2
    )


def test_a_hand_is_down_in_exactly_the_frames_of_its_truth(nowhere: Surroundings) -> None:
    t = timed(SAMPLES["first_table"]())
    acting = Acting(t, nowhere, 20)
    hands = [a for a in t.acts if a.act.kind == "hand"]
    assert hands
    for a in hands:
        side = "right" if a.act.fields["hand"] == "right" else "left"
        for k in range(round(a.t0 / GRID) - 15, round(a.t1 / GRID) + 15):
            moment = k * GRID
            b = acting.bearing(a.act.seat, moment)
            assert b is not None
            down = is_contact(getattr(b, side))
            assert down == (a.t0 - 1e-6 <= moment < a.t1 - 1e-6), (a.act.seat, moment, a.t0, a.t1)
