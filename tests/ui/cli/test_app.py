"""The border of the process: every failure is a sentence and its exit code."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mafiavar.analyzer.errors import CaseError, MediaError, UsageError, reason, reason_ru
from mafiavar.models.errors import ModelMissing
from mafiavar.ui.cli import app
from mafiavar.ui.language import set_language


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (UsageError("по-русски", "in English"), 2, "по-русски"),
        (MediaError("по-русски", "in English"), 3, "по-русски"),
        (CaseError("по-русски", "in English"), 1, "по-русски"),
        (ModelMissing("campplus", "absent", "a.pt"), 4, "mafiavar models fetch campplus"),
        (KeyboardInterrupt(), 130, "та же команда продолжит"),
        (RuntimeError("[bold]boom"), 1, "RuntimeError: [bold]boom"),
    ],
    ids=lambda x: type(x).__name__,
)
def test_failure_is_a_sentence(
    error: BaseException,
    code: int,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    def fails(*_: str) -> object:
        raise error

    monkeypatch.setattr(app, "command", fails)
    monkeypatch.setattr(app, "user_log_path", lambda *_, **__: tmp_path)
    monkeypatch.setattr(sys, "argv", ["mafiavar", "analyze"])
    set_language("ru")
    with pytest.raises(SystemExit) as ended:
        app.main()
    said = capsys.readouterr().err
    assert ended.value.code == code
    assert words in said
    assert "Traceback" not in said
    kept = tmp_path / "last-failure.txt"
    assert kept.exists() == isinstance(error, RuntimeError)
    if kept.exists():
        assert "Traceback" in kept.read_text("utf-8")
        assert str(kept) in said.replace("\n", "")


def test_developers_see_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: str) -> object:
        raise RuntimeError("boom")

    monkeypatch.setattr(app, "command", fails)
    monkeypatch.setattr(sys, "argv", ["mafiavar"])
    monkeypatch.setenv("MAFIAVAR_DEBUG", "1")
    with pytest.raises(RuntimeError, match="boom"):
        app.main()


def test_what_the_system_refuses_is_told_in_russian(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as refused:
        (tmp_path / "нет").open()
    assert reason(refused.value) == "нет такого файла или папки"
    assert reason(OSError(12345, "strange")) == "strange"
    assert reason_ru(f"a: {refused.value.strerror}; b") == "a: нет такого файла или папки; b"
