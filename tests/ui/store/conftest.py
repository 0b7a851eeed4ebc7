"""The same tests over SQLite and over a PostgreSQL of our own, started for the session."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from mafiavar.ui.store import Store, open_store


def _binary(name: str) -> str | None:
    found = shutil.which(name)
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(versions[-1]) if versions else found


@pytest.fixture(scope="session")
def postgres(needs: Callable[[bool, str], None]) -> Iterator[str]:
    """The URL of a throw-away PostgreSQL that listens on a socket only."""
    initdb, server = _binary("initdb"), _binary("postgres")
    needs(initdb is not None and server is not None, "PostgreSQL (apt-get install postgresql)")
    assert initdb and server
    folder = Path(tempfile.mkdtemp(prefix="mv-pg-"))
    # PostgreSQL refuses to run as root.
    user = "postgres" if hasattr(os, "geteuid") and os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    data = folder / "data"
    try:
        subprocess.run([initdb, "-D", str(data), "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8"], user=user, check=True, capture_output=True, cwd=folder)  # fmt: skip
        process = subprocess.Popen([server, "-D", str(data), "-k", str(folder), "-c", "listen_addresses=", "-c", "fsync=off"], user=user, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        try:
            url = f"postgresql://postgres@/postgres?host={folder}"
            _wait(url)
            yield url
        finally:
            process.send_signal(signal.SIGINT)  # fast shutdown: a terminate waits for every client
            process.wait(20)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(url: str) -> None:
    import time

    for _ in range(100):
        try:
            open_store(url)
            return
        except Exception:  # the server is not up yet
            time.sleep(0.2)
    raise AssertionError("PostgreSQL did not start")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.real)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'records.sqlite'}"
    address: str = request.getfixturevalue("postgres")
    with open_store(address).engine.begin() as c:
        c.execute(text("DROP TABLE IF EXISTS sessions, accounts, records CASCADE"))
    return address


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    s = open_store(url)
    yield s
    s.engine.dispose()
