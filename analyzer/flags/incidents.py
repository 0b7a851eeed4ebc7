"""Several kinds of one happening as one item: what a reader is shown, in the order of flags.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Incident:
    """`first`: the gravest flag (as in flags.json); `others`: the rest of the same happening."""

    first: Json
    others: tuple[Json, ...]

    @property
    def all(self) -> tuple[Json, ...]:
        return self.first, *self.others


def incidents_of(flags: Sequence[Json]) -> tuple[Incident, ...]:
    """Flags that share the field `incident`, in the order in which their gravest stands in the list.

    A flag without the field is an incident of its own.

    >>> a, b, c = {"id": "f1", "incident": 2}, {"id": "f2", "incident": 1}, {"id": "f3", "incident": 2}
    >>> [[f["id"] for f in i.all] for i in incidents_of([a, b, c])]
    [['f1', 'f3'], ['f2']]
    """
    groups: dict[Any, list[Json]] = {}
    for i, flag in enumerate(flags):
        groups.setdefault(flag.get("incident") or f"alone {i}", []).append(flag)
    return tuple(Incident(group[0], tuple(group[1:])) for group in groups.values())


def in_language(flags: Json, lang: str) -> Json:
    """flags.json with its sentences in `lang`, where the file holds them in both languages."""
    if flags.get("lang", "ru") == lang:
        return flags
    told = [{**f, **f["twin"]} if f.get("twin") else f for f in flags["flags"]]
    return {**flags, "lang": lang, "flags": told}
