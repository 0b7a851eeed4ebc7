"""`mafiavar models`: what a user reads, and the exit codes others rely on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mafiavar.models.errors import ModelMissing
from mafiavar.ui.cli.models import missing_sentence
from mafiavar.ui.language import set_language


def mafiavar(*arguments: str, models: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mafiavar", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "MAFIAVAR_MODELS": str(models), "COLUMNS": "200"},
        check=False,
    )


def test_list_for_programs(tmp_path: Path) -> None:
    done = mafiavar("models", "list", "--json", models=tmp_path)
    content = json.loads(done.stdout)
    assert done.returncode == 0
    assert content["folder"] == str(tmp_path)
    states = {m["name"]: m["state"] for m in content["models"]}
    assert states["whisper-base"] == "absent"


def test_list_for_people(tmp_path: Path) -> None:
    done = mafiavar("models", "list", models=tmp_path)
    assert "распознавание русской речи" in done.stdout
    assert (
        "recognition of Russian speech" in mafiavar("--lang", "en", "models", "list", models=tmp_path).stdout
    )


def test_verify_tells_what_mends(tmp_path: Path) -> None:
    (tmp_path / "campplus").mkdir()
    (tmp_path / "campplus" / "campplus_cn_en_common.pt").write_bytes(b"half")
    done = mafiavar("models", "verify", "campplus", "hand-landmarker", models=tmp_path)
    assert done.returncode == 4
    assert "campplus: испорчена" in done.stdout
    assert "mafiavar models fetch campplus hand-landmarker" in done.stderr


def test_unknown_name_is_a_sentence(tmp_path: Path) -> None:
    done = mafiavar("models", "fetch", "whisper-huge", models=tmp_path)
    assert done.returncode == 4
    assert "Traceback" not in done.stderr
    assert "whisper-base" in done.stderr


def test_fetch_from_a_folder_that_lacks_it(tmp_path: Path) -> None:
    done = mafiavar("models", "fetch", "small", "--from", str(tmp_path / "нет"), models=tmp_path)
    assert done.returncode == 2


@pytest.mark.parametrize("reason", ["absent", "altered", "unknown", "disk", "not fetched", "does not start"])
@pytest.mark.parametrize("lang", ["ru", "en"])
def test_every_reason_has_a_sentence(reason: str, lang: str) -> None:
    set_language(lang)
    try:
        sentence = missing_sentence(ModelMissing("campplus", reason, "detail"))
    finally:
        set_language("ru")
    assert "campplus" in sentence
    assert "mafiavar models" in sentence or "MAFIAVAR_MODELS" in sentence
