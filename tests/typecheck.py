"""Run mypy (strict) over the rooms as the package `mafiavar`.

mypy does not follow the editable install's mapping of top-level folders to subpackages, so a
folder of links is laid out in .build/types and checked there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("engine", "models", "analyzer", "ui", "sample_videos")


def lay_out() -> Path:
    """Links to the rooms under .build/types/mafiavar; copies where links are not allowed."""
    package = ROOT / ".build" / "types" / "mafiavar"
    shutil.rmtree(package.parent, ignore_errors=True)
    package.mkdir(parents=True)
    for source in (ROOT / "mafiavar").glob("*.py"):
        shutil.copy(source, package)
    for room in ROOMS:
        try:
            (package / room).symlink_to(ROOT / room, target_is_directory=True)
        except OSError:
            shutil.copytree(ROOT / room, package / room)
    return package.parent


def main() -> int:
    base = lay_out()
    packages = sys.argv[1:] or ["mafiavar"]
    arguments = [x for p in packages for x in ("-p", p)]
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--config-file",
            str(ROOT / "pyproject.toml"),
            "--cache-dir",
            str(ROOT / ".mypy_cache"),
            *arguments,
        ],
        cwd=base,
        env={**os.environ, "MYPYPATH": str(base)},
        check=False,
    ).returncode


if __name__ == "__main__":
    raise SystemExit(main())
