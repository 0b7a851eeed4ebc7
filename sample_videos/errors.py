"""What can go wrong in the studio, each with a sentence for its user (Russian, English twin)."""

from __future__ import annotations

from typing import Any


def _again(kind: type[StudioError], fields: dict[str, Any]) -> StudioError:
    error = kind.__new__(kind)
    error.args = (fields["en"],)
    error.__dict__.update(fields)
    return error


class StudioError(Exception):
    """A studio command cannot go on. `ru` and `en` say what is wrong and what to do."""

    def __init__(self, ru: str, en: str) -> None:
        super().__init__(en)
        self.ru = ru
        self.en = en

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors travel from worker processes with both sentences."""
        return _again, (type(self), self.__dict__)


class ScriptError(StudioError):
    """The script contradicts itself; `where` is the path of the item at fault, as `lines[12]`."""

    def __init__(self, where: str, ru: str, en: str) -> None:
        super().__init__(f"{where}: {ru}", f"{where}: {en}")
        self.where = where


class BodiesMissing(StudioError):
    """The wheel with the CC0 human bodies is not at hand."""


class VoiceMissing(StudioError):
    """A program or voice that speaks is not installed, or a voice bank lacks a phrase."""


class PictureMissing(StudioError):
    """The software renderer (moderngl, EGL, Mesa) is not at hand."""
