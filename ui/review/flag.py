"""A doubtful moment as the review reads it, in the language of whoever looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mafiavar.ui.language import language

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Flag:
    """One entry of flags.json. `said`: language -> the machine's sentences; a case is written in one
    language and carries the other as `twin` (cases made before have one only)."""

    id: str
    kind: str
    clause: str | None
    certainty: str
    seats: tuple[int, ...]
    t0: float
    t1: float
    day: int
    severity: str
    confidence: float
    said: Mapping[str, Json]
    evidence: tuple[Json, ...]
    raw: Json

    @property
    def expected(self) -> str:
        return _text(self._here.get("expected"))

    @property
    def seen(self) -> str:
        return _text(self._here.get("seen"))

    @property
    def margin(self) -> str:
        return _text(self._here.get("margin"))

    @property
    def doubts(self) -> tuple[str, ...]:
        doubts = self._here.get("doubts") or ()
        return tuple(_text(d) for d in (doubts if isinstance(doubts, list | tuple) else [doubts]))

    @property
    def _here(self) -> Json:
        return self.said.get(language()) or next(iter(self.said.values()))


def flag_of(raw: Json, lang: str) -> Flag:
    """Read an entry of a file written in `lang`.

    Raises:
        KeyError, TypeError, ValueError: the entry is no flag.
    """
    twin = raw.get("twin")
    other = {"ru" if lang == "en" else "en": twin} if isinstance(twin, Mapping) and twin else {}
    return Flag(
        id=str(raw["id"]),
        kind=str(raw["kind"]),
        clause=raw.get("clause"),
        certainty=_text(raw.get("clause_certainty")),
        seats=tuple(int(s) for s in raw.get("seats") or ()),
        t0=float(raw["t0"]),
        t1=float(raw["t1"]),
        day=int(raw.get("day") or 0),
        severity=str(raw.get("severity") or "note"),
        confidence=float(raw.get("confidence") or 0),
        said={lang: raw, **other},
        evidence=tuple(e for e in raw.get("evidence") or () if isinstance(e, Mapping)),
        raw=raw,
    )


def _text(value: Any) -> str:
    return "" if value is None else str(value)
