"""Appending and reading what people decided.

Kinds of records and what their `target` addresses (content, never a machine's id):

| kind | target | payload |
|---|---|---|
| verdict | kind, seats, day, t0, t1 of the flag | verdict: confirmed / rejected / cannot_tell, reason |
| vote | day, round, target, seat, called | vote, or null: back to the machine's |
| word | t0, t1, w | text, number, speaker |
| pin | kind, t0, t1 | op: pin / delete / move / add, fields, negated |
| seats | recording | camera as in seats.toml, unseen |
| protest | number | the record of an appeal |
| report | flags | chosen, note |
| setting | name | value |
| source | sha256 | path |

Each entry carries who, when, a snapshot of what was shown, and `based_on`: the entry for the same
target that the author had seen. Undo is an entry that names what it undoes.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, func, insert, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError, SQLAlchemyError

from mafiavar.ui.store import schema
from mafiavar.ui.store.errors import StoreBroken, StoreRefused

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Record:
    """One entry. `target`, `payload` and `snapshot` are plain JSON values."""

    id: int
    case_key: str
    kind: str
    target: Json
    payload: Json
    snapshot: Json
    author: str
    at: str
    based_on: int | None = None
    undoes: int | None = None

    @property
    def address(self) -> str:
        """Entries with the same address speak of the same thing."""
        return f"{self.kind}:{_dump(self.target)}"


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands for one address: the last entry not undone, and those it did not know of."""

    record: Record
    history: tuple[Record, ...]
    unseen: tuple[Record, ...] = field(default=())

    @property
    def disputed(self) -> bool:
        """Somebody else's entry was there that the author of the standing one had not seen."""
        return bool(self.unseen)


class Store:
    """The database of human records, over any SQLAlchemy engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def append(
        self,
        case_key: str,
        kind: str,
        target: Json,
        payload: Json,
        *,
        author: str,
        snapshot: Json | None = None,
        based_on: int | None = None,
        undoes: int | None = None,
    ) -> Record:
        """Write one entry and return it as stored.

        Raises:
            StoreBroken: the database cannot be written.
        """
        row = {
            "case_key": case_key,
            "kind": kind,
            "target": _dump(target),
            "payload": _dump(payload),
            "snapshot": _dump(snapshot or {}),
            "author": author,
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "based_on": based_on,
            "undoes": undoes,
        }
        try:
            with self.engine.begin() as connection:
                key = connection.execute(insert(schema.records).values(**row)).inserted_primary_key
        except SQLAlchemyError as error:
            raise _broken(error) from error
        assert key is not None
        return _record({**row, "id": int(key[0])})

    def undo(self, id_: int, *, author: str) -> Record:
        """Take back one entry by a new one.

        Raises:
            StoreRefused: there is no such entry, or it is undone already.
        """
        record = self.get(id_)
        if record is None or record.undoes is not None:
            raise StoreRefused(
                "Такой записи нет, отменять нечего.", "There is no such record, nothing to undo."
            )
        if any(r.undoes == id_ for r in self.of_case(record.case_key)):
            raise StoreRefused("Эта запись уже отменена.", "That record is undone already.")
        return self.append(
            record.case_key, record.kind, record.target, {}, author=author, based_on=id_, undoes=id_
        )

    def get(self, id_: int) -> Record | None:
        rows = self._rows(select(schema.records).where(schema.records.c.id == id_))
        return rows[0] if rows else None

    def of_case(self, case_key: str, kind: str | None = None) -> tuple[Record, ...]:
        """All entries of a case in the order they were written."""
        query = select(schema.records).where(schema.records.c.case_key == case_key)
        if kind is not None:
            query = query.where(schema.records.c.kind == kind)
        return tuple(self._rows(query.order_by(schema.records.c.id)))

    def last_id(self, case_key: str | None = None) -> int:
        """Grows with every entry: what others ask to learn whether something is new."""
        query = select(func.max(schema.records.c.id))
        if case_key is not None:
            query = query.where(schema.records.c.case_key == case_key)
        try:
            with self.engine.connect() as connection:
                return int(connection.execute(query).scalar() or 0)
        except SQLAlchemyError as error:
            raise _broken(error) from error

    def _rows(self, query: Any) -> list[Record]:
        try:
            with self.engine.connect() as connection:
                return [_record(row) for row in connection.execute(query).mappings()]
        except SQLAlchemyError as error:
            raise _broken(error) from error


def standing(records: Iterable[Record]) -> dict[str, Standing]:
    """Address -> what stands there. Undone entries do not stand; an undone undo is not needed."""
    ordered = list(records)
    undone = {r.undoes for r in ordered if r.undoes is not None}
    by_address: dict[str, list[Record]] = {}
    for r in ordered:
        if r.undoes is None and r.id not in undone:
            by_address.setdefault(r.address, []).append(r)
    return {a: Standing(rs[-1], tuple(rs), _unseen(rs)) for a, rs in by_address.items()}


def standing_by_author(records: Iterable[Record]) -> dict[str, dict[str, Record]]:
    """Author -> address -> that author's own last entry: two reviewers may differ."""
    out: dict[str, dict[str, Record]] = {}
    ordered = list(records)
    undone = {r.undoes for r in ordered if r.undoes is not None}
    for r in ordered:
        if r.undoes is None and r.id not in undone:
            out.setdefault(r.author, {})[r.address] = r
    return out


