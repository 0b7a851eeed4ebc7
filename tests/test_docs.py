"""The documents keep up with the program: every command in both languages, links that lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from mafiavar.ui.cli.app import build

ROOT = Path(__file__).resolve().parent.parent
ENGLISH = (ROOT / "README.md", ROOT / "docs" / "commands.md")
RUSSIAN = (ROOT / "README.ru.md", ROOT / "docs" / "commands.ru.md")
DOCUMENTS = sorted(
    {p for pattern in ("*.md", "docs/**/*.md", "[a-z]*/**/*.md") for p in ROOT.glob(pattern)}
    - set(ROOT.glob(".venv/**/*.md"))
)
# Written in pieces: the names themselves must not stand in the tree.
REGISTRY_HOSTS = [
    ".".join(x) for x in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"))
]
TEXTS = {".py", ".toml", ".md", ".lock", ".json", ".html", ".js", ".css", ".yml", ".cfg", ".ini", ".txt", ""}
NOT_OURS = {".venv", ".git", ".build", "build", "dist", "node_modules", "cases"}


def commands(node: Any, name: str) -> Iterator[str]:
    """Full names of all commands below `node`, groups left out."""
    if children := getattr(node, "commands", None):
        for child, command in children.items():
            yield from commands(command, f"{name} {child}")
    else:
        yield name


COMMANDS = sorted(commands(typer.main.get_command(build("en")), "mafiavar"))


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("twins", [ENGLISH, RUSSIAN], ids=["en", "ru"])
def test_every_command_is_in_the_docs(name: str, twins: tuple[Path, ...]) -> None:
    text = "\n".join(p.read_text("utf-8") for p in twins)
    assert re.search(rf"\b{re.escape(name)}\b", text), f"{name} is not in {[p.name for p in twins]}"


@pytest.mark.parametrize("twins", [ENGLISH, RUSSIAN], ids=["en", "ru"])
def test_no_document_names_a_command_that_is_not_there(twins: tuple[Path, ...]) -> None:
    known = {tuple(name.split()[1:]) for name in COMMANDS}
    known |= {words[:1] for words in known}
    for path in twins:
        for line in re.findall(r"^\s*mafiavar ([a-z]+)", path.read_text("utf-8"), re.M):
            assert (line,) in known, f"{path.name}: mafiavar {line}"


@pytest.mark.parametrize(
    ("english", "russian"), list(zip(ENGLISH, RUSSIAN, strict=True)), ids=lambda p: p.name
)
def test_twins_have_the_same_build(english: Path, russian: Path) -> None:
    def build_of(path: Path) -> list[int]:
        return [len(x) for x in re.findall(r"^(#+) ", path.read_text("utf-8"), re.M)]

    assert build_of(english) == build_of(russian)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    text = document.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text):
        if not re.match(r"[a-z]+:", target):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_no_host_of_a_package_registry_stands_in_the_tree() -> None:
    for path in ROOT.rglob("*"):
        if NOT_OURS & set(path.relative_to(ROOT).parts) or path.suffix not in TEXTS or not path.is_file():
            continue
        if path.stat().st_size > 5_000_000:
            continue
        text = path.read_bytes()
        for host in REGISTRY_HOSTS:
            assert host.encode() not in text, f"{path}: {host}"
