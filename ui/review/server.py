"""`mafiavar review`: Streamlit as an ASGI application behind our own door and media routes."""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mafiavar.analyzer.errors import UsageError, reason
from mafiavar.ui.language import say
from mafiavar.ui.review import oidc
from mafiavar.ui.review.gate import Gate
from mafiavar.ui.review.room import Room, set_room
from mafiavar.ui.review.routes import router

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
PAGES = (
    "cases", "protest", "queue", "votes", "nights", "fouls", "transcript", "timeline",
    "protocol", "seats", "agreement", "report", "settings",
)  # fmt: skip
PATHS = frozenset({"/", *(f"/{p}" for p in PAGES)})
SCRIPT = Path(__file__).parent / "app.py"
OPTIONS: dict[str, Any] = {
    "server.headless": True,
    "server.fileWatcherType": "none",
    "server.maxUploadSize": 20,
    "browser.gatherUsageStats": False,
    "client.toolbarMode": "viewer",
    "client.showErrorDetails": "none",
    "logger.level": "error",
    "theme.base": "light",
    "theme.primaryColor": "#0b5fa5",
    "theme.backgroundColor": "#ffffff",
    "theme.secondaryBackgroundColor": "#f4f5f7",
    "theme.textColor": "#1c2430",
    "theme.borderColor": "#d7dbe1",
    "theme.font": "system-ui, -apple-system, 'Segoe UI', sans-serif",
    "theme.baseRadius": "small",
    "theme.baseFontSize": 15,
    "theme.sidebar.backgroundColor": "#f4f5f7",
}


def application(room: Room) -> Any:
    """The ASGI application over a room: door -> our routes or Streamlit's pages."""
    import streamlit as st
    from starlette.middleware import Middleware
    from streamlit.web import bootstrap

    # What `st.App.run(config=...)` does; we run the server ourselves to own its socket and its words.
    # Secrets of other programs on this machine are none of ours.
    secrets = {"secrets.files": [str(room.oidc.file)] if room.oidc else []}
    bootstrap.load_config_options({**OPTIONS, **secrets})
    set_room(room)
    own = router(room)
    return st.App(SCRIPT, middleware=[Middleware(Gate, room=room, own=own, pages=PATHS)])


def serve(
    folder: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 8501,
    database: str | None = None,
    sign_in: Path | None = None,
    told: Callable[[str], None],
) -> None:
    """Serve the review until Ctrl-C.

    Raises:
        UsageError: no such folder, the port is taken, a bad sign-in file, or an open address
            without accounts.
    """
    if not folder.is_dir():
        raise UsageError(
            f"Папки {folder} нет. Укажите папку с делами: mafiavar review ПАПКА.",
            f"There is no folder {folder}. Name the folder of cases: mafiavar review DIR.",
        )
    provider = None if sign_in is None else oidc.read(sign_in)
    room = Room(folder, database=database, loopback=host in LOOPBACK, oidc=provider)
    if not room.loopback and provider is None and (room.accounts is None or not room.accounts.all()):
        room.close()
        raise UsageError(
            f"Адрес {host} виден другим машинам, а учётных записей нет: войти мог бы любой. "
            "Сначала заведите главного судью: mafiavar review ПАПКА --add-account ИМЯ:head_judge",
            f"{host} is visible to other machines and there are no accounts: anybody could enter. "
            "First make a head judge: mafiavar review DIR --add-account NAME:head_judge",
        )
    sock = _listen(host, port)
    address = _address(host, sock.getsockname()[1])
    try:
        _run(application(room), sock, lambda: _opened(room, told, address))
    finally:
        sock.close()
        room.close()
        set_room(None)


def _opened(room: Room, told: Callable[[str], None], address: str) -> None:
    told(address)
    room.warm_up()
    threading.Thread(target=_pages_ready, daemon=True).start()


def _pages_ready() -> None:
    """Load what the pages load, so that the first person does not wait for it."""
    for name in ("pandas", "pyarrow", *(f"mafiavar.ui.review.screens.{page}" for page in PAGES)):
        importlib.import_module(name)
    # Streamlit collects garbage after every run of a page, in the server's one interpreter, while
    # the browser waits for its frames: what stays for good need not be walked through each time.
    gc.collect()
    gc.freeze()


def _run(app: Any, sock: socket.socket, ready: Callable[[], None]) -> None:
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                # Only now does the address answer.
                ready()

    config = uvicorn.Config(
        app,
        log_level="error",
        ws="websockets-sansio",
        timeout_graceful_shutdown=2,
        ws_max_size=32 << 20,
        date_header=False,
    )
    logging.getLogger("uvicorn.error").addFilter(_no_cut_off_requests)
    Server(config).run(sockets=[sock])


def _no_cut_off_requests(record: logging.LogRecord) -> bool:
    """A request that Ctrl-C cuts off is no failure: its traceback would only frighten."""
    failure = record.exc_info[1] if record.exc_info else None
    return not isinstance(failure, asyncio.CancelledError) and not str(record.msg).startswith("Cancel ")


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    if os.name != "nt":
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except (OSError, OverflowError) as error:
        sock.close()
        raise UsageError(
            f"Адрес {host}:{port} занять нельзя: {reason(error) if isinstance(error, OSError) else error}. Возьмите другой порт: --port {min(port + 1, 65535)}.",
            f"{host}:{port} cannot be used ({error}). Take another port: --port {min(port + 1, 65535)}.",
        ) from error
    return sock


def _address(host: str, port: int) -> str:
    shown = host if host not in {"0.0.0.0", "::"} else socket.gethostname()
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"


def greeting(address: str) -> str:
    return say(
        f"Комната просмотра открыта: {address}\nОстановить: Ctrl-C.",
        f"The review room is open: {address}\nStop with Ctrl-C.",
    )
