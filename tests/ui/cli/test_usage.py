"""What the command line says when it was called wrongly, and its help, in both languages."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator

import pytest

from mafiavar.ui.cli import app
from mafiavar.ui.cli.usage import sentence
from mafiavar.ui.language import language, set_language


@pytest.fixture(autouse=True)
def _language_as_before() -> Iterator[None]:
    """The command line chooses the language of the process; the next test must not inherit it."""
    before = language()
    yield
    set_language(before)


def called(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["mafiavar", *shlex.split(line)])
    with pytest.raises(SystemExit) as ended:
        app.main()
    said = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, said.out, said.err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("frob", "Команды «frob» нет."),
        ("analyze", "Не указано: ЗАПИСЬ."),
        ("analyze a.mp4", "Не указано: --case."),
        ("analyze a.mp4 --case", "После --case нужно значение."),
        ("analyze a.mp4 --cas d", "Параметра --cas нет. Похожие: --asr, --case, --closer."),
        ("analyze a.mp4 --case d --join=3", "Параметр --join пишется без значения."),
        ("analyze a.mp4 --case d --workers q", "--workers: нужно целое число, а не «q»."),
        ("analyze a.mp4 --case d --workers 0", "--workers: нужно не меньше 1, а не 0."),
        ("analyze a.mp4 --case d --workers 99", "--workers: нужно не больше 16, а не 99."),
        ("eval a b --tolerance x", "--tolerance: нужно число, а не «x»."),
        ("models fetch --from /no/such/folder", "--from: «/no/such/folder» не найдено."),
        (f"models fetch --from {shlex.quote(__file__)}", f"--from: «{__file__}» — файл, а нужна папка."),
        ("doctor and more", "Лишнее: and more."),
    ],
)
def test_wrong_usage_is_a_russian_sentence(
    line: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, said = called(monkeypatch, capsys, line)
    assert code == 2
    assert said.startswith(words + "\n")
    if "нужно значение" not in words and "без значения" not in words and line != "frob":
        assert f"Справка: mafiavar {line.split(maxsplit=1)[0]}" in said


def test_wrong_usage_in_english(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, said = called(monkeypatch, capsys, "--lang en analyze a.mp4")
    assert (code, said.splitlines()[0]) == (2, "Missing: --case.")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("analyze --help", ("Вызов: mafiavar analyze [ПАРАМЕТРЫ]", "Параметры", "[обязательно]", "Показать эту справку.")),
        ("--help", ("Вызов: mafiavar [ПАРАМЕТРЫ] КОМАНДА ...", "Команды")),
        ("models", ("Вызов: mafiavar models",)),
        ("--lang en --help", ("Usage: mafiavar [OPTIONS] COMMAND [ARGS]...", "Options")),
    ],
)  # fmt: skip
def test_help_speaks_one_language(
    line: str, expected: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, err = called(monkeypatch, capsys, line)
    for words in expected:
        assert words in out + err
    if "--lang en" not in line:
        for english in ("Usage", "Options", "Commands", "Show this", "[required]", "[default"):
            assert english not in out + err


def test_an_error_of_no_known_kind_is_shown_as_it_comes() -> None:
    class Odd(Exception):
        def format_message(self) -> str:
            return "something new"

    assert sentence(Odd()) == "something new"
