"""Human records: appended, never changed, undone by new entries, put back after re-alignment."""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from mafiavar.ui.store import Store, StoreBroken, StoreRefused, open_store
from mafiavar.ui.store.attach import attach
from mafiavar.ui.store.records import backup, standing, standing_by_author

FLAG = {"kind": "hand_early", "seats": [3], "day": 1, "t0": 33.2, "t1": 33.6}


def verdict(store: Store, said: str, author: str = "Первый", **more: object) -> int:
    return store.append("case", "verdict", FLAG, {"verdict": said}, author=author, **more).id  # type: ignore[arg-type]


def test_what_is_written_is_read_back_with_who_when_and_what_was_shown(store: Store) -> None:
    written = store.append(
        "case",
        "verdict",
        FLAG,
        {"verdict": "confirmed", "reason": "видно «кулак»"},
        author="Ё",
        snapshot={"shown": [1, 2]},
    )
    (read,) = store.of_case("case")
    assert read == written
    assert read.author == "Ё" and read.snapshot == {"shown": [1, 2]} and read.at.endswith("+00:00")
    assert store.of_case("another") == () and store.last_id("case") == read.id


@pytest.mark.parametrize("statement", ["UPDATE records SET author = 'x'", "DELETE FROM records"])
def test_the_database_itself_refuses_to_change_a_record(store: Store, statement: str) -> None:
    verdict(store, "confirmed")
    with pytest.raises(SQLAlchemyError), store.engine.begin() as c:
        c.execute(text(statement))
    assert len(store.of_case("case")) == 1


def test_undo_is_a_new_entry_and_the_one_before_stands_again(store: Store) -> None:
    verdict(store, "confirmed")
    second = verdict(store, "rejected")
    store.undo(second, author="Первый")
    assert len(store.of_case("case")) == 3
    (stands,) = standing(store.of_case("case")).values()
    assert stands.record.payload["verdict"] == "confirmed"
    with pytest.raises(StoreRefused):
        store.undo(second, author="Первый")
    with pytest.raises(StoreRefused):
        store.undo(10**6, author="Первый")


def test_simultaneous_edits_are_shown_and_not_lost(store: Store) -> None:
    first = verdict(store, "confirmed", "Первый")
    verdict(store, "rejected", "Второй")  # has not seen the first
    (stands,) = standing(store.of_case("case")).values()
    assert stands.disputed and [r.id for r in stands.unseen] == [first]
    both = standing_by_author(store.of_case("case"))
    assert {a: [r.payload["verdict"] for r in own.values()] for a, own in both.items()} == {
        "Первый": ["confirmed"],
        "Второй": ["rejected"],
    }


def test_an_edit_that_knew_the_other_is_no_dispute(store: Store) -> None:
    first = verdict(store, "confirmed", "Первый")
    verdict(store, "rejected", "Второй", based_on=first)
    (stands,) = standing(store.of_case("case")).values()
    assert not stands.disputed


def test_many_writers_at_once_lose_nothing(url: str) -> None:
    def write(n: int) -> None:
        own = open_store(url)
        for i in range(10):
            own.append("case", "vote", {"n": n, "i": i}, {}, author=str(n))
        own.engine.dispose()

    threads = [threading.Thread(target=write, args=(n,)) for n in range(5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    store = open_store(url)
    assert len(store.of_case("case")) == 50
    store.engine.dispose()


@dataclass(frozen=True)
class Flag:
    id: str
    kind: str
    seats: tuple[int, ...]
    t0: float
    t1: float


def test_verdicts_go_back_to_the_flag_they_spoke_of_or_are_orphaned(store: Store) -> None:
    verdict(store, "confirmed")
    store.append(
        "case", "verdict", {**FLAG, "t0": 90.0, "t1": 91.0}, {"verdict": "rejected"}, author="Первый"
    )
    store.append("case", "verdict", {**FLAG, "seats": [4]}, {"verdict": "rejected"}, author="Первый")
    moved = [
        Flag("n1", "hand_early", (3,), 33.4, 33.8),  # the same, moved a little
        Flag("n2", "hand_early", (3,), 95.0, 96.0),  # too far from the second
        Flag("n3", "hand_late", (4,), 33.2, 33.6),  # another kind than the third
    ]
    found = attach(store.of_case("case"), moved)
    assert {k: [r.payload["verdict"] for r in v] for k, v in found.by_flag.items()} == {"n1": ["confirmed"]}
    assert sorted(r.target["seats"][0] for r in found.orphans) == [3, 4]


def test_two_near_flags_of_a_kind_keep_their_own_verdicts(store: Store) -> None:
    store.append("case", "verdict", {**FLAG, "t0": 10.0, "t1": 10.5}, {"verdict": "confirmed"}, author="a")
    store.append("case", "verdict", {**FLAG, "t0": 11.0, "t1": 11.5}, {"verdict": "rejected"}, author="a")
    flags = [Flag("x", "hand_early", (3,), 10.2, 10.7), Flag("y", "hand_early", (3,), 11.2, 11.7)]
    found = attach(store.of_case("case"), flags)
    assert {k: v[0].payload["verdict"] for k, v in found.by_flag.items()} == {
        "x": "confirmed",
        "y": "rejected",
    }


def test_a_damaged_file_is_told_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "records.sqlite"
    file.write_bytes(b"this is no database" * 400)
    before = file.read_bytes()
    with pytest.raises(StoreBroken) as told:
        open_store(f"sqlite:///{file}")
    assert "не тронуты" in told.value.russian
    assert file.read_bytes() == before


def test_a_server_that_does_not_answer_is_told() -> None:
    with pytest.raises(StoreBroken):
        open_store("postgresql://nobody@127.0.0.1:1/none?connect_timeout=2")


def test_the_backup_is_whole_while_the_store_is_in_use(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.sqlite'}")
    verdict(store, "confirmed")
    assert backup(store, tmp_path / "b.sqlite")
    with sqlite3.connect(tmp_path / "b.sqlite") as c:
        assert c.execute("SELECT count(*) FROM records").fetchone() == (1,)
