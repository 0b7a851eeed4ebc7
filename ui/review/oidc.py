"""Signing in through a club's own provider (OpenID Connect), by the machinery of `st.login`.

The provider says who somebody is; our file says what they may do. Streamlit talks to the provider
and keeps its answer in a signed cookie; the door turns that once into a session of ours, so that
pages, sockets and media hang on one cookie that expires and that a head judge can end.

The file is Streamlit's `secrets.toml` with a table of roles:

    [auth]
    redirect_uri = "https://room.example.org/oauth2callback"
    client_id = "..."
    client_secret = "..."
    server_metadata_url = "https://id.example.org/.well-known/openid-configuration"

    [roles]
    "judge@example.org" = "head_judge"
    "panel@example.org" = "panel"
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from mafiavar.analyzer.errors import UsageError
from mafiavar.ui.store.accounts import ROLES, Role

CALLBACK = "/oauth2callback"
PROVIDER_DOOR = "/auth/login"
PATHS = frozenset({CALLBACK, PROVIDER_DOOR})
COOKIES = ("_streamlit_user", "_streamlit_user_tokens")
NEEDED = ("client_id", "client_secret", "server_metadata_url")


@dataclass(frozen=True, slots=True)
class Oidc:
    """A provider's file: `providers` by name ("default" for the plain table), `roles` by e-mail or sub."""

    file: Path
    providers: tuple[str, ...]
    roles: Mapping[str, Role]


def read(file: Path) -> Oidc:
    """Read and check the file.

    Raises:
        UsageError: it cannot be read, lacks something, or Authlib is not installed.
    """
    try:
        value = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(
            f"Файл входа {file} не читается: {error}.", f"The sign-in file {file} cannot be read: {error}."
        ) from error
    auth, roles = value.get("auth"), value.get("roles")
    if not isinstance(auth, dict) or not isinstance(roles, dict) or not roles:
        raise _wrong(file, "нужны таблицы [auth] и [roles]", "the tables [auth] and [roles] are needed")
    if not urlsplit(str(auth.get("redirect_uri", ""))).path.endswith(CALLBACK):
        raise _wrong(file, f"redirect_uri кончается на {CALLBACK}", f"redirect_uri ends with {CALLBACK}")
    named = {k: v for k, v in auth.items() if isinstance(v, dict) and k != "client_kwargs"}
    sections = {**({"default": auth} if "client_id" in auth else {}), **named}
    lacking = [f"{name}.{k}" for name, s in sections.items() for k in NEEDED if not s.get(k)]
    if not sections or lacking:
        what = ", ".join(lacking) or ", ".join(NEEDED)
        raise _wrong(file, f"не хватает: {what}", f"missing: {what}")
    strange = sorted({str(r) for r in roles.values() if r not in ROLES})
    if strange:
        raise _wrong(
            file,
            f"роли {', '.join(strange)} нет; есть {', '.join(ROLES)}",
            f"there is no role {', '.join(strange)}; there are {', '.join(ROLES)}",
        )
    _installed()
    return Oidc(file.resolve(), tuple(sections), {_plain(k): v for k, v in roles.items()})


def _wrong(file: Path, russian: str, english: str) -> UsageError:
    return UsageError(f"Файл входа {file}: {russian}.", f"Sign-in file {file}: {english}.")


def _installed() -> None:
    from streamlit.auth_util import is_authlib_installed

    if not is_authlib_installed():
        raise UsageError(
            "Для входа через провайдера нужна Authlib: pip install 'mafiavar[oidc]'.",
            "Signing in through a provider needs Authlib: pip install 'mafiavar[oidc]'.",
        )


def to_provider(oidc: Oidc, name: str) -> str | None:
    """The address that leads to the provider, good for two minutes; None for an unknown provider."""
    from streamlit.auth_util import encode_provider_token

    return f"{PROVIDER_DOOR}?provider={encode_provider_token(name)}" if name in oidc.providers else None


def claims_of(request: Request) -> Mapping[str, Any] | None:
    """What the provider said of the person who has just come back; None when nobody has."""
    from streamlit.web.server.starlette import starlette_auth_routes as routes

    if COOKIES[0] not in request.cookies:
        return None
    said = routes._get_cookie_value_from_request(request, COOKIES[0])
    try:
        value = json.loads(said) if said else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def person(oidc: Oidc, claims: Mapping[str, Any]) -> tuple[str, Role] | None:
    """(the account's name, its role), or None for somebody whom the file does not name.

    An e-mail counts only if the provider has verified it: where anybody can write any address into
    a profile, an address would open the night to them.
    """
    email = _plain(claims.get("email") or "")
    if email in oidc.roles and claims.get("email_verified") is True:
        return email, oidc.roles[email]
    subject = _plain(claims.get("sub") or "")
    if subject in oidc.roles:
        return subject, oidc.roles[subject]
    return None


def forget(request: Request, response: Response) -> None:
    """Drop the provider's answer: from here our own session counts."""
    for name in request.cookies:
        if name.startswith(COOKIES[0]):
            response.delete_cookie(name, path="/")


def _plain(name: object) -> str:
    return str(name).strip().casefold()
