"""lexicon.toml: read, checked, compiled. A club's own file extends or overrides the built-in one."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.speech.lattice import Alias, Strays
from mafiavar.analyzer.speech.morphology import plain
from mafiavar.analyzer.speech.patterns import Begin, Pattern, PatternError, begin_of, parse

Detail = str | int | float | bool
_OWN = frozenset(
    {
        "cue",
        "say",
        "likelihood",
        "by",
        "not_before",
        "not_after",
        "from",
        "until",
        "name",
        "within",
        "not_right_before",
        "count",
    }
)
# Words of the file that would collide with field names of a cue or of TOML habits.
_RENAMED = {"ending": "by", "closing": "by"}


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: patterns and what they mean. `scenes` / `never` limit where (see scene.py); `within`:
    only inside one sentence; `count`: a number that is meant without a numeral."""

    name: str
    kind: CueKind
    patterns: tuple[Pattern, ...]
    begins: tuple[Begin, ...]
    likelihood: float
    said_by: str | None
    not_before: frozenset[str]
    not_after: frozenset[str]
    not_right_before: frozenset[str]
    scenes: frozenset[str]
    never: frozenset[str]
    within: bool
    count: int | None
    detail: Mapping[str, Detail]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Everything the grammar knows. `aliases` by the first word heard."""

    rules: tuple[Rule, ...]
    aliases: Mapping[str, tuple[Alias, ...]]
    strays: Strays
    version: str


def _aliases(table: Sequence[Mapping[str, Any]]) -> dict[str, tuple[Alias, ...]]:
    found: dict[str, list[Alias]] = {}
    for entry in table:
        means = tuple(plain(w) for w in str(entry["means"]).split())
        for heard in entry["heard"]:
            words = tuple(plain(w) for w in str(heard).split())
            alias = Alias(words, means, -math.log(float(entry.get("p", 0.8))))
            if words != means:
                found.setdefault(words[0], []).append(alias)
    return {word: tuple(many) for word, many in found.items()}


def _strays(tables: Sequence[Mapping[str, Any]]) -> Strays:
    """Those of all files together, with the probability of the last."""
    return Strays(
        frozenset(plain(w) for table in tables for w in table["heard"]),
        frozenset(plain(w) for table in tables for w in table["after"]),
        -math.log(float(tables[-1].get("p", 0.8))) if tables else 0.0,
    )


def _rule(entry: Mapping[str, Any], i: int, phrases: Mapping[str, str]) -> Rule:
    name = str(entry.get("name", f"{entry['cue']}-{i}"))
    try:
        kind = CueKind(entry["cue"])
        patterns = tuple(parse(str(say), phrases) for say in entry["say"])
    except (ValueError, PatternError) as error:
        raise PatternError(f"rule {name}: {error}") from error
    extra = {_RENAMED.get(k, k): v for k, v in entry.items() if k not in _OWN}
    return Rule(
        name,
        kind,
        patterns,
        tuple(begin_of(p) for p in patterns),
        float(entry.get("likelihood", 0.8)),
        entry.get("by"),
        frozenset(plain(w) for w in entry.get("not_before", ())),
        frozenset(plain(w) for w in entry.get("not_after", ())),
        frozenset(plain(w) for w in entry.get("not_right_before", ())),
        frozenset(entry.get("from", ())),
        frozenset(entry.get("until", ())),
        bool(entry.get("within", False)),
        entry.get("count"),
        extra,
    )


def compile_lexicon(*texts: str) -> Lexicon:
    """From TOML texts; later ones add phrases, rules and aliases. Raises PatternError, KeyError."""
    tables = [tomllib.loads(text) for text in texts]
    phrases: dict[str, str] = {}
    for table in tables:
        phrases |= table.get("phrases", {})
    entries = [entry for table in tables for entry in table.get("rule", ())]
    aliases = [entry for table in tables for entry in table.get("alias", ())]
    return Lexicon(
        tuple(_rule(entry, i, phrases) for i, entry in enumerate(entries)),
        _aliases(aliases),
        _strays([table["stray"] for table in tables if "stray" in table]),
        "+".join(str(table.get("version", 0)) for table in tables),
    )


@lru_cache(maxsize=4)
def load(extra: Path | None = None) -> Lexicon:
    """The built-in lexicon, extended by a club's file. UsageError names what cannot be read."""
    own = files("mafiavar.analyzer.speech").joinpath("lexicon.toml").read_text(encoding="utf-8")
    if extra is None:
        return compile_lexicon(own)
    try:
        return compile_lexicon(own, extra.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, PatternError, KeyError) as error:
        raise UsageError(
            f"Не удалось прочитать лексикон {extra.name}: {error}. Исправьте файл или уберите его.",
            f"The lexicon {extra.name} cannot be read: {error}. Mend the file or leave it out.",
        ) from error
