"""The measure itself: perfect cases score 1, nothing scores 0, each kind of error is seen as that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.evaluation import aggregate, evaluate, evaluate_parts
from mafiavar.analyzer.evaluation.aggregate import wilson
from mafiavar.analyzer.evaluation.events import score_events
from mafiavar.analyzer.evaluation.speech import edits, tokens

Record = dict[str, Any]


def truth() -> Record:
    events: list[Record] = [
        {"kind": "day_began", "t0": 1.0, "t1": 3.0, "day": 1},
        {"kind": "floor_given", "t0": 4.0, "t1": 5.0, "day": 1, "seat": 1, "seconds": 60, "purpose": "speech"},
        {"kind": "nominated", "t0": 7.0, "t1": 8.0, "day": 1, "seat": 1, "target": 3, "accepted": True},
        {"kind": "vote_called", "t0": 20.0, "t1": 21.0, "day": 1, "round": 1, "target": 3},
        *(
            {
                "kind": "vote_cast", "t0": 21.5, "t1": 24.0, "day": 1, "round": 1, "target": 3, "seat": s,
                "hand": "right", "form": "fist_vertical", "contact": [21.5, 24.0], "remainder": False,
            }
            for s in (2, 4)
        ),
        {"kind": "vote_announced", "t0": 25.0, "t1": 26.0, "day": 1, "round": 1, "target": 3, "count": 2},
        {"kind": "eliminated", "t0": 30.0, "t1": 31.0, "day": 1, "seats": [3], "by": "vote"},
        {"kind": "night_began", "t0": 40.0, "t1": 41.0, "day": 1, "night": 1, "clipped": True},
    ]  # fmt: skip
    return {
        "schema": "mafiavar/truth@1", "recording": "a.mp4", "duration": 60.0, "ruleset": "fsm-2026",
        "speech": [
            {"t0": 4.0, "t1": 5.0, "speaker": "judge", "text": "Игрок номер один, ваша минута."},
            {"t0": 7.0, "t1": 8.0, "speaker": 1, "text": "Выставляю три."},
        ],
        "events": events,
        "flags": [{"kind": "hand_early", "seat": 4, "t0": 19.0, "t1": 21.0, "day": 1, "clause": None}],
    }  # fmt: skip


def perfect(of: Record) -> dict[str, Record]:
    seats = {str(s): {"vote": "yes" if s in (2, 4) else "no"} for s in range(1, 11)}
    ballot = {"target": 3, "counted": [2, 2], "announced": 2, "seats": seats}
    return {
        "timeline": {"events": [e for e in of["events"] if not e.get("clipped")]},
        "votes": {"rounds": [{"day": 1, "round": 1, "ballots": [ballot]}]},
        "flags": {"flags": [{**f, "seats": [f["seat"]]} for f in of["flags"]]},
        "transcript": {
            "words": [
                {"w": w, "t0": s["t0"] + 0.1 * i, "t1": s["t0"] + 0.1 * i + 0.05, "speaker": s["speaker"]}
                for s in of["speech"]
                for i, w in enumerate(s["text"].split())
            ]
        },
    }


def test_a_perfect_case() -> None:
    result = evaluate_parts(truth(), **perfect(truth()))
    assert result["totals"]["all"]["f1"] == 1.0
    assert result["votes"]["right"] == 10 and result["votes"]["wrong"] == 0
    assert result["protocol"]["exact"]
    assert result["flags"]["hand_early"]["matched"] == 1
    assert result["speech"] == {
        "wer": 0.0, "words": 7, "speaker_accuracy": 1.0, "utterances": 2,
        "speaker_accuracy_judge": 1.0, "speaker_accuracy_players": 1.0,
    }  # fmt: skip
    assert "night_began" not in result["events"], "what the end of the excerpt cuts is not scored"


def test_nothing_found_is_never_right(tmp_path: Path) -> None:
    result = evaluate(truth(), tmp_path)
    assert result["totals"]["all"]["matched"] == 0 and result["totals"]["all"]["recall"] == 0.0
    assert result["votes"] == {
        "right": 0, "wrong": 0, "cannot_tell": 10, "missing": 10,
        "counted": {"inside": 0, "outside": 0, "missing": 1},
        "by_visibility": [
            {"class": "hand, visibility unknown", "right": 0, "wrong": 0, "cannot_tell": 2},
            {"class": "no hand", "right": 0, "wrong": 0, "cannot_tell": 8},
        ],
        "by_size": [{"class": "hand, size unknown", "right": 0, "wrong": 0, "cannot_tell": 2}],
        "errors": [],
    }  # fmt: skip
    assert not result["protocol"]["exact"] and result["protocol"]["right"] == 0
    assert result["speech"]["wer"] is None
    assert len(result["missing_files"]) == 4


@pytest.mark.parametrize(
    ("change", "matched"),
    [
        ({"t0": 8.9}, 1),  # anywhere in the span widened by the tolerance
        ({"t0": 6.1}, 1),
        ({"t0": 9.1}, 0),
        ({"day": 2}, 0),
        ({"target": 4}, 0),
        ({"accepted": False}, 0),
    ],
)
def test_day_fields_and_time_must_agree(change: Record, matched: int) -> None:
    parts = perfect(truth())
    parts["timeline"]["events"] = [
        {**e, **change} if e["kind"] == "nominated" else e for e in parts["timeline"]["events"]
    ]
    row = evaluate_parts(truth(), **parts)["events"]["nominated"]
    assert (row["matched"], len(row["missed"]), len(row["extra"])) == (matched, 1 - matched, 1 - matched)


def test_one_found_event_matches_one_true_event() -> None:
    parts = perfect(truth())
    parts["timeline"]["events"] *= 2
    row = evaluate_parts(truth(), **parts)["events"]["nominated"]
    assert (row["found"], row["matched"], row["precision"]) == (2, 1, 0.5)


def test_that_a_game_began_is_held_against_nobody_where_the_truth_does_not_say_it() -> None:
    told = {"kind": "game_started", "t0": 0.5, "t1": 1.0, "day": 0}
    silent = truth()
    silent["events"] = [e for e in silent["events"] if e["kind"] != "game_started"]
    assert "game_started" not in score_events(silent["events"], [*silent["events"], told])
    row = score_events([*silent["events"], told], silent["events"])["game_started"]
    assert (row["truth"], row["found"]) == (1, 0)


def test_a_seat_taken_for_dead_is_a_wrong_vote() -> None:
    parts = perfect(truth())
    seats = parts["votes"]["rounds"][0]["ballots"][0]["seats"]
    seats["1"]["vote"] = "out"
    seats["5"]["vote"] = "unknown"
    votes = evaluate_parts(truth(), **parts)["votes"]
    assert (votes["right"], votes["wrong"], votes["cannot_tell"]) == (8, 1, 1)
    assert votes["errors"] == [{"day": 1, "round": 1, "target": 3, "seat": 1, "truth": "no", "found": "out"}]


def test_flags_need_kind_seat_and_time() -> None:
    for change in ({"seats": [5]}, {"t0": 30.0, "t1": 31.0}, {"kind": "hand_late"}):
        parts = perfect(truth())
        parts["flags"]["flags"] = [{**f, **change} for f in parts["flags"]["flags"]]
        result = evaluate_parts(truth(), **parts)["flags"]
        assert result["hand_early"]["matched"] == 0 and result["hand_early"]["recall"] == 0.0


def test_word_errors() -> None:
    assert edits(tokens("Игрок №5, ещё раз"), tokens("игрок пять еще раз")) == 0
    assert edits(["а"], []) == 1 and edits([], ["а", "б"]) == 2
    assert edits(["а", "б", "в", "г"], ["б", "х", "г", "д"]) == 3


def test_pooling_keeps_counts_and_gives_intervals() -> None:
    good, bad = evaluate_parts(truth(), **perfect(truth())), evaluate_parts(truth())
    both = aggregate([good, bad])
    row = both["events"]["nominated"]
    assert (row["truth"], row["matched"], row["recall"]) == (2, 1, 0.5)
    assert row["recall_interval"] == wilson(1, 2)
    assert both["votes"]["cannot_tell"] == 10 and not both["protocol"]["exact"]


def shown(of: Record, visible: float, size: float, **asked: object) -> Record:
    """The same truth as a picture: every voting hand as visible and as large, under these conditions."""
    casts = [e for e in of["events"] if e["kind"] == "vote_cast"]
    hands = [{"seat": e["seat"], "t0": e["t0"], "visible": visible, "size_px": size} for e in casts]
    conditions = {"audio": {"snr_db": asked.pop("snr_db", 25)}, "video": asked}
    return {**of, "video": {"hands": hands}, "conditions": conditions}


def test_votes_are_counted_by_size_light_and_noise_of_the_recording() -> None:
    cases = [
        shown(truth(), 0.9, 45.0), shown(truth(), 0.9, 18.0, low_light=True, noise=2.6, snr_db=12),
        shown(truth(), 0.1, 45.0, noise=2.6),
    ]  # fmt: skip
    results = [evaluate_parts(t, **perfect(t)) for t in cases]
    assert [r["conditions"]["picture"] for r in results] == ["clear", "dark and noisy", "noisy"]
    both = aggregate([*results, evaluate_parts(cases[0])])
    sizes = {row["class"]: row for row in both["votes"]["by_size"]}
    assert {k: (v["right"], v["cannot_tell"]) for k, v in sizes.items()} == {
        "hand, 00-20 px": (2, 0), "hand, 40-60 px": (2, 2), "hand, hidden": (2, 0),
    }  # fmt: skip
    assert sizes["hand, 40-60 px"]["right_of_given_interval"] == wilson(2, 2)
    assert sizes["hand, 40-60 px"]["right_of_all_interval"] == wilson(2, 4)
    light = {row["class"]: row["right"] for row in both["votes"]["by_picture"]}
    assert light == {"clear": 10, "dark and noisy": 10, "noisy": 10}
    sound = {row["class"]: (row["recordings"], row["heard"]["recall"]) for row in both["by_sound"]}
    assert sound["10-15 dB"] == (1, 1.0) and sound["20-30 dB"][0] == 3 and sound["20-30 dB"][1] < 1


def test_folders_are_paired_by_name_and_a_case_never_made_counts_as_nothing(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from mafiavar.ui.cli.app import build

    truths, cases = tmp_path / "truths", tmp_path / "cases"
    for folder in (truths, cases / "a"):
        folder.mkdir(parents=True)
    for name in ("a", "b"):
        (truths / f"{name}.truth.json").write_text(json.dumps(truth()), "utf-8")
    for name, part in perfect(truth()).items():
        (cases / "a" / f"{name}.json").write_text(
            json.dumps({"schema": f"mafiavar/{name}@1", **part}), "utf-8"
        )
    done = CliRunner().invoke(build("ru"), ["eval", str(truths), str(cases), "--json"])
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert (result["votes"]["right"], result["votes"]["cannot_tell"]) == (10, 10)
    assert result["totals"]["all"]["recall"] == 0.5
    assert CliRunner().invoke(build("ru"), ["eval", str(truths), str(cases)]).exit_code == 0
    nothing = CliRunner().invoke(build("ru"), ["eval", str(cases), str(truths)])
    assert isinstance(nothing.exception, UsageError)


def test_files_that_are_something_else_get_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="не файл истины"):
        evaluate({"schema": "x"}, tmp_path)
    with pytest.raises(UsageError, match="Нет папки дела"):
        evaluate(truth(), tmp_path / "absent")
    (tmp_path / "timeline.json").write_text(json.dumps({"schema": "mafiavar/votes@1"}), "utf-8")
    with pytest.raises(UsageError, match="ожидалась схема mafiavar/timeline@1"):
        evaluate(truth(), tmp_path)


def test_shared_truth_against_itself(root: Path) -> None:
    path = root.parent / "shared" / "media" / "games" / "dev_excerpt.truth.json"
    if not path.exists():
        pytest.skip("no shared recordings here")
    real = json.loads(path.read_text("utf-8"))
    events = [e for e in real["events"] if not e.get("clipped")]
    result = evaluate_parts(real, timeline={"events": events}, flags={"flags": real["flags"]})
    assert result["totals"]["all"]["f1"] == 1.0 and result["protocol"]["exact"]
    assert all(row["f1"] == 1.0 for row in result["flags"].values())
    classes = {row["class"] for row in result["votes"]["by_visibility"]}
    assert "hand, visible 0.6-1.0" in classes
