"""Tables of the store, the same in SQLite and PostgreSQL.

`records` is append-only: a trigger refuses every update and delete, so that not even a hurried
repair by hand rewrites what a person decided. Accounts and sessions are ordinary tables.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Engine,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    event,
    text,
)
from sqlalchemy.schema import CreateIndex, CreateTable

metadata = MetaData()

records = Table(
    "records",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("case_key", String(200), nullable=False),
    Column("kind", String(40), nullable=False),
    # JSON as text with sorted keys: the same bytes in both databases, so that equal things compare equal.
    Column("target", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("snapshot", Text, nullable=False),
    Column("author", String(120), nullable=False),
    Column("at", String(32), nullable=False),
    Column("based_on", Integer, ForeignKey("records.id"), nullable=True),
    Column("undoes", Integer, ForeignKey("records.id"), nullable=True),
    Index("records_by_case", "case_key", "kind"),
)

accounts = Table(
    "accounts",
    metadata,
    Column("name", String(120), primary_key=True),
    Column("role", String(20), nullable=False),
    Column("hash", Text, nullable=False),
    Column("active", Boolean, nullable=False, default=True),
    Column("created", Float, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("account", String(120), nullable=False),
    Column("expires", Float, nullable=False),
    Column("last_seen", Float, nullable=False),
)

_SQLITE_TRIGGERS = tuple(
    f"CREATE TRIGGER IF NOT EXISTS records_no_{verb.lower()} BEFORE {verb} ON records "
    "BEGIN SELECT RAISE(ABORT, 'records are append-only'); END"
    for verb in ("UPDATE", "DELETE")
)
_POSTGRES_TRIGGERS = (
    "CREATE OR REPLACE FUNCTION records_append_only() RETURNS trigger AS $$ "
    "BEGIN RAISE EXCEPTION 'records are append-only'; END $$ LANGUAGE plpgsql",
    "DROP TRIGGER IF EXISTS records_guard ON records",
    "CREATE TRIGGER records_guard BEFORE UPDATE OR DELETE ON records "
    "FOR EACH ROW EXECUTE FUNCTION records_append_only()",
)
# Two servers that start at once must not create the tables twice.
_POSTGRES_LOCK = 0x6D61666961


def prepare(engine: Engine) -> None:
    """Connection settings, tables and triggers; safe to call again and from two servers at once."""
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _sqlite_settings)
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _POSTGRES_LOCK})
        for table in metadata.sorted_tables:
            # One statement that asks and makes: two servers may open a new SQLite file at once.
            connection.execute(CreateTable(table, if_not_exists=True))
            for index in table.indexes:
                connection.execute(CreateIndex(index, if_not_exists=True))
        statements = _SQLITE_TRIGGERS if engine.dialect.name == "sqlite" else _POSTGRES_TRIGGERS
        for statement in statements:
            connection.execute(text(statement))


def _sqlite_settings(connection: object, _record: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=5000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
