"""Readers and writers: round trips, formats found by content, and bad input that never ends in a traceback."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.protocol import read_protocol, to_json, write_protocol
from mafiavar.analyzer.protocol.load import read_bytes
from mafiavar.engine.audit import audit, audit_file_rules
from mafiavar.engine.record import BestMoveRecord, FoulRecord, RevealRecord
from mafiavar.engine.ruleset import RULESETS
from mafiavar.engine.scoring import Played, score_game, standings
from mafiavar.ui.cli.protocol import check, convert
from mafiavar.ui.cli.protocol import to_json as audit_json

from legal import legal_record  # isort: skip  (tests/engine/legal.py)

QUIET = settings(max_examples=50, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
MINIMAL: dict[str, Any] = {"schema": "mafiavar/protocol@1", "ruleset": "fsm-2026", "days": [], "nights": []}


def write(tmp_path: Path, data: object, name: str = "p.json") -> Path:
    path = tmp_path / name
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return path


# --- round trips


@pytest.mark.parametrize("to", ["mafiavar", "csv", "xlsx"])
@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda r: r.name)
def test_round_trip_keeps_the_audit(tmp_path: Path, to: str, rules: Any) -> None:
    for seed in range(4):
        record = legal_record(rules, seed, foul_chance=0.15, tie_chance=0.6)
        path = tmp_path / f"game.{to}"
        write_protocol(record, path, to)  # type: ignore[arg-type]
        reading = read_protocol(path)
        assert reading.problems == ()
        again, first = audit(reading.record, rules), audit(record, rules)
        assert (again.winner, again.left, again.findings) == (first.winner, first.left, first.findings)
        before, after = to_json(record), to_json(reading.record)
        for part in ("ruleset", "days", "nights", "winner", "best_move"):
            assert after.get(part) == before.get(part), part


@pytest.mark.parametrize("to", ["mafiavar", "csv", "xlsx"])
def test_round_trip_keeps_words_points_and_offences(tmp_path: Path, to: str) -> None:
    record = legal_record(RULESETS["fsm-2026"], 2)
    day = replace(
        record.days[0], fouls=(FoulRecord(3, "foul", 1, "voting", None, "4.5.9"),),
        testament={"seat": 5, "points": 0.2, "reds": [6, 7]}, protocol={"seat": 5, "blacks": [1], "version": 4},
        reveals=(RevealRecord(5, "sheriff", True),),
    )  # fmt: skip
    record = replace(
        record, days=(day, *record.days[1:]), bonus={5: 0.4, 6: -0.2}, nicknames={s: f"Игрок {s}" for s in range(1, 11)},
        best_moves=(BestMoveRecord(5, (1, 2, 3), (1, 2, 4), (3,)),),
    )  # fmt: skip
    path = tmp_path / f"game.{to}"
    write_protocol(record, path, to)  # type: ignore[arg-type]
    reading = read_protocol(path)
    assert reading.problems == ()
    assert to_json(reading.record) == to_json(record)


def test_written_bytes_are_the_same_each_time(tmp_path: Path) -> None:
    record = legal_record(RULESETS["fsm-2026"], 3)
    for to in ("mafiavar", "csv"):
        write_protocol(record, tmp_path / "a", to)  # type: ignore[arg-type]
        write_protocol(record, tmp_path / "b", to)  # type: ignore[arg-type]
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_convert_never_overwrites_its_source(tmp_path: Path) -> None:
    path = write(tmp_path, to_json(legal_record(RULESETS["fsm-2026"], 1)), "game.json")
    before = path.read_bytes()
    with pytest.raises(UsageError):
        convert(path, "mafiavar", path)
    with pytest.raises(UsageError):
        convert(path, "pdf", None)
    target = convert(path, "csv", None)
    assert target == tmp_path / "game.csv" and path.read_bytes() == before


# --- the sites' shapes (made up, not anybody's game)


def ratings_game() -> dict[str, Any]:
    players: list[dict[str, Any]] = [{"id": i, "name": f"p{i}"} for i in range(1, 11)]
    for seat, role in ((1, "don"), (2, "maf"), (3, "maf"), (4, "sheriff")):
        players[seat - 1]["role"] = role
    for player in players:
        player["voting"] = [None, 1]
    players[9].update(death={"round": 1, "type": "night"}, legacy=[1, 2, 3], voting=[None])
    players[0].update(death={"round": 1, "type": "day"}, shooting=[10])
    players[1].update(shooting=[10, 5])
    players[2].update(shooting=[10, 5])
    players[4].update(death={"round": 2, "type": "night"}, nominating=[None, 1])
    players[5]["sheriff"] = 1
    return {"id": 1, "players": players, "winner": None}


def test_mafiaratings_shape(tmp_path: Path) -> None:
    reading = read_protocol(write(tmp_path, ratings_game()))
    assert reading.source == "mafiaratings"
    result = audit_file_rules(reading.record)
    assert [(x.phase, x.number, x.seats, x.by) for x in result.left] == [
        ("night", 1, (10,), "shot"), ("day", 2, (1,), "vote"), ("night", 2, (5,), "shot"),
    ]  # fmt: skip
    assert result.winner is None


def polemica_game(wrapped: bool) -> dict[str, Any]:
    roles = {1: 0, 2: 1, 3: 1, 4: 3}
    game: dict[str, Any] = {
        "players": [{"position": s, "role": roles.get(s, 2), "fouls": [], "techs": []} for s in range(1, 11)],
        "votes": [
            {"day": 1, "num": 0, "voter": 5, "candidate": 1},
            {"day": 2, "num": 0, "voter": 5, "candidate": 1},
            *({"day": 2, "num": 1, "voter": s, "candidate": 1} for s in range(1, 10)),
        ],
        "shots": [{"night": 1, "shooter": s, "victim": 10} for s in (1, 2, 3)],
        "checks": [{"night": 1, "role": 3, "player": 1}],
        "zeroVoting": "none",
        "stage": {"type": "speech", "day": 3},
        "result": None,
    }
    return {"id": 7, "type": "match", "data": game} if wrapped else game


@pytest.mark.parametrize("wrapped", [False, True])
def test_polemica_shapes(tmp_path: Path, wrapped: bool) -> None:
    reading = read_protocol(write(tmp_path, polemica_game(wrapped)))
    assert reading.source == "polemica"
    assert reading.record.site_options["day_one_vote"] == "none"
    result = audit_file_rules(reading.record)
    assert [(x.phase, x.number, x.seats) for x in result.left] == [("night", 1, (10,)), ("day", 2, (1,))]


def test_polemica_bonuses(tmp_path: Path) -> None:
    game = polemica_game(True)
    game["data"]["bonuses"] = [
        {"position": 5, "text": "x", "scores": 0.3, "basic": False}, {"position": 5, "scores": 0.1},
        {"position": 6, "scores": -0.2}, {"position": 7, "scores": 1, "basic": True},
        {"position": 12, "scores": 1}, {"position": 8, "scores": "many"},
    ]  # fmt: skip
    reading = read_protocol(write(tmp_path, game))
    assert reading.record.bonus == {5: 0.4, 6: -0.2}
    assert [p.kind for p in reading.problems] == ["seat_impossible", "bad_type"]


def test_polemica_best_move_keeps_the_colours_named(tmp_path: Path) -> None:
    """Under the texts only numbers named as black can hit: here 1 (the don) does, 2 (black, called red) does not."""
    game = polemica_game(True)
    game["data"]["players"][9]["guess"] = {"mafs": [1, 5], "civs": [2]}
    record = read_protocol(write(tmp_path, game)).record
    assert record.best_moves == (BestMoveRecord(10, (1, 5, 2), None, (2,)),)
    assert score_game(record, RULESETS["fsm-2026"]).total(10, ("best_move",)) == 100


def test_house_rules_are_used_and_options_win(tmp_path: Path) -> None:
    data = to_json(legal_record(RULESETS["fsm-2026"], 0))
    data["options"] = {"day_one_vote": "none"}
    assert read_protocol(write(tmp_path, data)).record.options == {"day_one_vote": "none"}
    data["options"] = {"no_such": 1, "day_one_vote": "sometimes"}
    reading = read_protocol(write(tmp_path, data))
    assert [p.kind for p in reading.problems] == ["unknown_option", "unknown_option"]


# --- bad input


@pytest.mark.parametrize(
    "content",
    [b"", b"   ", b"{", b"[1,2", b"\x00\x01\x02", b'{"a": 1}', b"[]", b"null", b"PK\x03\x04broken", b"hello\nworld",
     b'{"players": []}', b'{"players": [1, 2]}', b"[" * 100_000, b'{"a":' * 50_000, b'{"days": ' + b"9" * 6000 + b"}"],
)  # fmt: skip
def test_unreadable_files_end_with_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(UsageError) as error:
        read_protocol(path)
    assert error.value.exit_code == 2
    assert error.value.russian and error.value.english


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as out:
        out.truncate(200 * 1024 * 1024)
    with pytest.raises(UsageError):
        read_protocol(path)


def test_missing_and_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.json", tmp_path):
        with pytest.raises(UsageError):
            read_protocol(path)


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"days": [{"day": -1}]}, "day_impossible"),
        ({"days": [{"day": 1, "speakers": [11]}]}, "seat_impossible"),
        ({"days": [{"day": 1, "speakers": "1, 2"}]}, "bad_type"),
        ({"days": [7]}, "bad_type"),
        ({"days": {"1": {}}}, "bad_type"),
        ({"seats": {"1": {"role": "king"}}}, "bad_value"),
        ({"seats": {"0": {}}}, "seat_impossible"),
        ({"ruleset": "chess"}, "unknown_ruleset"),
        ({"winner": True}, "bad_type"),
        ({"nights": [{"night": 1, "shots": [1, 2]}]}, "bad_type"),
        ({"nights": [{"night": 1, "checks": [{"by": "judge", "target": 2}]}]}, "bad_type"),
        ({"bonus": {"1": "much"}}, "bad_type"),
    ],
)
def test_single_bad_values_are_named_and_the_rest_is_read(
    tmp_path: Path, changes: dict[str, Any], kind: str
) -> None:
    reading = read_protocol(write(tmp_path, {**MINIMAL, **changes}))
    assert kind in [p.kind for p in reading.problems]
    data = audit_json(check(tmp_path / "p.json"))
    assert data["schema"] == "mafiavar/audit@1"
    assert any(f["severity"] == "error" and f["text"] for f in data["findings"])


def test_doubled_keys_and_code_pages(tmp_path: Path) -> None:
    path = write(
        tmp_path, '{"schema": "mafiavar/protocol@1", "days": [], "days": [{"day": 1}], "nights": []}'
    )
    assert [p.kind for p in read_protocol(path).problems] == ["duplicate_key"]
    path.write_bytes(json.dumps(MINIMAL).replace("}", ', "note": "Игра"}').encode("cp1251"))
    assert [p.kind for p in read_protocol(path).problems] == ["encoding"]
    path.write_bytes(json.dumps(MINIMAL).encode("utf-16"))
    assert read_protocol(path).problems == ()


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 12), st.floats(), st.text(max_size=4), st.just([]), st.just({}),
    st.lists(st.integers(-1, 12), max_size=3), st.dictionaries(st.text(max_size=2), st.integers(-1, 11), max_size=2),
    st.just(10**30), st.just("11"), st.just("1"),
)  # fmt: skip


def places(value: Any) -> list[tuple[Any, Any]]:
    """(container, key) of everything inside."""
    out: list[tuple[Any, Any]] = []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        out.append((value, key))
        out += places(inner)
    return out


SHAPES = {
    "mafiavar": lambda: to_json(legal_record(RULESETS["fsm-2026"], 2, foul_chance=0.3)),
    "mafiaratings": ratings_game,
    "polemica": lambda: polemica_game(True),
}


@pytest.mark.parametrize("shape", SHAPES)
@QUIET
@given(seed=st.integers(0, 10**9), junk=st.lists(JUNK, min_size=1, max_size=6))
def test_fuzzed_values(shape: str, seed: int, junk: list[Any]) -> None:
    """Any value anywhere replaced by junk: findings, or a sentence; never another exception."""
    data = json.loads(json.dumps(SHAPES[shape]()))
    rng = random.Random(seed)
    for value in junk:
        container, key = rng.choice(places(data))
        if isinstance(container, dict) and rng.random() < 0.2:
            container.pop(key, None)
        elif isinstance(container, dict) or (isinstance(container, list) and key < len(container)):
            container[key] = value
    survives(json.dumps(data).encode())


@pytest.mark.parametrize("to", ["mafiavar", "csv", "xlsx"])
@QUIET
@given(seed=st.integers(0, 10**9))
def test_fuzzed_bytes(to: str, seed: int) -> None:
    from mafiavar.analyzer.protocol.write import encode

    rng = random.Random(seed)
    content = bytearray(encode(legal_record(RULESETS["disbord"], 5), to))  # type: ignore[arg-type]
    for _ in range(rng.randint(1, 8)):
        place = rng.randrange(len(content))
        if rng.random() < 0.5:
            content[place] = rng.randrange(256)
        else:
            del content[place : place + rng.randint(1, 40)]
    survives(bytes(content))


def survives(content: bytes) -> None:
    try:
        reading = read_bytes(content, "fuzz")
    except UsageError:
        return
    for name in (None, *RULESETS):
        result = audit_file_rules(reading.record, name)
        assert result.winner in (None, "red", "black", "draw")
        for finding in result.findings:
            assert finding.severity in ("error", "warning", "unchecked")
        score = score_game(reading.record, RULESETS[name or "fsm-2026"])
        assert all(isinstance(p.milli, int) for p in score.points)
    standings([Played("fuzz", reading.record)], RULESETS["fsm-2026"])
    json.dumps(to_json(reading.record))
