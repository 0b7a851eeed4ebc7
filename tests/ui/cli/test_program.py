"""Hints that can be copied as they stand, and a quick start."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mafiavar.ui.cli import program
from mafiavar.ui.cli.app import COMMANDS, build


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    program.program.cache_clear()
    yield
    program.program.cache_clear()


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with .venv/bin/mafiavar that is on no path, as `make demo` leaves it."""
    programs = tmp_path / "мой клон" / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "mafiavar").touch(mode=0o755)
    (programs / "mafiavar.exe").touch(mode=0o755)
    monkeypatch.setattr(sys, "executable", str(programs / "python"))
    monkeypatch.setenv("PATH", "/usr/bin")
    return programs


def test_a_program_that_is_on_no_path_is_named_with_its_place(
    installation: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(installation.parents[1])
    assert program.program().replace("\\", "/").removesuffix(".exe") == ".venv/bin/mafiavar"
    program.program.cache_clear()
    monkeypatch.chdir(installation)
    assert program.program().startswith('"') and "мой клон" in program.program()
    said = program.callable_here("Исправляет команда: mafiavar models fetch a. Журнал mafiavar лежит рядом.")
    assert said == (f"Исправляет команда: {program.program()} models fetch a. Журнал mafiavar лежит рядом.")


def test_on_the_path_the_name_is_enough(installation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(installation))
    assert program.program() == "mafiavar"
    assert program.callable_here("mafiavar doctor") == "mafiavar doctor"


def test_every_command_is_known_to_the_hints() -> None:
    for name in (*COMMANDS, "bench"):
        assert program._CALL.search(f"mafiavar {name} x")


def test_every_command_comes_from_the_module_it_is_said_to_come_from() -> None:
    import typer

    everything = typer.main.get_command(build("ru"))
    assert set(everything.commands) == {*COMMANDS, "bench"}  # type: ignore[attr-defined]  # a group
    for name in COMMANDS:
        alone = typer.main.get_command(build("ru", name))
        assert name in alone.commands  # type: ignore[attr-defined]  # a group


@pytest.mark.parametrize("line", ["--help", "analyze /no/such/file.mp4 --case x", "analize"])
def test_help_and_wrong_lines_do_not_load_what_is_heavy(line: str, tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['mafiavar', *sys.argv[1:]]\n"
        "from mafiavar.ui.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'scipy', 'cv2', 'openpyxl', 'streamlit', 'av', 'sqlalchemy'} & set(sys.modules)\n"
        "print('HEAVY', sorted(heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *line.split()], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.rstrip().endswith("HEAVY []")
