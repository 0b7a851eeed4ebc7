"""The sentences of `phrases.toml`: chosen by a seed, by style and purpose."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mafiavar.sample_videos.errors import ScriptError
from mafiavar.sample_videos.writer.russian import Sentence, fill, listed

JUDGE_STYLES = ("full", "terse", "chatty")
REGISTERS = ("calm", "sharp", "chatty", "learned", "shy")


@cache
def _book() -> Mapping[str, Any]:
    return tomllib.loads((Path(__file__).parent / "phrases.toml").read_text("utf-8"))


def sentences() -> list[str]:
    """Every template of the book, without doubles."""
    out: dict[str, None] = {}

    def walk(x: Any) -> None:
        for v in x.values() if isinstance(x, dict) else x:
            if isinstance(v, str):
                out[v] = None
            else:
                walk(v)

    walk(_book())
    return list(out)


def _favourites(table: Mapping[str, list[str]], g: np.random.Generator) -> dict[str, str]:
    return {k: str(v[int(g.integers(len(v)))]) for k, v in sorted(table.items())}


class Phrases:
    """A judge's or a player's manner: the same purpose in their own words, rarely twice running."""

    def __init__(self, g: np.random.Generator, style: str, register: str = "") -> None:
        book = _book()
        more: Mapping[str, list[str]] = {}
        slips: Mapping[str, list[str]] = {}
        if style in book["judge"]:
            self._table: Mapping[str, list[str]] = book["judge"][style]
            more, slips = book["shooting"][style], book["slips"][style]
        elif style in book:
            own = book["talk"][register] if register else {}
            self._table = {k: [*own.get(k, []), *v] for k, v in book[style].items()}
        else:
            raise ScriptError("style", f"нет манеры речи {style!r}", f"there is no style {style!r}")
        self.g, self.style = g, style
        self._said: dict[str, str] = {}
        # a person keeps to one or two formulas of their own
        self._favourite = _favourites(self._table, g)
        for others in (more, slips):  # a copy of the dice each: new sentences change no old choice
            self._favourite |= _favourites(others, deepcopy(g))
        self._table = {**self._table, **more, **slips}

    def has(self, purpose: str) -> bool:
        return purpose in self._table

    def template(self, purpose: str, faithful: float = 0.7) -> str:
        options = self._table[purpose]
        if len(options) == 1 or self.g.random() < faithful:
            choice = self._favourite[purpose]
            if choice != self._said.get(purpose) or faithful >= 0.5:
                self._said[purpose] = choice
                return choice
        fresh = [o for o in options if o != self._said.get(purpose)] or options
        choice = fresh[int(self.g.integers(len(fresh)))]
        self._said[purpose] = choice
        return choice

    def say(
        self, purpose: str, names: tuple[int, ...] = (), faithful: float = 0.7, /, **numbers: int
    ) -> Sentence:
        """A sentence for a purpose; `names` fills {list}, the numbers fill the lettered slots."""
        text = self.template(purpose, faithful).replace("{list}", listed(names))
        return fill(text, **numbers)
