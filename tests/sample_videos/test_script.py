"""Scripts: written and read without loss; bad ones refused with the item at fault."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mafiavar.sample_videos.errors import ScriptError
from mafiavar.sample_videos.samples import SAMPLES
from mafiavar.sample_videos.script import Script, as_json, from_json, load, save
from tests.sample_videos.conftest import timed

Edit = Callable[[dict[str, Any]], None]


def good() -> dict[str, Any]:
    return as_json(SAMPLES["first_table"]())


def test_reading_back_gives_the_same_script(tmp_path: Path) -> None:
    script = SAMPLES["first_table"]()
    save(script, tmp_path / "a.json")
    again = load(tmp_path / "a.json")
    assert as_json(again) == as_json(script)
    save(again, tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def first(d: dict[str, Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(a for a in d["acts"] if a["kind"] == kind)
    return found


def double_hand(d: dict[str, Any]) -> None:
    d["acts"].append(copy.deepcopy({k: v for k, v in first(d, "hand").items() if k != "event"}))


BAD: dict[str, tuple[Edit, str]] = {
    "schema": (lambda d: d.update(schema="mafiavar/script@9"), "schema"),
    "rules": (lambda d: d.update(ruleset="poker"), "ruleset"),
    "no lines": (lambda d: d.update(lines=[]), "lines"),
    "unknown seat speaks": (lambda d: d["lines"][2].update(speaker=11), "lines[2]"),
    "seat as text": (lambda d: d["lines"][2].update(speaker="5"), "lines[2]"),
    "time goes back": (lambda d: d["lines"][3].update(gap=-1.0), "lines[3]"),
    "empty line": (lambda d: d["lines"][3].update(text="  "), "lines[3]"),
    "same id twice": (lambda d: d["lines"][3].update(id=d["lines"][1]["id"]), "lines[3]"),
    "over a later line": (lambda d: d["lines"][3].update(over=d["lines"][9]["id"]), "lines[3]"),
    "word that is not there": (lambda d: d["lines"][3].update(named=40), "lines[3]"),
    "gap is text": (lambda d: d["lines"][3].update(gap="soon"), "lines[3]"),
    "missing voice": (lambda d: d.update(voices={"judge": {}}), "voices"),
    "anchor nowhere": (lambda d: d["acts"][0].update({"from": ["l9999", "start", 0]}), "acts[0]"),
    "anchor edge": (lambda d: d["acts"][0].update({"from": ["l0001", "middle", 0]}), "acts[0]"),
    "anchor shape": (lambda d: d["acts"][0].update({"from": 12.5}), "acts[0]"),
    "unknown act": (lambda d: d["acts"][0].update(kind="dance"), "acts[0]"),
    "unknown form": (lambda d: first(d, "hand").update(form="claw"), "acts["),
    "eleven fingers": (lambda d: first(d, "sign").update(number=11), "acts["),
    "flag on seat 0": (lambda d: d["flags"][0].update(seats=[0]), "flags[0]"),
    "act without seat": (lambda d: d["acts"][1].pop("seat"), "acts[1]"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_script_is_refused_where_it_is_bad(name: str) -> None:
    edit, where = BAD[name]
    data = good()
    edit(data)
    with pytest.raises(ScriptError) as error:
        from_json(data)
    assert error.value.where.startswith(where)
    assert error.value.ru != error.value.en


def test_overlapping_hands_of_one_arm_are_refused() -> None:
    data = good()
    double_hand(data)
    script = from_json(data)
    with pytest.raises(ScriptError, match=rf"acts\[{len(script.acts) - 1}\]"):
        timed(script)


def test_an_act_that_ends_before_it_begins_is_refused() -> None:
    data = good()
    hand = first(data, "hand")
    hand["from"], hand["to"] = hand["to"], hand["from"]
    where = data["acts"].index(hand)
    with pytest.raises(ScriptError, match=rf"acts\[{where}\]"):
        timed(from_json(data))


def test_what_is_no_json_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"schema": 1,\n oops}', encoding="utf-8")
    with pytest.raises(ScriptError, match="2"):
        load(tmp_path / "x.json")
    (tmp_path / "y.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ScriptError):
        load(tmp_path / "y.json")
    with pytest.raises(ScriptError):
        load(tmp_path / "nothing.json")


def test_conditions_replace_only_what_they_name() -> None:
    script: Script = SAMPLES["first_table"]()
    other = script.with_conditions({"snr_db": 10})
    assert other.sound["snr_db"] == 10
    assert {k: v for k, v in other.sound.items() if k != "snr_db"} == {
        k: v for k, v in script.sound.items() if k != "snr_db"
    }
    assert json.dumps(as_json(script)["lines"]) == json.dumps(as_json(other)["lines"])
