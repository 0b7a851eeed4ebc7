"""Signing in through a provider: who comes back gets the file's role, and nobody else gets in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from conftest import CASE, Served, free_port, serve, stop
from provider import Provider

from mafiavar.analyzer.errors import UsageError
from mafiavar.ui.review.oidc import Oidc, person, read
from mafiavar.ui.review.room import Room
from mafiavar.ui.store import open_store
from mafiavar.ui.store.accounts import Accounts

FILE = """
[auth]
redirect_uri = "http://127.0.0.1:{port}/oauth2callback"
client_id = "room"
client_secret = "between us"
server_metadata_url = "{provider}/.well-known/openid-configuration"

[roles]
"Judge@Example.org" = "head_judge"
"viewer@example.org" = "viewer"
"number-7" = "panel"
"""


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    p = Provider()
    yield p
    p.close()


@pytest.fixture(scope="module")
def room(
    make_library: Callable[[], Path], provider: Provider, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    port = free_port()
    file = tmp_path_factory.mktemp("sign-in") / "sign-in.toml"
    file.write_text(FILE.format(port=port, provider=provider.url), "utf-8")
    server = serve(make_library(), "--sign-in", str(file), port=port)
    yield server
    stop(server)


def come(room: Served, provider: Provider, **claims: Any) -> tuple[requests.Session, requests.Response]:
    """Go the whole way a browser goes: our page, the provider, back."""
    provider.claims = claims
    session = requests.Session()
    page = session.get(f"{room.url}/login")
    assert 'href="/login/via/default"' in page.text
    return session, session.get(f"{room.url}/login/via/default")


def lanes(room: Served, session: requests.Session) -> requests.Response:
    return session.get(f"{room.url}/api/{CASE}/lanes")


def test_a_named_person_gets_the_role_of_the_file(room: Served, provider: Provider) -> None:
    session, answer = come(room, provider, sub="1", email="judge@example.org", email_verified=True)
    assert answer.status_code == 200 and 'http-equiv="refresh"' in answer.text
    assert {"/authorize", "/token"} <= set(provider.asked)
    assert "mafiavar_session" in session.cookies
    assert not [c for c in session.cookies.get_dict() if c.startswith("_streamlit_user")]
    assert lanes(room, session).json()["nights"] == [], "a head judge sees the night"
    assert session.get(f"{room.url}/media/{CASE}/play/0", headers={"Range": "bytes=0-9"}).status_code == 206


def test_a_viewer_of_the_file_is_veiled(room: Served, provider: Provider) -> None:
    session, _ = come(room, provider, sub="2", email="viewer@example.org", email_verified=True)
    assert lanes(room, session).json()["nights"]
    assert session.get(f"{room.url}/media/{CASE}/play/0").status_code == 403


@pytest.mark.parametrize(
    "claims",
    [
        {"sub": "3", "email": "stranger@example.org", "email_verified": True},
        {"sub": "4", "email": "judge@example.org"},
        {"sub": "5", "email": "judge@example.org", "email_verified": False},
        {"sub": "6", "email": "judge@example.org", "email_verified": "false"},
        {"sub": "judge", "name": "judge@example.org"},
    ],
)
def test_others_are_told_no_and_get_no_session(
    room: Served, provider: Provider, claims: dict[str, Any]
) -> None:
    session, answer = come(room, provider, **claims)
    assert answer.status_code == 403 and "попросите главного судью" in answer.text
    assert "mafiavar_session" not in session.cookies and lanes(room, session).status_code == 401


def test_a_locked_person_stays_out(room: Served, provider: Provider) -> None:
    session, _ = come(room, provider, sub="number-7")
    assert lanes(room, session).status_code == 200
    store = open_store(f"sqlite:///{room.library / '.mafiavar' / 'records.sqlite'}")
    Accounts(store).change("number-7", active=False)
    assert lanes(room, session).status_code == 401
    _, answer = come(room, provider, sub="number-7")
    assert answer.status_code == 403
    store.engine.dispose()


def test_forged_cookies_and_codes_open_nothing(room: Served) -> None:
    for cookies in ({"_streamlit_user": '{"email":"judge@example.org","email_verified":true}'}, {}):
        answer = requests.get(room.url, cookies=cookies, allow_redirects=False)
        assert answer.headers["location"] == "/login"
    back = requests.get(f"{room.url}/oauth2callback?code=x&state=y", allow_redirects=True)
    assert "mafiavar_session" not in back.cookies and "/login" in back.url
    assert requests.get(f"{room.url}/login/via/other").status_code == 404


def test_a_room_without_the_file_has_no_such_door(served: Served) -> None:
    for path in ("/auth/login", "/oauth2callback", "/login/via/default"):
        assert requests.get(served.url + path).status_code == 404, path


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "[auth]"),
        ("[auth]\nredirect_uri='http://x/oauth2callback'\n[roles]\na='viewer'", "client_id"),
        ("[auth]\nredirect_uri='http://x/'\nclient_id='a'\n[roles]\na='viewer'", "redirect_uri"),
        (FILE.replace("panel", "boss"), "boss"),
        ("[auth\n", "не читается"),
    ],
)
def test_a_wrong_file_is_told(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "sign-in.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError) as error:
        read(file)
    assert told in error.value.russian and "sign-in.toml" in error.value.russian


def test_several_providers_have_a_door_each(tmp_path: Path) -> None:
    file = tmp_path / "sign-in.toml"
    section = (
        "client_id='a'\nclient_secret='b'\nserver_metadata_url='https://x/.well-known/openid-configuration'\n"
    )
    file.write_text(
        f"[auth]\nredirect_uri='https://x/oauth2callback'\n[auth.club]\n{section}[auth.town]\n{section}[roles]\na='viewer'",
        "utf-8",
    )
    assert read(file).providers == ("club", "town")


def test_an_account_with_a_password_keeps_its_role(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'records.sqlite'}")
    accounts = Accounts(store)
    accounts.add("judge@example.org", "panel", "очень длинный пароль")
    token = accounts.vouched("judge@example.org", "head_judge")
    account = accounts.of_session(token)
    assert account is not None and account.role == "panel"
    for role in ("viewer", "table_judge"):
        account = accounts.of_session(accounts.vouched("new@example.org", role))
        assert account is not None and account.role == role, "the file's word counts at every sign-in"
    assert accounts.login("new@example.org", "") is None, "no password opens an account without one"


def test_only_a_verified_address_counts() -> None:
    oidc = Oidc(Path("x"), ("default",), {"a@b.c": "viewer", "77": "panel"})
    assert person(oidc, {"email": "A@B.c ", "email_verified": True}) == ("a@b.c", "viewer")
    assert person(oidc, {"email": "a@b.c"}) is None
    assert person(oidc, {"sub": 77}) == ("77", "panel")
    assert person(oidc, {}) is None


def test_a_damaged_database_does_not_open_a_guarded_room(make_library: Callable[[], Path]) -> None:
    library = make_library()
    room = Room(library)
    assert room.accounts is not None and room.open
    room.accounts.add("Главный", "head_judge", "очень длинный пароль")
    assert not room.open
    room.close()
    (library / ".mafiavar" / "records.sqlite").write_bytes(b"no database at all " * 300)
    for leftover in (library / ".mafiavar").glob("records.sqlite-*"):
        leftover.unlink()
    server = serve(library)
    try:
        assert requests.get(f"{server.url}/queue", allow_redirects=False).headers["location"] == "/login"
        for answer in (
            requests.get(f"{server.url}/login"),
            requests.post(
                f"{server.url}/login", data={"name": "Главный", "password": "очень длинный пароль"}
            ),
        ):
            assert answer.status_code == 503 and "Войти пока нельзя" in answer.text
        assert requests.get(f"{server.url}/api/{CASE}/lanes").status_code == 401
    finally:
        stop(server)
