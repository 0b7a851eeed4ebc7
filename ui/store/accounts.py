"""Local accounts (argon2) and sessions that expire."""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass
from typing import Literal, get_args

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from mafiavar.ui.store import schema
from mafiavar.ui.store.errors import StoreRefused
from mafiavar.ui.store.records import Store

Role = Literal["head_judge", "panel", "table_judge", "viewer"]
ROLES: tuple[Role, ...] = get_args(Role)
SESSION_SECONDS = 12 * 3600
IDLE_SECONDS = 3 * 3600
SHORTEST_PASSWORD = 8
_hasher = PasswordHasher()
# Verified against when the name is unknown, so that a wrong name costs as long as a wrong password.
_DECOY = _hasher.hash("no such account")


@dataclass(frozen=True, slots=True)
class Account:
    name: str
    role: Role
    active: bool = True


@dataclass(frozen=True, slots=True)
class Rights:
    """What an account may do. `secrets`: see the night, roles and signs."""

    secrets: bool
    decide: bool
    correct: bool
    manage: bool


RIGHTS: dict[Role, Rights] = {
    "head_judge": Rights(secrets=True, decide=True, correct=True, manage=True),
    "panel": Rights(secrets=True, decide=True, correct=True, manage=False),
    "table_judge": Rights(secrets=True, decide=False, correct=True, manage=False),
    "viewer": Rights(secrets=False, decide=False, correct=False, manage=False),
}


class Accounts:
    """Who may enter. Passwords are kept as argon2id hashes, session tokens as SHA-256."""

    def __init__(self, store: Store, clock: object = time.time) -> None:
        self._engine = store.engine
        self._clock = clock

    def now(self) -> float:
        return float(self._clock())  # type: ignore[operator]

    def add(self, name: str, role: str, password: str) -> Account:
        """Create an account.

        Raises:
            StoreRefused: unknown role, name taken or empty, password too short.
        """
        name = name.strip()
        if role not in ROLES:
            raise StoreRefused(
                f"Роль «{role}» неизвестна. Есть: {', '.join(ROLES)}.",
                f"Role “{role}” is unknown. There are: {', '.join(ROLES)}.",
            )
        if not name or len(name) > 100:
            raise StoreRefused("Имя пустое или слишком длинное.", "The name is empty or too long.")
        hashed = _hash(password)
        row = {"name": name, "role": role, "hash": hashed, "active": True, "created": self.now()}
        try:
            with self._engine.begin() as c:
                c.execute(insert(schema.accounts).values(**row))
        except IntegrityError as error:
            raise StoreRefused(f"Имя «{name}» уже занято.", f"The name “{name}” is taken.") from error
        return Account(name, role)

    def change(
        self, name: str, *, role: str | None = None, password: str | None = None, active: bool | None = None
    ) -> None:
        """Change role, password or activity; a changed password or a lock ends the sessions."""
        values: dict[str, object] = {}
        if role is not None:
            values["role"] = role
        if password is not None:
            values["hash"] = _hash(password)
        if active is not None:
            values["active"] = active
        with self._engine.begin() as c:
            c.execute(update(schema.accounts).where(schema.accounts.c.name == name).values(**values))
            if password is not None or active is False:
                c.execute(delete(schema.sessions).where(schema.sessions.c.account == name))

    def all(self) -> tuple[Account, ...]:
        with self._engine.connect() as c:
            rows = c.execute(select(schema.accounts).order_by(schema.accounts.c.name)).mappings().all()
        return tuple(Account(r["name"], r["role"], bool(r["active"])) for r in rows)

    def login(self, name: str, password: str) -> str | None:
        """A session token, or None when name or password is wrong or the account is locked."""
        with self._engine.connect() as c:
            row = (
                c.execute(select(schema.accounts).where(schema.accounts.c.name == name.strip()))
                .mappings()
                .first()
            )
        try:
            _hasher.verify(row["hash"] if row else _DECOY, password)
        except (VerificationError, InvalidHashError):
            return None
        return self.open_session(row["name"]) if row and row["active"] else None

    def vouched(self, name: str, role: Role) -> str | None:
        """A session for somebody whom a provider has identified; None when the account is locked.

        The first arrival makes an account without a password. From then on its role follows
        `role`; an account that has a password keeps the role the head judge gave it.
        """
        a = schema.accounts
        with self._engine.begin() as c:
            row = c.execute(select(a).where(a.c.name == name)).mappings().first()
            if row is None:
                c.execute(insert(a).values(name=name, role=role, hash="", active=True, created=self.now()))
            elif not row["active"]:
                return None
            elif not row["hash"] and row["role"] != role:
                c.execute(update(a).where(a.c.name == name).values(role=role))
        return self.open_session(name)

    def open_session(self, name: str) -> str:
        token = secrets.token_urlsafe(32)
        now = self.now()
        with self._engine.begin() as c:
            c.execute(delete(schema.sessions).where(schema.sessions.c.expires < now))
            c.execute(
                insert(schema.sessions).values(
                    token_hash=_digest(token), account=name, expires=now + SESSION_SECONDS, last_seen=now
                )
            )
        return token

    def of_session(self, token: str | None) -> Account | None:
        """Whose session this is, if it is neither expired nor idle too long and the account active."""
        if not token:
            return None
        s, a = schema.sessions, schema.accounts
        now = self.now()
        with self._engine.connect() as c:
            row = (
                c.execute(
                    select(s.c.expires, s.c.last_seen, a.c.name, a.c.role)
                    .join(a, a.c.name == s.c.account)
                    .where(s.c.token_hash == _digest(token), a.c.active)
                )
                .mappings()
                .first()
            )
        if row is None or row["expires"] < now or row["last_seen"] + IDLE_SECONDS < now:
            return None
        if now - row["last_seen"] > 60:
            with self._engine.begin() as c:
                c.execute(update(s).where(s.c.token_hash == _digest(token)).values(last_seen=now))
        return Account(row["name"], row["role"])

    def logout(self, token: str) -> None:
        with self._engine.begin() as c:
            c.execute(delete(schema.sessions).where(schema.sessions.c.token_hash == _digest(token)))


def _hash(password: str) -> str:
    if len(password) < SHORTEST_PASSWORD:
        raise StoreRefused(
            f"Пароль короче {SHORTEST_PASSWORD} знаков.",
            f"The password is shorter than {SHORTEST_PASSWORD} characters.",
        )
    return _hasher.hash(password)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
