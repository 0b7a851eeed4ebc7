"""How the program is called here: hints name a command that works when it is copied as it stands."""

from __future__ import annotations

import os
import re
import shutil
import sys
from functools import cache
from pathlib import Path

_COMMANDS = (
    "analyze|audit|batch|bench|case|demo|doctor|eval|export|models|protocol|review|score|studio|verify"
)
_CALL = re.compile(rf"(?<![\w/\\.\"-])mafiavar(?= (?:{_COMMANDS})\b)")


@cache
def program() -> str:
    """`mafiavar` when the shell finds this very installation under that name, else the way to it."""
    here = Path(sys.executable).parent / ("mafiavar.exe" if os.name == "nt" else "mafiavar")
    found = shutil.which("mafiavar")
    if not here.exists() or (found and os.path.realpath(found) == os.path.realpath(here)):
        return "mafiavar"
    if here.is_relative_to(Path.cwd()) and here.parent != Path.cwd():
        here = here.relative_to(Path.cwd())
    return quoted(here)


def quoted(path: Path) -> str:
    """A path as it is typed: in quotes when it has spaces."""
    return f'"{path}"' if " " in str(path) else str(path)


def callable_here(sentence: str) -> str:
    """The sentence with `mafiavar COMMAND` written the way it is called here."""
    name = program()
    return sentence if name == "mafiavar" else _CALL.sub(lambda _: name, sentence)
