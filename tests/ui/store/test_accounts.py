"""Accounts: argon2, sessions that expire, rights by role."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from mafiavar.ui.store import Store, StoreRefused
from mafiavar.ui.store.accounts import IDLE_SECONDS, RIGHTS, SESSION_SECONDS, Accounts


class Clock:
    def __init__(self) -> None:
        self.now = 1e9

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def accounts(store: Store, clock: Clock) -> Accounts:
    a = Accounts(store, clock)
    a.add("Иван", "viewer", "пароль-пароль")
    return a


def test_only_the_right_password_opens_a_session(accounts: Accounts) -> None:
    assert accounts.login("Иван", "не тот пароль") is None
    assert accounts.login("Никто", "пароль-пароль") is None
    token = accounts.login("Иван", "пароль-пароль")
    account = accounts.of_session(token)
    assert account is not None and (account.name, account.role) == ("Иван", "viewer")
    assert accounts.of_session("x" * 43) is None and accounts.of_session(None) is None


def test_neither_password_nor_token_is_stored(accounts: Accounts, store: Store) -> None:
    token = accounts.login("Иван", "пароль-пароль")
    with store.engine.connect() as c:
        (hashed,) = c.execute(text("SELECT hash FROM accounts")).one()
        tokens = [r[0] for r in c.execute(text("SELECT token_hash FROM sessions"))]
    assert hashed.startswith("$argon2id$") and "пароль" not in hashed
    assert token not in tokens


def test_a_session_ends_when_idle_too_long_and_at_its_end(accounts: Accounts, clock: Clock) -> None:
    token = accounts.login("Иван", "пароль-пароль")
    clock.now += IDLE_SECONDS - 1
    assert accounts.of_session(token) is not None
    clock.now += IDLE_SECONDS + 1
    assert accounts.of_session(token) is None
    token = accounts.login("Иван", "пароль-пароль")
    start = clock.now
    while clock.now < start + SESSION_SECONDS - 4000:
        clock.now += 3600
        assert accounts.of_session(token) is not None
    clock.now = start + SESSION_SECONDS + 1
    assert accounts.of_session(token) is None


def test_logout_lock_and_new_password_end_sessions(accounts: Accounts) -> None:
    token = accounts.login("Иван", "пароль-пароль")
    assert token
    accounts.logout(token)
    assert accounts.of_session(token) is None
    token = accounts.login("Иван", "пароль-пароль")
    accounts.change("Иван", active=False)
    assert accounts.of_session(token) is None and accounts.login("Иван", "пароль-пароль") is None
    accounts.change("Иван", active=True, password="другой пароль")
    assert accounts.login("Иван", "пароль-пароль") is None
    assert accounts.login("Иван", "другой пароль") is not None


@pytest.mark.parametrize(
    ("name", "role", "password"),
    [
        ("Иван", "viewer", "12345678"),
        ("", "viewer", "12345678"),
        ("Пётр", "king", "12345678"),
        ("Пётр", "viewer", "short"),
    ],
)
def test_bad_accounts_are_refused(accounts: Accounts, name: str, role: str, password: str) -> None:
    with pytest.raises(StoreRefused):
        accounts.add(name, role, password)


def test_a_viewer_neither_sees_secrets_nor_writes() -> None:
    viewer = RIGHTS["viewer"]
    assert not (viewer.secrets or viewer.decide or viewer.correct or viewer.manage)
    assert not RIGHTS["table_judge"].decide and RIGHTS["panel"].secrets
