"""Lenient reading: every oddity becomes a `Problem` with its place, and reading goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mafiavar.engine.record import PHASES, Record

SEATS = 10
LAST_DAY = 30
"""No game lasts longer: with ten seats and three quiet nights a draw, 27 days are the limit."""

ROLE_WORDS: Mapping[str, str] = {
    "red": "red", "civ": "red", "civilian": "red", "citizen": "red", "мирный": "red", "красный": "red",
    "мирный житель": "red", "к": "red",
    "mafia": "mafia", "maf": "mafia", "black": "mafia", "мафия": "mafia", "чёрный": "mafia", "черный": "mafia",
    "м": "mafia", "don": "don", "godfather": "don", "дон": "don", "д": "don",
    "sheriff": "sheriff", "шериф": "sheriff", "ш": "sheriff",
}  # fmt: skip
WINNER_WORDS: Mapping[str, str] = {
    "red": "red", "civ": "red", "красные": "red", "мирные": "red", "black": "black", "maf": "black",
    "mafia": "black", "чёрные": "black", "черные": "black", "мафия": "black", "draw": "draw", "tie": "draw",
    "ничья": "draw",
}  # fmt: skip
LEVEL_WORDS: Mapping[str, str] = {
    "foul": "foul", "фол": "foul", "warning": "warning", "предупреждение": "warning", "technical": "technical",
    "технический": "technical", "техфол": "technical", "yellow": "technical", "technical_big": "technical_big",
    "большой технический": "technical_big", "removal": "removal", "удаление": "removal",
    "team_defeat": "team_defeat", "ппк": "team_defeat",
}  # fmt: skip
REASON_WORDS: Mapping[str, str] = {
    "fouls": "fouls", "4 fouls": "fouls", "four_fouls": "fouls", "warnings": "fouls", "фолы": "fouls",
    "4 фола": "fouls", "foul": "fouls", "technical": "technical", "techfouls": "technical",
    "технические фолы": "technical", "removal": "removal", "kickout": "removal", "giveup": "removal",
    "удаление": "removal", "team_defeat": "team_defeat", "teamkickout": "team_defeat", "ппк": "team_defeat",
}  # fmt: skip
PHASE_WORDS: Mapping[str, str] = {
    **{p: p for p in PHASES}, "речь": "speech", "переголосование": "revote", "голосование": "voting",
    "после результата": "after_result", "последнее слово": "last_word", "ночь": "night",
}  # fmt: skip
CLAIM_WORDS: Mapping[str, str] = {
    **ROLE_WORDS, "black": "black", "чёрный": "black", "черный": "black",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the file that could not be taken as it stood. `kind`: bad_type, bad_value,
    seat_impossible, day_impossible, duplicate_key, encoding, unknown_option, unknown_ruleset.
    `where`: the path in the file, e.g. days[1].ballots[0].votes."""

    kind: str
    where: str
    value: str = ""
    day: int | None = None
    night: int | None = None
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """`record` holds everything that could be read, `problems` the rest, `source` the format."""

    record: Record
    problems: tuple[Problem, ...]
    source: str


@dataclass(slots=True)
class Lenient:
    """Getters that never raise: what is not of the right kind is noted and taken as missing."""

    problems: list[Problem] = field(default_factory=list)
    day: int | None = None
    night: int | None = None

    def note(self, kind: str, where: str, value: object = "", seats: tuple[int, ...] = ()) -> None:
        self.problems.append(Problem(kind, where, _short(value), self.day, self.night, seats))

    def mapping(self, value: object, where: str) -> Mapping[str, Any]:
        if isinstance(value, Mapping):
            return value
        if value is not None:
            self.note("bad_type", where, value)
        return {}

    def items(self, value: object, where: str) -> Sequence[Any]:
        if isinstance(value, (list, tuple)):
            return value
        if value is not None:
            self.note("bad_type", where, value)
        return ()

    def objects(self, value: object, where: str) -> list[tuple[str, Mapping[str, Any]]]:
        """(place, object) of every object in a list; anything else in it is noted."""
        out = []
        for i, item in enumerate(self.items(value, where)):
            if isinstance(item, Mapping):
                out.append((f"{where}[{i}]", item))
            else:
                self.note("bad_type", f"{where}[{i}]", item)
        return out

    def whole(self, value: object, where: str, *, low: int, high: int, kind: str = "bad_value") -> int | None:
        """A whole number in [low, high], also as a string or a float without fraction."""
        number: int | None = None
        if isinstance(value, bool):
            pass
        elif isinstance(value, int):
            number = value
        elif isinstance(value, float) and value.is_integer():
            number = int(value)
        elif isinstance(value, str) and len(value) < 10 and value.strip().lstrip("+-").isdecimal():
            number = int(value.strip())
        if number is None:
            if value is not None:
                self.note("bad_type", where, value)
            return None
        if not low <= number <= high:
            self.note(kind, where, number, seats=(number,) if kind == "seat_impossible" else ())
            return None
        return number

    def seat(self, value: object, where: str) -> int | None:
        return self.whole(value, where, low=1, high=SEATS, kind="seat_impossible")

    def seats(self, value: object, where: str) -> tuple[int, ...]:
        found = [self.seat(v, f"{where}[{i}]") for i, v in enumerate(self.items(value, where))]
        return tuple(s for s in found if s is not None)

    def day_number(self, value: object, where: str, *, low: int = 1) -> int | None:
        return self.whole(value, where, low=low, high=LAST_DAY, kind="day_impossible")

    def word(self, value: object, where: str, words: Mapping[str, str]) -> str | None:
        """One of the known words, in any case, Russian or English."""
        if value is None or value == "":
            return None
        if isinstance(value, str) and value.strip().lower() in words:
            return words[value.strip().lower()]
        self.note("bad_value" if isinstance(value, str) else "bad_type", where, value)
        return None

    def truth(self, value: object, where: str) -> bool | None:
        if isinstance(value, bool) or value is None:
            return value
        if value in (0, 1):
            return bool(value)
        words = {
            "yes": True,
            "да": True,
            "true": True,
            "+": True,
            "no": False,
            "нет": False,
            "false": False,
            "-": False,
        }
        if isinstance(value, str) and value.strip().lower() in words:
            return words[value.strip().lower()]
        self.note("bad_type", where, value)
        return None

    def number(self, value: object, where: str) -> float | None:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e6:
            return float(value)
        if isinstance(value, str):
            try:
                parsed = float(value.replace(",", ".").strip())
            except ValueError:
                parsed = float("nan")
            if abs(parsed) < 1e6:
                return parsed
        if value is not None:
            self.note("bad_type", where, value)
        return None


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
