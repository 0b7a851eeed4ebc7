"""The door: every request, page, socket, media or JSON, passes here with one session cookie."""

from __future__ import annotations

import html
import time
from collections.abc import Callable
from urllib.parse import parse_qs, quote, urlsplit

import anyio
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from mafiavar.ui.language import say
from mafiavar.ui.review import oidc
from mafiavar.ui.review.room import Room

COOKIE = "mafiavar_session"
FIRST = "/cases"
VIA = "/login/via/"
STREAMLIT_PREFIXES = ("/_stcore/", "/static/", "/media/", "/component/")
STREAMLIT_FILES = frozenset({"/favicon.ico", "/favicon.png", "/index.html", "/manifest.json"})
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]", "::1"})
TRIES, TRIES_SECONDS = 8, 300.0


class Gate:
    """Who may in, and to which application: ours (`/media/<case>/...`, `/api/...`) or the pages."""

    def __init__(self, app: ASGIApp, room: Room, own: ASGIApp, pages: frozenset[str]) -> None:
        self.app = app
        self.room = room
        self.own = own
        self.pages = pages
        self._failed: dict[str, list[float]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        answer = await self._admit(scope, receive)
        if answer is None:
            if is_ours(scope["path"]):
                # Without "app" our router answers 404 and 405 itself instead of raising into Streamlit.
                await self.own({k: v for k, v in scope.items() if k != "app"}, receive, _guarded(send))
            else:
                await self.app(scope, receive, _guarded(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4401})
        else:
            await answer(scope, receive, _guarded(send))

    async def _admit(self, scope: Scope, receive: Receive) -> Response | None:
        """None: go on (scope["state"]["account"] says who); else what to answer instead."""
        connection = HTTPConnection(scope)
        path: str = scope["path"]
        if self.room.loopback and _host(connection) not in LOCAL_HOSTS:
            # Another site's name that was bent to point at this machine.
            return PlainTextResponse("unknown host", status_code=400)
        if not self._known(path):
            return PlainTextResponse(say("Такой страницы нет.", "There is no such page."), status_code=404)
        if path == FIRST:
            # Streamlit serves the first page at the root only.
            return RedirectResponse("/" + _with_query(scope).removeprefix(FIRST), status_code=303)
        if scope["type"] == "http" and (path in {"/login", "/logout"} or path.startswith(VIA)):
            return await self._door(Request(scope, receive))
        if scope["type"] == "http" and path in oidc.PATHS:
            return None
        token = connection.cookies.get(COOKIE)
        account = await anyio.to_thread.run_sync(self.room.account, token)
        if account is not None:
            if scope["type"] == "websocket" and not _same_origin(connection):
                return PlainTextResponse("origin", status_code=403)
            scope.setdefault("state", {})["account"] = account
            return None
        if scope["type"] == "http" and path == "/" and self.room.oidc is not None:
            come_back = await self._from_provider(Request(scope, receive))
            if come_back is not None:
                return come_back
        return self._stranger(scope)

    def _stranger(self, scope: Scope) -> Response | None:
        path: str = scope["path"]
        if scope["type"] == "http" and path.startswith(("/static/", "/favicon", "/_stcore/health")):
            return None
        page = scope["type"] == "http" and scope["method"] in {"GET", "HEAD"} and path in self.pages
        if self.room.open and page:
            # One person on their own machine: the first page brings the cookie.
            response = RedirectResponse(_with_query(scope), status_code=303)
            _set_cookie(response, self.room.local_session())
            return response
        if page:
            return RedirectResponse("/login", status_code=303)
        return PlainTextResponse(say("Войдите заново.", "Sign in again."), status_code=401)

    def _known(self, path: str) -> bool:
        return (
            path in self.pages
            or path in STREAMLIT_FILES
            or path in {"/login", "/logout"}
            or (self.room.oidc is not None and (path in oidc.PATHS or path.startswith(VIA)))
            or path.startswith(STREAMLIT_PREFIXES)
            or is_ours(path)
        )

    async def _door(self, request: Request) -> Response:
        if request.url.path == "/logout":
            token = request.cookies.get(COOKIE)
            if token and self.room.accounts:
                await anyio.to_thread.run_sync(self.room.accounts.logout, token)
            answer = RedirectResponse("/login", status_code=303)
            answer.delete_cookie(COOKIE)
            return answer
        if self.room.open:
            return RedirectResponse("/", status_code=303)
        if request.url.path.startswith(VIA):
            assert self.room.oidc is not None
            address = oidc.to_provider(self.room.oidc, request.url.path.removeprefix(VIA))
            if address is None:
                return PlainTextResponse(say("Не найдено.", "Not found."), status_code=404)
            return RedirectResponse(address, status_code=303)
        if self.room.accounts is None:
            return self._page(_no_store(self.room), 503)
        if request.method != "POST":
            return self._page("")
        if not _same_origin(request):
            return PlainTextResponse("origin", status_code=403)
        return await self._login(request)

    def _page(self, trouble: str, status: int = 200) -> HTMLResponse:
        providers = self.room.oidc.providers if self.room.oidc else ()
        return HTMLResponse(_login_page(trouble, providers), status_code=status)

    async def _from_provider(self, request: Request) -> Response | None:
        """Somebody comes back from the provider: a session of ours, or the reason why not."""
        claims = oidc.claims_of(request)
        if claims is None or self.room.oidc is None:
            return None
        known = oidc.person(self.room.oidc, claims)
        token = None
        if known is not None and self.room.accounts is not None:
            token = await anyio.to_thread.run_sync(self.room.accounts.vouched, *known)
        if token is None:
            answer: Response = self._page(
                say(
                    "Провайдер вас узнал, но права на эту комнату нет: попросите главного судью. "
                    "Почта должна быть подтверждена.",
                    "The provider knows you, but you have no right to this room: ask the head judge. "
                    "The e-mail must be verified.",
                ),
                403,
            )
        else:
            # A page, not a redirect: a strict cookie is not sent along a chain of redirects that
            # began at another site.
            answer = HTMLResponse('<!doctype html><meta http-equiv="refresh" content="0;url=/">')
            _set_cookie(answer, token, secure=request.url.scheme == "https")
        oidc.forget(request, answer)
        return answer

    async def _login(self, request: Request) -> Response:
        form = {k: v[0] for k, v in parse_qs((await _small_body(request)).decode("utf-8", "replace")).items()}
        who = request.client.host if request.client else ""
        if self._tried_too_often(who):
            return self._page(
                say("Слишком много попыток. Подождите пять минут.", "Too many attempts. Wait five minutes."),
                429,
            )
        assert self.room.accounts is not None
        token = await anyio.to_thread.run_sync(
            self.room.accounts.login, form.get("name", ""), form.get("password", "")
        )
        if token is None:
            self._failed.setdefault(who, []).append(time.monotonic())
            return self._page(say("Имя или пароль не подходят.", "Wrong name or password."), 401)
        self._failed.pop(who, None)
        response = RedirectResponse("/", status_code=303)
        _set_cookie(response, token, secure=request.url.scheme == "https")
        return response

    def _tried_too_often(self, who: str) -> bool:
        now = time.monotonic()
        recent = [t for t in self._failed.get(who, []) if now - t < TRIES_SECONDS]
        self._failed[who] = recent
        return len(recent) >= TRIES


def is_ours(path: str) -> bool:
    """`/media/<case>/<something>` and `/api/...`; Streamlit's own `/media/<file>` has one step only."""
    steps = path.split("/")
    return (steps[1] == "media" and len(steps) > 3) or steps[1] == "api"


def _guarded(send: Send) -> Send:
    """Nobody frames the room, nobody learns its addresses from a referrer."""

    async def sending(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            extra = [
                (b"referrer-policy", b"same-origin"),
                (b"x-frame-options", b"SAMEORIGIN"),
                (b"cross-origin-resource-policy", b"same-origin"),
            ]
            message = {**message, "headers": [*message.get("headers", ()), *extra]}  # type: ignore[misc]
        await send(message)

    return sending  # type: ignore[return-value]


async def _small_body(request: Request, limit: int = 4096) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            return b""
    return body


def _host(connection: HTTPConnection) -> str:
    host = connection.headers.get("host", "")
    return (host.rsplit(":", 1)[0] if not host.endswith("]") else host).lower()


def _same_origin(connection: HTTPConnection) -> bool:
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host", "")


def _with_query(scope: Scope) -> str:
    query = scope.get("query_string", b"").decode("latin-1")
    return str(scope["path"]) + (f"?{query}" if query else "")


def _set_cookie(response: Response, token: str, *, secure: bool = False) -> None:
    response.set_cookie(COOKIE, token, httponly=True, samesite="strict", secure=secure, path="/")


def _no_store(room: Room) -> str:
    problem = room.store_problem
    why = say(problem.russian, problem.english) if problem else ""
    return say(f"Войти пока нельзя. {why}", f"Nobody can sign in for now. {why}")


def _login_page(trouble: str, providers: tuple[str, ...] = ()) -> str:
    t: Callable[[str, str], str] = say
    doors = "".join(
        f'<a class="via" href="{VIA}{quote(name)}">{html.escape(_door_name(name))}</a>' for name in providers
    )
    alert = f'<p role="alert" class="bad">{html.escape(trouble)}</p>' if trouble else ""
    return f"""<!doctype html><html lang="{t("ru", "en")}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>mafiavar</title>
<style>
body{{font:16px/1.5 system-ui,sans-serif;background:#f4f5f7;color:#1c2430;display:grid;place-items:center;min-height:100vh;margin:0}}
form{{background:#fff;padding:32px 36px;border-radius:12px;box-shadow:0 1px 3px #0002;width:min(360px,90vw);box-sizing:border-box}}
h1{{font-size:22px;margin:0 0 4px}} p{{margin:0 0 20px;color:#5a6472;font-size:14px}} .bad{{color:#a33a00;font-weight:600}}
label{{display:block;font-size:14px;margin:0 0 14px}} input{{display:block;width:100%;box-sizing:border-box;font:inherit;padding:9px 11px;border:1px solid #b9c0ca;border-radius:7px;margin-top:4px}}
input:focus{{outline:2px solid #0b5fa5;border-color:#0b5fa5}} button{{width:100%;font:inherit;font-weight:600;padding:10px;border:0;border-radius:7px;background:#0b5fa5;color:#fff;cursor:pointer}}
.via{{display:block;text-align:center;margin:12px 0 0;padding:9px;border:1px solid #0b5fa5;border-radius:7px;color:#0b5fa5;font-weight:600;text-decoration:none}}
</style>
<form method="post" action="/login"><h1>mafiavar</h1><p>{t("Видеосудья: вход", "Video referee: sign in")}</p>{alert}
<label>{t("Имя", "Name")}<input name="name" autocomplete="username" required autofocus></label>
<label>{t("Пароль", "Password")}<input name="password" type="password" autocomplete="current-password" required></label>
<button>{t("Войти", "Sign in")}</button>{doors}
<p style="margin:18px 0 0">{t("Учётную запись заводит главный судья.", "Accounts are made by the head judge.")}</p></form></html>"""


def _door_name(provider: str) -> str:
    if provider == "default":
        return say("Войти через учётную запись клуба", "Sign in with the club's account")
    return say(f"Войти через {provider}", f"Sign in with {provider}")
