"""The registry: what it promises in writing, and that `locate` never takes a wrong file."""

from __future__ import annotations

import hashlib
import os
import pickle
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from mafiavar.models import registry as registry_module
from mafiavar.models.errors import ModelMissing
from mafiavar.models.registry import (
    HubSource,
    Model,
    ModelFile,
    UrlSource,
    WheelSource,
    check,
    default_names,
    fingerprint,
    locate,
    locate_recogniser,
    models_folder,
    recogniser_fingerprint,
    registry,
    verify,
)

CONTENT = b"weights" * 1000
FREE_LICENCES = {"MIT", "Apache-2.0", "BSD-3-Clause"}


def entry(name: str = "net", *files: ModelFile) -> Model:
    return Model(name, "для проверки", "for tests", "about", "MIT", "https://example.org", True, files, ())


def pinned(name: str, content: bytes = CONTENT) -> ModelFile:
    return ModelFile(name, len(content), hashlib.sha256(content).hexdigest())


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """`house(model, ...)` makes those models the whole registry; returns the (empty) models folder."""

    def make(*models: Model) -> Path:
        folder = tmp_path / "мои модели"
        monkeypatch.setenv("MAFIAVAR_MODELS", str(folder))
        monkeypatch.setattr(registry_module, "registry", lambda: {m.name: m for m in models})
        return folder

    return make


def put(folder: Path, name: str, content: bytes = CONTENT) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


# --- what is written ----------------------------------------------------------------------------


@pytest.mark.parametrize("model", registry().values(), ids=lambda m: m.name)
def test_entry_is_complete(model: Model) -> None:
    assert model.licence in FREE_LICENCES
    assert model.card.startswith("https://")
    assert re.search("[а-яё]", model.purpose_ru)
    assert not re.search("[а-яё]", model.purpose_en)
    names = {f.name for f in model.files}
    assert len(names) == len(model.files) > 0
    for source in model.sources:
        match source:
            case UrlSource(urls):
                assert set(urls) == names
                assert all(u.startswith("https://") for u in urls.values())
            case HubSource(_, revision):
                assert re.fullmatch("[0-9a-f]{40}", revision), "a branch is not a fixed revision"
            case WheelSource(members):
                assert set(members) == names
                assert all(m.version and m.path for ms in members.values() for m in ms)
    if model.default:
        assert len(model.sources) >= 2, "one dead host must not stop a hall"
        assert all(f.size and re.fullmatch("[0-9a-f]{64}", f.sha256 or "") for f in model.files)


def test_folder_is_named_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAFIAVAR_MODELS", "/models")
    assert models_folder() == Path("/models")
    monkeypatch.delenv("MAFIAVAR_MODELS")
    assert "mafiavar" in models_folder().parts


# --- what is on the disk ------------------------------------------------------------------------


def test_locate_gives_the_file_or_the_folder(house: Callable[..., Path]) -> None:
    folder = house(entry("one", pinned("a.bin")), entry("two", pinned("a.bin"), pinned("b.bin", b"b")))
    put(folder, "one/a.bin")
    put(folder, "two/a.bin")
    put(folder, "two/b.bin", b"b")
    assert locate("one") == folder / "one" / "a.bin"
    assert locate("two") == folder / "two"


def test_absent_and_unknown(house: Callable[..., Path]) -> None:
    house(entry("net", pinned("a.bin")))
    with pytest.raises(ModelMissing) as absent:
        locate("net")
    assert (absent.value.reason, absent.value.detail) == ("absent", "a.bin")
    with pytest.raises(ModelMissing, match="unknown"):
        locate("other")


@pytest.mark.parametrize("wrong", [CONTENT[:-1], CONTENT + b"x", b"", b"WEIGHTS" * 1000])
def test_half_and_altered_files_are_refused(house: Callable[..., Path], wrong: bytes) -> None:
    folder = house(entry("net", pinned("a.bin")))
    put(folder, "net/a.bin", wrong)
    with pytest.raises(ModelMissing, match="altered"):
        locate("net")


def test_file_altered_after_it_was_trusted(house: Callable[..., Path]) -> None:
    folder = house(entry("net", pinned("a.bin")))
    path = put(folder, "net/a.bin")
    locate("net")
    path.write_bytes(CONTENT[:-1] + b"X")  # as long as before
    os.utime(path, ns=(1, 1))
    with pytest.raises(ModelMissing, match="altered"):
        locate("net")