def _unseen(records: list[Record]) -> tuple[Record, ...]:
    """Entries by others, newer than what the last author had seen, with another content."""
    last = records[-1]
    return tuple(
        r
        for r in records[:-1]
        if r.author != last.author and r.id > (last.based_on or 0) and r.payload != last.payload
    )


def open_store(url: str) -> Store:
    """Open (and create) the database at an SQLAlchemy URL; SQLite runs in WAL.

    Raises:
        StoreBroken: the file is damaged, the folder is read-only, the server does not answer.
    """
    try:
        engine = create_engine(_with_driver(url), pool_pre_ping=True)
        schema.prepare(engine)
        _check(engine)
    except (SQLAlchemyError, ImportError) as error:
        raise _broken(error) from error
    return Store(engine)


def backup(store: Store, path: Path) -> bool:
    """Copy a SQLite store to `path` while it is in use; False for other databases."""
    if store.engine.dialect.name != "sqlite" or not store.engine.url.database:
        return False
    part = path.with_suffix(".part")
    with sqlite3.connect(store.engine.url.database) as source, sqlite3.connect(part) as target:
        source.backup(target)
    source.close()
    target.close()
    part.replace(path)
    return True


def _with_driver(url: str) -> Any:
    parsed = make_url(url)
    # psycopg 3 is the driver we install; a plain postgresql:// would ask for another one.
    return (
        parsed.set(drivername="postgresql+psycopg")
        if parsed.drivername in {"postgresql", "postgres"}
        else parsed
    )


def _check(engine: Engine) -> None:
    if engine.dialect.name != "sqlite":
        return
    with engine.connect() as connection:
        answer = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if answer != "ok":
        raise StoreBroken(
            f"База решений повреждена ({answer}).", f"The database of decisions is damaged ({answer})."
        )


def _broken(error: Exception) -> StoreBroken:
    cause = str(error.orig if isinstance(error, DatabaseError) and error.orig else error).splitlines()[0][
        :200
    ]
    return StoreBroken(
        f"База решений недоступна: {cause}. Файлы не тронуты.",
        f"The database of decisions is not available: {cause}. No file was touched.",
    )


def _dump(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _record(row: Any) -> Record:
    return Record(
        id=row["id"],
        case_key=row["case_key"],
        kind=row["kind"],
        target=json.loads(row["target"]),
        payload=json.loads(row["payload"]),
        snapshot=json.loads(row["snapshot"]),
        author=row["author"],
        at=row["at"],
        based_on=row["based_on"],
        undoes=row["undoes"],
    )
