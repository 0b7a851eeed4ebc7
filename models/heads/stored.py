"""Where the weights of the small heads lie."""

from __future__ import annotations

from importlib import resources
from pathlib import Path


def stored(name: str, folder: Path | None = None) -> str:
    """The JSON of a head that ships with the package, by name, or from a folder.

    Raises:
        FileNotFoundError: there is none of that name.
    """
    place = folder if folder is not None else resources.files("mafiavar.models.heads") / "weights"
    return (place / f"{name}.json").read_text("utf-8")