def test_touched_file_is_read_again_and_trusted_again(house: Callable[..., Path]) -> None:
    folder = house(entry("net", pinned("a.bin")))
    path = put(folder, "net/a.bin")
    locate("net")
    os.utime(path, ns=(1, 1))
    assert locate("net") == path


def test_locate_is_cheap_and_verify_reads_every_byte(
    house: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = house(entry("net", pinned("a.bin")))
    path = put(folder, "net/a.bin")
    locate("net")
    stat = path.stat()
    path.write_bytes(CONTENT[:-1] + b"X")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # a careful forger
    reads: list[Path] = []
    honest = registry_module.sha256_of
    monkeypatch.setattr(registry_module, "sha256_of", lambda p: reads.append(p) or honest(p))
    locate("net")
    assert reads == []
    assert [c.state for c in verify(["net"])] == ["altered"]


@pytest.mark.parametrize("stamps", ["", "[]", '{"a.bin": 3}', '{"a.bin": {"size": 7000, "mtime_ns": 1}}'])
def test_damaged_stamps_are_no_stamps(house: Callable[..., Path], stamps: str) -> None:
    folder = house(entry("net", pinned("a.bin")))
    path = put(folder, "net/a.bin")
    os.utime(path, ns=(1, 1))
    put(folder, "net/.verified.json", stamps.encode())
    assert locate("net") == path


def test_stamp_of_other_bytes_does_not_vouch(house: Callable[..., Path]) -> None:
    """A stamp carried over from an older registry names another hash: the file is refused."""
    folder = house(entry("net", pinned("a.bin", CONTENT)))
    put(folder, "net/a.bin", b"v" * len(CONTENT))
    assert check("net").state == "altered"
    assert check("net").state == "altered"


def test_model_without_hashes_put_by_hand(house: Callable[..., Path]) -> None:
    folder = house(entry("net", ModelFile("a.bin")))
    put(folder, "net/a.bin")
    assert locate("net") == folder / "net" / "a.bin"


def test_fingerprint_follows_the_bytes(house: Callable[..., Path]) -> None:
    folder = house(entry("free", ModelFile("a.bin")), entry("net", pinned("a.bin")))
    put(folder, "net/a.bin")
    put(folder, "free/a.bin")
    before = fingerprint("free")
    assert before == fingerprint("net") == fingerprint("free")
    put(folder, "free/a.bin", CONTENT + b"x")
    assert fingerprint("free") != before


def test_missing_crosses_a_process_border() -> None:
    copy = pickle.loads(pickle.dumps(ModelMissing("net", "absent", "a.bin")))
    assert (copy.name, copy.reason, copy.detail, str(copy)) == (
        "net",
        "absent",
        "a.bin",
        "net: absent (a.bin)",
    )


# --- the user's own recogniser --------------------------------------------------------------------


def test_recogniser_by_short_name_and_by_folder(house: Callable[..., Path], tmp_path: Path) -> None:
    folder = house(entry("whisper-base", pinned("config.json"), pinned("model.bin")))
    put(folder, "whisper-base/config.json")
    put(folder, "whisper-base/model.bin")
    assert locate_recogniser() == folder / "whisper-base" == locate_recogniser("whisper-base")

    own = tmp_path / "своя модель"
    for name in ("config.json", "model.bin", "tokenizer.json"):
        put(own, name)
    with pytest.raises(ModelMissing, match="absent"):
        locate_recogniser(str(own))
    put(own, "vocabulary.txt")
    assert locate_recogniser(str(own)) == own
    before = recogniser_fingerprint(str(own))
    assert recogniser_fingerprint(str(own)) == before
    assert not list(own.glob(".*")), "nothing is written into the user's folder"
    put(own, "model.bin", b"other")
    assert recogniser_fingerprint(str(own)) != before
    with pytest.raises(ModelMissing, match="unknown"):
        locate_recogniser(str(tmp_path / "нет такой"))


# --- the real ones ----------------------------------------------------------------------------------


@pytest.mark.real
@pytest.mark.parametrize("name", default_names())
def test_real_model_is_what_the_registry_says(name: str, needs: Callable[[bool, str], None]) -> None:
    needs(check(name).state != "absent", f"model {name}: mafiavar models fetch {name}")
    assert check(name, every_byte=True).state == "ready"
